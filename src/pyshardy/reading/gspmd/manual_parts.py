"""Converts the manual parts of GSPMD programs to manual computations.

Between ``@SPMDFullToShardShape`` and ``@SPMDShardToFullShape`` a program works on the shards of one device. The
operations between the two, in one block and connected with each other, are put into one ``sdy.manual_computation``; the
``@Sharding`` before an entry says how the operand is cut into shards. ``conversion`` calls this before it converts
everything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn, Protocol

from pyshardy.dialects.func import arguments_attributes
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Block, BlockArgument, Operation, Region, Value
from pyshardy.ir.types import TensorType
from pyshardy.module import Module
from pyshardy.reading.gspmd.markers import (
    FULL_TO_SHARD,
    SHARD_TO_FULL,
    SHARDING_MARKER,
    gspmd_text,
    is_call_of,
)
from pyshardy.reading.gspmd.mesh_choice import Meshes
from pyshardy.reading.gspmd.sharding_text import GspmdSharding
from pyshardy.reading.gspmd.sharding_tokens import BadSharding
from pyshardy.sharding.lists import ManualAxes
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, fully_closed


class Reading(Protocol):
    """The conversion of the shardings of ``module``: ``shardings`` has each text of one, ``meshes`` are those for all,
    ``counts`` says what was read."""

    module: Module
    shardings: dict[str, GspmdSharding]
    meshes: Meshes
    counts: Counter[str]

    def fail(self, op: Operation, text: str, why: str) -> NoReturn:
        """Refuses the program because of the sharding ``text`` of ``op``."""

    def constraint(self, op: Operation) -> TensorSharding | None:
        """The sharding that the marker ``op`` has; None if it has none."""


@dataclass
class _ManualRegion:
    """A future manual computation: entries, operations and exits, each in the order of the block."""

    entries: list[Operation] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    exits: list[Operation] = field(default_factory=list)

    @property
    def first(self) -> Operation:
        return (*self.entries, *self.exits)[0]


def make_manual_computations(conversion: Reading) -> None:
    """Makes the manual computations of a program.

    Raises:
        PyshardyError: a manual part cannot be put into one computation, or its axes are not known.
    """
    blocks: dict[Block, None] = {}
    for op in conversion.module.op.walk():
        if op.parent is not None and (is_call_of(op, FULL_TO_SHARD) or is_call_of(op, SHARD_TO_FULL)):
            blocks[op.parent] = None
    for block in blocks:
        graph = _Graph(block)
        for part in _parts(conversion, graph):
            _make(conversion, graph, part)


# --- manual operations ------------------------------------------------------------------------------------------------


class _Graph:
    """The dependencies of the operations of one block, and the neutral ones among them, which depend on scalars only:
    constants, and values computed from sizes and the number of the device. These belong to no part, and are copied into
    all parts that use them."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.needs: dict[Operation, list[Operation]] = {}
        self.neutral: set[Operation] = set()
        for op in block:
            values = _outer_values(op)
            makers = (value.defining_op for value in values)
            self.needs[op] = [one for one in makers if one is not None and one.parent is block]
            if not _is_border(op) and all(_is_scalar(one) or one.defining_op in self.neutral for one in values):
                self.neutral.add(op)

    def with_neutral(self, operations: Iterable[Operation]) -> list[Operation]:
        """``operations`` and the neutral operations that they depend on, in the order of the block."""
        found = set(operations)
        waiting = list(found)
        while waiting:
            for one in self.needs[waiting.pop()]:
                if one in self.neutral and one not in found:
                    found.add(one)
                    waiting.append(one)
        return [op for op in self.block if op in found]


def _is_scalar(value: Value) -> bool:
    return isinstance(value.type, TensorType) and not value.type.shape


def _is_border(op: Operation) -> bool:
    return is_call_of(op, FULL_TO_SHARD) or is_call_of(op, SHARD_TO_FULL) or bool(op.traits & TERMINATOR)


def _blocks_in(op: Operation) -> set[Block]:
    return {block for nested in op.walk() for region in nested.regions for block in region.blocks}


def _outer_values(op: Operation) -> list[Value]:
    """The values that ``op`` and the operations inside of it use, and that are defined outside of ``op``."""
    inside = _blocks_in(op)
    return [value for nested in op.walk() for value in nested.operands if value.parent_block not in inside]


