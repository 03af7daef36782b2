"""Converts plain data of other packages to an object of a public class."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

_Answer = TypeVar("_Answer")


def with_answers(kind: type[_Answer], data: Any) -> _Answer:
    """The dataclass ``data`` of a package below as a ``kind``, a subclass of its class with the public methods."""
    return kind(**{field.name: getattr(data, field.name) for field in fields(data)})
