"""The base of all attributes: an immutable value with a text; and how names and strings are written in such texts.

An attribute is interned: building an equal one again gives the same object, so equality is identity and attributes are
cheap keys of dictionaries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Self, TypeVar

from pyshardy.ir.native_classes import mypyc_attr

_BARE_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*", re.ASCII)
_PLAIN_STRING = re.compile(r"[ !#-\[\]-~]*")

A = TypeVar("A", bound="Attribute")


def quoted(value: str) -> str:
    """The string literal for ``value``: printable ASCII stays, quotes, backslashes and other UTF-8 bytes become
    ``\\XX``."""
    if _PLAIN_STRING.fullmatch(value):
        return f'"{value}"'
    escaped = (
        chr(byte) if 0x20 <= byte <= 0x7E and byte not in (0x22, 0x5C) else _escape(byte)
        for byte in value.encode("utf-8", "surrogateescape")
    )
    return '"' + "".join(escaped) + '"'


def plain_string(value: str) -> str:
    """``value`` as a string of no class of its own: one of NumPy is equal to a plain one, and would be given in its
    place to whoever asks for the same attribute later."""
    return value if type(value) is str else str.__str__(value)


def _escape(byte: int) -> str:
    return "\\\\" if byte == 0x5C else f"\\{byte:02X}"


def key_text(name: str) -> str:
    """``name`` as the key of a dictionary: bare if it is an identifier, else quoted."""
    return name if _BARE_IDENTIFIER.fullmatch(name) else quoted(name)


def symbol_text(name: str) -> str:
    """``name`` as a symbol: ``@name`` or ``@"na me"``."""
    return "@" + (name if _BARE_IDENTIFIER.fullmatch(name) else quoted(name)) if name else "@<<INVALID EMPTY SYMBOL>>"


class Table(dict[tuple[Any, ...], A]):
    """All attributes of one class, by the values of their fields. One that is asked for and not there is made."""

    __slots__ = ("_kind",)

    def __init__(self, kind: type[Any]) -> None:
        self._kind = kind

    def __missing__(self, values: tuple[Any, ...]) -> A:
        made: A = Attribute.__new__(self._kind)
        # A compiled class has no annotations, but a list of its attributes, its own first.
        fields = self._kind._fields or self._kind.__mypyc_attrs__
        if len(values) == 1:
            setattr(made, fields[0], values[0])
        else:
            for name, value in zip(fields, values, strict=False):
                setattr(made, name, value)
        made._begin()
        self[values] = made
        return made


@mypyc_attr(allow_interpreted_subclasses=True)
class Attribute:
    """An immutable, interned value. ``str(attribute)`` is its text as MLIR prints it standing alone.

    The annotations of a class are its fields. ``cls._table[values]`` is the one attribute whose fields have these
    values, in order; fields behind them follow from them, and ``_begin`` sets these.
    """

    __slots__ = ("_text",)
    _text: str
    _fields: ClassVar[tuple[str, ...]] = ()
    _table: ClassVar[Table[Self]]

    def __new__(cls) -> Self:
        return object.__new__(cls)

    def __init_subclass__(cls) -> None:
        written = vars(cls).get("__annotations__", {})
        own = tuple([name for name, kind in written.items() if not str(kind).startswith("ClassVar")])
        cls._fields = own or cls._fields
        cls._table = Table(cls)

    def _begin(self) -> None:
        """Called once for a new value, with the fields that it is made of: sets those that follow from them.

        Raises:
            TypeError, ValueError: there is no such value.
        """

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            self._text = self._render()
            return self._text

    def _render(self) -> str:
        return self.text_with(str)

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        """The text, with ``text(attribute)`` for every attribute inside."""
        return str(self)

    def children(self) -> Iterable[Attribute]:
        """The attributes directly inside this one (to find symbol references, for example)."""
        return ()

    def misfit(self, shape: tuple[int, ...], tensor: str) -> str | None:
        """Why this cannot be the encoding of the type ``tensor`` with that shape; None if it can."""
        return None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self
