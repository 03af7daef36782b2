"""The types of values: immutable, interned, with the text that MLIR prints.

A type is an attribute, so that it can be in a dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import prod
from typing import ClassVar

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.native_classes import mypyc_attr

DYNAMIC = -(2**63)
"""The size of a dynamic dimension, ``?`` in the text (MLIR's own sentinel: it shows in diagnostics)."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Type(Attribute):
    """Base of all types."""

    __slots__ = ()


class _Named(Type):
    """A type that its spelling determines."""

    __slots__ = ("name",)
    name: str

    def _render(self) -> str:
        return self.name


class IntegerType(Type):
    """``iN``, ``siN`` or ``uiN``; ``signedness`` is ``""``, ``"s"`` or ``"u"``, ``width`` is in bits."""

    __slots__ = ("signedness", "width")
    width: int
    signedness: str

    def __new__(cls, width: int, signedness: str = "") -> IntegerType:
        return cls._table[width, signedness]

    @property
    def largest(self) -> int:
        """The largest number; types without a sign count as signed."""
        return (1 << (self.width - (self.signedness != "u"))) - 1

    def _render(self) -> str:
        return f"{self.signedness}i{self.width}"


class IndexType(_Named):
    """``index``."""

    __slots__ = ()
    _only: ClassVar[IndexType | None] = None

    def __new__(cls) -> IndexType:
        if IndexType._only is None:
            IndexType._only = object.__new__(cls)
            IndexType._only.name = "index"
        return IndexType._only


class NoneType(_Named):
    """``none``."""

    __slots__ = ()
    _only: ClassVar[NoneType | None] = None

    def __new__(cls) -> NoneType:
        if NoneType._only is None:
            NoneType._only = object.__new__(cls)
            NoneType._only.name = "none"
        return NoneType._only


FLOAT_WIDTHS = {
    "f4E2M1FN": 4,
    "f6E2M3FN": 6,
    "f6E3M2FN": 6,
    "f8E3M4": 8,
    "f8E4M3": 8,
    "f8E4M3B11FNUZ": 8,
    "f8E4M3FN": 8,
    "f8E4M3FNUZ": 8,
    "f8E5M2": 8,
    "f8E5M2FNUZ": 8,
    "f8E8M0FNU": 8,
    "bf16": 16,
    "f16": 16,
    "tf32": 19,
    "f32": 32,
    "f64": 64,
    "f80": 80,
    "f128": 128,
}
"""Every builtin float type with its width in bits."""


class FloatType(_Named):
    """A floating point type, by name (``f32``, ``bf16``, ``f8E4M3FN``, …)."""

    __slots__ = ()

    def __new__(cls, name: str) -> FloatType:
        return cls._table[name,]

    def _begin(self) -> None:
        if self.name not in FLOAT_WIDTHS:
            raise ValueError(f"unknown float type {self.name!r}")

    @property
    def width(self) -> int:
        return FLOAT_WIDTHS[self.name]


class ComplexType(Type):
    """``complex<element>``."""

    __slots__ = ("element",)
    element: Type

    def __new__(cls, element: Type) -> ComplexType:
        return cls._table[element,]

    def _render(self) -> str:
        return f"complex<{self.element}>"


class ShapedType(Type):
    """Base of the types that have (or could have) a shape: tensors, vectors, memrefs."""

    __slots__ = ()
    element: Type

    @property
    def has_static_shape(self) -> bool:
        return False


class TensorType(ShapedType):
    """A ranked tensor: ``shape`` (``DYNAMIC`` for ``?``), element type and optional encoding."""

    __slots__ = ("element", "encoding", "rank", "shape")
    shape: tuple[int, ...]
    element: Type
    encoding: Attribute | None
    rank: int

    def __new__(cls, shape: Iterable[int], element: Type, encoding: Attribute | None = None) -> TensorType:
        return cls._table[tuple(map(int, shape)), element, encoding]

    def _begin(self) -> None:
        self.rank = len(self.shape)

    @property
    def has_static_shape(self) -> bool:
        return DYNAMIC not in self.shape

    @property
    def num_elements(self) -> int:
        """Product of the dimensions; only for static shapes."""
        count = 1
        for size in self.shape:
            count *= size
        return count

    def with_shape(self, shape: Iterable[int]) -> TensorType:
        return TensorType(shape, self.element, self.encoding)

    def children(self) -> Iterable[Attribute]:
        return (self.element,) if self.encoding is None else (self.element, self.encoding)

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        encoding = f", {text(self.encoding)}" if self.encoding else ""
        return f"tensor<{shape_text(self.shape)}{text(self.element)}{encoding}>"


def shape_text(shape: Iterable[int]) -> str:
    """``4x?x`` for the shape (4, DYNAMIC)."""
    return "".join("?x" if size == DYNAMIC else f"{size}x" for size in shape)


class UnrankedTensorType(ShapedType):
    """``tensor<*xelement>``."""

    __slots__ = ("element",)

    def __new__(cls, element: Type) -> UnrankedTensorType:
        return cls._table[element,]

    def _render(self) -> str:
        return f"tensor<*x{self.element}>"


class OtherShapedType(ShapedType):
    """A vector or memref, which StableHLO programs hardly have: ``head`` is the text in front of the element type,
    ``extras`` what follows it, a memref's layout and memory space."""

    __slots__ = ("element", "extras", "head", "shape")
    head: str
    shape: tuple[int, ...]
    element: Type
    extras: tuple[Attribute, ...]

    def __new__(
        cls, head: str, shape: Iterable[int], element: Type, extras: Iterable[Attribute] = ()
    ) -> OtherShapedType:
        return cls._table[head, tuple(shape), element, tuple(extras)]

    @property
    def has_static_shape(self) -> bool:
        return DYNAMIC not in self.shape

    def children(self) -> Iterable[Attribute]:
        return (self.element, *self.extras)

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        extras = "".join(f", {text(extra).removesuffix(' : i64')}" for extra in self.extras)
        return f"{self.head}{text(self.element)}{extras}>"


class TupleType(Type):
    """``tuple<a, b>``."""

    __slots__ = ("elements",)
    elements: tuple[Type, ...]

    def __new__(cls, elements: Iterable[Type]) -> TupleType:
        return cls._table[tuple(elements),]

    def children(self) -> Iterable[Attribute]:
        return self.elements

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        return "tuple<" + ", ".join(map(text, self.elements)) + ">"


class FunctionType(Type):
    """``(inputs) -> results``."""

    __slots__ = ("inputs", "results")
    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def __new__(cls, inputs: Iterable[Type], results: Iterable[Type]) -> FunctionType:
        return cls._table[tuple(inputs), tuple(results)]

    def children(self) -> Iterable[Attribute]:
        return (*self.inputs, *self.results)

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        return function_type_text(self.inputs, self.results, text)


def function_type_text(inputs: Iterable[Type], results: Iterable[Type], text: Callable[[Attribute], str] = str) -> str:
    """``(a, b) -> c``: one result stands bare unless it is a function type itself."""
    outs = tuple(results)
    written = "(" + ", ".join(map(text, inputs)) + ") -> "
    bare = len(outs) == 1 and not isinstance(outs[0], FunctionType)
    return written + (text(outs[0]) if bare else "(" + ", ".join(map(text, outs)) + ")")


class DialectType(Type):
    """A dialect's type kept as its text, ``!stablehlo.token`` for example; ``body`` is the whole text."""

    __slots__ = ("body",)
    body: str

    def __new__(cls, body: str) -> DialectType:
        return cls._table[body,]

    def _render(self) -> str:
        return self.body


I1 = IntegerType(1)
I8 = IntegerType(8)
I32 = IntegerType(32)
I64 = IntegerType(64)
F32 = FloatType("f32")
F64 = FloatType("f64")


def element_width(element: Type) -> int:
    """Bits of one element (index counts as 64, complex as both parts, a quantized one as its integer, tokens and the
    like as 0)."""
    if isinstance(element, IntegerType | FloatType):
        return element.width
    if isinstance(element, ComplexType):
        return 2 * element_width(element.element)
    if isinstance(element, DialectType):
        stored = re.match(_QUANTIZED, element.body)
        return int(stored[1]) if stored is not None else 0
    return 64 if isinstance(element, IndexType) else 0


def tensor_shape(type: Type) -> tuple[int, ...]:
    """The sizes of the dimensions of a ranked tensor; () for other types."""
    return type.shape if isinstance(type, TensorType) else ()


def static_shape(type: Type) -> tuple[int, ...]:
    """The sizes of the dimensions of a ranked tensor with static shape; () for other types."""
    return type.shape if isinstance(type, TensorType) and type.has_static_shape else ()


def shape_in_memory(type: Type) -> tuple[int, ...]:
    """The sizes of the dimensions of a ranked tensor, vector or memref; () for other types."""
    return type.shape if isinstance(type, TensorType | OtherShapedType) else ()


def element_count(type: Type) -> int:
    """The number of elements of a tensor, vector or memref with static shape; 0 for other types."""
    if not isinstance(type, TensorType | OtherShapedType) or not type.has_static_shape:
        return 0
    return prod(type.shape)


def size_in_bytes(type: TensorType) -> int:
    """Bytes of a tensor of this type, elements packed; 0 if a size is dynamic."""
    return -(-type.num_elements * element_width(type.element) // 8) if type.has_static_shape else 0


_QUANTIZED = r"!quant\.\w+<[usi]+(\d+)"
_QUANTIZED_BY_AXIS = r"!quant\.\w+<\w+(?:<[^<>]*>)?:\w+:(\d+),"


def quantized_axis(type: Type) -> int | None:
    """The dimension of a tensor along which each place has a scale of its own (``!quant.uniform<i8:f32:1, {…}>``); None
    if there is none."""
    if not isinstance(type, TensorType) or not isinstance(type.element, DialectType):
        return None
    found = re.match(_QUANTIZED_BY_AXIS, type.element.body)
    return None if found is None else int(found[1])
