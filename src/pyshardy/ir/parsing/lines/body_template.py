"""A template of a small region: the body of an operation that is written in one line, such as ``reduce``.

The fast path of the parser (``fast_reader``) keeps one with each recipe. Written for speed: uses are recorded by
hand, in the same order as ``ir.rewriting`` records them.
"""

from __future__ import annotations

from pyshardy.ir.locations import Location
from pyshardy.ir.operation import ORDER_STEP, Block, BlockArgument, Operation, OpResult, Region, Signature, Value
from pyshardy.ir.types import Type

_Place = int | Location | None


class _Line(Signature):
    """One operation of the body: its operands are numbers of arguments, then results, in order."""

    __slots__ = ("definition", "name", "operands", "place", "result_types")

    def __init__(self, op: Operation, operands: tuple[int, ...], place: _Place) -> None:
        self.name = op.name
        self.definition = op.definition
        self.properties = op.properties
        self.attributes = op.attributes
        self.operands = operands
        self.result_types = tuple(result.type for result in op.results)
        self.place = place


class BodyTemplate:
    """The one block of the one region of ``op``; locations are relative to ``place``, a character of the source.

    Raises:
        ValueError: there is more than one block, a region inside, or a use of a value from outside.
    """

    __slots__ = ("_arguments", "_lines")

    def __init__(self, op: Operation, place: int) -> None:
        if len(op.regions) != 1 or len(op.regions[0].blocks) != 1:
            raise ValueError("more than one block")
        block = op.body
        numbers: dict[Value, int] = {}
        self._arguments: list[tuple[Type, _Place]] = []
        for argument in block.arguments:
            numbers[argument] = len(numbers)
            self._arguments.append((argument.type, _moved(argument.location, -place)))
        self._lines: list[_Line] = []
        for inner in block:
            if inner.regions or inner.successors or any(value not in numbers for value in inner.operands):
                raise ValueError("not a simple body")
            operands = tuple(numbers[value] for value in inner.operands)
            self._lines.append(_Line(inner, operands, _moved(inner.location, -place)))
            for result in inner.results:
                numbers[result] = len(numbers)

    def fill(self, owner: Operation, start: int, location: Location | None) -> None:
        """Gives ``owner``, which stands at ``start``, a new copy of the region. What the line does not spell out stands
        there, too, and takes the ``location`` of ``owner``, if it has one."""
        block = Block()
        values: list[Value] = []
        for index, (type, place) in enumerate(self._arguments):
            if place == 0 and location is not None:
                place = location
            argument = BlockArgument(type, block, index, place + start if isinstance(place, int) else place)
            block.arguments.append(argument)
            values.append(argument)
        previous: Operation | None = None
        for number, line in enumerate(self._lines):
            operands = [values[operand] for operand in line.operands]
            place = line.place if line.place != 0 or location is None else location
            place = place + start if isinstance(place, int) else place
            op = Operation(line.name, line.definition, operands, line.properties, line.attributes, place, line)
            op.parent = block
            op.results = [OpResult(type, op, index) for index, type in enumerate(line.result_types)]
            for index, value in enumerate(operands):
                value._uses[op, index] = None
            op._order = number * ORDER_STEP
            op._previous = previous
            if previous is None:
                block.first = op
            else:
                previous._next = op
            values += op.results
            previous = op
        block.last = previous
        region = Region([block])
        region.parent = owner
        owner.regions = (region,)

    def contents(self, owner: Operation) -> list[Operation | BlockArgument]:
        """The operations and arguments in the region of ``owner``, which this template has filled."""
        block = owner.body
        return [*block.arguments, *block]


def _moved(place: _Place, distance: int) -> _Place:
    return place + distance if isinstance(place, int) else place
