"""Collectives by their definition: what each group of processes computes from the values of its members.

Each is a function of arrays with two leading axes, groups x members. All groups of one size are computed at once when
the processes run in step; when they run on their own, each computes its group's result from what the members brought.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pyshardy.dialects.stablehlo.collective_root import has_dynamic_root
from pyshardy.dialects.stablehlo.replica_groups import Groups
from pyshardy.interpreter import grid
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact.reducers import combining
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.conversion import converted
from pyshardy.interpreter.operations.properties import integer
from pyshardy.interpreter.operations.reductions import fold, fold_by, simple_reducer
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation

GroupFunction = Callable[[list[Array]], list[Array]]
"""Arrays of groups x members x shape to results of the same kind; one member stands for all if they get the same."""


@evaluates("stablehlo.all_gather")
def all_gather(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """All members' values, one behind the other along a dimension."""
    dimension = integer(op, "all_gather_dim")

    def gather(values: list[Array]) -> list[Array]:
        return [_joined(value, dimension)[:, None] for value in values]

    groups = _groups(frame, op, grid.reduction_groups)
    return in_groups(frame, op, operands, groups, gather)


def _joined(values: Array, dimension: int) -> Array:
    """groups x members x shape to groups x shape with the members' parts behind each other along ``dimension``."""
    shape = list(values.shape[2:])
    shape[dimension] *= values.shape[1]
    return np.moveaxis(values, 1, 1 + dimension).reshape(len(values), *shape)


