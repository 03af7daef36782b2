"""Pads and slices along sharded dimensions by halo exchange: each device receives the neighbouring shards that its part
of the result needs.

Which shards these are follows from sizes alone (``Need``). A neighbour that does not exist counts as padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pyshardy.dialects.sdy.placement import resolve_mesh, sharding_of
from pyshardy.emitting.builder import tensor_type
from pyshardy.ir import rewriting
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I64
from pyshardy.passes.partitioning.emitter import Emitter
from pyshardy.passes.partitioning.permutation.manual_body import ManualBody
from pyshardy.passes.partitioning.shard_sizes import rounded_up, shard_counts
from pyshardy.rules.properties import integers
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding


class Need(NamedTuple):
    """Which shards of the operand the shards of a result need: how many to the left and to the right of their own at
    most, and whether any at all but their own."""

    any: bool
    left: int
    right: int

    def fits(self, shards: int) -> bool:
        """Whether an exchange moves less than a gather."""
        return not (self.left + self.right + 1 >= shards and (self.left > 1 or self.right > 1))


def need(shards: int, size: int, low: int, dilation: int, result: int) -> Need:
    """The shards needed along a dimension of ``size`` elements that becomes one of ``result`` elements: by a pad with
    ``low`` at the beginning and ``dilation`` - 1 between elements, or by a slice, for which ``low`` is negative."""
    before, after = -(-size // shards), -(-result // shards)
    found, left, right = False, 0, 0
    for shard in range(shards):
        start = shard * after - low
        start = -(-start // dilation) if start < 0 else start // dilation
        first, last = max(0, start), min(size - 1, start + after - 1)
        source, end = (first // before, last // before) if first <= last else (-1, -1)
        found = found or source != shard or end != shard
        if 0 <= source < shard:
            left = max(left, shard - source)
        if end > shard:
            right = max(right, end - shard)
    return Need(found, left, right)


class _Window(NamedTuple):
    """How a dimension of the result is made from that of the operand: as in ``need``."""

    low: int
    interior: int


def exchange(op: Operation, emit: Emitter, known_meshes: dict[str, Mesh]) -> bool:
    """Replaces a pad or slice along sharded dimensions by a halo exchange. Returns False if that is impossible, or
    moves no less than a gather; True also if there is nothing to do."""
    operand, result = op.operands[0], op.results[0]
    sharding = sharding_of(operand)
    mesh = resolve_mesh(sharding, known_meshes) if sharding is not None else None
    if sharding is None or mesh is None or mesh.is_maximal:
        return False
    wanted = sharding_of(result)
    if wanted is None or [dim.axes for dim in wanted.dims] != [dim.axes for dim in sharding.dims]:
        return False
    if op.name == "stablehlo.slice" and any(stride != 1 for stride in integers(op, "strides")):
        return False
    sizes, targets = tensor_type(operand).shape, tensor_type(result).shape
    if min((*sizes, *targets), default=0) < 0:
        return False
    windows = _windows(op)
    counts = shard_counts(sharding, mesh, len(sizes))
    needs: dict[int, Need] = {}
    for dim, count in enumerate(counts):
        if count > 1:
            low, interior = windows[dim]
            found = need(count, sizes[dim], low, interior + 1, targets[dim])
            if found.any:
                needs[dim] = found
    if not needs and _keeps_devices(op, counts, windows):
        return True
    if not all(one.fits(counts[dim]) for dim, one in needs.items()):
        return False
    _Exchange(op, emit, sharding, mesh, counts, windows).run(needs)
    return True


def _keeps_devices(op: Operation, counts: tuple[int, ...], windows: list[_Window]) -> bool:
    """Whether an operation that needs no shards of other devices can stay as it is. A slice along a sharded dimension
    must begin at 0."""
    return op.name != "stablehlo.slice" or not any(
        window.low for window, count in zip(windows, counts, strict=True) if count > 1
    )


def _windows(op: Operation) -> list[_Window]:
    if op.name == "stablehlo.slice":
        return [_Window(-start, 0) for start in integers(op, "start_indices")]
    return list(map(_Window, integers(op, "edge_padding_low"), integers(op, "interior_padding")))


class _Exchange:
    """The halo exchange for one operation."""

    def __init__(
        self,
        op: Operation,
        emit: Emitter,
        sharding: TensorSharding,
        mesh: Mesh,
        counts: tuple[int, ...],
        windows: list[_Window],
    ) -> None:
        self.op = op
        self.builder = emit
        self.sharding = sharding
        self.mesh = mesh
        self.counts = counts
        self.windows = windows

    def run(self, needs: dict[int, Need]) -> None:
        """Replaces the operation by a manual computation, in which each device receives shards from its neighbours
        along the dimensions ``needs``, and cuts its part out of them."""
        op, emit, sharding = self.op, self.builder, self.sharding
        operand, result = op.operands[0], op.results[0]
        emit.at(op)
        type, target = tensor_type(operand), tensor_type(result)
        fill = op.operands[1] if op.name == "stablehlo.pad" else emit.scalar(0, type.element)
        padded = self._rounded(type.shape)
        value = (
            operand
            if tuple(padded) == type.shape
            else emit.with_sharding(sharding).padded_behind(operand, fill, padded)
        )
        names = {axis.name for dim, axes in enumerate(sharding.dims) if self.counts[dim] > 1 for axis in axes.axes}
        manual = [axis.name for axis in self.mesh.axes if axis.name in names]
        scalar = TensorSharding(sharding.mesh_or_ref, ())
        body = ManualBody(emit, (value, fill), (sharding, scalar), manual)
        local = body.argument(type.with_shape(self._divided(padded)))
        inner_fill = body.argument(tensor_type(fill))
        for dim, count in enumerate(self.counts):
            if count > 1 and (dim in needs or self._changes(dim, type.shape[dim], target.shape[dim])):
                one = needs.get(dim, Need(any=False, left=0, right=0))
                local = self._along(body, local, inner_fill, dim, one, target.shape[dim])
        local = self._unsharded(body, local, inner_fill)
        whole = target.with_shape(self._rounded(target.shape))
        made: Value = body.finish(local, whole).results[0]
        if whole is not target:
            closed = [DimSharding(dim.axes) for dim in sharding.dims]
            made = emit.with_sharding(TensorSharding(sharding.mesh_or_ref, closed)).cut(made, target.shape)
        rewriting.replace_op(op, [made])

    def _changes(self, dim: int, size: int, result: int) -> bool:
        """Whether each device's part of a dimension changes, even if it needs no data of other devices."""
        return self.windows[dim] != (0, 0) or -(-size // self.counts[dim]) != -(-result // self.counts[dim])

    def _rounded(self, shape: Sequence[int]) -> list[int]:
        return list(map(rounded_up, shape, self.counts))

    def _divided(self, shape: Sequence[int]) -> list[int]:
        return [size // count for size, count in zip(shape, self.counts, strict=True)]

    def _along(self, body: ManualBody, local: Value, fill: Value, dim: int, one: Need, result: int) -> Value:
        """The running device's part of dimension ``dim`` of the result."""
        count, (low, interior) = self.counts[dim], self.windows[dim]
        axes, dilation = self.sharding.dims[dim].axes, interior + 1
        size, window = tensor_type(local).shape[dim], -(-result // count)
        hops = [*range(one.left, 0, -1), 0, *range(-1, -one.right - 1, -1)]
        parts = []
        for hop in hops:
            part = body.permute(local, self.mesh, axes, hop, lambda: local)
            parts.append(self._or_fill(body, part, fill, dim, hop))
        joined = body.with_sharding.concatenate(parts, dim)
        slack = window * dilation
        joined = body.with_sharding.pad_dim(joined, fill, dim, slack, slack, interior)
        emit = body.builder
        index = self._shard_index(emit, dim)
        scale, offset = window - size * dilation, one.left * size * dilation + slack - low
        start = emit.binary("add", emit.binary("multiply", index, emit.scalar(scale, I64)), emit.scalar(offset, I64))
        zero = emit.scalar(0, I64)
        start = emit.binary("maximum", start, zero)
        starts, sizes = [zero] * len(self.counts), list(tensor_type(joined).shape)
        starts[dim], sizes[dim] = start, window
        return body.with_sharding.dynamic_slice(joined, starts, sizes)

    def _or_fill(self, body: ManualBody, part: Value, fill: Value, dim: int, hop: int) -> Value:
        """``part``, replaced by padding where it would come from beyond the ends; a permute leaves zeros there."""
        made = self.op.operands[1].defining_op if self.op.name == "stablehlo.pad" else None
        value = made.properties.get("value") if made is not None else None
        if not hop or self.op.name == "stablehlo.slice":
            return part
        if isinstance(value, DenseElementsAttr) and not any(value.data):
            return part
        emit = body.builder
        index = self._shard_index(emit, dim)
        bound = emit.scalar(hop if hop > 0 else self.counts[dim] + hop, I64)
        exists = emit.compare(index, "GE" if hop > 0 else "LT", bound)
        return body.with_sharding.select(exists, part, body.with_sharding.filled(fill, tensor_type(part)))

    def _shard_index(self, emit: Emitter, dim: int) -> Value:
        axes = self.sharding.dims[dim].axes
        if self.mesh.device_ids:
            return emit.affine(self.mesh, axes, 1)
        return emit.shard_index_of(emit.device_id(), self.mesh, axes)

    def _unsharded(self, body: ManualBody, value: Value, fill: Value) -> Value:
        """Applies the operation to dimensions that are not sharded."""
        op = self.op
        free = [dim for dim, count in enumerate(self.counts) if count == 1]
        type, target = tensor_type(value), tensor_type(op.results[0])
        shape = [target.shape[dim] if dim in free else size for dim, size in enumerate(type.shape)]
        if op.name == "stablehlo.slice":
            starts = [start if dim in free else 0 for dim, start in enumerate(integers(op, "start_indices"))]
            if tuple(shape) == type.shape and not any(starts):
                return value
            return body.with_sharding.slice(
                value, starts, [start + size for start, size in zip(starts, shape, strict=True)]
            )
        names = ("edge_padding_low", "edge_padding_high", "interior_padding")
        paddings = [[size if dim in free else 0 for dim, size in enumerate(integers(op, name))] for name in names]
        return body.with_sharding.pad(value, fill, *paddings) if any(map(any, paddings)) else value
