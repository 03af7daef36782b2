"""Error messages for wrong calls, which name the argument; JAX numbers leaves.

``partitioned`` checks a call before it is traced, and again if JAX has refused it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import jax

from pyshardy.jax.problems import AnotherCall, JaxProblem
from pyshardy.jax.runnable import Runnable

_MOST_NAMES = 4


class Called(Protocol):
    """A partitioned function, as far as messages speak of it."""

    __name__: str
    runnable: Runnable

    @property
    def in_shardings(self) -> tuple[Any, ...]:
        """Where each argument is planned to lie."""

    @property
    def mesh(self) -> Any:
        """The mesh that it runs on."""


def another_tree(program: Called, tree: Any) -> str:
    """What to say of a call whose arguments have the structure ``tree``, which is not the planned one."""
    planned, given = program.runnable.names, program.runnable.form.names(tree)
    words = [f"without {_listed(missing)}"] if (missing := [one for one in planned if one not in given]) else []
    words += [f"with {_listed(more)}"] if (more := [one for one in given if one not in planned]) else []
    if words:
        return (
            f"this call of {program.__name__} is {' and '.join(words)}, other than planned: give the same structure, "
            "or plan for this one"
        )
    return (
        f"the plan of {program.__name__} is for arguments {program.runnable.exported.in_tree}, and this call has "
        f"{tree}: give the same structure, or plan for this one"
    )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} more"


def check_place(program: Called, leaves: Sequence[Any]) -> None:
    """Holds a call that is being traced to the plan.

    Raises:
        AnotherCall: an argument has another shape or type than planned.
        JaxProblem: it stands inside of ``jax.shard_map``.
    """
    mesh = jax.sharding.get_abstract_mesh() if hasattr(jax.sharding, "get_abstract_mesh") else None
    manual = tuple(getattr(mesh, "manual_axes", ()) or ())
    if manual:
        raise JaxProblem(
            f"{program.__name__} is partitioned over the whole mesh and cannot be called inside of jax.shard_map, "
            f"where each device is on its own along {', '.join(map(repr, manual))}: call it outside"
        )
    for name, leaf, planned in zip(program.runnable.names, leaves, program.runnable.exported.in_avals, strict=True):
        shape, dtype = jax.numpy.shape(leaf), jax.dtypes.result_type(leaf) if not hasattr(leaf, "dtype") else leaf.dtype
        if shape != planned.shape or dtype != planned.dtype:
            raise AnotherCall(
                f"{name} is {_type_text(shape, dtype)}, and the plan of {program.__name__} is for "
                f"{_type_text(planned.shape, planned.dtype)}: give one of that type, or plan for this one"
            )


def check_alive(program: Called, leaves: Sequence[Any]) -> None:
    """Refuses arguments that have been donated before.

    Raises:
        JaxProblem: there is one.
    """
    for index, leaf in enumerate(leaves):
        if isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer) and leaf.is_deleted():
            raise JaxProblem(
                f"{program.runnable.names[index]} has been donated in an earlier call, and its memory holds something "
                "else now: use the result that took its place, or plan without donating it"
            )


def explained(error: Exception, program: Called, leaves: Sequence[Any]) -> JaxProblem | None:
    """What to say instead of ``error``; None if that is for JAX to say."""
    if isinstance(error, JaxProblem):
        return None
    if isinstance(error, NotImplementedError) and "atching rule" in str(error):
        return JaxProblem(
            f"jax.vmap of {program.__name__} has no meaning after it was partitioned for one shape: partition "
            "jax.vmap(f) instead, or loop over it with jax.lax.scan or jax.lax.map"
        )
    for name, leaf, planned in zip(program.runnable.names, leaves, program.in_shardings, strict=True):
        found = _moved(name, leaf, planned, program)
        if found is not None:
            return found
    return None


def _moved(name: str, leaf: Any, planned: Any, program: Called) -> JaxProblem | None:
    """What to say if ``leaf`` lies elsewhere than planned, and was put there on purpose."""
    if planned is None or not isinstance(leaf, jax.Array) or isinstance(leaf, jax.core.Tracer):
        return None
    given = leaf.sharding
    if not getattr(leaf, "committed", True):
        return None
    if given.device_set != planned.device_set:
        return AnotherCall(
            f"{name} lies on {len(given.device_set)} device{'s' if len(given.device_set) > 1 else ''}, and "
            f"{program.__name__} runs on the {len(planned.device_set)} of {program.mesh}: put it there with "
            f"jax.device_put(…, {_sharding_text(planned)})"
        )
    if not given.is_equivalent_to(planned, leaf.ndim):
        return AnotherCall(
            f"{name} lies as {_sharding_text(given)}, and the plan of {program.__name__} is for "
            f"{_sharding_text(planned)}: put it there with jax.device_put, or plan for where it lies"
        )
    return None


def _sharding_text(sharding: Any) -> str:
    spec = getattr(sharding, "spec", None)
    return str(sharding) if spec is None else f"NamedSharding(mesh, {spec})"


def _type_text(shape: Sequence[int], dtype: Any) -> str:
    return f"{dtype}[{','.join(map(str, shape))}]"
