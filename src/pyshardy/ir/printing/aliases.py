"""The short names that printing gives to some attributes: ``#loc3``, ``#map``, ``#set``, ``#distinct``, ``!tuple``.

Before a program is printed it is visited in the order of printing, and every location (with debug information), affine
map, integer set, distinct attribute and very long tuple on the way is numbered. The definitions of operations'
locations are printed after the program, all others before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.ir.affine import AffineMapAttr, IntegerSetAttr
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DistinctAttr, UnitAttr
from pyshardy.ir.elements import DenseElementsAttr, SparseElementsAttr, StringElementsAttr
from pyshardy.ir.locations import UNKNOWN_LOCATION, Location, body_text, file_location
from pyshardy.ir.operation import Operation
from pyshardy.ir.source_text import SourceText
from pyshardy.ir.types import TupleType, Type

_LONGEST_TUPLE = 16


def _name(attribute: Attribute) -> str:
    """The name that ``attribute`` takes an alias from, or nothing."""
    if isinstance(attribute, Location):
        return "loc"
    if isinstance(attribute, AffineMapAttr):
        return "map"
    if isinstance(attribute, IntegerSetAttr):
        return "set"
    if isinstance(attribute, DistinctAttr) and attribute.referenced is not UnitAttr():
        return "distinct"
    return "tuple" if isinstance(attribute, TupleType) and len(attribute.elements) > _LONGEST_TUPLE else ""


class _Symbol:
    """An attribute that was visited: the ``name`` of its alias, how deep it is in the order of definition, whether it
    may be defined behind the program, and what is inside it."""

    __slots__ = ("deferrable", "depth", "inside", "is_type", "name")

    def __init__(self, attribute: Attribute, deferrable: bool) -> None:
        self.name = _name(attribute)
        self.depth = 1 if self.name else 0
        self.deferrable = deferrable
        self.is_type = isinstance(attribute, Type)
        self.inside: list[_Symbol] = []

    def close(self) -> None:
        """Everything inside is known: this one comes after the deepest."""
        deepest = 0
        for one in self.inside:
            # A type inside an attribute that is no type is wrapped once more.
            deepest = max(deepest, one.depth + (1 if one.is_type and one.depth and not self.is_type else 0))
        if deepest:
            self.depth = deepest + 1

    def order(self) -> tuple[int, bool, str]:
        return self.depth, not self.is_type, self.name


class AliasCollector:
    """Takes down attributes in the order in which printing meets them."""

    def __init__(self) -> None:
        self._symbols: dict[Attribute, _Symbol] = {}

    def visit(self, attribute: Attribute, deferrable: bool = False) -> None:
        """Notes ``attribute`` and what is inside it, unless that has been done; ``deferrable`` says that it may be
        defined behind the program."""
        known = self._symbols.get(attribute)
        if known is not None:
            if known.deferrable and not deferrable:
                self._pin(known)
            return
        # By hand instead of recursive: a chain of locations may be longer than Python's stack.
        stack = [self._open(attribute, deferrable)]
        while True:
            symbol, pending = stack[-1]
            inner = next(pending, None)
            if inner is None:
                symbol.close()
                stack.pop()
                if not stack:
                    return
                continue
            known = self._symbols.get(inner)
            if known is None:
                stack.append(self._open(inner, deferrable))
                known = stack[-1][0]
            elif known.deferrable and not deferrable:
                self._pin(known)
            symbol.inside.append(known)

    def _open(self, attribute: Attribute, deferrable: bool) -> tuple[_Symbol, Iterator[Attribute]]:
        symbol = self._symbols[attribute] = _Symbol(attribute, deferrable)
        return symbol, iter(tuple(attribute.children()))

    def _pin(self, symbol: _Symbol) -> None:
        pending = [symbol]
        while pending:
            one = pending.pop()
            if one.deferrable:
                one.deferrable = False
                pending.extend(one.inside)

    def numbered(self) -> Iterator[tuple[Attribute, str, bool]]:
        """Every attribute with an alias: the attribute, the alias, whether it is defined behind the program; in the
        order of definition."""
        named = [(symbol, attribute) for attribute, symbol in self._symbols.items() if symbol.name]
        named.sort(key=lambda entry: entry[0].order())
        counts: dict[str, int] = {}
        for symbol, attribute in named:
            number = counts.get(symbol.name, 0)
            counts[symbol.name] = number + 1
            yield attribute, f"{'!' if symbol.is_type else '#'}{symbol.name}{number or ''}", symbol.deferrable


class Aliases:
    """The aliases of one program, and the text of attributes with them. ``source`` is what locations of operations
    point into if they are printed, else None. Constants of more than ``most_elements`` are elided."""

    __slots__ = ("_deferred", "_locations", "_names", "_numbers", "_texts", "most_elements", "source")

    def __init__(self, source: SourceText | None = None, most_elements: int | None = None) -> None:
        self.source = source
        self.most_elements = most_elements
        self._names: dict[Attribute, str] = {}
        self._deferred: set[Attribute] = set()
        self._texts: dict[Attribute, str] = {}
        self._numbers: dict[DistinctAttr, int] = {}
        self._locations: dict[int, Location] = {}

    def take(self, collector: AliasCollector) -> None:
        """Gives the aliases that ``collector`` has found."""
        for attribute, alias, deferred in collector.numbered():
            self._names[attribute] = alias
            if deferred:
                self._deferred.add(attribute)
        self._texts.update(self._names)

    def text(self, attribute: Attribute) -> str:
        """The alias of ``attribute``, or its text with aliases inside."""
        known = self._texts.get(attribute)
        if known is None:
            known = self._texts[attribute] = self._whole_text(attribute)
        return known

    def _whole_text(self, attribute: Attribute) -> str:
        if isinstance(attribute, DistinctAttr):
            number = self._numbers.setdefault(attribute, len(self._numbers))
            return attribute.numbered(number, self.text)
        if self.most_elements is not None and _elements(attribute) > self.most_elements:
            return f"dense_resource<__elided__> : {self.text(attribute.type)}"  # type: ignore[attr-defined]
        return attribute.text_with(self.text)

    def definitions(self, *, deferred: bool) -> list[str]:
        """The lines that define the aliases behind the program (``deferred``), or in front of it."""
        return [
            f"{alias} = {self._whole_text(attribute)}"
            for attribute, alias in self._names.items()
            if (attribute in self._deferred) is deferred
        ]

    # --- locations of operations ----------------------------------------------------------------------------------

    def location(self, place: int | Location | None) -> Location:
        """The location of an operation or argument as a value."""
        if place is None:
            return UNKNOWN_LOCATION
        if isinstance(place, Location):
            return place
        known = self._locations.get(place)
        if known is None:
            assert self.source is not None
            position = self.source.position(place)
            known = self._locations[place] = file_location(position.filename, position.line, position.column)
        return known

    def trailing_location(self, place: int | Location | None) -> str:
        """`` loc(#loc3)``, what follows an operation; nothing if locations are not printed."""
        return f" loc({body_text(self.text(self.location(place)))})" if self.source is not None else ""

    def argument_location(self, place: int | Location | None) -> str:
        """`` loc("a")``, what follows an argument: it is written out."""
        return " " + self._whole_text(self.location(place)) if self.source is not None else ""


def _elements(attribute: Attribute) -> int:
    """How many elements the text of a constant spells; none for a splat and for what is no constant."""
    if isinstance(attribute, DenseElementsAttr):
        return -1 if attribute.is_splat else attribute.num_elements
    if isinstance(attribute, StringElementsAttr):
        return -1 if attribute.is_splat else len(attribute.strings)
    if isinstance(attribute, SparseElementsAttr):
        return max(_elements(attribute.values), _elements(attribute.indices))
    return -1


def needs_aliases(root: Operation) -> bool:
    """Whether some attribute or type in ``root`` takes an alias (or a number, as distinct attributes do)."""
    if not _any_made():
        return False
    plain: set[Attribute] = set()
    for op in root.operations():
        dictionaries: tuple[Attribute, Attribute] = (op.properties, op.attributes)
        for one in dictionaries:
            if one not in plain and _takes_alias(one, plain):
                return True
        for result in op.results:
            if result.type not in plain and _takes_alias(result.type, plain):
                return True
        for region in op.regions:
            for block in region.blocks:
                if any(_takes_alias(argument.type, plain) for argument in block.arguments):
                    return True
    return False


def _any_made() -> bool:
    """Whether this process has any attribute of the kinds that take aliases; most never do."""
    return (
        Location.any_made()
        or bool(AffineMapAttr._table or IntegerSetAttr._table)
        or DistinctAttr.any_made
        or any(len(one.elements) > _LONGEST_TUPLE for one in TupleType._table.values())
    )


def _takes_alias(attribute: Attribute, plain: set[Attribute]) -> bool:
    """Whether ``attribute`` or something in it does; what does not is added to ``plain``."""
    pending = [attribute]
    while pending:
        one = pending.pop()
        if one in plain:
            continue
        if _name(one) or isinstance(one, DistinctAttr):
            return True
        plain.add(one)
        pending.extend(one.children())
    return False
