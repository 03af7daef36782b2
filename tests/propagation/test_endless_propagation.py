"""Shardings that undo each other for ever: an error instead of a hang."""

from __future__ import annotations

import pytest

import pyshardy
from tests.differential.fuzz import program_of
from tests.differential.pipelines import PIPELINES


def test_shardings_that_go_back_and_forth_are_an_error_at_the_operation() -> None:
    pipeline = PIPELINES["user-priority-crowded"]
    module = pyshardy.parse(program_of(120, pipeline))
    with pytest.raises(pyshardy.PyshardyError, match="propagation does not come to an end"):
        pyshardy.run_passes(module, pipeline.text)
