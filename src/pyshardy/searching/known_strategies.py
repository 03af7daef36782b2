"""Known strategies (data parallel, FSDP, Megatron, …): a search begins with them, and its result is compared with them.

Each is built from the dimension classes of the program: data parallelism from those of the batch, Megatron from a set
that shards weights, and so on. If two names give the same strategy, it has the first.
"""

from __future__ import annotations

from math import prod

from pyshardy.searching.space import ALL, MOMENTS, AxisGroup, Space, Strategy
from pyshardy.sharding.mesh import Mesh


def known_strategies(space: Space, mesh: Mesh) -> dict[Strategy, str]:
    """The strategies that have a name, on ``mesh``."""
    listed = tuple((axis.name, axis.size) for axis in mesh.axes)
    axes = tuple(axis.name for axis in mesh.axes if axis.size > 1)
    found: dict[Strategy, str] = {Strategy(listed, ()): "replicated"}

    def add(name: str, *sets: tuple[AxisGroup, tuple[int, ...]], storage: AxisGroup = (), what: str = ALL) -> None:
        kept = tuple(one for one in sets if one[0] and one[1])
        strategy = Strategy(listed, kept, ((storage, what),) if storage else ())
        found.setdefault(strategy, name)

    def sets_for(group: AxisGroup) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
        size = prod(mesh.sizes[axis] for axis in group)
        sets = space.sets(size)
        batch = next((one for one in sets if set(one) & set(space.batch)), ())
        return batch, [one for one in sets if one != batch]

    if not axes:
        return found
    batch, others = sets_for(axes)
    if batch:
        add("data parallel", (axes, batch))
        add("ZeRO-1", (axes, batch), storage=axes, what=MOMENTS)
        add("FSDP", (axes, batch), storage=axes)
    for other in others:
        add(f"{space.set_name(other)} parallel", (axes, other))
    for cut in range(1, len(axes)):
        outer, inner = axes[:cut], axes[cut:]
        batch, _ = sets_for(outer)
        _, others = sets_for(inner)
        if not batch:
            continue
        for other in others:
            name = f"data parallel, {space.set_name(other)} parallel"
            add(name, (outer, batch), (inner, other))
            add(f"{name}, ZeRO-1", (outer, batch), (inner, other), storage=outer, what=MOMENTS)
            add(f"{name}, FSDP", (outer, batch), (inner, other), storage=outer)
        add("data parallel on all axes, FSDP on the inner", (axes, sets_for(axes)[0]), storage=inner)
        add("data parallel on all axes, FSDP on the outer", (axes, sets_for(axes)[0]), storage=outer)
    return found
