"""The rows of all dialects: their functions take what the parser, the printer and the verifier hand them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pyshardy.ir.opdef import Dialect, OpDef
from pyshardy.ir.registry import DIALECT_MODULES, dialect
from pyshardy.versions import is_compiled

_PARSERS = {"Parser", "ValueParser", "AttributeParser", "TypeParser"}
_TEXT_PARSERS = {"AttributeParser", "TypeParser", "TokenParser"}
_HOOKS: dict[str, tuple[set[str], ...]] = {
    "parse": (_PARSERS, {"OperationState"}),
    "print_": ({"Printer"}, {"Operation"}),
    "elides": ({"Operation"},),
    "is_pure": ({"Operation"},),
    "result_names": ({"Operation"},),
    "argument_names": ({"Operation"}, {"int"}),
    "verifiers": ({"Verification"}, {"Operation"}),
    "symbol_verifiers": ({"Verification"}, {"Operation"}),
    "parse_attribute": (_TEXT_PARSERS, {"str"}),
    "parse_type": (_TEXT_PARSERS, {"str"}),
    "verify_attribute": ({"Verification"}, {"Operation"}, {"str"}, {"Attribute"}),
    "verify_argument_attribute": ({"Verification"}, {"Operation"}, {"str"}, {"int"}, {"str"}, {"Attribute"}),
}
"""Hook → the classes that each of its parameters may be annotated with."""


def _functions(row: OpDef | Dialect) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in row.__slots__:
        value = getattr(row, name)
        if name in _HOOKS and value is not None:
            yield from ((name, one) for one in (value if isinstance(value, tuple) else (value,)))


@pytest.mark.skipif(is_compiled(), reason="compiled functions have no annotations")
@pytest.mark.parametrize("name", DIALECT_MODULES)
def test_functions_take_what_they_are_called_with(name: str) -> None:
    home = dialect(name)
    assert home is not None
    rows: list[OpDef | Dialect] = [home, *home.definitions.values()]
    for row in rows:
        for hook, function in _functions(row):
            taken = [one.annotation for one in inspect.signature(function).parameters.values()]
            wanted = _HOOKS[hook]
            assert len(taken) == len(wanted), (row.name, hook)
            for annotation, classes in zip(taken, wanted, strict=True):
                assert annotation in classes or function.__name__ == "<lambda>", (row.name, hook, annotation)
