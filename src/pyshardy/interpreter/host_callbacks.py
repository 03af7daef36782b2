"""The Python functions of a program's host callbacks, taken from the ``Lowered`` that the program came from."""

from __future__ import annotations

from typing import Any

from pyshardy.module import ModuleKind


def use_callbacks(module: ModuleKind, lowered: Any) -> ModuleKind:
    """Has the host callbacks of ``module`` called when it runs in the interpreter, partitioned or not; gives it back.

    ``lowered`` is the ``jax.stages.Lowered`` whose program ``module`` is. Both programs that a check compares call
    them; devices that pass the same operands share one call.

    Raises:
        ValueError: ``lowered`` does not hold the functions.
    """
    try:
        functions = lowered._lowering.compile_args["host_callbacks"]
    except (AttributeError, KeyError, TypeError):
        raise ValueError(
            "the functions of host callbacks are in the jax.stages.Lowered that jax.jit(f).lower(…) gives, "
            f"as jax 0.10 makes it, not in {type(lowered).__module__}.{type(lowered).__qualname__}"
        ) from None
    module.context.callbacks = tuple(functions)
    return module
