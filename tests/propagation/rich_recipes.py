"""Recipes of operations of many families, beside the few of ``layered_programs``: what moves along dimensions, looks up
and writes in places that are computed, sorts, chooses, runs regions, or has several results."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.propagation.layered_programs import LayeredProgram, Recipe, Shape, Value, type_text

_OFTEN = 0.6
"""How often a step is one of these."""


class RichRecipe(Recipe):
    """A recipe most of whose steps are of the kinds of this file."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self._kinds = random.sample(sorted(_STEPS), random.randrange(2, 6))

    def _drawn(self, program: LayeredProgram, pool: list[Value]) -> tuple[str, int, int, str]:
        if self._random.random() > _OFTEN:
            return super()._drawn(program, pool)
        one = self._random.randrange(len(pool)) if self._random.random() < 0.5 else len(pool) - 1
        alike = [number for number, value in enumerate(pool) if value[1] == pool[one][1]]
        return self._random.choice(self._kinds), one, self._random.choice(alike), str(self._random.randrange(2))

    def _step(
        self,
        program: LayeredProgram,
        pool: list[Value],
        name: str,
        kind: str,
        one: int,
        other: int,
        parameter: str,
    ) -> Value:
        made = _STEPS.get(kind)
        if made is None:
            return super()._step(program, pool, name, kind, one, other, parameter)
        program.lines += [f"  {line}" for line in made(name, pool[one], pool[other], int(parameter))]
        return f"%{name}", pool[one][1]

    def _reads_both(self, kind: str) -> bool:
        return kind in _READ_BOTH or super()._reads_both(kind)


def _index(name: str, value: int = 0) -> str:
    return f"%{name} = stablehlo.constant dense<{value}> : tensor<i32>"


def _zero(name: str) -> str:
    return f"%{name} = stablehlo.constant dense<0.0> : tensor<f32>"


def _along(shape: Shape, dim: int, size: int) -> Shape:
    return tuple(size if number == dim else one for number, one in enumerate(shape))


def _at(dim: int, value: int, other: int = 0) -> str:
    return ", ".join(str(value if number == dim else other) for number in range(2))


def _adds(name: str, type: str = "tensor<f32>") -> list[str]:
    return [
        f"^bb0(%{name}l: {type}, %{name}r: {type}):",
        f"  %{name}t = stablehlo.add %{name}l, %{name}r : {type}",
        f"  stablehlo.return %{name}t : {type}",
    ]


def _reverse(name: str, one: Value, other: Value, dim: int) -> list[str]:
    return [f"%{name} = stablehlo.reverse {one[0]}, dims = [{dim}] : {type_text(one[1])}"]


