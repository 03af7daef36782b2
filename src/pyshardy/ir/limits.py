"""Limits on what a program may grow to: beyond one there is an error in one line, instead of hours or all memory.

Each has a name, a default, and what it counts (docs/limits.md). ``--limit NAME=N`` of both commands, ``set_limit`` and
``PYSHARDY_LIMITS=NAME=N,NAME=N`` in the environment change one. Every package may use it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
from pyshardy.ir.source_text import Position


class Limit(NamedTuple):
    """A limit: what is allowed as long as nobody says otherwise, and what it counts."""

    default: int
    counts: str


LIMITS: Mapping[str, Limit] = MappingProxyType(
    {
        "called-operations": Limit(1_000_000, "operations of a program once each call has a copy of its function"),
        "call-depth": Limit(2_000, "calls that stand inside one another"),
        "listed-devices": Limit(65_536, "devices whose replica groups or permutes are listed one by one"),
        "checked-devices": Limit(4_096, "devices that a check or an interpreter simulates"),
    }
)
"""All limits, by name."""

_set: dict[str, int] = {}


class LimitExceeded(PyshardyError):
    """A program is larger than a limit allows; the message names the limit and how to raise it."""

    def __init__(self, message: str, name: str) -> None:
        text = f"{message}, more than {limit(name):,} (--limit {name}=N allows more)"
        super().__init__([Diagnostic("error", Position("-", 0, 0), text)])


def limit(name: str) -> int:
    """What the limit ``name`` allows now."""
    found = _set.get(name)
    return _from_environment().get(name, LIMITS[name].default) if found is None else found


def set_limit(name: str, value: int | None) -> None:
    """Lets the limit ``name`` allow ``value`` from now on, in this process; None for what it allows by default.

    Raises:
        ValueError: there is no such limit, or ``value`` is negative.
    """
    _check(name, value or 0)
    if value is None:
        _set.pop(name, None)
    else:
        _set[name] = value


def read_limit(text: str) -> tuple[str, int]:
    """The name and the value of ``NAME=N``.

    Raises:
        ValueError: it is no such text, or there is no such limit.

    >>> read_limit("listed-devices=100000")
    ('listed-devices', 100000)
    """
    name, equals, value = text.partition("=")
    if not equals or not value.strip().isdecimal():
        raise ValueError(f"'{text}' is no NAME=N, as listed-devices=100000")
    _check(name.strip(), int(value))
    return name.strip(), int(value)


def _check(name: str, value: int) -> None:
    if name not in LIMITS:
        raise ValueError(f"there is no limit '{name}'; there are {', '.join(LIMITS)}")
    if value < 0:
        raise ValueError(f"the limit {name} cannot be {value}")


def _from_environment() -> dict[str, int]:
    text = os.environ.get("PYSHARDY_LIMITS", "")
    return dict(read_limit(one) for one in text.split(",") if one)
