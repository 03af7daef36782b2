"""A copy of a program whose shardings are re-seeded from the layouts of a candidate plan and propagated again.

With free results, nothing says in which layout a value is needed that is computed from replicated tensors alone (random
bits, masks, tables): every device computes the whole. So the layouts that the plan chose for all other values become
shardings, and propagation gives shardings to the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pyshardy.dialects.func import (
    callee,
    function_type,
    is_declaration,
    is_private,
    set_argument_attributes,
    set_result_attributes,
)
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.names import IDENTITIES
from pyshardy.dialects.sdy.shared_constants import is_shared_constant
from pyshardy.emitting.layout import Layout
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.types import TensorType, Type
from pyshardy.module import Module, run_passes
from pyshardy.partitioning.localizing.requested_layouts import is_bound
from pyshardy.partitioning.verified_once import verified_once
from pyshardy.passes.call_graph import CallGraph, SymbolTable
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue, fully_closed, fully_open


def reseeded(module: Module, layouts: Mapping[Value, Layout], propagation: Pipeline) -> Module:
    """A copy of ``module`` with the shardings that ``layouts`` say. Values without a layout, and replicated ones, get
    theirs from ``propagation``. Shardings at the boundary of the program, of constraints and of regions stay.

    Raises:
        PyshardyError: ``propagation`` refuses the program.
    """
    copy = with_layouts(module, layouts)
    if not verified_once(copy, propagation):
        copy = with_layouts(module, layouts)
        run_passes(copy, propagation)
    return copy


def with_layouts(module: Module, layouts: Mapping[Value, Layout]) -> Module:
    """A copy of ``module`` with the shardings that ``layouts`` say, before propagation: values without a layout, and
    those computed from replicated values alone, have no sharding. Shardings at the boundary of the program, of
    constraints and of regions stay."""
    free = _computed_from_replicated(module.op, layouts)
    mapping: dict[Value, Value] = {}
    copy = module.with_op(rewriting.clone(module.op, mapping))
    for function in copy.op.body:
        if function.name == "func.func" and not is_declaration(function):
            _copy_constants_to_uses(function.body)
    names = {mesh: name for name, mesh in reversed(placement.meshes(module.op).items())}
    # The partitioner notes layouts of values that it created itself, too.
    known = {value: layout for value, layout in layouts.items() if value in mapping and value not in free}
    shardings = {layout: _sharding(layout, names) for layout in set(known.values())}
    found = {mapping[value]: shardings[layout] for value, layout in known.items()}
    for op in copy.op.operations():
        if op.name == "func.func":
            if is_private(op):
                _reseed_function(op, found)
            else:
                _close_boundary(op, next(iter(names.values())))
        elif op.results and not is_bound(op):
            _reseed_results(op, [found.get(result) for result in op.results])
        elif op.name == "stablehlo.while":
            # A carried value that is replicated at the beginning gets the layout in which the body returns it.
            carried = zip(op.operands, op.results, strict=True)
            _reseed_results(op, [found.get(first) and found.get(result) for first, result in carried])
    return copy


def _copy_constants_to_uses(block: Block) -> None:
    """Gives each use of a constant, or of a broadcast scalar, a copy of its own directly before the user. Propagation
    would make these copies, too, but all in one place, so that the layers of a model would not look alike."""
    for op in block.operations():
        if is_shared_constant(op) and placement.rank_of(op.result.type):
            uses = list(op.result.uses)
            for user, index in uses[1:]:
                copy = rewriting.clone(op)
                rewriting.insert_before(user.ancestor_in(block), copy)
                rewriting.set_operand(user, index, copy.result)
            if uses:
                rewriting.move_before(op, uses[0][0].ancestor_in(block))


def _computed_from_replicated(module: Operation, layouts: Mapping[Value, Layout]) -> set[Value]:
    """The values that are computed from constants and replicated arguments alone. They can be computed in any layout,
    whatever layout the plan chose."""
    whole: set[Value] = set()
    called: dict[str, bool] = {}
    # In this order all calls of a function have been seen before its body.
    for function in reversed(CallGraph(SymbolTable(module)).order):
        by_calls = called.get(function.symbol_name or "")
        for value in function.body.arguments:
            is_whole = value in layouts and layouts[value].mesh is None
            if is_whole if by_calls is None else by_calls:
                whole.add(value)
        for op in function.walk():
            if op is function or not all(value in whole for value in op.operands) or op.name in IDENTITIES:
                if op.name == "func.call":
                    called[callee(op)] = False
                continue
            if op.name == "func.call":
                called.setdefault(callee(op), True)
            whole.update(op.results)
            whole.update(op.block_arguments())
    return whole


def _sharding(layout: Layout, names: Mapping[Mesh, str]) -> TensorSharding | None:
    if layout.mesh is None or layout.mesh not in names or layout.unreduced:
        return None
    return TensorSharding(names[layout.mesh], map(DimSharding, layout.dims))


def _close_boundary(function: Operation, mesh: str) -> None:
    """Replicates arguments and results that have no sharding, and keeps propagation from changing that."""
    type = function_type(function)
    _set_boundary(
        function,
        _replicated_if_unsharded(type.inputs, placement.function_arguments_as_stored(function), mesh),
        _replicated_if_unsharded(type.results, placement.function_results_as_stored(function), mesh),
    )


def _replicated_if_unsharded(
    types: Sequence[Type], shardings: Sequence[TensorSharding | None], mesh: str
) -> dict[int, Attribute | None]:
    return {
        index: fully_closed(type.rank, mesh)
        for index, (type, sharding) in enumerate(zip(types, shardings, strict=True))
        if isinstance(type, TensorType) and sharding is None
    }


def _reseed_function(function: Operation, found: Mapping[Value, TensorSharding | None]) -> None:
    if is_declaration(function):
        return
    arguments = {index: found.get(argument) for index, argument in enumerate(function.body.arguments)}
    results = {index: found.get(value) for index, value in enumerate(function.body.terminator.operands)}
    _set_boundary(function, arguments, results)


def _set_boundary(
    function: Operation, arguments: Mapping[int, Attribute | None], results: Mapping[int, Attribute | None]
) -> None:
    if arguments:
        set_argument_attributes(function, SHARDING, arguments)
    if results:
        set_result_attributes(function, SHARDING, results)


def _reseed_results(op: Operation, shardings: Sequence[TensorSharding | None]) -> None:
    ranks = tuple([placement.rank_of(result.type) for result in op.results])
    rewriting.set_attributes(op, _with_shardings(op.attributes, tuple(shardings), ranks))


@lru_cache(maxsize=1 << 10)
def _with_shardings(
    attributes: DictionaryAttr, shardings: tuple[TensorSharding | None, ...], ranks: tuple[int, ...]
) -> DictionaryAttr:
    """``attributes`` with ``shardings`` for results of these ``ranks``; a result without one is open. Without any
    sharding, if no result has one."""
    mesh = next((one.mesh_or_ref for one in shardings if one is not None), None)
    if mesh is None:
        return attributes.without(SHARDING)
    open_ones = [fully_open(rank, mesh) if one is None else one for one, rank in zip(shardings, ranks, strict=True)]
    return attributes.with_(SHARDING, TensorShardingPerValue(open_ones))
