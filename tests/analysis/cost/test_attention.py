"""Attention as the program writes it and as one kernel, and custom calls that are attention or products."""

from __future__ import annotations

import dataclasses

import pytest

from pyshardy import Cost, Module, custom_call_cost, hardware, parse, partition
from pyshardy.analysis.cost.attention import Attention, AttentionFinder
from pyshardy.analysis.cost.custom_calls import _prices
from pyshardy.dialects.main_function import functions_by_name, main_function
from pyshardy.ir.operation import Operation

TABLES = {"chip": {"memory": 1e12, "bandwidth": 1e9, "flops": {"f32": 1e15}}}
B, S, D = 4, 256, 16
SCORES = f"tensor<{B}x{S}x{S}xf32>"
HEADS = f"tensor<{B}x{S}x{D}xf32>"
ROWS = f"tensor<{B}x{S}xf32>"
NOTES = ("there is no mesh: these are the figures of one device, which does everything",)


def attention_of(module: Module) -> tuple[list[Operation], Attention]:
    operations = list(main_function(module.op, module.context).body)
    return operations, AttentionFinder(functions_by_name(module.op)).find(operations)


def softmax(of: str, to: str) -> str:
    return f"""
  %min = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%{of} init: %min) applies stablehlo.maximum across dimensions = [2]
    : ({SCORES}, tensor<f32>) -> {ROWS}
  %maxs = stablehlo.broadcast_in_dim %max, dims = [0, 1] : ({ROWS}) -> {SCORES}
  %shifted = stablehlo.subtract %{of}, %maxs : {SCORES}
  %e = stablehlo.exponential %shifted : {SCORES}
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
    : ({SCORES}, tensor<f32>) -> {ROWS}
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : ({ROWS}) -> {SCORES}
  %{to} = stablehlo.divide %e, %sums : {SCORES}"""


DOT = "stablehlo.dot_general"
FORWARD = f"""
  %s = {DOT} %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : ({HEADS}, {HEADS}) -> {SCORES}
  {softmax("s", "p")}
  %o = {DOT} %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : ({SCORES}, {HEADS}) -> {HEADS}"""
BACKWARD = f"""
  %dp = {DOT} %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : ({HEADS}, {HEADS}) -> {SCORES}
  %ds = stablehlo.multiply %dp, %p : {SCORES}
  %dq = {DOT} %ds, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : ({SCORES}, {HEADS}) -> {HEADS}
  %dv = {DOT} %p, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : ({SCORES}, {HEADS}) -> {HEADS}"""


def program(body: str, *results: str, type: str = HEADS) -> Module:
    return parse(text(body, *results, type=type))


def text(body: str, *results: str, type: str = HEADS) -> str:
    types = ", ".join([type] * len(results))
    return (
        f"func.func @main(%q: {HEADS}, %k: {HEADS}, %v: {HEADS}, %g: {HEADS}) -> ({types}) {{\n{body}\n"
        f"  return {', '.join('%' + one for one in results)} : {types}\n}}"
    )


def cost(module: Module, attention: str = "written") -> Cost:
    return partition(module).cost(hardware(TABLES, attention=attention))


def moved(found: Cost) -> float:
    return sum(one.bytes for one in found.operations)


ONE, ALL = B * S * D * 4, B * S * S * 4


def test_one_kernel_reads_its_operands_and_writes_its_result() -> None:
    module = program(FORWARD, "o")
    written, fused = cost(module), cost(module, "fused")
    assert moved(written) > 5 * ALL
    # What is left of the rows of maxima and sums is small.
    assert moved(fused) == pytest.approx(4 * ONE + 0 * ALL, rel=0.3)
    assert fused.flops == written.flops and fused.compute_seconds < written.compute_seconds / 5
    assert any("attention counts as one kernel" in note for note in fused.notes)
    assert not any("attention" in note for note in written.notes)


def test_its_gradient_makes_the_scores_again() -> None:
    module = program(FORWARD + BACKWARD, "o", "dq", "dv")
    _, found = attention_of(module)
    assert found.count == 1 and len(found.again) == 1 and len(found.scores) >= 8
    fast = hardware({"chip": {"memory": 1e12, "bandwidth": 1e18, "flops": {"f32": 1e9}}})
    fused = dataclasses.replace(fast, chip=dataclasses.replace(fast.chip, attention="fused"))
    plan = partition(module)
    again = plan.cost(fused).compute_seconds - plan.cost(fast).compute_seconds
    assert again == pytest.approx(2 * B * S * S * D / 1e9)
    assert moved(cost(module, "fused")) < moved(cost(module)) / 5


