"""What the reference says of the programs that import and export passes refuse, where it does not crash."""

from __future__ import annotations

import pytest

from tests.differential.reference import run_reference
from tests.passes.diagnostics import REFUSALS, Refusal

_SHARED = [one for one in REFUSALS if one.is_shared]


@pytest.mark.parametrize("refusal", _SHARED, ids=[one.name for one in _SHARED])
def test_the_reference_says_the_same_at_the_same_place(refusal: Refusal) -> None:
    result = run_reference(refusal.text, f"builtin.module({refusal.passes})", allow_unregistered=True)
    said = [line.split(" see current operation")[0] for line in result.diagnostics if ": note: " not in line]
    assert said == [f"-:{one}" for one in refusal.expected]
