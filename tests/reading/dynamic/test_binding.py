# mypy: allow-untyped-calls, no-warn-return-any
"""Programs that JAX exports with symbolic sizes become static ones: the same numbers, and they can be partitioned."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import pyshardy
from pyshardy.cli import main
from pyshardy.interpreter import run
from tests.differential.jax_lowering import mesh, pin
from tests.interpreter.test_symbolic_shapes import PROGRAMS as OF_THE_INTERPRETER

RNG = np.random.default_rng(5)
IDS = RNG.integers(0, 8, (4, 6)).astype(np.int32)


def floats(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


def perceptron(x: jax.Array, w: jax.Array, v: jax.Array) -> Any:
    hidden = jax.nn.relu(x @ w)
    return hidden @ v, (hidden @ v).mean(), hidden.sum(0) / x.shape[0]


def attention(q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8.0
    scores = jnp.where(jnp.tril(jnp.ones((q.shape[2], q.shape[2]), bool)), scores, -1e9)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores), v)


def layer_norm_step(g: jax.Array, x: jax.Array, y: jax.Array) -> Any:
    def loss(g: jax.Array) -> jax.Array:
        normal = (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
        return jnp.mean((normal * g - y) ** 2)

    value, gradient = jax.value_and_grad(loss)(g)
    return value, g - 0.1 * gradient


def tokens(table: jax.Array, ids: jax.Array) -> Any:
    x = table[ids]
    flat = x.reshape(-1, x.shape[-1])
    return flat, jax.nn.one_hot(ids, 8), jnp.concatenate([x, x], 0), x[:, ::-1], jnp.argsort(ids, 0), ids[::2]


def loop(x: jax.Array) -> Any:
    def body(carry: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
        return carry * 0.5 + row, carry.sum()

    return jax.lax.scan(body, jnp.zeros(x.shape[1:]), x)


def branches(x: jax.Array) -> jax.Array:
    return jax.lax.cond(x.sum() > 0, lambda x: x * x.shape[0], lambda x: x[::-1], x)


Program = tuple[Callable[..., Any], list[tuple[str, Any]], dict[str, int]]
PROGRAMS: dict[str, Program] = {
    "perceptron": (perceptron, [("b, 8", floats(6, 8)), ("8, 4", floats(8, 4)), ("4, 3", floats(4, 3))], {"b": 6}),
    "attention": (attention, [("b, 2, t, 4", floats(3, 2, 8, 4))] * 3, {"b": 3, "t": 8}),
    "layer_norm_step": (layer_norm_step, [("4", floats(4)), ("b, 4", floats(6, 4)), ("b, 4", floats(6, 4))], {"b": 6}),
    "tokens": (
        tokens,
        [("8, 4", floats(8, 4)), ("b, t", RNG.integers(0, 8, (4, 6)).astype(np.int32))],
        {"b": 4, "t": 6},
    ),
    "loop": (loop, [("b, 4", floats(5, 4))], {"b": 5}),
    "branches": (branches, [("b, 4", floats(5, 4))], {"b": 5}),
    "sizes_by_arithmetic": (lambda x: x.reshape(4, -1) + 1, [("4*n + 8, 6", floats(20, 6))], {"n": 3}),
}
SIZES_OF_THE_INTERPRETER = {"b, c": {"b": 4, "c": 6}, "b, h, h, 2": {"b": 2, "h": 6}, "b, n, n": {"b": 2, "n": 3}}
SIZES_OF_THE_INTERPRETER |= {"b, 3, 3": {"b": 2}, "b, m, n": {"b": 2, "m": 3, "n": 3}}
for _name, (_function, _arguments) in OF_THE_INTERPRETER.items():
    PROGRAMS[_name] = (_function, _arguments, SIZES_OF_THE_INTERPRETER[_arguments[-1][0]])


def exported(name: str) -> Any:
    function, arguments, _ = PROGRAMS[name]
    scope = export.SymbolicScope()
    types = [jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), value.dtype) for shape, value in arguments]
    return export.export(jax.jit(function), platforms=["cpu"])(*types)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_bound_program_is_static_and_computes_the_same(name: str) -> None:
    function, arguments, sizes = PROGRAMS[name]
    module = pyshardy.parse(exported(name), bind=sizes)
    text = str(module)
    assert not re.search(r"[<x]\?x|stablehlo.(real_)?dynamic_(?!slice|update_slice)|get_dimension_size", text)
    assert "shape_assertion" not in text and "@reduce_window" not in text
    values = [value for _, value in arguments]
    expected = jax.tree.leaves(jax.jit(function)(*values))
    for ours, theirs in zip(run(module, values), expected, strict=True):
        if name == "singular_values" or name == "orthogonal":
            ours, theirs = np.abs(ours), np.abs(theirs)
        np.testing.assert_allclose(ours, np.asarray(theirs), rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", ["perceptron", "attention", "layer_norm_step", "loop"])
def test_a_bound_program_is_partitioned(name: str) -> None:
    assert pyshardy.partition(pyshardy.parse(exported(name), bind=PROGRAMS[name][2])).check().agrees


@pytest.mark.parametrize("shardy", [True, False], ids=["Shardy", "GSPMD"])
def test_shardings_of_an_export_stay_where_they_are(shardy: bool) -> None:
    over = mesh(a=2, b=2)
    spec = jax.sharding.PartitionSpec
    sharded = jax.sharding.NamedSharding(over, spec("a"))
    (b,) = export.symbolic_shape("b")

    def f(x: jax.Array) -> jax.Array:
        hand = jax.shard_map(lambda t: t * t.shape[0], mesh=over, in_specs=spec("a", "b"), out_specs=spec("a", "b"))
        return hand(pin(jnp.tanh(x), over, "b", None)) + x

    jitted = jax.jit(f, in_shardings=sharded)
    jax.config.update("jax_use_shardy_partitioner", shardy)
    try:
        made = export.export(jitted, platforms=["cpu"])(jax.ShapeDtypeStruct((4 * b, 4), np.float32))
    finally:
        jax.config.update("jax_use_shardy_partitioner", True)
    module = pyshardy.parse(made, bind={"b": 3})
    assert re.search(r"manual_computation.*%arg\d: tensor<6x2xf32>", str(module))
    plan = pyshardy.partition(module)
    assert plan.devices == 4 and plan.check().agrees
    assert plan.arguments[0].local_shape == (6, 4)


# --- names and sizes --------------------------------------------------------------------------------------------------

BY_HAND = """
func.func @main(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}"""


def test_arguments_keep_the_names_that_they_have_inside() -> None:
    text = pyshardy.parse(exported("layer_norm_step"), bind={"b": 2}).text(debug_info=True)
    head = next(line for line in text.splitlines() if "@main" in line)
    assert re.findall(r'%arg\d: tensor<[^>]*> loc\("(\w)"\)', head) == ["g", "x", "y"]


def test_dimensions_without_a_symbol_are_named_by_argument() -> None:
    module = pyshardy.parse(BY_HAND, bind={"arg0:0": 6, "arg1:1": 8})
    assert "(tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>" in str(module)
    assert module.notes == ["dynamic dimensions were bound: arg0:0=6, arg1:1=8"]


def test_what_depends_on_the_device_is_no_constant() -> None:
    """A collective of a size is not a size."""
    module = pyshardy.parse(
        """
        func.func @main(%a: tensor<?xi32>) -> tensor<1xi32> {
          %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xi32>) -> tensor<i32>
          %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
          %2 = "stablehlo.collective_permute"(%1) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
            : (tensor<1xi32>) -> tensor<1xi32>
          return %2 : tensor<1xi32>
        }""",
        bind={"arg0:0": 3},
    )
    assert "dense<3> : tensor<1xi32>" in str(module) and "collective_permute" in str(module)


def test_padding_and_slices_by_numbers_become_static() -> None:
    module = pyshardy.parse(
        """
        func.func @main(%a: tensor<?xf32>, %v: tensor<f32>) -> tensor<?xf32> {
          %low = stablehlo.constant dense<1> : tensor<1xi32>
          %high = stablehlo.constant dense<2> : tensor<1xi32>
          %stride = stablehlo.constant dense<3> : tensor<1xi32>
          %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
          %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
          %2 = stablehlo.dynamic_pad %a, %v, %low, %high, %low
            : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
          %3 = "stablehlo.real_dynamic_slice"(%2, %low, %1, %stride)
            : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
          return %3 : tensor<?xf32>
        }""",
        bind={"arg0:0": 5},
    )
    assert "stablehlo.pad" in str(module) and "-> tensor<12xf32>" in str(module)
    (found,) = run(module, [np.arange(1, 6, dtype=np.float32), np.array(9, np.float32)])
    assert found.tolist() == [1.0, 9.0]


def test_the_number_of_the_largest_is_a_size_although_it_is_no_operand() -> None:
    open_types, static_types = "(tensor<?x?xf32>, tensor<?x?xi32>)", "(tensor<3x2xf32>, tensor<3x2xi32>)"
    module = pyshardy.parse(
        f"""
        func.func @main(%a: tensor<?x8xf32>) -> {open_types} {{
          %0:2 = chlo.top_k(%a, k = 2) : tensor<?x8xf32> -> {open_types}
          return %0#0, %0#1 : {open_types[1:-1]}
        }}""",
        bind={"arg0:0": 3},
    )
    assert f"chlo.top_k(%arg0, k = 2) : tensor<3x8xf32> -> {static_types}" in str(module)


@pytest.mark.parametrize(
    ("operand", "result"), [("?x8xf32", "?x8xi32"), ("?x8xf32", "?x8x2xi16"), ("?x8x2xi16", "?x8xf32")]
)
def test_a_bitcast_has_the_sizes_of_its_operand(operand: str, result: str) -> None:
    """Random numbers are bits that become floats."""
    text = f"""func.func @main(%x: tensor<{operand}>) -> tensor<{result}> {{
      %0 = stablehlo.bitcast_convert %x : (tensor<{operand}>) -> tensor<{result}>
      return %0 : tensor<{result}>
    }}"""
    (found,) = pyshardy.parse(text, bind={"arg0:0": 4}).results()
    assert str(found.type) == f"tensor<{result.replace('?', '4')}>"


def test_a_function_is_made_for_each_size_that_it_is_called_with() -> None:
    module = pyshardy.parse(
        """
        func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
          %0 = call @twice(%a) : (tensor<?xf32>) -> tensor<?xf32>
          %1 = call @twice(%b) : (tensor<?xf32>) -> tensor<?xf32>
          return %0, %1 : tensor<?xf32>, tensor<?xf32>
        }
        func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
          %0 = stablehlo.add %x, %x : tensor<?xf32>
          return %0 : tensor<?xf32>
        }""",
        bind={"arg0:0": 2, "arg1:0": 3},
    )
    assert "(%arg0: tensor<2xf32>) -> tensor<2xf32>" in str(module)
    assert "(%arg0: tensor<3xf32>) -> tensor<3xf32>" in str(module)


def test_a_private_function_that_is_named_and_not_called_stays() -> None:
    """As the comparator of an approximate search for the largest elements."""
    module = pyshardy.parse(
        """
        func.func @main(%a: tensor<?x8xf32>) -> tensor<?x8xf32> {
          %0 = stablehlo.custom_call @LayoutConstraint(%a) {called_computations = [@compare]}
            : (tensor<?x8xf32>) -> tensor<?x8xf32>
          return %0 : tensor<?x8xf32>
        }
        func.func private @compare(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
          %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          return %0 : tensor<i1>
        }""",
        bind={"arg0:0": 3},
    )
    assert "called_computations = [@compare]" in str(module) and "func.func private @compare(" in str(module)


def test_what_another_public_function_calls_stays() -> None:
    module = pyshardy.parse(
        """
        func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
          %0 = call @twice(%a) : (tensor<?xf32>) -> tensor<?xf32>
          return %0 : tensor<?xf32>
        }
        func.func @other(%a: tensor<f32>) -> tensor<f32> {
          %0 = call @inner(%a) : (tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }
        func.func private @inner(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }
        func.func private @twice(%a: tensor<?xf32>) -> tensor<?xf32> {
          %0 = stablehlo.add %a, %a : tensor<?xf32>
          return %0 : tensor<?xf32>
        }""",
        bind={"arg0:0": 3},
    )
    assert [op.symbol_name for op in module.op.body] == ["main", "other", "inner", "twice"]


def test_the_sizes_that_a_lowering_takes_as_arguments_are_dropped() -> None:
    (b,) = export.symbolic_shape("b")
    lowered = jax.jit(lambda x: x * x.shape[0]).lower(jax.ShapeDtypeStruct((b, 8), np.float32))
    module = pyshardy.parse(lowered, bind={"b": 3})
    assert "@main(%arg0: tensor<3x8xf32>)" in str(module)
    assert str(pyshardy.parse(lowered.as_text(), bind={"b": 3, "arg1:0": 3})) == str(module)


def refusal(program: object, **sizes: int) -> str:
    with pytest.raises(pyshardy.PyshardyError) as error:
        pyshardy.parse(program, bind={name.replace("_", ":"): size for name, size in sizes.items()})
    return error.value.diagnostics[-1].message


def test_what_is_wrong_with_the_sizes_is_said() -> None:
    program = exported("attention")
    assert refusal(program, b=4) == (
        "no size is given for t: the program has dynamic dimensions, b (dimension 0 of %arg0), t (dimension 2 of "
        "%arg0); --bind b=SIZE --bind t=SIZE makes it static"
    )
    assert refusal(program, b=4, x=3).startswith("the program has no dynamic dimension x; it has b, t, arg0:0")
    assert refusal(program, b=0, t=4) == "the size of b is 0, and at least 1 is expected"
    assert refusal(exported("sizes_by_arithmetic"), arg0_0=13).startswith(
        "these sizes are not allowed: Input shapes do not match the polymorphic shapes specification. Division had "
        "remainder 1 when computing the value of 'n'."
    )
    assert refusal("func.func @main() { return }", b=4) == (
        "the program has no dynamic dimensions: there is nothing to bind"
    )


def test_operands_that_no_longer_fit_are_named() -> None:
    program = BY_HAND.replace("%b: tensor<4x?xf32>", "%b: tensor<?x?xf32>").replace(
        "(tensor<?x4xf32>, tensor<4x?xf32>)", "(tensor<?x4xf32>, tensor<?x?xf32>)"
    )
    message = refusal(program, arg0_0=2, arg1_0=5, arg1_1=3)
    assert message.startswith("'stablehlo.dot_general' does not fit these sizes: ")


def test_a_dimension_that_manual_computations_cannot_cut_is_named() -> None:
    rows = '[<@m, [{"x"}]>]'
    message = refusal(
        f"""
        sdy.mesh @m = <["x"=4]>
        func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {{
          %0 = sdy.manual_computation(%a) in_shardings={rows} out_shardings={rows} manual_axes={{"x"}}
              (%b: tensor<?xf32>) {{
            %1 = stablehlo.tanh %b : tensor<?xf32>
            sdy.return %1 : tensor<?xf32>
          }} : (tensor<?xf32>) -> tensor<?xf32>
          return %0 : tensor<?xf32>
        }}""",
        arg0_0=6,
    )
    assert message == ("'sdy.manual_computation' does not fit these sizes: a dimension of 6 is cut into 4 equal parts")


def test_a_size_that_does_not_follow_is_named() -> None:
    program = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {"
    program += " %0 = stablehlo.custom_call @shrink(%a) : (tensor<?xf32>) -> tensor<?xf32> return %0 : tensor<?xf32> }"
    message = refusal(program, arg0_0=2)
    assert message == "'stablehlo.custom_call' has a result of a size that does not follow from those that were given"


# --- the command line -------------------------------------------------------------------------------------------------


def test_the_commands_bind_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "step.mlir"
    path.write_text(exported("perceptron").mlir_module())
    for command in ("propagate", "partition", "check"):
        assert main.run([command, str(path), "--bind", "b=16"]) == 0
        captured = capsys.readouterr()
        assert "dynamic dimensions were bound: b=16" in captured.out + captured.err
    assert main.run(["propagate", str(path)]) == 1
    error = capsys.readouterr().err
    assert "note: the program has dynamic dimensions, b (dimension 0 of %arg0); --bind b=SIZE makes it static" in error


def test_what_is_no_size_is_refused_by_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["propagate", "x.mlir", "--bind", "b"]) == 1
    assert "'b' is no NAME=SIZE, as b=16 or arg0:1=16" in capsys.readouterr().err
