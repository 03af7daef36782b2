"""The priority levels of propagation above one fixed point: strategies, op priorities, user priorities.

They are nested loops: for each user priority, for each op priority, for each strategy, one fixed point. Source:
Shardy's documentation, propagation, conflict resolution hierarchy.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.every_sharding import visit_shardings_of
from pyshardy.ir.effects import dead_operations
from pyshardy.ir.operation import BlockArgument, Value
from pyshardy.propagation.directions import ALL_AT_ONCE, OP_PRIORITIES
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.axes import AxisRef, mesh_order
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import CLOSED, DimSharding, TensorSharding

_FUNCTION = "func.func"

STRATEGY_LISTS: dict[str, tuple[str, ...]] = {
    "basic": ("basic",),
    "aggressive": ("aggressive",),
    "basic-then-aggressive": ("basic", "aggressive"),
}


def propagate_strategies(run: Propagation, strategy: str, priority: int = ALL_AT_ONCE) -> None:
    """One fixed point for each strategy of the list that ``strategy`` names."""
    for one in STRATEGY_LISTS[strategy]:
        run.run(one, priority)


def propagate_op_priorities(run: Propagation, strategy: str, *, enabled: bool = True) -> None:
    """The strategies for each op priority, pass-through operations first; or just once."""
    for priority in OP_PRIORITIES if enabled else (ALL_AT_ONCE,):
        propagate_strategies(run, strategy, priority)


def propagate_user_priorities(
    run: Propagation,
    strategy: str,
    *,
    op_priorities: bool = True,
    user_priorities: bool = True,
    stop_after: int | None = None,
    between: Callable[[int], None] = lambda finished: None,
) -> None:
    """The op priorities for each user priority in turn. Dimensions of later priorities are closed and empty, and their
    axes explicitly replicated on their own tensor. ``between`` is called with each priority when it is finished, before
    the dimensions of the next one are restored. Without ``user_priorities`` all count as 0; priorities later than
    ``stop_after`` are not propagated."""
    slots = _slots(run)
    if not user_priorities:
        _forget_priorities(run, slots)
    if any(_has_later_dims(run, slot) for slot in slots):
        _drop_dead_priorities(run)
        slots = _slots(run)
    later = _defer(run, slots)
    propagate_op_priorities(run, strategy, enabled=op_priorities)
    finished = 0
    for priority in sorted(later):
        if stop_after is not None and priority > stop_after:
            break
        between(finished)
        finished = run.user_priority = priority
        for slot, sharding in later[priority]:
            _restore(run, slot, sharding, priority)
        propagate_op_priorities(run, strategy, enabled=op_priorities)


def _forget_priorities(run: Propagation, slots: list[ShardingSlot]) -> None:
    for slot in slots:
        sharding = run.table.get(slot)
        if sharding is not None and any(dim.priority is not None for dim in sharding.dims):
            dims = [DimSharding(dim.axes, dim.is_closed) for dim in sharding.dims]
            run.table.set(slot, sharding.replace(dims=dims))


def _drop_dead_priorities(run: Propagation) -> None:
    """Erases the dead operations at once if one of them carries a priority, since it would be erased before its
    priority is reached."""
    carrying: list[placement.ShardingSlot] = []

    def collect(sharding: TensorSharding, slot: placement.ShardingSlot) -> None:
        if any(dim.priority for dim in sharding.dims) and not _is_of_function(slot):
            carrying.append(slot)

    visit_shardings_of(run.pre_scan.holding, collect)
    if not carrying:
        return
    dead = dead_operations(run.module)
    for op in dead:
        for nested in op.walk():
            for result in nested.results:
                sharding = placement.sharding_of(result)
                if sharding is not None and any(dim.priority for dim in sharding.dims):
                    run.erase_dead(dead)
                    return


def _is_of_function(slot: placement.ShardingSlot) -> bool:
    """Whether an argument or a result of a function holds the sharding, which no operation makes."""
    if isinstance(slot, placement.FunctionResult):
        return True
    return (
        isinstance(slot, BlockArgument) and slot.owner.parent_op is not None and slot.owner.parent_op.name == _FUNCTION
    )


def _has_later_dims(run: Propagation, slot: ShardingSlot) -> bool:
    sharding = run.table.get(slot)
    return sharding is not None and any(dim.priority for dim in sharding.dims)


def _defer(run: Propagation, slots: list[ShardingSlot]) -> dict[int, list[tuple[ShardingSlot, TensorSharding]]]:
    later: dict[int, list[tuple[ShardingSlot, TensorSharding]]] = {}
    for slot in slots:
        sharding = run.table.get(slot)
        if sharding is None:
            continue
        for priority in dict.fromkeys(dim.priority for dim in sharding.dims if dim.priority):
            later.setdefault(priority, []).append((slot, sharding))
        mesh = run.transfer.mesh_of(sharding)
        if mesh is not None and any(dim.priority is not None for dim in sharding.dims):
            run.table.set_silently(slot, _without_later(sharding, mesh))
    return later


def _slots(run: Propagation) -> list[ShardingSlot]:
    """Every slot with a sharding, each once, in program order; arguments and results of functions, of which there may
    be thousands, only if their shardings have priorities."""
    found: dict[ShardingSlot, None] = {}
    has_priorities: dict[TensorSharding, bool] = {}

    def collect(sharding: TensorSharding, slot: placement.ShardingSlot) -> None:
        with_priorities = has_priorities.get(sharding)
        if with_priorities is None:
            with_priorities = has_priorities[sharding] = any(dim.priority is not None for dim in sharding.dims)
        if not with_priorities and _is_of_function(slot):
            return
        if isinstance(slot, placement.FunctionResult):
            found[run.table.function_result(slot.func, slot.number)] = None
        elif slot is not None and run.table.slot_of(slot) is slot:
            found[slot] = None

    visit_shardings_of(run.pre_scan.holding, collect)
    return list(found)


def _without_later(sharding: TensorSharding, mesh: Mesh) -> TensorSharding:
    dims: list[DimSharding] = []
    replicated: list[AxisRef] = list(sharding.replicated)
    for dim in sharding.dims:
        if dim.priority:
            replicated += dim.axes
            dims.append(CLOSED)
        else:
            dims.append(DimSharding(dim.axes, dim.is_closed))
    replicated.sort(key=lambda axis: mesh_order(axis, mesh))
    return sharding.replace(dims=dims, replicated=replicated)


def _restore(run: Propagation, slot: ShardingSlot, original: TensorSharding, priority: int) -> None:
    if isinstance(slot, Value) and slot.defining_op is not None and run.is_erased(slot.defining_op):
        return
    current = run.table.get(slot)
    if current is None:
        return
    dims = list(current.dims)
    seen: set[AxisRef] = set()
    for index, dim in enumerate(original.dims):
        if dim.priority == priority:
            dims[index] = DimSharding(dim.axes, dim.is_closed)
            seen.update(dim.axes)
    replicated = [axis for axis in current.replicated if axis not in seen]
    run.table.set_silently(slot, current.replace(dims=dims, replicated=replicated))
