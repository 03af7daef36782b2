"""Finds the values that comparisons, roundings and maxima depend on: only these need doubles.

All other values (the gradients of a training step, as a rule) need residues only.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy.names import IDENTITIES
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.ir.opdef import COLLECTIVE
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import ComplexType, FloatType, TensorType

_UNDECIDED = """
add broadcast broadcast_in_dim complex concatenate constant convert convolution cosine divide dot dot_general
dynamic_slice dynamic_update_slice exponential exponential_minus_one gather imag iota log log_plus_one logistic
multiply negate optimization_barrier pad real reduce reduce_precision reduce_window reshape reverse rsqrt scatter
select sine slice sqrt subtract tanh transpose while if case return
"""
UNDECIDED = (
    {f"stablehlo.{name}" for name in _UNDECIDED.split()}
    | {name for name, row in DIALECT.definitions.items() if row.traits & COLLECTIVE}
    | set(IDENTITIES)
    | {"chlo.square", "func.call", "func.return", "sdy.return", "sdy.manual_computation", "sdy.named_computation"}
)
"""Operations that compute the same whatever the doubles of their operands are. Bodies decide for themselves."""


def deciding_values(module: Operation) -> set[Value]:
    """The floats and complex numbers of ``module`` whose doubles something depends on."""
    functions = functions_by_name(module)
    calls: dict[Operation, list[Operation]] = {}
    waiting: list[Value] = []
    for op in module.walk():
        if op.name == "func.call" and callee(op) in functions:
            calls.setdefault(functions[callee(op)], []).append(op)
        if op.name not in UNDECIDED or _makes_integers(op):
            waiting.extend(op.operands)
    found: set[Value] = set()
    while waiting:
        value = waiting.pop()
        if value in found:
            continue
        found.add(value)
        if isinstance(value, OpResult):
            waiting.extend(_sources(value, functions))
        elif isinstance(value, BlockArgument):
            above = value.owner.parent_op
            if above is not None and above.name == "func.func":
                waiting.extend(call.operands[value.index] for call in calls.get(above, ()))
            elif above is not None:
                waiting.extend(_everything_in(above))
    return {value for value in found if is_float(value)}


def _sources(value: OpResult, functions: dict[str, Operation]) -> Iterable[Value]:
    op = value.owner
    called = functions.get(callee(op)) if op.name == "func.call" else None
    if called is not None and not called.regions[0].empty:
        return [*op.operands, called.body.terminator.operands[value.index]]
    return _everything_in(op) if op.regions else op.operands


def _everything_in(op: Operation) -> Iterable[Value]:
    return [operand for inner in op.walk() for operand in inner.operands]


def _makes_integers(op: Operation) -> bool:
    """Whether a conversion rounds to integers."""
    return op.name == "stablehlo.convert" and not is_float(op.results[0])


def decides(op: Operation) -> bool:
    """Whether what ``op`` makes depends on the doubles of floats that it reads."""
    if op.name in UNDECIDED and not _makes_integers(op):
        return False
    return any(map(is_float, op.operands))


def is_float(value: Value) -> bool:
    """Whether it is of floats or complex numbers."""
    element = value.type.element if isinstance(value.type, TensorType) else value.type
    return isinstance(element, FloatType | ComplexType)
