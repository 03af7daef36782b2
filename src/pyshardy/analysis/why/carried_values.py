"""Traces a value back to the arguments that it consists of, through casts, slices, loops and calls.

The weight of one layer in a scan is a slice of a stacked argument, passed through a loop and a call; collectives move
the slice, and users ask about the argument.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.dialects.control_flow import BRANCHES, WITH_OPERANDS_INSIDE
from pyshardy.dialects.func import callee
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value

_CARRIES_THE_FIRST = frozenset(
    {
        "chlo.dynamic_reshape",
        "sdy.all_slice",
        "sdy.data_flow_edge",
        "sdy.propagation_barrier",
        "sdy.reshard",
        "sdy.sharding_constraint",
        "stablehlo.bitcast_convert",
        "stablehlo.broadcast_in_dim",
        "stablehlo.convert",
        "stablehlo.dynamic_reshape",
        "stablehlo.dynamic_slice",
        "stablehlo.pad",
        "stablehlo.real_dynamic_slice",
        "stablehlo.reduce_precision",
        "stablehlo.reshape",
        "stablehlo.reverse",
        "stablehlo.slice",
        "stablehlo.transpose",
    }
)
"""Operations whose result is their first operand, or a part of it, in another form."""
_EACH_ITS_OWN = frozenset({"stablehlo.optimization_barrier", "stablehlo.tuple"})


_Step = tuple[Value, tuple[Operation, ...]]


class CarriedValues:
    """The arguments of ``main`` that values of ``module`` carry."""

    def __init__(self, module: Operation, main: Operation) -> None:
        self._main = main
        self._functions = {op.symbol_name: op for op in module.body if op.name == "func.func" and op.regions[0].blocks}
        self._calls: dict[str, list[Operation]] = {}
        for op in module.operations():
            if op.name == "func.call":
                self._calls.setdefault(callee(op), []).append(op)
        self._known: dict[Value, frozenset[BlockArgument]] = {}

    def arguments(self, value: Value) -> frozenset[BlockArgument]:
        """The arguments of the main function that ``value`` carries, whole or in parts."""
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = frozenset(self._found(value))
        return found

    def _found(self, value: Value) -> Iterator[BlockArgument]:
        waiting: list[_Step] = [(value, ())]
        seen = set(waiting)
        while waiting:
            one, inside = waiting.pop()
            if isinstance(one, BlockArgument) and one.owner.parent_op is self._main:
                yield one
                continue
            for source in self._steps(one, inside):
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)

    def _steps(self, value: Value, inside: tuple[Operation, ...]) -> Iterator[_Step]:
        """The values that ``value`` is a copy, cast or slice of. ``inside`` are the calls that were entered through
        their results, so that an argument of the function leads back to the operands of the same call."""
        if isinstance(value, OpResult) and value.owner.name == "func.call":
            function = self._functions.get(callee(value.owner))
            if function is not None:
                yield function.body.terminator.operands[value.index], (*inside, value.owner)
        elif isinstance(value, BlockArgument) and value.owner.parent_op in self._functions.values():
            function = value.owner.parent_op
            assert function is not None
            calls = inside[-1:] or self._calls.get(function.symbol_name or "", ())
            for call in calls:
                yield call.operands[value.index], inside[:-1]
        else:
            for source in self._sources(value):
                yield source, inside

    def _sources(self, value: Value) -> list[Value]:
        """The values of the function of ``value`` that it is a copy, cast or slice of."""
        if isinstance(value, BlockArgument):
            around = value.owner.parent_op
            is_passed = around is not None and around.name in WITH_OPERANDS_INSIDE
            return around.operands[value.index : value.index + 1] if around is not None and is_passed else []
        assert isinstance(value, OpResult)
        op, index = value.owner, value.index
        if op.name in _CARRIES_THE_FIRST:
            return op.operands[:1]
        if op.name in _EACH_ITS_OWN:
            return op.operands[index : index + 1]
        if op.name == "stablehlo.while":
            return self._passed_on(op, index)
        if op.name in BRANCHES or op.name in WITH_OPERANDS_INSIDE:
            return [region.blocks[0].terminator.operands[index] for region in op.regions if region.blocks]
        return []

    def _passed_on(self, op: Operation, index: int) -> list[Value]:
        """The operand of a loop that a result is, if the loop carries it unchanged."""
        body = op.regions[1].blocks[0]
        return [op.operands[index]] if body.terminator.operands[index] is body.arguments[index] else []
