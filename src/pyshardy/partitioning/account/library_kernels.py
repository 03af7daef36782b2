"""Matrix products that XLA's CPU backend computes in the kernel of a reduction, with all that is between.

A library computes sums and maxima of floats, and with them what they are computed from: matrix products, elementwise
operations and broadcasts, as long as nothing else reads these. A network without gradients that ends in a sum is one
kernel: no activation has a buffer, and all weights live until it has run. If the operand of the reduction is read by
one more operation, together with the broadcast result of the reduction, that operation belongs to the kernel, too, and
an elementwise one that alone reads its result: the scores of attention, their maximum and the exponentials of their
differences are one kernel, of which the exponentials have a buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush

from pyshardy.ir.opdef import CONSTANT_LIKE, ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import Operation, OpResult, Value
from pyshardy.ir.types import FloatType, TensorType, element_count
from pyshardy.partitioning.account.fusible import PRODUCT, REDUCTION
from pyshardy.rules.properties import integers

_Works = Callable[[Operation], bool]
"""Whether the function that an operation calls works element by element."""

_RESHAPE = "stablehlo.reshape"
_BROADCAST = "stablehlo.broadcast_in_dim"
_SUMS = frozenset(f"stablehlo.{name}" for name in ("add", "maximum", "minimum"))
_SUMMED_BY_LIBRARY = ("f32", "bf16")
_FEWEST_ELEMENTS = 4096
"""The library reduces tensors of at least so many elements."""
_WINDOW = 32
"""Other reductions along a dimension with more elements run in two steps, the first in windows of this size."""
_NOT_IN_LIBRARY = frozenset({"stablehlo.clamp", "stablehlo.select"})


def is_of_library(op: Operation) -> bool:
    """Whether a library does the reduction ``op`` in XLA's CPU backend."""
    type = op.operands[0].type
    element = type.element if isinstance(type, TensorType) else None
    if not isinstance(element, FloatType) or element.name not in _SUMMED_BY_LIBRARY:
        return False
    if len(op.results) > 1 or element_count(type) < _FEWEST_ELEMENTS:
        return False
    inside = [one.name for block in op.regions[0].blocks for one in block]
    return len(inside) == 2 and inside[0] in _SUMS


def is_in_windows(op: Operation) -> bool:
    """Whether XLA's CPU backend computes the reduction ``op``, if the library does not, in two steps."""
    type = op.operands[0].type
    if len(op.results) > 1 or not isinstance(type, TensorType):
        return False
    return any(type.shape[dim] > _WINDOW for dim in integers(op, "dimensions"))


def library_kernels(operations: Sequence[Operation], works: _Works) -> dict[Operation, Operation]:
    """Maps those of ``operations``, all of one block in order, that the library fuses into one kernel with a reduction
    and a matrix product, to the operation whose result that kernel writes. ``works`` says whether a function that is
    called works element by element."""
    if not any(op.name == PRODUCT for op in operations):
        return {}
    places = {op: place for place, op in enumerate(operations)}
    found: dict[Operation, Operation] = {}
    for op in operations:
        if op.name == REDUCTION and is_of_library(op):
            kernel = _kernel_of(op, operations, places, works, found)
            if any(one.name == PRODUCT for one in kernel):
                root = max(kernel, key=places.__getitem__)
                found.update(dict.fromkeys(kernel, root))
    return found


def _kernel_of(
    reduction: Operation,
    operations: Sequence[Operation],
    places: Mapping[Operation, int],
    works: _Works,
    taken: Collection[Operation],
) -> set[Operation]:
    """The operations of the kernel of ``reduction``, but those ``taken`` by another one."""
    begun = [reduction, *_readers_with_operand(reduction, places, works)]
    kernel = set(begun)
    # From the last operation to the first one, since an operation belongs to the kernel if all its readers do.
    waiting = [-places[one] for op in begun for one in _producers(op, places)]
    heapify(waiting)
    while waiting:
        op = operations[-heappop(waiting)]
        if op in kernel or op in taken or not _is_supported(op, works):
            continue
        if all(user in kernel for result in op.results for user in result.users):
            kernel.add(op)
            for one in _producers(op, places):
                heappush(waiting, -places[one])
    return kernel


def _readers_with_operand(reduction: Operation, places: Collection[Operation], works: _Works) -> list[Operation]:
    """The operations that broadcast the result of ``reduction`` and combine it with its operand, and an elementwise
    operation that alone reads the result of these; none, if the result has other readers."""
    found: list[Operation] = []
    reader = _only_reader(reduction, places)
    while reader is not None:
        found.append(reader)
        if reader.name not in (_BROADCAST, _RESHAPE) and not _is_bounded(reader):
            break
        reader = _only_reader(reader, places)
    if reader is None or len(found) < 2 or reduction.operands[0] not in reader.operands:
        return []
    if not _is_elementwise(reader, works):
        return []
    after = _only_reader(reader, places)
    if after is not None and len(after.operands) == 1 and _is_elementwise(after, works):
        found.append(after)
    return found


def _only_reader(op: Operation, places: Collection[Operation]) -> Operation | None:
    """The operation of the block that alone reads the result of ``op``, once; None if there is no such."""
    result = op.results[0]
    user = next(iter(result.users)) if result.has_one_use else None
    return user if user in places else None


def _is_bounded(op: Operation) -> bool:
    """Whether ``op`` is a maximum with a constant: ``jax.nn.softmax`` takes that with minus infinity, and compilers
    leave it out."""
    return op.name == "stablehlo.maximum" and any(_is_constant(value) for value in op.operands)


def _is_constant(value: Value) -> bool:
    made = value.defining_op
    while made is not None and made.name == _BROADCAST:
        made = made.operands[0].defining_op
    return made is not None and bool(made.traits & CONSTANT_LIKE)


def _producers(op: Operation, places: Mapping[Operation, int]) -> set[Operation]:
    """The operations of the block that make operands of ``op``."""
    return {value.owner for value in op.operands if isinstance(value, OpResult) and value.owner in places}


def _is_supported(op: Operation, works: _Works) -> bool:
    is_moved = op.name in (PRODUCT, _RESHAPE, _BROADCAST)
    return is_moved or bool(op.traits & CONSTANT_LIKE) or _is_elementwise(op, works)


def _is_elementwise(op: Operation, works: _Works) -> bool:
    """Whether ``op`` works on floats element by element, or calls a function that does."""
    if len(op.results) != 1 or op.traits & TERMINATOR or op.name in _NOT_IN_LIBRARY:
        return False
    type = op.results[0].type
    if not isinstance(type, TensorType) or not isinstance(type.element, FloatType):
        return False
    return works(op) if op.name == "func.call" else bool(op.traits & ELEMENTWISE)
