"""Functions of the package that are given something else than a module or plans say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pyshardy


@pytest.mark.parametrize(
    "call",
    [
        pyshardy.partition,
        pyshardy.propagate,
        lambda given: pyshardy.run_passes(given, "builtin.module()"),
        lambda given: pyshardy.search(given, "v5e"),
    ],
)
def test_a_text_is_no_module(call: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError, match=r"takes a module, as pyshardy\.parse and pyshardy\.load make one, not a str"):
        call("module {}")


def test_plans_are_compared_by_name() -> None:
    given: Any = [1]
    with pytest.raises(TypeError, match="compare takes a dictionary with plans by their names, not a list"):
        pyshardy.compare(given)
    given = {"a": pyshardy.parse("module {}")}
    with pytest.raises(TypeError, match="'a' is a Module"):
        pyshardy.compare(given)
