"""Data-flow edges: operations that pass values on unchanged, and which of these must be sharded alike.

An edge has one owner (the value that a ``sdy.data_flow_edge`` is attached to), sources that flow into it, and targets
that see it, the owner first. There is one ``DataFlow`` for each kind of operation, which the functions of this file
use.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.native_classes import mypyc_attr
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.plugins import claim
from pyshardy.sharding.lists import ManualAxes
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, with_free_axes, without_manual_axes

if TYPE_CHECKING:
    from pyshardy.ir.operation import Use

SHARDING = "sdy.sharding"
"""The discardable attribute that shards results of operations, and arguments and results of functions."""

EDGE = "sdy.data_flow_edge"


@mypyc_attr(allow_interpreted_subclasses=True)
class DataFlow:
    """How values flow through one kind of operation; this base has results as owners and nothing else.

    The shardings of the owners are read and written as lists in owner order; an empty list means there are none.
    """

    owners_stay_divisible = False
    """Whether propagation must keep every owner's dimensions divisible by their shardings."""

    def block_argument_owners(self, op: Operation) -> list[Value]:
        """The block arguments that own an edge."""
        return []

    def result_owners(self, op: Operation) -> list[Value]:
        """The results that own an edge."""
        return list(op.results)

    def source_uses(self, owner: Value) -> list[Use]:
        """The operands that flow into the edge of ``owner``, each as an operation and the operand's number."""
        raise NotImplementedError

    def sources(self, owner: Value) -> list[Value]:
        """The values that flow into the edge of ``owner``."""
        return [op.operands[index] for op, index in self.source_uses(owner)]

    def non_owner_targets(self, owner: Value) -> list[Value]:
        """The targets of the edge of ``owner`` besides itself."""
        return []

    def owner_of_target(self, target: Value) -> Value | None:
        """The owner of the edge that ``target`` (a result, or an argument of a block of the operation) belongs to."""
        return target

    def owner_of_source(self, op: Operation, index: int, *, by_terminator: bool) -> Value | None:
        """The value on which the edge is looked up when source number ``index`` of the operation (or of a terminator in
        its regions) has changed."""
        return op.results[index] if index < len(op.results) else None

    def block_argument_shardings(self, op: Operation) -> tuple[TensorSharding, ...]:
        """The shardings of the block-argument owners, as the operations of the region see them."""
        return ()

    def result_shardings(self, op: Operation) -> tuple[TensorSharding, ...]:
        """The shardings of the result owners."""
        return _entries(op.attributes, SHARDING)

    def set_block_argument_shardings(self, op: Operation, shardings: TensorShardingPerValue) -> None:
        """Stores the shardings of all block-argument owners."""

    def set_result_shardings(self, op: Operation, shardings: TensorShardingPerValue) -> None:
        """Stores the shardings of all result owners."""
        rewriting.set_attributes(op, op.attributes.with_(SHARDING, shardings))

    def from_edge(self, owner: Value, sharding: TensorSharding) -> TensorSharding:
        """The sharding with which the edge takes part in propagation, given the one that its operation holds."""
        return sharding

    def to_edge(self, owner: Value, sharding: TensorSharding) -> TensorSharding:
        """What the edge's operation holds, given the sharding that propagation made."""
        return sharding


def _entries(dictionary: DictionaryAttr, name: str) -> tuple[TensorSharding, ...]:
    found = dictionary.get(name)
    return found.shardings if isinstance(found, TensorShardingPerValue) else ()


def operation_of(value: Value) -> Operation:
    """The operation that ``value`` is a result of, or in whose region it is an argument."""
    op = value.owner.parent_op if isinstance(value, BlockArgument) else value.defining_op
    assert op is not None
    return op


def index_of(value: Value) -> int:
    """Which result of its operation, or argument of its block, ``value`` is."""
    assert isinstance(value, OpResult | BlockArgument)
    return value.index


