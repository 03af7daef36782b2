"""Gathers whose sizes are operands, and selections by index; the others stand in files of their own."""

from __future__ import annotations

from tests.partitioning.every_operation.table import add, constant, indices, program
from tests.partitioning.random_layouts import Case, random_shape, tensor


@program("stablehlo.dynamic_gather")
def dynamic_gathers(case: Case, name: str) -> None:
    rows, columns, count = (random_shape(case.rng, 1)[0] for _ in range(3))
    types = [tensor([rows, columns]), tensor([count], "i32"), "tensor<2xi32>"]
    numbers = (
        "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], "
        "index_vector_dim = 1>"
    )
    operands = [case.argument(types[0]), case.argument(types[1]), indices(case, [1, columns])]
    add(case, name, operands, types, [tensor([count, columns])], numbers)


@program("stablehlo.torch_index_select")
def index_selections(case: Case, name: str) -> None:
    shape, count = random_shape(case.rng, 3), random_shape(case.rng, 1)[0]
    dim = case.rng.randrange(len(shape))
    where = case.argument(tensor([count], "i32"))
    zero = constant(case, tensor([count], "i32"), 0)
    where = case.add(f"stablehlo.multiply {where}, {zero} : {tensor([count], 'i32')}")
    types = [tensor(shape), tensor([count], "i32")]
    result = tensor([*shape[:dim], count, *shape[dim + 1 :]])
    properties = f"dim = {dim} : i64, batch_dims = 0 : i64"
    add(case, name, [case.argument(tensor(shape)), where], types, [result], properties)
