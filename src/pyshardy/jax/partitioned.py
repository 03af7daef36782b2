"""The callable that a plan compiles to: it has the arguments and results of the function, sharded as planned.

It is one ``jax.jit`` over the call of the exported program, leaf by leaf, because donation is known by leaf, and
because ``jax.jit`` takes no shardings for arguments by name.
"""

from __future__ import annotations

from typing import Any

import jax

from pyshardy.jax.mistakes import another_tree, check_alive, check_place, explained
from pyshardy.jax.problems import AnotherCall
from pyshardy.jax.runnable import Runnable


class Partitioned:
    """A partitioned function on the devices of ``mesh``: call it as the function. ``jax.grad``, ``jax.jit``,
    ``lax.scan`` and ``jax.checkpoint`` of it work; the gradient is partitioned like the function."""

    def __init__(self, runnable: Runnable, mesh: Any) -> None:
        self.runnable = runnable
        self.mesh = mesh
        self.__name__ = str(runnable.exported.fun_name)
        self.in_shardings, self.out_shardings = runnable.shardings(mesh)
        donated = tuple(index for index, one in enumerate(runnable.donated) if one)
        self._donates = bool(donated)
        options: dict[str, Any] = {"donate_argnums": donated} if donated else {}
        if mesh is not None:
            options |= {"in_shardings": self.in_shardings, "out_shardings": self.out_shardings}
        self._tree = runnable.exported.in_tree
        self._out_tree = runnable.exported.out_tree
        self._is_plain = runnable.form.is_plain
        self._count = runnable.form.count
        self._jitted = jax.jit(self._flat(), **options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function gives, as ``jax.Array``s with the shardings of the plan.

        Raises:
            JaxProblem: other arguments than planned, a donated one a second time, a call under ``jax.vmap`` or inside
                of ``jax.shard_map``.
        """
        return self._run(self._leaves(args, kwargs))

    def moving(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function; first moves arguments with other shardings than the plan's to where the plan has them.

        Raises:
            JaxProblem: as for a call.
        """
        leaves = self._leaves(args, kwargs)
        if self._donates:
            check_alive(self, leaves)
        return self._run([_moved(*both) for both in zip(leaves, self.in_shardings, strict=True)])

    def _run(self, leaves: list[Any]) -> Any:
        if self._donates:
            # JAX on several CPU devices does not survive it.
            check_alive(self, leaves)
        try:
            results = self._jitted(*leaves)
        except Exception as error:
            problem = explained(error, self, leaves)
            if problem is None:
                raise
            raise problem from error
        return jax.tree.unflatten(self._out_tree, results)

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """The ``jax.stages.Lowered`` of the call: ``lower(…).compile().as_text()`` is the program that runs.

        Raises:
            JaxProblem: other arguments than planned.
        """
        return self._jitted.lower(*self._leaves(args, kwargs))

    def _cache_size(self) -> int:
        """How many programs JAX has compiled for this callable; one, if nothing is traced anew."""
        return int(self._jitted._cache_size())

    def _leaves(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        if kwargs or not self._is_plain or len(args) != self._count:
            args, kwargs = self.runnable.form.dynamic(args, kwargs)
        leaves: list[Any]
        leaves, tree = jax.tree.flatten((args, kwargs))
        if tree != self._tree:
            raise AnotherCall(another_tree(self, tree))
        return leaves

    def _flat(self) -> Any:
        exported, tree = self.runnable.exported, self._tree

        def flat(*leaves: Any) -> tuple[Any, ...]:
            check_place(self, leaves)
            args, kwargs = jax.tree.unflatten(tree, leaves)
            return tuple(jax.tree.leaves(exported.call(*args, **kwargs)))

        flat.__name__ = flat.__qualname__ = self.__name__
        return flat

    def __repr__(self) -> str:
        where = f" on {self.mesh}" if self.mesh is not None else ""
        return f"<Partitioned {self.__name__}{where}>"


def _moved(leaf: Any, planned: Any) -> Any:
    if planned is None or not isinstance(leaf, jax.Array) or isinstance(leaf, jax.core.Tracer):
        return leaf
    return leaf if leaf.sharding.is_equivalent_to(planned, leaf.ndim) else jax.device_put(leaf, planned)
