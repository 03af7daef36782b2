"""Creates the operations of many lines at once, where texts, names and types of all of them fit.

``repeated_lines`` finds such lines. Operands are numbered once, instead of looked up each time. Written for speed:
what ``line_recipes`` does for a line is done here in one loop, without calls.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.opdef import OpDef
from pyshardy.ir.operation import ORDER_STEP, Block, BlockArgument, Operation, OpResult, Value
from pyshardy.ir.parsing.lines.body_template import BodyTemplate
from pyshardy.ir.parsing.lines.line_recipes import LineRecipe
from pyshardy.ir.types import Type

DeferredLocation = tuple[Operation | BlockArgument, str, int]
"""What gets its location at the end of the file, when all aliases are known: the alias, and the place that names it."""
NamePair = tuple[str, str]
"""A name in some lines, and what stands in its place in those that repeat them."""

_Line = tuple[
    str, OpDef | None, DictionaryAttr, DictionaryAttr, LineRecipe, list[int], Type | None, BodyTemplate | None
]
"""Of an operation what a recipe says of it, and what it reads."""


class LineGroup:
    """What lines make. A name is given as two, those in two such groups of lines: where both are the same, the value is
    the same. ``outside`` holds the types of values that the lines read from before them, ``results`` which one of all
    results a name means, and ``further_names`` those that several results of one operation have besides: the name of
    all, and what follows it."""

    __slots__ = ("_lines", "_shift", "further_names", "outside", "results")

    def __init__(self, lines: Sequence[tuple[LineRecipe, NamePair, Sequence[NamePair]]]) -> None:
        """``lines`` are recipes with the names of their result and operands."""
        self.outside: dict[NamePair, Type] = {}
        self.results: dict[NamePair, int] = {}
        self.further_names: dict[NamePair, tuple[NamePair, str]] = {}
        count = 0
        for recipe, result, operands in lines:
            for name, type in zip(operands, recipe.operand_types, strict=True):
                if name not in self.results:
                    self.outside.setdefault(name, type)
            self.results[result] = count
            if recipe.result_type is None:
                for number in range(len(recipe.result_types)):
                    further = f"#{number}"
                    name = result[0] + further, result[1] + further
                    self.further_names[name] = result, further
                    self.results[name] = count + number
            count += len(recipe.result_types)
        self._shift = len(self.outside)
        numbers = {name: self._shift + number for name, number in self.results.items()}
        numbers.update((name, number) for number, name in enumerate(self.outside))
        self._lines: list[_Line] = [
            (
                recipe.name,
                recipe.definition,
                recipe.properties,
                recipe.attributes,
                recipe,
                [numbers[name] for name in operands],
                recipe.result_type,
                recipe.template,
            )
            for recipe, _, operands in lines
        ]

    def append(
        self,
        block: Block,
        outside: list[Value],
        places: Sequence[int],
        locations: Sequence[Location | None],
    ) -> list[Value]:
        """Puts the operations of the lines at the end of ``block``, which is not empty; the values that the names of
        results mean. They read from ``outside``, stand at ``places``, and have those ``locations``."""
        known = outside
        last = block.last
        assert last is not None
        order = last._order
        for line, place, location in zip(self._lines, places, locations, strict=True):
            name, definition, properties, attributes, recipe, reads, result_type, template = line
            operands = [known[number] for number in reads]
            op = Operation(
                name, definition, operands, properties, attributes, place if location is None else location, recipe
            )
            op.parent = block
            if template is not None:
                template.fill(op, place, location)
            for index, value in enumerate(operands):
                value._uses[op, index] = None
            order += ORDER_STEP
            op._order = order
            op._previous = last
            last._next = op
            last = op
            if result_type is not None:
                result = OpResult(result_type, op, 0)
                op.results = [result]
                known.append(result)
            else:
                op.results = [OpResult(type, op, index) for index, type in enumerate(recipe.result_types)]
                known += op.results
        block.last = last
        return [known[self._shift + number] for number in self.results.values()]
