"""Operations that move elements: broadcasts, reshapes, slices, pads, and where their sizes are operands."""

from __future__ import annotations

from tests.partitioning.every_operation.table import add, indices, listed, program, scalar
from tests.partitioning.random_layouts import Case, random_shape, tensor


@program("stablehlo.broadcast")
def broadcasts(case: Case, name: str) -> None:
    shape, more = random_shape(case.rng, 2), random_shape(case.rng, 2)
    type, result = tensor(shape), tensor([*more, *shape])
    add(case, name, [case.argument(type)], [type], [result], f"broadcast_sizes = {listed(more)}")


@program("stablehlo.broadcast_in_dim", "stablehlo.dynamic_broadcast_in_dim")
def broadcasts_in_dim(case: Case, name: str) -> None:
    rng = case.rng
    target = random_shape(rng, 4)
    dims = rng.sample(range(len(target)), rng.randint(0, len(target)))
    source = [target[dim] if rng.random() < 0.7 else 1 for dim in dims]
    operands, types = [case.argument(tensor(source))], [tensor(source)]
    if "dynamic" in name:
        operands.append(indices(case, target))
        types.append(tensor([len(target)], "i32"))
    add(case, name, operands, types, [tensor(target)], f"broadcast_dimensions = {listed(dims)}")


@program("stablehlo.concatenate")
def concatenations(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    dim = case.rng.randrange(len(shape))
    pieces = [case.rng.choice([1, 2, 3, 5, 8]) for _ in range(case.rng.randint(1, 3))]
    types = [tensor([*shape[:dim], size, *shape[dim + 1 :]]) for size in pieces]
    result = tensor([*shape[:dim], sum(pieces), *shape[dim + 1 :]])
    add(case, name, [case.argument(type) for type in types], types, [result], f"dimension = {dim} : i64")


_RESHAPES = [
    ([6, 4], [24]),
    ([24], [4, 6]),
    ([5, 6], [5, 2, 3]),
    ([3, 8, 2], [3, 16]),
    ([12, 5], [4, 15]),
    ([6], [6, 1]),
]


@program("stablehlo.reshape", "stablehlo.dynamic_reshape")
def reshapes(case: Case, name: str) -> None:
    source, target = case.rng.choice(_RESHAPES)
    operands, types = [case.argument(tensor(source))], [tensor(source)]
    if "dynamic" in name:
        operands.append(indices(case, target))
        types.append(tensor([len(target)], "i32"))
    add(case, name, operands, types, [tensor(target)])


@program("stablehlo.reverse")
def reversals(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    dims = case.rng.sample(range(len(shape)), case.rng.randint(0, len(shape)))
    add(case, name, [case.argument(tensor(shape))], [tensor(shape)], [tensor(shape)], f"dimensions = {listed(dims)}")


@program("stablehlo.transpose")
def transpositions(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 4)
    order = case.rng.sample(range(len(shape)), len(shape))
    result = tensor([shape[dim] for dim in order])
    add(case, name, [case.argument(tensor(shape))], [tensor(shape)], [result], f"permutation = {listed(order)}")


@program("stablehlo.slice", "stablehlo.real_dynamic_slice")
def slices(case: Case, name: str) -> None:
    rng = case.rng
    shape = random_shape(rng, 3)
    starts = [rng.randrange(size) if rng.random() < 0.5 else 0 for size in shape]
    limits = [rng.randint(start + 1, size) for start, size in zip(starts, shape, strict=True)]
    strides = [rng.choice([1, 1, 2, 3]) for _ in shape]
    found = [-(-(b - a) // by) for a, b, by in zip(starts, limits, strides, strict=True)]
    if "dynamic" in name:
        vectors = [indices(case, values) for values in (starts, limits, strides)]
        types = [tensor(shape), *([tensor([len(shape)], "i32")] * 3)]
        add(case, name, [case.argument(tensor(shape)), *vectors], types, [tensor(found)])
        return
    properties = f"start_indices = {listed(starts)}, limit_indices = {listed(limits)}, strides = {listed(strides)}"
    add(case, name, [case.argument(tensor(shape))], [tensor(shape)], [tensor(found)], properties)


@program("stablehlo.pad", "stablehlo.dynamic_pad")
def pads(case: Case, name: str) -> None:
    rng = case.rng
    shape = random_shape(rng, 3, [2, 3, 4, 5, 8])
    low, high, between = ([rng.randint(0 if k == 2 else -1, 2) for _ in shape] for k in range(3))
    found = [a + n + (n - 1) * i + b for a, n, b, i in zip(low, shape, high, between, strict=True)]
    operands, types = [case.argument(tensor(shape)), case.argument("tensor<f32>")], [tensor(shape), "tensor<f32>"]
    if "dynamic" in name:
        operands += [indices(case, values) for values in (low, high, between)]
        add(case, name, operands, [*types, *([tensor([len(shape)], "i32")] * 3)], [tensor(found)])
        return
    properties = (
        f"edge_padding_low = {listed(low)}, edge_padding_high = {listed(high)}, interior_padding = {listed(between)}"
    )
    add(case, name, operands, types, [tensor(found)], properties)


@program("stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice")
def dynamic_slices(case: Case, name: str) -> None:
    rng = case.rng
    shape = random_shape(rng, 3)
    part = [size if rng.random() < 0.4 else rng.randint(1, size) for size in shape]
    starts = [case.argument("tensor<i32>") if rng.random() < 0.6 else scalar(case, rng.randint(-2, 9)) for _ in shape]
    numbers = ["tensor<i32>"] * len(shape)
    if "update" in name:
        operands = [case.argument(tensor(shape)), case.argument(tensor(part)), *starts]
        add(case, name, operands, [tensor(shape), tensor(part), *numbers], [tensor(shape)])
    else:
        operands = [case.argument(tensor(shape)), *starts]
        add(case, name, operands, [tensor(shape), *numbers], [tensor(part)], f"slice_sizes = {listed(part)}")


@program("stablehlo.get_dimension_size")
def dimension_sizes(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    dim = case.rng.randrange(len(shape))
    add(case, name, [case.argument(tensor(shape))], [tensor(shape)], ["tensor<i32>"], f"dimension = {dim} : i64")


@program("stablehlo.set_dimension_size")
def set_dimension_sizes(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    dim = case.rng.randrange(len(shape))
    operands = [case.argument(tensor(shape)), scalar(case, shape[dim])]
    add(case, name, operands, [tensor(shape), "tensor<i32>"], [tensor(shape)], f"dimension = {dim} : i64")
