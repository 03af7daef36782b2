"""Union-find on numbers, in which the lowest number of a set represents it."""

from __future__ import annotations


class DisjointSets:
    """Sets of the numbers that ``new`` has given, each by itself at first."""

    __slots__ = ("_parents",)

    def __init__(self) -> None:
        self._parents: list[int] = []

    def new(self) -> int:
        """A number that is in no set with others."""
        self._parents.append(len(self._parents))
        return len(self._parents) - 1

    def find(self, one: int) -> int:
        """The lowest number of the set of ``one``."""
        parents = self._parents
        root = one
        while parents[root] != root:
            root = parents[root]
        while parents[one] != root:
            parents[one], one = root, parents[one]
        return root

    def join(self, one: int, other: int) -> tuple[int, int]:
        """Makes the sets of two numbers one: what represented them, the lower first, which represents both now."""
        first, second = sorted((self.find(one), self.find(other)))
        self._parents[second] = first
        return first, second

    @property
    def roots(self) -> list[int]:
        """The lowest number of each set, in order."""
        return [one for one, parent in enumerate(self._parents) if one == parent]
