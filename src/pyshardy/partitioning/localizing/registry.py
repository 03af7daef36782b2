"""The table of localizers: functions that turn a global operation into the operation of one device.

A localizer is a function ``(site) -> results`` registered with ``@localizes("stablehlo.name", …)``. ``site.op`` is the
global operation, ``site.operands`` are its operands as the devices hold them, and ``site.requested`` has the requested
layout of each result (None if there is no request). The localizer chooses how to share the work, reshards operands with
``site.reshard``, overwrites padding that would reach a result with ``site.mask``, emits local operations with
``site.builder`` or ``site.emit``, and returns one ``Sharded`` for each result, in whatever layout it comes out. The
partitioner reshards it to the requested one.

Operations without a localizer that are elementwise, or listed in ``rule_based``, are sharded by their sharding rules.
Of all others every device computes the whole from replicated operands (``site.fall_back()``), which is always correct.

The modules of ``families`` have a localizer for each operation of a family; cases that are not worth an efficient form
fall back. Programs in ``tests/partitioning`` check them against the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeVar

from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.plugins import check_names, claim

if TYPE_CHECKING:
    from pyshardy.emitting.sharded import Sharded
    from pyshardy.partitioning.localizing.site import Site

    Localizer = Callable[["Site"], Sequence[Sharded]]

Function = TypeVar("Function", bound="Localizer")

_localizers: dict[str, Localizer] = {}
_loaded = False


def localizes(*names: str) -> Callable[[Function], Function]:
    """Registers the decorated function as the localizer of the operations called ``names``.

    If one of them is in ``_CONTEXT_FREE`` of ``lowering_cache``, the function may look at nothing but the operation
    itself (signature, attributes, a reduction's body and initial constant), the layouts of its operands and the
    requested layout: operations that are equal in these are not localized a second time."""
    check_names("localizes", names)

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
