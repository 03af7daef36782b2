"""The pass ``sdy-pre-order-funcs``: puts callers before the functions that they call.

It runs directly before propagation, which visits functions in the order of the module, and so visits main before the
functions that it calls.
"""

from __future__ import annotations

from itertools import islice

from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.call_graph import CallGraph, SymbolTable


def order_functions(module: Operation, context: Context) -> bool:
    """Moves the functions with a body to the end of ``module``, callers before callees.

    Returns:
        Whether that changes anything.
    """
    order = CallGraph(SymbolTable(module), context).order
    order.reverse()
    last = list(islice(reversed(module.body), len(order)))
    if order == last[::-1]:
        return False
    for func in order:
        rewriting.move_to_end(func, module.body)
    return True


@register_pass("sdy-pre-order-funcs", on="builtin.module", notes_changes=True)
class PreOrderFuncs(Pass):
    """Orders the functions of the module so that callers come before callees."""

    def apply(self, op: Operation, context: Context) -> bool:
        return order_functions(op, context)
