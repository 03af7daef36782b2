"""``pyshardy.jax.jit``: works like ``jax.jit``, with pyshardy's partitioner instead of XLA's.

The first call for a kind of arguments plans and compiles, later ones use the compiled program: while there is only one,
it is called at once, and its own trace finds out whether the call fits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import Any, overload

import jax

from pyshardy.api.search import SearchResult
from pyshardy.jax.jax_plan import JaxPlan, plan_of
from pyshardy.jax.lowering import OPTIONS, Lowering, jitted_for, lower
from pyshardy.jax.partitioned import Partitioned
from pyshardy.jax.problems import AnotherCall, JaxProblem
from pyshardy.jax.searched import AutoStrategy, auto_strategy
from pyshardy.jax.specs import as_mesh
from pyshardy.sharding.plain import did_you_mean


class Jitted:
    """A function that is partitioned for each kind of arguments when it is first called with them; ``plan`` gives the
    plan of a call, ``plans`` those that there are."""

    __name__: str

    def __init__(
        self,
        function: Callable[..., Any],
        mesh: Any,
        platform: str | None,
        replica_groups: str,
        shardings: Any,
        strategy: str | None,
        auto: AutoStrategy | None,
        options: dict[str, Any],
    ) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._mesh = as_mesh(mesh)
        self._jitted = jitted_for(function, options, self._mesh)
        self._options = options
        self._platform, self._replica_groups = platform, replica_groups
        self._shardings, self._strategy, self._auto = shardings, strategy, auto
        self._known: dict[Any, list[tuple[JaxPlan, Partitioned]]] = {}
        self._only: Partitioned | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function gives, as ``jax.Array``s with the shardings of the plan.

        Raises:
            PyshardyError: the function cannot be partitioned for these arguments, or not run here.
        """
        if self._only is not None:
            try:
                return self._only(*args, **kwargs)
            except AnotherCall:
                pass
        key = self._key(args, kwargs)
        for _, program in self._known.get(key, ()):
            try:
                return self._called(program, args, kwargs)
            except AnotherCall:
                pass
        return self._called(self._add(key, args, kwargs)[1], args, kwargs)

    def _called(self, program: Partitioned, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # Nobody could have put arguments where a search would have them.
        return program(*args, **kwargs) if self._auto is None else program.moving(*args, **kwargs)

    @property
    def plans(self) -> list[JaxPlan]:
        """The plans of the calls so far, in their order."""
        return [plan for found in self._known.values() for plan, _ in found]

    def plan(self, *args: Any, **kwargs: Any) -> JaxPlan:
        """The plan of the call ``f(*args, **kwargs)``; arrays may be ``jax.ShapeDtypeStruct``s, and nothing runs.

        Raises:
            PyshardyError: the function cannot be partitioned for these arguments.
        """
        lowering = self._lowering(args, kwargs)
        shardings, strategy = self._shardings, self._strategy
        if self._auto is not None:
            shardings, strategy = self._auto.found(lowering).shardings, None
        return plan_of(lowering, self._replica_groups, shardings=shardings, strategy=strategy)

    def found(self, *args: Any, **kwargs: Any) -> SearchResult:
        """What ``strategy="auto"`` finds for the call ``f(*args, **kwargs)``, or has found; nothing runs.

        Raises:
            JaxProblem: it is not searched for.
            PyshardyError: the program is illegal.
        """
        if self._auto is None:
            raise JaxProblem(f'no strategy of {self.__name__} is searched for: that is what strategy="auto" does')
        return self._auto.found(self._lowering(args, kwargs))

    def _lowering(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Lowering:
        return lower(self._function, args, kwargs, self._options, self._mesh, self._platform)

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """The ``jax.stages.Lowered`` of the partitioned program of a call.

        Raises:
            PyshardyError: the function cannot be partitioned for these arguments, or not run here.
        """
        return self.plan(*args, **kwargs).compile().lower(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method it is bound like any function."""
        return self if instance is None else MethodType(self, instance)

    def _cache_size(self) -> int:
        """How many programs JAX has compiled for all plans."""
        return sum(program._cache_size() for found in self._known.values() for _, program in found)

    def _add(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[JaxPlan, Partitioned]:
        plan = self.plan(*args, **kwargs)
        made = plan, plan.compile()
        self._known.setdefault(key, []).append(made)
        self._only = made[1] if len(self.plans) == 1 else None
        return made

    def _key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What calls have in common that may share a program. Where arrays lie is up to the programs."""
        leaves, tree = jax.tree.flatten((args, kwargs))
        return tree, tuple(
            (leaf.shape, leaf.dtype) if hasattr(leaf, "shape") and hasattr(leaf, "dtype") else type(leaf)
            for leaf in leaves
        )


@overload
def jit(f: Callable[..., Any], /, **options: Any) -> Jitted: ...


@overload
def jit(f: None = None, /, **options: Any) -> Callable[[Callable[..., Any]], Jitted]: ...


def jit(
    f: Callable[..., Any] | None = None,
    /,
    *,
    mesh: Any = None,
    platform: str | None = None,
    replica_groups: str = "list",
    shardings: Any = None,
    strategy: str | None = None,
    hardware: Any = None,
    search_seconds: float | None = None,
    **options: Any,
) -> Any:
    """``jax.jit`` whose programs are partitioned by pyshardy; a decorator, with or without options.

    ``options`` are those of ``jax.jit`` that ``pyshardy.jax.partition`` takes, the others are as there. Arguments whose
    sharding is not asked for keep the one that they have in the first call; in later calls they are to have it again,
    or the one of the results that take their place. Other shapes, trees, shardings and static values are planned anew.

    With ``strategy="auto"`` the first call searches for the shardings of least time on ``mesh`` of ``hardware``
    (``"v5p"``, ``"h100"``, a hardware file), for about ``search_seconds`` (60 if not given), once for each kind of
    arguments. What ``in_shardings`` and ``out_shardings`` ask for is kept; arguments that lie elsewhere are brought to
    where the strategy has them.

    Raises:
        JaxProblem: ``mesh`` is no mesh, or a ``PartitionSpec`` does not fit it; options that do not go together.
        TypeError: there is no such option.
    """
    for name in options:
        if name not in OPTIONS:
            raise TypeError(f"pyshardy.jax.jit has no option {name!r}{did_you_mean(name, OPTIONS)}")

    auto = auto_strategy(shardings, strategy, hardware, search_seconds, options)

    def wrap(function: Callable[..., Any]) -> Jitted:
        return Jitted(function, mesh, platform, replica_groups, shardings, strategy, auto, options)

    return wrap if f is None else wrap(f)
