"""Finds dialects and operations by name, and loads them on first use.

Importing the package loads no dialect. A user's package adds its own through ``register_dialect``. For passes there is
``ir.pass_registry``.
"""

from __future__ import annotations

from pyshardy.ir.opdef import Dialect, OpDef
from pyshardy.plugins import claim

DIALECT_MODULES = {
    "arith": "pyshardy.dialects.arith",
    "builtin": "pyshardy.dialects.builtin",
    "cf": "pyshardy.dialects.cf",
    "chlo": "pyshardy.dialects.chlo",
    "func": "pyshardy.dialects.func",
    "sdy": "pyshardy.dialects.sdy.operations",
    "shape": "pyshardy.dialects.shape",
    "stablehlo": "pyshardy.dialects.stablehlo.operations",
    "tensor": "pyshardy.dialects.tensor",
}
"""The module that defines each dialect, as its variable ``DIALECT``."""

_OURS = frozenset({*DIALECT_MODULES, "check", "interpreter"})

_foreign: dict[str, OpDef] = {}
"""The rows of foreign dialects."""

_version = 0
_dialects: dict[str, Dialect | None] = {}
_definitions: dict[str, OpDef | None] = {}


def _imported(path: str) -> Dialect:
    # Not by importlib, which has more to load than a dialect.
    found: Dialect = __import__(path, fromlist=("DIALECT",)).DIALECT
    return found


def dialect(name: str) -> Dialect | None:
    """The dialect called ``name``, or None if nobody knows it."""
    try:
        return _dialects[name]
    except KeyError:
        path = DIALECT_MODULES.get(name)
        found = _imported(path) if path is not None else None
        _dialects[name] = found
        return found


def op_definition(name: str) -> OpDef | None:
    """The definition of the operation ``dialect.op``, or None if it is not registered."""
    try:
        return _definitions[name]
    except KeyError:
        home = dialect(name.partition(".")[0])
        found = home.definitions.get(name) if home is not None else None
        _definitions[name] = found
        return found


def is_ours(name: str) -> bool:
    """Whether the operation ``name`` is of a dialect that pyshardy knows by itself."""
    return name.partition(".")[0] in _OURS


def foreign_row(name: str) -> OpDef | None:
    """The row of the operation ``name``, if its dialect is one from outside."""
    return _foreign.get(name)


def foreign_rows() -> dict[str, OpDef]:
    """The rows of all foreign dialects, by name; empty in most programs."""
    return _foreign


def registry_version() -> int:
    """A number that grows whenever a dialect is registered, for caches of what definitions made."""
    return _version


def register_dialect(new: Dialect) -> None:
    """Adds a dialect (or replaces the one of that name).

    Operations that exist already keep the definition they were made with. (``pyshardy.extend.register_dialect`` looks
    at the rows first.)
    """
    global _version
    if new.name not in _OURS:
        claim("dialect", new.name)
        for old in [name for name in _foreign if name.startswith(new.name + ".")]:
            del _foreign[old]
        _foreign.update(new.definitions)
    _version += 1
    _dialects[new.name] = new
    for name in [name for name in _definitions if name.startswith(new.name + ".")]:
        del _definitions[name]
