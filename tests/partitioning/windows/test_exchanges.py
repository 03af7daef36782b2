"""Operations that move data along sharded dimensions: right, and without gathering whole tensors."""

from __future__ import annotations

import pytest

from pyshardy import parse, partition
from pyshardy.dialects.sdy.placement import function_result_sharding, set_sharding
from pyshardy.emitting.layout import replicated
from pyshardy.ir.types import TensorType, element_width
from pyshardy.partitioning.boundary import Boundary
from pyshardy.partitioning.layouts.reshard_plan import reshard_plan
from tests.partitioning.sharding_text import sharded
from tests.partitioning.windows.random_exchanges import failure, families, program
from tests.sampling import sampled

MESH = 'sdy.mesh @m = <["x"=4, "y"=2]>\n'


@pytest.mark.slow
@pytest.mark.parametrize("first", sampled([0, 12], 2))
@pytest.mark.parametrize("family", families())
def test_random_shapes_attributes_and_layouts_agree_with_the_global_program(family: str, first: int) -> None:
    assert [wrong for seed in range(first, first + 12) if (wrong := failure(family, seed)) is not None] == []


@pytest.mark.slow
@pytest.mark.parametrize("family", [one for one in families() if one not in ("concatenate", "slice_of_pad")])
def test_no_operation_moves_more_than_gathering_its_operands(family: str) -> None:
    for seed in range(30):
        module = parse(program(family, seed))
        function = next(op for op in module.op.body if op.name == "func.func")
        wanted = function_result_sharding(function, 0)
        for value in function.body.terminator.operands:
            assert wanted is not None and value.defining_op is not None
            for result in value.defining_op.results:
                set_sharding(result, wanted)
        plan = partition(module, propagated=True)
        assert plan.bytes_moved <= sum(map(_bytes_to_gather, plan.arguments)) + 1, program(family, seed)


def _bytes_to_gather(argument: Boundary) -> float:
    """What each device receives when it gets the whole argument."""
    assert isinstance(argument.type, TensorType)
    whole = reshard_plan(argument.layout, replicated(argument.layout.rank), argument.type.shape)
    return whole.elements * element_width(argument.type.element) / 8


def moved(arguments: str, result: str, body: str) -> list[tuple[str, float]]:
    """Kind and bytes of each collective of a program of one function, which passes its check."""
    type = result.split(" {")[0]
    module = parse(f"{MESH}func.func @main({arguments}) -> ({result}) {{\n{body}\nreturn %0 : {type}\n}}")
    plan = partition(module, propagated=True)
    assert plan.check().agrees
    return [(one.kind, one.bytes) for one in plan.collectives]


def test_a_slice_takes_only_what_it_lacks_from_the_neighbour() -> None:
    body = "%0 = stablehlo.slice %a [2:15, 0:3] : (tensor<16x3xi32>) -> tensor<13x3xi32>"
    argument, result = sharded("tensor<16x3xi32>", "x", ""), sharded("tensor<13x3xi32>", "x", "")
    assert moved(f"%a: {argument}", result, body) == [("collective_permute", 24)]


def test_a_strided_slice_whose_steps_fit_the_shards_moves_nothing() -> None:
    body = "%0 = stablehlo.slice %a [1:16:2] : (tensor<16xi32>) -> tensor<8xi32>"
    assert moved(f"%a: {sharded('tensor<16xi32>', 'x')}", sharded("tensor<8xi32>", "x"), body) == []


def test_half_of_a_dimension_is_spread_anew_by_two_small_permutes() -> None:
    body = "%0 = stablehlo.slice %a [0:8] : (tensor<16xi32>) -> tensor<8xi32>"
    collectives = moved(f"%a: {sharded('tensor<16xi32>', 'x')}", sharded("tensor<8xi32>", "x"), body)
    assert collectives == [("collective_permute", 8), ("collective_permute", 8)]


def test_the_last_row_of_a_sharded_dimension_is_summed_up_where_all_need_it() -> None:
    body = "%0 = stablehlo.slice %a [63:64, 0:5] : (tensor<64x5xf32>) -> tensor<1x5xf32>"
    collectives = moved(f"%a: {sharded('tensor<64x5xf32>', 'x', '')}", "tensor<1x5xf32>", body)
    assert collectives == [("all_reduce", 2 * 20 * 3 / 4)]


