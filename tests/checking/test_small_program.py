"""Programs made small: each shape that follows from another does, what is held stays, and what comes can be run."""

import pytest

from pyshardy import Module, parse, partition
from pyshardy.checking.small_program import NotSmaller
from pyshardy.ir import rewriting


def shapes(text: str) -> list[str]:
    """The types of arguments and results when the program is as small as it gets."""
    small = parse(text).made_small()
    assert partition(small).check().agrees
    return [str(one.type).removeprefix("tensor<").removesuffix(">") for one in (*small.arguments(), *small.results())]


def program(arguments: str, body: str, result: str, *, mesh: str = '"x"=2, "y"=4') -> str:
    return f"sdy.mesh @mesh = <[{mesh}]>\nfunc.func @main({arguments}) -> {result} {{\n{body}\n}}"


def test_dimensions_that_belong_together_are_one_size() -> None:
    text = program(
        "%a: tensor<64x256xf32>, %b: tensor<256x1024xf32>",
        """%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
             : (tensor<64x256xf32>, tensor<256x1024xf32>) -> tensor<64x1024xf32>
           return %0 : tensor<64x1024xf32>""",
        "tensor<64x1024xf32>",
    )
    assert shapes(text) == ["4x4xf32", "4x4xf32", "4x4xf32"]


def test_what_is_split_can_be_split_as_before() -> None:
    text = program(
        '%a: tensor<64x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {"z"}]>}',
        "%0 = stablehlo.tanh %a : tensor<64x48xf32> return %0 : tensor<64x48xf32>",
        "tensor<64x48xf32>",
        mesh='"x"=2, "y"=4, "z"=3',
    )
    assert shapes(text) == ["16x6xf32", "16x6xf32"]


def test_a_product_of_dimensions_follows_its_parts_and_they_follow_it() -> None:
    text = program(
        '%a: tensor<32x128x64xf32>, %b: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}',
        """%0 = stablehlo.reshape %a : (tensor<32x128x64xf32>) -> tensor<4096x64xf32>
           %1 = stablehlo.add %0, %b : tensor<4096x64xf32>
           %2 = stablehlo.reshape %1 : (tensor<4096x64xf32>) -> tensor<4096x8x8xf32>
           return %2 : tensor<4096x8x8xf32>""",
        "tensor<4096x8x8xf32>",
    )
    assert shapes(text) == ["8x4x16xf32", "32x16xf32", "32x4x4xf32"]


def test_halves_are_divided_with_the_whole() -> None:
    text = program(
        "%a: tensor<64x256xf32>",
        """%z = stablehlo.constant dense<0.0> : tensor<f32>
           %0 = stablehlo.slice %a [0:64, 0:128] : (tensor<64x256xf32>) -> tensor<64x128xf32>
           %1 = stablehlo.slice %a [0:64, 128:256] : (tensor<64x256xf32>) -> tensor<64x128xf32>
           %2 = stablehlo.negate %1 : tensor<64x128xf32>
           %3 = stablehlo.concatenate %2, %0, dim = 1 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x256xf32>
           %4 = stablehlo.pad %1, %z, low = [0, 128], high = [0, 0], interior = [0, 0]
             : (tensor<64x128xf32>, tensor<f32>) -> tensor<64x256xf32>
           %5 = stablehlo.add %3, %4 : tensor<64x256xf32>
           return %5, %1 : tensor<64x256xf32>, tensor<64x128xf32>""",
        "(tensor<64x256xf32>, tensor<64x128xf32>)",
    )
    assert shapes(text) == ["4x8xf32", "4x8xf32", "4x4xf32"]
    assert "[0:4, 4:8]" in str(parse(text).made_small()) and "low = [0, 4]" in str(parse(text).made_small())


@pytest.mark.parametrize(
    "operation",
    [
        "stablehlo.slice %a [0:64, 1:256] : (tensor<64x256xf32>) -> tensor<64x255xf32>",
        "stablehlo.slice %a [0:64, 0:256:2] : (tensor<64x256xf32>) -> tensor<64x128xf32>",
        "stablehlo.dynamic_slice %a, %i, %i, sizes = [64, 8] "
        ": (tensor<64x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>",
        "stablehlo.pad %a, %z, low = [0, 0], high = [0, 0], interior = [0, 1] "
        ": (tensor<64x256xf32>, tensor<f32>) -> tensor<64x511xf32>",
    ],
)
def test_other_parts_of_a_dimension_hold_it_and_the_rest_follows(operation: str) -> None:
    result = operation.partition("-> ")[2]
    text = program(
        "%a: tensor<64x256xf32>, %i: tensor<i32>, %z: tensor<f32>",
        f"%0 = {operation}\nreturn %0 : {result}",
        result,
    )
    assert shapes(text) == ["4x256xf32", "i32", "f32", result.replace("tensor<64x", "4x").removesuffix(">")]


