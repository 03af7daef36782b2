"""The summary of a plan: memory of one device, collectives by kind and axes, the operations that need them, padding.

It is made from ``partitioning.plan.Plan``; ``plan_tables`` prints it, ``as_json`` returns the documented JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyshardy.analysis.displaced_batch import DisplacedBatch, displaced_batches
from pyshardy.emitting.collectives import Collective, numbers_of_collectives
from pyshardy.ir.context import Context
from pyshardy.ir.json_fields import fields_as_json
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.source_location import NOWHERE, SourceLocation, source_location
from pyshardy.ir.types import TensorType, tensor_shape
from pyshardy.partitioning.account.liveness import LiveTensor
from pyshardy.partitioning.account.memory_model import type_bytes
from pyshardy.partitioning.plan import Plan
from pyshardy.reading.call_sites import CallSites
from pyshardy.reading.names import argument_symbol, result_symbol
from pyshardy.reading.tensor_names import TensorNames
from pyshardy.report.boundary_row import BoundaryRow
from pyshardy.report.traffic import Traffic, traffic
from pyshardy.report.words import short_name
from pyshardy.sharding.axes import axes_text

if TYPE_CHECKING:
    from pyshardy.partitioning.boundary import Boundary

_LARGEST = 10
_MOST_NAMED = 200
"""The number of values at the peak of memory that are named; the others are small."""


@dataclass(frozen=True)
class Cause:
    """The cause of collectives of one kind along the same axes: an operation of the program, its location, and the
    tensor that moves, by name if it has one. ``numbers`` are those of the collectives among all of their kind, as
    ``explain`` takes them (``all_gather:5``)."""

    kind: str
    axes: str
    operation: str
    location: SourceLocation
    tensor: str
    numbers: tuple[int, ...]
    traffic: Traffic

    def as_json(self) -> dict[str, object]:
        """The cause as plain values."""
        return fields_as_json(self, spread=("location", "traffic"))


@dataclass(frozen=True)
class CollectiveRow:
    """All collectives of one kind along the same axes, and their causes, the most bytes first."""

    kind: str
    axes: str
    group_size: int
    traffic: Traffic
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class LiveRow:
    """A tensor of the local program that is live at the peak of memory: its name, or that of the operation that makes
    it, its local shape."""

    name: str
    operation: str
    location: SourceLocation
    type: str
    shape: tuple[int, ...]
    bytes: int

    def as_json(self) -> dict[str, object]:
        """The tensor as plain values."""
        return fields_as_json(self, spread=("location",))


@dataclass(frozen=True)
class BatchRow:
    """A tensor that has ``axis`` along a dimension of a weight instead of along the batch, the first such tensor of the
    program; ``run_bytes`` are those that a device receives for such tensors, ``share`` the fraction of all bytes."""

    axis: str
    tensor: str
    type: str
    operation: str
    location: SourceLocation
    dimension: int
    batch_dimension: int
    weight: str
    run_bytes: float
    share: float

    def as_json(self) -> dict[str, object]:
        """The row as plain values."""
        return fields_as_json(self, spread=("location",))


@dataclass(frozen=True)
class PlanSummary:
    """The costs of a plan on one device. Bytes of padding are those of arguments and results; ``largest`` are the
    largest tensors at the peak of memory; ``displaced``, which is printed first, are tensors in which weights have an
    axis of the batch."""

    form: str
    mesh: str | None
    devices: int
    argument_bytes: int
    result_bytes: int
    peak_bytes: int
    largest: tuple[LiveRow, ...]
    argument_padding: int
    result_padding: int
    arguments: tuple[BoundaryRow, ...]
    results: tuple[BoundaryRow, ...]
    collectives: tuple[CollectiveRow, ...]
    traffic: Traffic
    operations: int
    seconds: float
    displaced: tuple[BatchRow, ...]
    chosen_by: str = "bytes"

    @property
    def bytes_moved(self) -> float:
        """The bytes that each device receives in all collectives, those in loops once."""
        return self.traffic.bytes

    def __repr__(self) -> str:
        return (
            f"<PlanSummary: {self.form} program for {self.devices} devices, {self.traffic.count} collectives, "
            f"{round(self.bytes_moved)} bytes moved, peak {self.peak_bytes} bytes>"
        )

    def as_json(self) -> dict[str, object]:
        """The summary as plain values; docs/json.md describes the schema."""
        return {
            "form": self.form,
            "mesh": self.mesh,
            "devices": self.devices,
            "memory": {
                "arguments": self.argument_bytes,
                "results": self.result_bytes,
                "peak": self.peak_bytes,
                "largest": [one.as_json() for one in self.largest[:_LARGEST]],
            },
            "padding": {"arguments": self.argument_padding, "results": self.result_padding},
            "arguments": [one.as_json() for one in self.arguments],
            "results": [one.as_json() for one in self.results],
            "collectives": [
                {"kind": one.kind, "axes": one.axes, "group_size": one.group_size, **one.traffic.as_json()}
                for one in self.collectives
            ],
            "causes": [cause.as_json() for one in self.collectives for cause in one.causes],
            "bytes_moved": self.bytes_moved,
            "bytes_moved_in_a_run": self.traffic.run_bytes,
            "operations": self.operations,
            "seconds": self.seconds,
            "chosen_by": self.chosen_by,
            "displaced": [one.as_json() for one in self.displaced],
        }


def summarize_plan(plan: Plan) -> PlanSummary:
    """The summary of ``plan``."""
    names = plan.names.boundary
    return PlanSummary(
        plan.form,
        plan.mesh_name,
        plan.devices,
        plan.memory.arguments,
        plan.memory.results,
        plan.memory.peak,
        _largest(plan),
        sum(one.padding for one in plan.arguments),
        sum(one.padding for one in plan.results),
        tuple(
            _boundary(name, argument_symbol(index), one)
            for index, (name, one) in enumerate(zip(names.arguments, plan.arguments, strict=True))
        ),
        tuple(
            _boundary(name, result_symbol(index), one)
            for index, (name, one) in enumerate(zip(names.results, plan.results, strict=True))
        ),
        _collective_rows(plan),
        traffic(plan.collectives),
        sum(1 for _ in plan.module.op.walk()),
        plan.seconds,
        displaced_rows(plan, displaced_batches(plan)),
        plan.chosen_by,
    )


def displaced_rows(plan: Plan, found: Sequence[DisplacedBatch]) -> tuple[BatchRow, ...]:
    """The rows for ``found`` in ``plan``, with names and locations."""
    sites = CallSites(plan.correspondence.module.op, plan.module.context) if found else None
    rows = []
    for one in found:
        made = one.tensor.defining_op
        rows.append(
            BatchRow(
                one.axis,
                plan.names.name(one.tensor),
                str(one.tensor.type),
                made.name if made is not None else "",
                sites.location(made) if sites is not None else NOWHERE,
                one.dimension,
                one.batch_dimension,
                plan.names.name(one.weight),
                one.bytes,
                one.bytes / one.all_bytes,
            )
        )
    return tuple(rows)


def _boundary(name: str, symbol: str, boundary: Boundary) -> BoundaryRow:
    layout = repr(boundary.layout).removeprefix("<Layout ").removesuffix(">")
    whole = type_bytes(boundary.type)
    type, on_device = boundary.type, boundary.local_shape
    if not isinstance(type, TensorType):
        return BoundaryRow(name, symbol, str(type), layout, (), on_device, whole, whole)
    local = type_bytes(type.with_shape(on_device))
    return BoundaryRow(name, symbol, str(type), layout, type.shape, on_device, whole, local)


# --- collectives and their causes -------------------------------------------------------------------------------------


def _collective_rows(plan: Plan) -> tuple[CollectiveRow, ...]:
    groups: dict[tuple[str, str, int], list[Collective]] = {}
    for one in plan.collectives:
        axes = axes_text(one.axes) if one.axes else "the program's own"
        groups.setdefault((one.kind, axes, one.group_size), []).append(one)
    numbers = numbers_of_collectives(plan.collectives)
    rows = [
        CollectiveRow(*key, traffic(found), _causes(plan, *key[:2], found, numbers)) for key, found in groups.items()
    ]
    return tuple(sorted(rows, key=lambda row: -row.traffic.bytes))


def _causes(
    plan: Plan, kind: str, axes: str, collectives: list[Collective], numbers: Mapping[Collective, int]
) -> tuple[Cause, ...]:
    """The causes of ``collectives``: those of one operation for one tensor have one cause."""
    sites = CallSites(plan.correspondence.module.op, plan.module.context)
    groups: dict[tuple[Operation | None, str], list[Collective]] = {}
    for one in collectives:
        groups.setdefault((one.cause, _moved(plan.names, one)), []).append(one)
    found = [
        Cause(
            kind,
            axes,
            op.name if op is not None else "",
            sites.location(op),
            tensor,
            tuple([numbers[one] for one in of_it]),
            traffic(of_it),
        )
        for (op, tensor), of_it in groups.items()
    ]
    return tuple(sorted(found, key=lambda one: -one.traffic.bytes))


def _moved(names: TensorNames, collective: Collective) -> str:
    """The tensor that goes through the collective: its name, or the operation that makes it."""
    tensor = collective.tensor
    if tensor is None:
        return ""
    named = names.name(tensor)
    if named:
        return named
    if tensor.defining_op is collective.cause:
        return "its result"
    made = names.maker(tensor)
    return _argument(tensor) if made is None else f"result of {short_name(made.name)}"


def _argument(tensor: Value) -> str:
    """A text for an argument of a function that is called several times."""
    function = tensor.parent_block.parent_op if tensor.parent_block is not None else None
    if not isinstance(tensor, BlockArgument) or function is None or function.name != "func.func":
        return ""
    return f"argument {tensor.index} of @{function.symbol_name}"


def _location(op: Operation | None, context: Context) -> SourceLocation:
    return NOWHERE if op is None else source_location(op.location, context)


# --- the peak of memory -----------------------------------------------------------------------------------------------


def _largest(plan: Plan) -> tuple[LiveRow, ...]:
    """The largest tensors at the peak."""
    entry = next(op for op in plan.local.op.body if op.symbol_name == plan.entry)
    names = TensorNames(plan.local.op, entry)
    return tuple(_live(one, names, plan.module.context) for one in plan.memory.live_at_peak[:_MOST_NAMED])


def _live(one: LiveTensor, names: TensorNames, context: Context) -> LiveRow:
    type, made = one.value.type, one.value.defining_op
    operation = made.name if made is not None else ""
    return LiveRow(names.name(one.value), operation, _location(made, context), str(type), tensor_shape(type), one.bytes)
