"""Prints operations as MLIR does, pretty or generic; definitions write their pretty forms with its methods.

Values are named by ``naming``, some attributes by ``aliases``. Nested regions run on the explicit stack of
``ir.explicit_stack``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pyshardy.ir.attribute import Attribute, quoted
from pyshardy.ir.attributes import EMPTY_DICTIONARY, WRITTEN_EMPTY_DICTIONARY, DictionaryAttr, entry_text
from pyshardy.ir.explicit_stack import Steps, run
from pyshardy.ir.opdef import OpDef
from pyshardy.ir.operation import Block, BlockArgument, Operation, Region, Value, detached_operation
from pyshardy.ir.printing.aliases import Aliases
from pyshardy.ir.printing.naming import Names
from pyshardy.ir.types import Type, function_type_text

_MOST_TEMPLATES = 20_000

NO_NAMES = Names(detached_operation("", None, (), ()))
"""For printers that do not write the names of values."""


class Printer:
    """Writes operations into ``out``, a list of pieces of text.

    Definitions of operations use ``write``, ``operand``, ``operands``, ``attr_dict``, ``type``, ``signature`` and, for
    regions, ``yield printer.region(...)``. They ask for the text of types and attributes in the order of the text.
    """

    __slots__ = (
        "_aliases",
        "_generic",
        "_in_lines",
        "_marker",
        "_name_of",
        "_newline",
        "_root",
        "_templates",
        "_text",
        "names",
        "out",
    )

    def __init__(self, names: Names, *, generic: bool = False, aliases: Aliases | None = None) -> None:
        self.names = names
        self._name_of = names.values.__getitem__
        self._aliases = aliases
        self._in_lines = aliases is None
        """Whether nothing stands behind an operation without regions."""
        self._text: Callable[[Attribute], str] = str if aliases is None else aliases.text
        self._templates: dict[object, str] = {}
        """The texts of operations without regions, ``%s`` in place of the operands."""
        self._marker: _Marker | None = None
        self.out: list[str] = []
        self._root: Operation | None = None
        self._generic = generic
        self._newline = "\n"

    def write(self, text: str) -> None:
        """Appends text."""
        self.out.append(text)

    def newline(self) -> None:
        """Starts a new line at the current indentation."""
        self.out.append(self._newline)

    # --- values ---------------------------------------------------------------------------------------------------

    def operand(self, value: Value) -> str:
        """``%name``, or ``%name#number`` for a result of an unnamed group."""
        return self.names.values.get(value, "<<UNKNOWN SSA VALUE>>")

    def operands(self, values: Iterable[Value]) -> str:
        """The values joined by commas."""
        return ", ".join(map(self.operand, values))

    def block_label(self, block: Block) -> str:
        """``^bb0``."""
        return self.names.blocks.get(block, "INVALIDBLOCK")

    # --- pieces of operations -------------------------------------------------------------------------------------

    def attr_dict(self, op: Operation, elided: Iterable[str] = (), *, before: str = " ", keyword: bool = False) -> str:
        """The attributes of ``op`` that its syntax did not print, ``before`` in front, or nothing if none is left:
        properties and discardable attributes in one dictionary, without ``elided`` and the defaulted properties."""
        hidden = set(elided)
        if op.definition is not None and op.definition.elides is not None:
            hidden.update(op.definition.elides(op))
        entries = {k: v for k, v in op.properties if k not in hidden}
        entries.update((k, v) for k, v in op.attributes if k not in hidden)
        if not entries:
            return ""
        return f"{before}{'attributes ' if keyword else ''}{self.dictionary(DictionaryAttr(entries))}"

    def dictionary(self, entries: DictionaryAttr) -> str:
        """``{name = value, …}``."""
        return "{" + ", ".join(entry_text(name, value, self._text) for name, value in entries) + "}"

    def attribute(self, value: Attribute | None) -> str:
        """The attribute's text."""
        return "<<NULL ATTRIBUTE>>" if value is None else self._text(value)

    def signature(self, op: Operation) -> str:
        """``(operand types) -> result types``."""
        return function_type_text([v.type for v in op.operands], [r.type for r in op.results], self._text)

    def type(self, type: Type) -> str:
        """The type's text."""
        return self._text(type)

    def types(self, types: Iterable[Type]) -> str:
        """The types joined by commas."""
        return ", ".join(map(self._text, types))

    def argument(self, argument: BlockArgument, attributes: DictionaryAttr = EMPTY_DICTIONARY) -> str:
        """``%name: type {attributes} loc(…)``, an argument of a region where it is introduced."""
        text = f"{self.operand(argument)}: {self._text(argument.type)}"
        if attributes:
            text += f" {self.dictionary(attributes)}"
        return text if self._aliases is None else text + self._aliases.argument_location(argument.location)

    def custom_name(self, op: Operation) -> str:
        """The name in pretty form: without dialect if the enclosing operation's region implies it."""
        name = op.name
        parent = op.parent_op if op is not self._root else None
        if parent is not None and parent.definition is not None:
            default = parent.definition.default_dialect
            if default is not None and name.startswith(default + ".") and "." not in name[len(default) + 1 :]:
                return name[len(default) + 1 :] if default != "builtin" or name == "builtin.module" else name
        elif parent is None and name == "builtin.module":
            return "module"
        return name

    # --- operations -----------------------------------------------------------------------------------------------

    def print_operation(self, op: Operation) -> None:
        """Writes ``op`` with everything in it."""
        self._root = op
        steps = self._operation(op)
        if steps is not None:
            run(steps, lambda: RecursionError("regions nest too deep to print"))
        self._end_operation(op)

    def _begin_block(self, block: Block) -> None:
        """What stands in front of the first operation of a block."""

    def _end_operation(self, op: Operation) -> None:
        """What stands behind an operation, on its last line."""
        if self._aliases is not None:
            self.out.append(self._aliases.trailing_location(op.location))

    def _operation(self, op: Operation) -> Steps | None:
        if op.results:
            self._write_results(op)
        if op.regions or op.successors or op is self._root:
            return self._whole_operation(op)
        parent = op.parent_op
        text = self._text_of(op, parent.definition if parent is not None else None)
        if text is None:
            return self._whole_operation(op)
        self.out.append(text)
        return None

    def _line(self, op: Operation, home: OpDef | None) -> None:
        """Writes ``op``, which has no regions and at most one result, into a line of its own."""
        signature, text = op.signature, None
        if signature is not None and op.properties is signature.properties:
            # As most operations are, with a template already.
            template = self._templates.get((signature, op.attributes, home))
            if template is not None:
                text = self._filled(template, op)
        if text is None:
            text = self._text_of(op, home)
        if text is None:
            self.newline()
            self._operation(op)
        elif op.results:
            self.out.append(f"{self._newline}{self.names.values[op.results[0]]} = {text}")
        else:
            self.out.append(self._newline + text)

    def _text_of(self, op: Operation, home: OpDef | None) -> str | None:
        """The text of ``op``, which has no regions, behind its results, from a template; ``home`` is the definition of
        the operation around it. None if it has no template."""
        signature = op.signature
        key: object
        if signature is not None and op.properties is signature.properties:
            key = (signature, op.attributes, home)
        else:
            types = (*(value.type for value in op.operands), *(result.type for result in op.results))
            key = (op.name, op.properties, op.attributes, len(op.operands), types, home)
        template = self._templates.get(key)
        if template is None:
            if self._marker is None:
                self._marker = _Marker(self._generic, self._aliases)
            template = self._marker.template(op)
            if template is None:
                return None
            if len(self._templates) >= _MOST_TEMPLATES:
                self._templates.clear()
            self._templates[key] = template
        return self._filled(template, op)

    def _filled(self, template: str, op: Operation) -> str:
        try:
            return template % tuple(map(self._name_of, op.operands))
        except KeyError:
            return template % tuple(map(self.operand, op.operands))

    def _whole_operation(self, op: Operation) -> Steps | None:
        definition = op.definition
        if not self._generic and definition is not None and definition.print_ is not None:
            self.write(self.custom_name(op))
            return definition.print_(self, op)
        return self._generic_operation(op)

    def _write_results(self, op: Operation) -> None:
        self.out.append(self.names.of_results(op) + " = ")

    def _generic_operation(self, op: Operation) -> Steps | None:
        self.write(f"{quoted(op.name)}({self.operands(op.operands)})")
        if op.successors:
            self.write("[" + ", ".join(map(self.block_label, op.successors)) + "]")
        if op.properties.entries or op.properties is WRITTEN_EMPTY_DICTIONARY:
            self.write(f" <{self.dictionary(op.properties)}>")
        if op.regions:
            return self._generic_regions(op)
        self._generic_tail(op)
        return None

    def _generic_regions(self, op: Operation) -> Steps:
        self.write(" (")
        for index, region in enumerate(op.regions):
            if index:
                self.write(", ")
            yield self.region(region)
        self.write(")")
        self._generic_tail(op)

    def _generic_tail(self, op: Operation) -> None:
        if op.attributes.entries:
            self.write(" " + self.dictionary(op.attributes))
        self.write(" : " + self.signature(op))

    # --- regions --------------------------------------------------------------------------------------------------

    def region(
        self, region: Region, *, arguments: bool = True, terminators: bool = True, empty_block: bool = True
    ) -> Steps:
        """``{ … }``; without ``arguments`` the entry block's are not printed (the operation's syntax has done it),
        without ``terminators`` the last operation of a block without operands and attributes is left out."""
        self.write("{")
        outer = self._newline
        home = region.parent.definition if region.parent is not None else None
        for index, block in enumerate(region.blocks):
            if index or (block.arguments and arguments) or (block.first is None and empty_block):
                self._newline = outer
                self._block_label_line(block, index)
            self._newline = outer + "  "
            self._begin_block(block)
            for op in block:
                if not terminators and op is block.last:
                    break
                if self._in_lines and not op.regions and not op.successors and len(op.results) < 2:
                    self._line(op, home)
                    continue
                self.newline()
                steps = self._operation(op)
                if steps is not None:
                    yield steps
                    self._newline = outer + "  "
                self._end_operation(op)
        self._newline = outer
        self.newline()
        self.write("}")

    def _block_label_line(self, block: Block, index: int) -> None:
        self.newline()
        self.write(self.block_label(block))
        if block.arguments:
            self.write(f"({', '.join(map(self.argument, block.arguments))})")
        self.write(":")
        if index:
            self._write_predecessors(block)

    def _write_predecessors(self, block: Block) -> None:
        assert block.parent is not None
        found = [
            one
            for one in block.parent.blocks
            if one.last is not None
            for target in one.last.successors
            if target is block
        ]
        if not found:
            self.write("  // no predecessors")
        elif len(found) == 1:
            self.write(f"  // pred: {self.block_label(found[0])}")
        else:
            self.write(f"  // {len(found)} preds: " + ", ".join(map(self.block_label, found)))


_MARK = "\0"


class _Marker(Printer):
    """Prints an operation with a mark for each operand."""

    __slots__ = ("marked",)

    def __init__(self, generic: bool, aliases: Aliases | None) -> None:
        super().__init__(NO_NAMES, generic=generic, aliases=aliases)
        self.marked: list[Value] = []

    def operand(self, value: Value) -> str:
        self.marked.append(value)
        return _MARK

    def template(self, op: Operation) -> str | None:
        """The text of ``op``, which has no regions, behind its results, as a format for the names of its operands;
        None if it does not name each operand once and in order."""
        self.out.clear()
        self.marked.clear()
        steps = self._whole_operation(op)
        if steps is not None or self.marked != op.operands:
            return None
        return "".join(self.out).replace("%", "%%").replace(_MARK, "%s")
