"""Products: dot_general, dot, convolution; and batch normalisation, which lives on the same images."""

from __future__ import annotations

from math import prod

from tests.generator.body import MAX_ELEMENTS, MAX_RANK, Body
from tests.generator.families import makes
from tests.generator.types import Tensor, int_list, is_complex, is_float, is_integer


def _numeric(element: str) -> bool:
    return is_float(element) or is_integer(element)


@makes("contractions", 3)
def dot_general(body: Body) -> None:
    lhs = body.pick_shaped(1, _numeric)
    rng, rank = body.rng, lhs.type.rank
    dims = list(range(rank))
    rng.shuffle(dims)
    batch_count = rng.choice((0, 0, 1, 1, 2)) if rank > 1 else 0
    contract_count = rng.choice((0, 1, 1, 1, 2))
    batch = dims[:batch_count]
    contract = dims[batch_count : batch_count + contract_count]
    if rng.random() < 0.7:
        batch.sort()
    free = rng.choice((0, 1, 1, 2))
    # The right side: the same sizes in a random order, and some dimensions of its own.
    roles: list[tuple[str, int]] = [("batch", d) for d in batch] + [("contract", d) for d in contract]
    roles += [("free", rng.choice(body.program.palette)) for _ in range(free)]
    rng.shuffle(roles)
    rhs_shape = [value if role == "free" else lhs.type.shape[value] for role, value in roles]
    if not roles or len(roles) > MAX_RANK:
        return
    rhs = body.value_of(lhs.type.with_shape(rhs_shape))
    rhs_batch = [roles.index(("batch", d)) for d in batch]
    rhs_contract = [roles.index(("contract", d)) for d in contract]
    shape = [lhs.type.shape[d] for d in batch]
    shape += [size for d, size in enumerate(lhs.type.shape) if d not in batch and d not in contract]
    shape += [value for role, value in roles if role == "free"]
    if prod(shape) > MAX_ELEMENTS or len(shape) > MAX_RANK + 1:
        return
    batching = f", batching_dims = {int_list(batch)} x {int_list(rhs_batch)}" if batch else ""
    precision = ", precision = [DEFAULT, DEFAULT]" if rng.random() < 0.5 else ""
    arguments = f"{lhs}, {rhs}{batching}, contracting_dims = {int_list(contract)} x {int_list(rhs_contract)}{precision}"
    numbers = ", ".join(
        f"{name} = {int_list(values)}"
        for name, values in (
            ("lhs_batching_dimensions", batch),
            ("rhs_batching_dimensions", rhs_batch),
            ("lhs_contracting_dimensions", contract),
            ("rhs_contracting_dimensions", rhs_contract),
        )
        if values
    )
    properties = [f"dot_dimension_numbers = #stablehlo.dot<{numbers}>"]
    body.either("stablehlo.dot_general", arguments, [lhs, rhs], [lhs.type.with_shape(shape)], None, properties)


@makes("contractions", 0.5)
def dot(body: Body) -> None:
    lhs = body.pick_or_make(
        lambda type: type.rank in (1, 2) and _numeric(type.element), lambda: Tensor(_two(body), "f32")
    )
    rank = body.rng.choice((1, 2))
    rhs_shape = (lhs.type.shape[-1], *(body.rng.choice(body.program.palette) for _ in range(rank - 1)))
    rhs = body.value_of(lhs.type.with_shape(rhs_shape))
    shape = (*lhs.type.shape[:-1], *rhs_shape[1:])
    body.functional(f"stablehlo.dot {lhs}, {rhs}", [lhs, rhs], [lhs.type.with_shape(shape)])


def _two(body: Body) -> tuple[int, ...]:
    return tuple(body.rng.choice(body.program.palette) for _ in range(2))


def _window_output(size: int, window: int, stride: int, low: int, high: int, base: int, dilation: int) -> int:
    padded = low + high + (size - 1) * base + 1
    return (padded - ((window - 1) * dilation + 1)) // stride + 1


