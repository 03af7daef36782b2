"""The pass ``sdy-export-named-computations``: makes every ``sdy.named_computation`` a function and a call of it.

The counterpart of ``importing.import_func_calls``, after propagation: the shardings found on the edges of a computation
become those of the function's arguments and of the call's results.
"""

from __future__ import annotations

from pyshardy.dialects.func import set_argument_attributes
from pyshardy.dialects.sdy.dataflow import (
    EDGE,
    SHARDING,
    block_argument_owners,
    result_owners,
)
from pyshardy.dialects.sdy.placement import owner_shardings, set_owner_shardings
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Region, Value
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.ir.types import FunctionType
from pyshardy.passes.call_graph import EXECUTION_THREAD, ORIGINAL_FUNC_NAME, SymbolTable, take_body
from pyshardy.passes.exporting.sink_data_flow_edges import remove_edge, shardings_from_edges


def export_named_computations(module: Operation, context: Context) -> None:
    """Replaces every named computation of ``module``, inner ones first, by a call of a new private function."""
    symbols = SymbolTable(module)
    calls: list[Operation] = []
    for op in operation_index(module, context).named_postorder("sdy.named_computation"):
        call = _export(op, symbols)
        calls.append(call)
    for call in calls:
        for result in call.results:
            _remove_edge_on(result)


def _export(computation: Operation, symbols: SymbolTable) -> Operation:
    arguments = block_argument_owners(computation)
    set_owner_shardings(computation, "block_arg", shardings_from_edges(arguments))
    set_owner_shardings(computation, "result", shardings_from_edges(result_owners(computation)))
    func = _function(computation)
    for argument in arguments:
        _remove_edge_on(argument)
    call = _call(computation, symbols.insert(func))
    rewriting.insert_before(computation, call)
    rewriting.replace_op(computation, call.results)
    return call


def _function(computation: Operation) -> Operation:
    types = FunctionType(
        [argument.type for argument in computation.body.arguments], [result.type for result in computation.results]
    )
    name = computation.properties.entries["name"]
    thread = computation.attributes.get(EXECUTION_THREAD)
    attributes = DictionaryAttr({ORIGINAL_FUNC_NAME: name})
    func = rewriting.create(
        "func.func",
        properties=DictionaryAttr({"sym_name": name, "sym_visibility": StringAttr("private"), "function_type": types}),
        attributes=attributes if thread is None else attributes.with_(EXECUTION_THREAD, thread),
        regions=(Region(),),
        location=computation.location,
    )
    in_shardings = owner_shardings(computation, "block_arg")
    take_body(func.regions[0], computation.regions[0], "func.return")
    set_argument_attributes(func, SHARDING, dict(enumerate(in_shardings)))
    return func


def _call(computation: Operation, name: str) -> Operation:
    attributes = computation.attributes.without(EXECUTION_THREAD)
    out_shardings = computation.properties.get("out_shardings")
    return rewriting.create(
        "func.call",
        computation.operands,
        [result.type for result in computation.results],
        DictionaryAttr({"callee": SymbolRefAttr(name)}),
        attributes if out_shardings is None else attributes.with_(SHARDING, out_shardings),
        location=computation.location,
    )


def _remove_edge_on(owner: Value) -> None:
    for user in list(owner.users):
        if user.name == EDGE:
            remove_edge(user)


@register_pass("sdy-export-named-computations", on="builtin.module", notes_changes=True)
class ExportNamedComputations(Pass):
    """Replaces every ``sdy.named_computation`` by a call of a new function with its body."""

    def apply(self, op: Operation, context: Context) -> bool:
        if not operation_index(op, context).has("sdy.named_computation"):
            return False
        export_named_computations(op, context)
        return True
