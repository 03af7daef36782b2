"""Stores figures of plans in a file, and finds those that have grown since: a check for CI.

``pyshardy compare --store`` writes the file, ``--against`` compares plans with it. A figure has grown if it is larger
than the stored one by more than the tolerance, a fraction of the stored figure.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from reprlib import repr as short
from typing import Any

from pyshardy.ir.json_fields import fields_as_json
from pyshardy.report.words import seconds_text, size_text

_FORMAT = "pyshardy figures 1"
_TITLES: dict[str, tuple[str, Callable[[float], str]]] = {
    "bytes": ("received in collectives", size_text),
    "peak": ("peak of memory", size_text),
    "seconds": ("expected time", seconds_text),
}


@dataclass(frozen=True)
class Figures:
    """The stored figures of a plan: the bytes that a device receives in a step, with all iterations of loops, the peak
    of its memory in bytes, and the expected seconds of a step, None without hardware."""

    bytes: float
    peak: float
    seconds: float | None = None

    def as_json(self) -> dict[str, float]:
        """The figures that are not None."""
        found = {"bytes": self.bytes, "peak": self.peak, "seconds": self.seconds}
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True)
class Difference:
    """A figure of the plan ``plan``, and the stored one."""

    plan: str
    figure: str
    stored: float
    now: float

    def has_grown(self, tolerance: float) -> bool:
        """Whether the figure is larger than the stored one by more than the fraction ``tolerance``."""
        return self.now > self.stored * (1 + tolerance)

    def has_shrunk(self, tolerance: float) -> bool:
        """Whether the figure is smaller than the stored one by more than the fraction ``tolerance``."""
        return self.now < self.stored * (1 - tolerance)

    @property
    def text(self) -> str:
        """``peak of memory 2.0 MiB instead of 1.0 MiB (+100%)``."""
        title, written = _TITLES[self.figure]
        share = f" ({(self.now / self.stored - 1) * 100:+,.1f}%)" if self.stored else ""
        return f"{title} {written(self.now)} instead of {written(self.stored)}{share}"

    def as_json(self) -> dict[str, object]:
        """The difference as plain values."""
        return fields_as_json(self, plan="strategy")


@dataclass(frozen=True)
class StoredFigures:
    """The figures of plans by their names, and the hardware that the seconds are for, as it was named."""

    plans: Mapping[str, Figures]
    hardware: str | None = None

    def text(self) -> str:
        """The file."""
        plans = {name: figures.as_json() for name, figures in self.plans.items()}
        return json.dumps({"format": _FORMAT, "hardware": self.hardware, "plans": plans}, indent=2) + "\n"

    def differences(self, now: Mapping[str, Figures]) -> list[Difference]:
        """Each stored figure of the plans in ``now``, with its present value.

        Raises:
            ValueError: a plan of ``now`` was not stored.
        """
        missing = [name for name in now if name not in self.plans]
        if missing:
            raise ValueError(f"has no figures of '{missing[0]}', only of {', '.join(self.plans) or 'no plan'}")
        found = []
        for name, figures in now.items():
            values = figures.as_json()
            for figure, stored in self.plans[name].as_json().items():
                if figure in values:
                    found.append(Difference(name, figure, stored, values[figure]))
        return found


def read_figures(text: str) -> StoredFigures:
    """Parses the output of ``StoredFigures.text``.

    Raises:
        ValueError: the text is something else.

    >>> read_figures(StoredFigures({"fsdp": Figures(10.0, 20.0)}).text()).plans
    {'fsdp': Figures(bytes=10.0, peak=20.0, seconds=None)}
    """
    try:
        read = _loaded(text)
        if read["format"] != _FORMAT:
            raise ValueError(f"this has the format {short(read['format'])}, this version reads {_FORMAT!r}")
        hardware = read["hardware"]
        if not isinstance(hardware, str | None):
            raise TypeError
        return StoredFigures({name: _figures(name, one) for name, one in read["plans"].items()}, hardware)
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError("this is no file of figures, as --store writes it") from None


def _loaded(text: str) -> Any:
    """What stands in a JSON file.

    Raises:
        ValueError: it is none, or has a whole number with more digits than Python reads.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        raise ValueError("a number has too many digits to be a figure") from None


def _figures(plan: str, stored: Mapping[str, object]) -> Figures:
    seconds = stored.get("seconds")
    return Figures(
        _figure(plan, "bytes", stored["bytes"]),
        _figure(plan, "peak", stored["peak"]),
        None if seconds is None else _figure(plan, "seconds", seconds),
    )


def _figure(plan: str, name: str, value: object) -> float:
    """``value``, if it can be what is stored as ``name`` of the plan.

    Raises:
        ValueError: it is negative, infinite or no number.
    """
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= sys.float_info.max:
        raise ValueError(f"{name} of plan {plan!r} is {short(value)}, and a finite number, 0 or more, is expected")
    return float(value)
