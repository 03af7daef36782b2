"""The pass ``sdy-add-func-data-flow-edges``: makes the flow of values through calls visible as operations.

An ``sdy.func_data_flow_edge`` on each argument of a called function, and on each result of a call, holds the sharding
that all calls of the function share. It is for pipelines that keep one body for each function instead of one for each
call; ``exporting.sink_func_data_flow_edges`` removes the edges.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.func import is_declaration
from pyshardy.dialects.main_function import main_function
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import sharding_of
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import EMPTY_DICTIONARY
from pyshardy.ir.context import Context
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.ir.types import ShapedType
from pyshardy.passes.call_graph import calls_in
from pyshardy.sharding.tensor import TensorShardingPerValue

FUNC_EDGE = "sdy.func_data_flow_edge"


def add_func_data_flow_edges(module: Operation, context: Context) -> None:
    """Adds the edges of every function of ``module`` but the main one, and of every call.

    Raises:
        PassFailure: ``module`` has no main function.
    """
    main = main_function(module, context)
    for op in module.walk():
        if op.name == "func.func" and op is not main and not is_declaration(op):
            _add_edges(op.body.arguments, op.location)
    for call in calls_in(module):
        _add_edges(call.results, call.location)


def _add_edges(owners: Sequence[Value], location: int | Location | None) -> None:
    # Each edge goes right behind the definition, so the last owner's comes first.
    for owner in reversed(owners):
        if isinstance(owner.type, ShapedType) and owner.type.has_static_shape:
            _add_edge(owner, location)


def _add_edge(owner: Value, location: int | Location | None) -> None:
    sharding = sharding_of(owner)
    attributes = EMPTY_DICTIONARY
    if sharding is not None:
        attributes = attributes.with_(SHARDING, TensorShardingPerValue([sharding]))
    edge = rewriting.create(FUNC_EDGE, [owner], [owner.type], attributes=attributes, location=location)
    rewriting.insert_after_definition(owner, edge)
    rewriting.replace_all_uses_except(owner, edge.result, edge)


@register_pass("sdy-add-func-data-flow-edges", on="builtin.module", notes_changes=True)
class AddFuncDataFlowEdges(Pass):
    """Inserts an ``sdy.func_data_flow_edge`` for every argument of a called function and every result of a call."""

    def apply(self, op: Operation, context: Context) -> None:
        add_func_data_flow_edges(op, context)
