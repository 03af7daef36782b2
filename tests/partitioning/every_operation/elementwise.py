"""Operations on one element at a time, and those of CHLO that broadcast their operands first."""

from __future__ import annotations

from tests.partitioning.every_operation.table import add, constant, each, listed, program
from tests.partitioning.random_layouts import Case, random_shape, tensor


@program(
    *each(
        "stablehlo",
        "abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate "
        "round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh",
    ),
    *each("chlo", "acosh asinh atan bessel_i1e cosh digamma erf erfc lgamma sinh square tan"),
)
def floats(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    operand = case.argument(type)
    if name in ("stablehlo.log", "stablehlo.rsqrt", "chlo.acosh", "chlo.digamma", "chlo.lgamma"):
        operand = case.add(f"stablehlo.abs {operand} : {type}")
        operand = case.add(f"stablehlo.add {operand}, {constant(case, type, '1.5')} : {type}")
    add(case, name, [operand], [type], [type])


@program("chlo.acos", "chlo.asin", "chlo.atanh", "chlo.erf_inv")
def small_floats(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    operand = case.add(f"stablehlo.multiply {case.argument(type)}, {constant(case, type, '0.5')} : {type}")
    add(case, name, [operand], [type], [type])


@program("stablehlo.is_finite", *each("chlo", "is_inf is_neg_inf is_pos_inf"))
def tests_of_floats(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    add(case, name, [case.argument(tensor(shape))], [tensor(shape)], [tensor(shape, "i1")])


@program("stablehlo.count_leading_zeros", "stablehlo.not", "stablehlo.popcnt")
def integers(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3), case.rng.choice(["i32", "ui8", "i64"]))
    add(case, name, [case.argument(type)], [type], [type])


@program("stablehlo.real", "stablehlo.imag", "chlo.conj")
def parts(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    type = tensor(shape, "complex<f32>")
    add(case, name, [case.argument(type)], [type], [type if name == "chlo.conj" else tensor(shape)])


@program(*each("stablehlo", "add and atan2 divide maximum minimum multiply or power remainder subtract xor"))
def binary(case: Case, name: str) -> None:
    element = "f32" if name in ("stablehlo.atan2", "stablehlo.power") else case.rng.choice(["i32", "ui8", "f32"])
    if name in ("stablehlo.and", "stablehlo.or", "stablehlo.xor"):
        element = case.rng.choice(["i1", "i32"])
    type = tensor(random_shape(case.rng, 3), element)
    add(case, name, [case.argument(type), case.argument(type)], [type, type], [type])


@program(*each("stablehlo", "shift_left shift_right_arithmetic shift_right_logical"))
def shifts(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3), "i32")
    add(case, name, [case.argument(type), constant(case, type, 3)], [type, type], [type])


@program("chlo.next_after", "chlo.polygamma", "chlo.zeta")
def special(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    first, second = (constant(case, type, value) for value in ("2.0", "1.5"))
    operand = case.add(f"stablehlo.abs {case.argument(type)} : {type}")
    operand = case.add(f"stablehlo.add {operand}, {second} : {type}")
    add(case, name, [first, operand] if name == "chlo.polygamma" else [operand, first], [type, type], [type])


@program("chlo.mulhi")
def mulhi(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3), "ui32")
    add(case, name, [case.argument(type), case.argument(type)], [type, type], [type])


@program("stablehlo.complex")
def complex_numbers(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    operands = [case.argument(tensor(shape)) for _ in range(2)]
    add(case, name, operands, [tensor(shape)] * 2, [tensor(shape, "complex<f32>")])


@program("stablehlo.compare")
def comparisons(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    operands = [case.argument(tensor(shape, "i32")) for _ in range(2)]
    direction = "comparison_direction = #stablehlo<comparison_direction LT>"
    add(case, name, operands, [tensor(shape, "i32")] * 2, [tensor(shape, "i1")], direction)


@program("stablehlo.select")
def selections(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    which, type = tensor(shape if case.rng.random() < 0.5 else [], "i1"), tensor(shape)
    add(case, name, [case.argument(which), case.argument(type), case.argument(type)], [which, type, type], [type])


@program("stablehlo.clamp")
def clamps(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    type = tensor(shape)
    ends = [tensor(shape if case.rng.random() < 0.5 else []) for _ in range(2)]
    operands = [constant(case, ends[0], "-0.5"), case.argument(type), case.argument(ends[1])]
    add(case, name, operands, [ends[0], type, ends[1]], [type])


@program("stablehlo.convert")
def conversions(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    source, target = (case.rng.choice(["f32", "i32", "bf16", "i8"]) for _ in range(2))
    add(case, name, [case.argument(tensor(shape, source))], [tensor(shape, source)], [tensor(shape, target)])


@program("stablehlo.reduce_precision")
def precisions(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    add(case, name, [case.argument(type)], [type], [type], "exponent_bits = 5 : i32, mantissa_bits = 7 : i32")


@program("stablehlo.bitcast_convert")
def bitcasts(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 2)
    narrow, wide = tensor([*shape, 4], "ui8"), tensor(shape, "i32")
    source, target = case.rng.choice([(narrow, wide), (wide, narrow), (wide, tensor(shape, "f32"))])
    if target.endswith("f32>"):
        source, target = target, source
    add(case, name, [case.argument(source)], [source], [target])


@program("stablehlo.map")
def maps(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    body = """{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.multiply %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }"""
    operands = [case.argument(tensor(shape)) for _ in range(2)]
    dims = f"dimensions = {listed(range(len(shape)))}"
    add(case, name, operands, [tensor(shape)] * 2, [tensor(shape)], dims, body)


@program(
    *each(
        "chlo",
        "broadcast_add broadcast_and broadcast_atan2 broadcast_complex broadcast_divide broadcast_maximum "
        "broadcast_minimum broadcast_multiply broadcast_next_after broadcast_or broadcast_polygamma broadcast_power "
        "broadcast_remainder broadcast_shift_left broadcast_shift_right_arithmetic broadcast_shift_right_logical "
        "broadcast_subtract broadcast_xor broadcast_zeta broadcast_compare",
    )
)
def broadcasting(case: Case, name: str) -> None:
    rng = case.rng
    shape = random_shape(rng, 3)
    rank = rng.randint(0, len(shape))
    lower = [size if rng.random() < 0.6 else 1 for size in shape[len(shape) - rank :]]
    upper = list(shape)
    for dim, size in enumerate(lower, len(shape) - rank):
        if size == shape[dim] and rng.random() < 0.2:
            upper[dim] = 1
    plain = name.removeprefix("chlo.broadcast_")
    element = "i32" if plain.split("_")[0] in ("and", "or", "xor", "shift") else "f32"
    result = {"complex": "complex<f32>", "compare": "i1"}.get(plain, element)
    types = [tensor(lower, element), tensor(upper, element)]
    values = ["3", "2"] if element == "i32" else ["3.0", "1.5"]
    operands = [case.argument(one) for one in types]
    if plain in ("polygamma", "zeta", "power", "divide", "remainder") or plain.startswith("shift"):
        operands = []
        for one, value in zip(types, values, strict=True):
            wide = case.add(f"stablehlo.abs {case.argument(one)} : {one}")
            if plain == "polygamma" and not operands:
                operands.append(constant(case, one, "2.0"))
                continue
            operands.append(case.add(f"stablehlo.add {wide}, {constant(case, one, value)} : {one}"))
    properties = f"broadcast_dimensions = {listed(range(len(shape) - rank, len(shape)))}" if rng.random() < 0.5 else ""
    if plain == "compare":
        direction = "comparison_direction = #chlo<comparison_direction LT>"
        properties = f"{properties}, {direction}" if properties else direction
    add(case, name, operands, types, [tensor(shape, result)], properties)


@program("chlo.broadcast_select")
def broadcasting_select(case: Case, name: str) -> None:
    rng = case.rng
    shape = random_shape(rng, 3)
    lower = [size if rng.random() < 0.6 else 1 for size in shape[rng.randint(0, len(shape)) :]]
    types = [tensor(lower, "i1"), tensor(shape), tensor(shape[len(shape) - len(lower) :])]
    add(case, name, [case.argument(one) for one in types], types, [tensor(shape)])


@program("chlo.constant_like")
def constants_like(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    add(case, name, [case.argument(type)], [type], [type], "value = 2.5 : f32")
