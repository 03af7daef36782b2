"""The work of one operation: floating point operations and bytes of memory.

``flops`` counts the operations. Operations that do not read and write all of their operands and results have a row in
``_BYTES``. Values that compilers compute where they are read (``account.fusion``) cost no bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import NamedTuple

from pyshardy.analysis.cost.custom_calls import custom_call_price
from pyshardy.analysis.cost.flops import (
    CONVOLUTIONS,
    Product,
    element_of,
    elementwise_flops,
    flops_of,
    product_of,
    transcendentals_of,
)
from pyshardy.analysis.cost.operation_costs import cost_of
from pyshardy.dialects.sdy.region_flow import runs_tensors
from pyshardy.dialects.sdy.shared_constants import is_foreign_constant
from pyshardy.ir.opdef import COLLECTIVE, CONSTANT_LIKE, DATA_FLOW, DATA_MOVEMENT, ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.registry import foreign_row
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.buffer_aliases import buffer_owner
from pyshardy.partitioning.account.memory_model import type_bytes


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
    counted = flops_of(op)
    moved = _BYTES.get(op.name, _all_bytes)(op, fused)
    if counted is not None:
        product = product_of(op)
        convolves = product is not None and op.name in CONVOLUTIONS
        return Work(counted, element_of(op), moved, True, product, transcendentals_of(op), convolves)
    if op.name == "stablehlo.custom_call":
        price = custom_call_price(op)
        if price is not None:
            flops, bytes = price
            return Work(flops, element_of(op), moved if bytes is None else bytes, True, _AS_A_WHOLE)
    return Work(0.0, None, moved, bool(op.traits & (DATA_MOVEMENT | CONSTANT_LIKE)) or op.name in _COMPUTES_NOTHING)


def _foreign_work(op: Operation, fused: Set[Value]) -> Work:
    """The work of an operation of a foreign dialect. What runs others costs nothing itself, if nobody says so."""
    cost, moved = cost_of(op), _all_bytes(op, fused)
    if cost is not None:
        product = None
        if cost.runs_on_matrix_units(op):
            product = _AS_A_WHOLE if cost.product is None else Product(*cost.product)
        bytes = moved if cost.bytes is None else cost.bytes
        return Work(cost.flops, element_of(op), bytes, True, product, cost.transcendentals)
    if runs_tensors(op) or is_foreign_constant(op):
        return _NO_WORK
    if op.traits & (DATA_MOVEMENT | CONSTANT_LIKE | DATA_FLOW):
        return Work(0.0, None, moved)
    if op.traits & ELEMENTWISE:
        return Work(elementwise_flops(op), element_of(op), moved)
    return Work(0.0, None, moved, False)


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


def _all_bytes(op: Operation, fused: Set[Value]) -> float:
    return _read(op, fused) + _written(op, fused)


def _gather_bytes(op: Operation, fused: Set[Value]) -> float:
    """A part of the first operand, as large as the result, and the indices."""
    taken = sum([type_bytes(one.type) for one in op.results]) if _is_stored(op.operands[0], fused) else 0
    return _read(op, fused, 1) + _written(op, fused) + taken


def _update_bytes(op: Operation, fused: Set[Value]) -> float:
    """The update, read and written in place."""
    return _read(op, fused, 1) + type_bytes(op.operands[1].type)


def _scatter_bytes(op: Operation, fused: Set[Value]) -> float:
    """Indices and updates read, the elements that they meet read and written."""
    count = len(op.results)
    return _read(op, fused, count) + 2 * sum([type_bytes(one.type) for one in op.operands[count + 1 :]])


_BYTES: dict[str, Callable[[Operation, Set[Value]], float]] = {
    "stablehlo.dynamic_gather": _gather_bytes,
    "stablehlo.dynamic_slice": _gather_bytes,
    "stablehlo.gather": _gather_bytes,
    "stablehlo.real_dynamic_slice": _gather_bytes,
    "stablehlo.slice": _gather_bytes,
    "stablehlo.torch_index_select": _gather_bytes,
    "stablehlo.dynamic_update_slice": _update_bytes,
    "stablehlo.scatter": _scatter_bytes,
}
"""Operations that do not go through all of their operands."""