def _shifted(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """Padded before and behind, and cut off again, but one farther."""
    size, type = one[1][dim], type_text(one[1])
    long = type_text(_along(one[1], dim, size + 2))
    bounds = ", ".join(
        f"{2 if number == dim else 0}:{each + 2 * (number == dim)}" for number, each in enumerate(one[1])
    )
    return [
        _zero(f"{name}z"),
        f"%{name}p = stablehlo.pad {one[0]}, %{name}z, low = [{_at(dim, 1)}], high = [{_at(dim, 1)}], "
        f"interior = [0, 0] : ({type}, tensor<f32>) -> {long}",
        f"%{name} = stablehlo.slice %{name}p [{bounds}] : ({long}) -> {type}",
    ]


def _windows(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """The sum of three neighbours."""
    type = type_text(one[1])
    padding = ", ".join("[1, 1]" if number == dim else "[0, 0]" for number in range(2))
    return [
        _zero(f"{name}z"),
        f'%{name} = "stablehlo.reduce_window"({one[0]}, %{name}z) <{{window_dimensions = array<i64: {_at(dim, 3, 1)}>, '
        f"window_strides = array<i64: 1, 1>, padding = dense<[{padding}]> : tensor<2x2xi64>}}> ({{",
        *_adds(name),
        f"}}) : ({type}, tensor<f32>) -> {type}",
    ]


def _looked_up(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """The rows in the order of indices, as of an embedding."""
    (rows, width), type = one[1], type_text(one[1])
    return [
        f"%{name}i = stablehlo.iota dim = 0 : tensor<{rows}xi32>",
        f'%{name} = "stablehlo.gather"({one[0]}, %{name}i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], '
        f"collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, "
        f"{width}>, indices_are_sorted = false}}> : ({type}, tensor<{rows}xi32>) -> {type}",
    ]


def _scattered(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """The rows of another value added to those rows that indices say."""
    (rows, _), type = one[1], type_text(one[1])
    return [
        f"%{name}i = stablehlo.iota dim = 0 : tensor<{rows}xi32>",
        f'%{name} = "stablehlo.scatter"({one[0]}, %{name}i, {other[0]}) <{{scatter_dimension_numbers = '
        "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({",
        *_adds(name),
        f"}}) : ({type}, tensor<{rows}xi32>, {type}) -> {type}",
    ]


def _updated(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """Half of another value written into a value at a place that is computed."""
    half, type = type_text(_along(one[1], dim, one[1][dim] // 2)), type_text(one[1])
    sizes = ", ".join(map(str, _along(one[1], dim, one[1][dim] // 2)))
    return [
        _index(f"{name}i"),
        _index(f"{name}j", 2),
        f"%{name}h = stablehlo.dynamic_slice {other[0]}, %{name}i, %{name}j, sizes = [{sizes}] : "
        f"({type}, tensor<i32>, tensor<i32>) -> {half}",
        f"%{name} = stablehlo.dynamic_update_slice {one[0]}, %{name}h, %{name}j, %{name}i : "
        f"({type}, {half}, tensor<i32>, tensor<i32>) -> {type}",
    ]


def _masked(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """One or the other value, as positions say."""
    type, mask, numbers = type_text(one[1]), type_text(one[1], "i1"), type_text(one[1], "i32")
    return [
        f"%{name}i = stablehlo.iota dim = 0 : {numbers}",
        f"%{name}j = stablehlo.iota dim = 1 : {numbers}",
        f"%{name}m = stablehlo.compare GE, %{name}i, %{name}j : ({numbers}, {numbers}) -> {mask}",
        f"%{name} = stablehlo.select %{name}m, {one[0]}, {other[0]} : {mask}, {type}",
    ]


def _sorted(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """Two values sorted by the first; the second result."""
    type = type_text(one[1])
    return [
        f'%{name}s:2 = "stablehlo.sort"({one[0]}, {other[0]}) <{{dimension = {dim} : i64, is_stable = true}}> ({{',
        f"^bb0(%{name}a: tensor<f32>, %{name}b: tensor<f32>, %{name}c: tensor<f32>, %{name}d: tensor<f32>):",
        f"  %{name}p = stablehlo.compare LT, %{name}a, %{name}b : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        f"  stablehlo.return %{name}p : tensor<i1>",
        f"}}) : ({type}, {type}) -> ({type}, {type})",
        f"%{name} = stablehlo.negate %{name}s#1 : {type}",
    ]


def _chosen(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """A branch, by a number that is the sum of a value; both read from outside."""
    type = type_text(one[1])
    return [
        _zero(f"{name}z"),
        f"%{name}n = stablehlo.reduce({one[0]} init: %{name}z) applies stablehlo.add across dimensions = [0, 1] : "
        f"({type}, tensor<f32>) -> tensor<f32>",
        f"%{name}p = stablehlo.compare GT, %{name}n, %{name}z : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        f'%{name} = "stablehlo.if"(%{name}p) ({{',
        f"  %{name}u = stablehlo.tanh {other[0]} : {type}",
        f"  stablehlo.return %{name}u : {type}",
        "}, {",
        f"  stablehlo.return {one[0]} : {type}",
        f"}}) : (tensor<i1>) -> {type}",
    ]


def _normalized(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """A softmax."""
    type, left = type_text(one[1]), type_text((one[1][1 - dim],))
    lines = [_zero(f"{name}z"), f"%{name}e = stablehlo.exponential {one[0]} : {type}"]
    return [
        *lines,
        f"%{name}s = stablehlo.reduce(%{name}e init: %{name}z) applies stablehlo.add across dimensions = [{dim}] : "
        f"({type}, tensor<f32>) -> {left}",
        f"%{name}b = stablehlo.broadcast_in_dim %{name}s, dims = [{1 - dim}] : ({left}) -> {type}",
        f"%{name} = stablehlo.divide %{name}e, %{name}b : {type}",
    ]


def _halves(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """In half the precision and back, behind a product with positions."""
    type, half = type_text(one[1]), type_text(one[1], "bf16")
    return [
        f"%{name}i = stablehlo.iota dim = {dim} : {type}",
        f"%{name}m = stablehlo.multiply {one[0]}, %{name}i : {type}",
        f"%{name}h = stablehlo.convert %{name}m : ({type}) -> {half}",
        f"%{name} = stablehlo.convert %{name}h : ({half}) -> {type}",
    ]


def _in_heads(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """Products of heads, into which the columns are split."""
    (rows, width), type = one[1], type_text(one[1])
    heads = 4
    split = type_text((rows, heads, width // heads))
    scores = type_text((heads, rows, rows))
    mixed = type_text((heads, rows, width // heads))
    turned = type_text((rows, heads, width // heads))
    return [
        f"%{name}a = stablehlo.reshape {one[0]} : ({type}) -> {split}",
        f"%{name}b = stablehlo.reshape {other[0]} : ({type}) -> {split}",
        f"%{name}s = stablehlo.dot_general %{name}a, %{name}b, batching_dims = [1] x [1], contracting_dims = [2] x [2] "
        f": ({split}, {split}) -> {scores}",
        f"%{name}m = stablehlo.dot_general %{name}s, %{name}b, batching_dims = [0] x [1], contracting_dims = [2] x [0] "
        f": ({scores}, {split}) -> {mixed}",
        f"%{name}t = stablehlo.transpose %{name}m, dims = [1, 0, 2] : ({mixed}) -> {turned}",
        f"%{name} = stablehlo.reshape %{name}t : ({turned}) -> {type}",
    ]


def _custom(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """A custom call that nobody knows."""
    type = type_text(one[1])
    return [f"%{name} = stablehlo.custom_call @unknown({one[0]}, {other[0]}) : ({type}, {type}) -> {type}"]


def _largest(name: str, one: Value, other: Value, dim: int) -> list[str]:
    """The largest of each row and where it is, in one reduction; added to all columns."""
    type, numbers, left = type_text(one[1]), type_text(one[1], "i32"), type_text((one[1][1 - dim],))
    places = type_text((one[1][1 - dim],), "i32")
    scalars = "tensor<f32>, tensor<i32>"
    return [
        _zero(f"{name}z"),
        _index(f"{name}o"),
        f"%{name}i = stablehlo.iota dim = {dim} : {numbers}",
        f'%{name}r:2 = "stablehlo.reduce"({one[0]}, %{name}i, %{name}z, %{name}o) '
        f"<{{dimensions = array<i64: {dim}>}}> ({{",
        f"^bb0(%{name}a: tensor<f32>, %{name}b: tensor<i32>, %{name}c: tensor<f32>, %{name}d: tensor<i32>):",
        f"  %{name}p = stablehlo.compare GT, %{name}a, %{name}c : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        f"  %{name}v = stablehlo.select %{name}p, %{name}a, %{name}c : tensor<i1>, tensor<f32>",
        f"  %{name}w = stablehlo.select %{name}p, %{name}b, %{name}d : tensor<i1>, tensor<i32>",
        f"  stablehlo.return %{name}v, %{name}w : {scalars}",
        f"}}) : ({type}, {numbers}, {scalars}) -> ({left}, {places})",
        f"%{name}f = stablehlo.convert %{name}r#1 : ({places}) -> {left}",
        f"%{name}g = stablehlo.add %{name}r#0, %{name}f : {left}",
        f"%{name} = stablehlo.broadcast_in_dim %{name}g, dims = [{1 - dim}] : ({left}) -> {type}",
    ]


_STEPS: dict[str, Callable[[str, Value, Value, int], list[str]]] = {
    "reverse": _reverse,
    "shifted": _shifted,
    "windows": _windows,
    "looked up": _looked_up,
    "scattered": _scattered,
    "updated": _updated,
    "masked": _masked,
    "sorted": _sorted,
    "chosen": _chosen,
    "normalized": _normalized,
    "halves": _halves,
    "in heads": _in_heads,
    "custom": _custom,
    "largest": _largest,
}
_READ_BOTH = frozenset(("scattered", "updated", "masked", "sorted", "chosen", "in heads", "custom"))
