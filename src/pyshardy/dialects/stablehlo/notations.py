"""The notations of properties that only StableHLO has, in pretty forms.

``NOTATIONS`` are for one property, ``PARTS`` for several together; ``stablehlo.operations`` names them in its rows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import Notation, PropertyGroup, read_integers
from pyshardy.dialects.enumerations import Enumeration
from pyshardy.dialects.stablehlo import attributes as stablehlo
from pyshardy.dialects.stablehlo.attribute_text import read_dot_algorithm
from pyshardy.dialects.structures import field_text
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, DenseArrayAttr, EnumAttr, IntegerAttr
from pyshardy.ir.types import I32, I64

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser


def _write_case(value: Attribute) -> str:
    return value.case if isinstance(value, EnumAttr) else str(value)


def _enumeration(one: Enumeration) -> Notation:
    return Notation(one.read, _write_case)


def _read_precisions(parser: Parser) -> ArrayAttr:
    return ArrayAttr(parser.comma_list("[", "]", lambda: stablehlo.PRECISION.read_case(parser)))


def _write_precisions(value: Attribute) -> str:
    return "[" + ", ".join(map(_write_case, value)) + "]" if isinstance(value, ArrayAttr) else str(value)


NOTATIONS = {
    "comparison_direction": _enumeration(stablehlo.COMPARISON_DIRECTION),
    "comparison_type": _enumeration(stablehlo.COMPARISON_TYPE),
    "fft_type": _enumeration(stablehlo.FFT_TYPE),
    "precisions": Notation(_read_precisions, _write_precisions),
    "rng_algorithm": _enumeration(stablehlo.RNG_ALGORITHM),
    "rng_distribution": _enumeration(stablehlo.RNG_DISTRIBUTION),
}


# --- slice: [start:limit:stride, …], the stride only if it is not 1 ---------------------------------------------------


def _read_ranges(parser: Parser, state: OperationState) -> None:
    ranges: list[tuple[int, int, int]] = []
    parser.expect("[")
    if not parser.accept("]"):
        ranges.append(_read_range(parser))
        while parser.accept(","):
            ranges.append(_read_range(parser))
        parser.expect("]")
    for index, name in enumerate(_RANGE_PROPERTIES):
        state.properties[name] = DenseArrayAttr(I64, [one[index] for one in ranges])


def _read_range(parser: Parser) -> tuple[int, int, int]:
    start = parser.integer()
    parser.expect(":")
    limit = parser.integer()
    return start, limit, parser.integer() if parser.accept(":") else 1


def _write_ranges(op: Operation) -> str:
    columns = [
        value.values for name in _RANGE_PROPERTIES if isinstance(value := op.properties.get(name), DenseArrayAttr)
    ]
    rows = zip(*columns, strict=False)
    return "[" + ", ".join(":".join(map(str, row[:2] if row[2:] == (1,) else row)) for row in rows) + "]"


_RANGE_PROPERTIES = ("start_indices", "limit_indices", "strides")


# --- reduce_precision: e5m10 ------------------------------------------------------------------------------------------


def _read_format(parser: Parser, state: OperationState) -> None:
    offset = parser.start
    written = parser.keyword()
    match = re.fullmatch(r"e(\d+)m(\d+)", written)
    if match is None:
        parser.error(f"expected exponent mantissa in format e#m#, saw {written}", at=offset)
    for name, digits in zip(("exponent", "mantissa"), match.groups(), strict=True):
        if len(digits) > 10 or int(digits) >= 2**31:
            parser.error(f"unable to parse {name} '{digits}'", at=offset)
        state.properties[f"{name}_bits"] = IntegerAttr(int(digits), I32)


def _write_format(op: Operation) -> str:
    exponent, mantissa = (op.properties.get(name) for name in _FORMAT_PROPERTIES)
    return f"e{_integer_text(exponent)}m{_integer_text(mantissa)}"


def _integer_text(value: Attribute | None) -> str:
    return str(value.value) if isinstance(value, IntegerAttr) else str(value)


_FORMAT_PROPERTIES = ("exponent_bits", "mantissa_bits")


# --- dot_general: the dimensions, then precision and algorithm --------------------------------------------------------


def _read_dot_dimensions(parser: Parser, state: OperationState) -> None:
    batching: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    if parser.accept_keyword("batching_dims"):
        batching = _read_pair(parser)
        parser.expect(",")
    parser.expect_keyword("contracting_dims")
    contracting = _read_pair(parser)
    state.properties["dot_dimension_numbers"] = stablehlo.DotDimensionNumbers(*batching, *contracting)


def _read_pair(parser: Parser) -> tuple[tuple[int, ...], tuple[int, ...]]:
    parser.expect("=")
    lhs = read_integers(parser).values
    parser.expect_keyword("x")
    return lhs, read_integers(parser).values


def _write_dot_dimensions(op: Operation) -> str:
    numbers = op.properties.get("dot_dimension_numbers")
    if not isinstance(numbers, stablehlo.DotDimensionNumbers):
        return str(numbers)
    lists = field_text
    contracting = f"contracting_dims = {lists(numbers.lhs_contracting)} x {lists(numbers.rhs_contracting)}"
    if not numbers.lhs_batching and not numbers.rhs_batching:
        return contracting
    return f"batching_dims = {lists(numbers.lhs_batching)} x {lists(numbers.rhs_batching)}, {contracting}"


def _read_precision_and_algorithm(parser: Parser, state: OperationState) -> None:
    if not parser.accept(","):
        return
    if not parser.accept_keyword("algorithm"):
        parser.expect_keyword("precision")
        parser.expect("=")
        state.properties["precision_config"] = _read_precisions(parser)
        if not parser.accept(","):
            return
        parser.expect_keyword("algorithm")
    parser.expect("=")
    state.properties["algorithm"] = read_dot_algorithm(parser)


def _write_precision_and_algorithm(op: Operation) -> str:
    precisions = op.properties.get("precision_config")
    algorithm = op.properties.get("algorithm")
    text = f", precision = {_write_precisions(precisions)}" if precisions is not None else ""
    if isinstance(algorithm, stablehlo.DotAlgorithm):
        text += f", algorithm = {algorithm.body}"
    return text


PARTS = {
    "dot_dimensions": PropertyGroup(("dot_dimension_numbers",), _read_dot_dimensions, _write_dot_dimensions),
    "format": PropertyGroup(_FORMAT_PROPERTIES, _read_format, _write_format),
    "precision_and_algorithm": PropertyGroup(
        ("precision_config", "algorithm"), _read_precision_and_algorithm, _write_precision_and_algorithm
    ),
    "ranges": PropertyGroup(_RANGE_PROPERTIES, _read_ranges, _write_ranges),
}
