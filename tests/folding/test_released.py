"""What a folded program was made from is not kept in memory once it is unfolded."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from pyshardy import Module, parse, partition, run_passes
from pyshardy.ir.operation import Operation
from tests.folding.fuzz import PIPELINES, by_few
from tests.folding.programs import perceptrons


@pytest.fixture(autouse=True)
def only_new_objects() -> Iterator[None]:
    """Only what a test makes is counted, and looked through: other tests leave millions of objects in the process."""
    gc.freeze()
    yield
    gc.unfreeze()


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
    text = perceptrons(60)
    folded, module = by_few(lambda: stage(parse(text)))
    assert folded
    str(module)
    # A few operations serve as examples of others.
    assert len(module.op.operations()) <= _in_memory() < len(module.op.operations()) + 10
