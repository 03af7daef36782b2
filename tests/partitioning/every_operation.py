"""For each StableHLO and CHLO operation a family of small random programs, in layouts that do not divide.

``@program("stablehlo.name", …)`` registers a function that adds the operation to a ``Case``. ``test_every_operation``
runs a few of each, and holds the table against the dialects. Gathers, scatters, sorts, decompositions and what
exchanges data between neighbours have richer families in test files of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.partitioning.random_layouts import Case, Family, random_shape, tensor

PROGRAMS: dict[str, Family] = {}

Program = Callable[[Case, str], None]


def program(*names: str) -> Callable[[Program], Program]:
    """Registers the decorated function for the operations called ``names``; it is told which one to add."""

    def register(function: Program) -> Program:
        for name in names:
            PROGRAMS[name] = lambda case, name=name: function(case, name)  # type: ignore[misc]
        return function

    return register


def each(dialect: str, names: str) -> list[str]:
    """Names separated by spaces, with their dialect."""
    return [f"{dialect}.{name}" for name in names.split()]


def add(
    case: Case,
    name: str,
    operands: Sequence[str],
    types: Sequence[str],
    results: Sequence[str],
    properties: str = "",
    regions: str = "",
) -> list[str]:
    """Adds an operation in the generic form."""
    given = f" <{{{properties}}}>" if properties else ""
    inside = f" ({regions})" if regions else ""
    return case.add_sharded(
        f'"{name}"({", ".join(operands)}){given}{inside} ATTRS : ({", ".join(types)}) -> ({", ".join(results)})',
        results,
        len(results),
    )


def constant(case: Case, type: str, value: object) -> str:
    """A constant; ``value`` is its literal."""
    return case.add(f"stablehlo.constant dense<{value}> : {type}")


def listed(values: Sequence[int]) -> str:
    """``array<i64: 1, 2>``."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def indices(case: Case, values: Sequence[int], element: str = "i32") -> str:
    """A vector of constants."""
    return constant(case, tensor([len(values)], element), list(values) if values else "")


def scalar(case: Case, value: int, element: str = "i32") -> str:
    """A scalar constant."""
    return constant(case, f"tensor<{element}>", value)


# --- elementwise ------------------------------------------------------------------------------------------------------


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


# --- shapes -----------------------------------------------------------------------------------------------------------


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


# --- sources ----------------------------------------------------------------------------------------------------------


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


# --- contractions -----------------------------------------------------------------------------------------------------


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


# --- statistics -------------------------------------------------------------------------------------------------------


def _normalised(case: Case) -> tuple[list[int], str, str, str]:
    shape = random_shape(case.rng, 3, [2, 3, 4, 5, 8])
    feature = case.rng.randrange(len(shape))
    vector = tensor([shape[feature]])
    return shape, tensor(shape), vector, f"epsilon = 0.1 : f32, feature_index = {feature} : i64"


def _positive(case: Case, type: str) -> str:
    return case.add(f"stablehlo.abs {case.argument(type)} : {type}")


@program("stablehlo.batch_norm_inference")
def inferences(case: Case, name: str) -> None:
    _, type, vector, properties = _normalised(case)
    operands = [case.argument(one) for one in (type, vector, vector, vector)]
    add(case, name, [*operands, _positive(case, vector)], [type, *([vector] * 4)], [type], properties)


@program("stablehlo.batch_norm_training")
def trainings(case: Case, name: str) -> None:
    _, type, vector, properties = _normalised(case)
    operands = [case.argument(one) for one in (type, vector, vector)]
    add(case, name, operands, [type, vector, vector], [type, vector, vector], properties)


@program("stablehlo.batch_norm_grad")
def gradients(case: Case, name: str) -> None:
    _, type, vector, properties = _normalised(case)
    operands = [case.argument(one) for one in (type, vector, vector)]
    operands += [_positive(case, vector), case.argument(type)]
    add(case, name, operands, [type, vector, vector, vector, type], [type, vector, vector], properties)


# --- indexing ---------------------------------------------------------------------------------------------------------


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


# --- reductions -------------------------------------------------------------------------------------------------------

_SUM = """{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }"""

_LARGER = """{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }"""


