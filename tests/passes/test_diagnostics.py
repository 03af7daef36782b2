"""What import and export passes say of programs that they refuse: the text and the place."""

from __future__ import annotations

import pytest

import pyshardy
from tests.passes.diagnostics import REFUSALS, Refusal


@pytest.mark.parametrize("refusal", REFUSALS, ids=[one.name for one in REFUSALS])
def test_a_refusal_says_what_is_wrong_and_where(refusal: Refusal) -> None:
    module = pyshardy.parse(refusal.text, "program.mlir", allow_unregistered=True)
    failed = False
    try:
        pyshardy.run_passes(module, f"builtin.module({refusal.passes})")
    except pyshardy.PyshardyError:
        failed = True
    said = [f"{one.position}: {one.severity}: {one.message}" for one in module.context.diagnostics]
    assert said == [f"program.mlir:{one}" for one in refusal.expected]
    assert failed == any(": error: " in one for one in refusal.expected)
