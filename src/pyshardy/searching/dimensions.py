"""The dimensions of a model for display: the classes of arguments and results with their names and conflicts."""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.module import Module
from pyshardy.searching.short_program import short_program
from pyshardy.searching.space import Space


@dataclass(frozen=True, repr=False)
class Dimension:
    """Dimensions that propagate together: their ``name``, the ``size`` of the smallest, the ``tensors`` of the boundary
    that have one, as ``params/layers/*/wq.1`` (the number of the dimension behind the path); the names of those that it
    ``meets`` in one tensor, so that an axis can shard only one of them; whether a loop takes slices of it
    (``is_sliced``), so that no axis should split it."""

    name: str
    size: int
    tensors: tuple[str, ...]
    meets: tuple[str, ...]
    is_sliced: bool

    def __repr__(self) -> str:
        sliced = ", sliced by a loop" if self.is_sliced else ""
        return f"<Dimension {self.name}: {self.size}, in {len(self.tensors)} tensors{sliced}>"


def dimensions_of(module: Module) -> list[Dimension]:
    """The dimensions of ``module``, sorted by the number of elements of all tensors that have them, the most first.

    Raises:
        ShardingProblem: there is no main function.
    """
    space = Space(short_program(module))
    tensors: dict[int, list[str]] = {}
    sizes: dict[int, int] = {}
    for family in space.listed:
        for place, one in enumerate(family.classes):
            tensors.setdefault(one, []).append(f"{family.name}.{place}")
            sizes[one] = min(family.shape[place], sizes.get(one, family.shape[place]))
    ordered = sorted(tensors, key=lambda one: (-space.volume(one), one))
    return [
        Dimension(
            space.names[one],
            sizes[one],
            tuple(tensors[one]),
            tuple(space.names[other] for other in ordered if other != one and space.are_in_conflict(one, other)),
            space.classes.is_sliced(one),
        )
        for one in ordered
    ]
