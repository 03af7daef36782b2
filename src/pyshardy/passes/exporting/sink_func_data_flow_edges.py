"""The pass ``sdy-sink-func-data-flow-edges``: writes the shardings found on the edges of calls and functions to their
owners, and removes the edges.

The counterpart of ``importing.add_func_data_flow_edges``, after propagation.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.placement import set_sharding, sharding_of
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.importing.add_func_data_flow_edges import FUNC_EDGE
from pyshardy.sharding.tensor import fully_open


def sink_func_data_flow_edges(func: Operation, context: Context) -> bool:
    """Removes the edges in ``func``; an owner of an edge without sharding becomes fully open if it has a sharding.
    Returns whether there were any."""
    edges = operation_index(func, context).named(FUNC_EDGE)
    for op in edges:
        _sink(op)
    return bool(edges)


def _sink(edge: Operation) -> None:
    owner = edge.operands[0]
    sharding, before = sharding_of(edge.result), sharding_of(owner)
    if sharding is not None:
        set_sharding(owner, sharding)
    elif before is not None:
        set_sharding(owner, fully_open(before.rank, before.mesh_or_ref))
    rewriting.replace_op(edge, [owner])


@register_pass("sdy-sink-func-data-flow-edges", on="func.func", notes_changes=True)
class SinkFuncDataFlowEdges(Pass):
    """Moves the shardings of ``sdy.func_data_flow_edge`` operations to what owns them, and removes the edges."""

    def apply(self, op: Operation, context: Context) -> bool:
        return sink_func_data_flow_edges(op, context)
