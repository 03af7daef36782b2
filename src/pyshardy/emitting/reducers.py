"""Reductions: which operation combines two elements, its neutral element, and operations and regions made of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pyshardy.emitting.builder import Builder, Properties, i64_array, tensor_type
from pyshardy.emitting.known_sizes import constant_elements
from pyshardy.ir import rewriting
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.floats import bits_of_float
from pyshardy.ir.operation import Block, Region, Signature, Value
from pyshardy.ir.types import ComplexType, FloatType, IntegerType, TensorType, Type
from pyshardy.rules.reducers import KINDS, combiner

OPERATIONS = {kind: operation for operation, kind in KINDS.items()}
"""Reduction → the operation that combines two elements."""

_WITHOUT_INFINITY = ("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E4M3FN", "f8E4M3B11FNUZ", "f8E4M3FNUZ", "f8E5M2FNUZ")
_LARGEST = {"f4E2M1FN": 6.0, "f6E2M3FN": 7.5, "f6E3M2FN": 28.0, "f8E4M3FN": 448.0, "f8E4M3B11FNUZ": 30.0}
_LARGEST |= {"f8E4M3FNUZ": 240.0, "f8E5M2FNUZ": 57344.0}


def neutral_bits(kind: str, element: Type) -> int | None:
    """The neutral element of reduction ``kind``, as an integer or as the bits of a float; None if there is none (a
    maximum of complex numbers)."""
    if isinstance(element, ComplexType):
        return neutral_bits(kind, element.element) if kind in ("sum", "product") else None
    if isinstance(element, FloatType):
        return _neutral_float(kind, element)
    if not isinstance(element, IntegerType):
        return None
    width = element.width
    signed = element.signedness != "u" and width > 1
    lowest, highest = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    values = {"sum": 0, "or": 0, "xor": 0, "product": 1, "and": (1 << width) - 1, "max": lowest, "min": highest}
    return values.get(kind)


def _neutral_float(kind: str, element: FloatType) -> int | None:
    if kind not in ("sum", "product", "max", "min") or element.name == "f8E8M0FNU":
        return None
    # Minus zero is the exact neutral element of addition, but a sum of no elements has to be plus zero.
    value = {"sum": 0.0, "product": 1.0}.get(kind)
    if value is None:
        value = _LARGEST[element.name] if element.name in _WITHOUT_INFINITY else float("inf")
        value = -value if kind == "max" else value
    return bits_of_float(value, element.name)


def neutral_elements(kind: str, type: TensorType) -> DenseElementsAttr | None:
    """A constant of ``type`` with the neutral element everywhere; None if there is none."""
    bits = neutral_bits(kind, type.element)
    if bits is None:
        return None
    return DenseElementsAttr.of(type, [bits, 0] if isinstance(type.element, ComplexType) else [bits])


def reduction_kind(region: Region, count: int = 1) -> str | None:
    """The reduction that a body with 2·``count`` arguments computes for all ``count`` results; None if they differ, or
    are no known reductions."""
    kinds = {reduction_of_result(region, index, count) for index in range(count)}
    return kinds.pop() if len(kinds) == 1 else None


def reduction_of_result(region: Region, index: int, count: int) -> str | None:
    """The reduction by which a body with 2·``count`` arguments computes result ``index`` from arguments ``index`` and
    ``index`` + ``count`` alone; None if it computes anything else."""
    made = combiner(region, index, count)
    return KINDS.get(made.name) if made is not None else None


def combines_in_collectives(kind: str, element: Type) -> bool:
    """Whether backends implement the reduction in collectives: XLA's implement ``and`` and ``or`` of booleans only, and
    no ``xor``."""
    if kind in ("and", "or"):
        return isinstance(element, IntegerType) and element.width == 1
    return kind != "xor"


def reduction_region(kind: str, element: Type) -> Region:
    """The body of a collective that combines two scalars of type ``element``."""
    return rewriting.copied_region(_first_reduction_region(kind, element))


@cache
def _first_reduction_region(kind: str, element: Type) -> Region:
    """The region that all others are copies of, so that their operations are verified and printed once."""
    scalar = TensorType((), element)
    block = Block([scalar, scalar])
    combined = rewriting.create(OPERATIONS[kind], block.arguments, [scalar])
    for op in (combined, rewriting.create("stablehlo.return", combined.results)):
        op.signature = Signature()
        op.signature.properties, op.signature.attributes = op.properties, op.attributes
        rewriting.append(block, op)
    return Region([block])


def reduced(builder: Builder, value: Value, initial: Value, dims: Sequence[int], kind: str) -> Value:
    """``value`` reduced along ``dims`` by reduction ``kind``, starting from the scalar ``initial``."""
    type = tensor_type(value)
    left = type.with_shape([size for dim, size in enumerate(type.shape) if dim not in dims])
    region = reduction_region(kind, type.element)
    properties: Properties = {"dimensions": i64_array(dims)}
    return builder.create("stablehlo.reduce", (value, initial), (left,), properties, regions=(region,)).results[0]


def is_neutral(value: Value, neutral: DenseElementsAttr) -> bool:
    """Whether the global ``value`` is a constant that is the neutral element; for a sum both zeros are."""
    found = constant_elements(value)
    if found is None or not found.is_splat:
        return False
    return found.data == neutral.data or (found.splat_value == 0 and neutral.splat_value == 0)
