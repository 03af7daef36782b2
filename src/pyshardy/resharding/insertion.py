"""Creates reshards and collectives of the ``sdy`` dialect, and the points where they are inserted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyshardy.dialects.sdy.names import REDUCING_COLLECTIVES
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, IntegerAttr
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.types import I32
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.lists import AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.tensor import TensorSharding

REDUCTIONS = ("sum", "max", "min")
"""The reductions of an all-reduce or reduce-scatter, in the order of the property ``reduction_op``."""


class InsertionPoint:
    """A position between two operations. Operations inserted there are in the order of insertion."""

    __slots__ = ("_block", "_following")

    def __init__(self, block: Block, following: Operation | None) -> None:
        self._block = block
        self._following = following

    @classmethod
    def before(cls, op: Operation) -> InsertionPoint:
        """Directly before ``op``."""
        assert op.parent is not None
        return cls(op.parent, op)

    @classmethod
    def after(cls, op: Operation) -> InsertionPoint:
        """Directly after ``op``."""
        assert op.parent is not None
        return cls(op.parent, op.next_op)

    @classmethod
    def after_definition(cls, value: Value) -> InsertionPoint:
        """Directly after the operation that defines ``value``, or at the start of the block whose argument it is."""
        definition = value.defining_op
        if definition is not None:
            return cls.after(definition)
        block = value.parent_block
        assert block is not None
        return cls(block, block.first)

    def insert(self, op: Operation) -> Value:
        """Puts ``op`` here and returns its result."""
        if self._following is None:
            rewriting.append(self._block, op)
        else:
            rewriting.insert_before(self._following, op)
        return op.result


def _create(name: str, value: Value, user: Operation, **properties: Attribute) -> Operation:
    return rewriting.create(name, [value], [value.type], DictionaryAttr(properties), location=user.location)


def reshard(value: Value, sharding: TensorSharding, user: Operation) -> Operation:
    """``sdy.reshard`` of ``value``, with the location of ``user``."""
    return _create("sdy.reshard", value, user, sharding=sharding)


def all_reduce(
    value: Value, axes: Iterable[AxisRef], out_sharding: TensorSharding, user: Operation, kind: str = "sum"
) -> Operation:
    """``sdy.all_reduce`` of ``value`` over ``axes``, by ``sum``, ``max`` or ``min``."""
    return collective(value, "sdy.all_reduce", ("reduction_axes", AxisRefList(axes)), out_sharding, user, kind)


def collective(
    value: Value,
    name: str,
    axes: tuple[str, Attribute] | None,
    out_sharding: TensorSharding,
    user: Operation,
    kind: str = "sum",
) -> Operation:
    """The collective ``name`` of ``value`` with the property ``axes``; ``kind`` is the reduction, if it has one."""
    named = dict([axes]) if axes is not None else {}
    op = _create(name, value, user, out_sharding=out_sharding, **named)
    if kind != "sum" and name in REDUCING_COLLECTIVES:
        rewriting.set_properties(op, op.properties.with_("reduction_op", IntegerAttr(REDUCTIONS.index(kind), I32)))
    return op


def replicated_to_unreduced(
    value: Value, axes: Iterable[AxisRef], out_sharding: TensorSharding, user: Operation
) -> Operation:
    """``sdy.replicated_to_unreduced``: one device along ``axes`` keeps ``value``, the others hold zeros."""
    return _create("sdy.replicated_to_unreduced", value, user, axes=AxisRefList(axes), out_sharding=out_sharding)


def sharded_to_unreduced(
    value: Value, axes: Sequence[Sequence[AxisRef]], out_sharding: TensorSharding, user: Operation
) -> Operation:
    """``sdy.sharded_to_unreduced``: each device along the ``axes`` of a dimension pads its shard with zeros."""
    return _create("sdy.sharded_to_unreduced", value, user, axes=ListOfAxisRefLists(axes), out_sharding=out_sharding)
