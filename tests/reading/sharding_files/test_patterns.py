"""Which tensors a pattern means."""

from random import Random

import pytest

from pyshardy import parse
from pyshardy.reading.sharding_files.paths import matches, path_of_name, path_of_pattern
from pyshardy.reading.sharding_files.shardable_tensors import ShardableTensors
from tests.reading.sharding_files.programs import applied, step

WQ0, WQ1 = "params['layers'][0]['wq']", "params['layers'][1]['wq']"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("params['layers'][3]['wq']", "params/layers/3/wq"),
        ("state.params['w'].value", "state/params/w/value"),
        ("[0][0].mu['w']", "0/0/mu/w"),
        ('params["w"]', "params/w"),
        ("params['linear.weight']", "params/linear.weight"),
        ("params['mlp/linear_0']['w']", "params/mlp/linear_0/w"),
        ("tree[<flat index 2>]", "tree/2"),
        ("result[1]['loss']", "result/1/loss"),
        ("result 3", "result/3"),
        ("%arg7", "arg7"),
        ("x", "x"),
    ],
)
def test_names_of_frameworks_become_paths(name: str, path: str) -> None:
    assert "/".join(path_of_name(name)) == path


@pytest.mark.parametrize(
    ("pattern", "path", "meant"),
    [
        ("params/*/w", "params/a/w", True),
        ("params/*/w", "params/a/b/w", False),
        ("params/**/w", "params/a/b/w", True),
        ("params/**/w", "params/w", True),
        ("**/w", "w", True),
        ("params/w_*", "params/w_in", True),
        ("params/w_*", "params/w_in/x", False),
        ("params/**", "params/a/b", True),
        ("**", "a/b", True),
        ("w", "params/w", False),
        ("a.b", "axb", False),
    ],
)
def test_a_star_stays_within_a_step_and_two_stars_go_over_steps(pattern: str, path: str, meant: bool) -> None:
    assert matches(tuple(pattern.split("/")), tuple(path.split("/"))) is meant


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("params/**/wq", [WQ0, WQ1]),
        ("params['layers'][*]['wq']", [WQ0, WQ1]),
        ("params['layers'][1]['wq']", [WQ1]),
        ("state/params/b/value", ["state.params['b'].value"]),
        ("state.step", ["state.step"]),
        ("%arg4", ["batch['x']"]),
        ("result/*", ["result['y']", "result['step']"]),
        ("**/step", ["state.step", "result['step']"]),
        ("attention:dot_general", ["attention:dot_general"]),
        ("jit(step)/jvp(attention):dot_general", ["attention:dot_general"]),
        ("**/attention/*:tanh", ["attention/inner:tanh"]),
        ("attention/**:*", ["attention:dot_general", "attention/inner:tanh"]),
        (":dot_general", ["attention:dot_general", "mlp:dot_general"]),
        (":stablehlo.dot_general:1", ["mlp:dot_general"]),
        ("model.py:43", ["attention/inner:tanh"]),
        ("me/model.py:42:dot_general", ["attention:dot_general"]),
        ("other.py:42", []),
        ("attention/*:dot_general", []),
        (":dot_general:2", []),
    ],
)
def test_a_pattern_means_these_tensors(pattern: str, names: list[str]) -> None:
    assert [tensor.name for tensor in ShardableTensors(step()).find(pattern)] == names


NAMES = [
    "params['layers'][0]['wq']",
    "params['layers'][10]['wq']",
    "params['layers'][1]['wq.kernel']",
    "params['mlp/linear_0']['w']",
    "state.params['w'].value",
    "tree[<flat index 2>]",
    "[0][0].mu['w']",
    "%arg3",
    "result 1",
    "w",
    "w",
    "ww",
    "w*",
    "",
    r"a\00ww\00b['w']",
    "x",
]
STEPS = [
    "params",
    "layers",
    "*",
    "**",
    "0",
    "1*",
    "*1",
    "wq",
    "w",
    "w*",
    "*w*",
    "result",
    "arg*",
    "a*b",
    "value",
    "mlp",
]


@pytest.mark.parametrize("names", [NAMES, [name for name in NAMES if "00" not in name] * 3, ["x"], []])
def test_patterns_mean_what_their_paths_say(names: list[str]) -> None:
    random = Random(len(names))
    arguments = ", ".join(
        f'%arg{number}: {"!stablehlo.token" if name == "x" else "tensor<8xf32>"} {{jax.arg_info = "{name}"}}'
        for number, name in enumerate(names)
    )
    module = parse(f"func.func @main({arguments}) {{ return }}")
    patterns = [*names, *(f"%arg{number}" for number in range(20)), "%arg03", "result 0", "result 1"]
    patterns += ["/".join(random.choices(STEPS, k=random.randrange(1, 5))) for _ in range(400)]
    for first in range(0, len(patterns), 40):
        # The first of them are looked up without a tree of all paths.
        tensors, boundary = ShardableTensors(module), ShardableTensors(module).boundary
        for pattern in patterns[first : first + 40]:
            path, named = path_of_pattern(pattern), [one for one in boundary if pattern in one.names]
            expected = [one for one in boundary if one in named or matches(path, one.path)]
            if named and "*" not in pattern:
                expected = named
            assert tensors.find(pattern) == [one.tensor for one in expected], pattern


def test_the_backward_pass_is_meant_by_its_own_scope_alone() -> None:
    text = str(step().text(debug_info=True)).replace("jvp()/mlp/dot_general", "transpose(jvp(attention))/dot_general")
    tensors = ShardableTensors(parse(text))
    assert len(tensors.find("attention:dot_general")) == 1
    assert len(tensors.find("transpose(jvp(attention)):dot_general")) == 1


def test_what_a_framework_makes_on_the_way_does_not_go_by_its_name() -> None:
    tensors = ShardableTensors(
        parse("""
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.constant dense<2.0> : tensor<f32> loc("jit(f)/mul"("model.py":3:1))
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(f)/mul"("model.py":3:1))
  %2 = stablehlo.multiply %x, %1 : tensor<8xf32> loc("jit(f)/mul"("model.py":3:1))
  return %2 : tensor<8xf32>
}""")
    )
    assert [one.name for one in tensors.find(":mul")] == [":multiply"]
    assert [one.name for one in tensors.find("model.py:3")] == [":broadcast_in_dim", ":multiply"]
    assert [one.name for one in tensors.find("model.py:3:constant")] == [":constant"]


def test_later_patterns_win() -> None:
    lines: dict[str, object] = {"params/**": ["data"], "params/layers/0/wq": [[], "model"]}
    assert applied(lines) == {WQ0: '[{}, {"model"}]', WQ1: '[{"data"}, {}]'}
    assert applied(dict(reversed(lines.items()))) == {WQ0: '[{"data"}, {}]', WQ1: '[{"data"}, {}]'}
