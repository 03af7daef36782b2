"""Folding: which arguments and results of the function belong to which layer, and which are counterparts.

All layers have arguments that are counterparts of each other: ``w0``, ``w1``, ``w2``, … These are a *family*. A family
is named by the number of its member in one layer, the template (the layer below the splice point). Results have
families in the same way. ``fold`` makes one ``LayerBoundary`` when it folds a program, and all later stages ask that.
"""

from __future__ import annotations

from collections import Counter

from pyshardy.folding.detecting.layers import Layers, PlaceInLayer
from pyshardy.ir.operation import BlockArgument, Value


class LayerBoundary:
    """The arguments and results of the function of ``layers``; the template is layer ``below``."""

    def __init__(self, layers: Layers, below: int) -> None:
        self.arguments: list[tuple[int, int] | None] = []
        """For each argument its family and its layer; None if it belongs to no layer, or has no counterpart in the
        template."""
        self.results: list[tuple[int, int] | None] = []
        """The same for each result of the function."""
        self.layers_of_arguments: list[int | None] = []
        """The layer of each argument, of those without a family, too; None if it belongs to no layer."""
        counterparts: dict[PlaceInLayer, Value | None] = {}
        """The values of the template at the places of arguments and results in their layers."""
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
        """The number of each argument that has a family, by this family and its layer."""
        self.result_numbers = {
            found: index
            for index, found in enumerate(self.results)
            if found is not None and times[returned[index]] == 1
        }
        """The same for results, without those whose value is returned several times."""
