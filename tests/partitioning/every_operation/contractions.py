"""Products of matrices in all their forms, and convolutions."""

from __future__ import annotations

from tests.partitioning.every_operation.table import add, constant, indices, listed, program
from tests.partitioning.random_layouts import Case, random_shape, tensor


@program("stablehlo.dot")
def dots(case: Case, name: str) -> None:
    rng = case.rng
    m, k, n = random_shape(rng, 1)[0], random_shape(rng, 1)[0], random_shape(rng, 1)[0]
    lhs, rhs = rng.choice([([m, k], [k, n]), ([k], [k, n]), ([m, k], [k]), ([k], [k])])
    result = tensor([*lhs[:-1], *rhs[1:]])
    add(case, name, [case.argument(tensor(lhs)), case.argument(tensor(rhs))], [tensor(lhs), tensor(rhs)], [result])


@program("stablehlo.dot_general")
def general_dots(case: Case, name: str) -> None:
    rng = case.rng
    batch, contracting = random_shape(rng, 2)[: rng.randint(0, 2)], random_shape(rng, 2)[: rng.randint(0, 2)]
    left, right = random_shape(rng, 2)[: rng.randint(0, 2)], random_shape(rng, 2)[: rng.randint(0, 2)]
    b, c = len(batch), len(contracting)
    lhs, rhs = [*batch, *contracting, *left], [*batch, *contracting, *right]
    dims = f"[{', '.join(map(str, range(b)))}]"
    summed = f"[{', '.join(map(str, range(b, b + c)))}]"
    numbers = (
        f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {dims}, rhs_batching_dimensions = {dims}, "
        f"lhs_contracting_dimensions = {summed}, rhs_contracting_dimensions = {summed}>"
    )
    operands = [case.argument(tensor(lhs)), case.argument(tensor(rhs))]
    add(case, name, operands, [tensor(lhs), tensor(rhs)], [tensor([*batch, *left, *right])], numbers)


@program("stablehlo.einsum")
def einsums(case: Case, name: str) -> None:
    sizes = {letter: random_shape(case.rng, 1)[0] for letter in "bijk"}
    config = case.rng.choice(["bij,bjk->bik", "ij,jk->ik", "ij,ij->ij", "ij,kj->ki"])
    inputs, result = config.split("->")
    types = [tensor([sizes[letter] for letter in one]) for one in inputs.split(",")]
    found = tensor([sizes[letter] for letter in result])
    add(case, name, [case.argument(one) for one in types], types, [found], f'einsum_config = "{config}"')


@program("stablehlo.unary_einsum")
def unary_einsums(case: Case, name: str) -> None:
    sizes = {letter: random_shape(case.rng, 1)[0] for letter in "ij"}
    config = case.rng.choice(["ij->ji", "ij->i", "ij->j", "ij->"])
    source, result = config.split("->")
    type = tensor([sizes[letter] for letter in source])
    found = tensor([sizes[letter] for letter in result])
    add(case, name, [case.argument(type)], [type], [found], f'einsum_config = "{config}"')


@program("stablehlo.convolution", "stablehlo.dynamic_conv")
def convolutions(case: Case, name: str) -> None:
    rng = case.rng
    batch, spatial, features = rng.choice([1, 2, 4, 6]), rng.choice([4, 5, 7, 8]), rng.choice([1, 2, 4])
    kernel, groups, batch_groups = rng.choice([1, 2, 3]), 1, 1
    if rng.random() < 0.4:
        groups = rng.choice([one for one in (1, 2, 4) if features % one == 0])
    elif rng.random() < 0.3:
        batch_groups = rng.choice([one for one in (1, 2) if batch % one == 0])
    out = rng.choice([1, 2, 3]) * groups * batch_groups
    low, high = rng.randint(0, 2), rng.randint(0, 2)
    stride = rng.choice([1, 1, 2])
    size = (spatial + low + high - kernel) // stride + 1
    lhs, rhs = [batch, spatial, features], [kernel, features // groups, out]
    result = [batch // batch_groups, size, out]
    properties = [
        "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
        f"feature_group_count = {groups} : i64, batch_group_count = {batch_groups} : i64",
        f"window_strides = {listed([stride])}",
    ]
    operands, types = [case.argument(tensor(lhs)), case.argument(tensor(rhs))], [tensor(lhs), tensor(rhs)]
    if "dynamic" in name:
        operands.append(constant(case, "tensor<1x2xi32>", [[low, high]]))
        types.append("tensor<1x2xi32>")
    else:
        properties.append(f"padding = dense<[[{low}, {high}]]> : tensor<1x2xi64>")
    add(case, name, operands, types, [tensor(result)], ", ".join(properties))


@program("chlo.ragged_dot")
def ragged_dots(case: Case, name: str) -> None:
    rng = case.rng
    m, k, n, groups = rng.choice([6, 9]), rng.choice([2, 3, 8]), rng.choice([2, 5, 8]), rng.choice([2, 3])
    summed = rng.random() < 0.4
    ragged = k if summed else m
    groups = min(groups, ragged)
    types = [tensor([m, k]), tensor([k, n] if summed else [groups, k, n]), tensor([groups], "i32")]
    sizes = indices(case, [ragged - groups + 1, *([1] * (groups - 1))])
    numbers = (
        "ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], "
        f"lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [{int(not summed)}], "
        f"lhs_ragged_dimensions = [{int(summed)}], rhs_group_dimensions = [{'' if summed else 0}]>"
    )
    result = tensor([groups, m, n] if summed else [m, n])
    add(case, name, [case.argument(types[0]), case.argument(types[1]), sizes], types, [result], numbers)
