"""Answers questions about a program and its plan: why a tensor is sharded as it is, and what a step costs on hardware.

``explain``, ``conflicts`` (of ``why``) and ``cost_of`` (of ``cost``) are resolved when they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyshardy.analysis.cost.estimate import cost_of
    from pyshardy.analysis.why.explainer import Explainer
    from pyshardy.analysis.why.questions import conflicts, explain

_PLACES = {
    "Explainer": ("pyshardy.analysis.why.explainer", "Explainer"),
    "conflicts": ("pyshardy.analysis.why.questions", "conflicts"),
    "cost_of": ("pyshardy.analysis.cost.estimate", "cost_of"),
    "explain": ("pyshardy.analysis.why.questions", "explain"),
}

__all__ = ["Explainer", "conflicts", "cost_of", "explain"]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, own = _PLACES[name]
    return getattr(import_module(module), own)
