"""The user's sharding that each axis of a value came from: the attribute ``sdy.sharding_origins``.

Before propagation every axis that the user wrote is entered under the name of its place, ``input: 0`` or
``constraint_3``; each step copies the names along with the axes. ``trace`` uses this file if the option for origins is
on. Source: Shardy's documentation, propagation debugging.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pyshardy.dialects.func import function_type, set_argument_attribute, set_result_attribute
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import edge_sources
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import EMPTY_DICTIONARY, ArrayAttr, DictionaryAttr, StringAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.propagation.movements import Movement
from pyshardy.sharding.axes import AxisRef, contains
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

if TYPE_CHECKING:
    from pyshardy.propagation.sharding_table import ShardingSlot

ORIGINS = "sdy.sharding_origins"
ORIGIN_NAME = "sdy.sharding_origin_name"

UNKNOWN = ": 0"
"""The origin that the reference writes for an axis from a sharding that is neither of the function nor of a
constraint."""

SELF = "self"

_CONSTRAINT = "sdy.sharding_constraint"
_COMPUTATION = "sdy.manual_computation"


class ShardingOrigins:
    """The origins of the axes of every value of ``module``, entered from its present shardings; the constraints and
    manual computations get names.

    Raises:
        PassFailure: a manual computation has no data-flow edges, on which its origins would stand.
    """

    __slots__ = ("_of",)

    def __init__(self, module: Operation, context: Context) -> None:
        self._of: dict[Value, dict[AxisRef, str]] = {}
        operations = list(module.walk_postorder())
        constraints = [op for op in operations if op.name == _CONSTRAINT]
        for number, constraint in enumerate(constraints):
            self._enter_constraint(constraint, f"constraint_{number}")
        computations = [op for op in operations if op.name == _COMPUTATION]
        for number, computation in enumerate(computations):
            self._enter_computation(computation, f"mc_{number}", context)
        for func in operations:
            if func.name == "func.func" and not func.regions[0].empty:
                self._enter_function(func)

    def move(self, movements: Iterable[Movement], slots: tuple[ShardingSlot | None, ...]) -> None:
        """The tensors of a step, which have their shardings at ``slots``, gained axes from each other. A result of a
        function has the origins of the value that is returned, the first tensor of such a step."""
        values = [slots[0] if isinstance(slot, FunctionResult) else slot for slot in slots]
        for axis, source, target in movements:
            value = values[target]
            if isinstance(value, Value):
                self._of.setdefault(value, {}).setdefault(axis, self._origin(values[source], axis))

    def write(self, is_erased: Callable[[Operation], bool]) -> None:
        """Writes the origins into the program, except for operations that have been erased."""
        for value, origins in self._of.items():
            if origins and not (isinstance(value, OpResult) and is_erased(value.owner)):
                _write(value, origins)

    # --- shardings of the user ----------------------------------------------------------------------------------------

    def _enter(self, value: Value, sharding: TensorSharding | None, origin: str) -> None:
        slot = placement.shardable_value(value)
        if slot is None or sharding is None:
            return
        known = self._of.setdefault(slot, {})
        for dim in sharding.dims:
            for axis in dim.axes:
                known.setdefault(axis, origin)

    def _enter_constraint(self, constraint: Operation, name: str) -> None:
        value = constraint.operands[0]
        self._enter(constraint.result, placement.sharding_of(constraint.result), name)
        _set_name(constraint, name)
        self._enter(value, placement.sharding_of(value), name)

    def _enter_computation(self, computation: Operation, name: str, context: Context) -> None:
        for index, (argument, sharding) in enumerate(
            zip(computation.body.arguments, _listed(computation, "in_shardings"), strict=True)
        ):
            self._enter(self._edge(argument, context), sharding, f"{name}_input: {index}")
            for source in edge_sources(argument):
                self._enter(source, placement.sharding_of(source), f"{name}_input: {index}")
        for index, (result, sharding) in enumerate(
            zip(computation.results, _listed(computation, "out_shardings"), strict=True)
        ):
            self._enter(self._edge(result, context), sharding, f"{name}_output: {index}")
        _set_name(computation, name)

    @staticmethod
    def _edge(owner: BlockArgument | OpResult, context: Context) -> Value:
        slot = placement.shardable_value(owner)
        if slot is not None and slot is not owner:
            return slot
        op = owner.owner.parent_op if isinstance(owner, BlockArgument) else owner.owner
        assert op is not None
        message = "sharding origins stand on data-flow edges, which are missing here; run sdy-add-data-flow-edges first"
        emit_at(context, "error", op, f"'{op.name}' op {message}")
        raise PassFailure

    def _enter_function(self, func: Operation) -> None:
        for argument in func.body.arguments:
            self._enter(argument, placement.sharding_of(argument), f"input: {argument.index}")
        for index, value in enumerate(func.body.terminator.operands[: len(function_type(func).results)]):
            self._enter(value, placement.function_result_sharding(func, index), f"output: {index}")

    def _origin(self, source: ShardingSlot | None, axis: AxisRef) -> str:
        known = self._of.get(source, {}) if isinstance(source, Value) else {}
        exact = known.get(axis)
        if exact is not None:
            return exact
        for other, origin in known.items():
            if contains(other, axis) or contains(axis, other):
                return origin
        return UNKNOWN


def _listed(computation: Operation, name: str) -> TensorShardingPerValue:
    found = computation.properties.get(name)
    assert isinstance(found, TensorShardingPerValue)
    return found


def _set_name(op: Operation, name: str) -> None:
    rewriting.set_attributes(op, op.attributes.with_(ORIGIN_NAME, StringAttr(name)))


# --- writing ----------------------------------------------------------------------------------------------------------


def axis_name(axis: AxisRef) -> str:
    """The axis as a key: ``a`` or ``a:(1)2``."""
    return axis.name if axis.sub_size is None else f"{axis.name}:({axis.pre}){axis.sub_size}"


def _dictionary(origins: dict[AxisRef, str], own: str = "") -> DictionaryAttr:
    """The attribute; the origin of the value's ``own`` sharding is called ``self``."""
    return DictionaryAttr(
        {axis_name(axis): StringAttr(SELF if origin == own else origin) for axis, origin in origins.items()}
    )


