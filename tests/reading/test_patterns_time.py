"""Patterns of sharding files with many stars: they are matched in polynomial time, and mean what they meant."""

from __future__ import annotations

import re
from random import Random

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


def test_many_stars_are_matched_at_once() -> None:
    assert not matches(("a*" * 60 + "b",), ("a" * 2000,))
    assert not matches(("**",) * 60 + ("x",), ("a",) * 2000)
