"""Finds what a device makes as a whole, to read nothing but its own shard of it.

Only what could have been made small counts: broadcasts, iotas, constants and what works on elements, made of tensors
that have half as many elements at most. Of the rest, as of a sum that all devices have, a slice may be all that is
needed.
"""

from __future__ import annotations

from math import prod

from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.module import Module

_MAKING = frozenset(
    f"stablehlo.{name}" for name in ("broadcast", "broadcast_in_dim", "constant", "iota", "reshape", "transpose")
)


def made_whole(module: Module) -> list[str]:
    """What is made as a whole and only sliced by each device for itself, as ``type made by operation``."""
    found = []
    devices: dict[Value, bool] = {}
    for op in module.op.operations():
        if len(op.results) != 1 or not _is_making(op):
            continue
        (value,) = op.results
        size, users = _size(value), list(value.users)
        if not users or not all(_is_own_shard(user, value, devices) for user in users):
            continue
        if 2 * max(map(_size, (user.results[0] for user in users))) <= size:
            sources: set[Value] = set()
            _collect(value, sources, set())
            if 2 * sum(map(_size, sources)) <= size:
                found.append(f"{value.type} made by {op.name}")
    return found


def _is_making(op: Operation) -> bool:
    if op.name == "stablehlo.constant":
        value = op.properties.get("value")
        return isinstance(value, DenseElementsAttr) and value.is_splat
    return op.name in _MAKING or bool(op.traits & ELEMENTWISE)


def _is_own_shard(user: Operation, value: Value, devices: dict[Value, bool]) -> bool:
    return (
        user.name == "stablehlo.dynamic_slice"
        and user.operands[0] is value
        and any(_tells_devices_apart(start, devices) for start in list(user.operands)[1:])
    )


def _tells_devices_apart(value: Value, known: dict[Value, bool]) -> bool:
    if value not in known:
        op = value.defining_op
        known[value] = op is not None and (
            op.name == "stablehlo.partition_id" or any(_tells_devices_apart(one, known) for one in op.operands)
        )
    return known[value]


def _collect(value: Value, sources: set[Value], seen: set[Value]) -> None:
    """What ``value`` is made of in the end."""
    if value in seen:
        return
    seen.add(value)
    op = value.defining_op
    if op is None or not _is_making(op):
        sources.add(value)
        return
    for operand in op.operands:
        _collect(operand, sources, seen)


def _size(value: Value) -> int:
    return prod(value.type.shape) if isinstance(value.type, TensorType) else 0
