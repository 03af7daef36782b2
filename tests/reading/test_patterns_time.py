"""Patterns of sharding files with many stars: they are matched in polynomial time, and mean what they meant."""

from __future__ import annotations

import re
from random import Random

from pyshardy.reading.sharding_files.path_tree import PathTree
from pyshardy.reading.sharding_files.paths import Path, matches


def _by_expression(pattern: Path, path: Path) -> bool:
    """The same by a regular expression, which may take exponential time."""
    steps = ["(?:[^/]+/)*" if one == "**" else "[^/]*".join(map(re.escape, one.split("*"))) + "/" for one in pattern]
    return re.fullmatch("".join(steps), "".join(f"{one}/" for one in path)) is not None


def test_random_patterns_mean_what_their_expressions_mean() -> None:
    random, found = Random(0), 0
    for _ in range(20_000):
        steps = ["**", "".join(random.choice("ab*") for _ in range(random.randrange(1, 5)))]
        pattern = tuple(random.choice(steps) for _ in range(random.randrange(5)))
        path = tuple(
            "".join(random.choice("ab") for _ in range(random.randrange(1, 4))) for _ in range(random.randrange(5))
        )
        found += matches(pattern, path)
        assert matches(pattern, path) == _by_expression(pattern, path)
    assert found > 1000


def test_a_tree_of_paths_finds_those_that_match() -> None:
    random, found = Random(1), 0
    for _ in range(300):
        paths = [tuple(random.choice(["a", "b", "ab"]) for _ in range(random.randrange(5))) for _ in range(30)]
        tree: PathTree[int] = PathTree()
        for number, path in enumerate(paths):
            tree.add(path, number)
        for _ in range(20):
            pattern = tuple(random.choice(["**", "*", "a*", "b", "ab"]) for _ in range(random.randrange(5)))
            meant = [number for number, path in enumerate(paths) if matches(pattern, path)]
            found += len(meant)
            assert sorted(tree.find(pattern)) == meant
    assert found > 1000


def test_many_stars_are_matched_at_once() -> None:
    assert not matches(("a*" * 60 + "b",), ("a" * 2000,))
    assert not matches(("**",) * 60 + ("x",), ("a",) * 2000)
    tree: PathTree[None] = PathTree()
    tree.add(("a",) * 2000, None)
    assert not tree.find(("**",) * 60 + ("x",))
