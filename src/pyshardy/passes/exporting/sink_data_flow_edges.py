"""The pass ``sdy-sink-data-flow-edges``: writes the shardings found on data-flow edges to the operations that own the
edges, and removes the edges.

The counterpart of ``importing.add_data_flow_edges``, early in the export pipeline.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.sdy.dataflow import (
    EDGE,
    block_argument_owners,
    edge_of,
    have_data_flow,
    is_data_flow,
    result_owners,
)
from pyshardy.dialects.sdy.placement import rank_of, set_owner_shardings
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import ArrayAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, option, register_pass
from pyshardy.sharding.tensor import TensorSharding, fully_open

ORIGINS = "sharding_origins"
PROPAGATION_EDGES = "propagation_edges"


def shardings_from_edges(owners: Sequence[Value]) -> list[TensorSharding]:
    """The sharding on the edge of each owner, fully open where there is none; empty if no edge has one."""
    edges = map(edge_of, owners)
    found = [edge.properties.get("sharding") if edge is not None else None for edge in edges]
    present = [one for one in found if isinstance(one, TensorSharding)]
    if not present:
        return []
    mesh = present[0].mesh_or_ref
    return [
        one if isinstance(one, TensorSharding) else fully_open(rank_of(owner.type), mesh)
        for one, owner in zip(found, owners, strict=True)
    ]


def remove_edge(edge: Operation) -> None:
    """Removes a data-flow edge; its users read its input."""
    rewriting.replace_op(edge, edge.operands)


def _save_debug_entries(op: Operation, name: str, kept_as: str, owners: Sequence[Value]) -> None:
    """Collects the attribute ``name`` of the owners' edges in an array on ``op``; edges without it leave no gap."""
    entries = [edge.attributes.get(name) for edge in map(edge_of, owners) if edge is not None]
    rewriting.set_attributes(
        op, op.attributes.with_(kept_as, ArrayAttr(entry for entry in entries if entry is not None))
    )


@register_pass("sdy-sink-data-flow-edges", on="func.func", notes_changes=True)
class SinkDataFlowEdges(Pass):
    """Moves the shardings of data-flow edges to the operations that own them, and removes the edges."""

    sink_debug_sharding_origins: bool = option(False, "keep where each axis of an edge's sharding came from")
    sink_debug_propagation_edge_sharding: bool = option(False, "keep which edges the axes of an edge propagated along")

    def apply(self, op: Operation, context: Context) -> bool:
        if not have_data_flow(operation_index(op, context).counts) and not operation_index(op, context).has(EDGE):
            return False
        for nested in op.walk():
            if nested.name == EDGE:
                remove_edge(nested)
            elif is_data_flow(nested):
                self._sink(nested)
        return True

    def _sink(self, op: Operation) -> None:
        inside, results = block_argument_owners(op), result_owners(op)
        set_owner_shardings(op, "block_arg", shardings_from_edges(inside))
        set_owner_shardings(op, "result", shardings_from_edges(results))
        for name in self._debug_names():
            _save_debug_entries(op, f"sdy.{name}", f"sdy.block_arg_{name}", inside)
            _save_debug_entries(op, f"sdy.{name}", f"sdy.result_{name}", results)

    def _debug_names(self) -> list[str]:
        wanted = (
            (self.sink_debug_sharding_origins, "sharding_origins"),
            (self.sink_debug_propagation_edge_sharding, "propagation_edges"),
        )
        return [name for asked, name in wanted if asked]
