"""Donated arguments, and the values that a loop carries: their buffers take results.

If an operation reads a donated argument, and the result that takes over its buffer does not depend on that operation,
the result could be written before the argument is read. XLA then copies the argument, even if its schedule happens to
read the argument first. The same holds for a value that a loop carries, and the value of the next iteration: after the
copy the buffer is unused until the new value is written.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pyshardy.dialects.func import all_argument_attributes, arguments_attributes
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.operation import Block, BlockArgument, Operation, Value
from pyshardy.partitioning.account.buffer_aliases import buffer_owner
from pyshardy.partitioning.account.kernels import Kernels, OperandKernels, read_by

_ALIASED = "tf.aliasing_output"
_DONATED = ("jax.buffer_donor", _ALIASED)
"""Attributes of donated arguments."""


def donated_arguments(entry: Operation) -> list[BlockArgument]:
    """The donated arguments of ``entry``."""
    return [
        value
        for value, attributes in zip(entry.body.arguments, all_argument_attributes(entry), strict=True)
        if any(name in attributes.entries for name in _DONATED)
    ]


def copied_donated_arguments(entry: Operation) -> frozenset[BlockArgument]:
    """The donated arguments of ``entry`` that are copied: an operation reads them on which the result in their buffer
    does not depend, so that the result may be written before."""
    body = entry.body
    returned = list(map(buffer_owner, body.terminator.operands))
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


def copied_carried_arguments(
    body: Block, operations: Sequence[Operation], fused: Collection[Value]
) -> dict[Operation, list[BlockArgument]]:
    """The arguments of ``body``, of a loop, that are copied: a kernel reads them on which the value of the next
    iteration does not depend. They are listed by the operation that makes that value. ``operations`` are those of the
    body; the values ``fused`` have no buffers."""
    pairs: list[tuple[BlockArgument, Operation]] = []
    for argument, returned in zip(body.arguments, body.terminator.operands, strict=False):
        made = buffer_owner(returned).defining_op
        if made is not None and made.parent is body:
            pairs.append((argument, made))
    if len(pairs) < 2:
        return {}
    kernels = Kernels(operations, fused, set(body.arguments), OperandKernels())
    waits: dict[Operation, int] = {}
    for bit, (_, made) in enumerate(pairs):
        waits[made] = waits.get(made, 0) | 1 << bit
    readers: dict[BlockArgument, list[Operation]] = {}
    for op in reversed(operations):
        if op is body.terminator or kernels.is_fused(op):
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
    """The operation of ``body`` that is ``op`` or has ``op`` in a region."""
    return next((one for one in (op, *op.ancestors()) if one.parent is body), op)
