"""The trip count of a ``stablehlo.while`` whose counter goes from a constant to a constant.

JAX writes ``scan`` and ``fori_loop`` like that: the condition compares a carried scalar with a constant, the body adds
a constant to it. How often operations and functions run follows from trip counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy.names import CONSTANTS
from pyshardy.dialects.sdy.region_flow import Loop
from pyshardy.ir.attributes import EnumAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Block, BlockArgument, Operation, OpResult, Value
from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.ir.types import IntegerType, TensorType
from pyshardy.plugins import PluginProblem, place_of

WHILE = "stablehlo.while"

_MIRRORED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "NE": "NE"}


def _up_to(distance: int, step: int) -> int | None:
    return max(0, -(-distance // step)) if step > 0 else (0 if distance <= 0 else None)


def _until(distance: int, step: int) -> int | None:
    if not distance:
        return 0
    return distance // step if step and distance % step == 0 and distance // step > 0 else None


_TRIP_COUNTS: dict[str, Callable[[int, int], int | None]] = {
    "LT": _up_to,
    "LE": lambda distance, step: _up_to(distance + 1, step),
    "GT": lambda distance, step: _up_to(-distance, -step),
    "GE": lambda distance, step: _up_to(1 - distance, -step),
    "NE": _until,
}
"""Direction of the comparison → (limit - start, step) → trip count; None if the loop does not end so."""


def trip_count(loop: Operation) -> int | None:
    """How often the body of ``loop`` runs, a ``stablehlo.while`` or a loop of a foreign dialect; None if that is
    not known.

    >>> from pyshardy import parse
    >>> module = parse('''func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    ...   %zero = stablehlo.constant dense<0> : tensor<i32>
    ...   %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
    ...   cond {
    ...     %limit = stablehlo.constant dense<10> : tensor<i32>
    ...     %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    ...     stablehlo.return %more : tensor<i1>
    ...   } do {
    ...     %step = stablehlo.constant dense<3> : tensor<i32>
    ...     %next = stablehlo.add %i, %step : tensor<i32>
    ...     stablehlo.return %next, %y : tensor<i32>, tensor<4xf32>
    ...   }
    ...   return %0#1 : tensor<4xf32>
    ... }''')
    >>> [trip_count(op) for op in module.op.walk() if op.name == "stablehlo.while"]
    [4]
    """
    if loop.name != WHILE:
        return _trip_count_by_row(loop)
    condition, body = (region.blocks[0] for region in loop.regions)
    comparison = _made_by(condition.terminator.operands[0], "stablehlo.compare")
    if comparison is None:
        return None
    direction = _direction(comparison)
    left, right = comparison.operands
    for counter, limit, order in ((left, right, direction), (right, left, _MIRRORED.get(direction, ""))):
        if isinstance(counter, BlockArgument) and counter.owner is condition and order in _TRIP_COUNTS:
            start, end = _constant(loop.operands[counter.index], loop), _constant(limit, loop)
            step = _step(body, counter.index, loop)
            if start is not None and end is not None and step is not None:
                return _TRIP_COUNTS[order](end - start, step)
    return None


def turns_around(op: Operation) -> int | None:
    """How often the loops around ``op`` make it run, up to its function; None if one of them is not known."""
    turns: int | None = 1
    for loop in loops_around(op):
        turns = turns_product(turns, trip_count(loop))
    return turns


def function_runs(module: Operation, entry: Operation) -> dict[Operation, int | None]:
    """How often a run of ``entry`` runs each function of ``module`` that it reaches; None where a loop around a call is
    not known, or a function calls itself."""
    functions = functions_by_name(module)
    calls: dict[Operation, list[tuple[Operation, Operation]]] = {}
    for caller in functions.values():
        for op in caller.walk():
            called = functions.get(callee(op)) if op.name == "func.call" else None
            if called is not None:
                calls.setdefault(called, []).append((caller, op))
    runs: dict[Operation, int | None] = {}

    def count(function: Operation) -> int | None:
        if function not in runs:
            runs[function] = None
            times = [turns_product(count(caller), turns_around(call)) for caller, call in calls.get(function, ())]
            known = [one for one in times if one is not None]
            own = 1 if function is entry else 0
            runs[function] = sum(known, own) if len(known) == len(times) else None
        return runs[function]

    for function in functions.values():
        count(function)
    return {function: number for function, number in runs.items() if number != 0}


def turns_product(one: int | None, other: int | None) -> int | None:
    """The product of two trip counts; 0 if one is 0, else None if one is unknown.

    >>> turns_product(3, None), turns_product(0, None), turns_product(3, 4)
    (None, 0, 12)
    """
    if one == 0 or other == 0:
        return 0
    return None if one is None or other is None else one * other


def is_changed(loop: Operation, index: int) -> bool:
    """Whether the carried value ``index`` of ``loop`` is another one in each iteration."""
    body = loop.regions[1].blocks[0]
    return body.terminator.operands[index] is not body.arguments[index]


def loops_around(op: Operation) -> Iterator[Operation]:
    """The loops in whose body or condition ``op`` stands, up to its function, innermost first."""
    for above in op.ancestors():
        if above.name == "func.func":
            return
        if is_loop(above):
            yield above


def is_loop(op: Operation) -> bool:
    """Whether ``op`` is a loop: a ``stablehlo.while``, or one of a foreign dialect by its row."""
    if op.name == WHILE:
        return True
    row = foreign_row(op.name) if op.regions and foreign_rows() else None
    return row is not None and (row.turns is not None or isinstance(row.data_flow, Loop))


def _trip_count_by_row(loop: Operation) -> int | None:
    row = foreign_row(loop.name)
    if row is None or row.turns is None:
        return None
    try:
        found = row.turns(loop)
        return max(int(found), 0) if found is not None else None
    # What a plugin's function returns is looked at here.
    except Exception as problem:
        raised = f"raises {type(problem).__name__}: {problem}"
        raise PluginProblem(f"the trip count of op '{loop.name}'{place_of(row.turns)} {raised}") from None


def _direction(comparison: Operation) -> str:
    found = comparison.properties.get("comparison_direction")
    return found.case if isinstance(found, EnumAttr) else ""


def _step(body: Block, index: int, loop: Operation) -> int | None:
    """What the body adds to the carried value ``index``."""
    added = _made_by(body.terminator.operands[index], "stablehlo.add")
    if added is None:
        return None
    counter = body.arguments[index]
    for one, other in (added.operands, reversed(added.operands)):
        if one is counter:
            return _constant(other, loop)
    return None


def _made_by(value: Value, name: str) -> Operation | None:
    return value.owner if isinstance(value, OpResult) and value.owner.name == name else None


def constant_integer(value: Value) -> int | None:
    """The integer that ``value``, a scalar, is as a constant of StableHLO; None if it is none."""
    made = value.defining_op
    return _integer(made) if made is not None else None


def _constant(value: Value, loop: Operation) -> int | None:
    """The integer that ``value``, a scalar, is at all times."""
    if isinstance(value, BlockArgument) and value.owner.parent_op is loop:
        if is_changed(loop, value.index):
            return None
        value = loop.operands[value.index]
    return constant_integer(value)


def _integer(made: Operation) -> int | None:
    if made.name not in CONSTANTS:
        return None
    elements = made.properties.get("value")
    if not isinstance(elements, DenseElementsAttr) or not isinstance(elements.type, TensorType):
        return None
    if elements.type.shape or not isinstance(elements.type.element, IntegerType):
        return None
    return elements.integers()[0]
