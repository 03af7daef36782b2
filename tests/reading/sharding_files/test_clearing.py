"""`clear = true`: what the program says goes, and a strategy begins from nothing."""

import pytest

from pyshardy import Module, ShardingProblem, load_shardings, parse, partition

PROGRAM = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @other = <["z"=8]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("a"))
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.sine %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@other, [{"z"}, {}]> : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %3 = stablehlo.tanh %2 : tensor<8x8xf32>
  %4 = call @inner(%3) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
func.func private @inner(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@other, [{"z"}, {}]>}) {
  %0 = stablehlo.cosine %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""

MANUAL = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>} loc("a")) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}
      (%b: tensor<4xf32>) {
    %1 = stablehlo.sine %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


def cleared(text: str, **tables: object) -> Module:
    module = parse(text)
    module.apply_shardings({"clear": True, **tables})
    return module


def test_all_that_no_line_means_goes_and_the_mesh_is_another() -> None:
    module = cleared(PROGRAM, mesh={"a": 2, "b": 3}, shardings={"a": ["a"]})
    text = str(module)
    assert 'sdy.mesh @mesh = <["a"=2, "b"=3]>' in text and "@other" not in text
    assert text.count('{"a"}') == 1
    assert not any(axis in text for axis in ('{"x"}', '{"y"}', '{"z"}')) and "sdy.reshard" not in text
    assert "sdy.sharding_constraint %0 <@mesh, [{?}, {?}]>" in text
    assert partition(module).check().agrees


def test_without_it_the_rest_of_the_program_holds_its_mesh() -> None:
    with pytest.raises(ShardingProblem, match="several meshes"):
        parse(PROGRAM).apply_shardings({"mesh": {"a": 2, "b": 3}, "shardings": {"a": ["a"]}})


def test_a_manual_computation_keeps_what_it_says() -> None:
    text = str(cleared(MANUAL, shardings={"a": []}))
    assert 'in_shardings=[<@mesh, [{"x"}]>]' in text and '{"y"}' not in text


def test_a_program_that_lines_do_not_fit_stays_as_it_was() -> None:
    module = parse(PROGRAM)
    before = str(module)
    with pytest.raises(ShardingProblem, match="no axis 'c'"):
        module.apply_shardings({"clear": True, "mesh": {"a": 2}, "shardings": {"a": ["c"]}})
    assert str(module) == before


def test_strategies_inherit_it_and_may_say_otherwise() -> None:
    tables = {
        "strategy": {
            "one": {"clear": True, "shardings": {"a": []}},
            "two": {"inherits": "one"},
            "three": {"inherits": "two", "clear": False},
        }
    }
    assert [load_shardings(tables, name).clear for name in ("one", "two", "three")] == [True, True, False]


def test_it_is_true_or_false() -> None:
    with pytest.raises(ShardingProblem, match="shardings: clear is true or false, not 'yes'"):
        load_shardings({"clear": "yes", "shardings": {}})
