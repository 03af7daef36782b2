"""The kinds of collectives, by the name that both dialects give them: what each moves, and along which route.

The byte model, the ledger of the partitioner, times on hardware and names of tensors are derived from this table. Each
collective of the dialect StableHLO must be in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Received = Callable[[int, int, int], tuple[int, int]]
"""Numerator and denominator of what a device receives, from the size of its operand, that of its result, and the number
of devices in a group."""

GATHERS, SCATTERS, REDUCES, EXCHANGES = "gathers", "scatters", "reduces", "exchanges"
BROADCASTS, REDUCES_TO_ONE, PERMUTES = "broadcasts", "reduces to one", "permutes"
"""Routes, which say who sends to whom in a group: the parts of all devices to all; of a sum one part to each device; a
sum to all; a part of each device to each; one device to all; all to one; from device to device."""


class CollectiveKind(NamedTuple):
    """A kind of collective: its ``route``, and what a device receives."""

    name: str
    route: str
    received: Received

    @property
    def reduces(self) -> bool:
        """Whether it reduces partial sums: every device gets the whole sum or a part of it."""
        return self.route in (SCATTERS, REDUCES)

    @property
    def keeps_tensor(self) -> bool:
        """Whether its result is the same tensor as its operand, in another layout."""
        return self.route in (GATHERS, EXCHANGES)


COLLECTIVE_KINDS = {
    one.name: one
    for one in (
        CollectiveKind("all_gather", GATHERS, lambda operand, result, group: (result * (group - 1), group)),
        CollectiveKind("all_reduce", REDUCES, lambda operand, result, group: (2 * operand * (group - 1), group)),
        CollectiveKind("all_to_all", EXCHANGES, lambda operand, result, group: (operand * (group - 1), group)),
        CollectiveKind("collective_broadcast", BROADCASTS, lambda operand, result, group: (operand, 1)),
        CollectiveKind("collective_permute", PERMUTES, lambda operand, result, group: (operand, 1)),
        CollectiveKind("collective_reduce", REDUCES_TO_ONE, lambda operand, result, group: (operand, 1)),
        CollectiveKind("reduce_scatter", SCATTERS, lambda operand, result, group: (operand * (group - 1), group)),
    )
}
"""By name."""


def collective_kind(name: str) -> CollectiveKind:
    """The kind of that name.

    Raises:
        LookupError: there is none.
    """
    found = COLLECTIVE_KINDS.get(name)
    if found is None:
        raise LookupError(
            f"say in COLLECTIVE_KINDS of dialects/stablehlo/collective_kinds.py what {name} moves, and by which route"
        )
    return found


def reduces(kind: str) -> bool:
    """Whether a collective of ``kind`` reduces partial sums: every device gets the whole sum or a part of it."""
    found = COLLECTIVE_KINDS.get(kind)
    return found is not None and found.reduces


def same_tensor_names() -> frozenset[str]:
    """The collectives of both dialects whose result is the same tensor as their operand."""
    kept = [one.name for one in COLLECTIVE_KINDS.values() if one.keeps_tensor]
    return frozenset(f"{dialect}.{name}" for dialect in ("sdy", "stablehlo") for name in kept)
