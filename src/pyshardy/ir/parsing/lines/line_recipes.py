"""The recipes of the fast path of the parser: everything that the complete parser made of a line, to make it again.

``fast_reader`` keeps recipes by the text of lines, ``line_forms`` makes new ones from them.
"""

from __future__ import annotations

from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.opdef import TERMINATOR, OpDef
from pyshardy.ir.operation import ORDER_STEP, Block, Operation, OpResult, Signature, Value
from pyshardy.ir.parsing.lines.body_template import BodyTemplate
from pyshardy.ir.types import Type

_AFTER_TERMINATOR = "}^"
_AFTER_OPERATION = '%}^_"abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
"""With what the line after a complete operation may begin: not with what could still belong to the operation, such as
``loc(…)``, or the operands of a ``return``."""


class LineRecipe(Signature):
    """What a line makes: one operation, whose operands are the names of the line in order after the result's.

    ``lead`` counts the characters between the result's name and the operation's; it is None without a result.
    ``is_located`` says that the line ends with a location.
    ``template`` is there for an operation whose region is written in the line.
    """

    __slots__ = (
        "definition",
        "followers",
        "is_located",
        "lead",
        "name",
        "operand_types",
        "result_type",
        "result_types",
        "template",
    )

    def __init__(
        self,
        name: str,
        definition: OpDef | None,
        operand_types: list[Type],
        result_types: list[Type],
        properties: DictionaryAttr,
        attributes: DictionaryAttr,
        lead: int | None,
        template: BodyTemplate | None,
    ) -> None:
        self.name = name
        self.definition = definition
        self.operand_types = operand_types
        self.result_types = result_types
        self.result_type = result_types[0] if len(result_types) == 1 else None
        self.properties = properties
        self.attributes = attributes
        ends = definition is not None and definition.traits & TERMINATOR
        self.followers = _AFTER_TERMINATOR if ends else _AFTER_OPERATION
        self.lead = lead
        self.template = template
        self.is_located = False


def recipe_of(op: Operation, place: int, lead: int | None) -> LineRecipe:
    """The recipe of the line from which ``op`` was read at ``place``.

    Raises:
        ValueError: ``op`` has regions that no template holds.
    """
    return LineRecipe(
        op.name,
        op.definition,
        [value.type for value in op.operands],
        [result.type for result in op.results],
        op.properties,
        op.attributes,
        lead,
        BodyTemplate(op, place) if op.regions else None,
    )


def append_made(
    block: Block, recipe: LineRecipe, operands: list[Value], place: int, location: Location | None
) -> Operation:
    """A new operation at the end of ``block``: what ``recipe`` makes of ``operands`` at ``place``, with that
    ``location`` if there is one. Written for speed: uses and order are kept by hand as ``ir.rewriting`` keeps them."""
    op = Operation(
        recipe.name,
        recipe.definition,
        operands,
        recipe.properties,
        recipe.attributes,
        place if location is None else location,
        recipe,
    )
    op.parent = block
    if recipe.template is not None:
        recipe.template.fill(op, place, location)
    for index, value in enumerate(operands):
        value._uses[op, index] = None
    last = block.last
    op._previous = last
    if last is None:
        block.first = op
        op._order = 0
    else:
        last._next = op
        op._order = last._order + ORDER_STEP
    block.last = op
    if recipe.result_type is not None:
        op.results = [OpResult(recipe.result_type, op, 0)]
    else:
        op.results = [OpResult(type, op, index) for index, type in enumerate(recipe.result_types)]
    return op