class _While(DataFlow):
    def source_uses(self, owner: Value) -> list[Use]:
        op, index = operation_of(owner), index_of(owner)
        return [(op, index), (op.regions[1].blocks[0].terminator, index)]

    def non_owner_targets(self, owner: Value) -> list[Value]:
        op, index = operation_of(owner), index_of(owner)
        return [region.blocks[0].arguments[index] for region in op.regions]

    def owner_of_target(self, target: Value) -> Value | None:
        op, index = operation_of(target), index_of(target)
        return op.results[index] if index < len(op.results) else None


class _Case(DataFlow):
    def source_uses(self, owner: Value) -> list[Use]:
        op, index = operation_of(owner), index_of(owner)
        return [(region.blocks[0].terminator, index) for region in op.regions]


class _OptimizationBarrier(DataFlow):
    def source_uses(self, owner: Value) -> list[Use]:
        return [(operation_of(owner), index_of(owner))]


class _Computation(DataFlow):
    """Owners are the block arguments, fed by the operands, and the results, fed by the terminator."""

    def block_argument_owners(self, op: Operation) -> list[Value]:
        return list(op.body.arguments)

    def source_uses(self, owner: Value) -> list[Use]:
        op, index = operation_of(owner), index_of(owner)
        return [(op if isinstance(owner, BlockArgument) else op.body.terminator, index)]

    def owner_of_source(self, op: Operation, index: int, *, by_terminator: bool) -> Value | None:
        # Shardy looks an operand's edge up on the operand itself, not on the block argument, and so never finds it.
        if not by_terminator:
            return op.operands[index]
        return op.results[index] if index < len(op.results) else None

    def block_argument_shardings(self, op: Operation) -> tuple[TensorSharding, ...]:
        return _entries(op.properties, "in_shardings")

    def result_shardings(self, op: Operation) -> tuple[TensorSharding, ...]:
        return _entries(op.properties, "out_shardings")

    def set_block_argument_shardings(self, op: Operation, shardings: TensorShardingPerValue) -> None:
        rewriting.set_properties(op, op.properties.with_("in_shardings", shardings))

    def set_result_shardings(self, op: Operation, shardings: TensorShardingPerValue) -> None:
        rewriting.set_properties(op, op.properties.with_("out_shardings", shardings))


class _ManualComputation(_Computation):
    """Inside, the manual axes are not seen: a block argument's edge holds the sharding without them, a result's edge
    with them, and the other side of each edge is the opposite."""

    owners_stay_divisible = True

    def block_argument_shardings(self, op: Operation) -> tuple[TensorSharding, ...]:
        names = manual_axes(op)
        return tuple(without_manual_axes(one, names) for one in super().block_argument_shardings(op))

    def set_block_argument_shardings(self, op: Operation, shardings: TensorShardingPerValue) -> None:
        names = manual_axes(op)
        old = super().block_argument_shardings(op)
        new = [with_free_axes(outer, inner, names) for outer, inner in zip(old, shardings, strict=True)]
        super().set_block_argument_shardings(op, TensorShardingPerValue(new))

    def from_edge(self, owner: Value, sharding: TensorSharding) -> TensorSharding:
        if isinstance(owner, BlockArgument):
            return self._with_manual(owner, "in_shardings", sharding)
        return without_manual_axes(sharding, manual_axes(operation_of(owner)))

    def to_edge(self, owner: Value, sharding: TensorSharding) -> TensorSharding:
        if isinstance(owner, BlockArgument):
            return without_manual_axes(sharding, manual_axes(operation_of(owner)))
        return self._with_manual(owner, "out_shardings", sharding)

    @staticmethod
    def _with_manual(owner: Value, name: str, sharding: TensorSharding) -> TensorSharding:
        op = operation_of(owner)
        return with_free_axes(_entries(op.properties, name)[index_of(owner)], sharding, manual_axes(op))


_MODELS: dict[str, DataFlow] = {
    "sdy.manual_computation": _ManualComputation(),
    "sdy.named_computation": _Computation(),
    "stablehlo.case": _Case(),
    "stablehlo.optimization_barrier": _OptimizationBarrier(),
    "stablehlo.while": _While(),
}


