"""Conflicts: where the shardings around an operation do not fit together."""

from pyshardy.api.programs import parse
from pyshardy.report.conflicts import find_conflicts


def conflicts(x: str, y: str, out: str) -> list[str]:
    t = "tensor<8x8xf32>"
    module = parse(f"""sdy.mesh @m = <["a"=2, "b"=4]>
func.func @main(%x: {t} {{sdy.sharding = #sdy.sharding<@m, {x}>}}, %y: {t} {{sdy.sharding = #sdy.sharding<@m, {y}>}})
    -> {t} {{
  %0 = stablehlo.dot %x, %y {{sdy.sharding = #sdy.sharding_per_value<[<@m, {out}>]>}} : ({t}, {t}) -> {t}
  return %0 : {t}
}}""")
    return [f"{one.kind}: {one.text}" for one in find_conflicts(module.op, module.context).conflicts]


def test_shardings_that_fit_have_none() -> None:
    assert conflicts('[{"a"}, {}]', '[{}, {"b"}]', '[{"a"}, {"b"}]') == []


def test_a_sharded_contraction_is_no_conflict() -> None:
    assert conflicts('[{}, {"a"}]', '[{"a"}, {}]', "[{}, {}]") == []


def test_tensors_that_disagree_on_a_factor_are_listed() -> None:
    assert conflicts('[{"a"}, {}]', "[{}, {}]", '[{"b"}, {}]') == [
        'disagreement: factor i: operand 0 {"a"}, result {"b"}'
    ]


def test_an_axis_that_serves_two_factors_is_listed() -> None:
    assert conflicts('[{"a"}, {}]', '[{}, {"a"}]', "[{}, {}]") == [
        'disagreement: factor i: operand 0 {"a"}, result {}',
        'disagreement: factor j: operand 1 {"a"}, result {}',
        'shared axis: one axis for two factors, i and j: operand 0 {"a"}, operand 1 {"a"}',
    ]
