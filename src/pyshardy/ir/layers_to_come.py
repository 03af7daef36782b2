"""What passes leave for somebody who will put layers into a program behind them (``partitioning.few_layers``)."""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.ir.locations import Location


class Exported(NamedTuple):
    """A function that was made of a computation: where that stood, which name it wanted, and which it was given."""

    location: int | Location | None
    wanted: str
    given: str


class LayersToCome:
    """Layers will be put into the midst of a program. Propagation refuses it if it does not know that they become what
    those beside them become; ``exported`` are the functions that were made of computations, in order, and ``taken`` the
    symbols that were there before."""

    def __init__(self) -> None:
        self.exported: list[Exported] = []
        self.taken: frozenset[str] = frozenset()
