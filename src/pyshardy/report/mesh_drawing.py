"""Draws a tensor on its mesh, or the groups of devices of a collective, for ``pyshardy show``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from pyshardy.analysis.why.explainer import Explainer
from pyshardy.analysis.why.subjects import CollectiveSubject, Subject, TensorSubject
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.dialects.stablehlo.replica_groups import group_rows, mesh_axis_groups
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.account.memory_model import type_bytes
from pyshardy.report.console import open_console
from pyshardy.report.mesh_grid import Cell, print_grid
from pyshardy.report.mesh_tiles import MeshTiles
from pyshardy.report.words import counted, mesh_text, one_line, size_text
from pyshardy.sharding.axes import axes_text
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from rich.console import Console

_PADDED = "░"


@dataclass(frozen=True)
class TensorDrawing:
    """A tensor and its tiles. ``before`` are those of the tensor that it is a reshard of, if it is one."""

    name: str
    value: str
    type: TensorType
    sharding: TensorSharding | None
    mesh_name: str
    tiles: MeshTiles
    before: tuple[TensorSharding | None, MeshTiles] | None = None

    def as_json(self) -> dict[str, object]:
        """The tiles as plain values; docs/pictures.md describes the schema."""
        mesh = self.tiles.mesh
        tiles = [self.tiles.tile(position) for position in range(mesh.total_size)]
        return {
            "name": self.name,
            "value": self.value,
            "type": str(self.type),
            "sharding": self.sharding.body_text if self.sharding is not None else "",
            "mesh": {axis.name: axis.size for axis in mesh.axes},
            "local_shape": list(self.tiles.local_shape),
            "devices": [
                {
                    "device": one.device,
                    "slice": one.number,
                    "slices": [list(part) for part in one.slices],
                    "padding": list(one.padding),
                }
                for one in tiles
            ],
        }


@dataclass(frozen=True)
class CollectiveDrawing:
    """A collective, and its ``groups`` of devices, or for a permute pairs of source and target."""

    question: str
    collective: Collective
    mesh: Mesh
    mesh_name: str
    groups: tuple[tuple[int, ...], ...]

    @property
    def is_permute(self) -> bool:
        """Whether the groups are pairs of source and target."""
        return "source_target_pairs" in self.collective.op.properties

    def as_json(self) -> dict[str, object]:
        """The groups as plain values; docs/pictures.md describes the schema."""
        return {
            "collective": self.question,
            "axes": [axis.body_text for axis in self.collective.axes],
            "bytes": self.collective.bytes,
            "mesh": {axis.name: axis.size for axis in self.mesh.axes},
            "pairs" if self.is_permute else "groups": [list(one) for one in self.groups],
        }


Drawing = TensorDrawing | CollectiveDrawing


def drawings(explainer: Explainer, what: str) -> list[Drawing]:
    """The pictures of the tensors or collectives that ``what`` names in the program of ``explainer``.

    Raises:
        UnknownSubject: it matches nothing there, or without a star several tensors.
    """
    found = [_drawing(explainer, subject) for subject in explainer.subjects.find(what)]
    return [one for one in found if one is not None]


def _drawing(explainer: Explainer, subject: Subject) -> Drawing | None:
    if isinstance(subject, CollectiveSubject):
        return _of_collective(explainer, subject)
    return _of_tensor(explainer, subject)


def _of_tensor(explainer: Explainer, subject: TensorSubject) -> TensorDrawing | None:
    traced = explainer.traced
    type = traced.type(subject.given)
    if not isinstance(type, TensorType):
        return None
    sharding = traced.final_sharding(subject.slot) if subject.slot is not None else None
    mesh_name, mesh = _mesh(explainer, sharding)
    before = _source(explainer, subject.given)
    return TensorDrawing(
        explainer.names.name(subject.given),
        explainer.names.symbol(subject.given),
        type,
        sharding,
        mesh_name,
        MeshTiles(mesh, type.shape, sharding),
        (before, MeshTiles(mesh, type.shape, before)) if before is not None and before is not sharding else None,
    )


def _mesh(explainer: Explainer, sharding: TensorSharding | None) -> tuple[str, Mesh]:
    """The mesh of ``sharding``; without one that of the plan."""
    plan = explainer.traced.plan
    mesh = explainer.traced.mesh(sharding) if sharding is not None else None
    if sharding is not None and mesh is not None:
        name = sharding.mesh_or_ref
        return (name if isinstance(name, str) else ""), mesh
    return plan.mesh_name or "", plan.mesh if plan.mesh is not None else Mesh()


def _source(explainer: Explainer, given: Value | FunctionResult) -> TensorSharding | None:
    """The sharding of the operand of a constraint."""
    op: Operation | None = given.defining_op if not isinstance(given, FunctionResult) else None
    if op is None or op.name != "sdy.sharding_constraint":
        return None
    slots = explainer.traced.slots(op.operands[0])
    return explainer.traced.final_sharding(slots[0]) if slots else None


def _of_collective(explainer: Explainer, subject: CollectiveSubject) -> CollectiveDrawing:
    plan, collective = explainer.traced.plan, subject.collective
    mesh = plan.mesh if plan.mesh is not None else Mesh()
    pairs = collective.op.properties.get("source_target_pairs")
    if isinstance(pairs, DenseElementsAttr):
        flat = pairs.integers()
        groups = [[flat[at], flat[at + 1]] for at in range(0, len(flat), 2)]
    elif collective.axes:
        parts = [(one.name, one.pre, one.size(mesh)) for one in collective.axes]
        devices = mesh.device_ids or range(mesh.total_size)
        groups = mesh_axis_groups(mesh.sizes, devices, parts)
    else:
        groups = group_rows(collective.op, plan.local.op)
    question = f"{collective.kind}:{subject.number}"
    return CollectiveDrawing(question, collective, mesh, plan.mesh_name or "", tuple(map(tuple, groups)))


def print_drawing(drawing: Drawing, out: TextIO, *, everything: bool = False) -> None:
    """Writes the picture to ``out``, of large meshes as much as fits unless ``everything`` is true."""
    draw(drawing, open_console(out), everything=everything)


def draw(drawing: Drawing, console: Console, *, everything: bool = False) -> None:
    """Writes the picture to ``console``."""
    if isinstance(drawing, CollectiveDrawing):
        _print_collective(drawing, console, everything)
    else:
        _print_tensor(drawing, console, everything)


def _print_line(console: Console, text: str, style: str = "") -> None:
    console.print(text, markup=False, highlight=False, style=style, soft_wrap=True)


def _print_tensor(drawing: TensorDrawing, console: Console, everything: bool) -> None:
    tiles = drawing.tiles
    names = [drawing.name] if drawing.name == drawing.value else [drawing.name, drawing.value]
    sharding = drawing.sharding.body_text if drawing.sharding is not None else "no sharding"
    _print_line(console, "  ".join(map(one_line, [*names, str(drawing.type), sharding])), "bold")
    _print_line(console, one_line(mesh_text(drawing.mesh_name, tiles.mesh)))
    if drawing.before is not None:
        before, tiles_before = drawing.before
        _print_line(console, f"before: {one_line(before.body_text) if before is not None else 'no sharding'}")
        _print_tiles(tiles_before, console, everything)
        _print_line(console, f"after: {one_line(sharding)}")
    local = drawing.type.with_shape(tiles.local_shape)
    if drawing.type.has_static_shape:
        size = f"{size_text(type_bytes(local))} of {size_text(type_bytes(drawing.type))}"
        _print_line(console, f"on a device {local}, {size}; {_shares_text(tiles)}")
    for line in (*_padding_lines(tiles), *_unreduced_lines(drawing.sharding)):
        _print_line(console, line)
    _print_tiles(tiles, console, everything)


def _print_tiles(tiles: MeshTiles, console: Console, everything: bool) -> None:
    def cell(position: int) -> Cell:
        tile = tiles.tile(position)
        mark = f" {_PADDED}" if tile.is_padded else ""
        return Cell((f"{tile.device}{mark}", tiles.slice_text(tile)), tile.number)

    _print_omitted(console, print_grid(tiles.mesh, cell, console, everything=everything))


def _shares_text(tiles: MeshTiles) -> str:
    """The number of slices, and the number of devices that hold each."""
    total = tiles.mesh.total_size
    if tiles.count == 1:
        return "all of it on every device" if total > 1 else "all of it"
    along = ", ".join(one_line(name) for name in tiles.replicated_axes)
    if tiles.replicas == 1:
        return f"{counted(tiles.count, 'slice')}, each on one device"
    return f"{counted(tiles.count, 'slice')}, each on {tiles.replicas} devices" + (f" along {along}" if along else "")


def _padding_lines(tiles: MeshTiles) -> list[str]:
    lines = []
    for dim, (size, local, count) in enumerate(zip(tiles.shape, tiles.local_shape, tiles.counts, strict=True)):
        if size >= 0 and local * count > size:
            missing = local * count - size
            lines.append(f"{_PADDED} dimension {dim}: {size} in {count} shards of {local}, {missing} of that padding")
    return lines


def _unreduced_lines(sharding: TensorSharding | None) -> list[str]:
    if sharding is None or not sharding.unreduced:
        return []
    return [f"each device holds a part of a sum along {one_line(axes_text(sharding.unreduced))}"]


def _print_collective(drawing: CollectiveDrawing, console: Console, everything: bool) -> None:
    collective = drawing.collective
    along = f" along {axes_text(collective.axes)}" if collective.axes else ""
    head = f"{drawing.question}{along}: each device receives {size_text(collective.bytes)}"
    _print_line(console, one_line(head), "bold")
    _print_line(console, one_line(mesh_text(drawing.mesh_name, drawing.mesh)))
    if drawing.is_permute:
        targets = dict(pair for pair in drawing.groups if len(pair) == 2)
        cells = {source: Cell((str(source), f"sends to {target}"), 0) for source, target in targets.items()}
        _print_line(console, f"{counted(len(cells), 'device')} of {drawing.mesh.total_size} send")
    else:
        cells = {
            device: Cell((str(device), f"group {number}"), number)
            for number, group in enumerate(drawing.groups)
            for device in group
        }
        _print_line(console, f"{counted(len(drawing.groups), 'group')} of {counted(collective.group_size, 'device')}")
    devices = drawing.mesh.device_ids or range(drawing.mesh.total_size)

    def cell(position: int) -> Cell:
        device = devices[position]
        return cells.get(device, Cell((str(device), "not in it" if not drawing.is_permute else "sends nothing"), -1))

    _print_omitted(console, print_grid(drawing.mesh, cell, console, everything=everything))


def _print_omitted(console: Console, missing: int) -> None:
    if missing:
        _print_line(console, f"{counted(missing, 'device')} left out (--all shows them)")
