"""The names of tensors, operations and annotations of a traced program, in the form that questions accept.

Arguments and results have their author's names, other tensors their names in MLIR's text of the source program,
prefixed by the function if it is not the main one. ``subjects`` parses these names.
"""

from __future__ import annotations

from functools import cached_property

from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.printing.naming import Names
from pyshardy.ir.source_location import NOWHERE, SourceLocation, source_location
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.reading.call_sites import CallSites
from pyshardy.reading.names import argument_symbol, boundary_names, result_symbol
from pyshardy.reading.tensor_names import TensorNames
from pyshardy.reading.tensors import location_of


class TracedNames:
    """The names in ``traced``."""

    def __init__(self, traced: TracedProgram) -> None:
        self._traced = traced
        self._locations: dict[int | Location | None, SourceLocation] = {}
        self._boundary = boundary_names(traced.main)

    @cached_property
    def _sites(self) -> CallSites:
        return CallSites(self._traced.source.op, self._traced.source.context)

    @cached_property
    def _symbols(self) -> dict[Value, str]:
        return Names(self._traced.source.op).values

    @cached_property
    def _descriptions(self) -> TensorNames:
        return TensorNames(self._traced.source.op, self._traced.main)

    def name(self, given: Value | FunctionResult) -> str:
        """The author's name of an argument or result of the program; the symbol of any other value."""
        if isinstance(given, FunctionResult):
            if given.func is not self._traced.main:
                return f"@{given.func.symbol_name}/{result_symbol(given.number)}"
            return self._boundary.results[given.number]
        if isinstance(given, BlockArgument) and given.owner.parent_op is self._traced.main:
            return self._boundary.arguments[given.index]
        return self.symbol(given)

    def symbol(self, given: Value | FunctionResult) -> str:
        """The name in MLIR's text: ``%arg3``, ``%12#1``, ``result 0``; with its function (``@f/%3``) outside of the
        main one."""
        if isinstance(given, FunctionResult):
            return result_symbol(given.number)
        function = _function_of(given)
        if isinstance(given, BlockArgument) and function is not None and given.owner.parent_op is function:
            symbol = argument_symbol(given.index)
        else:
            symbol = self._symbols.get(given, "")
        return symbol if function in (None, self._traced.main) else f"@{function.symbol_name}/{symbol}"

    def of_slot(self, slot: ShardingSlot) -> str:
        """The name of the tensor of ``slot``; if passes made it, that of the tensor it was made from."""
        given = self._traced.value(slot)
        if given is not None:
            return self.name(given)
        if isinstance(slot, OpResult):
            source = self._traced.numbering.operation(slot.owner)
            if source is not None:
                return f"{short_name(slot.owner)} made for {short_name(source)}"
            return f"result of {short_name(slot.owner)}"
        return "an argument of a region"

    def description(self, given: Value | FunctionResult) -> str:
        """A description with the author's names (``part of params['w']``); empty if it is just the name, or if none is
        known."""
        if isinstance(given, FunctionResult):
            return ""
        found = self._descriptions.name(given)
        return "" if found == self.name(given) else found

    def scope(self, op: Operation) -> str:
        """The scope of ``op`` in its own location, without the scopes of calls."""
        return source_location(op.location, self._traced.source.context).scope

    def location(self, what: Operation | Value | FunctionResult | None) -> SourceLocation:
        """The source location of an operation or value of the source program."""
        if what is None:
            return NOWHERE
        if isinstance(what, FunctionResult):
            return location_of(self._traced.source, what)
        if isinstance(what, OpResult):
            what = what.owner
        assert isinstance(what, Operation | BlockArgument)
        at = what.location
        found = self._locations.get(at)
        if found is None:
            if isinstance(what, Operation):
                found = self._sites.location(what)
                if found.place != source_location(at, self._traced.source.context).place:
                    # Calls from elsewhere share the location.
                    return found
            else:
                found = source_location(at, self._traced.source.context)
            self._locations[at] = found
        return found


def short_name(op: Operation) -> str:
    """The name without its dialect: ``dot_general``."""
    return op.name.partition(".")[2] or op.name


def _function_of(value: Value) -> Operation | None:
    op = value.owner.parent_op if isinstance(value, BlockArgument) else value.defining_op
    while op is not None and op.name != "func.func":
        op = op.parent_op
    return op
