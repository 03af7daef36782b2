"""The place in user code that an operation comes from: file, line, function, and the scope that a framework gave it.

``ir.locations`` has locations as MLIR writes them; here they are read as JAX and others fill them: a name
``jit(step)/jvp(mlp)/dot_general`` around the call stack, innermost first.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.context import Context
from pyshardy.ir.json_fields import fields_as_json
from pyshardy.ir.locations import Location


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A place in somebody's source: ``line`` and ``column`` count from 1, 0 where nothing is known.

    ``function`` is the one that the line stands in, ``scope`` the named scopes and transformations around the
    operation (``jit(step)/transpose(jvp(mlp))``), ``operation`` what it was called there (``dot_general``); all are
    empty where the program does not say.

    >>> print(SourceLocation("model.py", 14, 20, "loss", "jit(step)/jvp(mlp)", "dot_general"))
    model.py:14 jvp(mlp)
    """

    file: str
    line: int
    column: int
    function: str = ""
    scope: str = ""
    operation: str = ""

    @property
    def place(self) -> str:
        """``file:line`` with a short path; empty where nothing is known."""
        return f"{short_path(self.file)}:{self.line}" if self.line else ""

    @property
    def inner_scope(self) -> str:
        """The scope without the compiled function that is around everything."""
        first, _, rest = self.scope.partition("/")
        return rest if first.startswith("jit(") and first.endswith(")") else self.scope

    def as_json(self) -> dict[str, object]:
        """The location as plain values."""
        return fields_as_json(self, left_out=("operation",))

    def __str__(self) -> str:
        return " ".join(filter(None, (self.place, self.inner_scope))) or "unknown"


NOWHERE = SourceLocation("", 0, 0)


def source_location(location: int | Location | None, context: Context) -> SourceLocation:
    """What ``location`` says: the innermost line of the program's author, or the place in the program's own text if
    it has no locations."""
    if location is None:
        return NOWHERE
    if isinstance(location, int):
        place = context.position(location)
        return SourceLocation(place.filename, place.line, place.column)
    position = location.position()
    scope, operation = _scope(_outer_name(location))
    if not position.line:
        return SourceLocation("", 0, 0, "", scope, operation)
    return SourceLocation(position.filename, position.line, position.column, _function(location), scope, operation)


def _outer_name(location: Location) -> str:
    """The first name on the way in, through fusions alone."""
    while location.name is None:
        if not location.pieces[0].startswith("fused"):
            return ""
        inner = next((part for part in location.parts if isinstance(part, Location)), None)
        if inner is None:
            return ""
        location = inner
    return location.name


def _scope(name: str) -> tuple[str, str]:
    """Scope and operation of ``scope/operation``; slashes in brackets belong to a name."""
    name = name.removesuffix(":")
    depth = 0
    for index in range(len(name) - 1, -1, -1):
        depth += (name[index] == ")") - (name[index] == "(")
        if name[index] == "/" and depth == 0:
            return name[:index], name[index + 1 :]
    return "", name


def _function(location: Location) -> str:
    """The name directly around the first line."""
    pending: list[tuple[Attribute, str]] = [(location, "")]
    seen: set[Attribute] = set()
    while pending:
        one, name = pending.pop()
        if not isinstance(one, Location) or one in seen:
            continue
        if one.place is not None:
            return name
        seen.add(one)
        inner = one.name or ""
        pending.extend((part, inner) for part in reversed(one.parts))
    return ""


def short_path(path: str) -> str:
    """``path`` from the working directory if it lies in it, otherwise its last two parts behind ``…``.

    >>> short_path("/opt/venv/lib/python3.12/site-packages/flax/linen.py")
    '…/flax/linen.py'
    """
    if not os.path.isabs(path):
        return path
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):
        relative = os.pardir
    if not relative.startswith(os.pardir):
        return relative
    parts = path.split(os.sep)
    return path if len(parts) <= 3 else os.sep.join(["…", *parts[-2:]])
