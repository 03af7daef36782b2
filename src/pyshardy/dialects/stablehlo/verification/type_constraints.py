"""What the type of an operand or result may be, as predicates with the words that MLIR has for them.

``rules`` tests the operands and results of an operation by these; the tables of the families name them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pyshardy.dialects.stablehlo.attributes import Bounds
from pyshardy.dialects.stablehlo.future_type import FutureType
from pyshardy.ir.types import (
    DYNAMIC,
    FLOAT_WIDTHS,
    ComplexType,
    DialectType,
    FloatType,
    IndexType,
    IntegerType,
    OtherShapedType,
    ShapedType,
    TensorType,
    TupleType,
    Type,
)


class TypeConstraint:
    """``accepts(type)`` says whether the type is one of those that ``summary`` describes; it remembers the answer."""

    __slots__ = ("_known", "_test", "summary")

    def __init__(self, summary: str, test: Callable[[Type], bool]) -> None:
        self.summary = summary
        self._test = test
        self._known: dict[Type, bool] = {}

    def accepts(self, type: Type) -> bool:
        known = self._known.get(type)
        if known is None:
            known = self._known[type] = self._test(type)
        return known

    def __or__(self, other: TypeConstraint) -> TypeConstraint:
        return TypeConstraint(
            f"{self.summary} or {other.summary}", lambda type: self.accepts(type) or other.accepts(type)
        )


# --- element types ----------------------------------------------------------------------------------------------------

_FLOATS = frozenset(FLOAT_WIDTHS) - {"tf32", "f80", "f128"}
_WIDTHS = frozenset((2, 4, 8, 16, 32, 64))


def _is_float(type: Type) -> bool:
    return isinstance(type, FloatType) and type.name in _FLOATS


def _is_wide_float(type: Type) -> bool:
    return isinstance(type, FloatType) and type.name in ("f32", "f64")


def _is_integer(type: Type) -> bool:
    return isinstance(type, IntegerType) and type.width in _WIDTHS and type.signedness in ("", "u")


def _is_signless(type: Type) -> bool:
    return isinstance(type, IntegerType) and type.width in _WIDTHS and not type.signedness


def is_boolean(type: Type) -> bool:
    """Whether ``type`` is ``i1``."""
    return isinstance(type, IntegerType) and type.width == 1 and not type.signedness


def is_quantized(type: Type) -> bool:
    """Whether ``type`` is one of the dialect ``quant``, which is kept as text."""
    return isinstance(type, DialectType) and type.body.startswith("!quant.")


def _is_complex(type: Type) -> bool:
    return isinstance(type, ComplexType) and _is_wide_float(type.element)


class Elements(NamedTuple):
    """A set of element types."""

    summary: str
    accepts: Callable[[Type], bool]


FLOAT = Elements("4/6/8/16/32/64-bit float", _is_float)
WIDE_FLOAT = Elements("32/64-bit float", _is_wide_float)
BOOL = Elements("bool", is_boolean)
INTEGER = Elements("2/4/8/16/32/64-bit integer", _is_integer)
SIGNLESS = Elements("2/4/8/16/32/64-bit signless integer", _is_signless)
COMPLEX = Elements("complex type with 32/64-bit float elements", _is_complex)
_STORED = r"!quant\.uniform<(\w+)(?:<[^>]*>)?:(\w+)(?::(\d+))?,"


def add_up(elements: Sequence[Type | None]) -> bool:
    """Whether values of two quantized types may be added to the last of ``elements``: what they are stored as and what
    they stand for is the same, and the sum has a scale for each place along an axis if an operand has."""
    found = [re.match(_STORED, one.body) for one in elements if isinstance(one, DialectType)]
    kinds = [match.groups() for match in found if match is not None]
    if len(kinds) != len(elements):
        return False
    *operands, result = kinds
    alike = len({(stored, stands_for) for stored, stands_for, _ in kinds}) == 1
    return alike and {axis for *_, axis in operands if axis is not None} == ({result[2]} - {None})


QUANTIZED = Elements("per-tensor integer quantized", is_quantized)
QUANTIZED_BY_AXIS = Elements("per-axis integer quantized", is_quantized)
INDEX = Elements("index", lambda type: isinstance(type, IndexType))
ANY_INTEGER = Elements("integer", lambda type: isinstance(type, IntegerType))
INT32 = Elements("32-bit signless integer", lambda type: isinstance(type, IntegerType) and str(type) == "i32")
UINT32 = Elements("32-bit unsigned integer", lambda type: isinstance(type, IntegerType) and str(type) == "ui32")

_ALL = (FLOAT, BOOL, INTEGER, COMPLEX, QUANTIZED)

# --- tensors ----------------------------------------------------------------------------------------------------------


def _tensor(kind: str, shape: Callable[[TensorType], bool], elements: tuple[Elements, ...]) -> TypeConstraint:
    def test(type: Type) -> bool:
        return isinstance(type, TensorType) and shape(type) and any(one.accepts(type.element) for one in elements)

    return TypeConstraint(f"{kind} of {' or '.join(one.summary for one in elements)} values", test)


def ranked(*elements: Elements) -> TypeConstraint:
    """A tensor of any rank."""
    return _tensor("ranked tensor", lambda _: True, elements)


def rank_0(*elements: Elements) -> TypeConstraint:
    """A tensor of rank 0."""
    return _tensor("0D tensor", lambda type: type.rank == 0, elements)


def rank_1(*elements: Elements) -> TypeConstraint:
    """A tensor of rank 1."""
    return _tensor("1D tensor", lambda type: type.rank == 1, elements)


def static(*elements: Elements) -> TypeConstraint:
    """A tensor without dynamic dimensions."""
    return _tensor("statically shaped tensor", lambda type: type.has_static_shape, elements)


def static_of_rank(rank: int, words: str, *elements: Elements) -> TypeConstraint:
    """A tensor of that rank without dynamic dimensions; ``words`` stand before "tensor"."""
    return _tensor(
        f"statically shaped {rank}-dimensional {words}tensor",
        lambda type: type.rank == rank and type.has_static_shape,
        elements,
    )


def _is_static_or_bounded(type: TensorType) -> bool:
    dynamic = [index for index, size in enumerate(type.shape) if size == DYNAMIC]
    if not dynamic:
        return True
    bounds = type.encoding.bounds if isinstance(type.encoding, Bounds) else ()
    return len(dynamic) == 1 and len(bounds) > dynamic[0] and bounds[dynamic[0]] is not None


def _has_elements(type: Type) -> bool:
    return isinstance(type, ShapedType) and any(one.accepts(type.element) for one in (*_ALL, QUANTIZED_BY_AXIS))


ALL_NAMES = " or ".join(one.summary for one in _ALL)
TENSOR = ranked(*_ALL)
TENSOR_OR_BY_AXIS = ranked(*_ALL, QUANTIZED_BY_AXIS)
STATIC_OR_BOUNDED = _tensor(
    "statically shaped or single bounded dimension tensor", _is_static_or_bounded, (*_ALL, QUANTIZED_BY_AXIS)
)
SCALAR = rank_0(*_ALL)
FLOATS = ranked(FLOAT, QUANTIZED)
FLOAT_VECTOR = rank_1(FLOAT, QUANTIZED)
FLOATS_OR_COMPLEX = ranked(FLOAT, COMPLEX, QUANTIZED)
PLAIN_FLOATS_OR_COMPLEX = ranked(FLOAT, COMPLEX)
INTEGERS = ranked(INTEGER)
INTEGERS_OR_BOOLS = ranked(BOOL, INTEGER)
NUMBERS = ranked(INTEGER, FLOAT, COMPLEX, QUANTIZED)
SIGNED_NUMBERS = ranked(SIGNLESS, FLOAT, COMPLEX, QUANTIZED)
BOOLS = ranked(BOOL)
INT32_TENSOR = ranked(INT32)
SHAPE_VECTOR = static_of_rank(1, "", INDEX, INTEGER)
INDEX_VECTOR = rank_1(INDEX, INTEGER)
START_INDEX = rank_0(INTEGER)

# --- what is no tensor, and unions ------------------------------------------------------------------------------------

TOKEN = TypeConstraint("token", lambda type: isinstance(type, DialectType) and type.body == "!stablehlo.token")
FUTURE = TypeConstraint("future", lambda type: isinstance(type, FutureType))
_MEMREF = TypeConstraint(
    f"memref of {ALL_NAMES} values",
    lambda type: isinstance(type, OtherShapedType) and type.head.startswith("memref") and _has_elements(type),
)
_BY_AXIS = ranked(QUANTIZED_BY_AXIS)


def nested_tuple(leaf: TypeConstraint) -> TypeConstraint:
    """A tuple of ``leaf`` types and of such tuples."""

    def test(type: Type) -> bool:
        return isinstance(type, TupleType) and all(leaf.accepts(one) or test(one) for one in type.elements)

    return TypeConstraint(f"nested tuple with any combination of {leaf.summary} values", test)


TENSOR_OR_TOKEN = TENSOR | TOKEN
BRANCH_RESULT = TENSOR | _BY_AXIS | TOKEN
LOOP_VALUE = TENSOR | _BY_AXIS | TOKEN | _MEMREF
TUPLE = nested_tuple(TENSOR | _MEMREF | _BY_AXIS | TOKEN)
COMPOSITE_VALUE = TENSOR | _BY_AXIS | TOKEN | TUPLE
TUPLE_ELEMENT = TENSOR | _BY_AXIS | TOKEN | TUPLE | _MEMREF
STATIC_OR_TOKEN = static(*_ALL) | static(*_ALL, QUANTIZED_BY_AXIS) | TOKEN


def any_rank(*elements: Elements) -> TypeConstraint:
    """A tensor of any rank, or of unknown rank."""

    def test(type: Type) -> bool:
        if not isinstance(type, ShapedType) or isinstance(type, OtherShapedType):
            return False
        return any(one.accepts(type.element) for one in elements)

    return TypeConstraint(f"tensor of {' or '.join(one.summary for one in elements)} values", test)


ANY_TENSOR = any_rank(*_ALL, QUANTIZED_BY_AXIS)
CALL_VALUE = ANY_TENSOR | _MEMREF | TOKEN | nested_tuple(ANY_TENSOR | _MEMREF | TOKEN) | FUTURE
