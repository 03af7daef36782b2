"""What operations became that were alike is what they would have become one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import PyshardyError, parse, partition
from pyshardy.ir.shortcuts import without_shortcuts
from pyshardy.partitioning.localizing.stamps import Stamps
from tests.generator import random_program
from tests.partitioning.fuzz import FEATURES
from tests.use_order import uses_by_number

EXAMPLES = sorted(Path("examples").glob("*.mlir"))


def outcome(program: str) -> tuple[object, ...]:
    """All that can be seen of a partition."""
    try:
        plan = partition(parse(program))
    except PyshardyError as error:
        return (str(error),)
    moved = [(one.kind, one.axes, one.group_size, one.bytes) for one in plan.collectives]
    return str(plan.module), uses_by_number(plan.module.op), moved, plan.memory.peak


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_partitioned_the_same(path: Path) -> None:
    short = outcome(path.read_text())
    with without_shortcuts():
        assert outcome(path.read_text()) == short


@pytest.mark.parametrize("seed", range(120))
def test_random_programs_are_partitioned_the_same(seed: int) -> None:
    program = random_program(seed, FEATURES)
    short = outcome(program)
    with without_shortcuts():
        assert outcome(program) == short


def test_most_operations_of_a_model_are_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    made, asked = [0], [0]
    plain = Stamps.made

    def counting(self: Stamps, *arguments: object) -> object:
        found = plain(self, *arguments)  # type: ignore[arg-type]
        asked[0] += 1
        made[0] += found is not None
        return found

    monkeypatch.setattr(Stamps, "made", counting)
    partition(parse(Path("examples/transformer_megatron.mlir").read_text()))
    assert made[0] > asked[0] / 3
