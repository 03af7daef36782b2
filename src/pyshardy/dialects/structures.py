"""Structured attributes of dialects: a table of fields says how one is made, stored and written.

The table is the class: its annotations are the fields, in the order of constructor and text, its values their defaults.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self, dataclass_transform

from pyshardy.ir.attribute import Attribute, quoted


@dataclass_transform(frozen_default=True)
class Structure(Attribute):
    """Base of attributes with named fields, which are hashable values.

    ``mnemonic`` names the attribute in text; the values of all fields follow, ``#mnemonic<field = value, …>``.
    """

    mnemonic: ClassVar[str]

    def __init_subclass__(cls, mnemonic: str = "") -> None:
        super().__init_subclass__()
        cls.mnemonic = mnemonic

    def __new__(cls, *values: Any, **named: Any) -> Self:
        if len(values) < len(cls._fields):
            rest = cls._fields[len(values) :]
            values += tuple([named.pop(name) if name in named else getattr(cls, name) for name in rest])
        if named or len(values) > len(cls._fields):
            raise TypeError(f"the fields of {cls.__name__} are {', '.join(cls._fields)}")
        return cls._table[values]

    @property
    def body(self) -> str:
        """``<name = "x", size = 2>``: the text behind the mnemonic."""
        return f"<{', '.join(f'{name} = {field_text(value)}' for name, value in vars(self).items())}>"

    def children(self) -> Iterable[Attribute]:
        for value in vars(self).values():
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, Attribute):
                    yield one

    def _render(self) -> str:
        return f"#{self.mnemonic}{self.body}"


class DimensionNumbers(Structure):
    """Base of those whose fields are dimensions and lists of dimensions. In text they may stand in any order, and those
    that are 0 or empty do not stand there."""

    written: ClassVar[dict[str, type]]
    """Name in text → ``int`` or ``tuple``."""

    def __init_subclass__(cls, mnemonic: str = "", suffix: str = "") -> None:
        super().__init_subclass__(mnemonic)
        cls.written = {}
        for field, kind in cls.__annotations__.items():
            if kind == "int":
                cls.written[field + suffix] = int
            else:
                cls.written[f"{field}{suffix}s" if suffix else field] = tuple

    @property
    def body(self) -> str:
        named = zip(self.written, vars(self).values(), strict=True)
        return f"<{', '.join(f'{name} = {field_text(value)}' for name, value in named if value)}>"


def field_text(value: object) -> str:
    """The value of a field: ``"x"``, ``true``, ``[1, 2]``, ``1``, or an attribute."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)
