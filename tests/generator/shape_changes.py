"""Operations that move elements without computing: reshape, transpose, broadcast, slices, pads, constants."""

from __future__ import annotations

from math import prod

from tests.generator.body import MAX_ELEMENTS, MAX_RANK, Body
from tests.generator.families import makes
from tests.generator.types import Tensor, int_array, int_list


@makes("constants")
def constant(body: Body) -> None:
    body.constant(body.random_type(0))


@makes("constants", 0.3)
def scalar_computation(body: Body) -> None:
    x = body.constant(Tensor((), "f32"))
    y = body.constant(Tensor((), "f32"))
    body.pretty(f"stablehlo.multiply {x}, {y}", [x, y], [x.type], str(x.type))


def _random_factors(body: Body, size: int) -> list[int]:
    factors: list[int] = []
    while size > 1 and len(factors) < MAX_RANK - 1:
        factor = body.rng.choice([d for d in range(2, size + 1) if size % d == 0])
        factors.append(factor)
        size //= factor
    if size > 1:
        factors.append(size)
    body.rng.shuffle(factors)
    return factors


def _reshaped(body: Body, shape: tuple[int, ...]) -> list[int]:
    """A shape with as many elements: some dimensions merged, split, or everything cut anew."""
    rng = body.rng
    kind = rng.choice(("merge", "split", "ones", "flat", "anew", "split", "merge"))
    new = list(shape)
    if kind == "merge" and len(new) > 1:
        at = rng.randrange(len(new) - 1)
        new[at : at + 2] = [new[at] * new[at + 1]]
    elif kind == "split" and any(size > 3 for size in new):
        at = rng.choice([i for i, size in enumerate(new) if size > 3])
        new[at : at + 1] = _random_factors(body, new[at])
    elif kind == "ones":
        new = [size for size in new if size != 1] if 1 in new and rng.random() < 0.6 else [*new, 1]
        if new[-1:] == [1]:
            new.insert(rng.randrange(len(new)), new.pop())
    elif kind == "flat":
        new = [prod(new)]
    else:
        new = _random_factors(body, prod(new)) or [1]
    return new if len(new) <= MAX_RANK else [prod(new)]


@makes("shapes", 3)
def reshape(body: Body) -> None:
    x = body.pick_shaped(1)
    result = x.type.with_shape(_reshaped(body, x.type.shape))
    body.either("stablehlo.reshape", f"{x}", [x], [result])


@makes("shapes", 2)
def transpose(body: Body) -> None:
    x = body.pick_shaped(1)
    order = list(range(x.type.rank))
    body.rng.shuffle(order)
    result = x.type.with_shape(x.type.shape[d] for d in order)
    properties = [f"permutation = {int_array(order)}"]
    body.either("stablehlo.transpose", f"{x}, dims = {int_list(order)}", [x], [result], None, properties)


@makes("shapes", 2)
def broadcast_in_dim(body: Body) -> None:
    x = body.pick(lambda type: type.rank < MAX_RANK)
    if x is None:
        x = body.value_of(Tensor((), "f32"))
    rng, shape = body.rng, x.type.shape
    added = rng.randrange(1, 3) if len(shape) < MAX_RANK - 1 else 1
    rank = min(MAX_RANK, len(shape) + (0 if 1 in shape and rng.random() < 0.5 else added))
    dims = rng.sample(range(rank), len(shape))
    if rng.random() < 0.8:
        dims.sort()
    result = [rng.choice(body.program.palette) for _ in range(rank)]
    for size, dim in zip(shape, dims, strict=True):
        if size != 1 or rng.random() < 0.4:
            result[dim] = size
    if prod(result) > MAX_ELEMENTS:
        return
    properties = [f"broadcast_dimensions = {int_array(dims)}"]
    type = x.type.with_shape(result)
    body.either("stablehlo.broadcast_in_dim", f"{x}, dims = {int_list(dims)}", [x], [type], None, properties)


