"""Finds the operation that hides the inputs from a result: the last one with a constant result and operands that are
not constant.

``check`` names it if a result is the same number in all runs and its parts could not be compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.checking.global_values import is_constant_array
from pyshardy.checking.programs import Programs
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.number_systems import NumberSystem
from pyshardy.ir.operation import Operation, OpResult, Value


def hiding_operation(programs: Programs, inputs: list[Array], numbers: NumberSystem, index: int) -> Operation | None:
    """The operation of the global program behind result ``index`` whose result is one number throughout, and an operand
    is not; None if there is none outside of loops."""
    constant: dict[Value, bool] = {}

    def watch(name: str, evaluate: Evaluator) -> Evaluator:
        def watched(frame: Frame, op: Operation, operands: list[Array]) -> Sequence[Array]:
            results = evaluate(frame, op, operands)
            for value, found in (*zip(op.operands, operands, strict=False), *zip(op.results, results, strict=False)):
                if not isinstance(found, tuple):
                    constant[value] = constant.get(value, True) and is_constant_array(found)
            return results

        return watched

    programs.run_source(inputs, numbers, watch)
    functions = functions_by_name(programs.source.op)
    waiting: list[Value] = [programs.function.body.terminator.operands[index]]
    seen = set(waiting)
    while waiting:
        value = waiting.pop()
        if not isinstance(value, OpResult):
            continue
        op = value.owner
        sources = list(op.operands)
        called = functions.get(callee(op)) if op.name == "func.call" else None
        if called is not None and not called.regions[0].empty:
            sources = [called.body.terminator.operands[value.index]]
        elif any(constant.get(one) is False for one in sources):
            return op
        new = [one for one in sources if one not in seen]
        seen.update(new)
        waiting.extend(new)
    return None
