"""The whole chain under its one name: every operation gets what it needs, and devices compute what one device does."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import numpy as np
import pytest

from tests.passes.partitioning.program_text import of, on
from tests.passes.partitioning.simulated import same_results

CHAIN = "sdy-partitioner"
P, Q = '"p"', '"q"'
MESH = '<["p"=4, "q"=2]>'
ADD = """({
            ^bb0(%u: tensor<f32>, %v: tensor<f32>):
            %w = stablehlo.add %u, %v : tensor<f32>
            stablehlo.return %w : tensor<f32>
          })"""


def program(arguments: str, results: str, body: str, *, mesh: str = MESH, others: str = "") -> str:
    return f"""
        sdy.mesh @m = {mesh}
        {others}
        func.func @main({arguments}) -> ({results}) {{
          {body}
        }}
        """


# --- what is combined behind ------------------------------------------------------------------------------------------


def test_a_gather_may_be_scattered_behind() -> None:
    text = same_results(
        CHAIN,
        program(
            f"%x: tensor<8x6xf32> {on(P, '')}, %i: tensor<4x1xi32>",
            f"tensor<4x6xf32> {on(P, '')}",
            """%0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<8x6xf32>, tensor<4x1xi32>) -> tensor<4x6xf32>
          return %0 : tensor<4x6xf32>""",
        ),
        inputs={1: np.array([[3], [0], [7], [4]], np.int32)},
    )
    assert "reduce_scatter" in text and "all_gather" not in text


def test_terms_are_padded_before_they_are_scattered() -> None:
    text = same_results(
        CHAIN,
        program(
            f"%x: tensor<5x8xf32> {on('', P)}, %y: tensor<8xf32> {on(P)}",
            "tensor<5xf32>",
            f"""%0 = stablehlo.dot %x, %y {of(P)} : (tensor<5x8xf32>, tensor<8xf32>) -> tensor<5xf32>
          return %0 : tensor<5xf32>""",
        ),
    )
    assert '"stablehlo.reduce_scatter"' in text


def test_padded_factors_of_a_product_are_multiplied() -> None:
    same_results(
        CHAIN,
        program(
            f"%x: tensor<8x5xi32> {on(P, '')}",
            "tensor<5xi32>",
            f"""%c = stablehlo.constant dense<1> : tensor<i32>
          %1 = stablehlo.reduce(%x init: %c) applies stablehlo.multiply across dimensions = [0] {of("")} : (tensor<8x5xi32>, tensor<i32>) -> tensor<5xi32>
          %2 = sdy.all_reduce {{"p"}} %1 out_sharding=<@m, [{{}}]> : tensor<5xi32>
          %3 = sdy.reshard %2 <@m, [{{"p"}}]> : tensor<5xi32>
          %4 = stablehlo.negate %3 {of(P)} : tensor<5xi32>
          return %4 : tensor<5xi32>""",
        ),
    )


def test_parts_of_an_axis_are_the_axis_when_they_are_summed() -> None:
    same_results(
        CHAIN,
        program(
            """%x: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"p":(2)2, "q", "p":(1)2}]>}, %y: tensor<8xf32>""",
            "tensor<2xf32>",
            """%0 = stablehlo.dot %x, %y : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2xf32>
          return %0 : tensor<2xf32>""",
        ),
    )


def test_a_contraction_may_be_padded_with_anything() -> None:
    same_results(
        "sdy-convert-global-to-local",
        program(
            f"%x: tensor<8x6xf32> {on(P, Q)}, %y: tensor<4x8xf32> {on(Q, '')}",
            f"tensor<8x8xf32> {on(P, '')}",
            f"""%c = stablehlo.constant dense<3.0> : tensor<f32>
          %2 = stablehlo.pad %y, %c, low = [1, 0], high = [1, 0], interior = [0, 0] {of(Q, "")} : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x8xf32>
          %1 = stablehlo.dot %x, %2 {of(P, "")} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
          %0 = sdy.all_reduce {{"q"}} %1 out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<8x8xf32>
          return %0 : tensor<8x8xf32>""",
        ),
    )


def test_scattered_windows_of_sharded_updates() -> None:
    body = f"""%0 = "stablehlo.scatter"(%x, %i, %y) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> {ADD} {of(P)} : (tensor<8xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>"""
    same_results(
        CHAIN,
        program(f"%x: tensor<8xf32> {on(P)}, %i: tensor<4x1xi32>, %y: tensor<4x2xf32> {on(Q, '')}", f"tensor<8xf32> {on(P)}", body),
        inputs={1: np.array([[3], [0], [6], [9]], np.int32)},
    )  # fmt: skip


def test_what_is_written_at_the_beginning_of_a_sharded_dimension() -> None:
    body = f"""%0 = "stablehlo.scatter"(%x, %i, %y) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> {ADD} {of("", P)} : (tensor<6x8xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<6x8xf32>
          return %0 : tensor<6x8xf32>"""
    same_results(
        CHAIN,
        program(f"%x: tensor<6x8xf32> {on('', P)}, %i: tensor<4x1xi32>, %y: tensor<4xf32>", f"tensor<6x8xf32> {on('', P)}", body),
        inputs={1: np.array([[3], [0], [5], [9]], np.int32)},
    )  # fmt: skip


def test_two_sums_at_once_of_what_does_not_divide() -> None:
    same_results(
        CHAIN,
        program(
            "%x: tensor<7xf32>, %y: tensor<7xf32>",
            "tensor<f32>, tensor<f32>",
            f"""%c = stablehlo.constant dense<5.0> : tensor<f32>
          %3 = sdy.reshard %x <@m, [{{"p"}}]> : tensor<7xf32>
          %4 = sdy.reshard %y <@m, [{{"p"}}]> : tensor<7xf32>
          %5 = stablehlo.negate %3 {of(P)} : tensor<7xf32>
          %6 = stablehlo.exponential %4 {of(P)} : tensor<7xf32>
          %7:2 = stablehlo.reduce(%5 init: %c), (%4 init: %c) across dimensions = [0] : (tensor<7xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
            reducer(%a: tensor<f32>, %b: tensor<f32>) (%d: tensor<f32>, %e: tensor<f32>) {{
              %r = stablehlo.add %a, %b : tensor<f32>
              %s = stablehlo.add %d, %e : tensor<f32>
              stablehlo.return %r, %s : tensor<f32>, tensor<f32>
            }}
          return %7#0, %7#1 : tensor<f32>, tensor<f32>""",
        ),
    )


# --- operations that propagation knows otherwise, or not --------------------------------------------------------------


@pytest.mark.parametrize("choice", [True, False])
def test_branches_return_what_the_result_says(choice: bool) -> None:
    same_results(
        CHAIN,
        program(
            f"%n: tensor<i1>, %x: tensor<8x5xf32> {on(P, '')}",
            "tensor<8x5xf32>",
            f"""%0 = "stablehlo.if"(%n) ({{
            stablehlo.return %x : tensor<8x5xf32>
          }}, {{
            %1 = stablehlo.negate %x {of(P, "")} : tensor<8x5xf32>
            stablehlo.return %1 : tensor<8x5xf32>
          }}) {of(Q, P)} : (tensor<i1>) -> tensor<8x5xf32>
          return %0 : tensor<8x5xf32>""",
        ),
        inputs={0: np.array(choice)},
    )


def test_a_custom_rule_of_a_known_operation_is_not_believed() -> None:
    rule = "#sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}, custom>"
    same_results(
        CHAIN,
        program(
            f"%x: tensor<8x8xf32> {on(P, '')}",
            f"tensor<8x8xf32> {on('', P)}",
            f"""%0 = stablehlo.negate %x {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}, {{"p"}}]>]>, sdy.sharding_rule = {rule}}} : tensor<8x8xf32>
          return %0 : tensor<8x8xf32>""",
        ),
    )


@pytest.mark.parametrize("rows", [8, 7])
def test_operations_of_chlo_that_do_not_divide(rows: int) -> None:
    same_results(
        CHAIN,
        program(
            f"%x: tensor<{rows}x5xf32>",
            f"tensor<{rows}x5xf32>",
            f"""%0 = sdy.reshard %x <@m, [{{"p"}}, {{"q"}}]> : tensor<{rows}x5xf32>
          %1 = chlo.square %0 {of(P, Q)} : tensor<{rows}x5xf32> -> tensor<{rows}x5xf32>
          %2 = chlo.square %1 {of(Q, "")} : tensor<{rows}x5xf32> -> tensor<{rows}x5xf32>
          %3 = stablehlo.add %2, %x {of(Q, "")} : tensor<{rows}x5xf32>
          return %3 : tensor<{rows}x5xf32>""",
        ),
    )


def test_the_largest_along_a_sharded_dimension() -> None:
    same_results(
        CHAIN,
        program(
            f"%x: tensor<4x8xf32> {on('', P)}",
            f"tensor<4x8xf32> {on('', P)}, tensor<4x8xi32>",
            """%0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 8 : i64, largest = true}, sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"p"}]>, <@m, [{}, {"p"}]>]>} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
          return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xi32>""",
        ),
    )


def test_matrices_are_decomposed_whole() -> None:
    batch = np.random.default_rng(0).normal(size=(2, 4, 4)).astype(np.float32)
    same_results(
        CHAIN,
        program(
            f"%x: tensor<2x4x4xf32> {on(Q, P, '')}",
            f"tensor<2x4x4xf32> {on(Q, P, '')}",
            f"""%0 = stablehlo.custom_call @Cholesky(%x) {of(Q, P, "")} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
          return %0 : tensor<2x4x4xf32>""",
        ).replace("stablehlo.custom_call @Cholesky(%x)", '"stablehlo.cholesky"(%x) <{lower = true}>'),
        inputs={0: batch @ batch.transpose(0, 2, 1) + 4 * np.eye(4, dtype=np.float32)},
    )


# --- windows and shapes -----------------------------------------------------------------------------------------------


def test_windows_over_what_they_spread() -> None:
    same_results(
        CHAIN,
        program(
            f"%x: tensor<4x6xf32> {on(P, '')}",
            "tensor<7x6xf32>",
            f"""%c = stablehlo.constant dense<1.0> : tensor<f32>
          %0 = "stablehlo.reduce_window"(%x, %c) <{{base_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 1, 1>}}> {ADD} {of(P, "")} : (tensor<4x6xf32>, tensor<f32>) -> tensor<7x6xf32>
          return %0 : tensor<7x6xf32>""",
        ),
    )


@pytest.mark.parametrize(
    "size, kernel, window, found",
    [
        (8, 8, "", 1),
        (8, 8, "reverse = [true]", 1),
        (8, 8, "pad = [[1, 0]]", 2),
        (8, 4, "rhs_dilate = [2]", 2),
        (8, 3, "stride = [2]", 3),
        (7, 7, "", 1),
        (1, 1, "", 1),
    ],
)
def test_kernels_along_sharded_dimensions(size: int, kernel: int, window: str, found: int) -> None:
    text = same_results(
        CHAIN,
        program(
            f"%x: tensor<2x{size}x3xf32>, %k: tensor<{kernel}x3x5xf32>",
            f"tensor<2x{found}x5xf32>",
            f"""%0 = sdy.reshard %x <@m, [{{}}, {{"p"}}, {{}}]> : tensor<2x{size}x3xf32>
          %1 = sdy.reshard %k <@m, [{{"p"}}, {{}}, {{}}]> : tensor<{kernel}x3x5xf32>
          %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{{window}}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}, {{"q"}}, {{}}]>]>}} : (tensor<2x{size}x3xf32>, tensor<{kernel}x3x5xf32>) -> tensor<2x{found}x5xf32>
          return %2 : tensor<2x{found}x5xf32>""",
        ),
    )
    assert ("stablehlo.all_reduce" in text) == (kernel == size > 1 and not window)


def test_one_element_for_all() -> None:
    same_results(
        CHAIN,
        program(
            "%x: tensor<1x6xf32>",
            f"tensor<4x6xf32> {on(P, '')}",
            f"""%0 = sdy.reshard %x <@m, [{{"p"}}, {{}}]> : tensor<1x6xf32>
          %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] {of(P, "")} : (tensor<1x6xf32>) -> tensor<4x6xf32>
          return %1 : tensor<4x6xf32>""",
        ),
    )


def test_a_sharded_slice_of_one_element() -> None:
    same_results(
        CHAIN,
        program(
            "%x: tensor<3x1xf32>, %i: tensor<4x1xi32>",
            "tensor<4x1xf32>",
            f"""%0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}> {of("", P)} : (tensor<3x1xf32>, tensor<4x1xi32>) -> tensor<4x1xf32>
          return %0 : tensor<4x1xf32>""",
        ),
        inputs={1: np.array([[2], [0], [1], [9]], np.int32)},
    )


def test_parts_of_an_axis_that_overlap_change_places() -> None:
    same_results(
        CHAIN,
        program(
            """%x: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"p":(3)2}, {}]>}""",
            """tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"p":(1)2}, {}]>}""",
            "return %x : tensor<8x3xf32>",
            mesh='<["p"=6, "q"=2]>',
        ),
    )


@pytest.mark.parametrize("columns", [4, 3])
def test_a_sharded_part_is_put_into_a_whole(columns: int) -> None:
    same_results(
        CHAIN,
        program(
            f"%x: tensor<6x8xf32>, %y: tensor<4x{columns}xf32>, %i: tensor<i32>",
            "tensor<6x8xf32>",
            f"""%0 = sdy.reshard %y <@m, [{{}}, {{"p"}}]> : tensor<4x{columns}xf32>
          %1 = stablehlo.negate %0 {of("", P)} : tensor<4x{columns}xf32>
          %2 = stablehlo.dynamic_update_slice %x, %1, %i, %i : (tensor<6x8xf32>, tensor<4x{columns}xf32>, tensor<i32>, tensor<i32>) -> tensor<6x8xf32>
          return %2 : tensor<6x8xf32>""",
        ),
        inputs={2: np.array(1, np.int32)},
    )


def test_reversals_beside_another_dimension_that_does_not_divide() -> None:
    same_results(
        CHAIN,
        program(
            "%x: tensor<7x5xf32>",
            "tensor<7x5xf32>",
            f"""%0 = sdy.reshard %x <@m, [{{"p"}}, {{"q"}}]> : tensor<7x5xf32>
          %1 = stablehlo.reverse %0, dims = [0] {of(P, Q)} : tensor<7x5xf32>
          return %1 : tensor<7x5xf32>""",
        ),
    )


# --- meshes -----------------------------------------------------------------------------------------------------------


def test_values_on_two_meshes_and_on_one_device() -> None:
    same_results(
        CHAIN,
        program(
            f"""%x: tensor<8x4xf32> {on(P, Q)}, %y: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@n, [{{}}, {{"x"}}]>}}""",
            """tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@n, [{"x"}, {}]>}, tensor<8x4xf32>""",
            f"""%0 = stablehlo.add %x, %y {of(P, Q)} : tensor<8x4xf32>
          %1 = stablehlo.multiply %0, %x {{sdy.sharding = #sdy.sharding_per_value<[<@n, [{{"x"}}, {{}}]>]>}} : tensor<8x4xf32>
          %2 = sdy.reshard %1 <@one, []> : tensor<8x4xf32>
          %3 = stablehlo.negate %2 : tensor<8x4xf32>
          %4:2 = stablehlo.optimization_barrier {{sdy.sharding = #sdy.sharding_per_value<[<@one, []>, <@m, [{{"p"}}, {{}}]>]>}} %3, %x : tensor<8x4xf32>, tensor<8x4xf32>
          %5 = stablehlo.subtract %4#0, %4#1 {of(P, "")} : tensor<8x4xf32>
          return %1, %5 : tensor<8x4xf32>, tensor<8x4xf32>""",
            others='sdy.mesh @n = <["x"=4, "y"=2], device_ids=[1, 0, 3, 2, 5, 4, 7, 6]>\nsdy.mesh @one = <[], device_ids=[2]>',
        ),
    )


def test_a_sum_goes_over_the_devices_that_have_terms() -> None:
    on_n = """{sdy.sharding = #sdy.sharding<@n, [{"p"}]>}"""
    same_results(
        CHAIN,
        program(
            f"%x: tensor<8xf32> {on_n}, %y: tensor<8xf32> {on_n}",
            "tensor<f32>",
            f"""%0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] {of()} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
          return %0 : tensor<f32>""",
            others='sdy.mesh @n = <["p"=4, "q"=2], device_ids=[6, 1, 3, 2, 5, 4, 7, 0]>',
        ),
    )


# --- terms ------------------------------------------------------------------------------------------------------------

UNREDUCED = '{sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"p"}>}'
MADE_UNREDUCED = '{sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], unreduced={"p"}>]>}'


@pytest.mark.parametrize("operation", ["maximum", "multiply", "add"])
def test_only_terms_stay_unreduced(operation: str) -> None:
    same_results(
        CHAIN,
        program(
            f"%x: tensor<3x4xf32>, %y: tensor<3x4xf32> {on('', Q)}",
            f"tensor<3x4xf32>, tensor<3x4xf32> {UNREDUCED}, tensor<3x4xf32> {UNREDUCED}",
            f"""%0 = stablehlo.{operation} %x, %y {MADE_UNREDUCED} : tensor<3x4xf32>
          %1 = stablehlo.negate %0 {MADE_UNREDUCED} : tensor<3x4xf32>
          %2 = stablehlo.abs %1 {of("", "")} : tensor<3x4xf32>
          return %2, %1, %x : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>""",
        ),
    )


def test_a_value_becomes_unreduced_on_another_mesh() -> None:
    same_results(
        CHAIN,
        program(
            """%x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@n, [{}, {"p"}]>}""",
            f"tensor<4x8xf32> {UNREDUCED}",
            """%0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@n, [{}, {"p"}]>]>} : tensor<4x8xf32>
          return %0 : tensor<4x8xf32>""",
            others='sdy.mesh @n = <["p"=4, "q"=2], device_ids=[6, 1, 3, 2, 5, 4, 7, 0]>',
        ),
    )


def test_windows_of_updates_that_do_not_divide() -> None:
    body = f"""%0 = sdy.reshard %y <@m, [{{"p"}}, {{}}]> : tensor<3x2xf32>
          %1 = stablehlo.negate %0 {of(P, "")} : tensor<3x2xf32>
          %2 = "stablehlo.scatter"(%x, %i, %1) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> {ADD} {of("")} : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
          return %2 : tensor<5xf32>"""
    same_results(
        CHAIN,
        program("%x: tensor<5xf32>, %i: tensor<3x1xi32>, %y: tensor<3x2xf32>", "tensor<5xf32>", body),
        inputs={1: np.array([[3], [0], [2]], np.int32)},
    )


def test_all_devices_take_the_same_branch() -> None:
    same_results(
        CHAIN,
        program(
            """%n: tensor<i32>, %x: tensor<3xf32>""",
            "tensor<3xf32>",
            """%0 = stablehlo.negate %n {sdy.sharding = #sdy.sharding_per_value<[<@m, [], unreduced={"p"}>]>} : tensor<i32>
          %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [], unreduced={"p"}>]>} : tensor<i32>
          %2 = "stablehlo.case"(%1) ({
            stablehlo.return %x : tensor<3xf32>
          }, {
            %3 = stablehlo.negate %x : tensor<3xf32>
            stablehlo.return %3 : tensor<3xf32>
          }) : (tensor<i32>) -> tensor<3xf32>
          return %2 : tensor<3xf32>""",
        ),
        inputs={0: np.array(1, np.int32)},
    )


def test_what_is_summed_is_not_summed_again() -> None:
    text = same_results(
        CHAIN,
        program(
            f"%x: tensor<3x8xf32> {on('', P)}, %y: tensor<8x4xf32> {on(P, '')}",
            "tensor<3x4xf32>",
            f"""%0 = stablehlo.dot %x, %y {MADE_UNREDUCED} : (tensor<3x8xf32>, tensor<8x4xf32>) -> tensor<3x4xf32>
          %1 = stablehlo.negate %0 {MADE_UNREDUCED} : tensor<3x4xf32>
          %2 = sdy.all_reduce {{"p"}} %1 out_sharding=<@m, [{{}}, {{}}]> : tensor<3x4xf32>
          return %2 : tensor<3x4xf32>""",
        ),
    )
    assert text.count('"stablehlo.all_reduce"') == 1
