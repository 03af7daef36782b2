"""Floating point operations and bytes of operations of foreign dialects, from their rows or from ``operation_cost``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import foreign_row, is_ours
from pyshardy.plugins import PluginProblem, check_names, claim, failure_text, place_of_failure


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
    try:
        found: object = function(op)
        if found is None:
            return None
        if isinstance(found, OperationCost):
            return _checked(found)
        if isinstance(found, tuple):
            flops, bytes = found
            return _checked(OperationCost(float(flops), float(bytes)))
        return _checked(OperationCost(float(found)))  # type: ignore[arg-type]
    except Exception as problem:
        place = place_of_failure(problem, function)
        raise PluginProblem(f"the cost of op '{op.name}'{place} {failure_text(problem)}") from None


def _checked(cost: OperationCost) -> OperationCost:
    """``cost``, if it can be one.

    Raises:
        ValueError: a figure is negative, infinite or no number; the product has not its four sizes.
    """
    for name in ("flops", "bytes", "transcendentals"):
        value = getattr(cost, name)
        if value is not None and not 0 <= value < math.inf:
            raise ValueError(f"{name} is {value}, and a number that is not negative is expected")
    if cost.product is not None and len(cost.product) != 4:
        raise ValueError(f"product is {cost.product}, and (batch, rows, inner, columns) is expected")
    return cost
