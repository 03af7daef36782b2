"""Single operations in hard shardings and sizes: the local program computes what the global one does."""

from __future__ import annotations

import pytest

from pyshardy import parse, partition, run_passes
from pyshardy.ir.pipeline_text import expanded
from pyshardy.passes.propagation_pipeline import PropagationPipeline
from tests.partitioning.sharding_text import sharded

MESHES = """
sdy.mesh @m = <["x"=4, "y"=2]>
sdy.mesh @r = <["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>
"""


def agrees(arguments: str, results: str, body: str, *, propagated: bool = False) -> bool:
    """Whether a program of one function passes its check; ``propagated`` takes the shardings as they stand.

    Arguments and results keep shardings that do not divide, which the pipeline would cut."""
    module = parse(f"{MESHES}func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")
    if not propagated:
        pipeline = PropagationPipeline(update_non_divisible_input_output_shardings=False)
        run_passes(module, expanded(pipeline))
    return not partition(module, propagated=True).check().differs


@pytest.mark.parametrize("size", [8, 10, 3, 1, 17])
@pytest.mark.parametrize("before", ["x", "y", "x,y", "y,x", ""])
@pytest.mark.parametrize("after", ["x", "y", "x,y", ""])
def test_a_tensor_of_any_size_goes_from_any_sharding_to_any_other(size: int, before: str, after: str) -> None:
    type = f"tensor<{size}x6xi32>"
    source, target = sharded(type, before, ""), sharded(type, after, "")
    assert agrees(f"%a: {source}", target, f"return %a : {type}", propagated=True)


@pytest.mark.parametrize("before", [("x", "y"), ("y", "x"), ("x,y", ""), ("", "x")])
@pytest.mark.parametrize("after", [("x", "y"), ("y", "x"), ("", "y,x"), ("y", "")])
@pytest.mark.parametrize("mesh", ["m", "r"])
def test_axes_move_between_dimensions_and_meshes(before: tuple[str, str], after: tuple[str, str], mesh: str) -> None:
    for type in ("tensor<8x16xi32>", "tensor<7x9xi32>"):
        source, target = sharded(type, *before), sharded(type, *after, mesh=mesh)
        assert agrees(f"%a: {source}", target, f"return %a : {type}", propagated=True)


@pytest.mark.parametrize("dims", [("x", ""), ("", "x"), ("x", "y")])
def test_unreduced_arguments_are_combined_and_results_may_stay_terms(dims: tuple[str, str]) -> None:
    type = "tensor<8x6xf32>"
    whole = sharded(type, "", "", unreduced="x")
    assert agrees(f"%a: {whole}", sharded(type, *dims), f"return %a : {type}", propagated=True)
    assert agrees(f"%a: {sharded(type, *dims)}", whole, f"return %a : {type}", propagated=True)


def _dot(lhs: str, rhs: str, result: str) -> bool:
    body = """
      %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
          : (tensor<3x10x7xf32>, tensor<3x7x5xf32>) -> tensor<3x10x5xf32>
      return %0 : tensor<3x10x5xf32>"""
    return agrees(f"%a: {lhs}, %b: {rhs}", result, body)


@pytest.mark.parametrize("lhs", [("", "x", "y"), ("y", "", "x"), ("", "", "x,y"), ("x", "", "")])
@pytest.mark.parametrize("rhs", [("", "x", ""), ("y", "x", ""), ("", "y", "x"), ("", "", "")])
@pytest.mark.parametrize("result", [("", "", "x"), ("", "x", "y"), ("x", "", "")])
def test_contractions_of_indivisible_sizes(lhs: tuple[str, ...], rhs: tuple[str, ...], result: tuple[str, ...]) -> None:
    assert _dot(
        sharded("tensor<3x10x7xf32>", *lhs),
        sharded("tensor<3x7x5xf32>", *rhs),
        sharded("tensor<3x10x5xf32>", *result),
    )


@pytest.mark.parametrize("operation", ["add", "multiply", "maximum", "minimum"])
@pytest.mark.parametrize("init", ["0.0", "1.5", "-3.0"])
def test_a_reduction_counts_its_initial_value_once_and_no_padding(operation: str, init: str) -> None:
    body = f"""
      %init = stablehlo.constant dense<{init}> : tensor<f32>
      %0 = stablehlo.exponential %a : tensor<10x3xf32>
      %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.{operation} across dimensions = [0]
          : (tensor<10x3xf32>, tensor<f32>) -> tensor<3xf32>
      return %1 : tensor<3xf32>"""
    assert agrees(f"%a: {sharded('tensor<10x3xf32>', 'x', 'y')}", sharded("tensor<3xf32>", "x"), body)


def test_a_reduction_of_values_and_places_gathers_its_partial_results() -> None:
    body = """
      %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %places = stablehlo.iota dim = 0 : tensor<10x3xi32>
      %0:2 = "stablehlo.reduce"(%a, %places, %init, %zero) ({
      ^bb0(%v: tensor<f32>, %p: tensor<i32>, %w: tensor<f32>, %q: tensor<i32>):
        %1 = stablehlo.compare GE, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %2 = stablehlo.select %1, %v, %w : tensor<i1>, tensor<f32>
        %3 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<i32>
        stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
      }) {dimensions = array<i64: 0>} : (tensor<10x3xf32>, tensor<10x3xi32>, tensor<f32>, tensor<i32>)
          -> (tensor<3xf32>, tensor<3xi32>)
      return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>"""
    assert agrees(f"%a: {sharded('tensor<10x3xf32>', 'x', '')}", "tensor<3xf32>, tensor<3xi32>", body)


@pytest.mark.parametrize("element", ["f32", "i8", "ui8", "bf16", "complex<f32>"])
def test_iotas_and_constants_are_made_where_they_are_needed(element: str) -> None:
    type = f"tensor<10x6x{element}>"
    body = f"""
      %0 = stablehlo.iota dim = 0 : {type}
      %1 = stablehlo.iota dim = 1 : {type}
      %2 = stablehlo.add %0, %1 : {type}
      return %2 : {type}"""
    assert agrees("", sharded(type, "x", "y"), body)


def test_a_table_of_constants_is_cut_by_the_device() -> None:
    body = """
      %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 15]]> : tensor<5x3xi32>
      return %0 : tensor<5x3xi32>"""
    assert agrees("", sharded("tensor<5x3xi32>", "y", ""), body)


def test_a_loop_carries_sharded_values() -> None:
    body = """
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<10x6xf32>
      cond {
        %three = stablehlo.constant dense<3> : tensor<i32>
        %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %1 = stablehlo.add %i, %one : tensor<i32>
        %2 = stablehlo.dot_general %v, %b, contracting_dims = [1] x [0]
            : (tensor<10x6xf32>, tensor<6x6xf32>) -> tensor<10x6xf32>
        stablehlo.return %1, %2 : tensor<i32>, tensor<10x6xf32>
      }
      return %0#1 : tensor<10x6xf32>"""
    arguments = f"%a: {sharded('tensor<10x6xf32>', 'x', '')}, %b: {sharded('tensor<6x6xf32>', 'y', '')}"
    assert agrees(arguments, sharded("tensor<10x6xf32>", "", "y"), body)
