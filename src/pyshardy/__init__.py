"""pyshardy: the tensor partitioner Shardy in pure Python.

``parse`` text to a ``Module``, ``run_passes`` on it, ``propagate`` its shardings, print it with ``str``. Names resolve
when they are used, so importing the package stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyshardy.api import Module, parse, propagate, run_passes
    from pyshardy.ir.context import Diagnostic, PyshardyError
    from pyshardy.sharding.axes import AxisRef
    from pyshardy.sharding.mesh import Mesh
    from pyshardy.sharding.tensor import DimSharding, TensorSharding

__version__ = "0.1.0"

_HOMES = {
    "AxisRef": "pyshardy.sharding.axes",
    "Diagnostic": "pyshardy.ir.context",
    "DimSharding": "pyshardy.sharding.tensor",
    "Mesh": "pyshardy.sharding.mesh",
    "Module": "pyshardy.api",
    "PyshardyError": "pyshardy.ir.context",
    "TensorSharding": "pyshardy.sharding.tensor",
    "parse": "pyshardy.api",
    "propagate": "pyshardy.api",
    "run_passes": "pyshardy.api",
}

__all__ = [
    "AxisRef",
    "Diagnostic",
    "DimSharding",
    "Mesh",
    "Module",
    "PyshardyError",
    "TensorSharding",
    "parse",
    "propagate",
    "run_passes",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'pyshardy' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
