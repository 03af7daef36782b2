"""The author's names of a program's arguments and results: ``params['layers'][3]['wq']`` for ``%arg17``.

Frameworks leave the names in two places: an argument's location (text with debug information), and attributes of
arguments and results (``jax.result_info``). ``pytorch_names`` writes the names of a separate file into locations.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from pyshardy.dialects.func import all_argument_attributes, all_result_attributes
from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation

ARGUMENT_NAME = "jax.arg_info"
_RESULT_NAME = "jax.result_info"


class BoundaryNames(NamedTuple):
    """The names of a function's arguments and results, ``%arg3`` and ``result 3`` where the program has none."""

    arguments: tuple[str, ...]
    results: tuple[str, ...]


def argument_symbol(index: int) -> str:
    """The symbol of argument ``index`` of a function in MLIR's text."""
    return f"%arg{index}"


def result_symbol(index: int) -> str:
    """The name of result ``index`` of a function if its author gave it none."""
    return f"result {index}"


def boundary_names(function: Operation) -> BoundaryNames:
    """The names at the boundary of ``function``. A name that two of them share is ambiguous and not used."""
    arguments = [
        _located(function, index) or _named(attributes, ARGUMENT_NAME)
        for index, attributes in enumerate(all_argument_attributes(function))
    ]
    results = [_named(attributes, _RESULT_NAME) for attributes in all_result_attributes(function)]
    return BoundaryNames(
        _unique(arguments, [argument_symbol(index) for index in range(len(arguments))]),
        _unique(results, [result_symbol(index) for index in range(len(results))]),
    )


def _located(function: Operation, index: int) -> str:
    """The name in the argument's location; empty for a call stack."""
    if function.regions[0].empty:
        return ""
    location = function.body.arguments[index].location
    return location.name or "" if isinstance(location, Location) else ""


def _named(attributes: DictionaryAttr, name: str) -> str:
    found = attributes.get(name)
    return found.value if isinstance(found, StringAttr) else ""


def _unique(names: list[str], otherwise: list[str]) -> tuple[str, ...]:
    counts = Counter(names)
    return tuple(name if name and counts[name] == 1 else other for name, other in zip(names, otherwise, strict=True))
