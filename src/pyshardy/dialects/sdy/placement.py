"""Where the sharding of a value stands in a program, and how it is read and written.

The attribute is the truth: on an operation's results, on a function's argument, in the property of a constraint, on a
data-flow edge. Passes and propagation ask here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

from pyshardy.dialects.func import (
    all_argument_attributes,
    all_result_attributes,
    arguments_attributes,
    function_type,
    result_attributes,
    set_argument_attribute,
    set_argument_attributes,
    set_result_attribute,
    set_result_attributes,
)
from pyshardy.dialects.sdy.dataflow import SHARDING, DataFlow, data_flow, edge_of, index_of, is_data_flow
from pyshardy.dialects.sdy.names import COLLECTIVES
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.symbol_tables import symbols_kept_of
from pyshardy.ir.types import OtherShapedType, TensorType, Type
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, fully_open

Side = Literal["block_arg", "result"]


class FunctionResult(NamedTuple):
    """Result ``number`` of the function ``func``: it has a sharding of its own, besides that of the value returned."""

    func: Operation
    number: int


ShardingSlot = Value | FunctionResult | None
"""What a sharding belongs to; None for the one of an operation without results."""


def rank_of(type: Type) -> int:
    """The number of dimensions that a sharding of ``type`` has."""
    return len(type.shape) if isinstance(type, TensorType | OtherShapedType) else 0


# --- one value --------------------------------------------------------------------------------------------------------


def shardable_value(value: Value) -> Value | None:
    """The value that holds the sharding of ``value``; None for what is never sharded (arguments of most regions)."""
    if isinstance(value, OpResult):
        if data_flow(value.owner) is None:
            return value
        edge = edge_of(value)
        return value if edge is None else edge.results[0]
    assert isinstance(value, BlockArgument)
    op = value.owner.parent_op
    if op is None:
        return None
    flow = data_flow(op)
    if flow is not None:
        edge = edge_of(value)
        return flow.owner_of_target(value) if edge is None else edge.results[0]
    place = _ARGUMENT_PLACES.get(op.name)
    return place(value, op) if place is not None else None


_ARGUMENT_PLACES: dict[str, Callable[[BlockArgument, Operation], Value | None]] = {
    "func.func": lambda argument, op: argument,
    "stablehlo.async_start": lambda argument, op: op.operands[argument.index],
}


def is_plain(op: Operation) -> bool:
    """Whether the shardings of the results of ``op`` stand in its attribute ``sdy.sharding`` and nowhere else."""
    return op.name not in _STORAGES and not is_data_flow(op)


def sharding_of(value: Value) -> TensorSharding | None:
    """The sharding of ``value``, None if it has none."""
    if isinstance(value, OpResult) and is_plain(value.owner):
        return _read_result(value.owner, value)
    place = shardable_value(value)
    return stored_sharding(place) if place is not None else None


def stored_sharding(place: Value) -> TensorSharding | None:
    """The sharding that stands at ``place``, a value that is its own ``shardable_value``."""
    op = place.owner.parent_op if isinstance(place, BlockArgument) else place.defining_op
    assert op is not None
    return _storage(op).read(op, place)


def store_sharding(place: Value, sharding: TensorSharding) -> None:
    """Writes the sharding that stands at ``place``, a value that is its own ``shardable_value``."""
    op = place.owner.parent_op if isinstance(place, BlockArgument) else place.defining_op
    assert op is not None
    _storage(op).write(op, place, sharding)


def out_sharding(op: Operation) -> TensorSharding:
    """The sharding that the collective ``op``, which is legal, gives its result."""
    found = op.properties.get("out_sharding")
    assert isinstance(found, TensorSharding)
    return found


def set_sharding(value: Value, sharding: TensorSharding) -> None:
    """Shards ``value``. If it is the first of its operation to be sharded, the other results (or block arguments)
    become fully open on the same mesh. A value that is never sharded is left alone."""
    place = shardable_value(value)
    if place is not None:
        store_sharding(place, sharding)


class _Storage(NamedTuple):
    read: Callable[[Operation, Value], TensorSharding | None]
    write: Callable[[Operation, Value, TensorSharding], None]


def _storage(op: Operation) -> _Storage:
    found = _STORAGES.get(op.name)
    if found is not None:
        return found
    return _PER_RESULT if data_flow(op) is None else _PER_OWNER


def _tensor_sharding(found: Attribute | None) -> TensorSharding | None:
    return found if isinstance(found, TensorSharding) else None


def _property(name: str) -> _Storage:
    def read(op: Operation, value: Value) -> TensorSharding | None:
        return _tensor_sharding(op.properties.get(name))

    def write(op: Operation, value: Value, sharding: TensorSharding) -> None:
        rewriting.set_properties(op, op.properties.with_(name, sharding))

    return _Storage(read, write)


def _read_argument(func: Operation, value: Value) -> TensorSharding | None:
    return _tensor_sharding(arguments_attributes(func, index_of(value)).get(SHARDING))


def _write_argument(func: Operation, value: Value, sharding: TensorSharding) -> None:
    set_argument_attribute(func, index_of(value), SHARDING, sharding)


def _read_result(op: Operation, value: Value) -> TensorSharding | None:
    found = op.attributes.entries.get(SHARDING)
    return _entry(found.shardings, value) if isinstance(found, TensorShardingPerValue) else None


def _entry(shardings: tuple[TensorSharding, ...], value: Value) -> TensorSharding | None:
    index = index_of(value)
    return shardings[index] if index < len(shardings) else None


def _write_result(op: Operation, value: Value, sharding: TensorSharding) -> None:
    found = op.attributes.get(SHARDING)
    old = found.shardings if isinstance(found, TensorShardingPerValue) else ()
    rewriting.set_attributes(op, op.attributes.with_(SHARDING, _with_entry(old, op.results, value, sharding)))


def _with_entry(
    old: tuple[TensorSharding, ...], siblings: Iterable[Value], value: Value, sharding: TensorSharding
) -> TensorShardingPerValue:
    entries = list(old) or [fully_open(rank_of(one.type), sharding.mesh_or_ref) for one in siblings]
    entries[index_of(value)] = sharding
    return TensorShardingPerValue(entries)


def _side(value: Value) -> Side:
    return "block_arg" if isinstance(value, BlockArgument) else "result"


def _read_owner(op: Operation, value: Value) -> TensorSharding | None:
    return _entry(owner_shardings(op, _side(value)), value)


def _write_owner(op: Operation, value: Value, sharding: TensorSharding) -> None:
    side = _side(value)
    siblings = _flow(op).block_argument_owners(op) if side == "block_arg" else _flow(op).result_owners(op)
    set_owner_shardings(op, side, _with_entry(owner_shardings(op, side), siblings, value, sharding))


_PER_RESULT = _Storage(_read_result, _write_result)
_PER_OWNER = _Storage(_read_owner, _write_owner)
_STORAGES = {
    "func.func": _Storage(_read_argument, _write_argument),
    **dict.fromkeys(COLLECTIVES, _property("out_sharding")),
    **dict.fromkeys(("sdy.data_flow_edge", "sdy.reshard", "sdy.sharding_constraint"), _property("sharding")),
}


def value_before_barriers(value: Value) -> Value:
    """What flows into ``value`` through ``sdy.propagation_barrier`` operations; ``value`` itself if none made it."""
    op = value.defining_op
    while op is not None and op.name == "sdy.propagation_barrier":
        value = op.operands[0]
        op = value.defining_op
    return value


def sharding_before_barriers(value: Value) -> TensorSharding | None:
    """The sharding of ``value``, or of what flows into it through ``sdy.propagation_barrier`` operations."""
    return sharding_of(value_before_barriers(value))


# --- lists ------------------------------------------------------------------------------------------------------------


def _flow(op: Operation) -> DataFlow:
    found = data_flow(op)
    assert found is not None
    return found


def owner_shardings(op: Operation, side: Side) -> tuple[TensorSharding, ...]:
    """The shardings of the edge owners of the data-flow operation ``op``, empty if there are none: of its block
    arguments as they are seen inside (without manual axes), or of its results."""
    flow = _flow(op)
    return flow.block_argument_shardings(op) if side == "block_arg" else flow.result_shardings(op)


def set_owner_shardings(op: Operation, side: Side, shardings: Iterable[TensorSharding]) -> None:
    """Stores the shardings of all edge owners of one side of ``op``; an empty list changes nothing."""
    listed = TensorShardingPerValue(shardings)
    if listed and side == "block_arg":
        _flow(op).set_block_argument_shardings(op, listed)
    elif listed:
        _flow(op).set_result_shardings(op, listed)


def function_argument_sharding(func: Operation, index: int) -> TensorSharding | None:
    """The sharding of argument ``index`` of ``func``, which may be a declaration."""
    return _tensor_sharding(arguments_attributes(func, index).get(SHARDING))


def function_arguments_as_stored(func: Operation) -> list[TensorSharding | None]:
    """What ``function_argument_sharding`` gives for each argument of ``func``."""
    return [_tensor_sharding(one.entries.get(SHARDING)) for one in all_argument_attributes(func)]


def function_result_sharding(func: Operation, index: int) -> TensorSharding | None:
    """The sharding of result ``index`` of ``func``."""
    return _tensor_sharding(result_attributes(func, index).get(SHARDING))


def function_results_as_stored(func: Operation) -> list[TensorSharding | None]:
    """What ``function_result_sharding`` gives for each result of ``func``."""
    return [_tensor_sharding(one.entries.get(SHARDING)) for one in all_result_attributes(func)]


def set_function_result_sharding(func: Operation, index: int, sharding: TensorSharding | None) -> None:
    """Shards result ``index`` of ``func``, or removes its sharding."""
    set_result_attribute(func, index, SHARDING, sharding)


def held_sharding(slot: Value | FunctionResult) -> TensorSharding | None:
    """The sharding of a value, or of a result of a function; None if it has none."""
    if isinstance(slot, FunctionResult):
        return function_result_sharding(slot.func, slot.number)
    return sharding_of(slot)


def operation_holding(slot: Value | FunctionResult) -> Operation | None:
    """The operation in whose attributes or properties the sharding of ``slot`` stands; None if it never has one."""
    if isinstance(slot, FunctionResult):
        return slot.func
    place = shardable_value(slot)
    return place.owner.parent_op if isinstance(place, BlockArgument) else place.defining_op if place else None


def set_held_sharding(slot: Value | FunctionResult, sharding: TensorSharding) -> None:
    """Shards a value as ``set_sharding`` does, or a result of a function."""
    if isinstance(slot, FunctionResult):
        set_function_result_sharding(slot.func, slot.number, sharding)
    else:
        set_sharding(slot, sharding)


def set_held_shardings(shardings: Iterable[tuple[Value | FunctionResult, TensorSharding]]) -> None:
    """Does the same for many; those of a function's arguments and results at once."""
    arguments: dict[Operation, dict[int, Attribute | None]] = {}
    results: dict[Operation, dict[int, Attribute | None]] = {}
    for slot, sharding in shardings:
        if isinstance(slot, FunctionResult):
            results.setdefault(slot.func, {})[slot.number] = sharding
            continue
        place = shardable_value(slot)
        function = place.owner.parent_op if isinstance(place, BlockArgument) else None
        if isinstance(place, BlockArgument) and function is not None and function.name == "func.func":
            arguments.setdefault(function, {})[place.index] = sharding
        else:
            set_sharding(slot, sharding)
    for function, values in arguments.items():
        set_argument_attributes(function, SHARDING, values)
    for function, values in results.items():
        set_result_attributes(function, SHARDING, values)


