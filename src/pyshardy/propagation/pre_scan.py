"""One walk over a module before propagation: collects its operations, and those that need special treatment.

A large program does not fit into the processor's caches, so every walk over it takes a noticeable part of the time;
this walk collects everything that the parts of propagation need of all operations.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.every_sharding import may_hold_shardings
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import DATA_FLOW, TERMINATOR
from pyshardy.ir.operation import Operation, Signature
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.types import ShapedType, TupleType, Type
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.sharding.rule import SHARDING_RULE


class PreScan:
    """The ``operations`` in ``module`` in program order; of them those that may hold shardings (``holding``), that
    carry a sharding rule (``ruled``) and that put values into groups (``grouping``, with the group's number).
    ``indirect`` are the names of the operations that pass an operand to an edge or another function.

    Propagation works on ranked tensors with a static shape.

    Raises:
        PassFailure: an operation has a result of another shape, or a tuple.
    """

    __slots__ = ("grouping", "holding", "indirect", "operations", "ruled")

    def __init__(self, module: Operation, context: Context) -> None:
        self.operations = operation_index(module, context).operations[1:]
        self.holding: list[Operation] = [module]
        self.ruled: list[Operation] = []
        self.grouping: list[tuple[int, Operation]] = []
        self.indirect: set[str] = set()
        known: set[Signature] = set()
        holding = self.holding.append
        for op in self.operations:
            signature = op.signature
            # Operations with one signature have one name, the same types, and at first the same attributes.
            if signature is not None:
                if signature in known and op.attributes is signature.attributes:
                    if op.attributes.entries:
                        holding(op)
                    continue
                if self._look(op, context, module):
                    known.add(signature)
            else:
                self._look(op, context, module)

    def _look(self, op: Operation, context: Context, module: Operation) -> bool:
        """Classifies ``op``, and returns whether of others with its signature only the attributes need to be looked
        at."""
        if not all(_is_fine(result.type) for result in op.results):
            _refuse(module, context)
        name, alike = op.name, True
        if op.traits & (TERMINATOR | DATA_FLOW) or name == "func.call":
            self.indirect.add(name)
        if may_hold_shardings(op):
            self.holding.append(op)
            alike = bool(op.attributes.entries)
        if SHARDING_RULE in op.attributes.entries:
            self.ruled.append(op)
            alike = False
        if name == "sdy.sharding_group":
            group = op.properties.get("group_id")
            if isinstance(group, IntegerAttr):
                self.grouping.append((group.value, op))
            alike = False
        return alike


def _refuse(module: Operation, context: Context) -> None:
    for op in module.walk_postorder():
        for result in op.results:
            if _is_fine(result.type):
                continue
            if isinstance(result.type, TupleType):
                message = "Shardy propagation doesn't support tuples: "
            else:
                message = "Shardy propagation only supports ranked tensors with a static shape. type: "
            emit_at(context, "error", op, f"{message}'{result.type}'")
            raise PassFailure


def _is_fine(type: Type) -> bool:
    return not isinstance(type, TupleType) and not (isinstance(type, ShapedType) and not type.has_static_shape)
