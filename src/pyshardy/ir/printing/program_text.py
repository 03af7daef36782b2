"""Prints a module with its aliases and locations, or with comments on users, or one operation as a quotation."""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import EMPTY_DICTIONARY, DictionaryAttr
from pyshardy.ir.explicit_stack import Steps
from pyshardy.ir.opdef import ISOLATED, OpDef
from pyshardy.ir.operation import Block, BlockArgument, Operation, Value
from pyshardy.ir.printing.aliases import AliasCollector, Aliases, needs_aliases
from pyshardy.ir.printing.naming import Names
from pyshardy.ir.printing.printer import NO_NAMES, Printer
from pyshardy.ir.source_text import SourceText


class Style(NamedTuple):
    """What else may be asked of printing: ``local_scope`` gives nothing an alias, ``unique_numbers`` gives no two
    regions the same numbers, ``users`` says in comments who uses a value, and constants of more than ``most_elements``
    are elided."""

    local_scope: bool = False
    unique_numbers: bool = False
    users: bool = False
    most_elements: int | None = None


PLAIN = Style()


class _Visitor(Printer):
    """Prints nothing, but hands everything that may take an alias to a collector."""

    __slots__ = ("_collector", "_locations", "_seen")

    def __init__(self, generic: bool, collector: AliasCollector, locations: Aliases | None) -> None:
        super().__init__(NO_NAMES, generic=generic)
        self._collector = collector
        self._locations = locations
        """Where to get locations from, if they are printed."""
        self._seen: set[object] = set()
        self._text = self._visit

    def _visit(self, attribute: Attribute) -> str:
        self._collector.visit(attribute)
        return ""

    def operand(self, value: Value) -> str:
        return ""

    def argument(self, argument: BlockArgument, attributes: DictionaryAttr = EMPTY_DICTIONARY) -> str:
        # MLIR does not look for aliases in the attributes here.
        self._visit(argument.type)
        if self._locations is not None:
            self._collector.visit(self._locations.location(argument.location))
        return ""

    def _operation(self, op: Operation) -> Steps | None:
        if self._locations is not None:
            self._collector.visit(self._locations.location(op.location), deferrable=True)
        if not op.regions and not op.successors:
            types = (*(value.type for value in op.operands), *(result.type for result in op.results))
            key = (op.name, op.properties, op.attributes, len(op.operands), types)
            if key in self._seen:
                return None
            self._seen.add(key)
        return self._whole_operation(op)

    def _line(self, op: Operation, home: OpDef | None) -> None:
        self._operation(op)

    def _generic_operation(self, op: Operation) -> Steps | None:
        if op.regions:
            return self._generic_regions(op)
        self._generic_tail(op)
        return None

    def _generic_regions(self, op: Operation) -> Steps:
        for region in op.regions:
            yield self.region(region)
        self._generic_tail(op)

    def _generic_tail(self, op: Operation) -> None:
        self.signature(op)
        self.dictionary(DictionaryAttr({**op.properties.entries, **op.attributes.entries}))


class _WithUsers(Printer):
    """Says in comments who uses each value."""

    __slots__ = ()

    def __init__(self, names: Names, *, generic: bool = False, aliases: Aliases | None = None) -> None:
        super().__init__(names, generic=generic, aliases=aliases)
        self._in_lines = False

    def _begin_block(self, block: Block) -> None:
        for argument in block.arguments:
            self.newline()
            used = f"is used by {self._users(argument)}" if argument.num_uses else "is unused"
            self.write(f"// {self.operand(argument)} {used}")

    def _end_operation(self, op: Operation) -> None:
        super()._end_operation(op)
        if not op.results:
            if op.operands:
                self.write(f" // id: {self._number(op)}")
            return
        users = {user for result in op.results for user in result.users}
        if not users:
            self.write(" // unused")
            return
        word = "user" if len(users) <= 1 and sum(len(user.results) for user in users) <= 1 else "users"
        listed = [self._users(result) for result in op.results]
        if len(listed) > 1:
            listed = [f"({one})" for one in listed]
        self.write(f" // {word}: {', '.join(listed)}")

    def _users(self, value: Value) -> str:
        texts = []
        for user in dict.fromkeys(value.users):
            texts += [self.operand(result) for result in user.results] or [self._number(user)]
        return ", ".join(texts) or "unused"

    def _number(self, op: Operation) -> str:
        return (self.names.operations or {}).get(op, "<<UNKNOWN OPERATION>>")


class _WithoutRegions(Printer):
    """Leaves out what is in regions."""

    __slots__ = ()

    def _generic_regions(self, op: Operation) -> Steps:
        self.write(" (" + ", ".join("{...}" for _ in op.regions) + ")")
        self._generic_tail(op)
        yield from ()


def _aliases(op: Operation, generic: bool, debug_info: SourceText | None, most_elements: int | None) -> Aliases | None:
    """The aliases for printing ``op``; None if there are none, no locations are printed, and nothing is elided."""
    if debug_info is None and most_elements is None and not needs_aliases(op):
        return None
    aliases, collector = Aliases(debug_info, most_elements), AliasCollector()
    _Visitor(generic, collector, aliases if debug_info is not None else None).print_operation(op)
    aliases.take(collector)
    return aliases


def operation_text(
    op: Operation, *, generic: bool = False, debug_info: SourceText | None = None, style: Style = PLAIN
) -> str:
    """``op`` and everything in it as text, without a final newline; with the locations of all operations if
    ``debug_info`` is given, the text that they point into."""
    if style.local_scope:
        aliases: Aliases | None = Aliases(debug_info, style.most_elements)
    else:
        aliases = _aliases(op, generic, debug_info, style.most_elements)
    names = Names(op, generic=generic, unique=style.unique_numbers, operations=style.users)
    printer = (_WithUsers if style.users else Printer)(names, generic=generic, aliases=aliases)
    if aliases is None:
        printer.print_operation(op)
        return "".join(printer.out)
    before = [f"{line}\n" for line in aliases.definitions(deferred=False)]
    printer.print_operation(op)
    after = [f"\n{line}" for line in aliases.definitions(deferred=True)]
    return "".join([*before, *printer.out, *after])


def quoted_operation(op: Operation, *, generic: bool = True, regions: bool = True) -> str:
    """``op`` as diagnostics quote it: values are numbered from the nearest isolated operation around it. Without
    ``regions`` only ``...`` stands for each (in generic form)."""
    root = op
    for above in op.ancestors():
        if root.traits & ISOLATED:
            break
        root = above
    printer = (Printer if regions else _WithoutRegions)(Names(root, generic=generic), generic=generic)
    printer.print_operation(op)
    return "".join(printer.out)
