"""Random programs of one operation that moves data along sharded dimensions.

``program(family, rng)`` gives a whole program: shapes, attributes and layouts of operands and result are random, sizes
that do not divide, sub-axes and meshes with permuted devices among them. ``test_exchanges`` runs a few of each family;
the module run as a script runs many.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pyshardy import parse, partition

_MESHES = {
    "m": '<["x"=4, "y"=2]>',
    "r": '<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>',
    "s": '<["x"=6, "y"=2]>',
    "t": '<["x"=2, "y"=2, "z"=2]>',
}

_AXES = {
    "m": ['"x"', '"y"', '"x":(1)2', '"x":(2)2'],
    "r": ['"x"', '"y"', '"x":(1)2'],
    "s": ['"x"', '"y"', '"x":(2)3', '"x":(1)2'],
    "t": ['"x"', '"y"', '"z"'],
}

Program = Callable[[random.Random], str]

_families: dict[str, Program] = {}


def family(function: Program) -> Program:
    """Registers a family of programs under the name of its function."""
    _families[function.__name__.strip("_")] = function
    return function


def families() -> list[str]:
    """The names of all families."""
    return list(_families)


def program(name: str, seed: int) -> str:
    """A program of family ``name``."""
    text = _families[name](random.Random(f"{name} {seed}"))
    used = "".join(f"sdy.mesh @{mesh} = {axes}\n" for mesh, axes in _MESHES.items() if f"@{mesh}," in text)
    return used + text


class Layouts:
    """Random shardings on one mesh, not over more devices than ``most`` times the size."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.mesh = rng.choice(list(_AXES))

    def tensor(self, shape: Sequence[int], element: str = "i32") -> str:
        """A type with a random sharding."""
        rng = self.rng
        axes = rng.sample(_AXES[self.mesh], rng.randint(0, 2))
        if len({axis.split(":")[0] for axis in axes}) < len(axes):
            axes = axes[:1]
        dims: list[list[str]] = [[] for _ in shape]
        for axis in axes:
            if dims:
                rng.choice(dims).append(axis)
        listed = ", ".join("{" + ", ".join(one) + "}" for one in dims)
        return f"{plain(shape, element)} {{sdy.sharding = #sdy.sharding<@{self.mesh}, [{listed}]>}}"


