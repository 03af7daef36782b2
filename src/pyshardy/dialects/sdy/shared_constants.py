"""Recognises constants that have a copy for each use while a program is propagated, and are merged again afterwards.

``passes.importing.constant_or_scalar_splitter`` copies them, and values that are computed from constants alone;
``passes.exporting.constant_or_scalar_merger`` merges them. Propagation by few layers and the spreading of layouts must
know them.
"""

from __future__ import annotations

from pyshardy.ir.opdef import CONSTANT_LIKE
from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import foreign_row, op_definition
from pyshardy.ir.types import TensorType

_BROADCAST = "stablehlo.broadcast_in_dim"


def may_be_shared_constant(name: str) -> bool:
    """Whether some operations called ``name`` are such constants."""
    definition = op_definition(name)
    is_constant = definition is not None and bool(definition.traits & CONSTANT_LIKE)
    return is_constant or name in ("sdy.constant", _BROADCAST)


def is_foreign_constant(op: Operation) -> bool:
    """Whether ``op`` is a constant of a foreign dialect."""
    return bool(op.traits & CONSTANT_LIKE) and not op.operands and foreign_row(op.name) is not None


def is_shared_constant(op: Operation) -> bool:
    """Whether ``op`` is a constant, or the broadcast of a scalar."""
    if not op.operands:
        return may_be_shared_constant(op.name)
    type = op.operands[0].type
    return op.name == _BROADCAST and isinstance(type, TensorType) and not type.shape
