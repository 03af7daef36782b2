"""The ways to partition a program, and which of them is taken: the one that moves the fewest bytes.

Each operation alone does what is cheapest for it, which need not be cheapest for the program. So besides the way that
the shardings of the program suggest, others are tried: one where operations share work along factors that no tensor is
sharded along, and one where shardings bind only at the boundary, at constraints and around regions; that one must not
pay for its bytes with work or memory. ``plan`` stands right of this file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from pyshardy.api import Module
from pyshardy.dialects.func import callee
from pyshardy.dialects.stablehlo.trip_count import loops_around, turns_around, turns_product
from pyshardy.ir.context import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pipeline
from pyshardy.partitioning.collectives import Collective
from pyshardy.partitioning.memory import memory_of
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.settled import settled
from pyshardy.partitioning.strategy import Strategies
from pyshardy.partitioning.work import BYTES_PER_MULTIPLICATION, work_of

_MORE_WORK, _LITTLE_WORK = 1.05, 1 << 20
_MORE_MEMORY, _LITTLE_MEMORY = 1.15, 1 << 20
"""Another way may take so many times the work and memory, or so much more."""
_TURNS = 8
_WORTH_SPREADING = 0.95
"""What the bytes must fall to without wishes before the layouts found are spread."""
_MANY_SUMS = 0.1
"""If more than this share of what moves without wishes are all-reduces, some of them may be better off scattered."""


def best_way(
    module: Module,
    progress: Callable[[int, int], None] | None,
    *,
    propagation: Pipeline,
    compact_groups: bool,
    only_mesh: str | None,
    keep_shardings: bool,
) -> Partitioner:
    """``module``, which is propagated, partitioned in the best way found.

    ``compact_groups`` and ``only_mesh`` are those of ``Partitioner``; ``keep_shardings`` says that the shardings of
    operations are the author's and not up for discussion. ``progress`` is told how many operations are done, of how
    many.

    Raises:
        PyshardyError: the program cannot be partitioned.
    """
    total = sum(1 for _ in module.op.walk()) if progress is not None else 0
    ways = 0

    def run(
        strategies: Strategies, *, free_results: bool = False, spreading: Partitioner | None = None
    ) -> Partitioner | None:
        """One way, with the layouts of another one spread first, if that is given; None if it is not the first, and the
        program cannot be partitioned like that."""
        nonlocal ways
        before, is_first = total * ways, not ways
        ways += 1
        said = len(module.context.diagnostics)
        try:
            program = module if spreading is None else settled(module, spreading.left, propagation)
            partitioner = Partitioner(
                program.op,
                program.context,
                compact_groups=compact_groups,
                only_mesh=only_mesh,
                strategies=strategies,
                free_results=free_results,
                progress=(lambda done: progress(before + done, before + total)) if progress is not None else None,
            )
            partitioner.run()
        except PyshardyError:
            if is_first:
                raise
            return None
        finally:
            if not is_first:
                # The first way has said it all.
                del module.context.diagnostics[said:]
        return partitioner

    wide = Strategies()
    best = run(wide)
    assert best is not None
    if wide.widened:
        near = run(Strategies(wide=False, known=wide))
        best = best if near is None else min(best, near, key=_bytes_of)
    if keep_shardings or _only_adds_up(best):
        return best
    free = run(Strategies(known=wide), free_results=True)
    if free is None or _bytes_of(free) >= _bytes_of(best):
        return best
    better = _is_better(free, best)
    promises = _bytes_of(free) < _WORTH_SPREADING * _bytes_of(best)
    if promises and (not better or _share_of_sums(free) > _MANY_SUMS):
        spread = run(Strategies(known=wide), spreading=free)
        if spread is not None and _is_better(spread, best) and (not better or _bytes_of(spread) < _bytes_of(free)):
            return spread
    return free if better else best


def _share_of_sums(partitioner: Partitioner) -> float:
    """How much of what moves are sums that every device gets the whole of."""
    moved = dict.fromkeys(("all_reduce", ""), 0.0)
    for one in partitioner.emitted_collectives:
        if one.op.parent is not None:
            moved[one.kind if one.kind in moved else ""] += one.bytes
    return moved["all_reduce"] / (sum(moved.values()) or 1)


def _only_adds_up(partitioner: Partitioner) -> bool:
    """Whether all that moves are terms of sums: those have to meet, wherever results stay."""
    return all(one.kind in ("all_reduce", "reduce_scatter") for one in partitioner.emitted_collectives)


def _bytes_of(partitioner: Partitioner) -> float:
    """What each device receives in a run, if every loop takes a few turns."""
    functions = {op.symbol_name: op for op in partitioner.local.body if op.name == "func.func"}
    received = {one.op: one.bytes for one in partitioner.emitted_collectives}

    @cache
    def of(function: Operation) -> float:
        moved = 0.0
        for op in function.walk():
            own = of(functions[callee(op)]) if op.name == "func.call" else received.get(op, 0.0)
            moved += own and own * _TURNS ** sum(1 for _ in loops_around(op))
        return moved

    return of(functions[entry_of(partitioner)])


def _is_better(one: Partitioner, other: Partitioner) -> bool:
    """Whether ``one`` moves fewer bytes than ``other``, worth more than what it computes in exchange, with about as
    little work and memory."""
    saved = _bytes_of(other) - _bytes_of(one)
    if saved <= 0:
        return False
    (work, peak), (other_work, other_peak) = _load(one), _load(other)
    return (
        saved > (work - other_work) * BYTES_PER_MULTIPLICATION
        and work <= max(_MORE_WORK * other_work, other_work + _LITTLE_WORK)
        and peak <= max(_MORE_MEMORY * other_peak, other_peak + _LITTLE_MEMORY)
    )


def _load(partitioner: Partitioner) -> tuple[int, int]:
    entry = next(op for op in partitioner.local.body if op.symbol_name == entry_of(partitioner))
    work = work_of(partitioner.local, entry, partitioner.rules)
    return work, memory_of(partitioner.local, entry).peak


def entry_of(partitioner: Partitioner) -> str:
    """The name of the function that a run begins with.

    Raises:
        ValueError: no function can be called from outside.
    """
    if not partitioner.entries:
        raise ValueError("the program has no function that can be called from outside")
    return "main" if "main" in partitioner.entries else next(iter(partitioner.entries))


def executed_collectives(partitioner: Partitioner, entry: str) -> tuple[Collective, ...]:
    """The collectives that a run of ``entry`` meets: those of a function as often as it is called, each with the turns
    of the loops around it and around those calls."""
    functions = {op.symbol_name: op for op in partitioner.local.body if op.name == "func.func"}
    by_function: dict[Operation, list[Collective]] = {}
    for one in partitioner.emitted_collectives:
        if one.op.parent is not None:
            by_function.setdefault(_function_of(one.op), []).append(one)
    runs: dict[Operation, list[int | None]] = {}
    waiting: list[tuple[Operation, int | None]] = [(functions[entry], 1)]
    while waiting:
        function, turns = waiting.pop()
        runs.setdefault(function, []).append(turns)
        for op in function.walk():
            if op.name == "func.call":
                waiting.append((functions[callee(op)], turns_product(turns, turns_around(op))))
    return tuple(
        one if turns == 1 and inside == 1 else replace(one, turns=turns_product(turns, inside))
        for function, found in runs.items()
        for turns in found
        for one in by_function.get(function, ())
        for inside in (turns_around(one.op),)
    )


def _function_of(op: Operation) -> Operation:
    return next(above for above in op.ancestors() if above.name == "func.func")
