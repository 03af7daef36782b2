"""Random inputs for a program, of the kind that its operations can use.

Indices stay in range, and operands of square roots and logarithms are positive. All other numbers are random, and small
enough that sums of many can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy.names import HANDED_ON
from pyshardy.dialects.stablehlo.attributes import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import ComplexType, FloatType, IntegerType, TensorType, tensor_shape
from pyshardy.reading.names import boundary_names
from pyshardy.rules.properties import integers


class UnknownInput(ValueError):
    """An argument has a type for which no random array can be made."""


_SHARE_OF_ENDS = 0.25
"""The fraction of random indices at the beginning or end of a range or of a shard, where masks and offsets tend to be
wrong."""

_SHARDS = (1, 2, 3, 4, 8)

_MOST_STEPS = 400
"""The number of uses of one argument that are followed at most."""


@dataclass(frozen=True)
class Demand:
    """The demands of the uses of an argument: integers below ``limit``, positive numbers, numbers so small that sums of
    ``terms`` products are about as large as one product."""

    limit: int | None = None
    positive: bool = False
    terms: int = 1

    def both(self, other: Demand) -> Demand:
        """A demand that satisfies both."""
        limits = [one for one in (self.limit, other.limit) if one is not None]
        terms = max(self.terms, other.terms)
        return Demand(min(limits, default=None), self.positive or other.positive, terms)


def random_inputs(module: Operation, function: Operation, seed: int) -> list[Array]:
    """One array for each argument of ``function``, floats and complex numbers in double precision; the same seed gives
    the same arrays.

    Raises:
        UnknownInput: an argument has a dynamic size, or elements that are not plain numbers.
    """
    rng = np.random.default_rng(seed)
    calls = Calls(module)
    return [random_array(rng, argument, calls) for argument in function.body.arguments]


def in_their_types(function: Operation, inputs: Iterable[Array]) -> list[Array]:
    """``inputs`` rounded to the element types of the arguments of ``function``."""
    pairs = zip(inputs, function.body.arguments, strict=True)
    return [
        value.astype(numpy_type(argument.type)) if isinstance(argument.type, TensorType) else value
        for value, argument in pairs
    ]


def scaled(inputs: list[Array], factor: float) -> list[Array]:
    """``inputs`` with floats multiplied by ``factor``."""
    return [value * factor if value.dtype.kind in "fc" else value for value in inputs]


def float_arguments(inputs: list[Array]) -> int:
    """How many of ``inputs`` hold floats."""
    return len(_places_of_floats(inputs))


def with_outlier(inputs: list[Array], outlier: float, place: int, seed: int) -> list[Array]:
    """``inputs`` with ``outlier`` for one element of float argument number ``place``, modulo their number; ``seed``
    chooses the element."""
    floats = _places_of_floats(inputs)
    if not floats:
        return inputs
    chosen = floats[place % len(floats)]
    changed = inputs[chosen].copy()
    changed.reshape(-1)[np.random.default_rng(seed).integers(changed.size)] = outlier
    return [changed if index == chosen else value for index, value in enumerate(inputs)]


def _places_of_floats(inputs: list[Array]) -> list[int]:
    return [index for index, value in enumerate(inputs) if value.dtype.kind == "f" and value.size]


class Calls:
    """Which function a call calls, and which calls a function returns to."""

    def __init__(self, module: Operation) -> None:
        self._functions = functions_by_name(module)
        self._callers: dict[Operation, list[Operation]] = {}
        for op in module.walk():
            if op.name == "func.call":
                function = self._functions.get(callee(op))
                if function is not None:
                    self._callers.setdefault(function, []).append(op)

    def parameter(self, call: Operation, index: int) -> Iterable[Value]:
        """The arguments of the called function that operand ``index`` of ``call`` becomes."""
        function = self._functions.get(callee(call))
        return () if function is None or function.regions[0].empty else (function.body.arguments[index],)

    def results(self, returning: Operation, index: int) -> Iterable[Value]:
        """The results of calls that operand ``index`` of a ``func.return`` becomes."""
        function = returning.parent_op
        callers = self._callers.get(function, ()) if function is not None else ()
        return [call.results[index] for call in callers]


def _name(argument: Value) -> str:
    function = argument.parent_block.parent_op if argument.parent_block is not None else None
    assert isinstance(argument, BlockArgument) and function is not None
    return boundary_names(function).arguments[argument.index]


def random_array(rng: np.random.Generator, argument: Value, calls: Calls, *, negative: bool = False) -> Array:
    """An array for ``argument``, one of a function of the program of ``calls``; floats and complex numbers in double
    precision. Integers that would be positive, as divisors are, can be ``negative`` instead.

    Raises:
        UnknownInput: its type has a dynamic size, or elements that are not plain numbers.
    """
    type = argument.type
    if not isinstance(type, TensorType):
        return np.zeros((), np.bool_)
    if not type.has_static_shape or not isinstance(type.element, IntegerType | FloatType | ComplexType):
        raise UnknownInput(f"no input can be made up for argument {_name(argument)} of type {type}")
    demand = demand_on(argument, calls)
    element, dtype, shape = type.element, numpy_type(type.element), type.shape
    if isinstance(element, IntegerType):
        drawn = np.asarray(_random_integers(rng, element, shape, demand)).astype(dtype)
        is_signed = element.width > 1 and element.signedness != "u"
        return -drawn if negative and is_signed and demand.positive and demand.limit is None else drawn
    numbers = np.asarray(rng.uniform(0.5, 1.5, shape) if demand.positive else rng.uniform(-1.0, 1.0, shape))
    if demand.terms > 3:
        numbers = numbers * (3 / demand.terms) ** 0.5
    if isinstance(element, ComplexType):
        return np.asarray(numbers + 1j * rng.uniform(-1.0, 1.0, shape))
    assert isinstance(element, FloatType)
    return numbers


def _random_integers(rng: np.random.Generator, element: IntegerType, shape: tuple[int, ...], demand: Demand) -> Any:
    if element.width == 1:
        return rng.integers(0, 2, shape)
    largest = element.largest
    if demand.limit is not None:
        limit = max(1, min(demand.limit, largest + 1))
        drawn = np.where(rng.random(shape) < _SHARE_OF_ENDS, _ends(rng, limit, shape), rng.integers(0, limit, shape))
        if drawn.size > 2:
            # With few indices, otherwise none might be the first or the last.
            drawn.reshape(-1)[rng.choice(drawn.size, 2, replace=False)] = 0, limit - 1
        return drawn
    high = min(100, largest)
    low = 1 if element.signedness == "u" or demand.positive else -min(10, largest)
    return rng.integers(low, high + 1, shape)


def _ends(rng: np.random.Generator, limit: int, shape: tuple[int, ...]) -> Any:
    """Indices below ``limit`` that are the first or the last of a shard, if it is cut into a few."""
    counts = rng.choice(_SHARDS, shape)
    sizes = -(-limit // counts)
    starts = rng.integers(0, counts + 1) * sizes
    return np.clip(starts - rng.integers(0, 2, shape), 0, limit - 1)


# --- demands of uses --------------------------------------------------------------------------------------------------


def demand_on(argument: Value, calls: Calls) -> Demand:
    """The demands of the uses of ``argument``, including uses of values that only contain its elements."""
    demand = Demand()
    waiting, seen = [argument], {argument}
    steps = 0
    while waiting and steps < _MOST_STEPS:
        value = waiting.pop(0)
        for op, index in value.uses:
            steps += 1
            asked = _DEMANDS.get(op.name)
            if asked is not None:
                demand = demand.both(asked(op, index))
            for result in _passed_on(op, index, calls):
                if result not in seen:
                    seen.add(result)
                    waiting.append(result)
    return demand


_POSITIVE = Demand(positive=True)


def _positive(op: Operation, index: int) -> Demand:
    return _POSITIVE


def _positive_base(op: Operation, index: int) -> Demand:
    return _POSITIVE if index == 0 else Demand()


def _nonzero_divisor(op: Operation, index: int) -> Demand:
    return _POSITIVE if index == 1 else Demand()


def _gather(op: Operation, index: int) -> Demand:
    numbers = op.properties.get("dimension_numbers")
    if index != 1 or not isinstance(numbers, GatherDimensionNumbers):
        return Demand()
    sizes = integers(op, "slice_sizes")
    return Demand(min((_shape(op, 0)[dim] - sizes[dim] + 1 for dim in numbers.start_index_map), default=1))


def _scatter(op: Operation, index: int) -> Demand:
    numbers = op.properties.get("scatter_dimension_numbers")
    if index != len(op.results) or not isinstance(numbers, ScatterDimensionNumbers):
        return Demand()
    return Demand(min((_shape(op, 0)[dim] for dim in numbers.scatter_dims_to_operand_dims), default=1))


def _dynamic_slice(op: Operation, index: int) -> Demand:
    sizes = integers(op, "slice_sizes")
    return Demand(_shape(op, 0)[index - 1] - sizes[index - 1] + 1) if index else Demand()


def _dynamic_update_slice(op: Operation, index: int) -> Demand:
    return Demand(_shape(op, 0)[index - 2] - _shape(op, 1)[index - 2] + 1) if index > 1 else Demand()


def _contraction(op: Operation, index: int) -> Demand:
    numbers = op.properties.get("dot_dimension_numbers")
    if not isinstance(numbers, DotDimensionNumbers):
        return Demand()
    return Demand(terms=prod(_shape(op, 0)[dim] for dim in numbers.lhs_contracting))


def _convolution(op: Operation, index: int) -> Demand:
    numbers = op.properties.get("dimension_numbers")
    if not isinstance(numbers, ConvDimensionNumbers):
        return Demand()
    kernel = _shape(op, 1)
    return Demand(terms=prod(kernel) // max(1, kernel[numbers.kernel_output_feature]))


def _compared(op: Operation, index: int) -> Demand:
    """A number that is compared with a counter is below the counter's limit: a one-hot, a mask by lengths."""
    counter = _counter(op.operands[1 - index])
    return Demand() if counter is None else Demand(counter)


