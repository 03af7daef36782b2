"""The pass ``sdy-add-data-flow-edges``: makes every data-flow edge an operation.

A value that flows into or out of a region (a loop variable, say) has several places that must be sharded alike; its
``sdy.data_flow_edge`` holds the one sharding for all. After propagation ``exporting.sink_data_flow_edges`` writes the
shardings back and removes the edges.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.sdy.dataflow import block_argument_owners, have_data_flow, is_data_flow, result_owners
from pyshardy.dialects.sdy.placement import sharding_of
from pyshardy.dialects.sdy.region_flow import flow_problem
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import EMPTY_DICTIONARY
from pyshardy.ir.context import Context
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, PassFailure, register_pass
from pyshardy.ir.registry import foreign_row
from pyshardy.ir.types import ShapedType
from pyshardy.ir.verifying.operation_diagnostics import emit_at


def add_edges(owners: Sequence[Value]) -> None:
    """Puts an edge behind each of ``owners`` that has a static shape, through which all its uses go from then on."""
    # Each edge goes right behind the definition, so the last owner's comes first.
    for owner in reversed(owners):
        if isinstance(owner.type, ShapedType) and owner.type.has_static_shape:
            _add_edge(owner)


def _add_edge(owner: Value) -> None:
    sharding = sharding_of(owner)
    properties = EMPTY_DICTIONARY if sharding is None else EMPTY_DICTIONARY.with_("sharding", sharding)
    edge = rewriting.create("sdy.data_flow_edge", [owner], [owner.type], properties, location=_location(owner))
    rewriting.insert_after_definition(owner, edge)
    rewriting.replace_all_uses_except(owner, edge.result, edge)


def _check(op: Operation, context: Context) -> None:
    problem = flow_problem(op) if foreign_row(op.name) is not None else None
    if problem is not None:
        emit_at(context, "error", op, f"'{op.name}' op {problem}")
        raise PassFailure


def _location(owner: Value) -> int | Location | None:
    if isinstance(owner, BlockArgument):
        return owner.location
    definition = owner.defining_op
    return definition.location if definition is not None else None


@register_pass("sdy-add-data-flow-edges", on="builtin.module", notes_changes=True)
class AddDataFlowEdges(Pass):
    """Inserts an ``sdy.data_flow_edge`` for every value that flows into or out of a region."""

    def apply(self, op: Operation, context: Context) -> bool:
        if not have_data_flow(operation_index(op, context).counts):
            return False
        for nested in op.walk_postorder():
            if is_data_flow(nested):
                _check(nested, context)
                add_edges(block_argument_owners(nested))
                add_edges(result_owners(nested))
        return True
