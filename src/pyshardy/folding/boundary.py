"""The arguments and results of a program, by the layers that they belong to."""

from __future__ import annotations

from collections import Counter

from pyshardy.folding.layers import Layers, PlaceInLayer
from pyshardy.ir.operation import BlockArgument, Value


class Boundary:
    """What the function of ``layers`` takes and returns, as seen from layer ``below``."""

    def __init__(self, layers: Layers, below: int) -> None:
        self.arguments: list[tuple[int, int] | None] = []
        """For each argument the number of the one that is like it in layer ``below``, and its own layer; None if it
        belongs to none, or nothing there is like it."""
        self.results: list[tuple[int, int] | None] = []
        """The same for the results of the program."""
        self.layers_of_arguments: list[int | None] = []
        """The layer of each argument, whether one in layer ``below`` is like it or not."""
        counterparts: dict[PlaceInLayer, Value | None] = {}
        """What stands in layer ``below`` where arguments and results stand in theirs."""

        arguments, results = layers.boundary()
        for found in {*arguments, *results}:
            if found is not None and found[1] not in counterparts:
                counterparts[found[1]] = layers.value_at(found[1], below)
        for found in arguments:
            self.layers_of_arguments.append(None if found is None else found[0])
            alike = None if found is None else counterparts[found[1]]
            self.arguments.append((alike.index, found[0]) if found and isinstance(alike, BlockArgument) else None)
        returned = layers.operations[-1].operands
        times = Counter(returned)
        numbers: dict[Value | None, int] = {
            value: index
            for index, (value, found) in enumerate(zip(returned, results, strict=True))
            if times[value] == 1 and found is not None
        }
        for found in results:
            number = None if found is None else numbers.get(counterparts[found[1]])
            self.results.append(None if found is None or number is None else (number, found[0]))
        self.argument_numbers = {found: index for index, found in enumerate(self.arguments) if found is not None}
        """The number of each argument, by that of the one in layer ``below`` and the layer."""
        self.result_numbers = {
            found: index
            for index, found in enumerate(self.results)
            if found is not None and times[returned[index]] == 1
        }
        """The same of results, those left out that are returned several times."""