def _split(values: Array, dimension: int, count: int) -> Array:
    """groups x shape to groups x parts x shape of a part, ``count`` equal parts along ``dimension``."""
    shape = values.shape[1:]
    if shape[dimension] % count:
        raise ValueError(f"dimension {dimension} of size {shape[dimension]} does not split into {count} equal parts")
    apart = values.reshape(len(values), *shape[:dimension], count, shape[dimension] // count, *shape[dimension + 1 :])
    return np.moveaxis(apart, 1 + dimension, 1)


@evaluates("stablehlo.all_reduce")
def all_reduce(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The members' values combined by the body."""
    groups = _groups(frame, op, grid.reduction_groups)
    return in_groups(
        frame, op, operands, groups, lambda values: [_combined(frame, op, value)[:, None] for value in values]
    )


@evaluates("stablehlo.cross-replica-sum")
def cross_replica_sum(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    groups = _groups(frame, op, grid.exchange_groups)

    def total(values: list[Array]) -> list[Array]:
        sums = [fold_by(combining(np.add, value.dtype), value, 1) for value in values]
        return [value[:, :1] if s is None else s[:, None] for value, s in zip(values, sums, strict=True)]

    return in_groups(frame, op, operands, groups, total)


@evaluates("stablehlo.reduce_scatter")
def reduce_scatter(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The members' values combined, of which each gets its part."""
    dimension = integer(op, "scatter_dimension")
    groups = _groups(frame, op, grid.reduction_groups)
    return in_groups(
        frame,
        op,
        operands,
        groups,
        lambda values: [_split(_combined(frame, op, value), dimension, value.shape[1]) for value in values],
    )


def _combined(frame: Frame, op: Operation, values: Array) -> Array:
    """groups x members x shape combined over the members by the body of ``op``."""
    region = op.regions[0]
    values = converted(values, frame.array_type(region.blocks[0].arguments[0].type))
    if not values.size:
        return values[:, 0]
    ufunc = simple_reducer(region, values.dtype)
    if ufunc is not None:
        total = fold_by(ufunc, values, 1)
        assert total is not None
        return total
    groups = len(values)
    inner = Frame(frame.machine, groups, np.zeros(groups, np.int64), parent=frame)
    (result,) = fold([np.moveaxis(values, 1, 0)], lambda a, b: inner.apply(region, [*a, *b]))
    return result


@evaluates("stablehlo.all_to_all")
def all_to_all(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Member i gets part i of every member's value."""
    split, concat, count = (integer(op, f"{name}") for name in ("split_dimension", "concat_dimension", "split_count"))

    def exchange(values: list[Array]) -> list[Array]:
        results = []
        for value in values:
            groups, members = value.shape[:2]
            if members != count:
                raise ValueError(f"a group has {members} members, but values are split into {count} parts")
            parts = _split(value.reshape(groups * members, *value.shape[2:]), split, count)
            # groups x from x part x shape → (groups * part) x from x shape
            by_part = np.moveaxis(parts.reshape(groups, members, count, *parts.shape[2:]), 2, 1)
            joined = _joined(by_part.reshape(groups * count, members, *parts.shape[2:]), concat)
            results.append(joined.reshape(groups, count, *joined.shape[1:]))
        return results

    return in_groups(frame, op, operands, _groups(frame, op, grid.exchange_groups), exchange)


@evaluates("stablehlo.collective_broadcast")
def collective_broadcast(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The value of the root for all; zeros outside of all groups."""

    def broadcast(values: list[Array]) -> list[Array]:
        return [value[np.arange(len(value)), root][:, None] for value, root in _with_roots(op, values)]

    return in_groups(frame, op, operands, _groups(frame, op, grid.exchange_groups), broadcast, zeros=True)


@evaluates("stablehlo.collective_reduce")
def collective_reduce(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The members' values combined by the body, for the root; zeros for all others."""

    def reduce(values: list[Array]) -> list[Array]:
        results = []
        for value, root in _with_roots(op, values):
            results.append(np.zeros_like(value))
            results[-1][np.arange(len(value)), root] = _combined(frame, op, value)
        return results

    return in_groups(frame, op, operands, _groups(frame, op, grid.reduction_groups), reduce, zeros=True)


def _with_roots(op: Operation, values: list[Array]) -> list[tuple[Array, Array]]:
    """Each value with the place of its root in each group; the first member says where."""
    groups, members = values[0].shape[:2]
    if not has_dynamic_root(op):
        return [(value, np.zeros(groups, np.int64)) for value in values]
    roots = values[-1][:, 0].astype(np.int64)
    if ((roots < 0) | (roots >= members)).any():
        raise ValueError(f"a root is member {roots.max()}, but a group has members 0 to {members - 1}")
    return list(zip(values[:-1], roots.T, strict=True))


@evaluates("stablehlo.collective_permute")
def collective_permute(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Each target gets the value of its source; a process that is no target gets zeros."""
    try:
        pairs = grid.permutation_pairs(op, frame.machine.grid)
    except ValueError as error:
        frame.fail(op, f"does not fit the devices: {error}")
    involved = sorted({process for pair in pairs for process in pair})
    place = {process: index for index, process in enumerate(involved)}

    def permute(values: list[Array]) -> list[Array]:
        results = [np.zeros_like(value) for value in values]
        for value, result in zip(values, results, strict=True):
            sources, targets = ([place[pair[end]] for pair in pairs] for end in (0, 1))
            result[:, targets] = value[:, sources]
        return results

    return in_groups(frame, op, operands, [involved] if involved else [], permute, zeros=True)


def _groups(frame: Frame, op: Operation, rule: Callable[[Operation, grid.Grid, Operation], Groups]) -> Groups:
    try:
        return rule(op, frame.machine.grid, frame.machine.module)
    except ValueError as error:
        frame.fail(op, f"does not fit the devices: {error}")


def in_groups(
    frame: Frame,
    op: Operation,
    operands: Sequence[Array],
    groups: Groups,
    function: GroupFunction,
    *,
    zeros: bool = False,
) -> list[Array]:
    """Runs a collective: ``zeros`` is what processes outside of all groups get, without it that is an error."""
    machine = frame.machine
    count = machine.grid.size
    if machine.rendezvous is not None:
        return _alone(frame, op, operands, groups, function, zeros)
    if not frame.whole:
        frame.fail(op, "deadlocks: not all devices reach it")
    covered = sum(map(len, groups))
    if covered < count and not zeros:
        missing = min(set(range(count)) - {process for group in groups for process in group})
        frame.fail(op, f"does not fit the devices: device {missing} is in no group")
    sizes = sorted({len(group) for group in groups})
    alike = len(sizes) == 1 and covered == count
    results: list[Array] = []
    for size in sizes:
        index = np.array([group for group in groups if len(group) == size], np.int64)
        if alike and all(len(value) == 1 for value in operands):
            # Every group computes the same.
            stacked = [np.broadcast_to(value, (size, *value.shape[1:]))[None] for value in operands]
        else:
            stacked = [
                value[index] if len(value) > 1 else np.broadcast_to(value, (*index.shape, *value.shape[1:]))
                for value in operands
            ]
        computed = function(stacked)
        if alike and all(value.shape[:2] == (1, 1) for value in computed):
            return [value[0] for value in computed]
        if not results:
            make = np.zeros_like if covered < count else np.empty_like
            results = [make(value, order="C", shape=(count, *value.shape[2:])) for value in computed]
        for result, value in zip(results, computed, strict=True):
            result[index] = value
    if not results:
        return [np.zeros_like(value) for value in operands[: len(op.results)]]
    return results


def _alone(
    frame: Frame,
    op: Operation,
    operands: Sequence[Array],
    groups: Groups,
    function: GroupFunction,
    zeros: bool,
) -> list[Array]:
    """The results of a collective in one process that runs on its own: it meets the others of its group."""
    rendezvous = frame.machine.rendezvous
    assert rendezvous is not None
    process = int(frame.devices[0])
    group = next((group for group in groups if process in group), None)
    if group is None:
        if zeros:
            return [np.zeros_like(value) for value in operands[: len(op.results)]]
        frame.fail(op, f"does not fit the devices: device {process} is in no group")
    brought = rendezvous.meet(op, process, tuple(group), list(operands), frame.fail)
    computed = function([np.concatenate(values)[None] for values in zip(*brought, strict=True)])
    place = group.index(process)
    return [value[0, [place if value.shape[1] > 1 else 0]] for value in computed]
