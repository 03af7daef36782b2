"""The two programs of a check, the global one and the one that each device runs, and a run of both.

``check`` judges the results of runs, ``locate`` finds the first difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyshardy.checking.dependence import reached_results
from pyshardy.checking.inputs import random_inputs
from pyshardy.checking.shards import shards_of
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact.decisions import deciding_values
from pyshardy.interpreter.exact.numbers import ExactArray, void
from pyshardy.interpreter.frame import Evaluator
from pyshardy.interpreter.number_systems import NumberSystem
from pyshardy.interpreter.run import run, run_devices
from pyshardy.ir.operation import Operation, Value
from pyshardy.module import Module
from pyshardy.partitioning.boundary import Boundary
from pyshardy.partitioning.plan import Correspondence

Wrap = Callable[[str, Evaluator], Evaluator]


@dataclass(frozen=True)
class Programs:
    """The functions ``entry`` of ``source``, the global program, and of ``local``, that of each of ``devices``.

    ``arguments`` and ``results`` have the layouts of those of ``local``. ``correspondence`` maps values of the
    propagated source to their versions in a local program, if that is known; ``copies`` maps the values that it names
    to those of ``local``, if ``local`` is another copy. If ``is_guessed``, the correspondence may be wrong. Runs are
    aborted at ``end``, by ``time.monotonic()``.
    """

    source: Module
    local: Module
    entry: str
    devices: int
    arguments: tuple[Boundary, ...]
    results: tuple[Boundary, ...]
    correspondence: Correspondence | None = None
    copies: Mapping[Value, Value] | None = None
    is_guessed: bool = False
    end: float | None = None

    @property
    def function(self) -> Operation:
        """The function that the global program begins with."""
        return next(op for op in self.source.op.body if op.symbol_name == self.entry)

    def inputs(self, seed: int) -> list[Array]:
        """Random inputs of the global program, floats and complex numbers in double precision.

        Raises:
            UnknownInput: an argument has a dynamic size, or elements that are not plain numbers.
        """
        return random_inputs(self.source.op, self.function, seed)

    def run_source(self, inputs: list[Array], numbers: NumberSystem, wrap: Wrap | None = None) -> list[Array]:
        """The results of the global program for ``inputs`` on one device.

        Raises:
            PyshardyError: the interpreter cannot run it.
            OutOfTime: the time is used up.
        """
        return run(
            self.source,
            self._in(numbers, inputs),
            self.entry,
            must_end=True,
            wrap=wrap,
            numbers=numbers,
            end=self.end,
        )

    def run_traced(self, inputs: list[Array], numbers: NumberSystem, wrap: Wrap) -> None:
        """Runs the propagated program on one device, so that ``wrap`` can observe its evaluators."""
        assert self.correspondence is not None
        run(
            self.correspondence.module, self._in(numbers, inputs), self.entry, must_end=True, wrap=wrap, numbers=numbers
        )

    def run_local(self, inputs: list[Array], numbers: NumberSystem, seed: int, wrap: Wrap | None = None) -> list[Array]:
        """The results of each device for its shards of ``inputs``, stacked; padding is drawn with ``seed``.

        Raises:
            PyshardyError: the interpreter cannot run it.
        """
        generator = np.random.default_rng(seed)
        shards = [
            shards_of(value, boundary, self.devices, generator)
            for value, boundary in zip(self._in(numbers, inputs), self.arguments, strict=True)
        ]
        return run_devices(
            self.local,
            shards,
            partitions=self.devices,
            function=self.entry,
            must_end=True,
            wrap=wrap,
            numbers=numbers,
            end=self.end,
        )

    def _in(self, numbers: NumberSystem, inputs: list[Array]) -> list[Array]:
        """``inputs`` as numbers of a system, without doubles on which no decision depends if the system allows that."""
        given = [numbers.constant(value) for value in inputs]
        if not numbers.only_decided:
            return given
        deciding = self._deciding
        return [
            ExactArray(void(value.value), value.residue)
            if isinstance(value, ExactArray) and argument not in deciding
            else value
            for value, argument in zip(given, self.function.body.arguments, strict=True)
        ]

    @cached_property
    def reached_results(self) -> set[int]:
        """The results that depend on arguments, by the operations of the global program."""
        return reached_results(self.source.op, self.function)

    @cached_property
    def _deciding(self) -> set[Value]:
        return deciding_values(self.source.op)

    def run_both(
        self, inputs: list[Array], numbers: NumberSystem, seed: int, wrap: Wrap | None = None
    ) -> tuple[list[Array], list[Array]]:
        """The results of both programs, run in parallel on two cores. ``wrap`` observes the global one.

        Raises:
            PyshardyError: the interpreter cannot run one of them.
        """
        if self.source.context.callbacks:
            # User functions with side effects must run in order, so the programs run one after the other.
            return self.run_source(inputs, numbers, wrap), self.run_local(inputs, numbers, seed)
        with ThreadPoolExecutor(1) as pool:
            local = pool.submit(self.run_local, inputs, numbers, seed)
            whole = self.run_source(inputs, numbers, wrap)
            return whole, local.result()
