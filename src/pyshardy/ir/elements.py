"""Elements attributes: constant tensors as raw bytes, lists of strings, references to resources, sparse tensors.

A payload is kept as the bytes that MLIR keeps (little endian, row by row, every element in whole bytes) and converted
to text or numbers on request. Constants, replica groups and paddings of the dialects are elements attributes.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator

from pyshardy.ir.attribute import Attribute, key_text, quoted
from pyshardy.ir.floats import bits_of_float, float_text, float_value
from pyshardy.ir.types import (
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    OtherShapedType,
    TensorType,
    Type,
    element_count,
    element_width,
)

Number = int | float | complex
StaticShaped = TensorType | OtherShapedType
"""The types of elements attributes: tensors, and vectors and memrefs."""

LARGEST_LIST = 100
"""Payloads with more elements are printed in hexadecimal."""
INTERNED_ELEMENTS = 64
"""Payloads with more elements are not interned; they compare by their bytes."""

_DIGITS_AT_ONCE = 4000
_ARRAY_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


def part_size(element: Type) -> int:
    """The bytes of one number: an element, or one part of a complex one."""
    return max(1, (element_width(number_type(element)) + 7) // 8)


def number_type(element: Type) -> Type:
    """The type of the numbers that an element consists of: that of the parts of a complex one, else its own."""
    return element.element if isinstance(element, ComplexType) else element


class DenseElementsAttr(Attribute):
    """``dense<…>``: the elements of a constant of numbers.

    ``data`` holds the bytes of all elements, or of one if ``is_splat``: elements that are all the same always become a
    splat. Small payloads and splats are interned, large ones are compared by their bytes.
    """

    __slots__ = ("data", "type")
    type: StaticShaped
    data: bytes

    def __new__(cls, type: StaticShaped, data: bytes) -> DenseElementsAttr:
        """``data`` has the bytes of one element or of all.

        Raises:
            ValueError: it has another length.
        """
        size = part_size(type.element) * (2 if isinstance(type.element, ComplexType) else 1)
        if len(data) != size and len(data) != size * element_count(type):
            raise ValueError(f"{len(data)} bytes are not the elements of {type}")
        if len(data) > size and data[:size] == data[-size:] and data[:-size] == data[size:]:
            data = data[:size]
        if len(data) <= size * INTERNED_ELEMENTS:
            return cls._table[type, data]
        self = object.__new__(cls)
        self.type, self.data = type, data
        return self

    @classmethod
    def of(cls, type: StaticShaped, values: Iterable[int]) -> DenseElementsAttr:
        """Elements from integers (bit patterns for floats; both parts of each complex number in turn): one for a splat,
        else all. Negative ones are stored in two's complement."""
        return cls(type, pack(number_type(type.element), list(values)))

    @classmethod
    def splat_of(cls, type: StaticShaped, value: int | float) -> DenseElementsAttr:
        """All elements equal to ``value``, rounded to the element type if that is a float type."""
        element = number_type(type.element)
        bits = bits_of_float(float(value), element.name) if isinstance(element, FloatType) else int(value)
        return cls.of(type, [bits, 0] if isinstance(type.element, ComplexType) else [bits])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, DenseElementsAttr) and self.type is other.type and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    @property
    def num_elements(self) -> int:
        return element_count(self.type)

    @property
    def element_size(self) -> int:
        """Bytes of one element."""
        return part_size(self.type.element) * (2 if isinstance(self.type.element, ComplexType) else 1)

    @property
    def is_splat(self) -> bool:
        """Whether all elements are the same (and ``data`` holds just one)."""
        return len(self.data) == self.element_size

    @property
    def splat_value(self) -> Number | None:
        """The value of all elements, or None if they differ."""
        return next(self._stored()) if self.is_splat else None

    def integers(self) -> list[int]:
        """All elements of an integer, boolean or index type, row by row; signless integers count as signed, booleans
        are 0 or 1.

        Raises:
            TypeError: the elements are not integers.
        """
        if not isinstance(self.type.element, IntegerType | IndexType):
            raise TypeError(f"{self.type} has no integer elements")
        stored = unpack(self.type.element, self.data)
        return stored * self.num_elements if self.is_splat else stored

    def numbers(self) -> list[Number]:
        """All elements, row by row: integers as in ``integers``, floats and complex numbers."""
        stored = list(self._stored())
        return stored * self.num_elements if self.is_splat else stored

    def _stored(self) -> Iterator[Number]:
        element = number_type(self.type.element)
        stored: Iterable[int | float] = unpack(element, self.data)
        if isinstance(element, FloatType):
            stored = [float_value(int(bits), element.name) for bits in stored]
        if isinstance(self.type.element, ComplexType):
            parts = iter(stored)
            return (complex(real, imaginary) for real, imaginary in zip(parts, parts, strict=True))
        return iter(stored)

    def __str__(self) -> str:
        # The text of a large payload is made anew each time: kept, it would hold the payload twice over.
        return self._render() if len(self.data) > LARGEST_LIST * self.element_size else super().__str__()

    def children(self) -> Iterable[Attribute]:
        return (self.type,)

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        return f"dense<{self.literal()}> : {text(self.type)}"

    def literal(self, *, hexadecimal: bool = True, listed: bool = False) -> str:
        """The text between the brackets; ``hexadecimal`` allows that form for many elements, ``listed`` writes out a
        splat."""
        if not self.data:
            return ""
        if self.is_splat and not listed:
            return self.element_texts()[0]
        if hexadecimal and self.num_elements > LARGEST_LIST:
            return f'"0x{self.data.hex().upper()}"'
        texts = self.element_texts()
        return _nested(texts * self.num_elements if self.is_splat else texts, self.type.shape)

    def element_texts(self) -> list[str]:
        """The text of each element, of one if they are all the same."""
        element = number_type(self.type.element)
        numbers = unpack(element, self.data)
        if isinstance(element, FloatType):
            texts = [float_text(bits, element.name) for bits in numbers]
        elif isinstance(element, IntegerType) and element.width == 1:
            texts = ["true" if value else "false" for value in numbers]
        else:
            texts = list(map(_decimal, numbers))
        if isinstance(self.type.element, ComplexType):
            return [f"({texts[index]},{texts[index + 1]})" for index in range(0, len(texts), 2)]
        return texts


