"""A prefix tree of paths, to find the matches of a pattern without testing every path.

Thousands of names of a model share a few first components. A pattern is matched down the tree component by component,
as ``paths.matches`` does along one path.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from pyshardy.reading.sharding_files.paths import Path, step_matches

T = TypeVar("T")


class PathTree(Generic[T]):
    """A node of the tree: the things with just this path, and the nodes below by their component."""

    __slots__ = ("_below", "_by_step", "_here")

    def __init__(self) -> None:
        self._here: list[T] = []
        self._below: dict[str, PathTree[T]] = {}
        self._by_step: dict[str, list[PathTree[T]]] | None = None
        """All nodes below this one by their component, once that was asked for."""

    def add(self, path: Path, thing: T) -> None:
        """Adds ``thing`` at ``path``, after those that are there."""
        self._by_step = None
        node = self
        for step in path:
            below = node._below.get(step)
            if below is None:
                below = node._below[step] = PathTree()
            node = below
        node._here.append(thing)

    def at(self, path: Path) -> list[T]:
        """The things at just this path."""
        node: PathTree[T] | None = self
        for step in path:
            node = node._below.get(step) if node is not None else None
        return node._here if node is not None else []

    def find(self, pattern: Path) -> list[T]:
        """The things at paths that ``pattern`` matches, in no particular order.

        >>> tree = PathTree()
        >>> for number, path in enumerate([("a", "x"), ("b", "x"), ("b", "c", "x"), ("b",)]):
        ...     tree.add(path, number)
        >>> tree.find(("b", "*")), sorted(tree.find(("**", "x"))), sorted(tree.find(("b", "**")))
        ([1], [0, 1, 2], [1, 2, 3])
        """
        # The nodes that the pattern up to here reaches, each once.
        reached, rest = [self], pattern
        if len(pattern) > 1 and pattern[0] == "**" and "*" not in pattern[1]:
            reached, rest = self._all_called(pattern[1]), pattern[2:]
        for step in rest:
            if step == "**":
                reached = _with_all_below(reached)
            elif "*" in step:
                reached = [below for node in reached for name, below in node._below.items() if step_matches(step, name)]
            else:
                reached = [node._below[step] for node in reached if step in node._below]
        return [thing for node in reached for thing in node._here]

    def _all_called(self, step: str) -> list[PathTree[T]]:
        """The nodes below this one whose component is ``step``."""
        found = self._by_step
        if found is None:
            found = self._by_step = {}
            for node in _with_all_below([self]):
                for name, below in node._below.items():
                    found.setdefault(name, []).append(below)
        return found.get(step, [])


def _with_all_below(nodes: list[PathTree[T]]) -> list[PathTree[T]]:
    found: dict[int, PathTree[T]] = {}
    pending = nodes.copy()
    while pending:
        node = pending.pop()
        if id(node) not in found:
            found[id(node)] = node
            pending += node._below.values()
    return list(found.values())
