"""The path of each operation in the tree of scopes that the page shows: step, microbatch, forward, layer ×80, mlp.

The tree is built from the scopes of the source, simplified: functions of the framework are shown where they are called,
loops have their trip count and the name of the scope in them, ``jvp`` and ``transpose`` become the forward and the
backward pass, and the subscripts of an einsum become a label of the operation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from pyshardy.analysis.why.explainer import Explainer
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions
from pyshardy.dialects.stablehlo.trip_count import trip_count
from pyshardy.ir.operation import Operation
from pyshardy.reading.sharding_files.paths import Path, path_of_scope

FORWARD, BACKWARD, RECOMPUTED = "forward", "backward", "recomputed"
_WRAPPED = re.compile(r"(?P<how>[a-z_]+)\((?P<inside>.*)\)")
_JITTED = re.compile(r"p?jit\([^()]*\)")
_DROPPED = frozenset({"body", "cond", "closed_call", "checkpoint", "remat", "pjit", "core_call", "custom_vjp_call"})
_LOOP = "loop"
_SMALL = 12
"""Functions with fewer operations get no scope of their own."""
_HALF = 0.5


class ScopePath(NamedTuple):
    """The scopes around an operation, the outermost first, and its label."""

    path: Path
    label: str


class ProgramPaths:
    """The places of the operations in the program of ``explainer``."""

    def __init__(self, explainer: Explainer) -> None:
        self._names = explainer.names
        self._main = explainer.traced.main
        self._calls: dict[str, Operation] = {}
        self._bases: dict[Operation, Path] = {}
        self._loops: dict[Operation, list[Operation]] = {}
        self._turns: dict[Operation, int | None] = {}
        source = explainer.traced.source.op
        for op in source.operations():
            if op.name == "func.call":
                self._calls.setdefault(callee(op), op)
        operations = [op for function in functions(source) for op in function.walk() if op is not function]
        raw = {op: self._raw(op) for op in operations}
        self._places = _with_named_loops({op: self._plain(op, path) for op, path in raw.items()})

    def of(self, op: Operation) -> ScopePath:
        """The place of ``op``."""
        return self._places[op]

    # --- scopes in the program ----------------------------------------------------------------------------------------

    def _raw(self, op: Operation) -> Path:
        """The scopes around ``op``, those of calls included."""
        own = path_of_scope(self._names.scope(op))
        if op.name == "func.call":
            own = (*own, *_transformed(self._names.location(op).operation))
        return _joined(self._base(_function_of(op)), own)

    def _base(self, function: Operation | None) -> Path:
        """The scopes around the first call of ``function``."""
        if function is None or function is self._main:
            return ()
        found = self._bases.get(function)
        if found is None:
            self._bases[function] = ()
            call = self._calls.get(function.symbol_name or "")
            base = () if call is None else self._raw(call)
            name = re.sub(r"_\d+$", "", function.symbol_name or "").strip("_")
            if name not in _DROPPED and len(function.operations()) > _SMALL and (not base or base[-1] != name):
                base = (*base, name)
            found = self._bases[function] = base
        return found

    # --- scopes on the page -------------------------------------------------------------------------------------------

    def _plain(self, op: Operation, raw: Path) -> ScopePath:
        loops = iter(self._loops_around(op))
        path: list[str] = []
        label = ""
        for number, step in enumerate(raw):
            if number == 0 and step.startswith("jit("):
                continue
            for one in _unwrapped(step):
                if one == "while":
                    loop = next(loops, None)
                    if loop is not None:
                        turns = self._turns_of(loop)
                        path.append(_LOOP if turns is None else f"{_LOOP} ×{turns}")
                elif "->" in one:
                    label = one
                elif one not in _DROPPED and not (path and path[-1] == one):
                    if one in (FORWARD, BACKWARD) and one in path:
                        continue
                    path.append(RECOMPUTED if one == "rematted_computation" else one)
        return ScopePath(tuple(path), label)

    def _loops_around(self, op: Operation) -> list[Operation]:
        """The loops around ``op``, and around the calls that lead to it, the outermost first."""
        parent = op.parent_op
        if parent is None:
            return []
        found = self._loops.get(parent)
        if found is None:
            self._loops[parent] = []
            if parent.name == "func.func":
                call = self._calls.get(parent.symbol_name or "") if parent is not self._main else None
                found = [] if call is None else self._loops_around(call)
            else:
                found = self._loops_around(parent) + ([parent] if parent.name == "stablehlo.while" else [])
            self._loops[parent] = found
        return found

    def _turns_of(self, loop: Operation) -> int | None:
        if loop not in self._turns:
            self._turns[loop] = trip_count(loop)
        return self._turns[loop]


def _function_of(op: Operation) -> Operation | None:
    found: Operation | None = op.parent_op
    while found is not None and found.name != "func.func":
        found = found.parent_op
    return found


def _transformed(called: str) -> Path:
    """The transformations of a function in the scope ``called``: ``jvp()`` of ``jvp(jit(silu))``; nothing if there are
    none."""
    inside = _JITTED.sub("", called)
    return (inside,) if inside.startswith(("jvp(", "transpose(")) else ()


def _joined(base: Path, own: Path) -> Path:
    """``own`` after ``base``, without a common part."""
    if not own or any(base[place : place + len(own)] == own for place in range(len(base))):
        return base
    overlap = next((count for count in range(min(len(base), len(own)), 0, -1) if base[-count:] == own[:count]), 0)
    return base + own[overlap:]


def _unwrapped(step: str) -> Sequence[str]:
    """The names in a component of a scope: ``transpose(jvp(mlp))`` is ``mlp`` of the backward pass."""
    found: list[str] = []
    while (wrapped := _WRAPPED.fullmatch(step)) is not None:
        how, step = wrapped["how"], wrapped["inside"]
        if how == "transpose":
            found.append(BACKWARD)
        elif how == "jvp" and BACKWARD not in found:
            found.append(FORWARD)
    return [*found, *path_of_scope(step)] if step else found


def _with_named_loops(places: dict[Operation, ScopePath]) -> dict[Operation, ScopePath]:
    """Names loops after the scope that most of their operations are in: ``layer ×80``."""
    children: dict[Path, Counter[str]] = {}
    for path, _ in places.values():
        for number, step in enumerate(path):
            if step.startswith(_LOOP):
                inner = children.setdefault(path[: number + 1], Counter())
                inner[path[number + 1] if number + 1 < len(path) else ""] += 1
    names = {}
    for loop, inner in children.items():
        (name, count), *_ = inner.most_common(1)
        if name and not name.startswith(_LOOP) and count > _HALF * sum(inner.values()):
            names[loop] = name
    found = {}
    for op, (path, label) in places.items():
        shown: list[str] = []
        gone = ""
        for number, step in enumerate(path):
            name = names.get(path[: number + 1], "")
            if step != gone or not gone:
                shown.append(step.replace(_LOOP, name, 1) if name else step)
            gone = name
        found[op] = ScopePath(tuple(shown), label)
    return found
