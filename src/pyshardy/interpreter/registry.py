"""The table of evaluators: operation name → function that computes its results from its operands.

Files of ``operations`` fill it by decorator, one file a family. Left of this file stands ``frame``, right of it
``evaluation``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TypeVar

from pyshardy.interpreter.frame import Evaluator

_E = TypeVar("_E", bound=Evaluator)

_evaluators: dict[str, Evaluator] = {}

FAMILIES = (
    "arithmetic",
    "bits",
    "callbacks",
    "calls",
    "checks",
    "client",
    "comparison",
    "contractions",
    "control_flow",
    "conversion",
    "convolution",
    "custom_calls",
    "dynamic_calls",
    "fourier",
    "functions",
    "group_collectives",
    "indexing",
    "lapack",
    "lapack_spectra",
    "linear_algebra",
    "normalization",
    "parallel",
    "quantization",
    "random_bits",
    "reductions",
    "scalars",
    "shapes",
    "sharding",
    "slicing",
    "sorting",
    "sources",
    "windows",
)
"""The files of ``operations``."""


def evaluates(*names: str) -> Callable[[_E], _E]:
    """Registers a function as the evaluator of the operations ``names``; a later one replaces an earlier one."""

    def register(function: _E) -> _E:
        for name in names:
            _evaluators[name] = function
        return function

    return register


def evaluator(name: str) -> Evaluator | None:
    """The evaluator of operation ``name``, or None."""
    _load()
    return _evaluators.get(name)


def evaluated_operations() -> list[str]:
    """The names of all operations that can be evaluated, sorted."""
    _load()
    return sorted(_evaluators)


@cache
def _load() -> None:
    own = dict(_evaluators)
    for family in FAMILIES:
        import_module(f"pyshardy.interpreter.operations.{family}")
    # What a user registered before the first run outdoes ours.
    _evaluators.update(own)
