"""Every collective of a plan says which operation needs it, for which tensor, and how often it runs."""

from pyshardy import Plan, parse, partition
from pyshardy.report.plan_summary import summarize_plan

MESH = 'sdy.mesh @m = <["x"=4, "y"=2]>\n'


def causes(plan: Plan) -> list[tuple[str, str, str, int | None]]:
    """Kind, operation that needs it, name of the tensor, turns; of each collective in order."""
    return [
        (one.kind, one.cause.name, plan.names.name(one.tensor) if one.tensor is not None else "", one.turns)
        for one in plan.collectives
        if one.cause is not None
    ]


def sharded(type: str, dims: str) -> str:
    return f"{type} {{sdy.sharding = #sdy.sharding<@m, [{dims}]>}}"


def test_a_gathered_weight_and_a_reduced_gradient_are_told_apart() -> None:
    plan = partition(
        parse(f"""{MESH}func.func @main(%x: {sharded("tensor<64x8xf32>", '{"x"}, {}')} loc("x"),
            %w: {sharded("tensor<8x8xf32>", '{"x"}, {}')} loc("params['w']"))
            -> ({sharded("tensor<64x8xf32>", '{"x"}, {}')[:-1]}, jax.result_info = "h"}},
                {sharded("tensor<8x8xf32>", "{}, {}")[:-1]}, jax.result_info = "grads['w']"}}) {{
          %0 = stablehlo.dot %x, %w : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
          %1 = stablehlo.dot_general %x, %0, contracting_dims = [0] x [0]
            : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
          return %0, %1 : tensor<64x8xf32>, tensor<8x8xf32>
        }}""")
    )
    assert causes(plan) == [
        ("all_gather", "stablehlo.dot", "params['w']", 1),
        ("all_reduce", "stablehlo.dot_general", "→ grads['w']", 1),
    ]


def test_a_result_that_is_wanted_elsewhere_is_needed_by_the_return() -> None:
    plan = partition(
        parse(f"""{MESH}func.func @main(%x: {sharded("tensor<8x8xf32>", '{"x"}, {}')} loc("x"))
            -> ({sharded("tensor<8x8xf32>", '{}, {"y"}')}) {{ return %x : tensor<8x8xf32> }}""")
    )
    assert {one[1:3] for one in causes(plan)} == {("func.return", "x")}


def test_a_form_that_is_made_once_is_the_first_ones() -> None:
    plan = partition(
        parse(f"""{MESH}func.func @main(%x: {sharded("tensor<8x64xf32>", "{}, {}")},
            %w: {sharded("tensor<64x64xf32>", '{}, {"x"}')} loc("w")) -> ({sharded("tensor<8xf32>", "{}")},
            {sharded("tensor<64x64xf32>", "{}, {}")}, {sharded("tensor<64x64xf32>", "{}, {}")}) {{
          %0 = sdy.sharding_constraint %w <@m, [{{}}, {{}}]> : tensor<64x64xf32>
          %c = stablehlo.constant dense<0.0> : tensor<f32>
          %1 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
            : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
          return %1, %0, %w : tensor<8xf32>, tensor<64x64xf32>, tensor<64x64xf32>
        }}""")
    )
    assert [one[0] for one in causes(plan)] == ["all_gather"]
    assert causes(plan)[0][2] == "w"


LOOP = """func.func @main(%x: {x} loc("x"), %ws: {ws} loc("layers")) -> ({x}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %v = %ws, %y = %x) : tensor<i32>, tensor<5x8x8xf32>, tensor<16x8xf32>
  cond {{
    %limit = stablehlo.constant dense<5> : tensor<i32>
    %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    {body}
    stablehlo.return %next, %v, %new : tensor<i32>, tensor<5x8x8xf32>, tensor<16x8xf32>
  }}
  return %0#2 : tensor<16x8xf32>
}}
"""
LAYER = """func.func private @layer(%y: tensor<16x8xf32>, %v: tensor<5x8x8xf32>, %i: tensor<i32>) -> tensor<16x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %v, %i, %c, %c, sizes = [1, 8, 8]
    : (tensor<5x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.dot %y, %1 : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
"""
CALL = "%new = func.call @layer({y}, %v, %i) : (tensor<16x8xf32>, tensor<5x8x8xf32>, tensor<i32>) -> tensor<16x8xf32>"