def function_argument_shardings(func: Operation, meshes: Mapping[str, Mesh]) -> TensorShardingPerValue | None:
    """The shardings of all arguments of ``func``, missing ones fully open; None if no argument has a sharding on a
    mesh that is not maximal."""
    types = function_type(func).inputs
    return _completed(function_arguments_as_stored(func), types, meshes)


def function_result_shardings(func: Operation, meshes: Mapping[str, Mesh]) -> TensorShardingPerValue | None:
    """Like ``function_argument_shardings`` for the results."""
    types = function_type(func).results
    return _completed(function_results_as_stored(func), types, meshes)


def _completed(
    shardings: list[TensorSharding | None], types: Iterable[Type], meshes: Mapping[str, Mesh]
) -> TensorShardingPerValue | None:
    mesh_ref = first_non_maximal_mesh_ref(shardings, meshes)
    if mesh_ref is None:
        return None
    return TensorShardingPerValue(
        one if one is not None else fully_open(rank_of(type), mesh_ref)
        for one, type in zip(shardings, types, strict=True)
    )


# --- meshes -----------------------------------------------------------------------------------------------------------


def meshes(module: Operation) -> dict[str, Mesh]:
    """The meshes that ``sdy.mesh`` operations directly in ``module`` define, by symbol name."""
    found: dict[str, Mesh] = {}
    kept = symbols_kept_of(module)
    for op in module.body if kept is None else kept.of_kind("sdy.mesh").values():
        if op.name == "sdy.mesh":
            mesh, name = op.properties.get("mesh"), op.symbol_name
            if isinstance(mesh, Mesh) and name is not None:
                found.setdefault(name, mesh)
    return found


