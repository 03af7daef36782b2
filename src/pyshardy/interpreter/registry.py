"""The table of evaluators: operation name → function that computes its results from its operands.

Files of ``operations`` fill it by decorator, one file for each family.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from pyshardy.interpreter.frame import Evaluator
from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.plugins import check_names, claim

_E = TypeVar("_E", bound=Evaluator)

_evaluators: dict[str, Evaluator] = {}


def evaluates(*names: str) -> Callable[[_E], _E]:
    """Registers a function as the evaluator of the operations ``names``; a later one replaces an earlier one."""
    check_names("evaluates", names)

    def register(function: _E) -> _E:
        for name in names:
            claim("evaluator", name)
            _evaluators[name] = function
        return function

    return register


def evaluator(name: str) -> Evaluator | None:
    """The evaluator of operation ``name``, or None."""
    _load()
    found = _evaluators.get(name)
    if found is None and foreign_rows():
        row = foreign_row(name)
        return row.evaluator if row is not None else None
    return found


@cache
def _load() -> None:
    own = dict(_evaluators)
    families = import_module("pyshardy.interpreter.operations")
    for family in iter_modules(families.__path__, f"{families.__name__}."):
        import_module(family.name)
    # What a user registered before the first run outdoes ours.
    _evaluators.update(own)
