"""Detection: slices that take one element of a tensor for each layer, so that layers may differ in which.

``keys = jax.random.split(key, 24)`` makes a key for each layer, and layer 7 reads ``keys[7]``: a slice, whose start is
one of its properties. Such a slice in the function that has the layers is *free*, because no stage looks at its start,
if

- it takes one element along one dimension, and all along the others. The partitioner shards no dimension of one
  element, so it chooses layouts without the start. It takes the slice as it is, or what it emits instead has the start
  in a constant, so that layers are unlike in the result;
- only reshapes read it, and only such slices read its operand. So no stage joins it with another operation, as with a
  concatenation or a pad, or weighs layouts of the operand (``partitioning.clusters``);
- the partitioner, which makes one slice of equal ones, finds equal ones at the same places of a layer only:
  ``comparison`` tests that;
- its operand depends on an argument of the function, so that no stage knows the elements.
"""

from __future__ import annotations

from pyshardy.emitting.builder import i64_array
from pyshardy.folding.detecting.repeats import FEWEST_REPEATS
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Block, BlockArgument, Operation, Value
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.types import TensorType
from pyshardy.rules.properties import integers

SLICE = "stablehlo.slice"
_START, _LIMIT = "start_indices", "limit_indices"
_RESHAPE = "stablehlo.reshape"
_FAR = 256
"""An operand is not taken for one that depends on an argument if none is found among so many operations before it."""


class FreeSlices:
    """The free slices that stand in ``body``; ``kinds`` are those of all operations of the program."""

    def __init__(self, kinds: OperationKinds, body: Block) -> None:
        self.starts: dict[Operation, tuple[int, int]] = {}
        """The dimension along which each takes one element, and which. The program may have been changed when it is
        asked for."""
        dims = {
            kind: dim
            for kind, op in enumerate(kinds.examples)
            if op.name == SLICE and (dim := _dim_of_one_element(op)) is not None
        }
        self.groups: dict[tuple[Value, int], list[Operation]] = {}
        """Those that are equal: that take the same element of the same value."""
        # Each layer has a slice of its own, or more.
        if len(dims) < FEWEST_REPEATS:
            return
        found = {op: dims[kind] for kind, op in zip(kinds.numbers, kinds.operations, strict=True) if kind in dims}
        by_operand: dict[Value, list[Operation]] = {}
        for op in found:
            by_operand.setdefault(op.operands[0], []).append(op)
        for operand, readers in by_operand.items():
            dim = found[readers[0]]
            starts = [_start(op, dim) for op in readers]
            if (
                len({*starts}) >= FEWEST_REPEATS
                and len(readers) == len(operand._uses)
                and all(found[op] == dim and op.parent is body and _is_reshaped(op.result) for op in readers)
                and _depends_on_argument(operand, body)
            ):
                for op, start in zip(readers, starts, strict=True):
                    self.starts[op] = dim, start
                    self.groups.setdefault((operand, start), []).append(op)

    def is_copy(self, op: Operation, source: Operation) -> bool:
        """Whether ``op`` takes the element that ``source`` takes, if that is a free slice."""
        if source not in self.starts or op.name != SLICE:
            return False
        dim, start = self.starts[source]
        return _dim_of_one_element(op) == dim and _start(op, dim) == start

    def common(self, op: Operation, source: Operation) -> DictionaryAttr:
        """The properties of ``op``, a copy of ``source``, that have to be those of other layers."""
        return _with_start(op, self.starts[source][0], 0)

    def properties(self, op: Operation, other: Operation) -> DictionaryAttr | None:
        """The properties of ``op``, a copy of a free slice, with the start of ``other``; None if that is none."""
        return _with_start(op, *self.starts[other]) if other in self.starts else None


def _dim_of_one_element(op: Operation) -> int | None:
    """The dimension along which ``op``, a slice, takes one element, and all along the others; None if there is none."""
    before, after = op.operands[0].type, op.result.type
    if not isinstance(before, TensorType) or not isinstance(after, TensorType):
        return None
    cut = [dim for dim, sizes in enumerate(zip(before.shape, after.shape, strict=True)) if sizes[0] != sizes[1]]
    return cut[0] if len(cut) == 1 and after.shape[cut[0]] == 1 and {*integers(op, "strides")} == {1} else None


def _is_reshaped(value: Value) -> bool:
    """Whether only reshapes read ``value``."""
    return all(user.name == _RESHAPE for user, _ in value._uses)


def _start(op: Operation, dim: int) -> int:
    return integers(op, _START)[dim]


def _with_start(op: Operation, dim: int, start: int) -> DictionaryAttr:
    starts, limits = list(integers(op, _START)), list(integers(op, _LIMIT))
    starts[dim], limits[dim] = start, start + 1
    return op.properties.with_(_START, i64_array(starts)).with_(_LIMIT, i64_array(limits))


def _depends_on_argument(value: Value, body: Block) -> bool:
    """Whether ``value`` is an argument of the function with this ``body``, or is computed from one."""
    seen = {value}
    pending = [value]
    for one in pending:
        if isinstance(one, BlockArgument):
            return one.owner is body
        if len(pending) > _FAR:
            return False
        made = one.defining_op
        for operand in made.operands if made is not None else ():
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return False
