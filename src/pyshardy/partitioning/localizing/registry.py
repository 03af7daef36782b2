"""The table of localizers: how each operation becomes the operation of one device.

A localizer is a function ``(site) -> results`` registered with ``@localizes("stablehlo.name", …)``. It finds the
global operation in ``site.op`` and its operands, as they lie on the devices, in ``site.operands``; ``site.wanted``
says which layout each result should have (None if nothing says so). It chooses how to share the work, brings
operands into the layouts that it needs with ``site.reshard``, overwrites padding that would reach a result with
``site.mask``, emits local operations through ``site.builder`` (or ``site.emit``), and returns one ``Sharded`` a
result, in whatever layout it comes out; the partitioner reshards it to the wanted one.

What is not registered here and is elementwise, or stands in ``rule_based``, is shared as its sharding rule says;
what is left is computed by every device from replicated operands (``site.fall_back()``), which is always right.

A family of operations is a module of ``families``: write a localizer for each operation, and fall back for the cases
that are not worth more. Programs in ``tests/partitioning`` check it against
the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeVar

from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.plugins import claim

if TYPE_CHECKING:
    from pyshardy.emitting.layout import Sharded
    from pyshardy.partitioning.localizing.site import Site

    Localizer = Callable[["Site"], Sequence[Sharded]]

Function = TypeVar("Function", bound="Localizer")

_localizers: dict[str, Localizer] = {}
_loaded = False


def localizes(*names: str) -> Callable[[Function], Function]:
    """Registers the decorated function as the localizer of the operations called ``names``."""

    def register(function: Function) -> Function:
        for name in names:
            claim("localizer", name)
            _localizers[name] = function
        return function

    return register


def localizer(name: str) -> Localizer | None:
    """The localizer of the operation ``name``, or None."""
    global _loaded
    if not _loaded:
        _loaded = True
        families = import_module("pyshardy.partitioning.families")
        for family in iter_modules(families.__path__, f"{families.__name__}."):
            import_module(family.name)
    found = _localizers.get(name)
    if found is None and foreign_rows():
        row = foreign_row(name)
        return row.localizer if row is not None else None
    return found
