"""Manual axes are sorted, and every sharding of the computation names all of them."""

from __future__ import annotations

from tests.passes.running import body_after, first_error

CLEAN = "sdy-manual-axes-cleanup"


def test_axes_that_a_sharding_does_not_use_become_replicated() -> None:
    program = """
        sdy.mesh @m = <["x"=2, "y"=2]>
        sdy.mesh @e = <[]>
        func.func @main(%a: tensor<8xf32>, %t: !stablehlo.token) {
          %0:2 = sdy.manual_computation(%a, %t) in_shardings=[<@m, [{"y"}]>, <@m, []>]
              out_shardings=[<@e, [{?}]>, <@e, []>] manual_axes={"y", "x"} (%b: tensor<4xf32>, %u: !stablehlo.token) {
            sdy.return %b, %u : tensor<4xf32>, !stablehlo.token
          } : (tensor<8xf32>, !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
          return
        }
        """
    text = body_after(CLEAN, program)
    assert 'in_shardings=[<@m, [{"y"}], replicated={"x"}>, <@m, []>]' in text
    assert 'out_shardings=[<@m, [{?}], replicated={"x", "y"}>, <@e, []>]' in text
    assert 'manual_axes={"x", "y"}' in text


def test_manual_axes_without_any_sharding_need_an_empty_body() -> None:
    program = """
        func.func @main() {
          sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
            BODY
            sdy.return
          } : () -> ()
          return
        }
        """
    assert 'manual_axes={"x"}' in body_after(CLEAN, program.replace("BODY", ""))
    constant = "%c = stablehlo.constant dense<1> : tensor<i32>"
    assert first_error(CLEAN, program.replace("BODY", constant)).startswith("op has manual_axes when there are no")
