"""Loops and branches. Lanes that agree run together; if they do not, each side runs with its own lanes.

Devices that diverge cannot meet in a collective: a region with one is refused then, since the real program would wait
for ever.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation, Region

_LIMITS = ((10_000, 20), (1_000, 120))
"""Iterations and seconds after which a loop is taken for one that never ends, if both have passed."""


@evaluates("stablehlo.while")
def while_loop(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return loop(frame, op, operands, *op.regions)


def loop(frame: Frame, op: Operation, operands: Sequence[Array], condition: Region, body: Region) -> list[Array]:
    """Runs ``body`` on what it has returned as long as ``condition`` returns true, on each lane as often as it says."""
    state = list(operands)
    patience = _Patience(frame, op)
    while True:
        patience.another_iteration()
        (going,) = frame.nested().run(condition.blocks[0], state)
        if not going.any():
            return state
        if not going.all():
            return _parted_loop(frame, op, state, condition, body)
        state = frame.nested().run(body.blocks[0], state)


class _Patience:
    """Ends a run whose loop goes on for ever on its inputs, if the run is to end (``Machine.must_end``): after many
    iterations that have taken long."""

    def __init__(self, frame: Frame, op: Operation) -> None:
        self._frame, self._op = frame, op
        self._iterations = 0
        self._begun = time.monotonic()

    def another_iteration(self) -> None:
        """Counts an iteration."""
        self._iterations += 1
        if not self._frame.machine.must_end or self._iterations <= min(_LIMITS)[0]:
            return
        passed = time.monotonic() - self._begun
        for iterations, seconds in _LIMITS:
            if self._iterations > iterations and passed > seconds:
                self._frame.fail(
                    self._op,
                    f"has not ended on these inputs after {iterations} iterations and {seconds} seconds; does it ever?",
                )


def _parted_loop(frame: Frame, op: Operation, state: Sequence[Array], condition: Region, body: Region) -> list[Array]:
    """Goes on with the lanes whose condition still holds, fewer and fewer."""
    refuse_collectives(frame, op, op.regions)
    result = [np.broadcast_to(value, (frame.lanes, *value.shape[1:])).copy() for value in state]
    active = np.arange(frame.lanes)
    patience = _Patience(frame, op)
    while True:
        patience.another_iteration()
        (going,) = frame.subset(active).run(condition.blocks[0], [value[active] for value in result])
        active = active[np.broadcast_to(going, active.shape)]
        if not len(active):
            return result
        new = frame.subset(active).run(body.blocks[0], [value[active] for value in result])
        for value, changed in zip(result, new, strict=True):
            value[active] = changed


@evaluates("stablehlo.if")
def if_else(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return branch(frame, op, np.where(operands[0], 0, 1))


@evaluates("stablehlo.case")
def case(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Branch number n; the last one if there is no such branch."""
    index, last = operands[0], len(op.regions) - 1
    return branch(frame, op, np.where((index < 0) | (index > last), last, index))


def branch(frame: Frame, op: Operation, chosen: Array) -> list[Array]:
    """Runs the region of the number that is ``chosen``, in each lane its own."""
    if (chosen == chosen[0]).all():
        return frame.nested().run(op.regions[int(chosen[0])].blocks[0], [])
    refuse_collectives(frame, op, op.regions)
    results: list[Array] = []
    for branch in np.unique(chosen):
        lanes = np.flatnonzero(chosen == branch)
        values = frame.subset(lanes).run(op.regions[int(branch)].blocks[0], [])
        if not results:
            shapes = [(frame.lanes, *value.shape[1:]) for value in values]
            results = [np.empty_like(value, order="C", shape=s) for value, s in zip(values, shapes, strict=True)]
        for result, value in zip(results, values, strict=True):
            result[lanes] = value
    return results


def refuse_collectives(frame: Frame, op: Operation, regions: Sequence[Region]) -> None:
    """Ends the run if devices that went different ways would meet in a collective."""
    if any(frame.machine.regions.needs(region).collective for region in regions):
        frame.fail(
            op,
            "deadlocks: its predicate differs between devices and a region has a collective, in which some devices "
            "would wait for the others for ever",
        )
