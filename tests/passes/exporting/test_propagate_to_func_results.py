"""Results of functions are sharded as what is returned."""

from __future__ import annotations

from tests.passes.running import body_after, first_error

PASS = "sdy-propagate-to-func-results"
FUNCTION = """
    sdy.mesh @m = <["x"=2]>
    func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %b: tensor<8xf32>)
        -> (tensor<8xf32>, tensor<8xf32> {jax.k = 1 : i32, sdy.sharding = #sdy.sharding<@m, [{}]>}) {
      return %a, %b : tensor<8xf32>, tensor<8xf32>
    }
    """


def test_a_result_gets_the_sharding_of_the_value_or_loses_its_own() -> None:
    text = body_after(PASS, FUNCTION + "func.func @main() { return }")
    assert '-> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, tensor<8xf32> {jax.k = 1 : i32})' in text


def test_the_only_function_is_the_main_one_and_keeps_what_it_says() -> None:
    text = body_after(PASS, FUNCTION)
    assert "-> (tensor<8xf32>, tensor<8xf32> {jax.k = 1 : i32, sdy.sharding = #sdy.sharding<@m, [{}]>})" in text


def test_a_declaration_is_left_alone() -> None:
    declaration = "func.func private @g() -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>})"
    assert declaration in body_after(PASS, FUNCTION + declaration + "func.func @main() { return }")


def test_a_module_without_a_main_function_is_refused() -> None:
    assert first_error(PASS, "") == "Failed to lookup function: main"
