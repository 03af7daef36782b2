"""Gather and scatter with tables, indices and updates sharded every way, out-of-bounds indices included."""

from __future__ import annotations

import pytest

from pyshardy import parse, partition
from tests.partitioning.test_small_programs import agrees, sharded

_TABLES = [("x", ""), ("", "x"), ("x", "y"), ("y,x", ""), ("", "")]


@pytest.mark.parametrize("table", _TABLES)
@pytest.mark.parametrize("indices", ["", "x", "y"])
@pytest.mark.parametrize("integer", ["i32", "ui8", "i64"])
def test_rows_of_a_table_are_served_by_their_owners(table: tuple[str, str], indices: str, integer: str) -> None:
    body = f"""
      %three = stablehlo.constant dense<3> : tensor<5x1x{integer}>
      %0 = stablehlo.subtract %i, %three : tensor<5x1x{integer}>
      %1 = "stablehlo.gather"(%t, %0) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],
          collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
          slice_sizes = array<i64: 1, 6>}}> : (tensor<10x6xf32>, tensor<5x1x{integer}>) -> tensor<5x6xf32>
      return %1 : tensor<5x6xf32>"""
    arguments = f"%t: {sharded('tensor<10x6xf32>', *table)}, %i: {sharded(f'tensor<5x1x{integer}>', indices, '')}"
    assert agrees(arguments, "tensor<5x6xf32>", body)


@pytest.mark.parametrize("table", [("x", "y", ""), ("", "x", "y"), ("y", "", "x"), ("x", "", "y")])
def test_several_components_and_an_implicit_one_and_a_batch(table: tuple[str, str, str]) -> None:
    body = """
      %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
          collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0>,
          slice_sizes = array<i64: 1, 1, 9>}> : (tensor<6x7x9xf32>, tensor<2x4xi32>) -> tensor<4x9xf32>
      %1 = "stablehlo.gather"(%t, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
          collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
          start_index_map = [], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 9>}>
          : (tensor<6x7x9xf32>, tensor<6x4x0xi32>) -> tensor<6x4x9xf32>
      return %0, %1 : tensor<4x9xf32>, tensor<6x4x9xf32>"""
    arguments = f"%t: {sharded('tensor<6x7x9xf32>', *table)}, %i: tensor<2x4xi32>, %j: tensor<6x4x0xi32>"
    assert agrees(arguments, "tensor<4x9xf32>, tensor<6x4x9xf32>", body)


_SCATTER = """
      %three = stablehlo.constant dense<3> : tensor<7x1xi32>
      %0 = stablehlo.subtract %i, %three : tensor<7x1xi32>
      %1 = "stablehlo.scatter"(%t, %0, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        {body}
      }}) : (tensor<10x6xf32>, tensor<7x1xi32>, tensor<7x6xf32>) -> tensor<10x6xf32>
      return %1 : tensor<10x6xf32>"""


@pytest.mark.parametrize("table", _TABLES)
@pytest.mark.parametrize("updates", [("", ""), ("x", ""), ("y", "x"), ("x,y", "")])
@pytest.mark.parametrize("operation", ["add", "maximum", "multiply", ""])
def test_updates_go_to_the_owners_of_their_rows(
    table: tuple[str, str], updates: tuple[str, str], operation: str
) -> None:
    combined = f"%c = stablehlo.{operation} %a, %b : tensor<f32>\n        stablehlo.return %c : tensor<f32>"
    body = _SCATTER.format(body=combined if operation else "stablehlo.return %b : tensor<f32>")
    arguments = (
        f"%t: {sharded('tensor<10x6xf32>', *table)}, %i: {sharded('tensor<7x1xi32>', updates[0], '')}, "
        f"%u: {sharded('tensor<7x6xf32>', *updates)}"
    )
    # Rows that are hit twice are overwritten in the order of the updates, which no collective changes.
    assert agrees(arguments, sharded("tensor<10x6xf32>", "", ""), body)


def test_an_embedding_sharded_by_rows_is_not_gathered() -> None:
    text = """
      sdy.mesh @m = <["x"=4]>
      func.func @main(%t: tensor<4096x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                      %i: tensor<16x1xi32>) -> tensor<16x8xf32> {
        %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
            collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
            slice_sizes = array<i64: 1, 8>}> : (tensor<4096x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
        return %0 : tensor<16x8xf32>
      }"""
    plan = partition(parse(text))
    assert [one.kind for one in plan.collectives] == ["all_reduce"]
    assert plan.bytes_moved == 2 * 16 * 8 * 4 * 3 / 4