def _counter(value: Value) -> int | None:
    """The size of the iota that ``value`` is computed from; None if there is none."""
    for _ in range(_MOST_STEPS):
        op = value.owner if isinstance(value, OpResult) else None
        if op is None or (not op.operands and op.name != "stablehlo.iota"):
            return None
        if op.name == "stablehlo.iota":
            type, dimension = op.results[0].type, op.properties.get("iota_dimension")
            assert isinstance(type, TensorType) and isinstance(dimension, IntegerAttr)
            return type.shape[dimension.value]
        if op.name not in _SAME_ELEMENTS and op.name != "stablehlo.convert":
            return None
        value = op.operands[0]
    return None


def _branch(op: Operation, index: int) -> Demand:
    return Demand(len(op.regions)) if index == 0 else Demand()


def _shape(op: Operation, index: int) -> tuple[int, ...]:
    return tensor_shape(op.operands[index].type)


_DEMANDS: dict[str, Callable[[Operation, int], Demand]] = {
    "stablehlo.case": _branch,
    "stablehlo.compare": _compared,
    "stablehlo.convolution": _convolution,
    "stablehlo.divide": _nonzero_divisor,
    "stablehlo.dot_general": _contraction,
    "stablehlo.dynamic_slice": _dynamic_slice,
    "stablehlo.dynamic_update_slice": _dynamic_update_slice,
    "stablehlo.gather": _gather,
    "stablehlo.log": _positive,
    "stablehlo.log_plus_one": _positive,
    "stablehlo.power": _positive_base,
    "stablehlo.remainder": _nonzero_divisor,
    "stablehlo.rsqrt": _positive,
    "stablehlo.scatter": _scatter,
    "stablehlo.sqrt": _positive,
}

