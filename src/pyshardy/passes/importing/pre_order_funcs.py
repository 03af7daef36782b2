"""The pass ``sdy-pre-order-funcs``: puts callers before the functions that they call.

Propagation walks over the module in order, and so meets main before what it calls. Stands directly before it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.call_graph import CallGraph, SymbolTable


def order_functions(module: Operation) -> None:
    """Moves the functions with a body to the end of ``module``, callers before callees."""
    for func in reversed(CallGraph(SymbolTable(module)).order):
        rewriting.move_to_end(func, module.body)


@register_pass(
    "sdy-pre-order-funcs",
    on="builtin.module",
    class_name="PreOrderFuncsPass",
    summary="Orders the functions of the module so that callers come before callees.",
)
@dataclass(frozen=True)
class PreOrderFuncs(Pass):
    """Orders the functions of the module so that callers come before callees."""

    def apply(self, op: Operation, context: Context) -> None:
        order_functions(op)