@makes("shapes", 1.5)
def slice_(body: Body) -> None:
    x = body.pick_shaped(1)
    ranges, shape = [], []
    for size in x.type.shape:
        start, limit, stride = 0, size, 1
        if size > 1 and body.chance(0.5):
            start = body.rng.randrange(size)
            limit = body.rng.randrange(start + 1, size + 1)
            stride = body.rng.choice((1, 1, 1, 2, 3))
        ranges.append(f"{start}:{limit}" + (f":{stride}" if stride != 1 else ""))
        shape.append(-(-(limit - start) // stride))
    body.functional(f"stablehlo.slice {x} [{', '.join(ranges)}]", [x], [x.type.with_shape(shape)])


@makes("shapes", 1.2)
def concatenate(body: Body) -> None:
    x = body.pick_shaped(1)
    dim = body.rng.randrange(x.type.rank)

    def joins(type: Tensor) -> bool:
        if type.element != x.type.element or type.rank != x.type.rank:
            return False
        return all(a == b for d, (a, b) in enumerate(zip(type.shape, x.type.shape, strict=True)) if d != dim)

    operands = [x]
    for _ in range(body.rng.choice((0, 1, 1, 1, 2))):
        operands.append(body.pick(joins) or x)
    body.rng.shuffle(operands)
    shape = list(x.type.shape)
    shape[dim] = sum(operand.type.shape[dim] for operand in operands)
    if prod(shape) > MAX_ELEMENTS:
        return
    head = f"{', '.join(map(str, operands))}, dim = {dim}"
    body.either("stablehlo.concatenate", head, operands, [x.type.with_shape(shape)], None, [f"dimension = {dim} : i64"])


@makes("shapes", 0.7)
def rotation(body: Body) -> None:
    """Two slices of one value, joined the other way round: what `roll` becomes."""
    x = body.pick_shaped(1)
    dim = body.rng.randrange(x.type.rank)
    size = x.type.shape[dim]
    if size < 2:
        return
    cut = body.rng.randrange(1, size)
    parts = []
    for low, high in ((cut, size), (0, cut)):
        ranges = [f"{low}:{high}" if d == dim else f"0:{extent}" for d, extent in enumerate(x.type.shape)]
        part = x.type.with_shape(high - low if d == dim else extent for d, extent in enumerate(x.type.shape))
        parts += body.functional(f"stablehlo.slice {x} [{', '.join(ranges)}]", [x], [part])
    body.functional(f"stablehlo.concatenate {parts[0]}, {parts[1]}, dim = {dim}", parts, [x.type])


@makes("shapes", 0.8)
def pad(body: Body) -> None:
    x = body.pick_shaped(1)
    filler = body.value_of(x.type.scalar)
    low, high, interior, shape = [], [], [], []
    for size in x.type.shape:
        changed = body.chance(0.5)
        low.append(body.rng.choice((0, 1, 2, -1 if size > 2 else 1)) if changed else 0)
        high.append(body.rng.choice((0, 1, 3, -1 if size > 2 else 1)) if changed else 0)
        interior.append(body.rng.choice((0, 0, 1)) if changed else 0)
        shape.append(low[-1] + high[-1] + size + (size - 1) * interior[-1])
    if min(shape) < 1 or prod(shape) > MAX_ELEMENTS:
        return
    head = (
        f"stablehlo.pad {x}, {filler}, low = {int_list(low)}, high = {int_list(high)}, interior = {int_list(interior)}"
    )
    body.functional(head, [x, filler], [x.type.with_shape(shape)])


@makes("shapes", 0.6)
def reverse(body: Body) -> None:
    x = body.pick_shaped(1)
    dims = sorted(body.rng.sample(range(x.type.rank), body.rng.randrange(1, x.type.rank + 1)))
    properties = [f"dimensions = {int_array(dims)}"]
    body.either("stablehlo.reverse", f"{x}, dims = {int_list(dims)}", [x], [x.type], str(x.type), properties)