def loop(body: str) -> Plan:
    main = LOOP.format(
        x=sharded("tensor<16x8xf32>", '{"x"}, {}'), ws=sharded("tensor<5x8x8xf32>", '{}, {"y"}, {}'), body=body
    )
    return partition(parse(MESH + main + LAYER))


def test_a_collective_in_a_loop_has_its_turns() -> None:
    assert causes(loop(CALL.format(y="%y"))) == [
        ("reduce_scatter", "stablehlo.dot", "", 5),
        ("all_gather", "func.return", "carried from x", 1),
    ]


def test_a_function_that_is_called_twice_counts_twice() -> None:
    plan = loop(CALL.format(y="%y").replace("%new", "%first") + "\n    " + CALL.format(y="%first"))
    found = [one for one in causes(plan) if one[1] == "stablehlo.dot"]
    assert len(found) == 2 and {one[3] for one in found} == {5}


def test_a_loop_without_a_known_count_says_so() -> None:
    text = LOOP.format(
        x=sharded("tensor<16x8xf32>", '{"x"}, {}'),
        ws=sharded("tensor<5x8x8xf32>", '{}, {"y"}, {}'),
        body=CALL.format(y="%y"),
    ).replace("add %i, %one", "multiply %i, %one")
    assert [one[3] for one in causes(partition(parse(MESH + text + LAYER)))] == [None, 1]


def test_a_masked_operand_is_still_that_operand() -> None:
    # 10 rows over 4 devices: the padding of the contracted dimension is overwritten before anything moves.
    plan = partition(
        parse(f"""{MESH}func.func @main(%x: {sharded("tensor<10x8xf32>", '{"x"}, {}')} loc("x"))
            -> ({sharded("tensor<8xf32>", "{}")[:-1]}, jax.result_info = "total"}}) {{
          %c = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0]
            : (tensor<10x8xf32>, tensor<f32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }}"""),
        propagated=True,
    )
    assert causes(plan) == [("all_reduce", "stablehlo.reduce", "→ total", 1)]


def test_windows_that_reach_their_neighbours_need_the_operand() -> None:
    plan = partition(
        parse(f"""{MESH}func.func @main(%x: {sharded("tensor<64xf32>", '{"x"}')} loc("x"))
            -> ({sharded("tensor<62xf32>", '{"x"}')}) {{
          %c = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = "stablehlo.reduce_window"(%x, %c) <{{window_dimensions = array<i64: 3>}}> ({{
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }}) : (tensor<64xf32>, tensor<f32>) -> tensor<62xf32>
          return %0 : tensor<62xf32>
        }}"""),
        propagated=True,
    )
    assert causes(plan) and {one[1:3] for one in causes(plan)} == {("stablehlo.reduce_window", "x")}


def test_every_collective_of_the_examples_has_a_cause_and_a_tensor() -> None:
    for name in ("convolution", "mlp", "priorities", "scan_layers", "shard_map", "transformer_fsdp"):
        with open(f"examples/{name}.mlir") as file:
            plan = partition(parse(file.read()))
        assert plan.collectives
        for one in plan.collectives:
            assert one.cause is not None and one.tensor is not None, name
            assert one.tensor in (*one.cause.operands, *one.cause.results)


def test_what_a_function_takes_from_several_callers_goes_by_what_they_give() -> None:
    plan = partition(
        parse(f"""{MESH}func.func @main(%x: {sharded("tensor<64x8xf32>", '{"x"}, {}')},
            %v: {sharded("tensor<8x8xf32>", '{"y"}, {}')}, %w: {sharded("tensor<8x8xf32>", '{"y"}, {}')})
            -> ({sharded("tensor<64x8xf32>", '{"x"}, {}')}) {{
          %0 = func.call @f(%x, %v) : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
          %1 = func.call @f(%0, %w) : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
          return %1 : tensor<64x8xf32>
        }}
        func.func private @f(%x: tensor<64x8xf32>, %w: tensor<8x8xf32>) -> tensor<64x8xf32> {{
          %0 = stablehlo.dot %x, %w : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
          return %0 : tensor<64x8xf32>
        }}"""),
        propagated=True,
    )
    named = [(cause.tensor, cause.traffic.count) for row in summarize_plan(plan).collectives for cause in row.causes]
    assert named == [("its result", 1), ("%arg1 or %arg2", 2)]
