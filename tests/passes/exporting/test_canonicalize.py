"""Programs become simpler: constants in front, nothing dead, no collective without work."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

import pyshardy
from tests.passes.running import body_after, same_body


def test_constants_gather_in_front_and_dead_operations_go() -> None:
    same_body(
        "canonicalize",
        """
        func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
          %1 = stablehlo.add %a, %0 : tensor<4xf32>
          %2 = stablehlo.constant dense<2.0> : tensor<4xf32>
          %3 = stablehlo.add %1, %2 : tensor<4xf32>
          %4 = stablehlo.constant {foo.x} dense<1.0> : tensor<4xf32>
          %5 = stablehlo.add %3, %4 : tensor<4xf32>
          %6 = stablehlo.negate %5 : tensor<4xf32>
          return %5 : tensor<4xf32>
        }
        """,
        """
        func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
          %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
          %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
          %0 = stablehlo.add %arg0, %cst_0 : tensor<4xf32>
          %1 = stablehlo.add %0, %cst : tensor<4xf32>
          %2 = stablehlo.add %1, %cst_0 : tensor<4xf32>
          return %2 : tensor<4xf32>
        }
        """,
    )


_TWO_RESHARDS = """
    sdy.mesh @m = <["x"=2, "y"=2]>
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = sdy.reshard %a <@m, [{"x"}]> : tensor<4xf32>
      %1 = sdy.reshard %0 <@m, [{"y"}]> : tensor<4xf32>
      %2 = sdy.all_gather [{}] %1 out_sharding=<@m, [{"y"}]> : tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    """


@pytest.mark.parametrize(
    ("options", "reshards", "gathers"),
    [
        ("enable-patterns=sdy-reshard", 1, 1),
        ("enable-patterns=sdy-collective", 2, 0),
        ("disable-patterns=sdy-reshard", 2, 0),
    ],
)
def test_labels_choose_the_patterns(options: str, reshards: int, gathers: int) -> None:
    text = body_after(f"canonicalize{{{options}}}", _TWO_RESHARDS)
    assert (text.count("sdy.reshard"), text.count("sdy.all_gather")) == (reshards, gathers)


def test_an_all_reduce_that_is_only_sliced_becomes_a_reduce_scatter() -> None:
    text = body_after(
        "canonicalize",
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
          %0 = sdy.all_reduce {"x"} %a out_sharding=<@m, [{}, {}]> : tensor<4x4xf32>
          %1 = sdy.all_slice [{}, {"x", "y"}] %0 out_sharding=<@m, [{}, {"x", "y"}]> : tensor<4x4xf32>
          return %1 : tensor<4x4xf32>
        }
        """,
    )
    assert '%0 = sdy.reduce_scatter [{}, {"x"}] %arg0 out_sharding=<@m, [{}, {"x"}]>' in text
    assert '%1 = sdy.all_slice [{}, {"y"}] %0 out_sharding=<@m, [{}, {"x", "y"}]>' in text


def test_slices_in_different_branches_keep_their_all_reduce() -> None:
    program = """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
          %0 = sdy.all_reduce {"x"} %a out_sharding=<@m, [{}]> : tensor<4xf32>
          %1 = "stablehlo.case"(%i) ({
            %2 = sdy.all_slice [{"x"}] %0 out_sharding=<@m, [{"x"}]> : tensor<4xf32>
            stablehlo.return %2 : tensor<4xf32>
          }, {
            %2 = sdy.all_slice [{"x"}] %0 out_sharding=<@m, [{"x"}]> : tensor<4xf32>
            stablehlo.return %2 : tensor<4xf32>
          }) : (tensor<i32>) -> tensor<4xf32>
          return %1 : tensor<4xf32>
        }
        """
    assert body_after("canonicalize", program).count("sdy.all_slice") == 2


def test_a_manual_computation_over_nothing_is_replaced_by_its_body() -> None:
    same_body(
        "canonicalize",
        """
        sdy.mesh @m = <["x"=1, "y"=2]>
        func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
          %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%p: tensor<4xf32>) {
            %1 = stablehlo.negate %p : tensor<4xf32>
            sdy.return %1 : tensor<4xf32>
          } : (tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=1, "y"=2]>
        func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.negate %arg0 : tensor<4xf32>
          return %0 : tensor<4xf32>
        }
        """,
    )


def test_an_equal_reshard_behind_a_transpose_is_made_from_the_first() -> None:
    text = body_after(
        "canonicalize",
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
          %0 = sdy.reshard %a <@m, [{"x"}, {}]> : tensor<4x8xf32>
          %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
          %2 = sdy.reshard %1 <@m, [{}, {"x"}]> : tensor<8x4xf32>
          return %0, %2 : tensor<4x8xf32>, tensor<8x4xf32>
        }
        """,
    )
    assert text.count("sdy.reshard") == 1
    assert "%1 = stablehlo.transpose %0" in text


def test_not_converging_is_a_failure_only_if_asked_for() -> None:
    pyshardy.run_passes(pyshardy.parse(_TWO_RESHARDS), "canonicalize{max-iterations=1}")
    with pytest.raises(pyshardy.PyshardyError):
        pyshardy.run_passes(pyshardy.parse(_TWO_RESHARDS), "canonicalize{max-iterations=1 test-convergence}")