def test_what_is_looked_up_in_may_be_smaller() -> None:
    text = program(
        "%table: tensor<50000x64xf32>, %i: tensor<32x1xi32>, %u: tensor<32x64xf32>",
        """%0 = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
             collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false,
             slice_sizes = array<i64: 1, 64>}> : (tensor<50000x64xf32>, tensor<32x1xi32>) -> tensor<32x64xf32>
           %1 = stablehlo.add %0, %u : tensor<32x64xf32>
           %2 = "stablehlo.scatter"(%table, %i, %1) <{scatter_dimension_numbers = #stablehlo.scatter<
             update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
             index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
             ^bb0(%a: tensor<f32>, %b: tensor<f32>):
               %s = stablehlo.add %a, %b : tensor<f32>
               stablehlo.return %s : tensor<f32>
             }) : (tensor<50000x64xf32>, tensor<32x1xi32>, tensor<32x64xf32>) -> tensor<50000x64xf32>
           return %2 : tensor<50000x64xf32>""",
        "tensor<50000x64xf32>",
    )
    assert shapes(text) == ["5x4xf32", "4x1xi32", "4x4xf32", "5x4xf32"]


def test_a_window_holds_its_dimension_and_channels_follow() -> None:
    text = program(
        "%x: tensor<32x16x16x64xf32>, %w: tensor<3x3x64x128xf32>",
        """%0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
             window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
             : (tensor<32x16x16x64xf32>, tensor<3x3x64x128xf32>) -> tensor<32x16x16x128xf32>
           return %0 : tensor<32x16x16x128xf32>""",
        "tensor<32x16x16x128xf32>",
    )
    assert shapes(text) == ["4x16x16x4xf32", "3x3x4x4xf32", "4x16x16x4xf32"]


LOOP = """
func.func @main(%x: tensor<64x256xf32>, %w: tensor<6x256x256xf32>) -> tensor<64x256xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<64x256xf32>
  cond {
    %six = stablehlo.constant dense<6> : tensor<i32>
    %c = stablehlo.compare LT, %i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %s = stablehlo.dynamic_slice %w, %i, %z, %z, sizes = [1, 256, 256]
      : (tensor<6x256x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x256xf32>
    %r = stablehlo.reshape %s : (tensor<1x256x256xf32>) -> tensor<256x256xf32>
    %d = func.call @layer(%y, %r) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %d : tensor<i32>, tensor<64x256xf32>
  }
  return %0#1 : tensor<64x256xf32>
}
func.func private @layer(%y: tensor<64x256xf32>, %r: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %d = stablehlo.dot_general %y, %r, contracting_dims = [1] x [0]
    : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %c = stablehlo.constant dense<2.0> : tensor<64x256xf32>
  %m = stablehlo.multiply %d, %c : tensor<64x256xf32>
  return %m : tensor<64x256xf32>
}
"""


def test_loops_and_calls_follow_and_layers_stay() -> None:
    assert shapes('sdy.mesh @mesh = <["x"=2]>' + LOOP) == ["4x4xf32", "6x4x4xf32", "4x4xf32"]


def test_numbers_of_a_constant_hold_it() -> None:
    text = program(
        "%a: tensor<3x64xf32>, %b: tensor<6xf32>",
        """%c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
           %0 = stablehlo.add %b, %c : tensor<6xf32>
           return %a, %0 : tensor<3x64xf32>, tensor<6xf32>""",
        "(tensor<3x64xf32>, tensor<6xf32>)",
    )
    assert shapes(text) == ["3x4xf32", "6xf32", "3x4xf32", "6xf32"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }", "hold all dimensions"),
        ("func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }", "shapes are dynamic"),
    ],
)
def test_what_cannot_be_smaller_is_said(text: str, message: str) -> None:
    with pytest.raises(NotSmaller, match=message):
        parse(text).made_small()


def test_the_program_itself_stays_as_it_was_and_the_copy_has_a_note() -> None:
    module: Module = parse(LOOP)
    before = str(module)
    assert "from 4.3e+06 elements" not in before
    small = module.made_small()
    assert str(module) == before and small.notes[-1].startswith("the program was made small, from ")


def test_a_wrong_partition_of_a_small_program_is_seen() -> None:
    text = program(
        '%a: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<1024x512xf32>',
        """%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
             : (tensor<4096x1024xf32>, tensor<1024x512xf32>) -> tensor<4096x512xf32>
           return %0 : tensor<4096x512xf32>""",
        "tensor<4096x512xf32>",
    )
    plan = partition(parse(text).made_small())
    assert plan.check().agrees
    sums = [op for op in plan.local.op.walk() if op.name in ("stablehlo.all_reduce", "stablehlo.reduce_scatter")]
    assert [op.name for op in sums] == ["stablehlo.all_reduce"]
    rewriting.replace_op(sums[0], sums[0].operands)
    assert plan.check().differs