def resolve_mesh(sharding: TensorSharding, meshes: Mapping[str, Mesh]) -> Mesh | None:
    """The mesh of ``sharding``; None if ``meshes`` lacks it."""
    mesh = sharding.mesh_or_ref
    return meshes.get(mesh) if isinstance(mesh, str) else mesh


def common_mesh_ref(
    shardings: Iterable[TensorSharding | None], meshes: Mapping[str, Mesh], *, ignore_device_ids: bool = False
) -> str | Mesh | None:
    """The mesh (by name, or inline) that all ``shardings`` agree on, as the first of them refers to it; None if they
    disagree or none is there. Empty meshes agree with any. With ``ignore_device_ids`` a mesh in iota order is
    preferred."""
    common: Mesh | None = None
    reference: str | Mesh | None = None
    for sharding in shardings:
        if sharding is None:
            continue
        mesh = resolve_mesh(sharding, meshes)
        if mesh is None:
            return None
        if common is None or common.is_empty:
            common, reference = mesh, sharding.mesh_or_ref
            continue
        if mesh.is_empty:
            continue
        if not mesh.equals(common, ignore_device_ids=ignore_device_ids):
            return None
        if ignore_device_ids and not mesh.device_ids:
            common, reference = mesh, sharding.mesh_or_ref
    return reference


def first_non_maximal_mesh_ref(
    shardings: Iterable[TensorSharding | None], meshes: Mapping[str, Mesh]
) -> str | Mesh | None:
    """The mesh of the first sharding whose mesh is not maximal."""
    for sharding in shardings:
        if sharding is not None:
            mesh = resolve_mesh(sharding, meshes)
            if mesh is not None and not mesh.is_maximal:
                return sharding.mesh_or_ref
    return None
