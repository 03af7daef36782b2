"""Detection, if little could be left out: repeats that read one thing and another in turns are joined.

Every other layer of a model may attend to a window, with a mask of its own, and the others to all; or every sixth may
be another. ``repeats`` finds one range there, as operations are of the same kinds, and each layer is unlike the one
below. Joined to pairs, or to sixes, they are alike. ``linked_series`` then does the same to the ranges that are linked.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from pyshardy.folding.detecting.def_use import DefUse
from pyshardy.folding.detecting.repeats import FEWEST_REPEATS, RepeatedRange
from pyshardy.ir.operation import Value

_MOST_JOINED = 8
"""No more repeats than that are joined to one."""


def joined_repeats(def_use: DefUse, found: Sequence[RepeatedRange]) -> list[RepeatedRange] | None:
    """The ranges ``found`` in a function with these def-use chains, with repeats joined that read values in turns; None
    if there are none."""
    operations = def_use.operations
    repeating = bytearray(len(operations))
    for one in found:
        repeating[one.begin : one.end] = b"\1" * (one.end - one.begin)
    joined = []
    for one in found:
        count, middle = 1, one.begin + one.times // 2 * one.period
        for place in range(one.period):
            for index, number in enumerate(def_use.makers_of_operands(middle + place, middle + place + 1)):
                if number < 0 or not repeating[number]:
                    row = operations[one.begin + place : one.end : one.period]
                    count = lcm(count, _period_of_values([other.operands[index] for other in row]))
        if count > _MOST_JOINED or one.times // count < FEWEST_REPEATS:
            count = 1
        joined.append(one._replace(period=one.period * count))
    return joined if joined != list(found) else None


def _period_of_values(read: Sequence[Value]) -> int:
    """After how many repeats, which ``read`` these values, each reads again what it has read before; 1 if they read one
    value, or not in turns. The first and the last may read others."""
    middle = read[1:-1]
    if len(set(middle)) > _MOST_JOINED:
        return 1
    for count in range(1, _MOST_JOINED + 1):
        if middle[count:] == middle[:-count]:
            return count
    return 1
