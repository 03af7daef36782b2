"""Reshards values that enter or leave regions and functions to the sharding on the other side of the boundary.

Data-flow operations, calls and returns have no sharding rules. Their operands need the sharding of the data-flow edge,
the callee's argument, or the function's result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyshardy.dialects.func import callee, function_type
from pyshardy.dialects.sdy.dataflow import block_argument_owners, data_flow, result_owners
from pyshardy.dialects.sdy.placement import (
    first_non_maximal_mesh_ref,
    function_argument_shardings,
    function_result_sharding,
    owner_shardings,
    rank_of,
    sharding_of,
)
from pyshardy.ir import rewriting
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.resharding.insertion import InsertionPoint, reshard
from pyshardy.resharding.unreduced import UnreducedAxes
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, equivalent, fully_closed


class Boundaries:
    """Reshards operands to the shardings on the other side of a boundary.

    With ``reshards``, wherever shardings differ; otherwise only where unreduced axes do, and at calls. Of the data-flow
    operations named in ``operands_kept_of`` only the results are looked at.
    """

    __slots__ = ("_functions", "_meshes", "_operands_kept_of", "_reshards", "_unreduced")

    def __init__(
        self,
        functions: Mapping[str, Operation],
        meshes: Mapping[str, Mesh],
        unreduced: UnreducedAxes,
        *,
        reshards: bool,
        operands_kept_of: Sequence[str] = (),
    ) -> None:
        self._functions = functions
        self._meshes = meshes
        self._unreduced = unreduced
        self._reshards = reshards
        self._operands_kept_of = operands_kept_of

    def data_flow(self, op: Operation) -> None:
        """Adapts all sources of the data-flow edges of ``op``: those of results first, then of block arguments."""
        flow = data_flow(op)
        assert flow is not None
        inside = () if op.name in self._operands_kept_of else block_argument_owners(op)
        for owner in (*result_owners(op), *inside):
            target = _owner_sharding(op, owner)
            for user, index in flow.source_uses(owner):
                self._adapt(user, index, flow.from_edge(owner, target) if target is not None else None)

    def branches(self, op: Operation) -> None:
        """Adapts the values that the branches of ``op`` return to the shardings of its results."""
        for region in op.regions:
            terminator = region.blocks[0].terminator
            for index, result in enumerate(op.results):
                self._adapt(terminator, index, sharding_of(result), place=InsertionPoint.before(terminator))

    def call(self, call: Operation) -> None:
        """Reshards the operands of ``call`` to the shardings of the callee's arguments."""
        targets = self._argument_shardings(call)
        for index, target in enumerate(targets):
            self._adapt(call, index, target, reshards=True)

    def function_return(self, func: Operation) -> None:
        """Adapts the values that ``func`` returns to its result shardings; a missing one means replicated."""
        terminator = func.body.terminator
        for index in range(len(function_type(func).results)):
            target = function_result_sharding(func, index)
            self._adapt(terminator, index, target, place=InsertionPoint.before(terminator))

    def _argument_shardings(self, call: Operation) -> list[TensorSharding]:
        func = self._functions.get(callee(call))
        wanted = function_argument_shardings(func, self._meshes) if func is not None else None
        if wanted is not None:
            return list(wanted)
        reference = first_non_maximal_mesh_ref(map(sharding_of, call.operands), self._meshes)
        if reference is None:
            return []
        return [fully_closed(rank_of(operand.type), reference) for operand in call.operands]

    def _adapt(
        self,
        op: Operation,
        index: int,
        target: TensorSharding | None,
        *,
        reshards: bool = False,
        place: InsertionPoint | None = None,
    ) -> None:
        """Reshards operand ``index`` of ``op`` to ``target``, at ``place``, or else after its definition."""
        source = sharding_of(op.operands[index])
        place = place or InsertionPoint.after_definition(op.operands[index])
        if source is not None:
            source = self._unreduced.reduce(op, index, source, target, place)
        source = self._unreduced.introduce(op, index, target, place) or source
        if not (reshards or self._reshards) or _alike(source, target):
            return
        if target is None:
            assert source is not None
            target = fully_closed(source.rank, source.mesh_or_ref)
        rewriting.set_operand(op, index, place.insert(reshard(op.operands[index], target, op)))


def _owner_sharding(op: Operation, owner: Value) -> TensorSharding | None:
    assert isinstance(owner, OpResult | BlockArgument)
    shardings = owner_shardings(op, "block_arg" if isinstance(owner, BlockArgument) else "result")
    return shardings[owner.index] if owner.index < len(shardings) else None


def _alike(source: TensorSharding | None, target: TensorSharding | None) -> bool:
    if source is None:
        return target is None or target.is_fully_replicated
    return equivalent(source, target)