def register_data_flow(name: str, model: DataFlow) -> None:
    """Declares how values flow through the operation ``name``. (The row of an operation of a foreign dialect may
    say it itself, as ``data_flow``.)"""
    claim("data flow", name)
    _MODELS[name] = model


def flow_of(name: str) -> DataFlow | None:
    """How values flow through operations called ``name``; None if they own no edges."""
    found = _MODELS.get(name)
    if found is None and foreign_rows():
        row = foreign_row(name)
        found = row.data_flow if row is not None else None
    return found


# --- questions --------------------------------------------------------------------------------------------------------


def data_flow(op: Operation) -> DataFlow | None:
    """How values flow through ``op``; None if it owns no edges."""
    return flow_of(op.name)


def is_data_flow(op: Operation) -> bool:
    """Whether ``op`` owns data-flow edges."""
    return flow_of(op.name) is not None


def have_data_flow(names: Iterable[str]) -> bool:
    """Whether operations with one of ``names`` own data-flow edges."""
    return any(flow_of(name) is not None for name in names)


def _model(op: Operation) -> DataFlow:
    model = flow_of(op.name)
    assert model is not None
    return model


def manual_axes(op: Operation) -> tuple[str, ...]:
    """The manual axes of a ``sdy.manual_computation``; none for any other operation."""
    found = op.properties.get("manual_axes")
    return found.names if isinstance(found, ManualAxes) else ()


def block_argument_owners(op: Operation) -> list[Value]:
    """The block arguments of the data-flow operation ``op`` that own an edge, in order."""
    return _model(op).block_argument_owners(op)


def result_owners(op: Operation) -> list[Value]:
    """The results of the data-flow operation ``op`` that own an edge, in order."""
    return _model(op).result_owners(op)


def edge_sources(owner: Value) -> list[Value]:
    """The values that flow into the edge of ``owner``: operands of its operation, operands of terminators."""
    return _model(operation_of(owner)).sources(owner)


def non_owner_targets(owner: Value) -> list[Value]:
    """The targets of the edge of ``owner`` besides itself: for a while, the arguments of its regions."""
    return _model(operation_of(owner)).non_owner_targets(owner)


def owner_of_target(target: Value) -> Value | None:
    """The owner of the edge that ``target`` sees; None if its operation owns no edges."""
    op = operation_of(target)
    model = flow_of(op.name)
    return model.owner_of_target(target) if model is not None else None


def edge_of(target: Value) -> Operation | None:
    """The ``sdy.data_flow_edge`` whose input owns the edge of ``target``; None if there is none."""
    model = flow_of(operation_of(target).name)
    return _edge_on(model.owner_of_target(target)) if model is not None else None


def edge_of_use(op: Operation, operand_index: int) -> Operation | None:
    """The ``sdy.data_flow_edge`` into which operand ``operand_index`` of ``op`` flows, as Shardy finds it; ``op`` is a
    data-flow operation or a terminator in one."""
    by_terminator = bool(op.traits & TERMINATOR)
    if not by_terminator and flow_of(op.name) is None:
        return None
    holder = op.parent_op if by_terminator else op
    model = flow_of(holder.name) if holder is not None else None
    if holder is None or model is None:
        return None
    return _edge_on(model.owner_of_source(holder, operand_index, by_terminator=by_terminator))


def _edge_on(owner: Value | None) -> Operation | None:
    if owner is None or not owner.has_one_use:
        return None
    user = next(owner.users)
    return user if user.name == EDGE else None


def from_edge(edge: Operation, sharding: TensorSharding) -> TensorSharding:
    """The sharding with which ``edge`` takes part in propagation, given the one it holds: what its sources see."""
    owner = edge.operands[0]
    return _model(operation_of(owner)).from_edge(owner, sharding)


def to_edge(edge: Operation, sharding: TensorSharding) -> TensorSharding:
    """What ``edge`` must hold, given the sharding that propagation made for it."""
    owner = edge.operands[0]
    return _model(operation_of(owner)).to_edge(owner, sharding)
