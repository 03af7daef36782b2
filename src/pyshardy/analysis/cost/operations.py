"""Floating point operations and bytes of memory of one operation, by its shapes.

Each operation has a row: how many floating point operations it takes, and what it reads and writes if that is not all
of its operands and results. Values that compilers compute where they are read (``account.fusion``) cost no bytes. An
addition or a multiplication counts one, as does a function of one element; moving elements counts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from math import gcd, log2, prod
from typing import NamedTuple

from pyshardy.analysis.cost.custom_calls import custom_call_price
from pyshardy.analysis.cost.operation_costs import cost_of
from pyshardy.dialects.chlo import RaggedDotDimensionNumbers
from pyshardy.dialects.sdy.region_flow import runs_tensors
from pyshardy.dialects.sdy.shared_constants import is_foreign_constant
from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from pyshardy.ir.opdef import COLLECTIVE, CONSTANT_LIKE, DATA_FLOW, DATA_MOVEMENT, ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.registry import foreign_row
from pyshardy.ir.types import ComplexType, TensorType, Type, element_count
from pyshardy.partitioning.account.buffer_aliases import buffer_owner
from pyshardy.partitioning.account.memory_model import type_bytes
from pyshardy.rules.properties import enum_case, integer, integer_elements, integers, string


class Product(NamedTuple):
    """``batch`` products of matrices with ``rows`` and ``inner``, and ``inner`` and ``columns``."""

    batch: int
    rows: int
    inner: int
    columns: int


class Work(NamedTuple):
    """What an operation does: operations on ``element``, and bytes between memory and chip. ``known`` is False where
    nobody can say what it computes. Of a matrix product ``product`` are the sizes; ``transcendentals`` are the
    exponentials and the like among the operations; ``convolves`` says that it is a convolution."""

    flops: float
    element: Type | None
    bytes: float
    known: bool = True
    product: Product | None = None
    transcendentals: float = 0.0
    convolves: bool = False


_AS_A_WHOLE = Product(0, 0, 0, 0)
"""Stands for a matrix kernel whose sizes are unknown: ``kernel_time`` assumes that it runs at the peak."""
_NO_WORK = Work(0.0, None, 0.0)


def work_of_operation(op: Operation, fused: Set[Value]) -> Work:
    """The work of ``op`` by itself, without the functions and regions that it runs; the values ``fused`` never stand
    in memory."""
    if op.name in _FREE or op.traits & (TERMINATOR | COLLECTIVE):
        return _NO_WORK
    if foreign_row(op.name) is not None:
        return _foreign_work(op, fused)
    counted = _FLOPS.get(op.name, _elementwise if op.traits & ELEMENTWISE else None)
    moved = _BYTES.get(op.name, _all_of_it)(op, fused)
    if counted is not None:
        product = _SIZES[op.name](op) if op.name in _SIZES else None
        functions = _TRANSCENDENTALS.get(op.name, 0) * sum([element_count(one.type) for one in op.results])
        convolves = product is not None and op.name in _CONVOLUTIONS
        return Work(counted(op) * _of_complex(op), _element(op), moved, True, product, functions, convolves)
    if op.name == "stablehlo.custom_call":
        price = custom_call_price(op)
        if price is not None:
            flops, bytes = price
            return Work(flops, _element(op), moved if bytes is None else bytes, True, _AS_A_WHOLE)
    return Work(0.0, None, moved, bool(op.traits & (DATA_MOVEMENT | CONSTANT_LIKE)) or op.name in _COMPUTES_NOTHING)


def _foreign_work(op: Operation, fused: Set[Value]) -> Work:
    """The work of an operation of a foreign dialect. What runs others costs nothing itself, if nobody says so."""
    cost, moved = cost_of(op), _all_of_it(op, fused)
    if cost is not None:
        product = None
        if cost.runs_on_matrix_units(op):
            product = _AS_A_WHOLE if cost.product is None else Product(*cost.product)
        bytes = moved if cost.bytes is None else cost.bytes
        return Work(cost.flops, _element(op), bytes, True, product, cost.transcendentals)
    if runs_tensors(op) or is_foreign_constant(op):
        return _NO_WORK
    if op.traits & (DATA_MOVEMENT | CONSTANT_LIKE | DATA_FLOW):
        return Work(0.0, None, moved)
    return Work(_elementwise(op), _element(op), moved) if op.traits & ELEMENTWISE else Work(0.0, None, moved, False)


def kind(op: Operation) -> tuple[object, ...]:
    """Operations of equal kinds do equal work if the same of their values stand in memory and are read twice
    (``repeated``)."""
    types = tuple([value.type for value in (*op.operands, *op.results)])
    return op.name, types, op.properties, sum(len(block) for region in op.regions for block in region.blocks)


_TWICE = 0, 0


def repeated(op: Operation) -> tuple[int, ...]:
    """For each operand the number of the first operand that is the same value; empty if all differ. Such a value is
    read once."""
    operands = op.operands
    if len(operands) == 2:
        return _TWICE if operands[0] is operands[1] else ()
    if len(operands) < 2 or len(set(operands)) == len(operands):
        return ()
    first = {value: number for number, value in reversed(list(enumerate(operands)))}
    return tuple([first[value] for value in operands])


_FREE = frozenset(
    f"stablehlo.{name}"
    for name in (
        *(
            "after_all",
            "async_done",
            "async_start",
            "case",
            "composite",
            "constant",
            "create_token",
            "get_dimension_size",
            "get_tuple_element",
            "if",
        ),
        *("optimization_barrier", "partition_id", "replica_id", "reshape", "tuple", "while"),
    )
) | {"chlo.constant", "chlo.scan", "func.call", "sdy.constant", "sdy.manual_computation", "sdy.named_computation"}
"""Operations that take no time themselves: names of what is there already, and what only runs others."""

_COMPUTES_NOTHING = frozenset(
    f"stablehlo.{name}"
    for name in (
        "bitcast_convert",
        "dynamic_iota",
        "infeed",
        "iota",
        "outfeed",
        "rng",
        "rng_bit_generator",
        "set_dimension_size",
    )
)
"""Operations whose work is that of moving bytes, besides those that say so themselves: the integers of random numbers
count nothing."""


# --- bytes ------------------------------------------------------------------------------------------------------------


def _is_stored(value: Value, fused: Set[Value]) -> bool:
    """Whether ``value``, or the value that it is an alias of, is stored in memory."""
    return buffer_owner(value) not in fused


def _read(op: Operation, fused: Set[Value], first: int = 0) -> float:
    """Bytes of the operands from number ``first`` on that are read, each once."""
    return sum([type_bytes(one.type) for one in dict.fromkeys(op.operands[first:]) if _is_stored(one, fused)])


def _written(op: Operation, fused: Set[Value]) -> float:
    return sum([type_bytes(one.type) for one in op.results if one not in fused])


def _all_of_it(op: Operation, fused: Set[Value]) -> float:
    return _read(op, fused) + _written(op, fused)


def _what_is_taken(op: Operation, fused: Set[Value]) -> float:
    """A part of the first operand, as large as the result, and the indices."""
    taken = sum([type_bytes(one.type) for one in op.results]) if _is_stored(op.operands[0], fused) else 0
    return _read(op, fused, 1) + _written(op, fused) + taken


def _what_is_replaced(op: Operation, fused: Set[Value]) -> float:
    """The update, read and written in place."""
    return _read(op, fused, 1) + type_bytes(op.operands[1].type)


def _what_is_scattered(op: Operation, fused: Set[Value]) -> float:
    """Indices and updates read, the elements that they meet read and written."""
    count = len(op.results)
    return _read(op, fused, count) + 2 * sum([type_bytes(one.type) for one in op.operands[count + 1 :]])


_BYTES: dict[str, Callable[[Operation, Set[Value]], float]] = {
    "stablehlo.dynamic_gather": _what_is_taken,
    "stablehlo.dynamic_slice": _what_is_taken,
    "stablehlo.gather": _what_is_taken,
    "stablehlo.real_dynamic_slice": _what_is_taken,
    "stablehlo.slice": _what_is_taken,
    "stablehlo.torch_index_select": _what_is_taken,
    "stablehlo.dynamic_update_slice": _what_is_replaced,
    "stablehlo.scatter": _what_is_scattered,
}
"""Operations that do not go through all of their operands."""


# --- floating point operations ----------------------------------------------------------------------------------------


def _shape(value: Value) -> tuple[int, ...]:
    type = value.type
    return type.shape if isinstance(type, TensorType) and type.has_static_shape else ()


def _element(op: Operation) -> Type | None:
    """The type that the operation computes in: that of what it reads first."""
    for value in (*op.operands, *op.results):
        if isinstance(value.type, TensorType):
            return value.type.element
    return None


def _of_complex(op: Operation) -> int:
    """How many real operations stand for one: four of a complex multiplication, additions included two and two."""
    return 4 if op.name in _PRODUCTS and isinstance(_element(op), ComplexType) else 1


def _elementwise(op: Operation) -> float:
    return 0.0 if op.traits & DATA_MOVEMENT else float(sum([element_count(one.type) for one in op.results]))


def _contracted(op: Operation) -> float:
    """A multiplication and an addition for each element of the result and each that it is summed from."""
    numbers = op.properties.get("dot_dimension_numbers")
    if isinstance(numbers, DotDimensionNumbers):
        contracted = numbers.lhs_contracting
    else:
        contracted = (len(_shape(op.operands[0])) - 1,)
    shape = _shape(op.operands[0])
    return 2.0 * element_count(op.results[0].type) * prod(shape[dim] for dim in contracted)


def _sizes(op: Operation) -> Product | None:
    """The sizes of a contraction."""
    left, right = _shape(op.operands[0]), _shape(op.operands[1])
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
    rows, free = element_count(op.operands[0].type), _ragged_contracted(op) / 2.0
    inner = _shape(op.operands[0])[-1] if _shape(op.operands[0]) else 1
    return Product(1, max(rows // max(inner, 1), 1), inner, max(round(free / max(rows, 1)), 1))


def _convolution_sizes(op: Operation) -> Product | None:
    """The sizes of the product of windows and kernels."""
    numbers = op.properties.get("dimension_numbers")
    if not isinstance(numbers, ConvDimensionNumbers):
        return None
    kernel, result = _shape(op.operands[1]), _shape(op.results[0])
    groups = max(integer(op, "feature_group_count", 1), 1)
    features = result[numbers.output_feature]
    rows = prod(result) // max(features, 1)
    inner = kernel[numbers.kernel_input_feature] * prod(kernel[dim] for dim in numbers.kernel_spatial)
    return Product(groups, rows, inner, max(features // groups, 1))


def _ragged_contracted(op: Operation) -> float:
    """Each row meets the matrix of its own group."""
    numbers = op.properties.get("ragged_dot_dimension_numbers")
    if not isinstance(numbers, RaggedDotDimensionNumbers):
        return 0.0
    used = {*numbers.rhs_batching, *numbers.rhs_contracting, *numbers.rhs_group}
    free = prod(size for dim, size in enumerate(_shape(op.operands[1])) if dim not in used)
    return 2.0 * element_count(op.operands[0].type) * free


def _summed_as_written(op: Operation) -> float:
    """An einsum, by its letters: a multiplication and an addition for each of their combinations."""
    letters = (string(op, "einsum_config") or "").partition("->")[0].replace(" ", "").split(",")
    sizes = {
        letter: size
        for text, value in zip(letters, op.operands, strict=False)
        for letter, size in zip(text, _shape(value), strict=False)
    }
    return 2.0 * prod(sizes.values())


def _convolved(op: Operation) -> float:
    """As a contraction over the window and the input features of a group; what falls on padding or into the holes of a
    dilated input is left out."""
    numbers = op.properties.get("dimension_numbers")
    if not isinstance(numbers, ConvDimensionNumbers):
        return 0.0
    lhs, kernel, result = (_shape(value) for value in (*op.operands[:2], op.results[0]))
    met = 1
    for place, dims in enumerate(
        zip(numbers.input_spatial, numbers.kernel_spatial, numbers.output_spatial, strict=True)
    ):
        met *= _met(op, place, lhs[dims[0]], kernel[dims[1]], result[dims[2]])
    others = result[numbers.output_batch] * result[numbers.output_feature]
    return 2.0 * met * others * kernel[numbers.kernel_input_feature]


def _met(op: Operation, place: int, size: int, window: int, windows: int) -> int:
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


def _reduced(op: Operation) -> float:
    inputs = len(op.operands) // 2
    before, after = element_count(op.operands[0].type), element_count(op.results[0].type) if op.results else 0
    return float(max(before - after, 0) * _in_region(op)) if inputs else 0.0


def _window_reduced(op: Operation) -> float:
    window = prod(integers(op, "window_dimensions"))
    return float(element_count(op.results[0].type) * max(window - 1, 0) * _in_region(op))


def _selected(op: Operation) -> float:
    """Each window compares its elements, and one of them takes what is scattered."""
    window = prod(integers(op, "window_dimensions"))
    return float(element_count(op.operands[1].type) * (max(window - 1, 0) * _in_region(op) + _in_region(op, 1)))


def _scattered(op: Operation) -> float:
    return float(element_count(op.operands[-1].type) * _in_region(op))


def _mapped(op: Operation) -> float:
    return float(element_count(op.results[0].type) * _in_region(op))


def _sorted(op: Operation) -> float:
    """Comparisons of a sort by merging: n log2 n along the dimension."""
    shape = _shape(op.operands[0])
    along = shape[integer(op, "dimension", -1)] if shape else 1
    return element_count(op.operands[0].type) * log2(max(along, 1)) * _in_region(op)


def _largest_found(op: Operation) -> float:
    """A heap of k: n log2 k."""
    return element_count(op.operands[0].type) * max(log2(max(integer(op, "k", 1), 1)), 1.0)


def _transformed(op: Operation) -> float:
    """5 n log2 n for n complex points, half of that where one side is real (Cooley and Tukey's count)."""
    length = prod(integers(op, "fft_length"))
    points = max(element_count(op.operands[0].type), element_count(op.results[0].type))
    real = 0.5 if enum_case(op, "fft_type") in ("RFFT", "IRFFT") else 1.0
    return 5.0 * real * points * log2(max(length, 1))


def _factored(op: Operation) -> float:
    """n³/3 for each matrix."""
    shape = _shape(op.operands[0])
    return prod(shape) * shape[-1] / 3.0 if shape else 0.0


def _solved(op: Operation) -> float:
    """n² for each right-hand side."""
    shape = _shape(op.operands[0])
    return float(element_count(op.operands[1].type) * shape[-1]) if shape else 0.0


def _each(count: int) -> Callable[[Operation], float]:
    return lambda op: float(count * element_count(op.operands[0].type))


_FLOPS: dict[str, Callable[[Operation], float]] = {
    "stablehlo.batch_norm_grad": _each(11),
    "stablehlo.batch_norm_inference": _each(3),
    "stablehlo.batch_norm_training": _each(7),
    "stablehlo.cholesky": _factored,
    "stablehlo.convolution": _convolved,
    "stablehlo.dot": _contracted,
    "stablehlo.dot_general": _contracted,
    "stablehlo.dynamic_conv": _convolved,
    "stablehlo.einsum": _summed_as_written,
    "stablehlo.fft": _transformed,
    "stablehlo.map": _mapped,
    "stablehlo.reduce": _reduced,
    "stablehlo.reduce_window": _window_reduced,
    "stablehlo.scatter": _scattered,
    "stablehlo.select_and_scatter": _selected,
    "stablehlo.sort": _sorted,
    "stablehlo.triangular_solve": _solved,
    "chlo.mulhi": _elementwise,
    "chlo.next_after": _elementwise,
    "chlo.polygamma": _elementwise,
    "chlo.ragged_dot": _ragged_contracted,
    "chlo.top_k": _largest_found,
    "chlo.zeta": _elementwise,
}
"""Operations that compute; elementwise ones have no row, nor has what only moves elements."""

_PRODUCTS = frozenset(
    f"stablehlo.{name}"
    for name in ("cholesky", "convolution", "dot", "dot_general", "einsum", "multiply", "triangular_solve")
)

_SIZES: dict[str, Callable[[Operation], Product | None]] = {
    "chlo.ragged_dot": _ragged_sizes,
    "stablehlo.convolution": _convolution_sizes,
    "stablehlo.dot": _sizes,
    "stablehlo.dot_general": _sizes,
    "stablehlo.dynamic_conv": _convolution_sizes,
}
"""Operations that units for matrices do."""

_CONVOLUTIONS = frozenset({"stablehlo.convolution", "stablehlo.dynamic_conv"})

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
