"""The pass ``sdy-verify-unreduced-axes``: checks that no operation loses or gains unreduced axes implicitly.

A value that is still to be summed over an axis may become a summed one only where the program says so: by a reshard, a
constraint, a collective. The pass changes nothing; newer Shardy runs it before explicit reshards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pyshardy.dialects.func import callee, function_type
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.placement import (
    function_argument_sharding,
    function_result_sharding,
    meshes,
    resolve_mesh,
    sharding_before_barriers,
    sharding_of,
)
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.passes import Pass, PassFailure, register_pass
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.rules.reducers import KINDS
from pyshardy.sharding.axes import AxisRef, difference, overlaps
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, without_manual_axes

_KINDS = ("sum", "max", "min")
_BLESSED = ("sdy.reshard", "sdy.sharding_constraint")
_INVALID_TRANSITION = (
    "without a blessed operation (e.g., sdy.reshard). This is an invalid transition from unreduced to reduced."
)


class _Wrong(Exception):
    """What is wrong with an operation."""


def verify_unreduced_axes(func: Operation, context: Context) -> None:
    """Checks every operation of ``func``, inner ones first.

    Raises:
        PassFailure: at the first operation that loses, gains or mixes up unreduced axes.
    """
    module = func.parent_op
    assert module is not None
    check = _Check(module)
    for op in func.walk_postorder():
        try:
            check.operation(op)
        except _Wrong as problem:
            emit_at(context, "error", op, f"'{op.name}' op {problem}")
            raise PassFailure from None


class _Check:
    """The checks of one module, by operation."""

    def __init__(self, module: Operation) -> None:
        self._meshes: Mapping[str, Mesh] = meshes(module)
        self._functions = functions_by_name(module)

    def operation(self, op: Operation) -> None:
        checker = _CHECKERS.get(op.name)
        if checker is not None:
            checker(self, op)
        elif not op.traits & TERMINATOR:
            self._transition(_unblessed(op.operands), _shardings(op.results), introduces="sum")

    # --- kinds of operations ---

    def reshard(self, op: Operation) -> None:
        incoming = sharding_before_barriers(op.operands[0])
        if incoming is not None:
            self._transition([incoming], _shardings(op.results), introduces="sum", removes=incoming.reduction_op)

    def reduce(self, op: Operation) -> None:
        inputs = op.operands[: len(op.operands) // 2]
        self._transition(_unblessed(inputs), _shardings(op.results), introduces=_combiner_kind(op))

    def sharding_collective(self, op: Operation) -> None:
        incoming = sharding_before_barriers(op.operands[0])
        if incoming is None:
            raise _Wrong("operand must be sharded.")
        written = op.properties.get("reduction_op")
        kind = _KINDS[written.value if isinstance(written, IntegerAttr) else 0]
        self._transition([incoming], _shardings(op.results), removes=kind)

    def stablehlo_collective(self, op: Operation) -> None:
        incoming, outgoing = _shardings(op.operands[:1]), _shardings(op.results[:1])
        self._transition(incoming, outgoing, removes=_combiner_kind(op))

    def call(self, op: Operation) -> None:
        func = self._functions.get(callee(op))
        if func is None:
            return
        for index, operand in enumerate(op.operands):
            if not _is_blessed(operand):
                wanted = function_argument_sharding(func, index)
                self._same_axes(sharding_before_barriers(operand), wanted, f"at call argument {index}.")
        for index, result in enumerate(op.results):
            made = function_result_sharding(func, index)
            self._same_axes(made, sharding_of(result), f"at call result {index}.")

    def function_return(self, op: Operation) -> None:
        func = op.parent_op
        assert func is not None
        targets = [function_result_sharding(func, index) for index in range(len(function_type(func).results))]
        self._returned(op, targets)

    def computation_return(self, op: Operation) -> None:
        parent = op.parent_op
        assert parent is not None
        names = manual_axes(parent)
        targets = [sharding_before_barriers(result) for result in parent.results]
        inside = [without_manual_axes(target, names) if target is not None else None for target in targets]
        self._returned(op, inside)

    def _returned(self, op: Operation, targets: Iterable[TensorSharding | None]) -> None:
        for index, (operand, target) in enumerate(zip(op.operands, targets, strict=False)):
            if target is not None and not _is_blessed(operand):
                where = f"at return value {index} {_INVALID_TRANSITION}"
                self._same_axes(sharding_before_barriers(operand), target, where)

    # --- axes ---

    def _same_axes(self, one: TensorSharding | None, other: TensorSharding | None, where: str) -> None:
        first, second = (set(sharding.unreduced if sharding is not None else ()) for sharding in (one, other))
        if first != second:
            names = ", ".join(sorted({axis.name for axis in first ^ second}))
            raise _Wrong(f"has unreduced axes mismatch for '{names}' {where}")

    def _transition(
        self,
        incoming: Sequence[TensorSharding],
        outgoing: Sequence[TensorSharding],
        *,
        introduces: str | None = None,
        removes: str | None = None,
    ) -> None:
        """Checks the way from ``incoming`` to ``outgoing`` unreduced axes, of an operation that may introduce those of
        one kind and remove those of one kind."""
        found = {resolve_mesh(sharding, self._meshes) for sharding in (*incoming, *outgoing)}
        if len(found) > 1 or None in found:
            return
        for mesh in found:
            assert mesh is not None
            before = [axis for sharding in incoming for axis in sharding.unreduced]
            behind = [axis for sharding in outgoing for axis in sharding.unreduced]
            _check_introduced(difference(behind, before, mesh), outgoing, introduces)
            _check_removed(difference(before, behind, mesh), incoming, removes)
        _check_kept(incoming, outgoing)


def _check_introduced(axes: Sequence[AxisRef], outgoing: Sequence[TensorSharding], kind: str | None) -> None:
    if not axes:
        return
    if kind is None:
        raise _Wrong(f"cannot add new unreduced axis '{axes[0].name}'.")
    for sharding in _other_kinds(outgoing, axes, kind):
        raise _Wrong(f"cannot introduce '{sharding.reduction_op}' unreduced axes. Expected '{kind}'.")


def _check_removed(axes: Sequence[AxisRef], incoming: Sequence[TensorSharding], kind: str | None) -> None:
    if not axes:
        return
    if kind is None:
        raise _Wrong(f"dropped unreduced axis '{axes[0].name}' {_INVALID_TRANSITION}")
    for sharding in _other_kinds(incoming, axes, kind):
        raise _Wrong(f"cannot reduce '{sharding.reduction_op}' unreduced axes. Expected '{kind}'.")


def _other_kinds(shardings: Iterable[TensorSharding], axes: Sequence[AxisRef], kind: str) -> Iterable[TensorSharding]:
    for sharding in shardings:
        if sharding.reduction_op != kind and _overlap(sharding.unreduced, axes):
            yield sharding


def _check_kept(incoming: Sequence[TensorSharding], outgoing: Sequence[TensorSharding]) -> None:
    for after in outgoing:
        for before in incoming:
            if before.reduction_op != after.reduction_op and _overlap(after.unreduced, before.unreduced):
                kinds = f"from {before.reduction_op} to {after.reduction_op}"
                raise _Wrong(f"cannot change the reduction operator of kept unreduced axes {kinds}.")


def _overlap(some: Iterable[AxisRef], others: Sequence[AxisRef]) -> bool:
    return any(overlaps(one, other) for one in some for other in others)


# --- values -----------------------------------------------------------------------------------------------------------


def _shardings(values: Iterable[Value]) -> list[TensorSharding]:
    found = map(sharding_before_barriers, values)
    return [sharding for sharding in found if sharding is not None]


def _unblessed(values: Iterable[Value]) -> list[TensorSharding]:
    return _shardings(value for value in values if not _is_blessed(value))


def _is_blessed(value: Value) -> bool:
    op = value.defining_op
    while op is not None and op.name == "sdy.propagation_barrier":
        op = op.operands[0].defining_op
    return op is not None and op.name in _BLESSED


def _combiner_kind(op: Operation) -> str | None:
    """What the body of a reduction does, if it does the same to all its values."""
    returned = op.body.terminator.operands
    producers = [value.defining_op for value in returned]
    kinds = {KINDS.get(producer.name) if producer is not None else None for producer in producers}
    kind = kinds.pop() if len(kinds) == 1 else None
    return kind if kind in _KINDS else None


_CHECKERS: dict[str, Callable[[_Check, Operation], None]] = {
    "func.call": _Check.call,
    "func.return": _Check.function_return,
    "sdy.all_reduce": _Check.sharding_collective,
    "sdy.reduce_scatter": _Check.sharding_collective,
    "sdy.reshard": _Check.reshard,
    "sdy.return": _Check.computation_return,
    "sdy.sharding_constraint": _Check.reshard,
    "stablehlo.all_reduce": _Check.stablehlo_collective,
    "stablehlo.reduce": _Check.reduce,
    "stablehlo.reduce_scatter": _Check.stablehlo_collective,
}


@register_pass("sdy-verify-unreduced-axes", on="func.func")
class VerifyUnreducedAxes(Pass):
    """Checks that unreduced axes come and go only where the program says so."""

    def apply(self, op: Operation, context: Context) -> bool:
        verify_unreduced_axes(op, context)
        return False
