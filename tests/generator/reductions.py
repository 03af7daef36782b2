"""Reductions, windows and sorting: operations with a region over scalars."""

from __future__ import annotations

from math import prod

from tests.generator.body import MAX_ELEMENTS, Body
from tests.generator.families import makes
from tests.generator.types import Tensor, Value, int_array, int_list, is_complex, is_float, pairs


def _combine(element: str, body: Body) -> str:
    if element == "i1":
        return body.rng.choice(("or", "and"))
    if is_complex(element):
        return body.rng.choice(("add", "multiply"))
    return body.rng.choice(("add", "add", "maximum", "minimum", "multiply"))


def _random_dims(body: Body, rank: int) -> list[int]:
    count = body.rng.choice([1, 1, *range(rank + 1)])
    return sorted(body.rng.sample(range(rank), min(count, rank)))


def _without(type: Tensor, dims: list[int]) -> Tensor:
    return type.with_shape(size for d, size in enumerate(type.shape) if d not in dims)


@makes("reductions", 3)
def reduce(body: Body) -> None:
    x = body.pick_shaped(1)
    init = body.value_of(x.type.scalar)
    dims = _random_dims(body, x.type.rank)
    result = _without(x.type, dims)
    operation = _combine(x.type.element, body)
    if body.chance(body.features.generic_form):
        region = _combining_region(body, [x.type.scalar], [operation])
        body.generic("stablehlo.reduce", [x, init], [result], [f"dimensions = {int_array(dims)}"], [region])
        return
    head = f"stablehlo.reduce({x} init: {init}) applies stablehlo.{operation} across dimensions = {int_list(dims)}"
    body.functional(head, [x, init], [result])


def _combining_region(body: Body, scalars: list[Tensor], operations: list[str]) -> list[str]:
    """A region that combines accumulators and elements pairwise, one operation per operand."""

    def inner(names: list[str]) -> tuple[list[str], str]:
        count = len(scalars)
        lines, made = [], []
        for index, (scalar, operation) in enumerate(zip(scalars, operations, strict=True)):
            made.append(body.scope.fresh("y"))
            lines.append(f"{made[-1]} = stablehlo.{operation} {names[index]}, {names[index + count]} : {scalar}")
        return lines, f"{', '.join(made)} : {', '.join(map(str, scalars))}"

    return body.scalar_region([*scalars, *scalars], inner)


@makes("reductions", 1)
def reduce_several(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: not is_complex(element))
    count = body.rng.choice((2, 2, 3))
    operands = [x]

    def fits(type: Tensor) -> bool:
        return type.shape == x.type.shape and not is_complex(type.element)

    for _ in range(count - 1):
        operands.append(body.pick(fits) or body.value_of(x.type.with_element("i32")))
    inits = [body.value_of(operand.type.scalar) for operand in operands]
    dims = _random_dims(body, x.type.rank)
    results = [_without(operand.type, dims) for operand in operands]
    region = _combining_region(
        body, [operand.type.scalar for operand in operands], [_combine(o.type.element, body) for o in operands]
    )
    body.generic("stablehlo.reduce", [*operands, *inits], results, [f"dimensions = {int_array(dims)}"], [region])


