"""Chooses the function that evaluates an operation in a run: the registered one, or one that replaces or wraps it.

Exact numbers have functions of their own (``exact.registry``), the caller of a run may replace or wrap these, and the
conversion of quantized integers to numbers and back is around both (``operations.quantization``).
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.interpreter.foreign_evaluators import looked_at
from pyshardy.interpreter.frame import Evaluator
from pyshardy.interpreter.number_systems import NumberSystem
from pyshardy.interpreter.registry import evaluator
from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import foreign_row
from pyshardy.plugins import is_from_outside

Wrap = Callable[[str, Evaluator], Evaluator]
"""The name of an operation and its evaluator → what is to stand in for that one."""


class Evaluation:
    """The evaluators of one run. Kinds of numbers that a program does not use are not loaded."""

    def __init__(self, wrap: Wrap | None = None) -> None:
        self._wrap = wrap

    def by_name(self, name: str, numbers: NumberSystem) -> Evaluator | None:
        """What evaluates operations called ``name``, or None."""
        native = evaluator(name)
        if native is not None and (foreign_row(name) is not None or is_from_outside(native)):
            native = looked_at(native)
        if not numbers.is_exact:
            return native
        from pyshardy.interpreter.exact.registry import stand_in

        return stand_in(name, native)

    def of(self, op: Operation, numbers: NumberSystem) -> Evaluator | None:
        """What evaluates ``op``, or None.

        Raises:
            UnsupportedType: a value is quantized in a way that is not known here.
        """
        function = self.by_name(op.name, numbers)
        if function is None:
            return None
        if self._wrap is not None:
            function = self._wrap(op.name, function)
        if any("!quant." in str(value.type) for value in (*op.operands, *op.results)):
            from pyshardy.interpreter.operations.quantization import on_numbers

            function = on_numbers(op, function, numbers)
        return function
