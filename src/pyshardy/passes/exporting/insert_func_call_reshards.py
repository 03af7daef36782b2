"""The pass ``sdy-insert-func-call-reshards``: gives each call the result shardings of its function, and reshards after
it where the program has others.

Calls that share a function need not agree on shardings; after this pass they do. It runs after
``unflatten_call_graph``, and before the export pipeline.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import function_result_shardings, meshes, sharding_of
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.change_log import structure_version
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.call_graph import SymbolTable, calls_in
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, equivalent, fully_closed


def insert_func_call_reshards(module: Operation, context: Context) -> bool:
    """Reshards the results of every call in ``module`` whose sharding is not that of the function's result; whether
    there was one, or one without."""
    before, changed = structure_version(), False
    symbols, known_meshes = SymbolTable(module), meshes(module)
    for call in calls_in(module, context):
        func = symbols.called_function(call)
        produced = _produced(call, func, known_meshes) if func is not None else None
        if produced is not None:
            attributes = call.attributes
            _reshard_results(call, produced)
            changed = changed or call.attributes is not attributes
    return changed or structure_version() != before


def _produced(call: Operation, func: Operation, known_meshes: Mapping[str, Mesh]) -> TensorShardingPerValue | None:
    """How the results of ``func`` are sharded; not at all if only the call has shardings; None if neither has."""
    found = function_result_shardings(func, known_meshes)
    wanted = call.attributes.get(SHARDING)
    if found is None and isinstance(wanted, TensorShardingPerValue):
        return TensorShardingPerValue(_replicated_like(one) for one in wanted)
    return found


def _replicated_like(sharding: TensorSharding) -> TensorSharding:
    return fully_closed(sharding.rank, sharding.mesh_or_ref)


def _reshard_results(call: Operation, produced: TensorShardingPerValue) -> None:
    for result, sharding in zip(call.results, produced, strict=True):
        wanted = sharding_of(result)
        if equivalent(sharding, wanted):
            continue
        properties = DictionaryAttr({"sharding": wanted or _replicated_like(sharding)})
        reshard = rewriting.create("sdy.reshard", [result], [result.type], properties, location=call.location)
        rewriting.insert_after(call, reshard)
        rewriting.replace_all_uses_except(result, reshard.result, reshard)
    rewriting.set_attributes(call, call.attributes.with_(SHARDING, produced))


@register_pass("sdy-insert-func-call-reshards", on="builtin.module", notes_changes=True)
class InsertFuncCallReshards(Pass):
    """Reshards the results of calls whose shardings are not those of the function."""

    def apply(self, op: Operation, context: Context) -> bool:
        return operation_index(op, context).has("func.call") and insert_func_call_reshards(op, context)
