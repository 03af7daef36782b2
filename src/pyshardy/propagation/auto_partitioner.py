"""The hook for automatic partitioners: a callback for the process that adds its passes to a pipeline.

``sdy-propagation-pipeline`` calls it while the pipeline is built, after the dump
``propagation_before_auto_partitioning``, if auto-partitioning is enabled. The passes may add and change shardings, not
operations. If no callback is registered, that of ``default_partitioner`` is called.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_text import PipelineError
from pyshardy.propagation.default_partitioner import default_auto_partitioner

AutoPartitioner: TypeAlias = Callable[[list[Pass | Pipeline]], None]
"""Appends its passes to the items of a pipeline on ``builtin.module``."""

_lock = Lock()
_registered: AutoPartitioner | None = None


class AutoPartitionerError(PipelineError):
    """The registry was used in the wrong order."""


def set_auto_partitioner(callback: AutoPartitioner) -> None:
    """Registers ``callback``.

    Raises:
        AutoPartitionerError: another one is registered.
    """
    global _registered
    with _lock:
        if _registered is not None:
            raise AutoPartitionerError("auto-partitioner callback already registered")
        _registered = callback


def clear_auto_partitioner() -> None:
    """Forgets the registered callback, if there is one."""
    global _registered
    with _lock:
        _registered = None


def is_auto_partitioner_registered() -> bool:
    """Whether there is a callback."""
    return _registered is not None


def add_auto_partitioner(items: list[Pass | Pipeline]) -> None:
    """Lets the registered callback, or else the default, append its passes to ``items``.

    Raises:
        AutoPartitionerError: there is none.
    """
    callback = _registered or default_auto_partitioner()
    if callback is None:
        raise AutoPartitionerError("auto-partitioner callback wasn't registered")
    callback(items)
