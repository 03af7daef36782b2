"""The pass ``sdy-remove-propagation-debug-info``: removes the debug attributes of propagation.

The attributes come from the debug options of propagation and of ``sink_data_flow_edges``; the export pipeline keeps
them until its dumps are written.
"""

from __future__ import annotations

from pyshardy.dialects.func import function_type, set_argument_attributes, set_result_attributes
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass

DEBUG_ATTRIBUTES = tuple(
    f"sdy.{prefix}{name}"
    for name in ("propagation_edges", "sharding_origins")
    for prefix in ("", "block_arg_", "result_")
)
"""Where each axis of a sharding came from, and along which edges axes were propagated."""


def remove_debug_attributes(module: Operation) -> None:
    """Removes the debug attributes of all operations in ``module`` and of the arguments and results of functions; a
    function's own attributes stay."""
    for op in module.walk():
        if op.name == "func.func":
            _clean_boundary(op)
        else:
            rewriting.set_attributes(op, op.attributes.without(*DEBUG_ATTRIBUTES))


def _clean_boundary(func: Operation) -> None:
    signature = function_type(func)
    for name in DEBUG_ATTRIBUTES:
        set_argument_attributes(func, name, dict.fromkeys(range(len(signature.inputs))))
        set_result_attributes(func, name, dict.fromkeys(range(len(signature.results))))


@register_pass("sdy-remove-propagation-debug-info", on="builtin.module")
class RemovePropagationDebugInfo(Pass):
    """Removes sharding origins and propagation edges, which propagation records on demand."""

    def apply(self, op: Operation, context: Context) -> None:
        remove_debug_attributes(op)
