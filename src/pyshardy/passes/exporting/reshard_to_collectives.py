"""The pass ``sdy-reshard-to-collectives``: every change of layout becomes the collectives that bring it about.

``resharding.collective_plan`` says which; this file reads shardings, puts the operations in place, and sees to axes
over which a value is still to be summed. In the export pipeline behind explicit reshards; the canonicalizer stands
behind it and joins neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyshardy.dialects.sdy.placement import (
    meshes,
    rank_of,
    resolve_mesh,
    sharding_before_barriers,
    sharding_of,
    value_before_barriers,
)
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.passes import Pass, option, register_pass
from pyshardy.ir.types import OtherShapedType, TensorType
from pyshardy.resharding.axis_alignment import Layout, behind, common_prefix
from pyshardy.resharding.collective_plan import collective_plan
from pyshardy.resharding.collective_steps import Step
from pyshardy.resharding.insertion import Place, all_reduce, replicated_to_unreduced, sharded_to_unreduced
from pyshardy.sharding.axes import AxisRef, difference, sort_and_merge
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, equivalent, fully_closed


def reshards_to_collectives(func: Operation, *, keep_redundant: bool = False) -> None:
    """Replaces the reshards in ``func`` by collectives, in the order of the text. Those that change to a mesh with
    other axes stay, and with ``keep_redundant`` those that change no dimension."""
    *_, module = func.ancestors()
    conversion = _Conversion(meshes(module))
    for op in [op for op in func.walk() if op.name == "sdy.reshard"]:
        if not (keep_redundant and _changes_nothing(op)):
            conversion.convert(op)


def _wanted(reshard: Operation) -> TensorSharding:
    found = reshard.properties.get("sharding")
    assert isinstance(found, TensorSharding)
    return found


def _changes_nothing(reshard: Operation) -> bool:
    source, target = sharding_before_barriers(reshard.operands[0]), _wanted(reshard)
    return equivalent(target, None) if source is None else equivalent(source, target)


class _Conversion:
    """Converts the reshards of one function; equal reshards are planned once."""

    def __init__(self, known_meshes: Mapping[str, Mesh]) -> None:
        self._meshes = known_meshes
        self._plans: dict[tuple[Mesh, Layout, Layout, tuple[int, ...], bool], tuple[Step, ...]] = {}

    def convert(self, op: Operation) -> None:
        target = _wanted(op)
        value = value_before_barriers(op.operands[0])
        source = sharding_of(value)
        if not self._is_convertible(op, source, target):
            return
        if source is None:
            source = fully_closed(target.rank, target.mesh_or_ref)
        elif target.is_fully_replicated:
            target = target.replace(mesh_or_ref=source.mesh_or_ref)
        if _reduces_alike(source, target):
            if source.is_fully_replicated and target.is_fully_replicated:
                rewriting.replace_op(op, op.operands)
                return
            value = self._relayout(op, value, source, target)
        else:
            value = self._with_unreduced(op, value, source, target)
        rewriting.replace_op(op, [value])

    def _mesh(self, sharding: TensorSharding) -> Mesh:
        mesh = resolve_mesh(sharding, self._meshes)
        assert mesh is not None
        return mesh

    def _is_convertible(self, op: Operation, source: TensorSharding | None, target: TensorSharding) -> bool:
        if source is None:
            # Only a slice may take a value without sharding; to make a replicated one unreduced there is no way.
            return rank_of(op.result.type) == target.rank and not (target.is_fully_replicated and target.unreduced)
        old, new = self._mesh(source), self._mesh(target)
        if source.rank != target.rank or (old.is_maximal and old is not new):
            return False
        return old.equals(new, ignore_device_ids=True) or (target.is_fully_replicated and not target.unreduced)

    # --- layouts ------------------------------------------------------------------------------------------------------

    def _relayout(self, op: Operation, value: Value, source: TensorSharding, target: TensorSharding) -> Value:
        """Inserts the collectives that lay ``value`` out as ``target``, before ``op``; returns the last one's result.

        Each of them has the unreduced axes of ``target``.
        """
        old, new = self._mesh(source), self._mesh(target)
        source_ref = source.mesh_or_ref
        # Two names of one mesh are no reason to permute.
        target_ref = target.mesh_or_ref if old is not new else source_ref
        key = (old, _layout(source), _layout(target), _shape(value), old is not new)
        steps = self._plans.get(key)
        if steps is None:
            steps = self._plans[key] = collective_plan(*key)
        for step in steps:
            mesh_ref = target_ref if step.on_target_mesh else source_ref
            dims = map(DimSharding, step.layout)
            out_sharding = TensorSharding(mesh_ref, dims, (), target.unreduced, target.reduction_op)
            value = _insert_step(op, value, step, out_sharding)
        return value

    # --- unreduced axes -----------------------------------------------------------------------------------------------

    def _with_unreduced(self, op: Operation, value: Value, source: TensorSharding, target: TensorSharding) -> Value:
        """Like ``_relayout``, but first sums over the axes that ``target`` does not leave unreduced, and in the end
        makes the value unreduced over the others."""
        mesh, place = self._mesh(source), Place.before(op)
        same = mesh is self._mesh(target) and source.reduction_op == target.reduction_op
        kept = difference(source.unreduced, difference(source.unreduced, target.unreduced, mesh), mesh) if same else []
        reduced = difference(source.unreduced, kept, mesh)
        if reduced:
            kind = source.reduction_op
            source = source.replace(unreduced=kept)
            value = place.insert(all_reduce(value, reduced, source, op, kind))
        added = difference(target.unreduced, kept, mesh)
        taken = [_taken(old.axes, new.axes, added, mesh) for old, new in zip(source.dims, target.dims, strict=True)]
        between = [
            DimSharding(old.axes) if axes else DimSharding(new.axes)
            for old, new, axes in zip(source.dims, target.dims, taken, strict=True)
        ]
        value = self._relayout(op, value, source, target.replace(dims=between, replicated=(), unreduced=kept))
        from_shards = [axis for axes in taken for axis in axes]
        from_replicas = difference(added, from_shards, mesh)
        now = sharding_of(value) or source
        if from_replicas:
            unreduced = sort_and_merge([*kept, *from_replicas], mesh)
            now = TensorSharding(now.mesh_or_ref, now.dims, (), unreduced, target.reduction_op)
            value = place.insert(replicated_to_unreduced(value, from_replicas, now, op))
        if from_shards:
            dims = [DimSharding(dim.axes) for dim in target.dims]
            now = TensorSharding(now.mesh_or_ref, dims, (), target.unreduced, target.reduction_op)
            value = place.insert(sharded_to_unreduced(value, taken, now, op))
        return value


def _reduces_alike(source: TensorSharding, target: TensorSharding) -> bool:
    if source.unreduced != target.unreduced:
        return False
    return not source.unreduced or source.reduction_op == target.reduction_op


def _taken(old: Sequence[AxisRef], new: Sequence[AxisRef], added: Sequence[AxisRef], mesh: Mesh) -> list[AxisRef]:
    """The axes behind ``new`` in ``old`` if all of them are to become unreduced ones."""
    prefix = common_prefix(old, new)
    rest = behind(old, prefix, mesh) if tuple(prefix) == tuple(new) else []
    return [] if difference(rest, added, mesh) else rest


def _layout(sharding: TensorSharding) -> Layout:
    return tuple(dim.axes for dim in sharding.dims)


def _shape(value: Value) -> tuple[int, ...]:
    return value.type.shape if isinstance(value.type, TensorType | OtherShapedType) else ()


def _insert_step(op: Operation, value: Value, step: Step, out_sharding: TensorSharding) -> Value:
    properties = {"out_sharding": out_sharding} | ({} if step.axes is None else dict([step.axes]))
    new = rewriting.create(step.name, [value], [op.result.type], DictionaryAttr(properties), location=op.location)
    rewriting.insert_before(op, new)
    return new.result


@register_pass(
    "sdy-reshard-to-collectives",
    on="func.func",
    class_name="ReshardToCollectivesPass",
    summary="Turns reshards into collectives.",
)
@dataclass(frozen=True)
class ReshardToCollectives(Pass):
    """Turns reshards into the collectives that bring the change of layout about."""

    keep_redundant_reshards: bool = option(False, "keep reshards that change no dimension")

    def apply(self, op: Operation, context: Context) -> None:
        reshards_to_collectives(op, keep_redundant=self.keep_redundant_reshards)
