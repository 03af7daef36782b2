"""The pretty form of a convolution: its dimensions as letters, and its window as one list of settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import Notation, PropertyGroup, read_integers, write_integers
from pyshardy.dialects.stablehlo.attribute_text import read_convolution_dimensions
from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DenseArrayAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.types import I1, I64, TensorType

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser


def _write_dimensions(value: Attribute) -> str:
    return value.dimensions_text if isinstance(value, ConvDimensionNumbers) else str(value)


def _read_window(parser: Parser, state: OperationState) -> None:
    parser.expect("{")
    missing = dict(_SETTINGS)
    while not parser.at("}"):
        word = parser.keyword()
        setting = missing.pop(word, None)
        if setting is None:
            parser.error(f"Unexpected keyword {word}")
        name, read, _ = setting
        parser.expect("=")
        state.properties[name] = read(parser)
        if not parser.accept(","):
            break
    parser.expect("}")


def _write_window(op: Operation) -> str:
    settings = [
        f"{word} = {write(value)}"
        for word, (name, _, write) in _SETTINGS.items()
        if (value := op.properties.get(name)) is not None
    ]
    return "{" + ", ".join(settings) + "}"


def _read_padding(parser: Parser) -> Attribute:
    rows = parser.comma_list("[", "]", lambda: _read_padding_row(parser))
    return DenseElementsAttr.of(TensorType((len(rows), 2), I64), [size for row in rows for size in row])


def _read_padding_row(parser: Parser) -> list[int]:
    row = parser.integer_list()
    if len(row) != 2:
        parser.error(f"Expected array with 2 elements, got {len(row)} elements instead")
    return row


def _write_padding(value: Attribute) -> str:
    if not isinstance(value, DenseElementsAttr):
        return str(value)
    sizes = value.integers()
    rows = (f"[{low}, {high}]" for low, high in zip(sizes[::2], sizes[1::2], strict=False))
    return "[" + ", ".join(rows) + "]"


def _read_reversal(parser: Parser) -> Attribute:
    def direction() -> bool:
        if parser.kind == "bare" and parser.text in ("true", "false"):
            return parser.advance() == "true"
        return bool(parser.integer())

    return DenseArrayAttr(I1, parser.comma_list("[", "]", direction))


def _write_reversal(value: Attribute) -> str:
    if not isinstance(value, DenseArrayAttr):
        return str(value)
    return "[" + ", ".join("true" if reverse else "false" for reverse in value) + "]"


_SETTINGS: dict[str, tuple[str, Callable[[Parser], Attribute], Callable[[Attribute], str]]] = {
    "stride": ("window_strides", read_integers, write_integers),
    "pad": ("padding", _read_padding, _write_padding),
    "lhs_dilate": ("lhs_dilation", read_integers, write_integers),
    "rhs_dilate": ("rhs_dilation", read_integers, write_integers),
    "reverse": ("window_reversal", _read_reversal, _write_reversal),
}

NOTATIONS = {"convolution_dimensions": Notation(read_convolution_dimensions, _write_dimensions)}
PARTS = {"window": PropertyGroup(tuple(name for name, _, _ in _SETTINGS.values()), _read_window, _write_window)}
