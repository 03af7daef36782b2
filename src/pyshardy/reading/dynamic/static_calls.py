"""Replaces custom calls of ``jax.export`` that stand for operations whose sizes are operands.

There is a table by target; ``refinement`` replaces a call once all sizes are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.dialects.stablehlo.verification.windows import WindowDimension, windowed
from pyshardy.emitting.builder import Builder, i64, i64_array, tensor_type
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.operations.properties import string
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import ArrayAttr, SymbolRefAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Region, Value
from pyshardy.ir.types import I32, I64, TensorType, Type
from pyshardy.passes.call_graph import take_body
from pyshardy.reading.dynamic.constant_folding import integers_of

Functions = Callable[[str], Operation | None]
"""Name → function of the program."""

_Results = Sequence[Value] | None
_Make = Callable[[Builder, Operation, Sequence[Array], Functions], _Results]


def static_call(
    builder: Builder, op: Operation, known: Sequence[Array | None], functions: Functions
) -> Sequence[Value] | None:
    """The results of the operation that ``op`` stands for, made by ``builder``; None if it stands for none, or a size
    is not known."""
    found = _CALLS.get(string(op, "call_target_name") or "")
    if found is None:
        return None
    first, make = found
    given = known[first:]
    sizes = [value for value in given if value is not None]
    return make(builder, op, sizes, functions) if len(sizes) == len(given) else None


def _top_k(builder: Builder, op: Operation, sizes: Sequence[Array], functions: Functions) -> Sequence[Value]:
    (count,) = integers_of(sizes[0])
    given = tensor_type(op.operands[0])
    shape = (*given.shape[:-1], count)
    types: list[Type] = [TensorType(shape, given.element), TensorType(shape, I32)]
    return builder.create("chlo.top_k", op.operands[:1], types, {"k": i64(count)}).results


def _random_bits(
    builder: Builder, op: Operation, sizes: Sequence[Array], functions: Functions
) -> Sequence[Value] | None:
    algorithm = op.get("rng_algorithm")
    if algorithm is None:
        return None
    bits = TensorType(integers_of(sizes[0]), tensor_type(op.results[1]).element)
    types: list[Type] = [op.operands[0].type, bits]
    return builder.create("stablehlo.rng_bit_generator", op.operands[:1], types, {"rng_algorithm": algorithm}).results


def _reduce_window(
    builder: Builder, op: Operation, sizes: Sequence[Array], functions: Functions
) -> Sequence[Value] | None:
    body = _called_body(op, functions)
    if body is None:
        return None
    window, strides, base, dilations, flat = map(integers_of, sizes)
    values = op.operands[:-5]
    padding = zip(flat[::2], flat[1::2], strict=True)
    shape = windowed(
        tensor_type(values[0]).shape, list(map(WindowDimension, window, strides, padding, base, dilations))
    )
    properties = {
        "window_dimensions": i64_array(window),
        "window_strides": i64_array(strides),
        "base_dilations": i64_array(base),
        "window_dilations": i64_array(dilations),
        "padding": DenseElementsAttr.of(TensorType((len(window), 2), I64), flat),
    }
    types: list[Type] = [TensorType(shape, tensor_type(one).element) for one in op.results]
    return builder.create("stablehlo.reduce_window", values, types, properties, regions=(body,)).results


def _called_body(op: Operation, functions: Functions) -> Region | None:
    """A copy of the body of the function that a call names, as that of a reduction."""
    callees = op.get("called_computations")
    names = [one.root for one in callees if isinstance(one, SymbolRefAttr)] if isinstance(callees, ArrayAttr) else []
    function = functions(names[0]) if names else None
    if function is None:
        return None
    body = Region()
    take_body(body, rewriting.clone(function).regions[0], "stablehlo.return")
    return body


_CALLS: dict[str, tuple[int, _Make]] = {
    "stablehlo.dynamic_reduce_window": (-5, _reduce_window),
    "stablehlo.dynamic_rng_bit_generator": (1, _random_bits),
    "stablehlo.dynamic_top_k": (1, _top_k),
}
"""Target → its first operand that is a size, and the function that makes the operation."""
