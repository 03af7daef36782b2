"""Declarations for mypyc about the classes that it compiles; in Python they have no effect.

From a compiled class others that are not compiled may be derived only where it says so. Attributes and types do
(``ir.attribute``, ``ir.types``), since dialects have their own. This file itself is never compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    C = TypeVar("C", bound=type)

    def mypyc_attr(**_: bool) -> Callable[[C], C]:
        """A decorator that leaves the class as it is."""
        return lambda cls: cls
