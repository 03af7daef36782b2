"""A strategy in words: the usual terms for its parts, and names for the axes of a mesh that was searched for."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.searching.class_names import unique_name
from pyshardy.searching.layouts import LATER
from pyshardy.searching.meshes import AUTO_AXES
from pyshardy.searching.space import ALL, ALL_WITH_SMALL, Layouts, Space, Strategy


def described(space: Space, strategy: Strategy, names: dict[str, str] | None = None) -> str:
    """The strategy in the usual terms, ``Megatron on model, ZeRO-1 on data``; ``names`` are names for its axes."""

    def axes_text(axes: Sequence[str]) -> str:
        return " and ".join(names.get(axis, axis) if names else axis for axis in axes)

    parts = []
    for axes, classes in strategy.sets:
        shown = axes_text(axes)
        if set(classes) & set(space.batch):
            parts.append(f"data parallel on {shown}")
        else:
            parts.append(f"{space.set_name(classes)} parallel on {shown}".replace("Megatron parallel", "Megatron"))
    for axes, what in strategy.storage:
        parts.append(f"{'FSDP' if what in (ALL, ALL_WITH_SMALL) else 'ZeRO-1'} on {axes_text(axes)}")
    if not parts:
        parts.append("what is kept" if space.has_kept else "replicated")
    if strategy.inner:
        parts.append(_inner_text(space, strategy))
    count = len(strategy.exceptions)
    if count:
        parts.append(f"{count} tensor{'' if count == 1 else 's'} otherwise")
    return ", ".join(parts)


def _inner_text(space: Space, strategy: Strategy) -> str:
    """The strategy's constraints inside of the program, in words."""
    sequence = {one for one, name in space.names.items() if name == "sequence"}
    batch_axes = {axis for axes, classes in strategy.sets if set(classes) & set(space.batch) for axis in axes}
    operations = space.short.module.op.operations()
    for one in strategy.inner:
        value = operations[space.short.members[one.group][0]].results[one.result]
        classes = space.classes.values.get(value, [])
        for place, axes in enumerate(one.spec):
            others = {axis.removeprefix(LATER) for axis in axes} - batch_axes
            if others and place < len(classes) and space.classes.find(classes[place]) in sequence:
                return "sequence parallel between blocks"
    count = len(strategy.inner)
    return f"{count} constraint{'' if count == 1 else 's'} inside"


def axis_names(space: Space, strategy: Strategy, layouts: Layouts) -> dict[str, str]:
    """Names for the axes of a mesh that was searched for, after the parallelism along them."""
    found: dict[str, str] = {}

    def give(axis: str, name: str) -> None:
        if axis not in found:
            found[axis] = unique_name(name, found.values(), "_")

    for axes, classes in strategy.sets:
        what = "model"
        if set(classes) & set(space.batch):
            what = "data"
        elif "experts" in {space.names[one] for one in classes}:
            what = "expert"
        elif "sequence" in {space.names[one] for one in classes}:
            what = "sequence"
        for axis in axes:
            give(axis, what)
    for axes, _ in strategy.storage:
        for axis in axes:
            give(axis, "fsdp")
    for name, _ in layouts.mesh:
        give(name, "other")
    return {name: found[name] if name in AUTO_AXES else name for name, _ in layouts.mesh}
