"""Puts the bodies of functions in the place of calls in scalar bodies: reducers, comparators, combiners of scatters.

Such a body is copied to the program of one device as it is. The functions that it calls need not be there: calls of
tensors are localized, and get functions of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.inlining import copied_body
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation, Region


class CallsItself(Exception):
    """A function calls itself; the argument is its name."""


def inline_calls(region: Region, functions: Mapping[str, Operation]) -> None:
    """Inlines the calls in ``region`` and in the regions inside of it, and the calls in what is inlined. Calls of
    declarations, and of functions that are not among ``functions``, stay.

    Raises:
        CallsItself: a function that is called calls itself.
    """
    # Each operation with the functions that it has been inlined from.
    waiting: list[tuple[Operation, tuple[str, ...]]] = [(op, ()) for block in region.blocks for op in block]
    while waiting:
        op, inside = waiting.pop()
        function = functions.get(callee(op)) if op.name == "func.call" else None
        if function is None or is_declaration(function):
            waiting += [(one, inside) for nested in op.regions for block in nested.blocks for one in block]
            continue
        name = callee(op)
        if name in inside:
            raise CallsItself(name)
        copies, results = copied_body(op, function)
        waiting += [(one, (*inside, name)) for one in copies]
        rewriting.replace_op(op, results)
