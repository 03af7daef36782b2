"""The attributes of MLIR itself: numbers, strings, symbols, arrays, dictionaries.

Elements, affine maps and locations have files of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar

from pyshardy.ir.attribute import Attribute, key_text, quoted, symbol_text
from pyshardy.ir.floats import float_text
from pyshardy.ir.types import Type


class UnitAttr(Attribute):
    """The attribute whose presence is its value: ``unit``."""

    __slots__ = ()
    _only: ClassVar[UnitAttr | None] = None

    def __new__(cls) -> UnitAttr:
        if UnitAttr._only is None:
            UnitAttr._only = object.__new__(cls)
        return UnitAttr._only

    def _render(self) -> str:
        return "unit"


class IntegerAttr(Attribute):
    """An integer (booleans are integers of type ``i1``) with its type; ``value`` is signed as MLIR prints it."""

    __slots__ = ("type", "value")
    value: int
    type: Type

    def __new__(cls, value: int, type: Type) -> IntegerAttr:
        return cls._table[int(value), type]

    def _render(self) -> str:
        kind = str(self.type)
        if kind == "i1":
            return "true" if self.value else "false"
        return f"{self.value} : {kind}"


class FloatAttr(Attribute):
    """A floating point number by its bit pattern and its type."""

    __slots__ = ("bits", "type")
    bits: int
    type: Type

    def __new__(cls, bits: int, type: Type) -> FloatAttr:
        return cls._table[bits, type]

    def _render(self) -> str:
        return f"{float_text(self.bits, str(self.type))} : {self.type}"


class StringAttr(Attribute):
    """A string, bytes that are not UTF-8 held as surrogates; optionally with a type."""

    __slots__ = ("type", "value")
    value: str
    type: Type | None

    def __new__(cls, value: str, type: Type | None = None) -> StringAttr:
        return cls._table[value, type]

    def children(self) -> Iterable[Attribute]:
        return (self.type,) if self.type else ()

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        return quoted(self.value) + (f" : {text(self.type)}" if self.type else "")


class SymbolRefAttr(Attribute):
    """A reference to a symbol, ``@root`` or ``@root::@nested``."""

    __slots__ = ("path",)
    path: tuple[str, ...]

    def __new__(cls, *path: str) -> SymbolRefAttr:
        return cls._table[path,]

    @property
    def root(self) -> str:
        return self.path[0]

    def _render(self) -> str:
        return "::".join(symbol_text(name) for name in self.path)


class ArrayAttr(Attribute):
    """A list of attributes."""

    __slots__ = ("elements",)
    elements: tuple[Attribute, ...]

    def __new__(cls, elements: Iterable[Attribute] = ()) -> ArrayAttr:
        return cls._table[tuple(elements),]

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)

    def children(self) -> Iterable[Attribute]:
        return self.elements

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        return "[" + ", ".join(_element_text(element, text(element)) for element in self.elements) + "]"


def _element_text(element: Attribute, text: str) -> str:
    """An element of an array: numbers of the default types ``i64`` and ``f64`` stand without their type."""
    if isinstance(element, IntegerAttr):
        return text.removesuffix(" : i64")
    return text.removesuffix(" : f64") if isinstance(element, FloatAttr) else text


class DictionaryAttr(Attribute):
    """Named attributes, sorted by the bytes of the name. A value: ``with_`` and ``without`` give new dictionaries."""

    __slots__ = ("entries", "sorted_entries")
    sorted_entries: tuple[tuple[str, Attribute], ...]
    entries: dict[str, Attribute]

    def __new__(cls, entries: Mapping[str, Attribute] | None = None) -> DictionaryAttr:
        if not entries or len(entries) == 1:
            return cls._table[tuple(entries.items()) if entries else (),]
        return cls._table[tuple(sorted(entries.items(), key=_first)),]

    def _begin(self) -> None:
        self.entries = dict(self.sorted_entries)

    def get(self, name: str) -> Attribute | None:
        return self.entries.get(name)

    def with_(self, name: str, value: Attribute) -> DictionaryAttr:
        """This dictionary with ``name`` set to ``value``."""
        if self.entries.get(name) is value:
            return self
        if name in self.entries or not name.isascii():
            return DictionaryAttr({**self.entries, name: value})
        # Its place among those that are sorted: text without other characters is sorted as its bytes are.
        before = self.sorted_entries
        place = sum([other < name for other in self.entries])
        return DictionaryAttr._table[(*before[:place], (name, value), *before[place:]),]

    def without(self, *names: str) -> DictionaryAttr:
        """This dictionary without the entries called ``names``."""
        if not any(name in self.entries for name in names):
            return self
        return DictionaryAttr({name: value for name, value in self.entries.items() if name not in names})

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def __iter__(self) -> Iterator[tuple[str, Attribute]]:
        return iter(self.entries.items())

    def __len__(self) -> int:
        return len(self.entries)

    def children(self) -> Iterable[Attribute]:
        return self.entries.values()

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        return "{" + ", ".join(entry_text(name, value, text) for name, value in self) + "}"


def _first(entry: tuple[str, Attribute]) -> bytes | str:
    name = entry[0]
    return name if name.isascii() else name.encode("utf-8", "surrogateescape").decode("latin-1")


def entry_text(name: str, value: Attribute, text: Callable[[Attribute], str] = str) -> str:
    """One entry of a dictionary as printed: ``name = value``, or the name alone for a unit."""
    return key_text(name) if value is UnitAttr() else f"{key_text(name)} = {text(value)}"


EMPTY_DICTIONARY = DictionaryAttr()
WRITTEN_EMPTY_DICTIONARY: DictionaryAttr = Attribute.__new__(DictionaryAttr)
"""The properties of an unregistered operation that were written as ``<{}>``, which is printed again."""
WRITTEN_EMPTY_DICTIONARY.sorted_entries = ()
WRITTEN_EMPTY_DICTIONARY.entries = {}


class DenseArrayAttr(Attribute):
    """``array<i64: 1, 2>``: numbers of one type, as integers (bit patterns for floats)."""

    __slots__ = ("element_type", "values")
    element_type: Type
    values: tuple[int, ...]

    def __new__(cls, element_type: Type, values: Iterable[int]) -> DenseArrayAttr:
        return cls._table[element_type, tuple(map(int, values))]

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def _render(self) -> str:
        kind = str(self.element_type)
        if not self.values:
            return f"array<{kind}>"
        if kind in ("i1", "si1", "ui1"):
            return f"array<{kind}: {', '.join('true' if v else 'false' for v in self.values)}>"
        if kind[0] in "fbt":
            return f"array<{kind}: {', '.join(float_text(v, kind) for v in self.values)}>"
        return f"array<{kind}: {', '.join(map(str, self.values))}>"


class DistinctAttr(Attribute):
    """``distinct[0]<referenced>``: a new one equals no other. Printing numbers them in the order of appearance."""

    __slots__ = ("referenced",)
    referenced: Attribute
    any_made: ClassVar[bool] = False
    """Whether this process has any."""

    def __new__(cls, referenced: Attribute) -> DistinctAttr:
        self = object.__new__(cls)
        self.referenced = referenced
        DistinctAttr.any_made = True
        return self

    def children(self) -> Iterable[Attribute]:
        return (self.referenced,)

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        return self.numbered(0, text)

    def numbered(self, number: int, text: Callable[[Attribute], str]) -> str:
        """The text with this number."""
        return f"distinct[{number}]<{text(self.referenced) if self.referenced is not UnitAttr() else ''}>"


class OpaqueAttr(Attribute):
    """An attribute that this package does not model, kept as its text: another dialect's for example."""

    __slots__ = ("body",)
    body: str

    def __new__(cls, body: str) -> OpaqueAttr:
        return cls._table[body,]

    def _render(self) -> str:
        return self.body


class EnumAttr(Attribute):
    """One case of a dialect's enumeration, printed ``#dialect<mnemonic CASE>`` (or ``#dialect.mnemonic<CASE>``)."""

    __slots__ = ("case", "dialect", "dotted", "mnemonic")
    dialect: str
    mnemonic: str
    case: str
    dotted: bool

    def __new__(cls, dialect: str, mnemonic: str, case: str, dotted: bool = False) -> EnumAttr:
        return cls._table[dialect, mnemonic, case, dotted]

    def _render(self) -> str:
        if self.dotted:
            return f"#{self.dialect}.{self.mnemonic}<{self.case}>"
        return f"#{self.dialect}<{self.mnemonic} {self.case}>"
