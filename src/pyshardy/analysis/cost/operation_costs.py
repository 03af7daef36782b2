"""Floating point operations and bytes of operations of foreign dialects, from their rows or from ``operation_cost``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import foreign_row, is_ours
from pyshardy.plugins import PluginProblem, check_names, claim, failure_text, place_of, place_of_failure


class OperationCost(NamedTuple):
    """What one run of an operation costs on one device, for all of its elements together."""

    flops: float
    """Floating point operations in total, not for each element."""
    bytes: float | None = None
    """The bytes that are read and written in memory; None: those of operands and results."""
    product: tuple[int, int, int, int] | None = None
    """The sizes of one matrix product (batch, rows, inner, columns), as whose tiles it runs on the matrix units."""
    transcendentals: float = 0.0
    """How many of the floating point operations are exponentials and the like."""
    matrix: bool | None = None
    """Whether it runs on the matrix units; None: it does, unless it is elementwise."""

    def runs_on_matrix_units(self, op: Operation) -> bool:
        """Whether ``op`` runs on the matrix units at this cost."""
        return not op.traits & ELEMENTWISE if self.matrix is None else self.matrix


CostFunction = Callable[[Operation], "OperationCost | float | tuple[float, float] | None"]
"""The cost of an operation with the shapes that it has: a cost, its floating point operations, or these and its bytes;
None if it cannot say."""

_costs: dict[str, CostFunction] = {}

_LONGEST = 60
"""So much of what a function has returned is quoted."""


def operation_cost(*names: str) -> Callable[[CostFunction], CostFunction]:
    """Registers the decorated function as the cost of the operations called ``names``, of a foreign dialect. (For
    custom calls there is ``custom_call_cost``.) It gets the operation with the shapes of one device.

    Raises:
        ValueError: an operation is one of pyshardy's own, which counts by itself.
    """
    check_names("operation_cost", names)

    def register(function: CostFunction) -> CostFunction:
        for name in names:
            if is_ours(name):
                raise ValueError(f"'{name}' is an operation of pyshardy, which knows what it costs")
            claim("cost", name)
            _costs[name] = function
        return function

    return register


def cost_of(op: Operation) -> OperationCost | None:
    """What a plugin says that ``op`` costs; None if none does.

    Raises:
        PluginProblem: what was registered raises an error, or returns something else.
    """
    row = foreign_row(op.name)
    function = _costs.get(op.name) or (row.cost if row is not None else None)
    if function is None:
        return None
    return asked_cost(function, op, f"op '{op.name}'")


def asked_cost(function: Callable[[Operation], object], op: Operation, subject: str) -> OperationCost | None:
    """What ``function``, a plugin's, says that ``op`` costs, which messages call ``subject``; None if it cannot say.

    Raises:
        PluginProblem: it raises an error, or returns something else.
    """
    try:
        found = function(op)
    except (Exception, SystemExit) as problem:
        place = place_of_failure(problem, function)
        raise PluginProblem(f"the cost of {subject}{place} {failure_text(problem)}") from None
    try:
        return None if found is None else _checked(_made(found))
    except ValueError as problem:
        wrong = f"returns {_quoted(found)}: {problem}"
        raise PluginProblem(f"the cost of {subject}{place_of(function)} {wrong}") from None


def _made(found: object) -> OperationCost:
    """A cost of what a function has returned.

    Raises:
        ValueError: it is neither a cost, nor one or two numbers.
    """
    if isinstance(found, OperationCost):
        return found
    flops, bytes = found if isinstance(found, tuple) and len(found) == 2 else (found, None)
    return OperationCost(_figure(flops, "flops"), None if bytes is None else _figure(bytes, "bytes"))


def _figure(value: Any, name: str) -> float:
    """``value``, if it is a number that can be called ``name``.

    Raises:
        ValueError: it is negative, infinite or no number.
    """
    try:
        number = math.nan if isinstance(value, str | bytes | bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number < math.inf:
        raise ValueError(f"{name} is {_quoted(value)}, and a finite number that is not negative is expected")
    return number


def _quoted(value: object) -> str:
    try:
        text = " ".join(repr(value).split())
    except ValueError:
        text = "a number of thousands of digits"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _checked(cost: OperationCost) -> OperationCost:
    """``cost``, if it can be one.

    Raises:
        ValueError: a figure is negative, infinite or no number; the product has not its four sizes.
    """
    for name in ("flops", "bytes", "transcendentals"):
        value = getattr(cost, name)
        if value is not None or name != "bytes":
            _figure(value, name)
    if cost.product is not None and len(cost.product) != 4:
        raise ValueError(f"product is {cost.product}, and (batch, rows, inner, columns) is expected")
    return cost
