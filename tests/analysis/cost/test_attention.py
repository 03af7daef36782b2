"""Attention as the program writes it and as one kernel, and custom calls that are attention or products."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest

from pyshardy import Cost, Module, custom_call_cost, hardware, parse, partition
from pyshardy.analysis.cost.attention import Attention, AttentionFinder
from pyshardy.analysis.cost.custom_calls import Price, _prices
from pyshardy.dialects.main_function import functions_by_name, main_function
from pyshardy.ir.operation import Operation
from pyshardy.plugins import PluginProblem

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
    assert any("the cost of custom_call @mine is not known" in note for note in call("mine").notes)


def _broken(op: Operation) -> float:
    raise KeyError("rows")


@pytest.mark.parametrize(
    ("price", "said"),
    [
        (lambda op: float("nan"), "returns nan: flops is nan, and a finite number that is not negative is expected"),
        (lambda op: math.inf, "returns inf: flops is inf, and a finite number"),
        (lambda op: -5.0, "returns -5.0: flops is -5.0, and a finite number"),
        (lambda op: 10**400, "flops is 1000000000"),
        (lambda op: 10**5000, "flops is a number of thousands of digits"),
        (lambda op: "x", "returns 'x': flops is 'x', and a finite number"),
        (lambda op: (1e9, -1), "returns (1000000000.0, -1): bytes is -1, and a finite number"),
        (lambda op: (1.0, 2.0, 3.0), "returns (1.0, 2.0, 3.0): flops is (1.0, 2.0, 3.0), and a finite number"),
        (_broken, "raises KeyError: 'rows'"),
    ],
)
def test_a_price_from_outside_that_is_none_is_named(price: Price, said: str) -> None:
    custom_call_cost("mine")(price)
    try:
        with pytest.raises(PluginProblem) as error:
            call("mine")
    finally:
        _prices.pop("mine")
    assert said in str(error.value), error.value
    assert str(error.value).startswith("the cost of custom call @mine (") and "test_attention.py:" in str(error.value)


# --- causal masks -----------------------------------------------------------------------------------------------------

POSITIONS = f"tensor<{S}x{S}xi32>"
MASK = f"tensor<{S}x{S}xi1>"
MASKS = f"tensor<{B}x{S}x{S}xi1>"
BY_QUERY = f"  %i = stablehlo.iota dim = 0 : {POSITIONS}\n  %j = stablehlo.iota dim = 1 : {POSITIONS}\n"
LOW = f"  %low = stablehlo.constant dense<-1.0e30> : {SCORES}\n"


def compared(direction: str, one: str = "%i", other: str = "%j") -> str:
    types = f"({POSITIONS}, {POSITIONS}) -> {MASK}"
    return BY_QUERY + f"  %m2 = stablehlo.compare {direction}, {one}, {other}, SIGNED : {types}\n"


def masked_by(mask: str, chosen: str = "%s, %low") -> str:
    """Scores under ``mask``, which makes ``%m2``: for each head the same."""
    spread = f"  %m = stablehlo.broadcast_in_dim %m2, dims = [1, 2] : ({MASK}) -> {MASKS}\n"
    return mask + spread + LOW + f"  %t = stablehlo.select %m, {chosen} : {MASKS}, {SCORES}\n"


def attention_with(masked: str) -> str:
    return FORWARD.replace(softmax("s", "p"), masked + softmax("t2" if "%t2 = " in masked else "t", "p"))


ONES = f"  %ones = stablehlo.constant dense<true> : {MASK}\n  %none = stablehlo.constant dense<false> : {MASK}\n"
BIAS = f"""
  %zeros = stablehlo.constant dense<0.0> : tensor<{S}x{S}xf32>
  %lows = stablehlo.constant dense<-1.0e9> : tensor<{S}x{S}xf32>
  %b2 = stablehlo.select %m2, %zeros, %lows : {MASK}, tensor<{S}x{S}xf32>
  %b = stablehlo.broadcast_in_dim %b2, dims = [1, 2] : (tensor<{S}x{S}xf32>) -> {SCORES}
  %t = stablehlo.add %b, %s : {SCORES}
