"""Runs a part of both programs by itself, on random values.

Some operations have many results, each in a part of its own: a loop, a call, a manual computation. They run once for
all these parts. ``proof`` asks for the runs and compares their results.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pyshardy.checking.claims import ProofPart
from pyshardy.checking.global_values import DRAWINGS, GlobalValues, run_alone, without_doubles
from pyshardy.checking.inputs import Calls
from pyshardy.checking.labels import Labels
from pyshardy.checking.programs import Programs
from pyshardy.checking.shards import shards_of, spread_partial_sums
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.evaluation import Evaluation
from pyshardy.interpreter.frame import Frame, Machine
from pyshardy.interpreter.grid import Grid
from pyshardy.interpreter.number_systems import DOUBLES, EXACT, RESIDUES, NumberSystem
from pyshardy.interpreter.regions import Regions
from pyshardy.ir.operation import Operation, Value
from pyshardy.module import Module
from pyshardy.partitioning.boundary import boundaries

_MOST_BYTES = 256 << 20
"""The bytes of results that are kept at most for several parts."""


class PartResults(NamedTuple):
    """The results of a part: the value in the global program, its shards, and all values ``made`` in the global
    program, by root."""

    expected: Array
    found: Array
    made: dict[Value, Array]


class PartRuns:
    """Runs parts of ``programs``, whose local values have ``labels``; ``traced`` is the program with all shardings."""

    def __init__(self, programs: Programs, traced: Module, labels: Labels, seed: int) -> None:
        self._programs = programs
        self._labels = labels
        self._seed = seed
        local, machine, calls = _machine(programs.local, programs.devices), _machine(traced, 1), Calls(traced.op)
        self.local_regions: Regions = local.regions
        self._machines = {EXACT: local, DOUBLES: local.counting_in(DOUBLES)}
        self._machines[RESIDUES] = local.counting_in(RESIDUES).deciding(set())
        exact, doubles = (
            [GlobalValues(labels.definitions, labels, one, calls, drawing, seed) for drawing in DRAWINGS]
            for one in (machine, machine.counting_in(DOUBLES))
        )
        self._values = {EXACT: exact, RESIDUES: exact, DOUBLES: doubles}
        self._evaluation = Evaluation()
        self._kept: dict[tuple[Operation, int, NumberSystem], list[Array]] = {}
        self._bytes = 0

    def both(self, part: ProofPart, drawing: int, numbers: NumberSystem) -> PartResults:
        """The part in both programs.

        Raises:
            CannotEvaluate: one of them cannot be run by itself.
            UnknownInput: nothing can be drawn for a value.
        """
        values, labels = self._values[numbers][drawing], self._labels
        for machine in (values.machine, self._machines[numbers]):
            # The random state is reset, so that both programs draw the same random numbers.
            machine.generator = np.random.default_rng(self._seed)
        given: dict[Value, Array] = {}
        for label in part.leaves.values():
            root = labels.root(label.value)
            given[root] = values.value(root)
            if numbers is RESIDUES:
                given[root] = without_doubles(given[root])
        for op in part.made:
            results = self._made(op, part, values, given, drawing, numbers)
            for result, made in zip(op.results, results, strict=True):
                given.setdefault(labels.root(labels.definitions.definition(result)), made)
        root = labels.root(part.claim.value)
        expected = given[root] if root in given else values.value(root)
        return PartResults(expected, self._found(part, given, drawing, numbers), given)

    def _made(
        self,
        op: Operation,
        part: ProofPart,
        values: GlobalValues,
        given: dict[Value, Array],
        drawing: int,
        numbers: NumberSystem,
    ) -> list[Array]:
        # With several operations the operands of the last one depend on the part, so its results are not kept.
        key = (op, drawing, numbers) if len(part.made) == 1 and _serves_many(op) and part.is_usual else None
        kept = None if key is None else self._kept.get(key)
        if kept is None:
            kept = values.computed(op, given, decides=numbers is not RESIDUES)
            self._keep(key, kept)
        return kept

    def _found(self, part: ProofPart, given: dict[Value, Array], drawing: int, numbers: NumberSystem) -> Array:
        count = self._programs.devices
        frame = Frame(self._machines[numbers], count, np.arange(count), whole=True)
        generator = np.random.default_rng(self._seed)
        for local, (value, layout) in part.leaves.items():
            (boundary,) = boundaries((value.type,), (layout,))
            shards = shards_of(given[self._labels.root(value)], boundary, count, generator)
            frame.values[local] = spread_partial_sums(shards, layout, generator)
        for op in part.operations:
            key = (op, drawing, numbers) if _serves_many(op) and part.is_usual else None
            results = None if key is None else self._kept.get(key)
            if results is None:
                results = list(run_alone(frame, op, self._evaluation))
                self._keep(key, results)
            frame.values.update(zip(op.results, results, strict=True))
        return frame.values[part.claim.local]

    def _keep(self, key: tuple[Operation, int, NumberSystem] | None, results: list[Array]) -> None:
        if key is None or any(isinstance(one, tuple) for one in results):
            return
        size = sum(one.size * one.dtype.itemsize for one in results)
        if self._bytes + size <= _MOST_BYTES:
            self._bytes += size
            self._kept[key] = results

    def forget(self, drawing: int) -> None:
        """Frees the values of ``drawing``; they can be drawn again."""
        for values in self._values.values():
            values[drawing].forget()

    def forget_all(self) -> None:
        """Frees all values, also those shared by several parts, since their inputs have changed."""
        self._kept.clear()
        self._bytes = 0


def _serves_many(op: Operation) -> bool:
    """Whether an operation is expensive and has several results."""
    return len(op.results) > 1 and (bool(op.regions) or op.name == "func.call")


def _machine(module: Module, devices: int) -> Machine:
    machine = Machine(module.op, module.context, Grid(1, devices), module.resources, Evaluation(), EXACT)
    machine.must_end = True
    return machine
