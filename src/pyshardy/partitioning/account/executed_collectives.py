"""Which of the collectives that were emitted a run meets, and how often: the account that a plan shows.

Some have been taken out again, some stand in functions that are called several times, or in loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.trip_count import turns_around, turns_product
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import Operation


def executed_collectives(local: Operation, emitted: Sequence[Collective], entry: str) -> tuple[Collective, ...]:
    """The collectives of the module ``local``, among those ``emitted``, that a run of ``entry`` meets: those of a
    function as often as it is called, each with the turns of the loops around it and around those calls."""
    functions = functions_by_name(local)
    by_function: dict[Operation, list[Collective]] = {}
    for one in emitted:
        if one.op.parent is not None:
            by_function.setdefault(_function_of(one.op), []).append(one)
    runs: dict[Operation, list[int | None]] = {}
    waiting: list[tuple[Operation, int | None]] = [(functions[entry], 1)]
    while waiting:
        function, turns = waiting.pop()
        runs.setdefault(function, []).append(turns)
        for op in function.operations():
            if op.name == "func.call":
                waiting.append((functions[callee(op)], turns_product(turns, turns_around(op))))
    return tuple(
        one if turns == 1 and inside == 1 else replace(one, turns=turns_product(turns, inside))
        for function, found in runs.items()
        for turns in found
        for one in by_function.get(function, ())
        for inside in (turns_around(one.op),)
    )


def _function_of(op: Operation) -> Operation:
    return next(above for above in op.ancestors() if above.name == "func.func")