@program("stablehlo.reduce")
def reductions(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    dims = case.rng.sample(range(len(shape)), case.rng.randint(0, len(shape)))
    result = tensor([size for dim, size in enumerate(shape) if dim not in dims])
    body = _SUM.replace("add", case.rng.choice(["add", "maximum", "minimum", "multiply", "subtract"]))
    if "subtract" in body:
        body = body.replace("subtract %p, %q", "add %q, %p")
    operands = [case.argument(tensor(shape)), constant(case, "tensor<f32>", "0.5")]
    add(case, name, operands, [tensor(shape), "tensor<f32>"], [result], f"dimensions = {listed(dims)}", body)


@program("stablehlo.reduce_window")
def window_reductions(case: Case, name: str) -> None:
    rng = case.rng
    shape = random_shape(rng, 3, [2, 3, 5, 8, 9])
    windows = [rng.choice([1, 1, 2, 3]) for _ in shape]
    strides = [rng.choice([1, 1, 2]) for _ in shape]
    padding = [[rng.randint(0, 1) if window > 1 else 0 for _ in range(2)] for window in windows]
    rows = zip(shape, windows, strides, padding, strict=True)
    found = [max(0, (n + sum(p) - w) // s + 1) for n, w, s, p in rows]
    properties = (
        f"window_dimensions = {listed(windows)}, window_strides = {listed(strides)}, "
        f"padding = dense<{padding}> : {tensor([len(shape), 2], 'i64')}"
    )
    operands = [case.argument(tensor(shape)), constant(case, "tensor<f32>", "0.5")]
    add(case, name, operands, [tensor(shape), "tensor<f32>"], [tensor(found)], properties, _SUM)


@program("stablehlo.select_and_scatter")
def selections_of_windows(case: Case, name: str) -> None:
    rng = case.rng
    shape = random_shape(rng, 2, [2, 4, 6, 9])
    windows = [rng.choice([1, 2, 2, 3][:size]) for size in shape]
    strides = [rng.choice([window, 1]) for window in windows]
    found = [(n - w) // s + 1 for n, w, s in zip(shape, windows, strides, strict=True)]
    properties = f"window_dimensions = {listed(windows)}, window_strides = {listed(strides)}"
    operands = [case.argument(tensor(shape)), case.argument(tensor(found)), constant(case, "tensor<f32>", "0.5")]
    types = [tensor(shape), tensor(found), "tensor<f32>"]
    add(case, name, operands, types, [tensor(shape)], properties, f"{_LARGER}, {_SUM}")


# --- control flow -----------------------------------------------------------------------------------------------------


@program("stablehlo.if", "stablehlo.case")
def branches(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    a, b = case.argument(type), case.argument(type)
    which = case.argument("tensor<i1>" if name == "stablehlo.if" else "tensor<i32>")
    regions = f"""{{
    %l = stablehlo.add {a}, {b} : {type}
    stablehlo.return %l : {type}
  }}, {{
    %l = stablehlo.multiply {a}, {a} : {type}
    stablehlo.return %l : {type}
  }}"""
    add(case, name, [which], ["tensor<i1>" if name == "stablehlo.if" else "tensor<i32>"], [type], "", regions)


@program("stablehlo.while")
def loops(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    zero, one, three = (scalar(case, value) for value in (0, 1, 3))
    regions = f"""{{
  ^bb0(%i: tensor<i32>, %v: {type}):
    %l = stablehlo.compare LT, %i, {three} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }}, {{
  ^bb0(%i: tensor<i32>, %v: {type}):
    %n = stablehlo.add %i, {one} : tensor<i32>
    %w = stablehlo.cosine %v : {type}
    stablehlo.return %n, %w : tensor<i32>, {type}
  }}"""
    add(case, name, [zero, case.argument(type)], ["tensor<i32>", type], ["tensor<i32>", type], "", regions)


@program("stablehlo.optimization_barrier")
def barriers(case: Case, name: str) -> None:
    types = [tensor(random_shape(case.rng, 3)) for _ in range(2)]
    add(case, name, [case.argument(type) for type in types], types, types)


@program("stablehlo.tuple", "stablehlo.get_tuple_element")
def tuples(case: Case, name: str) -> None:
    types = [tensor(random_shape(case.rng, 3)) for _ in range(2)]
    whole = f"tuple<{', '.join(types)}>"
    operands = [case.argument(type) for type in types]
    made = case.add(f'"stablehlo.tuple"({", ".join(operands)}) : ({", ".join(types)}) -> {whole}')
    add(case, "stablehlo.get_tuple_element", [made], [whole], [types[1]], "index = 1 : i32")


@program("stablehlo.create_token", "stablehlo.after_all")
def tokens(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    token = case.add('"stablehlo.create_token"() : () -> !stablehlo.token')
    case.add(f'"stablehlo.after_all"({token}, {token}) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token')
    add(case, "stablehlo.negate", [case.argument(type)], [type], [type])


@program("stablehlo.custom_call")
def markers(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    target = case.rng.choice(["annotate_device_placement", "MoveToHost", "Sharding", "LayoutConstraint"])
    add(case, name, [case.argument(type)], [type], [type], f'call_target_name = "{target}"')


@program("stablehlo.composite")
def composites(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    case.functions.append(
        f"func.func private @decomposition(%p: {type}, %q: {type}) -> {type} {{\n"
        f"  %s = stablehlo.subtract %p, %q : {type}\n  return %s : {type}\n}}\n"
    )
    properties = 'name = "mine.subtract", decomposition = @decomposition'
    add(case, name, [case.argument(type), case.argument(type)], [type, type], [type], properties)


@program("stablehlo.rng")
def random_numbers(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 2)
    ends = [constant(case, "tensor<f32>", value) for value in ("0.0", "1.0")]
    types = ["tensor<f32>", "tensor<f32>", tensor([len(shape)], "i64")]
    properties = "rng_distribution = #stablehlo<rng_distribution UNIFORM>"
    add(case, name, [*ends, indices(case, shape, "i64")], types, [tensor(shape)], properties)