def _write(value: Value, origins: dict[AxisRef, str]) -> None:
    for user, index in value.uses:
        if user.name == "func.return" and user.parent_op is not None:
            set_result_attribute(user.parent_op, index, ORIGINS, _dictionary(origins, f"output: {index}"))
            break
    if isinstance(value, BlockArgument):
        _write_argument(value, origins)
        return
    assert isinstance(value, OpResult)
    op = value.owner
    if op.name == _CONSTRAINT:
        written: Attribute = _dictionary(origins, _name(op))
    elif op.name == "sdy.data_flow_edge":
        written = _dictionary(origins, _place_in_computation(op.operands[0]))
    else:
        entries = _entries(op)
        entries[value.index] = _dictionary(origins)
        written = ArrayAttr(entries)
    rewriting.set_attributes(op, op.attributes.with_(ORIGINS, written))


def _write_argument(argument: BlockArgument, origins: dict[AxisRef, str]) -> None:
    op = argument.owner.parent_op
    assert op is not None
    if op.name == "func.func":
        set_argument_attribute(op, argument.index, ORIGINS, _dictionary(origins, f"input: {argument.index}"))
    else:
        # Arguments of other operations have no list of origins, but the reference makes the list of the results.
        rewriting.set_attributes(op, op.attributes.with_(ORIGINS, ArrayAttr(_entries(op))))


def _entries(op: Operation) -> list[Attribute]:
    """The list on ``op`` with one dictionary a result."""
    found = op.attributes.get(ORIGINS)
    return list(found) if isinstance(found, ArrayAttr) else [EMPTY_DICTIONARY for _ in op.results]


def _name(op: Operation) -> str:
    found = op.attributes.get(ORIGIN_NAME)
    return found.value if isinstance(found, StringAttr) else ""


def _place_in_computation(owner: Value) -> str:
    """The name of the shardings at the edge of ``owner``, if it belongs to a manual computation."""
    if isinstance(owner, BlockArgument):
        op = owner.owner.parent_op
        assert op is not None
        return f"{_name(op)}_input: {owner.index}"
    assert isinstance(owner, OpResult)
    return f"{_name(owner.owner)}_output: {owner.index}"
