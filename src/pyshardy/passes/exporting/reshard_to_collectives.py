"""The pass ``sdy-reshard-to-collectives``: converts each reshard to collectives.

``resharding.reshard_steps`` chooses them; this file reads shardings and creates the operations. The export pipeline
runs the pass after explicit reshards, and the canonicalizer after it, which merges adjacent collectives.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.dialects.sdy.placement import (
    meshes,
    rank_of,
    resolve_mesh,
    sharding_before_barriers,
    sharding_of,
    value_before_barriers,
)
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.change_log import structure_version
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, option, register_pass
from pyshardy.ir.types import shape_in_memory
from pyshardy.passes.options import CollectiveOptions
from pyshardy.resharding.insertion import REDUCTIONS, InsertionPoint, collective
from pyshardy.resharding.reshard_steps import ReshardStep, reshard_steps
from pyshardy.sharding.axes import sort_and_merge
from pyshardy.sharding.lists import AxisRefList
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, equivalent, fully_closed


def reshards_to_collectives(
    func: Operation, context: Context, *, keep_redundant: bool = False, strategy: str = "reference"
) -> bool:
    """Replaces the reshards in ``func`` by collectives, in the order of the text. Those that change to a mesh with
    other axes stay, and with ``keep_redundant`` those that change no dimension. ``strategy`` is one of
    ``resharding.options.RESHARD_STRATEGIES``.

    Returns:
        Whether there were any to replace.
    """
    *_, module = func.ancestors()
    conversion = _Conversion(meshes(module), strategy)
    # What stays is decided before anything changes: a reshard may read another one, which then leaves no sharding.
    reshards = [op for op in operation_index(func, context).named("sdy.reshard") if conversion.is_convertible(op)]
    before = structure_version()
    for op in [op for op in reshards if not (keep_redundant and _changes_nothing(op))]:
        conversion.convert(op)
    return structure_version() != before


def _wanted(reshard: Operation) -> TensorSharding:
    found = reshard.properties.get("sharding")
    assert isinstance(found, TensorSharding)
    return found


def _changes_nothing(reshard: Operation) -> bool:
    source, target = sharding_before_barriers(reshard.operands[0]), _wanted(reshard)
    return equivalent(target, None) if source is None else equivalent(source, target)


class _Conversion:
    """Converts the reshards of one function; equal reshards are planned once."""

    def __init__(self, known_meshes: Mapping[str, Mesh], strategy: str) -> None:
        self._meshes = known_meshes
        self._strategy = strategy
        self._plans: dict[tuple[TensorSharding, TensorSharding, tuple[int, ...]], tuple[ReshardStep, ...]] = {}

    def convert(self, op: Operation) -> None:
        target = _wanted(op)
        value = value_before_barriers(op.operands[0])
        source = sharding_of(value)
        if not self.is_convertible(op):
            return
        if source is None:
            source = fully_closed(target.rank, target.mesh_or_ref)
        elif target.is_fully_replicated and not target.unreduced:
            target = target.replace(mesh_or_ref=source.mesh_or_ref)
        if source.is_fully_replicated and target.is_fully_replicated and _reduces_alike(source, target):
            rewriting.replace_op(op, op.operands)
            return
        reduce = self._sum_before(op, source, target)
        if reduce is not None:
            # The sum may be cheaper later, or scattered.
            value, source = reduce.operands[0], _as_sum(reduce, source, self._mesh(source))
        for step in self._steps(source, target, shape_in_memory(value.type)):
            value = InsertionPoint.before(op).insert(
                collective(value, step.name, step.axes, step.out_sharding, op, step.reduction_op)
            )
        rewriting.replace_op(op, [value])
        if reduce is not None:
            rewriting.erase(reduce)

    def _sum_before(self, op: Operation, source: TensorSharding, target: TensorSharding) -> Operation | None:
        """The all-reduce whose result only ``op`` reads, if the search for the cheapest way may begin before it."""
        reduce = op.operands[0].defining_op
        if self._strategy != "optimal" or reduce is None or reduce.name != "sdy.all_reduce":
            return None
        alone = op.operands[0].has_one_use and not source.unreduced and not target.unreduced
        return reduce if alone and self._mesh(source) is self._mesh(target) else None

    def _steps(self, source: TensorSharding, target: TensorSharding, shape: tuple[int, ...]) -> tuple[ReshardStep, ...]:
        key = (source, target, shape)
        steps = self._plans.get(key)
        if steps is None:
            old, new = self._mesh(source), self._mesh(target)
            steps = reshard_steps(source, target, old, shape, target_mesh=new, strategy=self._strategy)
            self._plans[key] = steps
        return steps

    def _mesh(self, sharding: TensorSharding) -> Mesh:
        mesh = resolve_mesh(sharding, self._meshes)
        assert mesh is not None
        return mesh

    def is_convertible(self, op: Operation) -> bool:
        """Whether collectives can do what ``op`` does: not if it goes to a mesh with other axes, or to one device."""
        source, target = sharding_before_barriers(op.operands[0]), _wanted(op)
        if source is None:
            # Only a slice may take a value without sharding; to make a replicated one unreduced there is no way.
            return rank_of(op.result.type) == target.rank and not (target.is_fully_replicated and target.unreduced)
        old, new = self._mesh(source), self._mesh(target)
        if source.rank != target.rank or (old.is_maximal and old is not new):
            return False
        if old is not new and source.is_fully_replicated and target.is_fully_replicated and target.unreduced:
            # Nothing moves that could take the value to the other mesh.
            return False
        return old.equals(new, ignore_device_ids=True) or (target.is_fully_replicated and not target.unreduced)


def _as_sum(reduce: Operation, sharding: TensorSharding, mesh: Mesh) -> TensorSharding:
    """The sharding of the operand of ``reduce``, whose result has ``sharding``, as the sum that it is."""
    axes, kind = reduce.properties.get("reduction_axes"), reduce.properties.get("reduction_op")
    assert isinstance(axes, AxisRefList)
    number = kind.value if isinstance(kind, IntegerAttr) else 0
    unreduced = sort_and_merge(axes, mesh)
    return TensorSharding(sharding.mesh_or_ref, sharding.dims, sharding.replicated, unreduced, REDUCTIONS[number])


def _reduces_alike(source: TensorSharding, target: TensorSharding) -> bool:
    if source.unreduced != target.unreduced:
        return False
    return not source.unreduced or source.reduction_op == target.reduction_op


@register_pass("sdy-reshard-to-collectives", on="func.func", notes_changes=True)
class ReshardToCollectives(CollectiveOptions, Pass):
    """Turns reshards into collectives. Those of one reshard bring about its change of layout."""

    keep_redundant_reshards: bool = option(False, "keep reshards that change no dimension")

    def apply(self, op: Operation, context: Context) -> bool:
        keeps = self.keep_redundant_reshards
        return reshards_to_collectives(op, context, keep_redundant=keeps, strategy=self.reshard_strategy)
