"""Shortcut: recipes for lines that differ from one that was read only in types of tensors and constants of numbers.

A program of many shapes and constants repeats the forms of its lines, not the lines. With names, types and constants
blanked, a line is looked up in a table of forms; a form says which blank each type of the operation comes from. That is
found out by reading such a line with other types in the blanks: what becomes one of these comes from that blank, and
what does not change comes from none.

The result is the same: the definition of an operation says with ``types_alike`` that its reader uses only that a type
is a ranked tensor, as that of the generic form does, so any other type is read in the same way. Types and constants in
the blanks are made by the functions with which the complete parser makes them; a text that these do not take, and
everything that does not fit, is left to the complete parser. Written for speed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pyshardy.ir import shortcuts
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.parsing.bulk_elements import plain_dense
from pyshardy.ir.parsing.lines.line_recipes import LineRecipe
from pyshardy.ir.parsing.type_parser import TENSOR, simple_tensor
from pyshardy.ir.types import TensorType, Type

_BLANK = re.compile(rf"(dense<[^<>\"]*+> : {TENSOR}|{TENSOR})", re.ASCII)
_CONSTANT = "dense<"
_BETWEEN = "> : "
_FIRST_SIZE = 900_001
_MOST_FORMS = 10_000

ReadAlone = Callable[[str, str], Operation | None]


class _Form:
    """Where in a line the types of its operation stand: for each operand and result the number of a blank, or -1 where
    the type is always that of the ``recipe``; likewise the property that is a ``constant``, if there is one."""

    __slots__ = ("constant", "is_worked_out", "operands", "property", "recipe", "results")

    def __init__(self, recipe: LineRecipe) -> None:
        self.recipe: LineRecipe | None = recipe
        """None once it is known that there is no telling."""
        self.is_worked_out = False
        self.operands: list[int] = []
        self.results: list[int] = []
        self.property = ""
        self.constant = -1


class LineForms:
    """The forms of lines in regions of one default dialect."""

    __slots__ = ("_forms",)

    def __init__(self) -> None:
        self._forms: dict[tuple[str, ...], _Form] = {}

    def learn(self, key: tuple[str, ...], recipe: LineRecipe) -> None:
        """Notes the form of a line, ``key`` between its names, that the complete parser has read."""
        definition = recipe.definition
        if definition is None or recipe.template is not None or not recipe.result_types:
            return
        if not definition.types_alike and not _is_generic(key, recipe):
            return
        pieces = _BLANK.split("\n".join(key))
        form = tuple(pieces[::2])
        if len(pieces) > 1 and form not in self._forms and len(self._forms) < _MOST_FORMS:
            self._forms[form] = _Form(recipe)

    def recipe(self, key: tuple[str, ...], read_alone: ReadAlone, default_dialect: str) -> LineRecipe | None:
        """The recipe for the line ``key``, of which none is known, if its form is."""
        if not shortcuts.enabled():
            return None
        pieces = _BLANK.split("\n".join(key))
        form = self._forms.get(tuple(pieces[::2])) if len(pieces) > 1 else None
        if form is None or form.recipe is None:
            return None
        if not form.is_worked_out:
            # Most forms have but one line, which is read already.
            form.is_worked_out = True
            if not _work_out(form, pieces, read_alone, default_dialect):
                form.recipe = None
                return None
        return _filled(form, form.recipe, pieces[1::2])


def _is_generic(key: tuple[str, ...], recipe: LineRecipe) -> bool:
    return f'"{recipe.name}"(' in key[0 if recipe.lead is None else 1]


def _filled(form: _Form, model: LineRecipe, blanks: list[str]) -> LineRecipe | None:
    """The recipe of a line that has the form of ``model``, with these texts in the blanks."""
    types: list[Type] = []
    properties = model.properties
    for number, text in enumerate(blanks):
        if number == form.constant:
            constant = _constant(text)
            if constant is None:
                return None
            properties = DictionaryAttr({**properties.entries, form.property: constant})
            types.append(constant.type)  # type: ignore[attr-defined]
        else:
            type = simple_tensor(text)
            if type is None:
                return None
            types.append(type)
    return LineRecipe(
        model.name,
        model.definition,
        _types_of(form.operands, types, model.operand_types) if form.operands else [],
        _types_of(form.results, types, model.result_types),
        properties,
        model.attributes,
        model.lead,
        None,
    )


def _types_of(places: list[int], types: list[Type], known: list[Type]) -> list[Type]:
    return [types[place] if place >= 0 else type for place, type in zip(places, known, strict=True)]


def _constant(text: str) -> Attribute | None:
    literal, _, written = text.rpartition(_BETWEEN)
    type = simple_tensor(written)
    return plain_dense(type, literal[len(_CONSTANT) :]) if isinstance(type, TensorType) else None


def _work_out(form: _Form, pieces: list[str], read_alone: ReadAlone, default_dialect: str) -> bool:
    """Whether it can be found out where the types of ``form`` come from; it is noted there."""
    model = form.recipe
    assert model is not None
    written = pieces.copy()
    for place in range(1, len(pieces), 2):
        shape = f"tensor<{_FIRST_SIZE + place}xf32>"
        written[place] = f"dense<{place}.0> : {shape}" if pieces[place].startswith(_CONSTANT) else shape
    between = "".join(written).split("\n")
    line = "".join([between[0], *(f"%{number}{text}" for number, text in enumerate(between[1:]))])
    op = read_alone(line, default_dialect)
    if op is None or op.name != model.name or op.attributes is not model.attributes:
        return False
    if [len(op.operands), len(op.results)] != [len(model.operand_types), len(model.result_types)]:
        return False
    blanks = [simple_tensor(text.rpartition(_BETWEEN)[2]) for text in written[1::2]]
    for values, known, places in (
        ([value.type for value in op.operands], model.operand_types, form.operands),
        ([result.type for result in op.results], model.result_types, form.results),
    ):
        for type, before in zip(values, known, strict=True):
            if type not in blanks and type is not before:
                return False
            places.append(blanks.index(type) if type in blanks else -1)
    return _constants_are_plain(form, op, model, written[1::2])


def _constants_are_plain(form: _Form, op: Operation, model: LineRecipe, blanks: list[str]) -> bool:
    """Whether properties are those of ``model`` but for one, which is the constant in a blank; that is noted."""
    constants = {number: _constant(text) for number, text in enumerate(blanks) if text.startswith(_CONSTANT)}
    changed = [name for name, value in op.properties if value is not model.properties.get(name)]
    if len(op.properties) != len(model.properties) or len(changed) != len(constants):
        return False
    if not constants:
        return True
    ((form.constant, constant),) = constants.items() if len(constants) == 1 else ((-1, None),)
    form.property = changed[0]
    return constant is not None and op.properties.get(form.property) is constant
