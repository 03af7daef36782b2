"""Folding: which arguments and results of the function belong to which layer, and which are counterparts.

All layers have arguments that are counterparts of each other: ``w0``, ``w1``, ``w2``, … These are a *family*. A family
is named by the number of its member in one layer, the template (the layer below the splice point). Results have
families in the same way. ``fold`` makes one ``LayerBoundary`` when it folds a program, and all later stages ask that.
"""

from __future__ import annotations

from collections import Counter

from pyshardy.folding.detecting.layers import Layers
from pyshardy.ir.operation import BlockArgument, Value


class LayerBoundary:
    """The arguments and results of the function of ``layers``; the template is layer ``below``."""

    def __init__(self, layers: Layers, below: int) -> None:
        arguments, results = layers.boundary()
        places = {found[1] for found in (*arguments, *results) if found is not None}
        of_template = {place: layers.value_at(place, below) for place in places}
        self.layers_of_arguments = [None if found is None else found[0] for found in arguments]
        """The layer of each argument, of those without a family, too; None if it belongs to no layer."""
        self.arguments: list[tuple[int, int] | None] = []
        """For each argument its family and its layer; None if it belongs to no layer, or has no counterpart in the
        template."""
        for found in arguments:
            alike = None if found is None else of_template[found[1]]
            self.arguments.append((alike.index, found[0]) if found and isinstance(alike, BlockArgument) else None)
        returned = layers.operations[-1].operands
        times = Counter(returned)
        numbers: dict[Value | None, int] = {
            value: index
            for index, (value, found) in enumerate(zip(returned, results, strict=True))
            if times[value] == 1 and found is not None
        }
        self.results: list[tuple[int, int] | None] = []
        """For each result its family and its layer; None as for ``arguments``, or if the template's counterpart of its
        value is returned more than once."""
        for found in results:
            number = None if found is None else numbers.get(of_template[found[1]])
            self.results.append(None if found is None or number is None else (number, found[0]))
        self.argument_numbers = {found: index for index, found in enumerate(self.arguments) if found is not None}
        """The number of each argument that has a family, by this family and its layer."""
        self.result_numbers = {
            found: index
            for index, found in enumerate(self.results)
            if found is not None and times[returned[index]] == 1
        }
        """The number of each result that has a family and whose value is returned once, by family and layer."""