"""
LESS = f"""
  %hidden = stablehlo.convert %m2 : ({MASK}) -> tensor<{S}x{S}xf32>
  %large = stablehlo.constant dense<1.0e10> : tensor<{S}x{S}xf32>
  %l2 = stablehlo.multiply %large, %hidden : tensor<{S}x{S}xf32>
  %l = stablehlo.broadcast_in_dim %l2, dims = [1, 2] : (tensor<{S}x{S}xf32>) -> {SCORES}
  %t = stablehlo.subtract %s, %l : {SCORES}
"""


def triangle(shown: int) -> str:
    """A constant mask that hides the keys behind each query; query number ``shown`` sees one more."""
    rows = [[str(key <= query + (query == shown)).lower() for key in range(S)] for query in range(S)]
    text = ", ".join("[" + ", ".join(row) + "]" for row in rows)
    return f"  %m2 = stablehlo.constant dense<[{text}]> : {MASK}\n"


COLUMN = f"""
  %i = stablehlo.iota dim = 0 : {POSITIONS}
  %nought = stablehlo.iota dim = 1 : tensor<{S}x1xi32>
  %j = stablehlo.broadcast_in_dim %nought, dims = [0, 1] : (tensor<{S}x1xi32>) -> {POSITIONS}
""" + compared("GE").removeprefix(BY_QUERY)
BARRIER = f"  %k1, %k2 = stablehlo.optimization_barrier %i, %j : {POSITIONS}, {POSITIONS}\n"
ROW = f"""
  %row = stablehlo.iota dim = 0 : tensor<{S}xi32>
  %i = stablehlo.broadcast_in_dim %row, dims = [0] : (tensor<{S}xi32>) -> {POSITIONS}
  %j = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<{S}xi32>) -> {POSITIONS}
"""
TRIL = (
    BY_QUERY
    + f"""
  %c = stablehlo.constant dense<0> : {POSITIONS}
  %i0 = stablehlo.add %i, %c : {POSITIONS}
  %ge = stablehlo.compare GE, %i0, %j, SIGNED : ({POSITIONS}, {POSITIONS}) -> {MASK}
  {ONES}  %m2 = stablehlo.select %ge, %ones, %none : {MASK}, {MASK}
"""
)
NUMBERS = f"""
  %wide = stablehlo.convert %ge : ({MASK}) -> {POSITIONS}
  %one = stablehlo.multiply %wide, %wide : {POSITIONS}
  %c0 = stablehlo.constant dense<0> : {POSITIONS}
  %m2 = stablehlo.compare NE, %one, %c0, SIGNED : ({POSITIONS}, {POSITIONS}) -> {MASK}
"""
ALSO = f"  %m2 = stablehlo.and %ge, %other : {MASK}\n"
EITHER = f"  %m2 = stablehlo.or %ge, %other : {MASK}\n"
NOT = f"  %m2 = stablehlo.not %gt : {MASK}\n"
UNKNOWN = f"""
  %d = stablehlo.constant dense<7> : {POSITIONS}
  %other = stablehlo.compare NE, %j, %d, SIGNED : ({POSITIONS}, {POSITIONS}) -> {MASK}
"""
WINDOW = f"""
  %d = stablehlo.constant dense<64> : {POSITIONS}
  %i1 = stablehlo.add %i, %d : {POSITIONS}
  %m2 = stablehlo.compare GE, %i1, %j, SIGNED : ({POSITIONS}, {POSITIONS}) -> {MASK}
