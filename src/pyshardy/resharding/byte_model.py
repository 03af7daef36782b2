"""The byte model: what each device receives during a collective.

With r the bytes of a device's result, o those of its operand and g the size of a group: all-gather r(g-1)/g,
reduce-scatter and all-to-all o(g-1)/g, all-reduce 2o(g-1)/g, permute o; a slice is free. Plans, choices of axes and
reports go by this table. Shards are padded to equal size, and a dynamic size counts as 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.mesh import Mesh

_RECEIVED: dict[str, Callable[[int, int, int], Fraction]] = {
    "sdy.all_gather": lambda operand, result, group: Fraction(result * (group - 1), group),
    "sdy.reduce_scatter": lambda operand, result, group: Fraction(operand * (group - 1), group),
    "sdy.all_reduce": lambda operand, result, group: Fraction(2 * operand * (group - 1), group),
    "sdy.all_to_all": lambda operand, result, group: Fraction(operand * (group - 1), group),
    "sdy.collective_permute": lambda operand, result, group: Fraction(operand),
}


def received(name: str, operand: int, result: int, group: int) -> Fraction:
    """What a device receives during the collective ``name`` in the unit of ``operand`` and ``result``, the size of a
    device's part before and behind it; ``group`` is the number of devices that work together. 0 for what moves no data.
    """
    cost = _RECEIVED.get(name)
    return cost(operand, result, group) if cost is not None else Fraction(0)


def local_elements(layout: Layout, shape: Sequence[int], mesh: Mesh) -> int:
    """How many elements of a tensor of ``shape`` stand on each device, padding included."""
    elements = 1
    for size, axes in zip(shape, layout, strict=True):
        elements *= -(-max(size, 1) // shard_count(axes, mesh)) if size else 0
    return elements
