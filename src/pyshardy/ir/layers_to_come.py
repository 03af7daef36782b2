"""What passes leave for somebody who will put layers into a program behind them (``partitioning.few_layers``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation


class Exported(NamedTuple):
    """A function that was made of a computation: where that stood, which name it wanted, and which it was given."""

    location: int | Location | None
    wanted: str
    given: str


class LayersToCome:
    """Layers will be put into the midst of a program, between layers that are alike, ``fewest`` of them. For each
    series of layers ``pairs`` are operations below and above the place that are alike. Propagation refuses the program
    if it does not know that what is put in becomes what those beside it become; ``beside`` is how many layers would
    have to stand on each side, if it could say that. ``exported`` are the functions that were made of computations, in
    order, and ``taken`` the symbols that were there before."""

    def __init__(self, fewest: int, pairs: Sequence[Sequence[tuple[Operation, Operation]]]) -> None:
        self.fewest = fewest
        self.pairs = pairs
        self.beside = 0
        self.exported: list[Exported] = []
        self.taken: frozenset[str] = frozenset()