"""


def named(text: str, name: str) -> str:
    return text.replace("%m2", name)


@pytest.mark.parametrize(
    "masked",
    [
        masked_by(compared("GE")),
        masked_by(compared("GT")),
        masked_by(compared("LE", "%j", "%i")),
        masked_by(compared("LT"), "%low, %s"),
        masked_by(compared("GT", "%j", "%i"), "%low, %s"),
        masked_by(ROW.replace("[0] : (", "[1] : (", 1).replace("dims = [1] : (tensor", "dims = [0] : (tensor", 1)
                  + compared("GE").removeprefix(BY_QUERY)),
        masked_by(TRIL),
        masked_by(named(compared("GE"), "%ge") + NUMBERS),
        masked_by(named(compared("GE"), "%ge") + UNKNOWN + ALSO),
        masked_by(named(compared("LT"), "%gt") + NOT),
        compared("GE") + BIAS,
        compared("LT") + LESS,
        masked_by(triangle(-1)),
        masked_by(named(compared("LT"), "%ge") + UNKNOWN + named(EITHER, "%gt") + NOT),
        masked_by(compared("GE", "%k1", "%k2").replace(BY_QUERY, BY_QUERY + BARRIER)),
    ],
)  # fmt: skip
def test_a_kernel_skips_what_a_causal_mask_hides(masked: str) -> None:
    module = program(attention_with(masked), "o")
    _, found = attention_of(module)
    assert found.count == 1 and set(found.causal.values()) == {0.5 + 128 / (2 * S)}
    products = [op for op in found.causal if op.name == DOT]
    assert len(products) == 2


@pytest.mark.parametrize(
    "masked",
    [
        masked_by(compared("LE")),
        masked_by(compared("NE")),
        masked_by(compared("GE"), "%low, %s"),
        masked_by(named(compared("GE"), "%ge") + UNKNOWN + EITHER),
        masked_by(BY_QUERY + WINDOW),
        masked_by(compared("GE")).replace("-1.0e30", "-1.0"),
        masked_by(compared("GE", "%j", "%j")),
        masked_by(triangle(7)),
        masked_by(COLUMN),
        masked_by(compared("GE", "%k2", "%k1").replace(BY_QUERY, BY_QUERY + BARRIER)),
    ],
)
def test_what_hides_less_is_computed_whole(masked: str) -> None:
    _, found = attention_of(program(attention_with(masked), "o"))
    assert found.count == 1 and not found.causal


def test_a_kernel_takes_less_time_under_a_causal_mask() -> None:
    slow = hardware({"chip": {"memory": 1e12, "bandwidth": 1e18, "flops": {"f32": 1e9}}}, attention="fused")
    whole, half = (
        partition(program(attention_with(masked_by(compared(direction))), "o")).cost(slow) for direction in ("LE", "GE")
    )
    assert half.compute_seconds == pytest.approx(0.75 * whole.compute_seconds, rel=0.02)
    assert half.flops == whole.flops


HIDDEN = f"""
  func.func private @hidden(%m: {MASKS}, %s: {SCORES}) -> {SCORES} {{
{LOW}
    %0 = stablehlo.select %m, %s, %low : {MASKS}, {SCORES}
    return %0 : {SCORES}
  }}"""
CALL = f"  %t = func.call @hidden(%m, %s) : ({MASKS}, {SCORES}) -> {SCORES}\n"


def test_a_function_that_hides_scores_is_looked_into() -> None:
    masked = masked_by(compared("GE")).replace(f"  %t = stablehlo.select %m, %s, %low : {MASKS}, {SCORES}\n", CALL)
    module = parse(f"module {{ {text(attention_with(masked), 'o')} {HIDDEN} }}")
    _, found = attention_of(module)
    assert any(op.name == "func.call" for op in found.causal) and len(set(found.causal.values())) == 1


DOUBLED = f"""
  func.func private @doubled(%s: {SCORES}) -> {SCORES} {{
    %0 = stablehlo.add %s, %s : {SCORES}
    return %0 : {SCORES}
  }}"""


@pytest.mark.parametrize("masks, part", [(("GE", "LE"), 1.0), (("LE", "GE"), 1.0), (("GE", "GE"), 0.75)])
def test_a_function_that_is_called_on_scores_computes_what_any_call_needs(masks: tuple[str, str], part: float) -> None:
    call = f"  %t2 = func.call @doubled(%t) : ({SCORES}) -> {SCORES}\n"
    calls = [
        re.sub(r"%(?![qkv]\b)(\w+)", rf"%\1_{number}", attention_with(masked_by(compared(direction)) + call))
        for number, direction in enumerate(masks)
    ]
    twice = "".join(calls)
    module = parse(f"module {{ {text(twice, 'o_0', 'o_1')} {DOUBLED} }}")
    functions = functions_by_name(module.op)
    finder = AttentionFinder(functions)
    assert finder.find(list(main_function(module.op, module.context).body)).count == 2
    found = finder.find(list(functions["doubled"].body))
    assert found.causal and all(one == pytest.approx(part, abs=0.01) for one in found.causal.values())


def attending(*masks: str) -> Module:
    """A function for attention that is called once with each of these masks."""
    mask = f"  %m = stablehlo.broadcast_in_dim %m2, dims = [1, 2] : ({MASK}) -> {MASKS}\n"
    body = attention_with(mask + CALL)
    types = f"({HEADS}, {HEADS}, {HEADS}, {MASK})"
    function = f"""func.func private @attend(%q: {HEADS}, %k: {HEADS}, %v: {HEADS}, %m2: {MASK}) -> {HEADS} {{
      {body}
      return %o : {HEADS}
    }}"""
    calls = "".join(
        compared(direction).replace("%m2", f"%c{number}").replace("%i", f"%i{number}").replace("%j", f"%j{number}")
        + f"  %r{number} = func.call @attend(%q, %k, %v, %c{number}) : {types} -> {HEADS}\n"
        for number, direction in enumerate(masks)
    )
    results = [f"r{number}" for number in range(len(masks))]
    return parse(f"module {{ {text(calls, *results)} {function} {HIDDEN} }}")


@pytest.mark.parametrize("masks, is_causal", [(("GE", "GT"), True), (("GE", "LE"), False), (("LE", "LE"), False)])
def test_masks_that_functions_are_given_hide_what_all_calls_hide(masks: tuple[str, ...], is_causal: bool) -> None:
    module = attending(*masks)
    functions = functions_by_name(module.op)
    found = AttentionFinder(functions).find(functions["attend"].body.operations())
    assert found.count == 1 and bool(found.causal) == is_causal


@pytest.mark.parametrize("handed_on, is_causal", [("%m", True), ("%n", False)])
def test_a_mask_that_a_loop_hands_on_is_followed(handed_on: str, is_causal: bool) -> None:
    loop = f"""
  {compared("GE")}
  %n0 = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%x = %q, %m = %m2, %at = %n0) : {HEADS}, {MASK}, tensor<i32>
  cond {{
    %end = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %at, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    {
        attention_with(
            masked_by("").replace("%m2", "%m").replace("%m =", "%ms =").replace("select %m,", "select %ms,")
        ).replace("%q", "%x")
    }
    %n = stablehlo.not %m : {MASK}
    %step = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %at, %step : tensor<i32>
    stablehlo.return %o, {handed_on}, %next : {HEADS}, {MASK}, tensor<i32>
  }}"""
    module = program(loop, "r#0")
    main = main_function(module.op, module.context)
    (around,) = [op for op in main.body if op.name == "stablehlo.while"]
    found = AttentionFinder(functions_by_name(module.op)).find(around.regions[1].blocks[0].operations())
    assert found.count == 1 and bool(found.causal) == is_causal


def test_the_last_device_of_a_sharded_sequence_skips_nothing() -> None:
    """Queries stand at places that depend on the device there."""
    sharded = f"""module {{
      sdy.mesh @mesh = <["x"=2]>
      {text(attention_with(masked_by(compared("GE"))), "o")}
    }}""".replace(f"%q: {HEADS}", f'%q: {HEADS} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"x"}}, {{}}]>}}')
    plan = partition(parse(sharded))
    local = functions_by_name(plan.local.op)
    found = AttentionFinder(local).find(local["main"].body.operations())
    assert found.count == 1 and not found.causal
