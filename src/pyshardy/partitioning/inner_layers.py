"""Which layers of a model become the same, whatever way it is partitioned.

Layers that are alike (``repetition``: what they are made of, what they read, who reads them) become the same if those
before them do, as long as what pyshardy looks at around an operation is alike, too. So the outermost of the layers that
are alike are left aside. ``written_layers`` and ``fewer_layers``, right of this file, make use of the others.
"""

from __future__ import annotations

from pyshardy.dialects.func import is_private
from pyshardy.ir import shortcuts
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.localizing.registry import localizer
from pyshardy.partitioning.stretches import BEGINNINGS
from pyshardy.propagation.repeats import FEWEST_REPEATS
from pyshardy.propagation.repetition import Repetition, Series
from pyshardy.rules.registry import is_from_outside, looks_around

_FARTHEST_LOOK = 64
_NEAR = 16
"""What an operation becomes depends on none that stands so far behind it, if a stretch may begin with it, or else so
near it, but for the makers of what it reads and those that read its results."""
_FEWEST = 4


class InnerLayers:
    """Layers ``first`` up to (excluding) ``end`` of those that repeat in the only public function of ``module``, which
    is propagated: what an operation of theirs looks at belongs to layers that are alike. There may be none, and are
    none where fewer than ``fewest`` repeat."""

    def __init__(self, module: Operation, fewest: int = FEWEST_REPEATS) -> None:
        self.first = self.end = 0
        public = [op for op in module.body if op.name == "func.func" and not is_private(op)]
        if not shortcuts.taken() or len(public) != 1 or len(public[0].regions[0].blocks) != 1:
            return
        self.repetition = repetition = Repetition(public[0], fewest)
        if not repetition.series or not is_known_what_becomes_of_layers(repetition):
            return
        first, end = repetition.first + layers_seen(repetition, -1), repetition.end - layers_seen(repetition, 1)
        if end - first >= _FEWEST:
            self.first, self.end = first, end

    def __len__(self) -> int:
        return self.end - self.first


def is_known_what_becomes_of_layers(repetition: Repetition) -> bool:
    """Whether what becomes of all that repeats is up to pyshardy alone."""
    for op in repetition.a_layer():
        own = localizer(op.name)
        # Ours look at operands, users and regions, which are alike.
        if op.definition is None or (looks_around(op) and is_from_outside(op)):
            return False
        if own is not None and not own.__module__.startswith("pyshardy."):
            return False
    return True


def layers_seen(repetition: Repetition, direction: int) -> int:
    """How many layers must stand between those that become the same and what is unlike them, above (1) or below
    (-1)."""
    return max(_layers_seen(repetition, one, direction) for one in repetition.series)


def _layers_seen(repetition: Repetition, one: Series, direction: int) -> int:
    layer = repetition.operations[one.begin : one.begin + one.period]
    looks = one.direction == direction and any(op.name in BEGINNINGS for op in layer)
    return -(-(_FARTHEST_LOOK if looks else _NEAR) // one.period)