def _windows(
    body: Body, shape: tuple[int, ...], dilated: bool
) -> tuple[dict[str, list[int]], list[tuple[int, int]], list[int]]:
    """Random window attributes, the padding, and the shape of the result."""
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    attributes: dict[str, list[int]] = {name: [] for name in names}
    padding, result = [], []
    for size in shape:
        window = body.rng.choice((1, 1, 1, 2, 3)) if size > 1 else 1
        window = min(window, size)
        stride = body.rng.choice((1, window, window, 2))
        base = body.rng.choice((1, 1, 1, 2)) if dilated else 1
        dilation = body.rng.choice((1, 1, 1, 2)) if dilated else 1
        low, high = body.rng.choice(((0, 0), (0, 0), (1, 1), (0, window - 1), (1, 0)))
        extent = low + high + (size - 1) * base + 1
        if extent < (window - 1) * dilation + 1:
            dilation = 1
        for name, value in zip(names, (window, stride, base, dilation), strict=True):
            attributes[name].append(value)
        padding.append((low, high))
        result.append((extent - ((window - 1) * dilation + 1)) // stride + 1)
    return attributes, padding, result


@makes("reductions", 1)
def reduce_window(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: element != "i1" and not is_complex(element))
    operands = [x]
    if body.chance(0.2):
        operands.append(body.value_of(x.type))
    inits = [body.value_of(operand.type.scalar) for operand in operands]
    attributes, padding, shape = _windows(body, x.type.shape, dilated=True)
    if min(shape) < 1 or prod(shape) > MAX_ELEMENTS:
        return
    kept = [
        "window_dimensions",
        *(name for name in attributes if name != "window_dimensions" and _shown(body, attributes[name])),
    ]
    properties = [f"{name} = {int_array(attributes[name])}" for name in kept]
    if any(pair != (0, 0) for pair in padding) or body.chance(0.3):
        properties.append(f"padding = {pairs(padding)}")
    region = _combining_region(
        body, [operand.type.scalar for operand in operands], [_combine(o.type.element, body) for o in operands]
    )
    results = [operand.type.with_shape(shape) for operand in operands]
    body.generic("stablehlo.reduce_window", [*operands, *inits], results, properties, [region])


def _shown(body: Body, values: list[int]) -> bool:
    return any(value != 1 for value in values) or body.chance(0.3)


@makes("reductions", 0.5)
def select_and_scatter(body: Body) -> None:
    x = body.pick_shaped(1, is_float)
    attributes, padding, shape = _windows(body, x.type.shape, dilated=False)
    if min(shape) < 1:
        return
    source = body.value_of(x.type.with_shape(shape))
    init = body.value_of(x.type.scalar)
    scalar = x.type.scalar

    def choose(names: list[str]) -> tuple[list[str], str]:
        made = body.scope.fresh("y")
        types = f"({scalar}, {scalar}) -> tensor<i1>"
        return [f"{made} = stablehlo.compare GE, {names[0]}, {names[1]} : {types}"], f"{made} : tensor<i1>"

    regions = [body.scalar_region([scalar, scalar], choose), _combining_region(body, [scalar], ["add"])]
    properties = [
        f"padding = {pairs(padding)}",
        f"window_dimensions = {int_array(attributes['window_dimensions'])}",
        f"window_strides = {int_array(attributes['window_strides'])}",
    ]
    body.generic("stablehlo.select_and_scatter", [x, source, init], [x.type], properties, regions)


@makes("reductions", 0.6)
def sort(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: not is_complex(element) and element != "i1")
    operands: list[Value] = [x]
    if body.chance(0.5):
        operands.append(body.pick(lambda type: type.shape == x.type.shape) or body.value_of(x.type.with_element("i32")))
    scalars = [scalar for operand in operands for scalar in (operand.type.scalar, operand.type.scalar)]

    def less(names: list[str]) -> tuple[list[str], str]:
        made = body.scope.fresh("y")
        types = f"({scalars[0]}, {scalars[0]}) -> tensor<i1>"
        return [f"{made} = stablehlo.compare LT, {names[0]}, {names[1]} : {types}"], f"{made} : tensor<i1>"

    properties = [f"dimension = {body.rng.randrange(x.type.rank)} : i64"]
    if body.chance(0.7):
        properties.append(f"is_stable = {body.rng.choice(('true', 'false'))}")
    results = [operand.type for operand in operands]
    body.generic("stablehlo.sort", operands, results, properties, [body.scalar_region(scalars, less)])


@makes("reductions", 0.15)
def map_(body: Body) -> None:
    x = body.pick_shaped(1, is_float)
    y = body.value_of(x.type)
    region = _combining_region(body, [x.type.scalar], ["multiply"])
    body.generic("stablehlo.map", [x, y], [x.type], [f"dimensions = {int_array(list(range(x.type.rank)))}"], [region])
