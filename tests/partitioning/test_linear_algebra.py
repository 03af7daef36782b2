"""Decompositions, solves and Fourier transforms: batches stay where they are, matrices are whole where needed."""

from __future__ import annotations

import pytest

from pyshardy import Plan, parse, partition
from tests.partitioning.random_layouts import MESHES, Case, disagreements, random_shape, tensor


def _plan(body: str) -> Plan:
    return partition(parse(f"sdy.mesh @m = {MESHES['m']}\n{body}"), propagated=True)


def test_columns_of_the_right_hand_side_are_solved_where_they_are() -> None:
    plan = _plan("""
func.func @main(%a: tensor<4x4xf32>, %b: tensor<4x10xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>})
    -> (tensor<4x10xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) {
  %e = stablehlo.constant dense<4.0> : tensor<4x4xf32>
  %m = stablehlo.add %a, %e : tensor<4x4xf32>
  %0 = "stablehlo.triangular_solve"(%m, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x4xf32>, tensor<4x10xf32>) -> tensor<4x10xf32>
  return %0 : tensor<4x10xf32>
}""")
    assert plan.collectives == ()
    assert plan.check().agrees


def test_sharded_matrices_of_a_batch_trade_their_axes_with_the_batch() -> None:
    plan = _plan("""
func.func @main(%a: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>})
    -> (tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) {
  %0 = stablehlo.fft %a, type = FFT, length = [64] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>}
      : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  return %0 : tensor<8x64xcomplex<f32>>
}""")
    assert [one.kind for one in plan.collectives] == ["all_to_all", "all_to_all"]
    assert plan.check().agrees


def fourier_transforms(case: Case) -> None:
    """All four types, of one to three dimensions."""
    rng = case.rng
    batch = random_shape(rng, 2)
    sizes = random_shape(rng, 2, [1, 2, 3, 4, 6, 8])
    kind = rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    half = [*sizes[:-1], sizes[-1] // 2 + 1]
    source, target = {"RFFT": (sizes, half), "IRFFT": (half, sizes)}.get(kind, (sizes, sizes))
    types = [
        tensor([*batch, *shape], "f32" if kind == real else "complex<f32>")
        for shape, real in ((source, "RFFT"), (target, "IRFFT"))
    ]
    operand = case.argument(types[0])
    case.add_sharded(
        f"stablehlo.fft {operand}, type = {kind}, length = {sizes} ATTRS : ({types[0]}) -> {types[1]}", [types[1]]
    )


def solves(case: Case) -> None:
    """A matrix on either side, transposed or not; the numbers on the diagonal are the largest."""
    rng = case.rng
    batch = random_shape(rng, 2, [1, 2, 3, 4, 8])[: rng.randint(0, 2)]
    size, columns = rng.choice([1, 2, 3, 4, 5]), rng.choice([1, 2, 5, 8, 9])
    left = rng.random() < 0.5
    matrix, sides = tensor([*batch, size, size]), tensor([*batch, *((size, columns) if left else (columns, size))])
    a, b = case.argument(matrix), case.argument(sides)
    row = case.add(f"stablehlo.iota dim = {len(batch)} : {tensor([*batch, size, size], 'i32')}")
    column = case.add(f"stablehlo.iota dim = {len(batch) + 1} : {tensor([*batch, size, size], 'i32')}")
    booleans = tensor([*batch, size, size], "i1")
    diagonal = case.add(
        f"stablehlo.compare EQ, {row}, {column} : ({tensor([*batch, size, size], 'i32')}, "
        f"{tensor([*batch, size, size], 'i32')}) -> {booleans}"
    )
    four = case.add(f"stablehlo.constant dense<4.0> : {matrix}")
    a = case.add(f"stablehlo.select {diagonal}, {four}, {a} : {booleans}, {matrix}")
    case.add_sharded(
        f'"stablehlo.triangular_solve"({a}, {b}) <{{left_side = {str(left).lower()}, '
        f"lower = {rng.choice(['true', 'false'])}, unit_diagonal = {rng.choice(['true', 'false'])}, "
        f"transpose_a = #stablehlo<transpose {rng.choice(['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'])}>}}> ATTRS : "
        f"({matrix}, {sides}) -> {sides}",
        [sides],
    )


def cholesky_factors(case: Case) -> None:
    """Of matrices with a large diagonal, as the operation and as the call that JAX makes for CPUs."""
    rng = case.rng
    batch = random_shape(rng, 2, [1, 2, 3, 4, 5, 8])
    size = rng.choice([1, 2, 3, 4, 5])
    shape = [*batch, size, size]
    type, numbers, status = tensor(shape), tensor(shape, "i32"), tensor(batch, "i32")
    a = case.argument(type)
    row = case.add(f"stablehlo.iota dim = {len(batch)} : {numbers}")
    column = case.add(f"stablehlo.iota dim = {len(batch) + 1} : {numbers}")
    diagonal = case.add(f"stablehlo.compare EQ, {row}, {column} : ({numbers}, {numbers}) -> {tensor(shape, 'i1')}")
    nine = case.add(f"stablehlo.constant dense<9.0> : {type}")
    a = case.add(f"stablehlo.select {diagonal}, {nine}, {a} : {tensor(shape, 'i1')}, {type}")
    if rng.random() < 0.5:
        case.add_sharded(
            f'"stablehlo.cholesky"({a}) <{{lower = {rng.choice(["true", "false"])}}}> ATTRS : ({type}) -> {type}',
            [type],
        )
        return
    count = len(batch)
    letters = "ijklmn"[: count + 4]
    rank, first = len(shape), ", ".join(letters[:count])
    sizes = ", ".join(f"{letter}={length}" for letter, length in zip(letters, [*shape, size, size], strict=True))
    factor = ", ".join([first, *letters[rank:]])
    rule = f"#sdy.op_sharding_rule<([{', '.join(letters[:rank])}])->([{factor}], [{first}]) {{{sizes}}}, custom>"
    marks = [f'mhlo.frontend_attributes = {{num_batch_dims = "{len(batch)}"}}']
    if rng.random() < 0.5:
        marks.append(f"sdy.sharding_rule = {rule}")
    name = f"%v{len(case.body)}"
    case.body.append(
        f"{name}:2 = stablehlo.custom_call @lapack_spotrf_ffi({a}) {{mhlo.backend_config = {{uplo = 76 : ui8}}, "
        f"{', '.join(marks)}}} : ({type}) -> ({type}, {status})"
    )
    case.results += [(f"{name}#0", type), (f"{name}#1", status)]


@pytest.mark.slow
@pytest.mark.parametrize("family", [fourier_transforms, solves, cholesky_factors])
def test_random_programs_in_random_layouts(family: object) -> None:
    assert callable(family)
    assert disagreements(family, range(15)) == []