def test_a_padding_shifts_by_one_element() -> None:
    body = "%0 = stablehlo.pad %a, %b, low = [1], high = [-1], interior = [0] : (tensor<16xi32>, tensor<i32>)"
    arguments = f"%a: {sharded('tensor<16xi32>', 'x')}, %b: tensor<i32>"
    collectives = moved(arguments, sharded("tensor<16xi32>", "x"), f"{body} -> tensor<16xi32>")
    assert collectives == [("collective_permute", 4)]


def test_a_padding_inside_moves_nothing() -> None:
    body = "%0 = stablehlo.pad %a, %b, low = [0], high = [1], interior = [1] : (tensor<16xi32>, tensor<i32>)"
    arguments = f"%a: {sharded('tensor<16xi32>', 'x')}, %b: tensor<i32>"
    assert moved(arguments, sharded("tensor<32xi32>", "x"), f"{body} -> tensor<32xi32>") == []


@pytest.mark.parametrize("size", [16, 13, 10, 9])
def test_a_reversal_sends_each_device_one_shard(size: int) -> None:
    type = f"tensor<{size}xi32>"
    collectives = moved(
        f"%a: {sharded(type, 'x')}", sharded(type, "x"), f"%0 = stablehlo.reverse %a, dims = [0] : {type}"
    )
    assert sum(bytes for _, bytes in collectives) <= 4 * -(-size // 4)
    assert {kind for kind, _ in collectives} == {"collective_permute"}


def test_a_reversal_of_two_sharded_dimensions_is_one_permute() -> None:
    type = "tensor<8x6xi32>"
    body = f"%0 = stablehlo.reverse %a, dims = [0, 1] : {type}"
    assert moved(f"%a: {sharded(type, 'x', 'y')}", sharded(type, "x", "y"), body) == [("collective_permute", 24)]


def test_a_tensor_that_is_whole_on_every_device_is_cut_where_its_reversal_is_needed() -> None:
    body = "%0 = stablehlo.reverse %a, dims = [0] : tensor<10xi32>"
    assert moved(f"%a: {sharded('tensor<10xi32>', '')}", sharded("tensor<10xi32>", "x"), body) == []


def test_tensors_joined_along_the_sharded_dimension_are_not_gathered() -> None:
    body = "%0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>"
    half = sharded("tensor<8x3xf32>", "x", "")
    collectives = moved(f"%a: {half}, %b: {half}", sharded("tensor<16x3xf32>", "x", ""), body)
    assert {kind for kind, _ in collectives} == {"collective_permute"}
    assert sum(bytes for _, bytes in collectives) <= 4 * 3 * 4


def test_a_roll_sends_the_rows_that_cross_from_shard_to_shard() -> None:
    body = """
      %1 = stablehlo.slice %a [15:16, 0:5] : (tensor<16x5xf32>) -> tensor<1x5xf32>
      %2 = stablehlo.slice %a [0:15, 0:5] : (tensor<16x5xf32>) -> tensor<15x5xf32>
      %0 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1x5xf32>, tensor<15x5xf32>) -> tensor<16x5xf32>"""
    layout = sharded("tensor<16x5xf32>", "x", "")
    assert moved(f"%a: {layout}", layout, body) == [("collective_permute", 20)]


def test_a_row_put_in_front_shifts_the_others_by_one() -> None:
    body = "%0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>"
    arguments = f"%a: {sharded('tensor<1xf32>', '')}, %b: {sharded('tensor<15xf32>', 'x')}"
    collectives = moved(arguments, sharded("tensor<16xf32>", "x"), body)
    assert collectives == [("collective_permute", 4)]


def test_a_row_of_a_sharded_table_is_summed_up_from_the_device_that_has_it() -> None:
    body = """
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %a, %i, %zero, sizes = [1, 8]
          : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>"""
    arguments = f"%a: {sharded('tensor<64x8xf32>', 'x', '')}, %i: tensor<i32>"
    assert moved(arguments, "tensor<1x8xf32>", body) == [("all_reduce", 2 * 32 * 3 / 4)]


def test_a_step_of_a_loop_takes_its_part_of_a_sharded_stack_without_communication() -> None:
    body = """
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %a, %i, %zero, sizes = [1, 16]
          : (tensor<64x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>"""
    arguments = f"%a: {sharded('tensor<64x16xf32>', '', 'x')}, %i: tensor<i32>"
    assert moved(arguments, sharded("tensor<1x16xf32>", "", "x"), body) == []


@pytest.mark.parametrize("rows", [1, 3, 20])
def test_each_device_writes_what_falls_into_its_shard_of_an_update(rows: int) -> None:
    body = f"""
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_update_slice %a, %u, %i, %zero
          : (tensor<30x8xf32>, tensor<{rows}x8xf32>, tensor<i32>, tensor<i32>) -> tensor<30x8xf32>"""
    cache = sharded("tensor<30x8xf32>", "x", "")
    assert moved(f"%a: {cache}, %u: tensor<{rows}x8xf32>, %i: tensor<i32>", cache, body) == []


def test_rows_that_do_not_divide_become_one_dimension_by_small_shifts() -> None:
    body = "%0 = stablehlo.reshape %a : (tensor<10x6xf32>) -> tensor<60xf32>"
    arguments, result = f"%a: {sharded('tensor<10x6xf32>', 'x', '')}", sharded("tensor<60xf32>", "x")
    collectives = moved(arguments, result, body)
    # Shards of 18, 18, 18 and 6 elements become shards of 15.
    assert {kind for kind, _ in collectives} == {"collective_permute"}
    assert sum(bytes for _, bytes in collectives) == 4 * 9


def test_heads_that_do_not_fit_the_devices_are_split_off_where_they_are() -> None:
    body = "%0 = stablehlo.reshape %a : (tensor<16x24xf32>) -> tensor<16x3x8xf32>"
    argument = sharded("tensor<16x24xf32>", "y", "x")
    collectives = moved(f"%a: {argument}", sharded("tensor<16x3x8xf32>", "y", "x", ""), body)
    assert {kind for kind, _ in collectives} == {"collective_permute"}
    assert sum(bytes for _, bytes in collectives) <= 4 * 8 * 8


def test_what_divides_is_reshaped_without_communication() -> None:
    body = "%0 = stablehlo.reshape %a : (tensor<4x6x8xf32>) -> tensor<24x2x4xf32>"
    argument = sharded("tensor<4x6x8xf32>", "x", "", "y")
    assert moved(f"%a: {argument}", sharded("tensor<24x2x4xf32>", "x", "y", ""), body) == []


def _convolution(lhs: str, kernel: str, result: str, window: str, groups: int = 1) -> str:
    return f"""
      %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {{{window}}}
          {{feature_group_count = {groups} : i64, batch_group_count = 1 : i64}} : ({lhs}, {kernel}) -> {result}"""


def test_a_convolution_in_space_exchanges_the_rows_that_windows_overlap() -> None:
    image, kernel = "tensor<2x3x16x16xf32>", "tensor<5x3x3x3xf32>"
    body = _convolution(image, kernel, "tensor<2x5x16x16xf32>", "pad = [[1, 1], [1, 1]]")
    arguments = f"%a: {sharded(image, '', '', 'x', '')}, %k: {kernel}"
    collectives = moved(arguments, sharded("tensor<2x5x16x16xf32>", "", "", "x", ""), body)
    row = 2 * 3 * 16 * 4
    assert collectives == [("collective_permute", row), ("collective_permute", row)]


def test_steps_of_a_convolution_that_fit_the_shards_need_one_row_only() -> None:
    image, kernel = "tensor<1x1x16x16xf32>", "tensor<1x1x3x3xf32>"
    body = _convolution(image, kernel, "tensor<1x1x8x8xf32>", "stride = [2, 2], pad = [[0, 1], [0, 1]]")
    arguments = f"%a: {sharded(image, '', '', 'x', '')}, %k: {kernel}"
    collectives = moved(arguments, sharded("tensor<1x1x8x8xf32>", "", "", "x", ""), body)
    assert collectives == [("collective_permute", 16 * 4)]


@pytest.mark.parametrize("dims", [("x", "", "", ""), ("x", "y", "", ""), ("", "x,y", "", "")])
def test_a_grouped_convolution_is_shared_along_batch_and_groups_without_communication(dims: tuple[str, ...]) -> None:
    image, kernel = "tensor<8x16x6x6xf32>", "tensor<16x2x3x3xf32>"
    body = _convolution(image, kernel, "tensor<8x16x4x4xf32>", "", groups=8)
    arguments = f"%a: {sharded(image, *dims)}, %k: {sharded(kernel, dims[1], '', '', '')}"
    assert moved(arguments, sharded("tensor<8x16x4x4xf32>", *dims), body) == []


def test_a_convolution_of_separate_channels_is_shared_in_any_number() -> None:
    image, kernel = "tensor<2x6x5x5xf32>", "tensor<6x1x3x3xf32>"
    body = _convolution(image, kernel, "tensor<2x6x3x3xf32>", "", groups=6)
    arguments = f"%a: {sharded(image, '', 'x', '', '')}, %k: {sharded(kernel, 'x', '', '', '')}"
    assert moved(arguments, sharded("tensor<2x6x3x3xf32>", "", "x", "", ""), body) == []


def test_sharded_input_features_leave_terms_of_a_sum() -> None:
    image, kernel = "tensor<2x8x6x6xf32>", "tensor<5x8x3x3xf32>"
    body = _convolution(image, kernel, "tensor<2x5x4x4xf32>", "")
    arguments = f"%a: {sharded(image, '', 'x', '', '')}, %k: {sharded(kernel, '', 'x', '', '')}"
    assert moved(arguments, "tensor<2x5x4x4xf32>", body) == [("all_reduce", 2 * (2 * 5 * 4 * 4 * 4) * 3 / 4)]


def test_the_gradient_of_a_kernel_is_summed_up_over_stretches_of_space() -> None:
    image, kernel = "tensor<2x3x16x16xf32>", "tensor<5x3x16x16xf32>"
    body = _convolution(image, kernel, "tensor<2x5x3x3xf32>", "pad = [[1, 1], [1, 1]]")
    arguments = f"%a: {sharded(image, '', '', 'x', '')}, %k: {sharded(kernel, '', '', 'x', '')}"
    collectives = moved(arguments, "tensor<2x5x3x3xf32>", body)
    assert sorted(kind for kind, _ in collectives) == ["all_reduce", "collective_permute", "collective_permute"]
    assert sum(bytes for _, bytes in collectives) == 2 * (2 * 3 * 16 * 4) + 2 * (2 * 5 * 3 * 3 * 4) * 3 / 4


def _reduction(name: str, type: str, window: str, padding: str, *, init: str = "0.0") -> str:
    rank = type.count("x")
    return f"""
      %init = stablehlo.constant dense<{init}> : tensor<f32>
      %0 = "stablehlo.reduce_window"(%a, %init) <{{window_dimensions = array<i64: {window}>,
          padding = dense<{padding}> : tensor<{rank}x2xi64>}}> ({{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %1 = stablehlo.{name} %x, %y : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }}) : ({type}, tensor<f32>) -> {type}"""


def test_pooling_exchanges_the_elements_that_windows_overlap() -> None:
    type = "tensor<16x5xf32>"
    body = _reduction("maximum", type, "3, 1", "[[1, 1], [0, 0]]", init="0xFF800000")
    layout = sharded(type, "x", "")
    assert moved(f"%a: {layout}", layout, body) == [("collective_permute", 20), ("collective_permute", 20)]


@pytest.mark.parametrize("size", [64, 61])
@pytest.mark.parametrize("backward", [False, True])
def test_a_running_sum_needs_the_total_of_each_shard(size: int, backward: bool) -> None:
    type = f"tensor<{size}x5xf32>"
    padding = f"[[0, {size - 1}], [0, 0]]" if backward else f"[[{size - 1}, 0], [0, 0]]"
    layout = sharded(type, "x", "")
    assert moved(f"%a: {layout}", layout, _reduction("add", type, f"{size}, 1", padding)) == [("all_gather", 60)]


def test_the_gradient_of_pooling_in_steps_that_fit_the_shards_moves_nothing() -> None:
    body = """
      %init = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = "stablehlo.select_and_scatter"(%a, %s, %init) <{window_dimensions = array<i64: 2, 1>,
          window_strides = array<i64: 2, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      }, {
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %1 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<16x5xf32>, tensor<8x5xf32>, tensor<f32>) -> tensor<16x5xf32>"""
    arguments = f"%a: {sharded('tensor<16x5xf32>', 'x', '')}, %s: {sharded('tensor<8x5xf32>', 'x', '')}"
    assert moved(arguments, sharded("tensor<16x5xf32>", "x", ""), body) == []


def test_what_is_made_of_whole_tensors_is_made_anew_in_every_layout_that_is_needed() -> None:
    body = """
      %1 = stablehlo.reverse %a, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<16xi32>
      %2 = stablehlo.slice %1 [1:9] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>}
          : (tensor<16xi32>) -> tensor<8xi32>
      %0 = stablehlo.reshape %2 : (tensor<8xi32>) -> tensor<2x4xi32>"""
    assert moved("%a: tensor<16xi32>", sharded("tensor<2x4xi32>", "", "y"), body) == []
