"""The pass ``sdy-propagate-sharding-from-func-to-call``: gives a call the shardings of its function's results.

The import pipeline runs it early: later it puts a body in place of the call, which keeps only the shardings on the
call.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import function_result_shardings, meshes
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.call_graph import SymbolTable, calls_in


def shard_calls_as_functions(module: Operation, context: Context) -> bool:
    """Shards the results of every call in ``module`` that has no shardings as those of the function it calls; whether
    there was one."""
    changed = False
    symbols, known_meshes = SymbolTable(module), meshes(module)
    for call in calls_in(module, context):
        func = symbols.called_function(call)
        if func is None or SHARDING in call.attributes:
            continue
        shardings = function_result_shardings(func, known_meshes)
        if shardings is not None:
            rewriting.set_attributes(call, call.attributes.with_(SHARDING, shardings))
            changed = True
    return changed


@register_pass("sdy-propagate-sharding-from-func-to-call", on="builtin.module", notes_changes=True)
class PropagateShardingFromFuncToCall(Pass):
    """Copies the shardings of a function's results to its calls that have none."""

    def apply(self, op: Operation, context: Context) -> bool:
        return operation_index(op, context).has("func.call") and shard_calls_as_functions(op, context)
