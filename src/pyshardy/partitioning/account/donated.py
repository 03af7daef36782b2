"""The arguments that a program is given for good, and what a loop carries: their memory has room for results.

Where an operation reads such an argument, and the result in its room need not wait for that, either may run first: XLA
copies the argument then, whatever order it finds later. In a loop the room is empty until the result is made.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pyshardy.dialects.func import arguments_attributes
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.operation import Block, BlockArgument, Operation, Value
from pyshardy.partitioning.account.depth_first import Kernels, read_by
from pyshardy.partitioning.account.fusion import value_in_memory

_ALIASED = "tf.aliasing_output"
_DONATED = ("jax.buffer_donor", _ALIASED)
"""Attributes of arguments whose memory the program may have."""


def donated_arguments(entry: Operation) -> list[BlockArgument]:
    """The arguments of ``entry`` whose memory the program may have."""
    return [
        value
        for value in entry.body.arguments
        if any(name in arguments_attributes(entry, value.index) for name in _DONATED)
    ]


def donated_and_read_later(entry: Operation) -> frozenset[BlockArgument]:
    """The donated arguments of ``entry`` that an operation reads that the result in their room does not wait for: as
    either may run first, they are copied."""
    body = entry.body
    returned = list(map(value_in_memory, body.terminator.operands))
    pairs, free = [], list(range(len(returned)))
    for value in donated_arguments(entry):
        named = arguments_attributes(entry, value.index).get(_ALIASED)
        number = named.value if isinstance(named, IntegerAttr) else None
        if number is None:
            number = next((one for one in free if returned[one].type == value.type), None)
        if number in free:
            free.remove(number)
            pairs.append((value, returned[number]))
    if not pairs:
        return frozenset()
    waits: dict[Operation, int] = {}
    for bit, (_, result) in enumerate(pairs):
        if result.defining_op is not None:
            waits[result.defining_op] = waits.get(result.defining_op, 0) | 1 << bit
    for op in reversed(list(body)):
        for read in read_by(op) if op in waits else ():
            if read.defining_op is not None:
                waits[read.defining_op] = waits.get(read.defining_op, 0) | waits[op]
    return frozenset(
        value
        for bit, (value, result) in enumerate(pairs)
        if result is not value and any(not waits.get(_within(body, user), 0) >> bit & 1 for user in value.users)
    )


def carried_and_read_later(
    body: Block, operations: Sequence[Operation], passing: Collection[Value]
) -> dict[Operation, list[BlockArgument]]:
    """The arguments of ``body``, of a loop, that a kernel reads which the value for the next turn does not wait for, by
    the operation that makes that value. ``operations`` are those of the body, and what is ``passing`` does not stand
    in memory."""
    pairs: list[tuple[BlockArgument, Operation]] = []
    for argument, returned in zip(body.arguments, body.terminator.operands, strict=False):
        made = value_in_memory(returned).defining_op
        if made is not None and made.parent is body:
            pairs.append((argument, made))
    if len(pairs) < 2:
        return {}
    kernels = Kernels(operations, passing, set(body.arguments))
    waits: dict[Operation, int] = {}
    for bit, (_, made) in enumerate(pairs):
        waits[made] = waits.get(made, 0) | 1 << bit
    readers: dict[BlockArgument, list[Operation]] = {}
    for op in reversed(operations):
        if op is body.terminator or kernels.passes(op):
            continue
        for read in kernels.reads(op):
            if isinstance(read, Operation):
                waits[read] = waits.get(read, 0) | waits.get(op, 0)
            elif isinstance(read, BlockArgument):
                readers.setdefault(read, []).append(op)
    found: dict[Operation, list[BlockArgument]] = {}
    for bit, (argument, made) in enumerate(pairs):
        if any(not waits.get(op, 0) >> bit & 1 for op in readers.get(argument, ())):
            found.setdefault(made, []).append(argument)
    return found


def _within(body: Block, op: Operation) -> Operation:
    """The operation of ``body`` that ``op`` is, or is in."""
    return next((one for one in (op, *op.ancestors()) if one.parent is body), op)
