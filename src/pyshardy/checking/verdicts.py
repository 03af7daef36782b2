"""The verdicts of a check on each result, their reasons, and the report of a check.

``check`` makes the report, ``report.check_tables`` prints it. Where exact results differ, those in double precision are
compared with the error that rounding alone may cause (``rounding``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pyshardy.checking.comparison import Comparison
from pyshardy.checking.locate import WrongOperation
from pyshardy.interpreter.number_systems import DOUBLES, NumberSystem

_LEAST_TOLERANCE = 1e-13
"""The least tolerance in double precision, relative to the largest element."""
_EXCUSED = 100
"""The error that another order of sums may cause, relative to the effect of changes in the last digit."""
_LARGEST_EXCUSE = 1e-6


class Verdict(Enum):
    """The verdict on a result."""

    EQUAL = "equal"
    WITHIN_ROUNDING = "within rounding"
    DIFFERENT = "different"
    SAYS_NOTHING = "says nothing"


@dataclass(frozen=True)
class ResultCheck:
    """One result: the verdict and, unless it is ``EQUAL``, its reason; the largest error of any element in double
    precision, relative to the largest element, 0 if no element differs; and the author's ``name`` of the result."""

    index: int
    type: str
    verdict: Verdict
    reason: str = ""
    error: float = 0.0
    name: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the partitioned program is shown to compute this result, exactly or within rounding."""
        return self.verdict in (Verdict.EQUAL, Verdict.WITHIN_ROUNDING)


@dataclass(frozen=True, repr=False)
class CheckReport:
    """The result of a check. ``evaluation`` is the kind of numbers, ``runs`` the number of inputs; ``first_wrong`` is
    the first operation whose shards are wrong, if a result differs and local values are matched with global ones;
    ``notes`` are further remarks: how the program was read, what was left out, why the check is not exact. ``parts``
    counts the parts that were compared alone, ``alike`` those that are like one of them."""

    results: tuple[ResultCheck, ...]
    devices: int
    seed: int
    seconds: float
    evaluation: str
    runs: int
    first_wrong: WrongOperation | None = None
    notes: tuple[str, ...] = ()
    parts: int = 0
    alike: int = 0

    def __repr__(self) -> str:
        agreeing = sum(1 for one in self.results if one.agrees)
        return f"<CheckReport: {agreeing} of {len(self.results)} results agree on {self.devices} devices>"

    @property
    def agrees(self) -> bool:
        """Whether every result is equal or within rounding."""
        return all(one.agrees for one in self.results)

    @property
    def differs(self) -> bool:
        """Whether a result is wrong; a result that says nothing is neither right nor wrong."""
        return any(one.verdict is Verdict.DIFFERENT for one in self.results)


def judged(comparison: Comparison, rounding: float, numbers: NumberSystem) -> tuple[Verdict, str]:
    """The verdict on a result that differs, and its reason; ``rounding`` is the largest error that rounding may
    cause."""
    error = comparison.error
    if error <= max(_LEAST_TOLERANCE, _EXCUSED * min(rounding, _LARGEST_EXCUSE)):
        differs = "doubles differ" if numbers is DOUBLES else "the exact values differ"
        return Verdict.WITHIN_ROUNDING, (
            f"{differs}, but in double precision by {error:.1e} only, and inputs and sums that differ in the last "
            f"digit change it by {rounding:.1e}"
        )
    return Verdict.DIFFERENT, _difference_text(comparison)


def hidden_difference(comparison: Comparison) -> str:
    """The reason of a result that is wrong because an operation that it depends on is, although it was equal in all
    runs."""
    found = _difference_text(comparison)
    return f"an operation that it is computed from is wrong for values that the runs did not have: {found}"


def _difference_text(comparison: Comparison) -> str:
    assert comparison.first is not None
    reason = str(comparison.first)
    if comparison.differing > 1:
        reason += f"; {comparison.differing} elements differ"
    return reason
