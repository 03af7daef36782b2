"""Finds the functions of a module, and its main function.

Propagation, the passes and the reports all begin at that function; callees are reached from there.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import PassFailure


def functions(module: Operation) -> Iterator[Operation]:
    """The functions directly in ``module``, declarations included, in order."""
    return (op for op in module.body if op.name == "func.func")


def functions_by_name(module: Operation) -> dict[str, Operation]:
    """The functions directly in ``module``, declarations included, by their symbol."""
    return {func.symbol_name or "": func for func in functions(module)}


def find_main_function(module: Operation) -> Operation | None:
    """The function with which ``module`` starts: its only one, or the one called ``main``; None if there is neither."""
    found = list(functions(module))
    if len(found) == 1:
        return found[0]
    return next((func for func in found if func.symbol_name == "main"), None)


def main_function(module: Operation, context: Context) -> Operation:
    """The function with which ``module`` starts: its only one, or the one called ``main``.

    Raises:
        PassFailure: there are several, or none, and no ``main``.
    """
    found = find_main_function(module)
    if found is None:
        context.emit("error", module.location, "Failed to lookup function: main")
        raise PassFailure
    return found
