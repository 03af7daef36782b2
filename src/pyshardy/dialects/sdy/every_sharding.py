"""Visits or replaces every sharding of a program, wherever it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pyshardy.dialects.func import set_argument_attributes, set_result_attributes
from pyshardy.dialects.sdy.dataflow import SHARDING, DataFlow, data_flow
from pyshardy.dialects.sdy.placement import (
    FunctionResult,
    ShardingSlot,
    function_arguments_as_stored,
    function_results_as_stored,
    is_plain,
    owner_shardings,
    set_owner_shardings,
    store_sharding,
    stored_sharding,
)
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import EMPTY_DICTIONARY
from pyshardy.ir.operation import Operation
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue


def transform_shardings(operations: Iterable[Operation], function: Callable[[TensorSharding], TensorSharding]) -> bool:
    """Replaces every sharding of ``operations`` by ``function`` of it, one after the other: of a function's arguments
    and results, of a manual computation with its manual axes, of the owners of other data-flow operations, of results.
    Equal ones become equal: ``function`` is asked once for each.

    Returns:
        Whether any sharding became another one.
    """

    made: dict[TensorSharding, TensorSharding] = {}

    def new_sharding(sharding: TensorSharding, slot: ShardingSlot) -> TensorSharding:
        new = made.get(sharding)
        if new is None:
            new = made[sharding] = function(sharding)
        return new

    changed = False
    # Where shardings stand in the discardable attributes alone, equal attributes become equal ones.
    known = {EMPTY_DICTIONARY: EMPTY_DICTIONARY}
    plain: set[str] = set()
    """Names of operations that have no other place; whether they have depends on the name alone."""
    for op in operations:
        attributes = op.attributes
        new = known.get(attributes)
        if new is not None and op.name in plain:
            if new is not attributes:
                op.attributes = new
            continue
        if op.name not in _TRANSFORMS and is_plain(op):
            plain.add(op.name)
        properties = op.properties
        _transform_operation(op, new_sharding)
        if op.properties is not properties or op.attributes is not attributes:
            changed = True
        if op.name in plain:
            known[attributes] = op.attributes
    return changed


def visit_shardings(
    root: Operation,
    visitor: Callable[[TensorSharding, ShardingSlot], None],
    *,
    before: Callable[[Operation], None] | None = None,
) -> None:
    """Calls ``visitor`` with every sharding in ``root`` and what it belongs to, in the order of
    ``transform_shardings``; ``before`` is called with each operation before its own shardings."""

    def look(sharding: TensorSharding, slot: ShardingSlot) -> TensorSharding:
        visitor(sharding, slot)
        return sharding

    for op in root.walk():
        if before is not None:
            before(op)
        _transform_operation(op, look)


def visit_shardings_of(
    operations: Iterable[Operation], visitor: Callable[[TensorSharding, ShardingSlot], None]
) -> None:
    """Like ``visit_shardings`` for the shardings of ``operations`` alone, not of those in their regions."""

    def look(sharding: TensorSharding, slot: ShardingSlot) -> TensorSharding:
        visitor(sharding, slot)
        return sharding

    for op in operations:
        _transform_operation(op, look)


def may_hold_shardings(op: Operation) -> bool:
    """Whether there is any place with ``op`` where a sharding could stand now."""
    return bool(op.attributes.entries) or op.name in _TRANSFORMS or not is_plain(op)


_Transform = Callable[[TensorSharding, ShardingSlot], TensorSharding]


def _transform_operation(op: Operation, function: _Transform) -> None:
    if not op.attributes.entries and is_plain(op) and op.name not in _TRANSFORMS:
        return
    special = _TRANSFORMS.get(op.name)
    if special is not None:
        special(op, function)
    elif (flow := data_flow(op)) is not None:
        _transform_owners(op, flow, function)
    elif len(op.results) == 1:
        _transform_result(op, function)
    else:
        _transform_results(op, function)


def _transform_function(func: Operation, function: _Transform) -> None:
    arguments = func.body.arguments if func.regions[0].blocks else []
    changed: dict[int, Attribute | None] = {}
    for index, sharding in enumerate(function_arguments_as_stored(func)):
        if sharding is not None:
            new = function(sharding, arguments[index] if arguments else None)
            if new is not sharding:
                changed[index] = new
    if changed:
        set_argument_attributes(func, SHARDING, changed)
    changed = {}
    for index, sharding in enumerate(function_results_as_stored(func)):
        if sharding is not None:
            new = function(sharding, FunctionResult(func, index))
            if new is not sharding:
                changed[index] = new
    if changed:
        set_result_attributes(func, SHARDING, changed)


def _transform_manual_computation(op: Operation, function: _Transform) -> None:
    for name, values in (("in_shardings", op.body.arguments), ("out_shardings", op.results)):
        found = op.properties.get(name)
        if isinstance(found, TensorShardingPerValue):
            new = map(function, found, values)
            rewriting.set_properties(op, op.properties.with_(name, TensorShardingPerValue(new)))


def _transform_owners(op: Operation, flow: DataFlow, function: _Transform) -> None:
    inside = owner_shardings(op, "block_arg")
    set_owner_shardings(op, "block_arg", map(function, inside, flow.block_argument_owners(op)))
    set_owner_shardings(op, "result", map(function, owner_shardings(op, "result"), flow.result_owners(op)))


def _transform_result(op: Operation, function: _Transform) -> None:
    result = op.results[0]
    sharding = stored_sharding(result)
    if sharding is not None:
        new = function(sharding, result)
        if new is not sharding:
            store_sharding(result, new)


def _transform_results(op: Operation, function: _Transform) -> None:
    found = op.attributes.get(SHARDING)
    if isinstance(found, TensorShardingPerValue):
        slots: list[ShardingSlot] = [*op.results] or [None] * len(found)
        new = TensorShardingPerValue(map(function, found, slots))
        rewriting.set_attributes(op, op.attributes.with_(SHARDING, new))


def has_shardings_of_operations(operations: Iterable[Operation]) -> bool:
    """Whether ``operations``, all of a program that is not propagated yet, say where their results are to be."""
    return any(SHARDING in attributes for attributes in {op.attributes for op in operations})


_TRANSFORMS: dict[str, Callable[[Operation, _Transform], None]] = {
    "func.func": _transform_function,
    "sdy.manual_computation": _transform_manual_computation,
}
