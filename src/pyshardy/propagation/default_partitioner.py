"""The automatic partitioner that is called where nobody has registered one (``auto_partitioner``).

Rooms above set it when they are imported, long before anybody asks for pipelines: nothing is loaded here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyshardy.ir.passes import Pass, Pipeline

_default: Callable[[list[Pass | Pipeline]], None] | None = None


def set_default_auto_partitioner(callback: Callable[[list[Pass | Pipeline]], None] | None) -> None:
    """What is called where nothing is registered; registering, clearing and asking know nothing of it."""
    global _default
    _default = callback


def default_auto_partitioner() -> Callable[[list[Pass | Pipeline]], None] | None:
    """The default, if there is one."""
    return _default
