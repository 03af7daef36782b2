"""Data of a room below as an object of this one, which answers for itself."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

_Answer = TypeVar("_Answer")


def with_answers(kind: type[_Answer], data: Any) -> _Answer:
    """The dataclass ``data`` of a room below as a ``kind``, a subclass of its own that answers for itself."""
    return kind(**{field.name: getattr(data, field.name) for field in fields(data)})
