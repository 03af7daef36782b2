"""Which operations can be part of a kernel with others, by their kind.

An operation that *reads elements* can be computed in one kernel with those that make its operands: each element of the
result needs single elements of them. An operation that *makes elements* can be computed in the kernel of its readers;
if it is *cheap*, in several kernels, in each again. ``fusion`` decides with these which values have no buffers.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.sdy.shared_constants import is_foreign_constant
from pyshardy.dialects.stablehlo.attributes import DotDimensionNumbers
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.opdef import DATA_MOVEMENT, ELEMENTWISE, EXPENSIVE, TERMINATOR
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.registry import foreign_rows
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.account.buffer_aliases import ALIASES, has_tensors_inside

TRANSPOSE, PRODUCT, REDUCTION = "stablehlo.transpose", "stablehlo.dot_general", "stablehlo.reduce"
DIVIDE = "stablehlo.divide"
CONCATENATE, ALL_TO_ALL, _BIT_CAST = "stablehlo.concatenate", "stablehlo.all_to_all", "stablehlo.bitcast_convert"
_LONG_ROW = 128
"""XLA's CPU backend joins rows of at least so many elements by copying their pieces."""
BROADCASTING = frozenset(f"stablehlo.{name}" for name in ("broadcast", "broadcast_in_dim", "iota"))
MOVING = frozenset(
    f"stablehlo.{name}" for name in ("concatenate", "dynamic_slice", "gather", "pad", "reverse", "slice", "transpose")
)
"""Operations whose result elements are elements of an operand at other positions."""
_READING = BROADCASTING | MOVING | {REDUCTION}
"""Operations that, besides elementwise ones, read operands element by element and so can be fused with their
producers."""


_ROLES: dict[str, tuple[bool, bool, bool]] = {}


def roles_by_name() -> dict[str, tuple[bool, bool, bool]]:
    """A cache that the caller fills: for names of operations ``reads_elements``, ``makes_elements`` and ``is_cheap``.
    It is new, and empty, while foreign dialects are registered, which may be replaced."""
    return {} if foreign_rows() else _ROLES


def reads_elements(op: Operation) -> bool:
    """Whether ``op`` reads its operands element by element; but see ``is_elementwise_here``."""
    return bool(op.traits & ELEMENTWISE or op.name in _READING) and not op.traits & TERMINATOR


def makes_elements(op: Operation) -> bool:
    """Whether one kernel that reads the result of ``op`` can compute it."""
    return is_cheap(op) or op.name in MOVING or bool(op.traits & ELEMENTWISE)


def is_cheap(op: Operation) -> bool:
    """Whether several kernels can compute the result of ``op``, each again."""
    if op.name in BROADCASTING or op.name == TRANSPOSE or op.name == "stablehlo.constant" or is_foreign_constant(op):
        return True
    if op.name in MOVING or not op.traits & ELEMENTWISE:
        return False
    return not op.traits & EXPENSIVE or divides_by_broadcast(op)


def divides_by_broadcast(op: Operation) -> bool:
    """Whether ``op`` divides by a broadcast: XLA multiplies by the broadcast reciprocals, which is cheap."""
    made = op.operands[1].defining_op if op.name == DIVIDE else None
    return made is not None and made.name in BROADCASTING and bool(made.operands)


def is_elementwise_here(op: Operation) -> bool:
    """Whether ``op`` is elementwise though others of its name are not: a product that sums over no dimension, which
    compilers turn into a multiplication, or a bit cast between elements of one width."""
    if op.name not in MAY_BE_ELEMENTWISE:
        return False
    if op.name == _BIT_CAST:
        before, after = op.operands[0].type, op.results[0].type
        return isinstance(before, TensorType) and isinstance(after, TensorType) and before.shape == after.shape
    numbers, type = op.properties.get("dot_dimension_numbers"), op.operands[0].type
    if not isinstance(numbers, DotDimensionNumbers) or not isinstance(type, TensorType):
        return False
    return all(type.shape[dim] == 1 for dim in numbers.lhs_contracting)


MAY_BE_ELEMENTWISE = frozenset({PRODUCT, _BIT_CAST})
"""The names of operations for which ``is_elementwise_here`` has to be asked."""


def makes_long_rows(op: Operation) -> bool:
    """Whether the concatenation ``op`` makes long rows: it is along the last of several dimensions."""
    along, type = op.properties.get("dimension"), op.results[0].type
    if not isinstance(along, IntegerAttr) or not isinstance(type, TensorType) or len(type.shape) < 2:
        return False
    return along.value == len(type.shape) - 1 and type.shape[-1] >= _LONG_ROW


def has_several_non_broadcasts(values: Sequence[Value]) -> bool:
    """Whether ``values`` has several different ones that are neither broadcasts nor constants."""
    return sum([not _is_broadcast(value) for value in dict.fromkeys(values)]) > 1


def _is_broadcast(value: Value) -> bool:
    made = value.defining_op
    return made is not None and (made.name in BROADCASTING or made.name == "stablehlo.constant")


def fused_operations(operations: Sequence[Operation]) -> set[Operation]:
    """The operations, of ``operations``, all of one block in order, that compilers put into the kernel of an operation
    that reads them, whether or not their results also have buffers: elementwise operations, reductions and operations
    that move elements, if a reader is one of these, too."""
    found: set[Operation] = set()
    readable: set[Value] = set()
    by_name: dict[str, bool] = {}
    for op in reversed(operations):
        joins = by_name.get(op.name)
        if joins is None:
            joins = by_name[op.name] = _joins_kernels(op)
        if not joins:
            continue
        results = op.results
        if results[0] in readable if len(results) == 1 else not readable.isdisjoint(results):
            found.add(op)
        readable.update(op.operands)
    return found


def _joins_kernels(op: Operation) -> bool:
    if op.traits & TERMINATOR or has_tensors_inside(op):
        return False
    return bool(op.traits & (ELEMENTWISE | DATA_MOVEMENT)) or op.name in _READING or op.name in ALIASES