@makes("contractions", 1.2)
def convolution(body: Body) -> None:
    rng = body.rng
    spatial = rng.choice((0, 1, 2, 2))
    palette = body.program.palette

    def fits(type: Tensor) -> bool:
        return type.rank == spatial + 2 and is_float(type.element)

    image = body.pick_or_make(fits, lambda: Tensor(tuple(rng.choice(palette) for _ in range(spatial + 2)), "f32"))
    places = list(range(spatial + 2))
    rng.shuffle(places)
    batch_dim, feature_dim, *spatial_dims = places
    batch, features = image.type.shape[batch_dim], image.type.shape[feature_dim]
    sizes = [image.type.shape[d] for d in spatial_dims]
    groups = rng.choice([d for d in range(1, features + 1) if features % d == 0]) if rng.random() < 0.25 else 1
    batch_groups = (
        rng.choice([d for d in range(1, batch + 1) if batch % d == 0]) if groups == 1 and rng.random() < 0.15 else 1
    )
    outputs = rng.choice(palette) * groups * batch_groups
    window, output = [], []
    options: dict[str, list[object]] = {"stride": [], "pad": [], "lhs_dilate": [], "rhs_dilate": [], "reverse": []}
    for size in sizes:
        kernel = rng.randrange(1, min(size, 3) + 1)
        low = rng.choice((0, 0, 1, kernel // 2))
        high = rng.choice((0, 0, 1, kernel // 2, (kernel - 1) // 2))
        stride, base, dilation = rng.choice((1, 1, 1, 2)), rng.choice((1, 1, 1, 2)), rng.choice((1, 1, 1, 2))
        if _window_output(size, kernel, stride, low, high, base, dilation) < 1:
            low = high = 0
            stride = base = dilation = 1
        window.append(kernel)
        output.append(_window_output(size, kernel, stride, low, high, base, dilation))
        for name, value in zip(options, (stride, [low, high], base, dilation, rng.random() < 0.1), strict=True):
            options[name].append(value)
    kernel_shape, kernel_names = _arranged(body, [features // groups, outputs], ["i", "o"], window)
    result_shape, result_names = _arranged(body, [batch // batch_groups, outputs], ["b", "f"], output)
    if prod(kernel_shape) > MAX_ELEMENTS or prod(result_shape) > MAX_ELEMENTS:
        return
    kernel_value = body.value_of(image.type.with_shape(kernel_shape))
    image_names = [""] * (spatial + 2)
    for name, place in zip(["b", "f", *map(str, range(spatial))], places, strict=True):
        image_names[place] = name
    numbers = f"[{', '.join(image_names)}]x[{', '.join(kernel_names)}]->[{', '.join(result_names)}]"
    shown = [name for name in options if rng.random() < 0.3 or _matters(name, options[name])]
    texts = [f"{name} = {str(options[name]).lower()}" for name in shown] if spatial else []
    head = f"stablehlo.convolution({image}, {kernel_value}) dim_numbers = {numbers}, window = {{{', '.join(texts)}}}"
    attributes = [f"batch_group_count = {batch_groups} : i64", f"feature_group_count = {groups} : i64"]
    body.functional(head, [image, kernel_value], [image.type.with_shape(result_shape)], attributes)


def _matters(name: str, values: list[object]) -> bool:
    neutral: object = {"pad": [0, 0], "reverse": False}.get(name, 1)
    return any(value != neutral for value in values)


def _arranged(body: Body, fixed: list[int], names: list[str], spatial: list[int]) -> tuple[list[int], list[str]]:
    sizes = [*fixed, *spatial]
    labels = [*names, *map(str, range(len(spatial)))]
    order = list(range(len(sizes)))
    if body.chance(0.4):
        body.rng.shuffle(order)
    return [sizes[i] for i in order], [labels[i] for i in order]


@makes("contractions", 0.25)
def batch_norm(body: Body) -> None:
    x = body.pick_shaped(1, is_float)
    feature = body.rng.randrange(x.type.rank)
    channel = x.type.with_shape([x.type.shape[feature]])
    properties = ["epsilon = 1.000000e-03 : f32", f"feature_index = {feature} : i64"]
    if body.chance(0.75):
        operands = [x, *(body.value_of(channel) for _ in range(4))]
        body.generic("stablehlo.batch_norm_inference", operands, [x.type], properties)
    else:
        operands = [x, *(body.value_of(channel) for _ in range(2))]
        body.generic("stablehlo.batch_norm_training", operands, [x.type, channel, channel], properties)


@makes("contractions", 0.15)
def einsum(body: Body) -> None:
    x = body.pick_shaped(2, lambda element: _numeric(element) and not is_complex(element))
    letters = "abcdefgh"[: x.type.rank]
    y = body.value_of(x.type.with_shape([x.type.shape[-1], body.rng.choice(body.program.palette)]))
    config = f"{letters},{letters[-1]}z->{letters[:-1]}z"
    result = x.type.with_shape([*x.type.shape[:-1], y.type.shape[1]])
    body.functional(f'stablehlo.einsum {x}, {y}, config = "{config}"', [x, y], [result])
