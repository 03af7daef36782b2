"""The arguments and results of a program, by the layers that they belong to."""

from __future__ import annotations

from collections import Counter

from pyshardy.folding.layers import Layers
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
        for argument in layers.function.body.arguments:
            layer = layers.layer_of(argument)
            alike = None if layer is None else layers.moved_value(argument, below - layer)
            self.layers_of_arguments.append(layer)
            known = (alike.index, layer) if layer is not None and isinstance(alike, BlockArgument) else None
            self.arguments.append(known)
        returned = layers.operations[-1].operands
        times = Counter(returned)
        numbers: dict[Value | None, int] = {
            value: index
            for index, value in enumerate(returned)
            if times[value] == 1 and layers.layer_of(value) is not None
        }
        for value in returned:
            layer = layers.layer_of(value)
            alike = None if layer is None else layers.moved_value(value, below - layer)
            number = numbers.get(alike)
            self.results.append(None if layer is None or number is None else (number, layer))
        self.argument_numbers = {found: index for index, found in enumerate(self.arguments) if found is not None}
        """The number of each argument, by that of the one in layer ``below`` and the layer."""
        self.result_numbers = {
            found: index
            for index, found in enumerate(self.results)
            if found is not None and times[returned[index]] == 1
        }
        """The same of results, those left out that are returned several times."""
