"""A call yields what its function yields, and a reshard makes what the program wants of it."""

from __future__ import annotations

import pytest

from tests.passes.running import body_after

PASS = "sdy-insert-func-call-reshards"
PROGRAM = """
    sdy.mesh @m = <["x"=2, "y"=2]>
    sdy.mesh @n = <["x"=2, "y"=2]>
    func.func @main() -> tensor<8xf32> {
      %0 = call @f() {WANTED} : () -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f() -> (tensor<8xf32> {PRODUCED})
    """


def _after(wanted: str, produced: str) -> str:
    call = f"sdy.sharding = #sdy.sharding_per_value<[{wanted}]>" if wanted else ""
    result = f"sdy.sharding = #sdy.sharding{produced}" if produced else ""
    return body_after(PASS, PROGRAM.replace("WANTED", call).replace("PRODUCED", result))


@pytest.mark.parametrize(
    ("wanted", "produced", "reshard"),
    [
        ('<@m, [{"y"}]>', '<@m, [{"x"}]>', '<@m, [{"y"}]>'),
        ("", '<@m, [{"x", ?}]>', "<@m, [{}]>"),
        ('<@n, [{"x"}]>', '<@m, [{"x"}]>', '<@n, [{"x"}]>'),
    ],
    ids=["other axes", "none wanted", "another mesh"],
)
def test_what_differs_is_resharded(wanted: str, produced: str, reshard: str) -> None:
    text = _after(wanted, produced)
    assert f"call @f() {{sdy.sharding = #sdy.sharding_per_value<[{produced}]>}}" in text
    assert f"%1 = sdy.reshard %0 {reshard} : tensor<8xf32>\n  return %1" in text


def test_a_function_without_shardings_yields_replicated_results() -> None:
    text = _after('<@m, [{"y", ?}]>', "")
    assert "[<@m, [{}]>]" in text and 'sdy.reshard %0 <@m, [{"y", ?}]>' in text


@pytest.mark.parametrize(
    ("wanted", "produced"),
    [
        ('<@m, [{"x"}], replicated={"y"}>', '<@m, [{"x", ?}]>'),
        ('<@m, [{"x"}p1], unreduced={"y"}>', '<@m, [{"x"}]>'),
        ("<@n, [{?}]>", "<@m, [{}]>"),
    ],
    ids=["open or replicated", "unreduced", "replicated on another mesh"],
)
def test_what_lays_out_alike_is_not_resharded(wanted: str, produced: str) -> None:
    text = _after(wanted, produced)
    assert "reshard" not in text and f"[{produced}]" in text


def test_without_any_sharding_nothing_happens() -> None:
    assert "sdy.sharding" not in _after("", "")
