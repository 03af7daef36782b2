"""The dumps of user-priority propagation are those of the reference, byte for byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import pyshardy
from tests.differential.reference import run_reference
from tests.generator import Features, random_program
from tests.sampling import sampled

CHUNK = 20
FEATURES = replace(Features(), priorities=1.0, manual_computations=0.6, optimization_barriers=0.5)
OPTIONS = (
    "",
    "keep-sharding-rules=true",
    "debug-propagation-edge-sharding=true",
    "propagation-strategy=basic-then-aggressive run-op-priority-propagation=false",
)


def _dumps(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(directory.iterdir())}


def _pipeline(directory: Path, options: str) -> str:
    propagate = f"sdy-user-priority-propagate{{module-dump-directory={directory} {options}}}"
    return f"builtin.module(sdy-add-data-flow-edges,{propagate})"


@pytest.mark.parametrize("first", sampled(range(0, 40, CHUNK), 4))
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.split("=")[0] or "plain")
def test_random_programs_are_dumped_alike(options: str, first: int, tmp_path: Path) -> None:
    written = 0
    for seed in range(first, first + CHUNK):
        text = random_program(seed, FEATURES)
        theirs, ours = tmp_path / f"theirs{seed}", tmp_path / f"ours{seed}"
        theirs.mkdir()
        ours.mkdir()
        result = run_reference(text, _pipeline(theirs, options))
        if result.crashed:
            continue
        try:
            pyshardy.run_passes(pyshardy.parse(text), _pipeline(ours, options))
        except pyshardy.PyshardyError:
            assert not result.ok
        assert _dumps(ours) == _dumps(theirs), f"seed {seed}"
        written += len(_dumps(theirs))
    assert written > CHUNK // 2, "hardly anything was compared"
