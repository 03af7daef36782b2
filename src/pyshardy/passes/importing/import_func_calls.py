"""The pass ``sdy-import-func-calls``: puts an ``sdy.named_computation`` with the function's body in place of each call.

Propagation then goes through calls as through any data flow. The pass runs after ``flatten_call_graph``, so that no
body is needed twice; ``exporting.export_named_computations`` makes functions and calls again.
"""

from __future__ import annotations

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.sdy.dataflow import SHARDING, block_argument_owners, result_owners
from pyshardy.dialects.sdy.placement import function_argument_shardings, meshes
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Region
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, PassFailure, option, register_pass
from pyshardy.ir.registry import op_definition
from pyshardy.ir.symbol_references import symbol_references
from pyshardy.ir.verifying.operation_diagnostics import bare_quoting_note, emit_at
from pyshardy.passes.call_graph import (
    EXECUTION_THREAD,
    CallGraph,
    SymbolTable,
    fail_on_cycle,
    original_name,
    take_body,
)
from pyshardy.passes.importing.add_data_flow_edges import add_edges
from pyshardy.sharding.tensor import TensorShardingPerValue


def import_func_calls(module: Operation, context: Context) -> bool:
    """Replaces every call by a named computation with the function's body, and erases the called functions.

    Returns:
        Whether there were any.

    Raises:
        PassFailure: a function calls itself, or has no body.
    """
    if not operation_index(module, context).has("func.call"):
        return False
    symbols = SymbolTable(module)
    graph = CallGraph(symbols, context)
    if graph.cycle is not None:
        fail_on_cycle(graph.cycle, context)
    known_meshes = meshes(module)
    bodies: dict[Operation, Region] = {}
    for call in graph.calls():
        func = symbols.called_function(call)
        if func is None:
            continue
        computation = _empty_computation(call, func, function_argument_shardings(func, known_meshes))
        rewriting.insert_before(call, computation)
        body = computation.regions[0]
        if func in bodies:
            _warn_of_copy(call, context)
            rewriting.clone_region(bodies[func], body)
        else:
            _require_body(call, func, context)
            take_body(body, func.regions[0], "sdy.return")
            bodies[func] = body
        rewriting.replace_op(call, computation.results)
    for func in bodies:
        symbols.erase(func)
    return bool(bodies)


def leaves_names_behind(module: Operation, context: Context) -> bool:
    """Whether the pass erases a function that another operation of ``module`` names as well as a call, such as a
    composite: then the program is illegal until a function of this name is made again."""
    index = operation_index(module, context)
    if not index.has("func.call"):
        return False
    definitions = {name: op_definition(name) for name in index.counts if name != "func.call"}
    naming = [name for name, one in definitions.items() if one is not None and one.symbol_verifiers]
    # Few dictionaries serve many operations.
    dictionaries = {one for name in naming for op in index.named(name) for one in (op.properties, op.attributes)}
    named = {reference.root for reference in symbol_references(dictionaries)}
    return bool(named) and not named.isdisjoint(map(callee, index.named("func.call")))


def _empty_computation(call: Operation, func: Operation, in_shardings: TensorShardingPerValue | None) -> Operation:
    properties: dict[str, Attribute] = {"name": StringAttr(original_name(func))}
    out_shardings = call.attributes.get(SHARDING)
    if in_shardings is not None:
        properties["in_shardings"] = in_shardings
    if out_shardings is not None:
        properties["out_shardings"] = out_shardings
    attributes = call.attributes.without(SHARDING)
    thread = func.attributes.get(EXECUTION_THREAD)
    if thread is not None:
        attributes = attributes.with_(EXECUTION_THREAD, thread)
    return rewriting.create(
        "sdy.named_computation",
        call.operands,
        [result.type for result in call.results],
        DictionaryAttr(properties),
        attributes,
        (Region(),),
        location=call.location,
    )


def _require_body(call: Operation, func: Operation, context: Context) -> None:
    if is_declaration(func):
        message = f"'func.call' op calls @{callee(call)}, which has no body: shardings cannot be propagated through it"
        emit_at(context, "error", call, message)
        raise PassFailure


def _warn_of_copy(call: Operation, context: Context) -> None:
    if context.first_time("function body cloned"):
        message = f"function @{callee(call)} has multiple call ops, we need to clone the function body for each call"
        context.emit("warning", call.location, message, [bare_quoting_note(context, call)])


def _add_edges_of_computations(computations: list[Operation]) -> bool:
    for op in computations:
        add_edges(block_argument_owners(op))
        add_edges(result_owners(op))
    return bool(computations)


@register_pass("sdy-import-func-calls", on="builtin.module", notes_changes=True)
class ImportFuncCalls(Pass):
    """Replaces every call by an ``sdy.named_computation`` with the body of the function."""

    add_data_flow_edges_on_named_computations: bool = option(
        True, "insert data-flow edges for the arguments and results of every named computation"
    )

    def apply(self, op: Operation, context: Context) -> bool:
        changed = import_func_calls(op, context)
        if self.add_data_flow_edges_on_named_computations:
            computations = operation_index(op, context).named_postorder("sdy.named_computation")
            changed = _add_edges_of_computations(computations) or changed
        return changed
