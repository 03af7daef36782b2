"""What a question is about: every way to name a tensor or a collective, and what is said where a name does not do."""

import re

import pytest

from pyshardy import parse
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.analysis.why.explanation import CollectiveExplanation, TensorExplanation
from pyshardy.analysis.why.subjects import UnknownSubject

PROGRAM = """#model = loc("model.py":41:3)
#mlp = loc("jit(step)/layer_3/mlp/dot_general"(#model))
#tanh = loc("jit(step)/layer_3/mlp/tanh"(#model))
#later = loc("model.py":57:3)
#other = loc("jit(step)/layer_4/mlp/tanh"(#later))
module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func private @f(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.exponential %a : tensor<8x4xf32> loc(#later)
    %1 = stablehlo.negate %0 : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
  func.func @main(
      %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("params['layers'][0]['w']"),
      %b: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>} loc("params['layers'][1]['w']"),
      %n: tensor<i32> loc("steps"))
      -> (tensor<8x4xf32> {jax.result_info = "result[0]"}, tensor<8x4xf32> {jax.result_info = "result[1]['loss']"}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32> loc(#mlp)
    %1 = stablehlo.tanh %0 : tensor<8x4xf32> loc(#tanh)
    %2 = call @f(%1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %3:2 = stablehlo.while(%i = %n, %v = %2) : tensor<i32>, tensor<8x4xf32>
    cond {
      %c = stablehlo.constant dense<3> : tensor<i32>
      %5 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = stablehlo.tanh %v : tensor<8x4xf32> loc(#other)
      stablehlo.return %i, %5 : tensor<i32>, tensor<8x4xf32>
    }
    return %1, %3#1 : tensor<8x4xf32>, tensor<8x4xf32>
  }
}
"""


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return Explainer(parse(PROGRAM, "program.mlir"))


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("params['layers'][0]['w']", "%arg0"),
        ("params/layers/1/w", "%arg1"),
        ("%arg1", "%arg1"),
        ("result[0]", "result 0"),
        ("result[1]['loss']", "result 1"),
        ("result/1/loss", "result 1"),
        ("%0", "%0"),
        ("%3#1", "%3#1"),
        ("@f/%0", "@f/%0"),
        ("@f/%arg0", "@f/%arg0"),
        ("dot_general:0", "%0"),
        ("stablehlo.dot_general:0", "%0"),
        ("tanh:0", "%1"),
        ("while:0#1", "%3#1"),
        ("while:0/%iterArg_0", "%iterArg_0"),
        ("layer_3/mlp:dot_general", "%0"),
        ("layer_4", "%4"),
        ("layer_4/mlp", "%4"),
        ("layer_3/mlp:tanh", "%1"),
        ("model.py:41:tanh", "%1"),
    ],
)
def test_a_tensor_goes_by_any_of_its_names(explainer: Explainer, what: str, value: str) -> None:
    (answer,) = explainer.explain(what, edits=False)
    assert isinstance(answer, TensorExplanation) and answer.value == value


@pytest.mark.parametrize(
    ("what", "values"),
    [
        ("params/layers/*/w", ["%arg0", "%arg1"]),
        ("result/**", ["result 0", "result 1"]),
        ("tanh:*", ["%1", "%4"]),
        ("layer_*/mlp", ["%0", "%1", "%4"]),
        ("layer_3/*", ["%0", "%1"]),
        ("@f/%*", ["@f/%arg0", "@f/%0", "@f/%1"]),
    ],
)
def test_a_star_means_every_one(explainer: Explainer, what: str, values: list[str]) -> None:
    answers = explainer.explain(what)
    assert [one.value for one in answers if isinstance(one, TensorExplanation)] == values


@pytest.mark.parametrize("what", ["all_reduce:0", "partition/all_reduce:0"])
def test_a_collective_goes_by_kind_and_number(explainer: Explainer, what: str) -> None:
    (answer,) = explainer.explain(what, edits=False)
    assert isinstance(answer, CollectiveExplanation) and answer.question == "all_reduce:0"