def _parts(conversion: Reading, graph: _Graph) -> list[_ManualRegion]:
    """The manual parts of a block: connected operations."""
    manual: set[Operation] = set()
    waiting: list[Operation] = []
    for op, needed in graph.needs.items():
        if is_call_of(op, SHARD_TO_FULL):
            waiting += needed
        elif is_call_of(op, FULL_TO_SHARD) or any(one in manual for one in needed):
            manual.add(op)
    while waiting:
        op = waiting.pop()
        if op not in manual and op not in graph.neutral:
            manual.add(op)
            waiting += graph.needs[op]
    group = {op: op for op in graph.needs}

    def leader(op: Operation) -> Operation:
        while group[op] is not op:
            group[op] = op = group[group[op]]
        return op

    for op, needed in graph.needs.items():
        if is_call_of(op, FULL_TO_SHARD) or not (op in manual or is_call_of(op, SHARD_TO_FULL)):
            continue
        if op.traits & TERMINATOR:
            text = gspmd_text(next(one for one in needed if one in manual)) or "{manual}"
            conversion.fail(op, text, f"a value that one device sees for itself ends in '{op.name}' of the whole")
        for one in needed:
            if one in manual:
                group[leader(one)] = leader(op)
    parts: dict[Operation, _ManualRegion] = {}
    for op in graph.needs:
        is_entry, is_exit = is_call_of(op, FULL_TO_SHARD), is_call_of(op, SHARD_TO_FULL)
        if is_entry or is_exit or op in manual:
            part = parts.setdefault(leader(op), _ManualRegion())
            (part.entries if is_entry else part.exits if is_exit else part.operations).append(op)
    return list(parts.values())


# --- making a computation ---------------------------------------------------------------------------------------------


def _make(conversion: Reading, graph: _Graph, part: _ManualRegion) -> None:
    body = Block()
    mapping: dict[Value, Value] = {}
    for entry in part.entries:
        mapping[entry.results[0]] = body.add_argument(entry.results[0].type, entry.location)
    axes, mesh_name = _manual_axes(conversion, part)
    operands, in_shardings = _operands(conversion, part, mesh_name)
    out_shardings = [_out_sharding(conversion, one, mesh_name) for one in part.exits]
    for sharding in (*in_shardings, *out_shardings):
        _check_order(conversion, part.first, sharding, axes)
    anchor = _anchor(conversion, graph.block, part)
    copied = [op for op in graph.with_neutral((*part.operations, *part.exits)) if op not in part.exits]
    for scalar in _scalars_from_outside(part, copied, mapping):
        # A scalar that is the same on every device, such as a size that JAX passes on, may be used as it is.
        mapping[scalar] = body.add_argument(scalar.type, part.first.location)
        operands.append(scalar)
        in_shardings.append(fully_closed(0, mesh_name))
    for op in copied:
        rewriting.append(body, rewriting.clone(op, mapping))
    returned = [mapping.get(one.operands[0], one.operands[0]) for one in part.exits]
    rewriting.append(body, rewriting.create("sdy.return", returned, (), location=part.first.location))
    properties = DictionaryAttr(
        {
            "in_shardings": TensorShardingPerValue(in_shardings),
            "out_shardings": TensorShardingPerValue(out_shardings),
            "manual_axes": ManualAxes(axes),
        }
    )
    types = [one.results[0].type for one in part.exits]
    region = Region([body])
    made = rewriting.create(
        "sdy.manual_computation", operands, types, properties, regions=(region,), location=part.first.location
    )
    rewriting.insert_before(anchor, made)
    for one, result in zip(part.exits, made.results, strict=True):
        rewriting.replace_all_uses(one.results[0], result)
    markers = [one.operands[0].defining_op for one in part.entries]
    for op in (*part.exits, *reversed(copied), *part.entries):
        # A constant may also have uses outside of the part.
        if not any(result.num_uses for result in op.results):
            rewriting.erase(op)
    for marker in dict.fromkeys(markers):
        if marker is not None and is_call_of(marker, SHARDING_MARKER) and not marker.results[0].num_uses:
            rewriting.erase(marker)
    _check_closed(conversion, made)
    conversion.counts["manual computation"] += 1


def _scalars_from_outside(part: _ManualRegion, copied: list[Operation], inside: Container[Value]) -> list[Value]:
    """The tensors of rank 0 that the part uses and that are neither results of an entry nor made in the part."""
    made = {result for op in copied for result in op.results}
    used = [value for op in copied for value in _outer_values(op)] + [one.operands[0] for one in part.exits]
    scalars = [value for value in used if value not in made and value not in inside]
    return [value for value in dict.fromkeys(scalars) if _is_scalar(value)]


