"""Random chains of rolls, differences, reversals, turns and paddings of one tensor, from any layout to any other."""

from __future__ import annotations

import random

import pytest

from pyshardy import parse, partition
from tests.partitioning.random_layouts import MESHES, tensor
from tests.partitioning.sharding_text import sharded
from tests.sampling import sampled

_LAYOUTS = (("x", ""), ("", "x"), ("x", "y"), ("y", "x"), ("x,y", ""), ("", "y,x"), ("y", ""), ("", "y"))


class _Chain:
    """The text of a function on one matrix, and its values with their shapes."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        shape: tuple[int, ...] = (rng.choice((8, 12, 16)), rng.choice((8, 16, 20)))
        self.values = [("%a", shape)]
        self.number = 0

    def emit(self, text: str, shape: tuple[int, ...]) -> str:
        self.number += 1
        self.lines.append(f"%v{self.number} = stablehlo.{text} -> {tensor(shape)}")
        return f"%v{self.number}"

    def cut(self, value: str, shape: tuple[int, ...], dim: int, start: int, limit: int) -> tuple[str, tuple[int, ...]]:
        bounds = [(0, size) for size in shape]
        bounds[dim] = (start, limit)
        made = tuple(end - begin for begin, end in bounds)
        listed = ", ".join(f"{begin}:{end}" for begin, end in bounds)
        return self.emit(f"slice {value} [{listed}] : ({tensor(shape)})", made), made

    def grow(self) -> None:
        value, shape = self.rng.choice(self.values[-2:])
        types = tensor(shape)
        kind = self.rng.choice(("roll", "difference", "reverse", "transpose", "tanh", "pad"))
        dim = self.rng.randint(0, 1)
        if kind == "roll":
            by = self.rng.randint(1, shape[dim] - 1)
            first, one = self.cut(value, shape, dim, shape[dim] - by, shape[dim])
            second, other = self.cut(value, shape, dim, 0, shape[dim] - by)
            joined = f"concatenate {first}, {second}, dim = {dim} : ({tensor(one)}, {tensor(other)})"
            self.values.append((self.emit(joined, shape), shape))
        elif kind == "difference":
            first, made = self.cut(value, shape, dim, 1, shape[dim])
            second, _ = self.cut(value, shape, dim, 0, shape[dim] - 1)
            text = f"subtract {first}, {second} : ({tensor(made)}, {tensor(made)})"
            self.values.append((self.emit(text, made), made))
        elif kind == "reverse":
            self.number += 1
            self.lines.append(f"%v{self.number} = stablehlo.reverse {value}, dims = [{dim}] : {types}")
            self.values.append((f"%v{self.number}", shape))
        elif kind == "pad":
            low, high = self.rng.randint(-2, 3), self.rng.randint(-2, 3)
            made = (shape[0] + low + high, shape[1])
            amounts = f"low = [{low}, 0], high = [{high}, 0], interior = [0, 0]"
            self.values.append((self.emit(f"pad {value}, %one, {amounts} : ({types}, tensor<f32>)", made), made))
        elif kind == "transpose":
            made = (shape[1], shape[0])
            self.values.append((self.emit(f"transpose {value}, dims = [1, 0] : ({types})", made), made))
        else:
            self.values.append((self.emit(f"tanh {value} : ({types})", shape), shape))


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(80), 2))
def test_elements_arrive_where_they_belong(seed: int) -> None:
    rng = random.Random(seed)
    chain = _Chain(rng)
    given = chain.values[0][1]
    for _ in range(rng.randint(2, 7)):
        chain.grow()
    results = [chain.values[-1], rng.choice(chain.values)][: rng.randint(1, 2)]
    types = [tensor(shape) for _, shape in results]
    lines = "\n  ".join(chain.lines)
    text = f"""sdy.mesh @m = {MESHES["m"]}
func.func @main(%a: {sharded(tensor(given), *rng.choice(_LAYOUTS))})
    -> ({", ".join(sharded(type, *rng.choice(_LAYOUTS)) for type in types)}) {{
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  {lines}
  return {", ".join(value for value, _ in results)} : {", ".join(types)}
}}"""
    assert partition(parse(text)).check(seed).agrees