def candidates(explainer: Explainer, what: str) -> list[str]:
    """What an ambiguous name is answered with."""
    with pytest.raises(UnknownSubject) as caught:
        explainer.explain(what)
    listed = str(caught.value).partition(": ")[2]
    return [one.split(" (")[0].split(": <")[0] for one in listed.split("; ")]


@pytest.mark.parametrize("what", ["layer_3", "layer_3/mlp", "model.py:41", "%iterArg", "model.py:57", "%5"])
def test_each_candidate_of_an_ambiguous_name_works(what: str) -> None:
    text = PROGRAM
    if what in ("%iterArg", "%5"):
        loop = re.search(r"    %3:2 = .*?^    }$", text, re.MULTILINE | re.DOTALL)
        assert loop is not None
        again = loop[0].replace("%3:2", "%9:2").replace("%v = %2", "%v = %3#1")
        text = text.replace(loop[0], f"{loop[0]}\n{again}")
    explainer = Explainer(parse(text, "program.mlir"))
    found = candidates(explainer, what)
    assert len(found) == len(set(found)) > 1
    values = [explainer.explain(one, edits=False)[0] for one in found]
    assert all(isinstance(one, TensorExplanation) for one in values)


def test_a_constant_that_was_copied_goes_by_the_number_of_the_copy() -> None:
    program = """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = stablehlo.add %a, %c : tensor<8xf32>
  %1 = stablehlo.add %b, %c : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}"""
    explainer = Explainer(parse(program))
    assert candidates(explainer, "%cst") == ["%cst@0", "%cst@1"]
    shardings = [explainer.explain(f"%cst@{copy}")[0] for copy in range(2)]
    assert [one.sharding for one in shardings if isinstance(one, TensorExplanation)] == [
        '<@mesh, [{"x"}]>',
        '<@mesh, [{"y"}]>',
    ]
    assert len(explainer.explain("constant:*")) == 2


def test_an_operation_of_the_program_and_a_collective_of_the_plan_are_told_apart() -> None:
    program = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>]
      manual_axes={"x"} (%p: tensor<4x8xf32>) {
    %2 = "stablehlo.all_gather"(%p) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}>
        : (tensor<4x8xf32>) -> tensor<8x8xf32>
    sdy.return %2 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}"""
    explainer = Explainer(parse(program))
    with pytest.raises(UnknownSubject, match=r"write stablehlo.all_gather:0 or partition/all_gather:0"):
        explainer.explain("all_gather:0")
    assert isinstance(explainer.explain("stablehlo.all_gather:0", edits=False)[0], TensorExplanation)
    assert isinstance(explainer.explain("partition/all_gather:0", edits=False)[0], CollectiveExplanation)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("params['layers'][0]['v']", "did you mean"),
        ("%77", "no value that MLIR prints so"),
        ("dot_generel:0", "did you mean 'dot_general'"),
        ("stablehlo.dot_generel:0", "no operation and no collective is called so"),
        ("model.py:777", "near it there are some on lines"),
        ("other.py:1", "nothing comes from a file of that name"),
        ("tanh:7", "there are 2 of these in the program, counted from 0"),
        ("all_reduce:7", "there is no such collective; the partition has 1 all_reduce"),
        ("tanh:0@3", "passes made 1 of it, counted from 0"),
        ("params['layers'][7]['w']", "there is no params/layers/7, the last one is params/layers/1"),
        ("params/layers/7", "no argument or result"),
        ("params/layers/0", "no argument or result of the program is called so, only what is below it; there are "),
        ("while:0/%iterArg_9", "no argument of a region of while:0 is called so; there are %iterArg, %iterArg_0"),
        ("while:3/%iterArg", "there are 1 while in the program, counted from 0"),
        ("for:0/%iterArg", "no operation of the program is called for"),
        ("tanh:0/%iterArg", "tanh:0 has no region with arguments"),
        ("@f", "no argument or result"),
        ("", "no argument or result"),
    ],
)
def test_what_means_nothing_is_answered_with_what_there_is(explainer: Explainer, what: str, said: str) -> None:
    with pytest.raises(UnknownSubject, match=re.escape(said)):
        explainer.explain(what)
