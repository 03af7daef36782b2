"""The definition of a value of the global program: the value itself, traced back through calls, constraints and
barriers that only pass it on.

``labels`` maps local values to definitions; ``claims`` walks along them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy.names import HANDED_ON
from pyshardy.interpreter.regions import Regions
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.opdef import COLLECTIVE
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value

_NOT_FIXED = frozenset(
    f"stablehlo.{name}" for name in ("custom_call", "infeed", "recv", "rng", "rng_bit_generator", "partition_id")
)
"""Operations whose results are never constant, even with constant operands."""


class Definitions:
    """The definitions of the values of ``module``; ``origins`` maps values inside of a called function to those of the
    caller, or back (``partitioning.plan.Correspondence``)."""

    def __init__(self, module: Operation, origins: Mapping[Value, Value]) -> None:
        self._origins = origins
        self.functions = functions_by_name(module)
        self.regions = Regions({op.symbol_name: op for op in module.body if op.symbol_name is not None})
        self._constant: dict[Value, bool] = {}
        self._operands: dict[Operation, tuple[Value, ...]] = {}

    def definition(self, value: Value) -> Value:
        """The definition of ``value``."""
        while True:
            other = self._forwarded(value)
            if other is None:
                return value
            value = other

    def _forwarded(self, value: Value) -> Value | None:
        found = self._origins.get(value)
        if found is not None:
            return found
        if isinstance(value, OpResult):
            op = value.owner
            if op.name in HANDED_ON:
                return op.operands[value.index]
            if op.name == "stablehlo.get_tuple_element":
                made, index = op.operands[0].defining_op, op.properties.get("index")
                if made is not None and made.name == "stablehlo.tuple" and isinstance(index, IntegerAttr):
                    return made.operands[index.value]
            if op.name == "sdy.named_computation":
                return op.body.terminator.operands[value.index]
        elif isinstance(value, BlockArgument):
            above = value.owner.parent_op
            if above is not None and above.name == "sdy.named_computation":
                return above.operands[value.index]
        return None

    def operands(self, op: Operation) -> tuple[Value, ...]:
        """The values that ``op`` reads: its operands, and values from outside that its regions use."""
        found = self._operands.get(op)
        if found is None:
            found = tuple(op.operands)
            if op.regions:
                captured = (value for region in op.regions for value in self.regions.needs(region).captures)
                found = tuple(dict.fromkeys((*found, *captured)))
            self._operands[op] = found
        return found

    def sources(self, value: Value) -> Iterator[Value]:
        """The definitions of the values that the defining operation of ``value`` reads."""
        if isinstance(value, OpResult):
            yield from map(self.definition, self.operands(value.owner))

    def is_constant(self, value: Value) -> bool:
        """Whether the definition ``value`` depends on no argument."""
        known = self._constant
        waiting = [value]
        while waiting:
            one = waiting[-1]
            if one in known:
                waiting.pop()
            elif not isinstance(one, OpResult) or one.owner.name in _NOT_FIXED or one.owner.traits & COLLECTIVE:
                known[waiting.pop()] = False
            else:
                sources = list(self.sources(one))
                if any(known.get(source) is False for source in sources):
                    known[waiting.pop()] = False
                    continue
                missing = [source for source in sources if source not in known]
                if missing:
                    waiting.append(missing[0])
                else:
                    known[waiting.pop()] = True
        return known[value]
