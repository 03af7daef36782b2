"""Folding: which arguments and results of the function belong to which layer, and which are counterparts.

All layers have arguments that are counterparts of each other: ``w0``, ``w1``, ``w2``, … These are a *family*. A family
is named by the number of its member in one layer, the template (the layer below the splice point). Results have
families in the same way. ``folded`` makes one ``Boundary`` when it folds a program, and all later stages ask that.
"""

from __future__ import annotations

from collections import Counter

from pyshardy.folding.layers import Layers
from pyshardy.ir.operation import BlockArgument, Value


class Boundary:
    """The arguments and results of the function of ``layers``; the template is layer ``below``."""

    def __init__(self, layers: Layers, below: int) -> None:
        self.arguments: list[tuple[int, int] | None] = []
        """For each argument its family and its layer; None if it belongs to no layer, or has no counterpart in the
        template."""
        self.results: list[tuple[int, int] | None] = []
        """The same for each result of the function."""
        self.layers_of_arguments: list[int | None] = []
        """The layer of each argument, of those without a family, too; None if it belongs to no layer."""
        for argument in layers.function.body.arguments:
            layer = layers.layer_of(argument)
            alike = None if layer is None else layers.counterpart_of_value(argument, below - layer)
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
            alike = None if layer is None else layers.counterpart_of_value(value, below - layer)
            number = numbers.get(alike)
            self.results.append(None if layer is None or number is None else (number, layer))
        self.argument_numbers = {found: index for index, found in enumerate(self.arguments) if found is not None}
        """The number of each argument that has a family, by this family and its layer."""
        self.result_numbers = {
            found: index
            for index, found in enumerate(self.results)
            if found is not None and times[returned[index]] == 1
        }
        """The same for results, without those whose value is returned several times."""
