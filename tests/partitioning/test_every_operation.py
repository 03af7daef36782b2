"""Each operation of the dialects, in layouts that do not divide: the local program computes the same."""

from __future__ import annotations

import pytest

from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.ir.registry import dialect
from tests.partitioning.every_operation import PROGRAMS
from tests.partitioning.random_layouts import disagreements
from tests.sampling import sampled

_ELSEWHERE = {
    "test_gathers": ["stablehlo.gather"],
    "test_linear_algebra": ["stablehlo.cholesky", "stablehlo.fft", "stablehlo.triangular_solve"],
    "test_scatters": ["stablehlo.scatter"],
    "test_sorting": ["chlo.top_k", "stablehlo.sort"],
}
"""Operations with richer families in a test file of their own."""

_STABLEHLO = DIALECT.definitions
_OF_ONE_DEVICE = {
    f"stablehlo.{name}"
    for name in (
        *(name for name in COLLECTIVE_KINDS if f"stablehlo.{name}" in _STABLEHLO),
        *("async_done", "async_start", "cross-replica-sum", "infeed", "outfeed", "partition_id", "recv", "replica_id"),
        "send",
    )
}
"""What a program of whole tensors has only in manual computations, or what acts on the world outside."""

_NOT_RUN = {
    "chlo._asin_acos_kernel",
    "chlo.scan",
    "stablehlo.return",
    "stablehlo.uniform_dequantize",
    "stablehlo.uniform_quantize",
}


def test_every_operation_of_the_dialects_is_tried() -> None:
    known = set()
    for name in ("chlo", "stablehlo"):
        found = dialect(name)
        assert found is not None
        known |= set(found.definitions)
    tried = set(PROGRAMS).union(*_ELSEWHERE.values())
    missing = known - tried - _NOT_RUN - _OF_ONE_DEVICE
    assert not missing, f"give these a program in tests/partitioning/every_operation: {sorted(missing)}"
    assert known - tried == _NOT_RUN | _OF_ONE_DEVICE


@pytest.mark.slow
@pytest.mark.parametrize("first", sampled([0, 2], 2))
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_an_operation_in_random_layouts(name: str, first: int) -> None:
    assert disagreements(PROGRAMS[name], range(first, first + 2)) == []
