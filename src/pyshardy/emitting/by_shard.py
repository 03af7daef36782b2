"""Scalars whose value depends on the shard: a constant or a linear function of the shard index where the values allow
it, otherwise a table look-up."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pyshardy.emitting.builder import Builder
from pyshardy.emitting.coordinates import emit_shard_index, index_type
from pyshardy.emitting.layout import Axes
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I32
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.mesh import Mesh


def emit_value_by_shard(builder: Builder, mesh: Mesh, axes: Axes, numbers: Mapping[int, int]) -> Value:
    """The entry of ``numbers`` for the running device's shard along ``axes``, a scalar at the start of the function: an
    i32, or an i64 if that is too small. Shards without an entry get any value."""
    values = set(numbers.values())
    element = index_type(2 * max((abs(value) for value in values), default=0) + shard_count(axes, mesh))
    if len(values) <= 1:
        return builder.scalar(min(values, default=0), element)
    slope, first = _line(numbers)
    with builder.at_function_start():
        index = builder.convert(emit_shard_index(builder, mesh, axes), element)
        if slope is None:
            table = tuple(numbers.get(shard, 0) for shard in range(shard_count(axes, mesh)))

            def looked_up() -> Value:
                return builder.reshape(builder.dynamic_slice(builder.integers(table, element), [index], [1]), ())

            return builder.cached(("table", mesh, axes, table), looked_up)

        def on_line() -> Value:
            value = index
            if slope == -1:
                return builder.binary("subtract", builder.scalar(first, element), value)
            if slope != 1:
                value = builder.binary("multiply", value, builder.scalar(slope, element))
            return builder.binary("add", value, builder.scalar(first, element)) if first else value

        return builder.cached(("line", mesh, axes, slope, first, element), on_line)


def _line(numbers: Mapping[int, int]) -> tuple[int | None, int]:
    """Slope and intercept of the linear function through all entries; no slope if there is none."""
    (x, a), (y, b) = sorted(numbers.items())[:2]
    slope, rest = divmod(b - a, y - x)
    if rest or any(value != a + slope * (shard - x) for shard, value in numbers.items()):
        return None, 0
    return slope, a - slope * x


def is_shard_among(builder: Builder, mesh: Mesh, axes: Axes, shards: Collection[int]) -> Value | None:
    """Whether the running device's shard along ``axes`` is one of ``shards``: a scalar i1 at the start of the function;
    None if it always is."""
    count = shard_count(axes, mesh)
    chosen = sorted(shards)
    if len(chosen) == count:
        return None
    direction, bound = "EQ", -1
    if len(chosen) == 1:
        bound = chosen[0]
    elif chosen and chosen == list(range(len(chosen))):
        direction, bound = "LT", len(chosen)
    elif chosen and chosen == list(range(count - len(chosen), count)):
        direction, bound = "GE", chosen[0]
    elif len(chosen) == count - 1:
        direction, bound = "NE", next(shard for shard in range(count) if shard not in shards)
    elif chosen:
        return _found_in_table(builder, mesh, axes, chosen)
    with builder.at_function_start():
        index = emit_shard_index(builder, mesh, axes)
        key = ("among", mesh, axes, direction, bound)
        return builder.cached(key, lambda: builder.compare(index, direction, builder.scalar(bound)))


def _found_in_table(builder: Builder, mesh: Mesh, axes: Axes, chosen: list[int]) -> Value:
    inside = set(chosen)
    marks = {shard: int(shard in inside) for shard in range(shard_count(axes, mesh))}
    mark = emit_value_by_shard(builder, mesh, axes, marks)
    with builder.at_function_start():
        key = ("among", mesh, axes, tuple(chosen))
        return builder.cached(key, lambda: builder.compare(mark, "EQ", builder.scalar(1, I32)))
