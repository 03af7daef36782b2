"""Names a tensor inside of a program by the author's names: as an argument, a part of one, or a value on its way to a
result.

Most tensors have no name. A tensor that is an argument in another form (converted, transposed, carried by a loop that
does not change it) has the name of the argument; one that only elementwise operations separate from a result of the
program is named after that result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pyshardy.dialects.control_flow import WITH_OPERANDS_INSIDE
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.collective_kinds import same_tensor_names
from pyshardy.dialects.stablehlo.trip_count import is_changed
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import TensorType
from pyshardy.reading.names import boundary_names

_MOST_STEPS = 64
_FURTHEST = 24
_MOST_NAMED = 2
_SAME_TENSOR = same_tensor_names() | {
    "sdy.all_slice",
    "sdy.collective_permute",
    "sdy.data_flow_edge",
    "sdy.propagation_barrier",
    "sdy.reshard",
    "sdy.sharding_constraint",
    "stablehlo.bitcast_convert",
    "stablehlo.broadcast_in_dim",
    "stablehlo.convert",
    "stablehlo.optimization_barrier",
    "stablehlo.reshape",
    "stablehlo.transpose",
}
"""Operations whose result of a number is the operand of that number in another form."""

_IN_ANOTHER_SHAPE = _SAME_TENSOR | {"stablehlo.reduce"}
"""Operations that keep the elements of a tensor if they keep their number: a sum over dimensions of size one, for
example."""

_A_PART = frozenset({"stablehlo.dynamic_slice", "stablehlo.slice"})
_CARRIED = "carried from "


class TensorNames:
    """Names the values of ``module``, whose boundary is that of the function ``entry``.

    ``origins`` maps values inside of a called function to those of the caller, or back, where these are not in the
    program (``Partitioner.origins``). ``boundary`` has the names of arguments and results.
    """

    def __init__(self, module: Operation, entry: Operation, origins: Mapping[Value, Value] | None = None) -> None:
        self._entry = entry
        self.boundary = boundary_names(entry)
        self._origins = dict(origins or {})
        self._known: dict[Value, str] = {}
        self._given: dict[Value, list[Value]] = {}
        """The operands of several calls for an argument of their function."""
        self._open: set[Value] = set()
        self._functions = {
            op.symbol_name: op for op in module.body if op.name == "func.func" and not op.regions[0].empty
        }
        self._add_calls(module)

    def name(self, value: Value) -> str:
        """The description of ``value``: a name, ``part of`` one, ``carried from`` one by a loop, ``→`` (on its way to)
        one; ``carried by a loop`` if the initial value has no name; empty if nothing is known."""
        found = self._known.get(value)
        if found is None:
            source, is_carried = self._source(value)
            found = source or self._destination(value) or ("carried by a loop" if is_carried else "")
            self._known[value] = found
        return found

    def maker(self, value: Value) -> Operation | None:
        """The operation that computed ``value``, before conversions and changes of shape; None for an argument."""
        made = value.defining_op
        while made is not None and made.name in _SAME_TENSOR and len(made.operands) == 1:
            before = made.operands[0].defining_op
            if before is None:
                break
            made = before
        return made

    def _add_calls(self, module: Operation) -> None:
        """Relates arguments of functions to operands of calls: for a function that is called once directly, for others
        if the names at all calls differ in numbers only."""
        functions = functions_by_name(module)
        calls: dict[str, list[Operation]] = {}
        for op in module.operations():
            if op.name == "func.call":
                calls.setdefault(callee(op), []).append(op)
        for name, found in calls.items():
            function = functions.get(name)
            if len(found) == 1 and function is not None and not function.regions[0].empty:
                for argument, operand in zip(function.body.arguments, found[0].operands, strict=False):
                    self._origins.setdefault(argument, operand)
            elif function is not None and not function.regions[0].empty:
                for argument in function.body.arguments:
                    self._given[argument] = [call.operands[argument.index] for call in found]

    # --- backwards ----------------------------------------------------------------------------------------------------

    def _source(self, value: Value) -> tuple[str, bool]:
        """The name of the argument that ``value`` is in another form, empty if there is none; and whether a loop
        carries it."""
        prefix = ""
        inside: list[Operation] = []
        """The calls that were entered through their results."""
        for _ in range(_MOST_STEPS):
            if inside and isinstance(value, BlockArgument) and value.owner.parent_op is self._called(inside[-1]):
                value = inside.pop().operands[value.index]
            elif isinstance(value, OpResult) and value not in self._origins and self._called(value.owner) is not None:
                function = self._called(value.owner)
                assert function is not None
                inside.append(value.owner)
                value = function.body.terminator.operands[value.index]
            elif value in self._origins:
                value = self._origins[value]
            elif isinstance(value, OpResult) and value.owner.name in _SAME_TENSOR and value.owner.operands:
                operands = value.owner.operands
                value = operands[value.index] if len(operands) == len(value.owner.results) else operands[0]
            elif isinstance(value, OpResult) and value.owner.name in _A_PART:
                prefix, value = "part of ", value.owner.operands[0]
            elif isinstance(value, OpResult) and value.owner.name == "stablehlo.while":
                if is_changed(value.owner, value.index):
                    prefix = _CARRIED
                value = value.owner.operands[value.index]
            elif isinstance(value, BlockArgument):
                op = value.owner.parent_op
                if op is self._entry:
                    return prefix + self.boundary.arguments[value.index], False
                outside = _outside(value, op)
                if value in self._given:
                    return self._name_of_all(value, prefix), prefix == _CARRIED
                if op is None or outside is None:
                    break
                if op.name == "stablehlo.while" and is_changed(op, value.index):
                    prefix = _CARRIED
                value = outside
            else:
                break
        return "", prefix == _CARRIED

    def _called(self, op: Operation) -> Operation | None:
        """The function that ``op`` calls, if it has a body."""
        return self._functions.get(callee(op)) if op.name == "func.call" else None

    def _name_of_all(self, argument: Value, prefix: str) -> str:
        """The common name of the operands of all calls for ``argument``, with stars for numbers; empty if they differ
        otherwise."""
        if argument in self._open:
            return ""
        self._open.add(argument)
        found = {self._source(value)[0] for value in self._given[argument]}
        self._open.remove(argument)
        names = {re.sub(r"\d+", "*", one) if "[" in one else one for one in found}
        name = " or ".join(sorted(names)) if len(names) <= _MOST_NAMED and "" not in names else ""
        return prefix + name if name and not name.startswith(prefix) else name

    # --- forwards -----------------------------------------------------------------------------------------------------

    def _destination(self, value: Value) -> str:
        """The nearest result of the program that ``value`` becomes by elementwise operations."""
        pending, seen = [value], {value}
        for one in pending:
            for user, index in one.uses:
                if user.name == "func.return" and user.parent_op is self._entry:
                    return f"→ {self.boundary.results[index]}"
                if not (user.traits & ELEMENTWISE or user.name in _IN_ANOTHER_SHAPE):
                    continue
                for result in user.results:
                    if result not in seen and _size(result) == _size(value) and len(pending) < _FURTHEST:
                        seen.add(result)
                        pending.append(result)
        return ""


def _size(value: Value) -> int:
    """The number of elements."""
    return value.type.num_elements if isinstance(value.type, TensorType) else 0


def _outside(argument: BlockArgument, op: Operation | None) -> Value | None:
    """The operand of ``op`` that is the (initial) value of an argument of its region; None if there is none."""
    if op is None or op.name not in WITH_OPERANDS_INSIDE or argument.index >= len(op.operands):
        return None
    return op.operands[argument.index]
