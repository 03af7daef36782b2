"""The pass ``sdy-flatten-call-graph``: copies functions so that each is called at most once.

Each call after the first gets a copy of the function, so that every call can have shardings of its own.
``import_func_calls`` then puts the bodies in place of the calls; ``exporting.unflatten_call_graph`` merges equal copies
again.
"""

from __future__ import annotations

from pyshardy.dialects.func import callee
from pyshardy.ir.call_depth import check_call_depth
from pyshardy.ir.context import Context
from pyshardy.ir.limits import LimitExceeded
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, PassFailure, register_pass
from pyshardy.passes.call_graph import CallGraph, SymbolTable, clone_with_callees, set_callee


def flatten_call_graph(module: Operation, context: Context) -> bool:
    """Gives every call but the first of each function a copy of that function, and of all that it calls.

    Returns:
        Whether there were such calls.

    Raises:
        PassFailure: a function that must be copied calls itself, or copies become more than limits allow.
    """
    if not operation_index(module, context).has("func.call"):
        return False
    try:
        check_call_depth(module)
    except LimitExceeded as error:
        context.emit("error", module.location, error.diagnostics[0].message)
        raise PassFailure from None
    copied = False
    symbols = SymbolTable(module)
    called: set[str] = set()
    for call in CallGraph(symbols, context).calls():
        name = callee(call)
        func = symbols.called_function(call)
        if name in called and func is not None:
            set_callee(call, symbols.insert(clone_with_callees(func, symbols, context)))
            copied = True
        called.add(name)
    return copied


@register_pass("sdy-flatten-call-graph", on="builtin.module", notes_changes=True)
class FlattenCallGraph(Pass):
    """Copies functions until each is called at most once. A function is copied with all that it calls."""

    def apply(self, op: Operation, context: Context) -> bool:
        return flatten_call_graph(op, context)
