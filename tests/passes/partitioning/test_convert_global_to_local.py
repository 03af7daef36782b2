"""What ``sdy-convert-global-to-local`` refuses, because it would compute something else.

What it converts is tested by kind of operation in ``global_to_local``; what both it and the reference do alike is
compared in ``tests/differential/programs/passes/sdy-convert-global-to-local.mlir``.
"""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

import pyshardy
from tests.passes.partitioning.program_text import CONVERT, P, Q, X, of, on, one_operation
from tests.passes.running import first_error


def test_replicas_and_partitions_at_once_are_refused() -> None:
    program = "func.func @main() {\n  return\n}"
    expected = "Shardy partitioner convert_global_to_local does not support both replica_count > 1 and partition_count > 1 yet."
    assert first_error(f"{CONVERT}{{replica-count=2 partition-count=2}}", program) == expected


DOT = (
    f"%x: tensor<8x6xf32> {on(P, Q)}, %y: tensor<6x8xf32> {on(Q, '')}",
    "tensor<8x8xf32>",
    on(P, ""),
)
REFUSED = {
    "'stablehlo.slice' op dimension 1 is sharded but the slice is not a full slice and requires device communication.": one_operation(
        X, f"%0 = stablehlo.slice %x [0:8, 2:6] {of(P, Q)} : (tensor<8x6xf32>) -> tensor<8x4xf32>", "tensor<8x4xf32>", on(P, Q)
    ),
    "'stablehlo.slice' op dimension 0 is sharded but the slice is not a full slice and requires device communication.": one_operation(
        f"%x: tensor<10x6xf32> {on(P, '')}", f"%0 = stablehlo.slice %x [0:10:3, 0:6] {of(P, '')} : (tensor<10x6xf32>) -> tensor<4x6xf32>", "tensor<4x6xf32>", on(P, "")
    ),
    "'stablehlo.pad' op dimension 0 is sharded but the pad requires device communication.": one_operation(
        f"{X}, %c: tensor<f32>", f"%0 = stablehlo.pad %x, %c, low = [1, 0], high = [3, 0], interior = [0, 0] {of(P, Q)} : (tensor<8x6xf32>, tensor<f32>) -> tensor<12x6xf32>", "tensor<12x6xf32>", on(P, Q)
    ),
    'dimension 1 has mismatched sharding axes ([axis_ref"q"] vs []). This requires a reshard collective which should have been handled by previous passes.': one_operation(
        f"{X}, %c: tensor<f32>", f"%0 = stablehlo.pad %x, %c, low = [0, 0], high = [0, 2], interior = [0, 0] {of(P, '')} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x8xf32>", "tensor<8x8xf32>", on(P, "")
    ),
    "In op stablehlo.reduce_window dimension 1 is sharded but is not a pass-through dimension.": one_operation(
        X, f'''%z = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) {of(P, "")} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x3xf32>''', "tensor<8x3xf32>", on(P, "")
    ),
    "Failed to compute local type due to non-divisible sharding": one_operation(
        f"%x: tensor<5xf32> {on(P)}", "%0 = stablehlo.constant dense<1.0> : tensor<f32>", "tensor<f32>", on()
    ),
    "Expected sharded contracting dot to have one user and the user is an sdy.all_reduce.": one_operation(
        DOT[0], f"%0 = stablehlo.dot %x, %y {of(P, '')} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>", *DOT[1:]
    ),
    "Expected sharded contracting dot_general to have one user and the user is an sdy.all_reduce.": one_operation(
        DOT[0], f"%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {of(P, '')} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>", *DOT[1:]
    ),
    "The axes of the sdy.all_reduce should match the sharded contracting dimension of the dot.": one_operation(
        DOT[0], f'''%1 = stablehlo.dot %x, %y {of(P, '')} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
          %0 = sdy.all_reduce {{"r"}} %1 out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<8x8xf32>''', *DOT[1:], mesh='<["p"=2, "q"=2, "r"=2]>'
    ),
    "Expected the gather to have one user and the user is an sdy.all_reduce.": one_operation(
        f"{X}, %i: tensor<5x1xi32>", f'''%0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}}> {of("", Q)} : (tensor<8x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>''', "tensor<5x6xf32>", on("", Q)
    ),
    "The axes of the sdy.all_reduce should match the sharded collapsed operand dimensions of the gather.": one_operation(
        f"{X}, %i: tensor<5x1xi32>", f'''%1 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}}> {of("", Q)} : (tensor<8x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
          %0 = sdy.all_reduce {{"r"}} %1 out_sharding=<@m, [{{}}, {{"q"}}]> : tensor<5x6xf32>''', "tensor<5x6xf32>", on("", Q), mesh='<["p"=2, "q"=2, "r"=2]>'
    ),
    'dimension 0 of operand 1 is sharded along {"q"} and that of its result along {"p"}: the devices hold different parts of it; reshard one of them': one_operation(
        f"%x: tensor<8xf32> {on(P)}, %y: tensor<8xf32> {on(Q)}", f"%0 = stablehlo.add %x, %y {of(P)} : tensor<8xf32>", "tensor<8xf32>", on(P)
    ),
    "operand 0 and its result are sharded on different meshes; reshard one of them": one_operation(
        f"%x: tensor<8xf32> {on(P)}", '%0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<mesh<["p"=2, "q"=2], device_ids=[3, 2, 1, 0]>, [{"p"}]>]>} : tensor<8xf32>', "tensor<8xf32>", on(P)
    ),
    'dimension 0 of operand 0 is sharded along {"q"} and that of result 0 of the function along {"p"}: the devices hold different parts of it; reshard one of them': one_operation(
        f"%x: tensor<8xf32> {on(Q)}", f"%0 = stablehlo.negate %x {of(Q)} : tensor<8xf32>", "tensor<8xf32>", on(P)
    ),
    "entry 0 of in_shardings gives each device tensor<4xf32>, but the value there is tensor<8xf32>; insert a reshard": one_operation(
        "%x: tensor<8xf32>", '''%0 = sdy.manual_computation(%x) in_shardings=[<@m, [{"p"}]>] out_shardings=[<@m, [{"p"}]>] manual_axes={"p"} (%a: tensor<4xf32>) {
            sdy.return %a : tensor<4xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>''', "tensor<8xf32>", on(P)
    ),
}  # fmt: skip


@pytest.mark.parametrize("expected", REFUSED)
def test_what_would_compute_something_else_is_refused(expected: str) -> None:
    assert first_error(CONVERT, REFUSED[expected]) == expected


def test_a_refusal_quotes_the_operation_with_its_global_types() -> None:
    program = f"""sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<8xf32> {on(P)}) -> tensor<8xf32> {{
          %0 = stablehlo.negate %x {of(P)} : tensor<8xf32>
          %1 = sdy.reshard %0 <@m, [{{}}]> : tensor<8xf32>
          return %1 : tensor<8xf32>
        }}"""
    module = pyshardy.parse(program)
    with pytest.raises(pyshardy.PyshardyError) as failure:
        pyshardy.run_passes(module, CONVERT)
    (said,) = failure.value.diagnostics
    assert (said.position.line, said.position.column) == (4, 16)
    assert said.message == (
        "failed to legalize operation 'sdy.reshard' that was explicitly marked illegal: "
        '%1 = "sdy.reshard"(%0) <{sharding = #sdy.sharding<@m, [{}]>}> : (tensor<8xf32>) -> tensor<8xf32>'
    )
