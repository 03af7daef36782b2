"""Which of many alike cases ``make test`` tries: a sample. ``make exhaustive`` tries the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], one_of: int, first: int = 0) -> list[Any]:
    """``values`` for ``parametrize``: those from ``first`` on, one of ``one_of``, and the others as exhaustive."""
    return [
        value
        if number % one_of == first % one_of
        else pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=pytest.mark.exhaustive,
        )
        for number, value in enumerate(values)
    ]
