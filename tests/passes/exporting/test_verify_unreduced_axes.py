"""Unreduced axes come and go only where the program says so."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

import pyshardy
from tests.passes.running import first_error

VERIFY = "func.func(sdy-verify-unreduced-axes)"
_INVALID = "without a blessed operation (e.g., sdy.reshard). This is an invalid transition from unreduced to reduced."


def program(body: str, argument: str = 'unreduced={"y"}', result: str = "") -> str:
    returned = f"{{sdy.sharding = #sdy.sharding<@m, [{{}}, {{}}]{result and ', ' + result}>}}"
    return f"""
    sdy.mesh @m = <["x"=2, "y"=2]>
    func.func @main(%a: tensor<8x8xf32> {{sdy.sharding = #sdy.sharding<@m, [{{}}, {{}}], {argument}>}}) -> (tensor<8x8xf32> {returned}) {{
      {body}
      return %0 : tensor<8x8xf32>
    }}
    func.func private @f(%a: tensor<8x8xf32> {{sdy.sharding = #sdy.sharding<@m, [{{}}, {{}}]>}}) -> tensor<8x8xf32> {{
      return %a : tensor<8x8xf32>
    }}
    """


def negated(unreduced: str) -> str:
    sharding = f"{{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}, {{}}], unreduced={unreduced}>]>}}"
    return f"%0 = stablehlo.negate %a {sharding} : tensor<8x8xf32>"


def accepted(body: str, argument: str = 'unreduced={"y"}', result: str = "") -> None:
    pyshardy.run_passes(pyshardy.parse(program(body, argument, result)), VERIFY)


def test_an_axis_may_stay_unreduced_or_be_reduced_by_a_reshard() -> None:
    accepted(negated('{"y"}'), result='unreduced={"y"}')
    accepted("%0 = sdy.reshard %a <@m, [{}, {}]> : tensor<8x8xf32>")
    accepted('%0 = sdy.all_reduce {"y"} %a out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>')


def test_sums_may_introduce_unreduced_axes() -> None:
    accepted(negated('{"x", "y"}'), result='unreduced={"x", "y"}')


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : tensor<8x8xf32>",
            f"'stablehlo.negate' op dropped unreduced axis 'y' {_INVALID}",
        ),
        (
            negated('max{"y"}'),
            "'stablehlo.negate' op cannot change the reduction operator of kept unreduced axes from sum to max.",
        ),
        (
            negated('max{"x", "y"}'),
            "'stablehlo.negate' op cannot introduce 'max' unreduced axes. Expected 'sum'.",
        ),
        (
            negated('{"y"}'),
            f"'func.return' op has unreduced axes mismatch for 'y' at return value 0 {_INVALID}",
        ),
        (
            "%0 = func.call @f(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>",
            "'func.call' op has unreduced axes mismatch for 'y' at call argument 0.",
        ),
    ],
)
def test_a_silent_change_is_an_error(body: str, message: str) -> None:
    assert first_error(VERIFY, program(body)) == message


def test_a_collective_reduces_axes_of_its_own_kind_only() -> None:
    body = '%0 = sdy.all_reduce {"y"} %a out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>'
    message = "'sdy.all_reduce' op cannot reduce 'max' unreduced axes. Expected 'sum'."
    assert first_error(VERIFY, program(body, 'unreduced=max{"y"}')) == message