def test_a_mask_in_a_function_of_its_own_is_part_of_it() -> None:
    where = f"""
  func.func private @where(%m: {SCORES}) -> {SCORES} {{
    %c = stablehlo.constant dense<2.0> : {SCORES}
    %0 = stablehlo.minimum %m, %c : {SCORES}
    return %0 : {SCORES}
  }}"""
    call = (
        f"  %t = func.call @where(%s) : ({SCORES}) -> {SCORES}\n  %u = func.call @where(%t) : ({SCORES}) -> {SCORES}\n"
    )
    body = FORWARD.replace(softmax("s", "p"), call + softmax("u", "p"))
    module = parse(f"module {{ {text(body, 'o')} {where} }}")
    written, fused = cost(module), cost(module, "fused")
    assert moved(fused) == pytest.approx(4 * ONE, rel=0.3) and moved(written) > 8 * ALL
    assert fused.peak_bytes < 7 * ONE < ALL < written.peak_bytes


def test_scores_that_something_else_reads_stand_in_memory() -> None:
    module = program(FORWARD + f"\n  %l = stablehlo.reverse %p, dims = [2] : {SCORES}", "l", type=SCORES)
    _, found = attention_of(module)
    assert found.count == 0 or {str(one.type) for one in found.scores} == {SCORES}
    module = program(
        FORWARD + f"\n  %l = stablehlo.reverse %p, dims = [1] : {SCORES}\n  %m = {DOT} %l, %v, "
        f"batching_dims = [0] x [0], contracting_dims = [2] x [1] : ({SCORES}, {HEADS}) -> {HEADS}",
        "o",
        "m",
    )
    operations, found = attention_of(module)
    written = next(op.results[0] for op in operations if op.name == "stablehlo.divide")
    assert written not in found.scores and found.count == 1


@pytest.mark.parametrize(
    "body, result",
    [
        # A softmax that no product makes, and products without a softmax.
        (
            softmax("x", "p").replace("%x", "%c") + f"\n  %o = {DOT} %p, %v, batching_dims = [0] x [0], "
            f"contracting_dims = [2] x [1] : ({SCORES}, {HEADS}) -> {HEADS}",
            "o",
        ),
        (FORWARD.replace(softmax("s", "p"), f"%p = stablehlo.exponential %s : {SCORES}"), "o"),
    ],
)
def test_what_is_no_attention_is_none(body: str, result: str) -> None:
    body = f"  %c = stablehlo.constant dense<1.0> : {SCORES}\n" + body
    module = program(body, result)
    assert attention_of(module)[1].count == 0


def call(target: str, config: str = "", results: str = HEADS, operands: str = f"{HEADS}, {HEADS}, {HEADS}") -> Cost:
    names = ["%q", "%k", "%v"][: operands.count("tensor")]
    arguments = ", ".join(f"{name}: {type}" for name, type in zip(names, operands.split(", "), strict=True))
    written = f"""
func.func @main({arguments}) -> {results} {{
  %0 = "stablehlo.custom_call"({", ".join(names)}) {{call_target_name = "{target}"{config}}} : ({operands}) -> {results}
  return %0 : {results}
}}"""
    return partition(parse(written)).cost(TABLES)


@pytest.mark.parametrize(
    "target, config, products",
    [
        ("__cudnn$fmhaSoftmax", "", 2),
        ("__cudnn$fmhaScaleBiasSoftmaxBackward", "", 5),
        ("tpu_custom_call", ', kernel_name = "flash_attention_kernel"', 2),
        ("tpu_custom_call", ', kernel_name = "splash_mha_dkv"', 4),
        ("tpu_custom_call", ', kernel_name = "splash_mha_dq"', 3),
        ("__gpu$xla.gpu.triton", ', backend_config = {name = "mha_backward"}, api_version = 4 : i32', 5),
    ],
)
def test_a_kernel_of_attention_counts_its_products(target: str, config: str, products: int) -> None:
    found = call(target, config)
    assert found.flops == products * 2 * B * S * S * D and found.notes == NOTES


def test_a_product_of_a_library_counts_as_one() -> None:
    a, b, c = "tensor<4x32x8xf32>", "tensor<4x8x64xf32>", "tensor<4x32x64xf32>"
    assert call("__cublas$gemm", "", c, f"{a}, {b}").flops == 2 * 4 * 32 * 64 * 8
    assert (
        call("__cublas$lt$matmul", "", "tensor<32x64xf32>", "tensor<32x8xf32>, tensor<8x64xf32>").flops
        == 2 * 32 * 64 * 8
    )
    assert any("is not known" in note for note in call("tpu_custom_call", ', kernel_name = "rms_norm"').notes)


def test_a_price_from_outside_counts() -> None:
    try:

        @custom_call_cost("mine")
        def mine(op: Operation) -> tuple[float, float]:
            return 1000.0, 8.0

        found = call("mine")
        assert found.flops == 1000 and moved(found) == 8 and found.notes == NOTES
    finally:
        _prices.pop("mine")
    assert any("mine computes is not known" in note for note in call("mine").notes)