class StringElementsAttr(Attribute):
    """``dense<["a", "b"]>``: elements of a type that only its dialect understands, each given as a string."""

    __slots__ = ("strings", "type")
    type: StaticShaped
    strings: tuple[str, ...]

    def __new__(cls, type: StaticShaped, strings: Iterable[str]) -> StringElementsAttr:
        """``strings`` are all elements, or one for all."""
        listed = tuple(strings)
        if len(set(listed)) == 1:
            listed = listed[:1]
        return cls._table[type, listed]

    @property
    def is_splat(self) -> bool:
        """Whether all elements are the same (and ``strings`` holds just one)."""
        return len(self.strings) == 1

    def children(self) -> Iterable[Attribute]:
        return (self.type,)

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        return f"dense<{self.literal()}> : {text(self.type)}"

    def literal(self) -> str:
        """The text between the brackets."""
        texts = [quoted(string) for string in self.strings]
        return texts[0] if len(texts) == 1 else _nested(texts, self.type.shape) if texts else ""


class DenseResourceAttr(Attribute):
    """``dense_resource<key>``: elements that stand in the metadata at the end of the file."""

    __slots__ = ("key", "type")
    key: str
    type: Type

    def __new__(cls, key: str, type: Type) -> DenseResourceAttr:
        return cls._table[key, type]

    def children(self) -> Iterable[Attribute]:
        return (self.type,)

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        return f"dense_resource<{key_text(self.key)}> : {text(self.type)}"


class SparseElementsAttr(Attribute):
    """``sparse<indices, values>``: a few elements by their index, all others zero."""

    __slots__ = ("indices", "type", "values")
    type: StaticShaped
    indices: DenseElementsAttr
    values: DenseElementsAttr | StringElementsAttr

    def __new__(
        cls, type: StaticShaped, indices: DenseElementsAttr, values: DenseElementsAttr | StringElementsAttr
    ) -> SparseElementsAttr:
        return cls._table[type, indices, values]

    def children(self) -> Iterable[Attribute]:
        return (self.type,)

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        listed = ""
        if self.indices.data:
            listed = f"{self.indices.literal(hexadecimal=False)}, {self.values.literal()}"
        return f"sparse<{listed}> : {text(self.type)}"


def hex_bytes(literal: str) -> bytes | None:
    """The bytes that the string literal ``"0x…"`` (with its quotes) spells, or None if it is no such thing."""
    if literal[:3] != '"0x':
        return None
    try:
        data = bytes.fromhex(literal[3:-1])
    except ValueError:
        return None
    # Python skips spaces between the digits; they are none of ours.
    return data if 2 * len(data) == len(literal) - 4 else None


def pack(element: Type, values: list[int]) -> bytes:
    """The bytes of integers (or bit patterns) of type ``element``, each in whole bytes."""
    size = part_size(element)
    if values and min(values) < 0:
        mask = (1 << element_width(element)) - 1
        values = [value & mask for value in values]
    code = _ARRAY_CODES.get(size)
    if code is None:
        return b"".join(value.to_bytes(size, "little") for value in values)
    return little_endian(array(code, values))


def little_endian(numbers: array[int] | array[float]) -> bytes:
    """The bytes of ``numbers`` in the order of payloads, whatever the machine's is."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def unpack(element: Type, data: bytes) -> list[int]:
    """The integers of a payload: signed for signless and signed types, bit patterns for floats, 0 or 1 for booleans."""
    size = part_size(element)
    code = _ARRAY_CODES.get(size)
    if code is None:
        values = [int.from_bytes(data[place : place + size], "little") for place in range(0, len(data), size)]
    else:
        numbers: array[int] = array(code, data)
        if sys.byteorder == "big":
            numbers.byteswap()
        values = numbers.tolist()
    if isinstance(element, FloatType):
        width = element.width
        return values if width == 8 * size else [value & ((1 << width) - 1) for value in values]
    width = element_width(element)
    signedness = element.signedness if isinstance(element, IntegerType) else ""
    if width == 1:
        return [int(value != 0) for value in values]
    mask = (1 << width) - 1
    if signedness == "u":
        return values
    sign = (1 << width) >> 1
    return [((value & mask) ^ sign) - sign for value in values]


def _decimal(value: int) -> str:
    """The digits of ``value``, however many: Python prints some thousand at once."""
    pieces = []
    rest = abs(value)
    while rest.bit_length() > 3 * _DIGITS_AT_ONCE:
        rest, low = divmod(rest, 10**_DIGITS_AT_ONCE)
        pieces.append(f"{low:0{_DIGITS_AT_ONCE}d}")
    pieces.append(f"{-rest if value < 0 else rest}")
    return "".join(reversed(pieces))


def _nested(texts: list[str], shape: tuple[int, ...]) -> str:
    """``[[a, b], [c, d]]`` for four texts and the shape (2, 2)."""
    for size in reversed(shape):
        texts = [f"[{', '.join(texts[place : place + size])}]" for place in range(0, len(texts), size)]
    return texts[0]
