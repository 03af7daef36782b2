"""Which arguments and results of a program belong to its layers, by numbers.

``Plan`` works out late what becomes of them, when somebody may have changed the program, or taken it apart: so it is
asked once. Left of this file is ``short_copy``; ``seam`` stands right of it.
"""

from __future__ import annotations

from collections import Counter

from pyshardy.ir.operation import BlockArgument, Value
from pyshardy.partitioning.short_copy import ShortCopy


class LayeredBoundary:
    """The arguments and results of the program that ``short`` is a copy of: for each the number of the one that is like
    it in the layer below the seam, and its own layer; None if it belongs to none, or nothing there is like it."""

    def __init__(self, short: ShortCopy) -> None:
        self.arguments: list[tuple[int, int] | None] = []
        self.results: list[tuple[int, int] | None] = []
        self.layers: list[int | None] = []
        """The layer of each argument, whether one below the seam is like it or not."""
        repetition, below = short.repetition, short.first - 1
        for argument in repetition.function.body.arguments:
            layer = repetition.layer_of(argument)
            alike = None if layer is None else repetition.moved_value(argument, below - layer)
            self.layers.append(layer)
            known = (alike.index, layer) if layer is not None and isinstance(alike, BlockArgument) else None
            self.arguments.append(known)
        returned = repetition.operations[-1].operands
        times = Counter(returned)
        numbers: dict[Value | None, int] = {
            value: index
            for index, value in enumerate(returned)
            if times[value] == 1 and repetition.layer_of(value) is not None
        }
        for value in returned:
            layer = repetition.layer_of(value)
            alike = None if layer is None else repetition.moved_value(value, below - layer)
            number = numbers.get(alike)
            self.results.append(None if layer is None or number is None else (number, layer))
        self.argument_numbers = {found: index for index, found in enumerate(self.arguments) if found is not None}
        """The number of each argument, by that of the one below the seam and the layer."""
        self.result_numbers = {
            found: index
            for index, found in enumerate(self.results)
            if found is not None and times[returned[index]] == 1
        }
        """The same of results, those left out that are returned several times."""
