"""Finds the host callbacks of a traced function: ``jax.debug.print``, ``pure_callback``, ``io_callback``.

An exported program cannot hold Python functions, so such a function is planned and not run. The operations are found in
the jaxpr, before anything is lowered, with their source lines.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jax

from pyshardy.ir.source_location import short_path
from pyshardy.jax.problems import JaxProblem

_CALLED = {
    "debug_print": "jax.debug.print",
    "debug_callback": "jax.debug.callback",
    "pure_callback": "jax.pure_callback",
    "io_callback": "jax.experimental.io_callback",
}
"""Primitives and what people call them."""

_INSIDE_JAX = os.path.dirname(jax.__file__) + os.sep


@dataclass(frozen=True)
class HostCallback:
    """One call: what it is, where it stands, and whether it is ordered."""

    function: str
    place: str
    ordered: bool

    def __str__(self) -> str:
        return f"{self.function} at {self.place}" if self.place else self.function


def host_callbacks(jaxpr: Any) -> list[HostCallback]:
    """The host callbacks of a jaxpr and those inside it, in the order of the program."""
    return [
        HostCallback(_CALLED[eqn.primitive.name], _place(eqn), _is_ordered(eqn))
        for eqn in equations(jaxpr)
        if eqn.primitive.name in _CALLED
    ]


def equations(jaxpr: Any) -> Iterator[Any]:
    """Every equation of a jaxpr, and of those in its parameters."""
    for eqn in getattr(jaxpr, "jaxpr", jaxpr).eqns:
        yield eqn
        for value in eqn.params.values():
            for one in value if isinstance(value, list | tuple) else (value,):
                if hasattr(getattr(one, "jaxpr", one), "eqns"):
                    yield from equations(one)


def refuse(found: list[HostCallback]) -> None:
    """Says why a function with these cannot run, if there are any.

    Raises:
        JaxProblem: there are.
    """
    if not found:
        return
    listed = ", ".join(dict.fromkeys(map(str, found)))
    raise JaxProblem(
        f"a partitioned program cannot call back to Python, and this function does: {listed}. Return the value and "
        "use it outside of the function, or leave the call out of what is partitioned; the plan and its report need "
        "no change"
    )


def _is_ordered(eqn: Any) -> bool:
    return bool(eqn.params.get("ordered")) or "Ordered" in str(eqn.params.get("effect", ""))


def _place(eqn: Any) -> str:
    """The innermost line outside of JAX."""
    traceback = getattr(eqn.source_info, "traceback", None)
    for frame in getattr(traceback, "frames", ()):
        if not frame.file_name.startswith(_INSIDE_JAX):
            return f"{short_path(frame.file_name)}:{frame.line_num}"
    return ""
