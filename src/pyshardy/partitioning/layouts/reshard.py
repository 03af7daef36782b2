"""Reshards tensors: emits the operations and collectives that bring a tensor into another layout.

``Resharder.reshard`` starts from the version of the tensor from which the reshard is cheapest, emits the actions of
``reshard_plan``, and keeps the result as another version, so that no tensor is gathered twice. ``mask`` overwrites
padding.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.emitting.builder import Builder, tensor_type
from pyshardy.emitting.collectives import Collectives
from pyshardy.emitting.coordinates import index_type, is_first, offset, own_shard
from pyshardy.emitting.devices import check_listed_devices, source_target_pairs
from pyshardy.emitting.layout import Layout, local_shape, replicated, shards_scales
from pyshardy.emitting.reducers import neutral_elements
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType, Type
from pyshardy.partitioning.layouts.reshard_actions import (
    AllGather,
    AllReduce,
    AllToAll,
    CollectivePermute,
    ReduceScatter,
    ReplicatedToUnreduced,
    ReshardAction,
    Resize,
    ShardedToUnreduced,
    TakeShard,
)
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.partitioning.layouts.reshard_plan import bytes_moved, reshard_plan
from pyshardy.sharding.mesh import Mesh


class CannotReshard(ValueError):
    """A reshard that no operations can carry out. The message says why, ``location`` where it was requested."""

    def __init__(self, message: str, location: int | Location | None) -> None:
        super().__init__(message)
        self.location = location


class CannotShardScales(CannotReshard):
    """A layout shards the dimension that has a scale for each place (``quantized_axis``)."""


def check_scales(type: Type, layout: Layout, location: int | Location | None) -> None:
    """Tests that values of ``type`` may be in ``layout``.

    Raises:
        CannotShardScales: they may not.
    """
    if shards_scales(type, layout):
        raise CannotShardScales(
            f"a value of type {type} cannot be sharded along the dimension that has a scale for each place", location
        )


def _shown(layout: Layout) -> str:
    return repr(layout).removeprefix("<Layout ").removesuffix(">")


def reshard_bytes(sharded: Sharded, layout: Layout) -> float:
    """The bytes that each device receives when ``sharded`` is resharded to ``layout``, without its other versions."""
    if sharded.recipe is not None:
        return 0.0
    moved = bytes_moved(sharded.type, sharded.layout, layout)
    if moved and sharded.rematerialize is not None and not layout.unreduced:
        return min(moved, sharded.rematerialize.bytes(layout))
    return moved


class Resharder:
    """Emits reshards through ``builder`` and ``collectives``: by the routes that move the fewest bytes, or by those
    that ``choice`` takes."""

    def __init__(self, builder: Builder, collectives: Collectives, choice: ReshardChoice | None = None) -> None:
        self._builder = builder
        self._collectives = collectives
        self._choice = choice

    def reshard(self, sharded: Sharded, layout: Layout) -> Sharded:
        """``sharded`` in ``layout``; the same object if it is in that layout already.

        Raises:
            CannotReshard: its type has a dynamic size, and it has neither a version in ``layout`` nor a recipe.
            CannotShardScales: it has a scale for each place of a dimension that ``layout`` shards.
        """
        if sharded.layout is layout or not isinstance(sharded.type, TensorType):
            return sharded
        check_scales(sharded.type, layout, self._builder.location)
        best = sharded
        if len(sharded.versions) > 1:
            visible = [one for one in sharded.versions if self._builder.sees(one.value)]
            for one in visible:
                if one.layout is layout:
                    return one
            best = min(visible, key=lambda one: reshard_bytes(one, layout), default=sharded)
        if sharded.recipe is not None:
            made = sharded.recipe(layout)
            sharded.versions.append(made)
            made.versions = sharded.versions
            return made
        if any(size < 0 for size in sharded.type.shape):
            raise CannotReshard(
                f"a tensor of type {sharded.type} cannot go from {_shown(best.layout)} to {_shown(layout)}, because "
                "the sizes of its shards are not known; give it a fixed shape, or the same sharding everywhere",
                self._builder.location,
            )
        if 0 in sharded.type.shape:
            # Collectives do not accept empty tensors, and there is nothing to move.
            nothing = self._builder.scalar(0, sharded.type.element)
            value = self._builder.broadcast(nothing, local_shape(sharded.type.shape, layout))
            return Sharded(value, sharded.type, layout, versions=sharded.versions)
        if sharded.rematerialize is not None and not layout.unreduced:
            moved, least = sharded.rematerialize.bytes(layout), bytes_moved(sharded.type, best.layout, layout)
            # A slice of a version that is there costs nothing, but keeps that version, which nobody else may need.
            if moved < least or not least:
                made = sharded.rematerialize(layout)
                return self._version(made, sharded)
        if self._choice is None:
            plan = reshard_plan(best.layout, layout, sharded.type.shape)
        else:
            plan = self._choice.plan(best.layout, layout, sharded.type)
        value = best.value
        self._collectives.resharded = sharded
        for mesh, action in plan.actions:
            value = _EMITTERS[type(action)](self, value, mesh, action)
        self._collectives.resharded = None
        return self._version(Sharded(value, sharded.type, layout), sharded)

    @staticmethod
    def _version(made: Sharded, of: Sharded) -> Sharded:
        """``made`` as another version of the tensor ``of``."""
        of.versions.append(made)
        made.versions, made.rematerialize = of.versions, of.rematerialize
        return made

    def replicate(self, sharded: Sharded) -> Sharded:
        """``sharded`` replicated on every device."""
        return self.reshard(sharded, replicated(sharded.layout.rank))

    def mask(self, sharded: Sharded, fill: DenseElementsAttr | Value, dims: list[int] | None = None) -> Sharded:
        """``sharded`` with its padding in ``dims`` (all, if not given) overwritten by ``fill``: the elements of a
        scalar, or a scalar value."""
        padded = [dim for dim in sharded.padded_dims() if dims is None or dim in dims]
        if not padded:
            return sharded
        key = (fill, tuple(padded))
        known = sharded.masked if sharded.masked is not None else {}
        found = known.get(key)
        if found is not None and self._builder.sees(found.value):
            return found
        builder = self._builder
        type = tensor_type(sharded.value)
        inside: Value | None = None
        for dim in padded:
            one = self.inside(sharded, dim)
            inside = one if inside is None else builder.binary("and", inside, one)
        assert inside is not None
        if isinstance(fill, Value):
            other = builder.broadcast(fill, type.shape)
        else:
            other = builder.splat_of(DenseElementsAttr(type, fill.data))
        masked = Sharded(builder.select(inside, sharded.value, other), sharded.type, sharded.layout)
        sharded.masked = {**known, key: masked}
        return masked

    def inside(self, sharded: Sharded, dim: int) -> Value:
        """Which elements of the local shape are no padding of dimension ``dim``: booleans."""
        builder, layout, shape = self._builder, sharded.layout, sharded.local_shape
        mesh, size = layout.mesh, sharded.shape[dim]
        assert mesh is not None

        def make() -> Value:
            element = index_type(size + shape[dim])
            begin = offset(builder, mesh, layout.dims[dim], shape[dim], element)
            count = builder.binary("subtract", builder.scalar(size, element), begin)
            places = builder.iota(TensorType((shape[dim],), element), 0)
            before = builder.compare(places, "LT", builder.broadcast(count, (shape[dim],)))
            return builder.broadcast(before, shape, (dim,))

        return builder.cached(("inside", mesh, layout.dims[dim], size, dim, shape), make)

    # --- actions ------------------------------------------------------------------------------------------------------

    def _resize(self, value: Value, mesh: Mesh, action: ReshardAction) -> Value:
        return self._builder.resize(value, action.shape)

    def _slice(self, value: Value, mesh: Mesh, action: ReshardAction) -> Value:
        assert isinstance(action, TakeShard)
        return own_shard(self._builder, value, mesh, action.axes, action.shape)

    def _gather(self, value: Value, mesh: Mesh, action: ReshardAction) -> Value:
        assert isinstance(action, AllGather)
        return self._collectives.all_gather(value, action.dim, mesh, action.axes)

    def _exchange(self, value: Value, mesh: Mesh, action: ReshardAction) -> Value:
        assert isinstance(action, AllToAll)
        return self._collectives.all_to_all(value, action.target, action.source, mesh, action.axes)

    def _permute(self, value: Value, mesh: Mesh, action: ReshardAction) -> Value:
        assert isinstance(action, CollectivePermute)
        source, target = action.source, action.target
        assert source.mesh is not None and target.mesh is not None
        check_listed_devices(source.mesh)
        axes = tuple(source.axes())
        pairs = source_target_pairs(source.mesh, axes, target.mesh, tuple(target.axes()))
        return self._collectives.collective_permute(value, pairs, axes)

    def _reduce(self, value: Value, mesh: Mesh, action: ReshardAction) -> Value:
        assert isinstance(action, AllReduce)
        return self._collectives.all_reduce(value, mesh, action.axes, action.reduction)

    def _scatter(self, value: Value, mesh: Mesh, action: ReshardAction) -> Value:
        assert isinstance(action, ReduceScatter)
        return self._collectives.reduce_scatter(value, action.dim, mesh, action.axes, action.reduction)

    def _replicated_to_unreduced(self, value: Value, mesh: Mesh, action: ReshardAction) -> Value:
        assert isinstance(action, ReplicatedToUnreduced)
        neutral = neutral_elements(action.reduction, tensor_type(value))
        assert neutral is not None
        first = is_first(self._builder, mesh, action.axes)
        return self._builder.select(first, value, self._builder.splat_of(neutral))

    def _sharded_to_unreduced(self, value: Value, mesh: Mesh, action: ReshardAction) -> Value:
        assert isinstance(action, ShardedToUnreduced)
        builder, type = self._builder, tensor_type(value)
        whole = type.with_shape(action.shape)
        neutral = neutral_elements(action.reduction, whole)
        assert neutral is not None
        element = index_type(max(action.shape))
        starts = [builder.scalar(0, element)] * type.rank
        starts[action.dim] = offset(builder, mesh, action.axes, type.shape[action.dim], element)
        return builder.dynamic_update_slice(builder.splat_of(neutral), value, starts)


_EMITTERS: dict[type[ReshardAction], Callable[[Resharder, Value, Mesh, ReshardAction], Value]] = {
    Resize: Resharder._resize,
    TakeShard: Resharder._slice,
    AllGather: Resharder._gather,
    AllToAll: Resharder._exchange,
    CollectivePermute: Resharder._permute,
    AllReduce: Resharder._reduce,
    ReduceScatter: Resharder._scatter,
    ReplicatedToUnreduced: Resharder._replicated_to_unreduced,
    ShardedToUnreduced: Resharder._sharded_to_unreduced,
}
