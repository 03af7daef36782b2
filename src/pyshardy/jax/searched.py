"""``pyshardy.jax.search``: searches the strategy for a JAX function on given hardware, also for ``jit``.

The function is lowered as ``partition`` does it, and ``pyshardy.search`` searches the strategy of the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax

from pyshardy.api.programs import parse
from pyshardy.api.search import PROGRAM, SearchResult
from pyshardy.api.search import search as search_module
from pyshardy.choices import EXPECTED
from pyshardy.jax.jax_plan import NOT_GIVEN, given_options
from pyshardy.jax.lowering import SHARDINGS, Lowering, lower
from pyshardy.jax.problems import JaxProblem
from pyshardy.jax.specs import as_mesh
from pyshardy.searching.search import SECONDS

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from pyshardy.analysis.cost.hardware import Hardware
    from pyshardy.analysis.cost.hardware_files import Source as HardwareSource
    from pyshardy.reading.sharding_files.strategies import Shardings, Source

AUTO = "auto"
"""The strategy that is searched for."""


def search(
    f: Callable[..., Any],
    *args: Any,
    hardware: HardwareSource | Hardware,
    mesh: Any = None,
    devices: int | None = None,
    platform: str | None = None,
    memory: float | None = None,
    seconds: float = SECONDS,
    objective: str = EXPECTED,
    keep: Source | Shardings | str | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    in_shardings: Any = NOT_GIVEN,
    out_shardings: Any = NOT_GIVEN,
    donate_argnums: Any = NOT_GIVEN,
    donate_argnames: Any = NOT_GIVEN,
    static_argnums: Any = NOT_GIVEN,
    static_argnames: Any = NOT_GIVEN,
    keep_unused: Any = NOT_GIVEN,
    **kwargs: Any,
) -> SearchResult:
    """Finds how to shard the call ``f(*args, **kwargs)``; what is found goes into ``jit(shardings=)`` and
    ``partition(shardings=)``. Arguments are arrays or ``jax.ShapeDtypeStruct``s, and nothing runs.

    ``mesh`` (a mesh of JAX, or sizes by name) has the axes; without it, or with ``"auto"``, the best of up to three
    axes is looked for, on as many ``devices``, or as many as ``hardware`` says (``"h100x8"``). ``platform`` and the
    options of ``jax.jit`` are those of ``partition``: where ``in_shardings`` or ``out_shardings`` are given, the
    shardings of the function are kept. The other options are those of ``pyshardy.search``.

    Raises:
        JaxProblem: what ``partition`` raises for ``f``.
        ValueError: what ``pyshardy.search`` raises for the hardware, the mesh, the limit or what is kept.
        PyshardyError: the program is illegal.
    """
    options = given_options(
        in_shardings=in_shardings,
        out_shardings=out_shardings,
        donate_argnums=donate_argnums,
        donate_argnames=donate_argnames,
        static_argnums=static_argnums,
        static_argnames=static_argnames,
        keep_unused=keep_unused,
    )
    lowering = lower(f, args, kwargs, options, as_mesh(None if mesh == AUTO else mesh), platform)
    return search_module(
        parse(lowering.lowered),
        hardware,
        mesh=_sizes(lowering.given_mesh),
        devices=devices,
        memory=memory,
        seconds=seconds,
        objective=objective,
        keep=_kept(options) if keep is None else keep,
        workers=workers,
        executor=executor,
        progress=progress,
    )


class AutoStrategy:
    """What ``jit(strategy="auto")`` searches with: the strategy for each kind of call is found once, for ``hardware``,
    in about so many ``seconds``."""

    def __init__(self, hardware: HardwareSource | Hardware, seconds: float | None, options: dict[str, Any]) -> None:
        self._hardware = hardware
        self._seconds = SECONDS if seconds is None else seconds
        self._kept = _kept(options)
        self._found: dict[Any, SearchResult] = {}

    def found(self, lowering: Lowering) -> SearchResult:
        """The strategy for a function that is lowered already.

        Raises:
            JaxProblem: there is no mesh, or one of several hosts.
            ValueError: the hardware does not fit.
            PyshardyError: the program is illegal.
        """
        mesh = lowering.given_mesh if lowering.given_mesh is not None else lowering.mesh
        _check_mesh(mesh, lowering.name)
        key = tuple(_sizes(mesh).items()), _kind(lowering)
        if key not in self._found:
            self._found[key] = search_module(
                parse(lowering.lowered), self._hardware, mesh=_sizes(mesh), seconds=self._seconds, keep=self._kept
            )
        return self._found[key]


def auto_strategy(
    shardings: Any, strategy: str | None, hardware: Any, seconds: float | None, options: dict[str, Any]
) -> AutoStrategy | None:
    """What ``jit`` with these options searches with; None if it does not.

    Raises:
        JaxProblem: the options do not go together.
    """
    if strategy != AUTO:
        if shardings is None and strategy is not None:
            raise JaxProblem(
                f'strategy={strategy!r} is one of those in shardings=, which are not given; strategy="auto" searches'
            )
        for name, value in (("hardware", hardware), ("search_seconds", seconds)):
            if value is not None:
                raise JaxProblem(f'{name}= is for a search: give strategy="auto" with it')
        return None
    if shardings is not None:
        raise JaxProblem('shardings= say how tensors lie, and strategy="auto" searches for that: give one of both')
    if hardware is None:
        raise JaxProblem(
            'strategy="auto" searches for given hardware: say what the function runs on, as hardware="v5p" or "h100"'
        )
    return AutoStrategy(hardware, seconds, options)


def _kept(options: dict[str, Any]) -> str | None:
    return PROGRAM if any(options.get(name) is not None for name in SHARDINGS) else None


def _sizes(mesh: Any) -> Any:
    return None if mesh is None else dict(mesh.shape)


def _check_mesh(mesh: Any, name: str) -> None:
    if mesh is None or mesh.empty:
        raise JaxProblem(f'strategy="auto" searches on a mesh, and {name} has none: give mesh=')
    devices = getattr(mesh, "devices", None)
    if devices is not None and len({one.process_index for one in devices.flat}) > 1:
        raise JaxProblem(
            'strategy="auto" searches in each process, and several hosts may find different strategies: search once '
            "with pyshardy.jax.search, and give all of them what it has found as shardings="
        )


def _kind(lowering: Lowering) -> Any:
    """What calls have in common that share a strategy: all but where arrays lie."""
    form = lowering.form
    leaves, tree = jax.tree.flatten(form.dynamic(lowering.args, lowering.kwargs))
    types = tuple(
        (leaf.shape, leaf.dtype, leaf.weak_type) if isinstance(leaf, jax.ShapeDtypeStruct) else type(leaf)
        for leaf in leaves
    )
    return tree, types, tuple(form.statics.items())
