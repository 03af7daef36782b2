"""The automatic partitioner that is called if none is registered (``auto_partitioner``).

Packages above set it when they are imported; this file imports none of them, so that loading a pipeline stays cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyshardy.ir.passes import Pass, Pipeline

_default: Callable[[list[Pass | Pipeline]], None] | None = None


def set_default_auto_partitioner(callback: Callable[[list[Pass | Pipeline]], None] | None) -> None:
    """Sets the callback for the case that none is registered; the functions of ``auto_partitioner`` do not report it as
    registered."""
    global _default
    _default = callback


def default_auto_partitioner() -> Callable[[list[Pass | Pipeline]], None] | None:
    """The default, if there is one."""
    return _default
