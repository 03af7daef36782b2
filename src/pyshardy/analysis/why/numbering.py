"""Copies a program with numbered locations, so that operations can be mapped back to the source program after passes
have run.

Passes clone operations, replace them by others and move them to other functions, but a new operation keeps the location
of the one that it is made from. So each location in the copy is wrapped in a number, which identifies the operation of
the source program. ``traced_program`` runs passes on the copy.
"""

from __future__ import annotations

from pyshardy.dialects.main_function import find_main_function
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.locations import UNKNOWN_LOCATION, Location, file_location
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.source_text import UNKNOWN_POSITION
from pyshardy.ir.types import I64
from pyshardy.module import Module

_AROUND = ("fused<", ">[", "]")


class Numbering:
    """Makes numbered copies of ``module``; its methods map operations and values made from these back to ``module``."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._main = find_main_function(module.op)
        self._operations: list[Operation] = []
        self._arguments: list[BlockArgument | None] = []
        self._locations: list[Location] = []
        for op in module.op.walk():
            self._enter(op.location, op)
            for argument in self._arguments_in(op):
                self._enter(argument.location, op, argument)

    def copy(self, mapping: dict[Value, Value] | None = None) -> Module:
        """A numbered copy; ``mapping`` receives its values for those of the source program."""
        given = self.module
        made = given.with_op(rewriting.clone(given.op, mapping), given.context.fork())
        locations = iter(self._locations)
        for ours, theirs in zip(given.op.walk(), made.op.walk(), strict=True):
            theirs.location = next(locations)
            for _, argument in zip(self._arguments_in(ours), theirs.block_arguments(), strict=False):
                argument.location = next(locations)
        return made

    def _arguments_in(self, op: Operation) -> list[BlockArgument]:
        """The arguments of the regions of ``op`` that are numbered. Those of the main function are found by their
        position, and keep their locations, which hold their names."""
        return [] if op is self._main else op.block_arguments()

    def _enter(self, location: int | Location | None, op: Operation, argument: BlockArgument | None = None) -> None:
        if isinstance(location, int):
            place = self.module.context.position(location)
            known = place is not UNKNOWN_POSITION
            location = file_location(place.filename, place.line, place.column) if known else UNKNOWN_LOCATION
        number = IntegerAttr(len(self._operations), I64)
        self._operations.append(op)
        self._arguments.append(argument)
        self._locations.append(Location(_AROUND, (number, location or UNKNOWN_LOCATION)))

    def operation(self, op: Operation) -> Operation | None:
        """The operation of the source program that ``op`` is, or was made from; None if a pass made it from none."""
        number = _number(op.location)
        return None if number is None else self._operations[number]

    def value(self, value: Value) -> Value | None:
        """The value of the source program that ``value`` is; None if a pass made it."""
        if isinstance(value, BlockArgument):
            op = value.owner.parent_op
            if self._main is not None and op is not None and _are_one_function(op, self._main):
                return self._main.body.arguments[value.index]
            number = _number(value.location)
            return None if number is None else self._arguments[number]
        assert isinstance(value, OpResult)
        number = _number(value.owner.location)
        if number is None or self._arguments[number] is not None:
            return None
        given = self._operations[number]
        if len(given.results) != len(value.owner.results) or not _same_kind(given.name, value.owner.name):
            return None
        return given.results[value.index]


_OTHER_NAMES = {
    "func.call": ("sdy.named_computation",),
    "sdy.sharding_constraint": ("sdy.reshard",),
    "stablehlo.constant": ("sdy.constant",),
}
"""Operations that passes replace by others without changing the value of the result."""


def _same_kind(given: str, now: str) -> bool:
    return given == now or now in _OTHER_NAMES.get(given, ())


def _are_one_function(now: Operation, given: Operation) -> bool:
    return now.name == "func.func" and now.symbol_name == given.symbol_name


def _number(location: int | Location | None) -> int | None:
    if not isinstance(location, Location) or location.pieces != _AROUND:
        return None
    number = location.parts[0]
    return number.value if isinstance(number, IntegerAttr) else None
