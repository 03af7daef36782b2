"""The floating point operations of one operation, by its shapes.

Each operation that computes has a row in ``_FLOPS``, elementwise ones aside. An addition or a multiplication counts
one, as does a function of one element; moving elements counts nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd, log2, prod
from typing import NamedTuple

from pyshardy.dialects.chlo import RaggedDotDimensionNumbers
from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from pyshardy.ir.opdef import CONSTANT_LIKE, DATA_MOVEMENT, ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import ComplexType, TensorType, Type, element_count, static_shape
from pyshardy.rules.properties import enum_case, integer, integer_elements, integers, string


class Product(NamedTuple):
    """``batch`` products of matrices with ``rows`` and ``inner``, and ``inner`` and ``columns``."""

    batch: int
    rows: int
    inner: int
    columns: int


def flops_of(op: Operation) -> float | None:
    """The floating point operations of ``op``; None if it is not known to compute."""
    counted = _FLOPS.get(op.name, elementwise_flops if op.traits & ELEMENTWISE else None)
    return None if counted is None else counted(op) * _of_complex(op)


def product_of(op: Operation) -> Product | None:
    """The sizes of the matrix product that ``op`` is; None if matrix units do not do it."""
    sizes = _PRODUCT_SIZES.get(op.name)
    return None if sizes is None else sizes(op)


def transcendentals_of(op: Operation) -> float:
    """How many exponentials, logarithms, sines, roots or reciprocals ``op`` takes."""
    return _TRANSCENDENTALS.get(op.name, 0) * sum([element_count(one.type) for one in op.results])


def element_of(op: Operation) -> Type | None:
    """The type that the operation computes in: that of what it reads first."""
    for value in (*op.operands, *op.results):
        if isinstance(value.type, TensorType):
            return value.type.element
    return None


def _of_complex(op: Operation) -> int:
    """How many real operations stand for one: four of a complex multiplication, additions included two and two."""
    return 4 if op.name in _MULTIPLYING and isinstance(element_of(op), ComplexType) else 1


def elementwise_flops(op: Operation) -> float:
    """One for each element of the results of ``op``; none if it moves elements."""
    return 0.0 if op.traits & DATA_MOVEMENT else float(sum([element_count(one.type) for one in op.results]))


def _dot(op: Operation) -> float:
    """A multiplication and an addition for each element of the result and each that it is summed from."""
    numbers = op.properties.get("dot_dimension_numbers")
    if isinstance(numbers, DotDimensionNumbers):
        contracted = numbers.lhs_contracting
    else:
        contracted = (len(static_shape(op.operands[0].type)) - 1,)
    shape = static_shape(op.operands[0].type)
    return 2.0 * element_count(op.results[0].type) * prod(shape[dim] for dim in contracted)


def _dot_sizes(op: Operation) -> Product | None:
    """The sizes of a contraction."""
    left, right = static_shape(op.operands[0].type), static_shape(op.operands[1].type)
    numbers = op.properties.get("dot_dimension_numbers")
    if isinstance(numbers, DotDimensionNumbers):
        batch, summed = numbers.lhs_batching, numbers.lhs_contracting
        others = {*numbers.rhs_batching, *numbers.rhs_contracting}
    else:
        batch, summed, others = (), (len(left) - 1,), {0}
    return Product(
        prod(left[dim] for dim in batch),
        prod(size for dim, size in enumerate(left) if dim not in {*batch, *summed}),
        prod(left[dim] for dim in summed),
        prod(size for dim, size in enumerate(right) if dim not in others),
    )


def _ragged_sizes(op: Operation) -> Product | None:
    """The sizes as of one product with all rows."""
    rows, free = element_count(op.operands[0].type), _ragged_dot(op) / 2.0
    inner = static_shape(op.operands[0].type)[-1] if static_shape(op.operands[0].type) else 1
    return Product(1, max(rows // max(inner, 1), 1), inner, max(round(free / max(rows, 1)), 1))


def _convolution_sizes(op: Operation) -> Product | None:
    """The sizes of the product of windows and kernels."""
    numbers = op.properties.get("dimension_numbers")
    if not isinstance(numbers, ConvDimensionNumbers):
        return None
    kernel, result = static_shape(op.operands[1].type), static_shape(op.results[0].type)
    groups = max(integer(op, "feature_group_count", 1), 1)
    features = result[numbers.output_feature]
    rows = prod(result) // max(features, 1)
    inner = kernel[numbers.kernel_input_feature] * prod(kernel[dim] for dim in numbers.kernel_spatial)
    return Product(groups, rows, inner, max(features // groups, 1))


def _ragged_dot(op: Operation) -> float:
    """Each row meets the matrix of its own group."""
    numbers = op.properties.get("ragged_dot_dimension_numbers")
    if not isinstance(numbers, RaggedDotDimensionNumbers):
        return 0.0
    used = {*numbers.rhs_batching, *numbers.rhs_contracting, *numbers.rhs_group}
    free = prod(size for dim, size in enumerate(static_shape(op.operands[1].type)) if dim not in used)
    return 2.0 * element_count(op.operands[0].type) * free


def _einsum(op: Operation) -> float:
    """An einsum, by its letters: a multiplication and an addition for each of their combinations."""
    letters = (string(op, "einsum_config") or "").partition("->")[0].replace(" ", "").split(",")
    sizes = {
        letter: size
        for text, value in zip(letters, op.operands, strict=False)
        for letter, size in zip(text, static_shape(value.type), strict=False)
    }
    return 2.0 * prod(sizes.values())


def _convolution(op: Operation) -> float:
    """As a contraction over the window and the input features of a group; what falls on padding or into the holes of a
    dilated input is left out."""
    numbers = op.properties.get("dimension_numbers")
    if not isinstance(numbers, ConvDimensionNumbers):
        return 0.0
    lhs, kernel, result = (static_shape(value.type) for value in (*op.operands[:2], op.results[0]))
    met = 1
    for place, dims in enumerate(
        zip(numbers.input_spatial, numbers.kernel_spatial, numbers.output_spatial, strict=True)
    ):
        met *= _pairs_that_meet(op, place, lhs[dims[0]], kernel[dims[1]], result[dims[2]])
    others = result[numbers.output_batch] * result[numbers.output_feature]
    return 2.0 * met * others * kernel[numbers.kernel_input_feature]


def _pairs_that_meet(op: Operation, place: int, size: int, window: int, windows: int) -> int:
    """How many pairs of a window and an element in it meet an element of the input, along one spatial dimension."""
    stride, holes, dilation = (
        (integers(op, name) or (1,) * (place + 1))[place] for name in ("window_strides", "lhs_dilation", "rhs_dilation")
    )
    padding = integer_elements(op, "padding")
    low = padding[2 * place] if padding else 0
    last = (size - 1) * holes
    return sum(_meeting(windows, stride, at * dilation - low, last, holes) for at in range(window))


def _meeting(count: int, stride: int, begin: int, last: int, holes: int) -> int:
    """How many of the first ``count`` numbers that are ``stride`` apart, from ``begin`` on, are from 0 to ``last`` and
    multiples of ``holes``."""
    low, high = max(0, -(begin // stride)), min(count - 1, (last - begin) // stride)
    common = gcd(stride, holes)
    if begin % common or high < low:
        return 0
    # Every so many of them is a multiple.
    every = holes // common
    first = -begin // common * pow(stride // common, -1, every) % every if every > 1 else 0
    return (high - first) // every - (low - 1 - first) // every


def _in_region(op: Operation, region: int = 0) -> int:
    """How many operations one element takes in a region of scalars."""
    return sum(
        not (one.traits & (TERMINATOR | DATA_MOVEMENT | CONSTANT_LIKE))
        for block in op.regions[region].blocks
        for one in block
    )


def _reduce(op: Operation) -> float:
    inputs = len(op.operands) // 2
    before, after = element_count(op.operands[0].type), element_count(op.results[0].type) if op.results else 0
    return float(max(before - after, 0) * _in_region(op)) if inputs else 0.0


def _reduce_window(op: Operation) -> float:
    window = prod(integers(op, "window_dimensions"))
    return float(element_count(op.results[0].type) * max(window - 1, 0) * _in_region(op))


def _select_and_scatter(op: Operation) -> float:
    """Each window compares its elements, and one of them takes what is scattered."""
    window = prod(integers(op, "window_dimensions"))
    return float(element_count(op.operands[1].type) * (max(window - 1, 0) * _in_region(op) + _in_region(op, 1)))


def _scatter(op: Operation) -> float:
    return float(element_count(op.operands[-1].type) * _in_region(op))


def _map(op: Operation) -> float:
    return float(element_count(op.results[0].type) * _in_region(op))


def _sort(op: Operation) -> float:
    """Comparisons of a sort by merging: n log2 n along the dimension."""
    shape = static_shape(op.operands[0].type)
    along = shape[integer(op, "dimension", -1)] if shape else 1
    return element_count(op.operands[0].type) * log2(max(along, 1)) * _in_region(op)


def _top_k(op: Operation) -> float:
    """A heap of k: n log2 k."""
    return element_count(op.operands[0].type) * max(log2(max(integer(op, "k", 1), 1)), 1.0)


def _fft(op: Operation) -> float:
    """5 n log2 n for n complex points, half of that where one side is real (Cooley and Tukey's count)."""
    length = prod(integers(op, "fft_length"))
    points = max(element_count(op.operands[0].type), element_count(op.results[0].type))
    real = 0.5 if enum_case(op, "fft_type") in ("RFFT", "IRFFT") else 1.0
    return 5.0 * real * points * log2(max(length, 1))


def _cholesky(op: Operation) -> float:
    """n³/3 for each matrix."""
    shape = static_shape(op.operands[0].type)
    return prod(shape) * shape[-1] / 3.0 if shape else 0.0


def _triangular_solve(op: Operation) -> float:
    """n² for each right-hand side."""
    shape = static_shape(op.operands[0].type)
    return float(element_count(op.operands[1].type) * shape[-1]) if shape else 0.0


def _per_element(count: int) -> Callable[[Operation], float]:
    return lambda op: float(count * element_count(op.operands[0].type))


_FLOPS: dict[str, Callable[[Operation], float]] = {
    "stablehlo.batch_norm_grad": _per_element(11),
    "stablehlo.batch_norm_inference": _per_element(3),
    "stablehlo.batch_norm_training": _per_element(7),
    "stablehlo.cholesky": _cholesky,
    "stablehlo.convolution": _convolution,
    "stablehlo.dot": _dot,
    "stablehlo.dot_general": _dot,
    "stablehlo.dynamic_conv": _convolution,
    "stablehlo.einsum": _einsum,
    "stablehlo.fft": _fft,
    "stablehlo.map": _map,
    "stablehlo.reduce": _reduce,
    "stablehlo.reduce_window": _reduce_window,
    "stablehlo.scatter": _scatter,
    "stablehlo.select_and_scatter": _select_and_scatter,
    "stablehlo.sort": _sort,
    "stablehlo.triangular_solve": _triangular_solve,
    "chlo.mulhi": elementwise_flops,
    "chlo.next_after": elementwise_flops,
    "chlo.polygamma": elementwise_flops,
    "chlo.ragged_dot": _ragged_dot,
    "chlo.top_k": _top_k,
    "chlo.zeta": elementwise_flops,
}
"""Operations that compute; elementwise ones have no row, nor has what only moves elements."""

_MULTIPLYING = frozenset(
    f"stablehlo.{name}"
    for name in ("cholesky", "convolution", "dot", "dot_general", "einsum", "multiply", "triangular_solve")
)

_PRODUCT_SIZES: dict[str, Callable[[Operation], Product | None]] = {
    "chlo.ragged_dot": _ragged_sizes,
    "stablehlo.convolution": _convolution_sizes,
    "stablehlo.dot": _dot_sizes,
    "stablehlo.dot_general": _dot_sizes,
    "stablehlo.dynamic_conv": _convolution_sizes,
}
"""Operations that units for matrices do."""

CONVOLUTIONS = frozenset({"stablehlo.convolution", "stablehlo.dynamic_conv"})

_TRANSCENDENTALS = {
    **dict.fromkeys(
        (
            *("stablehlo.cbrt", "stablehlo.cosine", "stablehlo.divide", "stablehlo.exponential"),
            *("stablehlo.exponential_minus_one", "stablehlo.log", "stablehlo.log_plus_one", "stablehlo.rsqrt"),
            *("stablehlo.sine", "stablehlo.sqrt", "stablehlo.tanh", "chlo.erf", "chlo.erf_inv", "chlo.erfc"),
        ),
        1,
    ),
    **dict.fromkeys(
        ("stablehlo.atan2", "stablehlo.logistic", "stablehlo.power", "stablehlo.remainder", "stablehlo.tan"), 2
    ),
}
"""How many exponentials, logarithms, sines, roots or reciprocals an element of the result takes."""
