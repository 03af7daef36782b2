"""The figures of the cost of a step: time by bounds, collectives, operations, memory.

``estimate`` makes them for a plan; ``as_json`` gives the documented JSON, ``report`` prints them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import floor, log10
from typing import NamedTuple

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.ir.json_fields import fields_as_json
from pyshardy.ir.source_location import SourceLocation
from pyshardy.partitioning.account.memory_parts import MemoryParts
from pyshardy.sharding.mesh import Mesh

MOST_OPERATIONS = 20
"""So many operations, those that take longest, are in the JSON."""
_DIGITS = 12
"""The significant digits of a time; later ones are rounding errors."""


class Bounds(NamedTuple):
    """A figure of a step if nothing overlaps (``no_overlap``), if communication and computation overlap fully and
    collectives are pipelined over levels of links (``full_overlap``), and by a schedule of what the program allows
    (``expected``)."""

    no_overlap: float
    full_overlap: float
    expected: float

    def as_json(self) -> dict[str, float]:
        """The figures by name."""
        return self._asdict()


@dataclass(frozen=True)
class CollectiveCost:
    """The collectives of one kind along the same axes. ``count`` and ``bytes`` count a loop body once; ``runs``,
    ``run_bytes`` and all seconds count every iteration. ``seconds`` has the levels of links one after another,
    ``pipelined_seconds`` overlapped; for ``exposed_seconds`` computation is expected to wait."""

    kind: str
    axes: str
    group_size: int
    count: int
    bytes: float
    runs: int
    run_bytes: float
    seconds: float
    pipelined_seconds: float
    exposed_seconds: float

    def as_json(self) -> dict[str, object]:
        """The collectives as plain values."""
        return fields_as_json(self, pipelined_seconds="seconds_pipelined", exposed_seconds="seconds_exposed")


@dataclass(frozen=True)
class OperationTotals:
    """Operations of one name, source location and result type: how often a step runs them, and their totals on a
    device. ``bound`` is what they wait for: ``compute`` or ``memory``."""

    operation: str
    location: SourceLocation
    type: str
    runs: int
    flops: float
    bytes: float
    seconds: float
    bound: str

    def as_json(self) -> dict[str, object]:
        """The operations as plain values."""
        return fields_as_json(self, spread=("location",), left_out=("column", "function"))


@dataclass(frozen=True, repr=False)
class Cost:
    """What a step of a plan costs on ``hardware``: seconds, and on one device floating point operations and bytes.

    ``model_flops`` are the operations of the whole program, as it is given, but for the ``recomputed_flops``, which it
    does a second time (``jax.checkpoint``); ``ideal_seconds`` is how long all chips at their peak would take for the
    former, ``ideal_hardware_seconds`` for both. ``expected_seconds`` are those of a step that overlaps what it can, and
    ``link_seconds`` how long its busiest link is at work. ``notes`` say what was counted in another way than the
    program says.
    """

    hardware: Hardware
    mesh: Mesh
    places: dict[str, str]
    compute_seconds: float
    expected_seconds: float
    link_seconds: float
    flops: float
    model_flops: float
    recomputed_flops: float
    ideal_seconds: float
    ideal_hardware_seconds: float
    collectives: tuple[CollectiveCost, ...]
    operations: tuple[OperationTotals, ...]
    argument_bytes: int
    result_bytes: int
    peak_bytes: int
    parts: MemoryParts
    notes: tuple[str, ...]

    @property
    def devices(self) -> int:
        """On how many chips the plan runs."""
        return self.mesh.total_size

    @property
    def communication_seconds(self) -> float:
        """All collectives, one after the other, nothing pipelined."""
        return sum(one.seconds for one in self.collectives)

    @cached_property
    def by_axes(self) -> dict[str, float]:
        """The seconds of communication by axes, named as ``pyshardy compare`` does: ``data, model``."""
        return self._by_axes(lambda one: one.seconds)

    @cached_property
    def exposed_by_axes(self) -> dict[str, float]:
        """For how many seconds computation is expected to wait for collectives, by axes as in ``by_axes``."""
        return self._by_axes(lambda one: one.exposed_seconds)

    def _by_axes(self, seconds: Callable[[CollectiveCost], float]) -> dict[str, float]:
        found: dict[str, float] = {}
        for one in self.collectives:
            axes = one.axes.strip("{}").replace('"', "")
            found[axes] = found.get(axes, 0.0) + seconds(one)
        return found

    @property
    def step_seconds(self) -> Bounds:
        """How long a step takes at most, at least (links of different axes work at the same time), and as expected."""
        most, least = self.compute_seconds + self.communication_seconds, max(self.compute_seconds, self.link_seconds)
        # Sums of the same numbers in another order differ in the last digits.
        return Bounds(most, least, min(max(self.expected_seconds, least), most))

    @property
    def exposed_seconds(self) -> Bounds:
        """For how much of that the chip does nothing but communicate."""
        return Bounds(*(_beyond(seconds, self.compute_seconds) for seconds in self.step_seconds))

    @property
    def utilisation(self) -> Bounds:
        """The model FLOPs utilisation: in which part of the step all chips at their peak would do the whole program,
        without what it computes again."""
        return self._part(self.ideal_seconds)

    @property
    def hardware_utilisation(self) -> Bounds:
        """The hardware FLOPs utilisation: the same with what the program computes again."""
        return self._part(self.ideal_hardware_seconds)

    def _part(self, seconds: float) -> Bounds:
        return Bounds(*(seconds / step if step else 0.0 for step in self.step_seconds))

    @property
    def fits(self) -> bool:
        """Whether the peak of memory is within what a program can use of the chip's."""
        return self.peak_bytes <= self.hardware.chip.capacity

    def as_json(self) -> dict[str, object]:
        """The figures as plain values; docs/cost.md describes the schema."""
        return {
            "hardware": self.hardware.name,
            "devices": self.devices,
            "mesh": {axis.name: axis.size for axis in self.mesh.axes},
            "axes": self.places,
            "step_seconds": self.step_seconds.as_json(),
            "compute_seconds": self.compute_seconds,
            "communication_seconds": self.communication_seconds,
            "communication_by_axes": self.by_axes,
            "exposed_seconds": self.exposed_seconds.as_json(),
            "exposed_by_axes": self.exposed_by_axes,
            "flops": self.flops,
            "model_flops": self.model_flops,
            "recomputed_flops": self.recomputed_flops,
            "utilisation": self.utilisation.as_json(),
            "hardware_utilisation": self.hardware_utilisation.as_json(),
            "memory": {
                "arguments": self.argument_bytes,
                "results": self.result_bytes,
                "peak": self.peak_bytes,
                "capacity": self.hardware.chip.memory,
                "usable": self.hardware.chip.capacity,
                "fits": self.fits,
                "at_peak": {
                    "arguments": self.parts.arguments,
                    "results": self.parts.results,
                    "saved": self.parts.saved,
                    "temporaries": self.parts.temporaries,
                },
            },
            "collectives": [one.as_json() for one in self.collectives],
            "operations": [one.as_json() for one in self.operations[:MOST_OPERATIONS]],
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        step = self.step_seconds
        fits = "" if self.fits else ", does not fit"
        return (
            f"<Cost on {self.devices} x {self.hardware.name}: a step of {step.expected:.3g} s ({step.full_overlap:.3g} "
            f"to {step.no_overlap:.3g} s), peak of memory {self.peak_bytes} bytes{fits}>"
        )


def _beyond(seconds: float, others: float) -> float:
    """How much longer ``seconds`` are than ``others``; 0 if the difference is a rounding error."""
    return round(seconds - others, _DIGITS - 1 - floor(log10(seconds))) if seconds > others else 0.0
