"""The pass ``sdy-remove-propagation-debug-info``: drops what propagation wrote down for people.

The attributes come from the debug options of propagation and of ``sink_data_flow_edges``; the export pipeline keeps
them until its dumps are written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyshardy.dialects.func import remove_argument_and_result_attributes
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass

DEBUG_ATTRIBUTES = tuple(
    f"sdy.{prefix}{name}"
    for name in ("propagation_edges", "sharding_origins")
    for prefix in ("", "block_arg_", "result_")
)
"""Where each axis of a sharding came from, and along which edges axes were propagated."""


def remove_attributes(root: Operation, names: Iterable[str]) -> None:
    """Removes the attributes ``names`` of all operations in ``root`` and of the arguments and results of functions; a
    function's own attributes stay."""
    for op in root.walk():
        if op.name == "func.func":
            remove_argument_and_result_attributes(op, names)
        elif op.attributes.entries:
            for name in names:
                if name in op.attributes.entries:
                    op.attributes = op.attributes.without(name)


@register_pass(
    "sdy-remove-propagation-debug-info",
    on="builtin.module",
    class_name="RemovePropagationDebugInfoPass",
    summary="Removes sharding origins and propagation edges, which propagation records on demand.",
)
@dataclass(frozen=True)
class RemovePropagationDebugInfo(Pass):
    """Removes sharding origins and propagation edges, which propagation records on demand."""

    def apply(self, op: Operation, context: Context) -> None:
        remove_attributes(op, DEBUG_ATTRIBUTES)