_SAME_ELEMENTS = HANDED_ON | {
    "stablehlo.broadcast_in_dim",
    "stablehlo.concatenate",
    "stablehlo.pad",
    "stablehlo.reshape",
    "stablehlo.reverse",
    "stablehlo.slice",
    "stablehlo.transpose",
}


def _is_body(returning: Operation, loop: Operation) -> bool:
    """Whether the operands of ``returning`` are carried into the next iteration of ``loop``."""
    return loop.name == "stablehlo.while" and returning.parent is loop.regions[1].blocks[0]


def _passed_on(op: Operation, index: int, calls: Calls) -> Iterable[Value]:
    """The values that consist of elements of operand ``index``."""
    if op.name == "func.call":
        return calls.parameter(op, index)
    if op.name == "func.return":
        return calls.results(op, index)
    if op.name in ("stablehlo.return", "sdy.return"):
        above = op.parent_op
        if above is None:
            return ()
        carried = [region.blocks[0].arguments[index] for region in above.regions] if _is_body(op, above) else []
        return [*above.results[index : index + 1], *carried]
    if op.name == "stablehlo.while":
        return tuple(region.blocks[0].arguments[index] for region in op.regions)
    if op.name in ("sdy.manual_computation", "sdy.named_computation"):
        return (op.body.arguments[index],)
    if op.name in ("stablehlo.dynamic_slice", "stablehlo.gather") and index == 0:
        return op.results
    return op.results if op.traits & ELEMENTWISE or op.name in _SAME_ELEMENTS else ()
