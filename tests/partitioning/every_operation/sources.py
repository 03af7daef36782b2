"""Operations that make a tensor of nothing: constants, iotas, random numbers."""

from __future__ import annotations

from tests.partitioning.every_operation.table import add, constant, indices, program
from tests.partitioning.random_layouts import Case, random_shape, tensor


@program("stablehlo.constant", "chlo.constant")
def constants(case: Case, name: str) -> None:
    rows, columns = case.rng.choice([3, 5, 8]), case.rng.choice([1, 2, 3])
    values = [[case.rng.randint(-9, 9) for _ in range(columns)] for _ in range(rows)]
    value = values if case.rng.random() < 0.7 else 7
    type = tensor([rows, columns], "i32")
    add(case, name, [], [], [type], f"value = dense<{value}> : {type}")


@program("stablehlo.iota", "stablehlo.dynamic_iota")
def iotas(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    type = tensor(shape, case.rng.choice(["i32", "f32", "ui8"]))
    properties = f"iota_dimension = {case.rng.randrange(len(shape))} : i64"
    if "dynamic" in name:
        add(case, name, [indices(case, shape)], [tensor([len(shape)], "i32")], [type], properties)
    else:
        add(case, name, [], [], [type], properties)


@program("stablehlo.rng_bit_generator")
def random_bits(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 2), case.rng.choice(["ui32", "ui64", "ui8"]))
    algorithm = case.rng.choice(["DEFAULT", "THREE_FRY", "PHILOX"])
    state = case.argument("tensor<2xui64>")
    properties = f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>"
    add(case, name, [state], ["tensor<2xui64>"], ["tensor<2xui64>", type], properties)


@program("stablehlo.rng")
def random_numbers(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 2)
    ends = [constant(case, "tensor<f32>", value) for value in ("0.0", "1.0")]
    types = ["tensor<f32>", "tensor<f32>", tensor([len(shape)], "i64")]
    properties = "rng_distribution = #stablehlo<rng_distribution UNIFORM>"
    add(case, name, [*ends, indices(case, shape, "i64")], types, [tensor(shape)], properties)
