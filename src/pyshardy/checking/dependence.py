"""Which results of a program depend on its inputs, as it is written."""

from __future__ import annotations

from pyshardy.dialects.func import callee
from pyshardy.ir.operation import Operation, Value


def reached_results(module: Operation, function: Operation) -> set[int]:
    """The results of ``function`` that a chain of operations leads to from an argument, or that two runs may draw anew.

    An operation with regions hands on what any value in it depends on.
    """
    functions = {op.symbol_name: op for op in module.body if op.name == "func.func"}
    known: dict[Operation, set[int]] = {}

    def of(one: Operation) -> set[int]:
        if one not in known:
            # Entered before it is complete, for functions that call each other in a circle.
            known[one] = set()
            known[one] = _reached(one)
        return known[one]

    def _reached(one: Operation) -> set[int]:
        reached: set[Value] = set(one.body.arguments)
        for op in one.body:
            operands = {value for inner in op.walk() for value in inner.operands}
            if not operands & reached:
                continue
            called = functions.get(callee(op)) if op.name == "func.call" else None
            if called is not None and not called.regions[0].empty:
                reached.update(op.results[index] for index in of(called))
            else:
                reached.update(op.results)
        return {index for index, value in enumerate(one.body.terminator.operands) if value in reached}

    return of(function)
