"""Tensor types and SSA values of the program under construction, with the little text that they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

FLOATS = ("f32", "bf16", "f16", "f64")
INTEGERS = ("i32", "i64", "i8", "ui32", "ui8", "i16")
COMPLEX = ("complex<f32>", "complex<f64>")
BITS = {"f64": 64, "f32": 32, "bf16": 16, "f16": 16, "i32": 32, "i16": 16, "i8": 8, "ui32": 32, "ui16": 16, "ui8": 8}


class Tensor(NamedTuple):
    """A static tensor type, `Tensor((4, 8), "f32")` for `tensor<4x8xf32>`."""

    shape: tuple[int, ...]
    element: str

    def __str__(self) -> str:
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    def with_shape(self, shape: Iterable[int]) -> Tensor:
        """Returns the type with another shape."""
        return Tensor(tuple(shape), self.element)

    def with_element(self, element: str) -> Tensor:
        """Returns the type with another element type."""
        return Tensor(self.shape, element)

    @property
    def scalar(self) -> Tensor:
        """The type of rank 0 with the same element type."""
        return Tensor((), self.element)


class Value:
    """An SSA value: its text, its type, and whether something uses it or a result of the same operation."""

    __slots__ = ("name", "siblings", "type")

    def __init__(self, name: str, type: Tensor, siblings: Siblings) -> None:
        self.name = name
        self.type = type
        self.siblings = siblings

    def __str__(self) -> str:
        return self.name


class Siblings:
    """The results of one operation: it is alive as soon as one of them is used."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        self.used = False


def is_float(element: str) -> bool:
    """Tells whether `element` is a real floating point type."""
    return element in FLOATS


def is_integer(element: str) -> bool:
    """Tells whether `element` is an integer type other than i1."""
    return element.startswith(("i", "ui")) and element != "i1"


def is_complex(element: str) -> bool:
    """Tells whether `element` is a complex type."""
    return element.startswith("complex")


def real_part(element: str) -> str:
    """Returns the element type of the parts of a complex type."""
    return element[len("complex<") : -1]


def function_type(operands: Iterable[Tensor], results: Sequence[Tensor]) -> str:
    """Returns `(T, T) -> T` as MLIR prints it."""
    return f"({', '.join(map(str, operands))}) -> {result_types(results)}"


def result_types(results: Sequence[Tensor]) -> str:
    """Returns `T`, or `(T, T)` unless there is exactly one."""
    return str(results[0]) if len(results) == 1 else f"({', '.join(map(str, results))})"


def int_list(values: Iterable[int]) -> str:
    """Returns `[1, 2]`."""
    return f"[{', '.join(map(str, values))}]"


def int_array(values: Sequence[int]) -> str:
    """Returns `array<i64: 1, 2>`, or `array<i64>` if empty."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def pairs(values: Sequence[tuple[int, int]]) -> str:
    """Returns a dense attribute of shape Nx2 as paddings have it."""
    return f"dense<{[list(pair) for pair in values]}> : tensor<{len(values)}x2xi64>"


def literal(element: str, number: int) -> str:
    """Returns `number` as an element of a dense attribute of the given element type."""
    if element == "i1":
        return "true" if number % 2 else "false"
    if is_complex(element):
        return f"({float(number):.6e}, 0.000000e+00)"
    if is_float(element):
        return f"{float(number):.6e}"
    return str(abs(number))


def splat(type: Tensor, number: int) -> str:
    """Returns `dense<number> : type`."""
    return f"dense<{literal(type.element, number)}> : {type}"
