"""The byte model: how much each device receives during a collective, by kind of collective.

With r the bytes of a device's result, o those of its operand, and g the size of a group: all-gather r(g-1)/g,
reduce-scatter and all-to-all o(g-1)/g, all-reduce 2o(g-1)/g, permute o; a slice costs nothing. Reshard plans, choices
of axes, the partitioner's ledger and reports use it. Shards are padded to equal size, and a dynamic size counts as 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS, collective_kind
from pyshardy.resharding.axis_alignment import Layout
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.mesh import Mesh


def received(kind: str, operand: int, result: int, group: int) -> Fraction:
    """How much a device receives during a collective of ``kind``, in the unit of ``operand`` and ``result``, the sizes
    of its local operand and result; ``group`` is the number of devices in a group. 0 if nothing moves."""
    found = COLLECTIVE_KINDS.get(kind)
    return Fraction(*found.received(operand, result, group)) if found is not None else Fraction(0)


def received_about(kind: str, operand: int, result: int, group: int) -> float:
    """``received`` as a float, for a known ``kind``.

    Raises:
        KeyError: ``kind`` is no collective.
    """
    numerator, denominator = collective_kind(kind).received(operand, result, group)
    return numerator if denominator == 1 else numerator / denominator


def local_elements(layout: Layout, shape: Sequence[int], mesh: Mesh) -> int:
    """The number of elements of a tensor of ``shape`` on each device, padding included."""
    elements = 1
    for size, axes in zip(shape, layout, strict=True):
        elements *= -(-max(size, 1) // shard_count(axes, mesh)) if size else 0
    return elements
