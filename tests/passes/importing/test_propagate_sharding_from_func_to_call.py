"""A call without shardings gets those of the results of its function."""

from __future__ import annotations

from tests.passes.running import body_after

PASS = "sdy-propagate-sharding-from-func-to-call"
PROGRAM = """
    sdy.mesh @m = <["x"=2]>
    sdy.mesh @max = <[], device_ids=[0]>
    func.func @main() {
      %0:2 = call @f() ATTRIBUTES : () -> (tensor<8xf32>, tensor<f32>)
      return
    }
    func.func private @f() -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<RESULT>}, tensor<f32>)
    """


def _call(result: str, attributes: str = "") -> str:
    lines = body_after(PASS, PROGRAM.replace("RESULT", result).replace("ATTRIBUTES", attributes)).splitlines()
    return next(line for line in lines if "call @f" in line)


def test_results_without_a_sharding_are_open_in_the_call() -> None:
    assert '[<@m, [{"x"}]>, <@m, []>]' in _call('@m, [{"x"}]')


def test_a_call_that_has_shardings_keeps_them() -> None:
    written = "{sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}]>, <@m, []>]>}"
    assert written in _call('@m, [{"x"}]', written)


def test_shardings_on_maximal_meshes_alone_do_not_count() -> None:
    assert "sdy.sharding" not in _call("@max, []")
