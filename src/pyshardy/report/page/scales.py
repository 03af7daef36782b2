"""Scales of the axes of a picture, and their ticks.

A range with a ratio of more than thirty is drawn logarithmically: sizes have ticks at powers of two there, times at 1,
2, 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log, log2, log10

from pyshardy.report.words import SECONDS_UNITS, SIZE_UNITS

_WIDE = 30.0
"""The ratio from which on a range is drawn logarithmically."""
_ROOM = 0.06
"""The margin at both ends, as a fraction of the axis."""
_ROUND = (1, 2, 5)

Units = Sequence[tuple[str, float]]
Tick = tuple[float, str]
"""A figure, and its text."""


@dataclass(frozen=True)
class Scale:
    """An axis from the figure ``low`` at ``begin`` to ``high`` at ``end``, with about ``most`` ticks in ``units``."""

    low: float
    high: float
    is_log: bool
    begin: float
    end: float
    most: int
    units: Units

    def place(self, figure: float) -> float:
        """The position of ``figure``."""
        if self.is_log:
            part = log(figure / self.low) / log(self.high / self.low)
        else:
            part = (figure - self.low) / (self.high - self.low)
        return round(self.begin + (self.end - self.begin) * part, 1)

    def ticks(self) -> list[Tick]:
        """Round figures within the axis, in order."""
        return self._log_ticks() if self.is_log else self._linear_ticks()

    def _linear_ticks(self) -> list[Tick]:
        name, unit = _unit(self.high, self.units)
        low, high = self.low / unit, self.high / unit
        step = _round_step((high - low) / max(1, self.most))
        digits = max(0, -floor(log10(step) + 1e-9))
        numbers = range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
        return [(number * step * unit, f"{number * step:.{digits}f} {name}") for number in numbers]

    def _log_ticks(self) -> list[Tick]:
        if self.units is SIZE_UNITS:
            powers = range(ceil(log2(self.low)), floor(log2(self.high)) + 1)
            every = max(1, ceil(len(powers) / self.most))
            return [self._written(2.0**power) for power in powers if power % every == 0]
        powers = range(floor(log10(self.low)), floor(log10(self.high)) + 1)
        found: list[float] = []
        for digits in (_ROUND, (1, 3), (1,)):
            listed = [digit * 10.0**power for power in powers for digit in digits]
            found = [one for one in listed if self.low <= one <= self.high]
            if len(found) <= self.most:
                break
        every = max(1, ceil(len(found) / self.most))
        return [self._written(one) for one in found[::every]]

    def _written(self, figure: float) -> Tick:
        name, unit = _unit(figure, self.units)
        return figure, f"{figure / unit:.4g} {name}"


def scale(figures: Iterable[float], begin: float, end: float, units: Units, most: int = 6) -> Scale:
    """An axis that contains all ``figures``, which are not negative, with some margin at both ends."""
    listed = [*figures]
    low, high = min(listed), max(listed)
    if low > 0 and high > _WIDE * low:
        room = (high / low) ** _ROOM
        return Scale(low / room, high * room, True, begin, end, most, units)
    room = _ROOM * ((high - low) or high or 1.0)
    return Scale(max(0.0, low - room), high + room, False, begin, end, most, units)


def seconds_scale(figures: Iterable[float], begin: float, end: float, most: int = 6) -> Scale:
    """An axis of times."""
    return scale(figures, begin, end, SECONDS_UNITS, most)


def size_scale(figures: Iterable[float], begin: float, end: float, most: int = 6) -> Scale:
    """An axis of bytes."""
    return scale(figures, begin, end, SIZE_UNITS, most)


def _unit(figure: float, units: Units) -> tuple[str, float]:
    """The largest unit in which ``figure`` is at least 1, up to rounding."""
    return next((row for row in units if figure >= 0.9999 * row[1]), units[-1])


def _round_step(least: float) -> float:
    """The smallest of 1, 2 and 5 with any number of zeros that is at least ``least``."""
    power = 10.0 ** floor(log10(least))
    return next((digit * power for digit in _ROUND if digit * power >= least * (1 - 1e-9)), 10 * power)
