"""All conflicts of a program, where two axes competed and one lost, grouped by cause: the pair of annotations that they
come from.

Layers repeat, so causes that differ in a number alone are one cause: "this pair costs 1.2 GiB in 96 places". Each has
the best edit that was tried. ``report.conflict_tables`` prints them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from pyshardy.analysis.why import failed_conditions as failed
from pyshardy.analysis.why.annotations import ARGUMENT, RESULT, Annotation
from pyshardy.analysis.why.collective_reasons import CollectiveReason
from pyshardy.analysis.why.edits import Edit, EditTrial, Proposal, together
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.analysis.why.names import short_name
from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.operation import Operation, Value
from pyshardy.propagation.sharding_origins import axis_name

_LOST = frozenset({failed.TAKEN, failed.CONFLICT})
"""The causes of failed conditions that are conflicts between axes."""
_TRIES_EACH = 3
"""The number of edits that are tried for a cause at most."""


@dataclass(frozen=True)
class Cause:
    """A pair of annotations that do not fit together, or those that differ from it in a number alone: ``first`` and
    ``second`` are their common names (``second`` is empty if one annotation conflicts with itself), and ``annotations``
    all of them. ``reasons`` are the collectives of the partition that result, ``lost`` the operations where an axis was
    lost in propagation, ``text`` describes the first of all these. ``edit`` is the best of those tried. ``exposed`` are
    the seconds of a step for which computation waits for these collectives, if hardware is given."""

    first: str
    second: str
    annotations: tuple[Annotation, ...]
    reasons: tuple[CollectiveReason, ...]
    lost: tuple[Operation, ...]
    text: str
    edit: Edit | None
    exposed: float | None = None

    @property
    def bytes(self) -> float:
        """The bytes that each device receives in these collectives, loops once."""
        return sum(one.collective.bytes for one in self.reasons)

    @property
    def run_bytes(self) -> float:
        """The bytes that each device receives in these collectives, in all iterations of loops whose trip count is
        known."""
        return sum(one.collective.run_bytes for one in self.reasons)

    @property
    def name(self) -> str:
        """Both annotations."""
        return f"{self.first} and {self.second}" if self.second else self.first

    def as_json(self) -> dict[str, object]:
        """The cause as plain values; docs/explain.md describes the schema."""
        return {
            "first": self.first,
            "second": self.second,
            "annotations": [one.as_json() for one in self.annotations],
            "bytes": self.bytes,
            "run_bytes": self.run_bytes,
            "exposed_seconds": self.exposed,
            "places": len(self.reasons),
            "lost": len(self.lost),
            "text": self.text,
            "collectives": [
                {
                    "kind": one.collective.kind,
                    "axes": [axis_name(axis) for axis in one.collective.axes],
                    "bytes": one.collective.bytes,
                    "turns": one.collective.turns,
                    "operation": one.operation.name if one.operation is not None else "",
                    "location": one.location.as_json(),
                    "text": one.text,
                }
                for one in self.reasons
            ],
            "edit": self.edit.as_json() if self.edit is not None else None,
        }


@dataclass(frozen=True)
class Conflicts:
    """The causes of a program, sorted by exposed time, or without hardware by bytes; ``sums`` are those of collectives
    that add up partial sums, which are no conflicts of annotations; ``others`` those without an annotation: the source
    program has these collectives itself, or the partitioner chose to compute something in another layout."""

    causes: tuple[Cause, ...]
    sums: tuple[Cause, ...]
    others: tuple[Cause, ...]

    def __repr__(self) -> str:
        return f"<Conflicts: {len(self.causes)} causes, {round(sum(one.run_bytes for one in self.causes))} bytes>"

    def as_json(self) -> dict[str, object]:
        """The conflicts as plain values; docs/explain.md describes the schema."""
        return {
            "causes": [one.as_json() for one in self.causes],
            "sums": _as_json(self.sums),
            "others": _as_json(self.others),
        }


def _as_json(causes: Sequence[Cause]) -> dict[str, object]:
    return {
        "count": sum(len(one.reasons) for one in causes),
        "run_bytes": sum(one.run_bytes for one in causes),
        "causes": [one.as_json() for one in causes],
    }


_Key = tuple[str, ...]


class _Group:
    """The reasons, lost axes and annotations of one cause."""

    def __init__(self) -> None:
        self.annotations: dict[Annotation, None] = {}
        self.reasons: list[CollectiveReason] = []
        self.lost: dict[Operation, str] = {}


@paused_collector()
def find_conflicts(explainer: Explainer, *, edits: bool | None = None) -> Conflicts:
    """The conflicts of the program of ``explainer``. Edits are tried for the causes that move the most bytes, for fewer
    in larger programs (for all if ``edits`` is true, for none if it is false)."""
    groups: dict[_Key, _Group] = {}
    sums: dict[_Key, _Group] = {}
    others: dict[_Key, _Group] = {}
    for collective in explainer.traced.plan.collectives:
        reason = explainer.reasons.at(collective)
        chosen = sums if reason.sums else groups if reason.annotations else others
        key = _key(reason.annotations) or (_operation_text(reason),)
        group = chosen.setdefault(key, _Group())
        group.annotations.update(dict.fromkeys(reason.annotations))
        group.reasons.append(reason)
    for operation, pair, text in _lost(explainer):
        group = groups.setdefault(_key(pair), _Group())
        group.annotations.update(dict.fromkeys(pair))
        group.lost.setdefault(operation, text)
    found = sorted(groups.items(), key=lambda row: _most_expensive_first(explainer, row[1]))
    proposals = [list(_proposals(explainer, group))[:_TRIES_EACH] for _, group in found]
    limit = None if edits else 0 if edits is False else explainer.affordable_trials
    best = _best_edits(explainer, proposals, limit)
    causes = []
    for (key, group), edit in zip(found, best, strict=True):
        text = group.reasons[0].text if group.reasons else next(iter(group.lost.values()))
        first, second = (*key, "")[:2]
        causes.append(
            Cause(
                first,
                second,
                tuple(group.annotations),
                tuple(group.reasons),
                tuple(group.lost),
                text,
                edit,
                _exposed(explainer, group),
            )
        )
    return Conflicts(tuple(causes), _without_edits(explainer, sums), _without_edits(explainer, others))


def _without_edits(explainer: Explainer, groups: Mapping[_Key, _Group]) -> tuple[Cause, ...]:
    """Each of ``groups`` as a cause, the most expensive first."""
    found = []
    for key, group in sorted(groups.items(), key=lambda row: _most_expensive_first(explainer, row[1])):
        first, second = (*key, "")[:2]
        text, waits = group.reasons[0].text, _exposed(explainer, group)
        found.append(Cause(first, second, tuple(group.annotations), tuple(group.reasons), (), text, None, waits))
    return tuple(found)


def _exposed(explainer: Explainer, group: _Group) -> float | None:
    """The exposed seconds of the collectives of ``group`` in a step; None without hardware."""
    if explainer.timed is None:
        return None
    waits = explainer.timed.overlap.exposed
    return sum(waits.get(op, 0.0) for op in dict.fromkeys(one.collective.op for one in group.reasons))


def _most_expensive_first(explainer: Explainer, group: _Group) -> tuple[float, float]:
    # Rounding errors must not decide the order of causes with equal exposed time.
    waits = float(f"{_exposed(explainer, group) or 0.0:.6e}")
    return -waits, -sum(one.collective.run_bytes for one in group.reasons)


def _operation_text(reason: CollectiveReason) -> str:
    """The operation that needs a collective without an annotation, and its location."""
    if reason.operation is None:
        return "the program"
    place = reason.location.place
    return short_name(reason.operation) + (f" ({place})" if place else "")


def _key(annotations: Sequence[Annotation]) -> _Key:
    return tuple(sorted({_starred(one) for one in annotations}))


def _starred(annotation: Annotation) -> str:
    """The common name of an annotation and those that differ from it in a number alone; annotations without a name or a
    source line are grouped by type and sharding."""
    if annotation.kind in (ARGUMENT, RESULT) and not re.search(r"(%arg|result )\d+$", annotation.name):
        return re.sub(r"\d+", "*", annotation.text) if "[" in annotation.name else annotation.text
    if annotation.kind not in (ARGUMENT, RESULT) and annotation.has_source:
        return f"{annotation.kind} at {annotation.location.place}"
    return f"{annotation.kind}s {_type(annotation.given)} {annotation.sharding.body_text}"


def _type(given: Value | FunctionResult) -> str:
    if isinstance(given, FunctionResult):
        return str(function_type(given.func).results[given.number])
    return str(given.type)


# --- in propagation ---------------------------------------------------------------------------------------------------


def _lost(explainer: Explainer) -> Iterator[tuple[Operation, tuple[Annotation, ...], str]]:
    """Each operation where an axis lost against another one, the annotations of both, and a description. Lost axes are
    found once for equal operations with equal shardings, the annotations for each operation."""
    traced = explainer.traced
    for op, action in traced.run.actions():
        final = explainer.final_conditions.of(action)
        given = traced.operation(op) if final.conditions else None
        if given is None:
            continue
        for (target, dim), listed in final.conditions.items():
            for source, _, one in listed:
                slot, giver = action.slots[target], action.slots[source]
                if one.cause not in _LOST or slot is None or giver is None or slot is giver:
                    continue
                blocker = explainer.blocking.blocker_for(op, action, final.shardings, one, source, target, dim)
                chain = explainer.blocking.chain_at(giver, one)
                origins = (chain.origin if chain is not None else None, blocker.by)
                pair = tuple(dict.fromkeys(one for one in origins if one is not None))
                if pair:
                    yield given, pair, blocker.text


# --- edits ------------------------------------------------------------------------------------------------------------


def _best_edits(explainer: Explainer, proposals: Sequence[Sequence[Proposal]], limit: int | None) -> list[Edit | None]:
    """For each cause the best of its ``proposals``, by the time of a step, or without hardware by bytes, if it improves
    on the present program. At most ``limit`` edits are tried: one for each cause, before any gets a second."""
    least = [inf] * len(proposals)
    best: list[tuple[EditTrial, Proposal] | None] = [None] * len(proposals)
    in_turns = [
        (cause, listed[number])
        for number in range(_TRIES_EACH)
        for cause, listed in enumerate(proposals)
        if number < len(listed)
    ]
    for cause, proposal in in_turns[:limit]:
        trial = explainer.trials.of(proposal)
        if trial is not None and trial.gains and trial.price < least[cause]:
            least[cause], best[cause] = trial.price, (trial, proposal)
    return [None if one is None else one[0].edit(one[1]) for one in best]


def _proposals(explainer: Explainer, group: _Group) -> Iterator[Proposal]:
    """The possible edits of the conflicting annotations, each for all annotations with the same common name."""
    alike: dict[tuple[str, str], list[Proposal]] = {}
    targets: dict[tuple[str, str], str] = {}
    names = {one.name: _starred(one) for one in group.annotations}
    for reason in group.reasons:
        for proposal in explainer.proposals_for_reason(reason):
            key = (proposal.kind, names.get(proposal.target, proposal.target))
            alike.setdefault(key, []).append(proposal)
            targets[key] = re.sub(r"\d+", "*", proposal.target) if "[" in proposal.target else proposal.target
    for key, proposals in alike.items():
        names_of_all = list(dict.fromkeys(one.target for one in proposals))
        target = names_of_all[0]
        if len(names_of_all) > 1:
            target = targets[key] if "*" in targets[key] else f"{target} and {len(names_of_all) - 1} like it"
        yield together(proposals, target)
