"""Outcomes of a search made by hand: what ``SearchResult.as_json(with_gains=True)`` gives, without a search."""

from __future__ import annotations

from typing import Any

Outcome = dict[str, Any]
MIB, MS = 2.0**20, 1e-3


def strategy(words: str, milliseconds: float, mebibytes: float, *, known: bool = False) -> Outcome:
    return {
        "words": words,
        "is_expert": known,
        "seconds": milliseconds * MS,
        "peak": mebibytes * MIB,
        "received": 30 * MIB,
    }


def outcome(name: str = "params/w", *, limit: float = 400.0) -> Outcome:
    """A best strategy of 2 ms and 300 MiB, a front of three, two known strategies; ``name`` is that of an argument."""
    best = strategy(f"FSDP on {name}", 2.0, 300)
    known = [strategy("Megatron on model", 2.5, 280, known=True), strategy("ZeRO-1 on data", 3.0, 350, known=True)]
    return {
        "strategy": best["words"],
        "mesh": {"data": 4, "model": 2},
        "hardware": "NVIDIA H100 SXM",
        "objective": "expected",
        "limit": limit * MIB,
        "fits": limit >= 300,
        "whole": True,
        "seconds": {"no_overlap": 3.0 * MS, "full_overlap": 1.5 * MS, "expected": 2.0 * MS},
        "compute_seconds": 1.5 * MS,
        "exposed_by_axes": {"data": 0.4 * MS, "model": 0.1 * MS},
        "peak": 300 * MIB,
        "memory": {"arguments": 100 * MIB, "results": 0.0, "saved": 150 * MIB, "temporaries": 50 * MIB},
        "received": 30 * MIB,
        "clear": False,
        "chosen_for": None,
        "shardings": {"**": [], name: ["data", {"axes": "model", "priority": 1}]},
        "evaluations": 80,
        "search_seconds": 1.25,
        "tried": [best, *known, strategy("something else", 4.0, 500)],
        "experts": known,
        "pareto": [best, known[0], strategy(f"whole {name}", 6.0, 200)],
        "notes": [f"time was up at {name}"],
        "gains": [
            {"pattern": "small", "value": [[], "model"], "seconds": -0.01 * MS, "bytes": 2 * MIB},
            {"pattern": name, "value": ["data"], "seconds": 1.0 * MS, "bytes": 64 * MIB},
            {"pattern": "needed", "value": ["model"], "seconds": None, "bytes": None},
        ],
    }


FILES = ("# first\n", "# second\n", '[shardings]\n"third" = []\n')
POINTS = ((2.0 * MS, 300 * MIB), (2.5 * MS, 280 * MIB), (6.0 * MS, 200 * MIB), (4.0 * MS, 500 * MIB), (1.0, 900 * MIB))