def _manual_axes(conversion: Reading, part: _ManualRegion) -> tuple[list[str], str]:
    """The axes that become manual at the entries, in the order of the mesh, and the name of the mesh."""
    mesh_name, mesh = conversion.meshes.main
    found: set[frozenset[str]] = set()
    for inside, outside in _sides(part):
        inner, outer = (_placed_manual(conversion, one) for one in (inside, outside))
        for side in (inner, outer):
            if side is not None and side[0] is not None:
                mesh_name = side[0]
                mesh = conversion.meshes.named[mesh_name]
        if inner is not None:
            names = frozenset(axis.name for axis in mesh.axes) if inner[0] is None else inner[1]
            found.add(names - (outer[1] if outer is not None else frozenset()))
    if len(found) != 1:
        different = "the parts of one manual computation are manual along different axes"
        why = different if found else "nothing says along which axes it is manual"
        conversion.fail(part.first, gspmd_text(part.first) or "", why)
    (names,) = found
    return [axis.name for axis in mesh.axes if axis.name in names], mesh_name


def _sides(part: _ManualRegion) -> Iterator[tuple[Operation | None, Operation | None]]:
    """For each entry or exit, the operations with the sharding of the value inside, and outside."""
    for entry in part.entries:
        yield entry, entry.operands[0].defining_op
    for one in part.exits:
        yield one.operands[0].defining_op, one


def _placed_manual(conversion: Reading, op: Operation | None) -> tuple[str | None, frozenset[str]] | None:
    """The mesh and the manual axes in the sharding of ``op``; no mesh if all axes of any mesh are manual; None if it
    has no sharding."""
    text = gspmd_text(op) if op is not None else None
    if op is None or text is None:
        return None
    given = conversion.shardings[text]
    if given.kind == "manual":
        return None, frozenset()
    try:
        placed = conversion.meshes.placed(given)
    except BadSharding as error:
        conversion.fail(op, text, str(error))
    return placed.mesh_name, frozenset(placed.manual)


def _operands(conversion: Reading, part: _ManualRegion, mesh_name: str) -> tuple[list[Value], list[TensorSharding]]:
    operands, shardings = [], []
    for entry in part.entries:
        value = entry.operands[0]
        made = value.defining_op
        sharding: TensorSharding | None = None
        if made is not None and is_call_of(made, SHARDING_MARKER):
            sharding = conversion.constraint(made)
            value = made.operands[0]
        else:
            sharding = _argument_sharding(value)
        if sharding is None and value.type is not entry.results[0].type:
            conversion.fail(entry, gspmd_text(entry) or "", "nothing says how its operand is sharded")
        operands.append(value)
        shardings.append(sharding or fully_closed(placement.rank_of(value.type), mesh_name))
    return operands, shardings


def _argument_sharding(value: Value) -> TensorSharding | None:
    """The sharding that an argument has been given already."""
    if isinstance(value, BlockArgument):
        function = value.owner.parent_op
        if function is not None and function.name == "func.func":
            found = arguments_attributes(function, value.index).get(SHARDING)
            return found if isinstance(found, TensorSharding) else None
    return None


def _out_sharding(conversion: Reading, op: Operation, mesh_name: str) -> TensorSharding:
    found = conversion.constraint(op)
    return found or fully_closed(placement.rank_of(op.results[0].type), mesh_name)


def _check_order(conversion: Reading, op: Operation, sharding: TensorSharding, manual: Iterable[str]) -> None:
    names = set(manual)
    for dim in sharding.dims:
        kinds = [axis.name in names for axis in dim.axes]
        if sorted(kinds, reverse=True) != kinds:
            why = "a dimension is cut along free axes first and manual ones then, which has no counterpart"
            conversion.fail(op, gspmd_text(op) or "", why)


def _anchor(conversion: Reading, block: Block, part: _ManualRegion) -> Operation:
    """The operation before which the computation is inserted, after all its operands and before all its uses."""
    members = {*part.entries, *part.operations, *part.exits}
    last = next(op for op in reversed(block) if op in members)
    used = {user for one in part.exits for result in one.results for user, _ in result.uses}
    for op in block:
        if op is last:
            break
        if op not in members and any(nested in used for nested in op.walk()):
            why = "its result is used before the last operand of the same manual computation is there"
            conversion.fail(part.first, gspmd_text(part.first) or "", why)
    return last


def _check_closed(conversion: Reading, made: Operation) -> None:
    """Verifies that a manual computation uses no values from outside."""
    inside = _blocks_in(made)
    for op in made.walk():
        if op is not made and any(value.parent_block not in inside for value in op.operands):
            why = f"'{op.name}' works on one device's shards and on a value that has not come in by @{FULL_TO_SHARD}"
            conversion.fail(op, gspmd_text(op) or "{manual}", why)
