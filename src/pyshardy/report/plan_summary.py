"""A plan in figures: memory of one device, collectives by kind and axes, padding.

Made from ``partitioning.plan.Plan``; ``plan_tables`` prints it, ``as_json`` gives the documented JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyshardy.sharding.axes import axes_text

if TYPE_CHECKING:
    from pyshardy.partitioning.boundary import Boundary
from pyshardy.partitioning.plan import Plan


@dataclass(frozen=True)
class CollectiveRow:
    """All collectives of one kind along the same axes: how many, and the bytes that each device receives in them."""

    kind: str
    axes: str
    group_size: int
    count: int
    bytes: float


@dataclass(frozen=True)
class PlanSummary:
    """What a plan costs on one device. Bytes of padding are those at the boundary of the program."""

    form: str
    mesh: str | None
    devices: int
    argument_bytes: int
    result_bytes: int
    peak_bytes: int
    argument_padding: int
    result_padding: int
    collectives: tuple[CollectiveRow, ...]
    operations: int
    seconds: float

    @property
    def bytes_moved(self) -> float:
        """The bytes that each device receives in all collectives."""
        return sum(one.bytes for one in self.collectives)

    def as_json(self) -> dict[str, object]:
        """The summary as plain values; docs/partition.md describes the schema."""
        return {
            "form": self.form,
            "mesh": self.mesh,
            "devices": self.devices,
            "memory": {"arguments": self.argument_bytes, "results": self.result_bytes, "peak": self.peak_bytes},
            "padding": {"arguments": self.argument_padding, "results": self.result_padding},
            "collectives": [
                {
                    "kind": one.kind,
                    "axes": one.axes,
                    "group_size": one.group_size,
                    "count": one.count,
                    "bytes": one.bytes,
                }
                for one in self.collectives
            ],
            "bytes_moved": self.bytes_moved,
            "operations": self.operations,
            "seconds": self.seconds,
        }


def summarize_plan(plan: Plan) -> PlanSummary:
    """The summary of ``plan``."""
    rows: dict[tuple[str, str, int], list[float]] = {}
    for one in plan.collectives:
        axes = axes_text(one.axes) if one.axes else "the program's own"
        rows.setdefault((one.kind, axes, one.group_size), []).append(one.bytes)
    collectives = [CollectiveRow(*key, len(found), sum(found)) for key, found in rows.items()]
    collectives.sort(key=lambda row: -row.bytes)
    return PlanSummary(
        plan.form,
        plan.mesh_name,
        plan.devices,
        plan.memory.arguments,
        plan.memory.results,
        plan.memory.peak,
        _padding(plan.arguments),
        _padding(plan.results),
        tuple(collectives),
        sum(1 for _ in plan.module.op.walk()),
        plan.seconds,
    )


def _padding(boundaries: Iterable[Boundary]) -> int:
    return sum(one.padding for one in boundaries)
