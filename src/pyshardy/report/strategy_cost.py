"""What plans cost on a device, as data: the costs of one, and a figure of several."""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.report.traffic import Traffic


@dataclass(frozen=True)
class ReplicatedTensor:
    """An argument or result that each device has whole."""

    name: str
    bytes: int


@dataclass(frozen=True)
class StrategyCost:
    """The costs of a plan on one device: bytes of memory, bytes received in collectives (``by_axes`` has them by axes,
    with all iterations of loops), bytes of padding of arguments and results, large tensors that are replicated on every
    device."""

    name: str
    mesh: str
    devices: int
    argument_bytes: int
    result_bytes: int
    peak_bytes: int
    traffic: Traffic
    by_axes: dict[str, float]
    padding: int
    replicated: tuple[ReplicatedTensor, ...]

    def as_json(self) -> dict[str, object]:
        """The costs as plain values."""
        return {
            "name": self.name,
            "mesh": self.mesh,
            "devices": self.devices,
            "memory": {"arguments": self.argument_bytes, "results": self.result_bytes, "peak": self.peak_bytes},
            "collectives": self.traffic.as_json(),
            "bytes_by_axes": self.by_axes,
            "padding": self.padding,
            "replicated": [{"name": one.name, "bytes": one.bytes} for one in self.replicated],
        }


@dataclass(frozen=True)
class ComparedRow:
    """A figure of every strategy: less is better. ``key`` is its name in JSON; ``is_size`` if it counts bytes."""

    key: str
    title: str
    values: tuple[float, ...]
    is_size: bool

    @property
    def best(self) -> tuple[int, ...]:
        """The strategies with the least, by number; none where all are equal."""
        least = min(self.values, default=0)
        found = tuple(number for number, value in enumerate(self.values) if value == least)
        return found if len(found) < len(self.values) else ()
