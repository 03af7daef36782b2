"""What a folded program was made from is not kept in memory once it is unfolded."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

from pyshardy import Module, parse, partition, run_passes
from pyshardy.ir.operation import Operation
from tests.folding.fuzz import PIPELINES, by_few
from tests.folding.programs import perceptrons


def _in_memory() -> int:
    gc.collect()
    return sum(isinstance(one, Operation) for one in gc.get_objects())


def _passed(module: Module) -> Module:
    return run_passes(module, PIPELINES[0])


def _verified_before(module: Module) -> Module:
    run_passes(module, "builtin.module(canonicalize)")
    return run_passes(module, PIPELINES[0])


def _partitioned(module: Module) -> Module:
    return partition(module).module


@pytest.mark.parametrize("stage", [_passed, _verified_before, _partitioned])
def test_the_source_program_is_released(stage: Callable[[Module], Module]) -> None:
    text, before = perceptrons(60), _in_memory()
    folded, module = by_few(lambda: stage(parse(text)))
    assert folded
    str(module)
    # A few operations serve as examples of others.
    assert _in_memory() - before < len(module.op.operations()) + 10