def plain(shape: Sequence[int], element: str = "i32") -> str:
    """The type of a tensor."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def _shape(rng: random.Random, least: int = 1, most: int = 20) -> list[int]:
    shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    for _ in range(rng.randint(1, 2)):
        shape[rng.randrange(len(shape))] = rng.randint(least, most)
    return shape


def _main(arguments: str, result: str, body: str) -> str:
    type = result.split(" {")[0]
    return f"func.func @main({arguments}) -> ({result}) {{\n  {body}\n  return %0 : {type}\n}}"


@family
def _slice(rng: random.Random) -> str:
    layouts, shape = Layouts(rng), _shape(rng)
    ranges = []
    for size in shape:
        start = rng.choice([0, rng.randint(0, size - 1)])
        limit = rng.choice([size, rng.randint(start + 1, size)])
        ranges.append((start, limit, rng.choice([1, 1, rng.randint(1, 4)])))
    result = [-(-(limit - start) // stride) for start, limit, stride in ranges]
    text = ", ".join(f"{start}:{limit}:{stride}" for start, limit, stride in ranges)
    body = f"%0 = stablehlo.slice %a [{text}] : ({plain(shape)}) -> {plain(result)}"
    return _main(f"%a: {layouts.tensor(shape)}", layouts.tensor(result), body)


@family
def _pad(rng: random.Random) -> str:
    layouts, shape = Layouts(rng), _shape(rng)
    low, high, interior, result = [], [], [], []
    for size in shape:
        between = rng.choice([0, 0, rng.randint(0, 3)])
        spread = (size - 1) * (between + 1) + 1
        below, above = rng.choice([0, rng.randint(-3, 5)]), rng.choice([0, rng.randint(-3, 5)])
        if below + above + spread <= 0:
            below, above = abs(below), abs(above)
        low.append(below)
        high.append(above)
        interior.append(between)
        result.append(below + above + spread)
    body = (
        f"%0 = stablehlo.pad %a, %b, low = {low}, high = {high}, interior = {interior} : "
        f"({plain(shape)}, tensor<i32>) -> {plain(result)}"
    )
    return _main(f"%a: {layouts.tensor(shape)}, %b: tensor<i32>", layouts.tensor(result), body)


@family
def _slice_of_pad(rng: random.Random) -> str:
    layouts, shape = Layouts(rng), _shape(rng)
    low, high = ([rng.choice([0, rng.randint(0, 5)]) for _ in shape] for _ in range(2))
    whole = [sum(sizes) for sizes in zip(low, shape, high, strict=True)]
    starts = [rng.choice([0, rng.randint(0, size - 1)]) for size in whole]
    limits = [rng.choice([size, rng.randint(start + 1, size)]) for start, size in zip(starts, whole, strict=True)]
    result = [limit - start for start, limit in zip(starts, limits, strict=True)]
    text = ", ".join(f"{start}:{limit}" for start, limit in zip(starts, limits, strict=True))
    body = (
        f"%1 = stablehlo.pad %a, %b, low = {low}, high = {high}, interior = {[0] * len(shape)} : "
        f"({plain(shape)}, tensor<i32>) -> {plain(whole)}\n  "
        f"%0 = stablehlo.slice %1 [{text}] : ({plain(whole)}) -> {plain(result)}"
    )
    return _main(f"%a: {layouts.tensor(shape)}, %b: tensor<i32>", layouts.tensor(result), body)


@family
def _reverse(rng: random.Random) -> str:
    layouts, shape = Layouts(rng), _shape(rng)
    dims = sorted(rng.sample(range(len(shape)), rng.randint(1, len(shape))))
    body = f"%0 = stablehlo.reverse %a, dims = {dims} : {plain(shape)}"
    return _main(f"%a: {layouts.tensor(shape)}", layouts.tensor(shape), body)


@family
def _concatenate(rng: random.Random) -> str:
    layouts, shape = Layouts(rng), _shape(rng)
    dim = rng.randrange(len(shape))
    result, arguments, types = list(shape), [], []
    result[dim] = 0
    cuts = ""
    shape[dim] = whole = rng.randint(1, 16)
    arguments.append(f"%w: {layouts.tensor(shape)}")
    source = plain(shape)
    for number in range(rng.randint(1, 4)):
        shape[dim] = rng.randint(0, 9)
        if rng.random() < 0.4:
            start = rng.randint(0, whole - 1)
            limit = rng.randint(start + 1, whole)
            ranges = ", ".join(f"{start}:{limit}" if d == dim else f"0:{size}" for d, size in enumerate(shape))
            shape[dim] = limit - start
            cuts += f"%a{number} = stablehlo.slice %w [{ranges}] : ({source}) -> {plain(shape)}\n  "
        else:
            arguments.append(f"%a{number}: {layouts.tensor(shape)}")
        result[dim] += shape[dim]
        types.append(plain(shape))
    names = ", ".join(f"%a{number}" for number in range(len(types)))
    body = f"{cuts}%0 = stablehlo.concatenate {names}, dim = {dim} : ({', '.join(types)}) -> {plain(result)}"
    return _main(", ".join(arguments), layouts.tensor(result), body)


def _places(rng: random.Random, shape: list[int], sizes: list[int]) -> tuple[str, str, str, str]:
    """Start indices of a part: their names, types, constants, and arguments; some of them out of range."""
    names, constants, arguments = [], "", ""
    element = rng.choice(["i32", "i64", "ui32", "i8"])
    known = rng.random() < 0.2
    for dim, (size, part) in enumerate(zip(shape, sizes, strict=True)):
        names.append(f"%i{dim}")
        least = 0 if element.startswith("u") else -3
        if known or size == part:
            place = rng.randint(least, size)
            constants += f"%i{dim} = stablehlo.constant dense<{place}> : tensor<{element}>\n  "
        elif rng.random() < 0.5:
            arguments += f", %i{dim}: tensor<{element}>"
        else:
            arguments += f", %j{dim}: tensor<{element}>"
            constants += f"%k{dim} = stablehlo.constant dense<{rng.randint(least, size)}> : tensor<{element}>\n  "
            constants += f"%i{dim} = stablehlo.add %j{dim}, %k{dim} : tensor<{element}>\n  "
    return ", ".join(names), ", ".join([f"tensor<{element}>"] * len(shape)), constants, arguments


@family
def _dynamic_slice(rng: random.Random) -> str:
    layouts, shape = Layouts(rng), _shape(rng)
    sizes = [rng.choice([size, 1, rng.randint(1, size)]) for size in shape]
    names, types, constants, arguments = _places(rng, shape, sizes)
    element = rng.choice(["i32", "f32", "i1", "complex<f32>"])
    body = (
        f"{constants}%0 = stablehlo.dynamic_slice %a, {names}, sizes = {sizes} : "
        f"({plain(shape, element)}, {types}) -> {plain(sizes, element)}"
    )
    return _main(f"%a: {layouts.tensor(shape, element)}{arguments}", layouts.tensor(sizes, element), body)


@family
def _dynamic_update_slice(rng: random.Random) -> str:
    layouts, shape = Layouts(rng), _shape(rng)
    sizes = [rng.choice([size, 1, rng.randint(1, size)]) for size in shape]
    names, types, constants, arguments = _places(rng, shape, sizes)
    body = (
        f"{constants}%0 = stablehlo.dynamic_update_slice %a, %u, {names} : "
        f"({plain(shape)}, {plain(sizes)}, {types}) -> {plain(shape)}"
    )
    operands = f"%a: {layouts.tensor(shape)}, %u: {layouts.tensor(sizes)}{arguments}"
    return _main(operands, layouts.tensor(shape), body)


def _factored(rng: random.Random, number: int) -> list[int]:
    """Sizes with this product, a few ones among them."""
    shape: list[int] = []
    while number > 1 and len(shape) < 3:
        divisors = [divisor for divisor in range(2, number + 1) if number % divisor == 0]
        shape.append(rng.choice(divisors))
        number //= shape[-1]
    if number > 1:
        shape.append(number)
    if rng.random() < 0.3 or not shape:
        shape.insert(rng.randint(0, len(shape)), 1)
    return shape


@family
def _reshape(rng: random.Random) -> str:
    layouts = Layouts(rng)
    numbers = [rng.choice([1, 6, 10, 12, 15, 16, 20, 24, 30, 36, 48]) for _ in range(rng.randint(1, 2))]
    source = [size for number in numbers for size in _factored(rng, number)]
    target = [size for number in numbers for size in _factored(rng, number)]
    body = f"%0 = stablehlo.reshape %a : ({plain(source)}) -> {plain(target)}"
    return _main(f"%a: {layouts.tensor(source)}", layouts.tensor(target), body)


@family
def _convolution(rng: random.Random) -> str:
    layouts = Layouts(rng)
    rank = rng.randint(1, 2)
    feature_groups, batch_groups = rng.choice([(1, 1), (1, 1), (rng.randint(2, 6), 1), (1, rng.randint(2, 4))])
    batch, features, outputs = rng.randint(1, 5), rng.randint(1, 4), rng.randint(1, 4)
    lhs = [batch * batch_groups, features * feature_groups]
    rhs = [features, outputs * feature_groups * batch_groups]
    result = [batch, outputs * feature_groups * batch_groups]
    windows: dict[str, list[object]] = {"stride": [], "pad": [], "lhs_dilate": [], "rhs_dilate": [], "reverse": []}
    for _ in range(rank):
        while True:
            size, kernel = rng.randint(1, 16), rng.choice([1, 2, 3, 3, rng.randint(1, 12)])
            stride, gaps, kernel_gaps = rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2])
            low, high = rng.choice([0, rng.randint(-2, 4)]), rng.choice([0, rng.randint(-2, 4)])
            inside = (size - 1) * gaps + 1 + low + high - ((kernel - 1) * kernel_gaps + 1)
            if inside >= 0 and (size - 1) * gaps + 1 + min(low, 0) + min(high, 0) > 0:
                break
        lhs.append(size)
        rhs.append(kernel)
        result.append(inside // stride + 1)
        for name, value in zip(
            windows, (stride, [low, high], gaps, kernel_gaps, rng.choice(["true", "false"])), strict=True
        ):
            windows[name].append(value)
    space = ", ".join("01"[:rank])
    text = ", ".join(f"{name} = [{', '.join(map(str, values))}]" for name, values in windows.items())
    body = (
        f"%0 = stablehlo.convolution(%a, %k) dim_numbers = [b, f, {space}]x[i, o, {space}]->[b, f, {space}], "
        f"window = {{{text}}} {{feature_group_count = {feature_groups} : i64, "
        f"batch_group_count = {batch_groups} : i64}} : "
        f"({plain(lhs, 'f32')}, {plain(rhs, 'f32')}) -> {plain(result, 'f32')}"
    )
    operands = f"%a: {layouts.tensor(lhs, 'f32')}, %k: {layouts.tensor(rhs, 'f32')}"
    return _main(operands, layouts.tensor(result, "f32"), body)


@dataclass
class _Windows:
    """How windows lie along one dimension."""

    size: int = 1
    stride: int = 1
    base: int = 1
    dilation: int = 1
    low: int = 0
    high: int = 0

    def results(self, size: int) -> int:
        """How many windows there are; 0 or less if none fits."""
        spread = (size - 1) * self.base + 1 + self.low + self.high
        return (spread - (self.size - 1) * self.dilation - 1) // self.stride + 1


def _random_windows(rng: random.Random, shape: list[int], *, dilated: bool) -> list[_Windows]:
    windows = []
    for size in shape:
        one = _Windows()
        while rng.random() < 0.6 or one.results(size) <= 0:
            base, gaps = (rng.choice([1, 1, 2, 3]) if dilated else 1 for _ in range(2))
            one = _Windows(rng.randint(1, 4), rng.randint(1, 4), base, gaps, rng.randint(0, 3), rng.randint(0, 3))
        windows.append(one)
    return windows


def _array(values: Iterable[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>"


def _padding(windows: list[_Windows]) -> str:
    rows = ", ".join(f"[{one.low}, {one.high}]" for one in windows)
    return f"dense<[{rows}]> : tensor<{len(windows)}x2xi64>"


_COMBINING = ["add", "maximum", "minimum", "multiply"]


@family
def _reduce_window(rng: random.Random) -> str:
    layouts, shape = Layouts(rng), _shape(rng)
    windows = _random_windows(rng, shape, dilated=True)
    if rng.random() < 0.4:
        windows = [_Windows() for _ in shape]
        dim = rng.randrange(len(shape))
        size = shape[dim]
        windows[dim] = rng.choice([_Windows(size, low=size - 1), _Windows(size, high=size - 1)])
    result = [one.results(size) for one, size in zip(windows, shape, strict=True)]
    count = rng.choice([1, 1, 2])
    names = ["%a", "%b"][:count]
    init = rng.choice(["0", "0", "3"])
    bodies = [rng.choice(_COMBINING[:3]) for _ in names]
    if init == "0" and count == 1:
        bodies = ["add"]
    lines = "\n".join(f"    %r{k} = stablehlo.{body} %x{k}, %y{k} : tensor<i32>" for k, body in enumerate(bodies))
    arguments = ", ".join([f"%x{k}: tensor<i32>" for k in range(count)] + [f"%y{k}: tensor<i32>" for k in range(count)])
    returned = ", ".join(f"%r{k}" for k in range(count)) + " : " + ", ".join(["tensor<i32>"] * count)
    body = f"""%init = stablehlo.constant dense<{init}> : tensor<i32>
  %0{":2" if count == 2 else ""} = "stablehlo.reduce_window"({", ".join(names)}, {", ".join(["%init"] * count)}) <{{
      window_dimensions = {_array(one.size for one in windows)},
      window_strides = {_array(one.stride for one in windows)},
      base_dilations = {_array(one.base for one in windows)},
      window_dilations = {_array(one.dilation for one in windows)},
      padding = {_padding(windows)}}}> ({{
  ^bb0({arguments}):
{lines}
    stablehlo.return {returned}
  }}) : ({", ".join([plain(shape)] * count + ["tensor<i32>"] * count)})
      -> {plain(result) if count == 1 else "(" + ", ".join([plain(result)] * 2) + ")"}"""
    operands = ", ".join(f"{name}: {layouts.tensor(shape)}" for name in names)
    text = _main(operands, layouts.tensor(result), body)
    return text if count == 1 else text.replace("return %0 :", "return %0#1 :")


@family
def _select_and_scatter(rng: random.Random) -> str:
    layouts, shape = Layouts(rng), _shape(rng)
    windows = _random_windows(rng, shape, dilated=False)
    source = [one.results(size) for one, size in zip(windows, shape, strict=True)]
    chosen, combined = rng.choice(["GE", "LE", "GT", "LT"]), rng.choice(_COMBINING)
    body = f"""%init = stablehlo.constant dense<{rng.choice([0, 2])}> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %init) <{{
      window_dimensions = {_array(one.size for one in windows)},
      window_strides = {_array(one.stride for one in windows)},
      padding = {_padding(windows)}}}> ({{
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %c = stablehlo.compare {chosen}, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}, {{
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %c = stablehlo.{combined} %x, %y : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }}) : ({plain(shape)}, {plain(source)}, tensor<i32>) -> {plain(shape)}"""
    operands = f"%a: {layouts.tensor(shape)}, %s: {layouts.tensor(source)}"
    return _main(operands, layouts.tensor(shape), body)


def failure(name: str, seed: int) -> str | None:
    """What is wrong with the partitioned program, if anything."""
    text = program(name, seed)
    try:
        differs = partition(parse(text), propagated=True).check().differs
    except Exception as error:
        return f"{type(error).__name__}: {error}\n{text}"
    return text if differs else None


if __name__ == "__main__":
    chosen, count = sys.argv[1].split(","), int(sys.argv[2])
    for one in chosen if chosen != ["all"] else families():
        bad = 0
        for number in range(count):
            wrong = failure(one, number)
            if wrong is not None:
                bad += 1
                if bad <= 2:
                    print(one, number, wrong)
        print(f"{one}: {count - bad} of {count} agree")
