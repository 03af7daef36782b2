"""Answers questions about one program; ``explain`` and ``conflicts`` use it.

The program is propagated and partitioned once, with a journal; each answer is then assembled from ``subjects``,
``chains``, ``blockers`` and ``collective_reasons``, and edits are tried on copies (``edits``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from typing import TypeVar

from pyshardy.analysis.cost.targets import AnyHardware
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.analysis.why import failed_conditions as failed
from pyshardy.analysis.why.annotations import Annotations
from pyshardy.analysis.why.blockers import Blockers
from pyshardy.analysis.why.blocking_annotations import Blocker, BlockingAnnotations
from pyshardy.analysis.why.carried_values import CarriedValues
from pyshardy.analysis.why.chains import Chains
from pyshardy.analysis.why.collective_reasons import CollectiveReason, CollectiveReasons, Side, moved_value
from pyshardy.analysis.why.edits import Attempt, Edit, EditTrial, EditTrials, Proposal, Proposals
from pyshardy.analysis.why.explanation import (
    CollectiveExplanation,
    Dimension,
    Explanation,
    Move,
    TensorExplanation,
)
from pyshardy.analysis.why.final_conditions import FinalConditions
from pyshardy.analysis.why.names import TracedNames
from pyshardy.analysis.why.subjects import CollectiveSubject, Subjects, TensorSubject
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.emitting.collectives import Collective, numbers_of_collectives
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.module import Module
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.reading.tensors import shape_on_device
from pyshardy.sharding.axes import AxisRef, overlaps

_WANTED = 3
"""The number of edits that are shown at most."""
_TRIES = 4
"""The number of edits that are tried at most."""
_OPERATIONS = 20_000
"""The number of operations that may be partitioned in all trials of an answer; one edit is always tried."""


class Explainer:
    """Answers for ``module``, which stays as it is; shardings pass operations of CHLO unless ``chlo_rules`` is false.
    ``progress`` is that of the partitioning.

    Raises:
        PyshardyError: the program cannot be propagated or partitioned.
        ValueError: it has no function that can be called from outside.
    """

    def __init__(
        self, module: Module, *, chlo_rules: bool = True, progress: Callable[[int, int], None] | None = None
    ) -> None:
        self.traced = TracedProgram(module, chlo_rules=chlo_rules, progress=progress)
        self.names = TracedNames(self.traced)
        annotations = self.annotations = Annotations(self.traced, self.names)
        self.chains = Chains(self.traced, self.names, annotations)
        self.final_conditions = FinalConditions(self.traced)
        self.blocking = BlockingAnnotations(self.traced, self.names, annotations, self.chains, self.final_conditions)
        self.blockers = Blockers(
            self.traced, self.names, annotations, self.chains, self.final_conditions, self.blocking
        )
        self.reasons = CollectiveReasons(self.traced, self.names, self.chains, self.blockers)
        self.proposals = Proposals(self.traced, self.names)
        self.trials = EditTrials(self.traced, chlo_rules=chlo_rules)
        self.timed: TimedPlan | None = None
        self._chlo_rules = chlo_rules

    def on(self, hardware: AnyHardware) -> Explainer:
        """A copy that also answers in seconds on ``hardware``.

        Raises:
            HardwareProblem: there is no such hardware, or the mesh of the program does not fit it.
            OSError: its file cannot be read.
        """
        found = copy(self)
        found.timed = TimedPlan(self.traced.plan, hardware, self.traced.counted)
        found.trials = EditTrials(self.traced, chlo_rules=self._chlo_rules, timed=found.timed)
        return found

    @cached_property
    def affordable_trials(self) -> int:
        """How many edits are tried for an answer: fewer in larger programs."""
        return max(1, _OPERATIONS // len(self.traced.source.op.operations()))

    @cached_property
    def subjects(self) -> Subjects:
        """The tensors and collectives that questions can be about."""
        return Subjects(self.traced, self.names)

    @paused_collector()
    def explain(self, what: str, *, edits: bool | None = None) -> list[Explanation]:
        """The answers for the tensors or collectives that ``what`` names: one, or with a star in it all that match.
        Edits are tried unless ``edits`` is false; where there are several answers only if it is true.

        Raises:
            UnknownSubject: it matches nothing in the program, or without a star several tensors.
        """
        found = self.subjects.find(what)
        wanted = edits if edits is not None else len(found) == 1
        return [
            self._collective(one, wanted) if isinstance(one, CollectiveSubject) else self._tensor(one, wanted)
            for one in found
        ]

    # --- tensors ------------------------------------------------------------------------------------------------------

    def _tensor(self, subject: TensorSubject, edits: bool) -> TensorExplanation:
        given, slot = subject.given, subject.slot
        type = function_type(given.func).results[given.number] if isinstance(given, FunctionResult) else given.type
        sharding = self.traced.final_sharding(slot) if slot is not None else None
        dimensions = self.dimensions(slot) if slot is not None else ()
        moves = tuple(self._moves(given))
        causes = tuple(self._causes(given, moves))
        local = str(type)
        if isinstance(type, TensorType):
            local = str(type.with_shape(shape_on_device(type, sharding, self.traced.meshes)))
        op = given.defining_op if not isinstance(given, FunctionResult) else None
        tried = self._tensor_edits(given, slot, dimensions, moves) if edits and slot is not None else []
        return TensorExplanation(
            self.names.name(given),
            self.names.symbol(given),
            self.names.description(given),
            str(type),
            sharding.body_text if sharding is not None else "",
            local,
            op.name if op is not None else "",
            self.names.location(given),
            subject.copies,
            dimensions,
            moves,
            causes,
            tuple(tried),
        )

    def dimensions(self, slot: ShardingSlot) -> tuple[Dimension, ...]:
        """Each dimension of the tensor of ``slot``, with its chains and blockers."""
        sharding = self.traced.final_sharding(slot)
        found = []
        for dim, size in enumerate(self.traced.shape(slot)):
            axes = sharding.dims[dim].axes if sharding is not None and dim < sharding.rank else ()
            chains = tuple(self.chains.chain(slot, dim, axis) for axis in axes)
            found.append(Dimension(dim, size, chains, tuple(self.blockers.of(slot, dim))))
        return tuple(found)

    def _moves(self, given: Value | FunctionResult) -> Iterator[Move]:
        """The collectives that the tensor goes through: itself, or a cast or slice that still has its name; for an
        argument of the program also the values that loops and calls carry of it."""
        name = self.names.name(given)
        for collective, number in self._numbered:
            moved = moved_value(self.traced, collective)
            if moved is None:
                continue
            if moved is given or self.names.description(moved) == name or given in self._carried.arguments(moved):
                yield Move(f"{collective.kind}:{number}", self.reasons.at(collective))

    def _causes(self, given: Value | FunctionResult, moves: tuple[Move, ...]) -> Iterator[Move]:
        """The collectives of other tensors that the annotation of the tensor, an argument, contributes to."""
        own = self.annotations.of_source(given) if isinstance(given, BlockArgument) else None
        known = {one.question for one in moves}
        if own is None:
            return
        for move in self._all_moves:
            if move.question not in known and own in move.reason.annotations:
                yield move

    @cached_property
    def _all_moves(self) -> list[Move]:
        return [Move(f"{one.kind}:{number}", self.reasons.at(one)) for one, number in self._numbered]

    @cached_property
    def _carried(self) -> CarriedValues:
        return CarriedValues(self.traced.source.op, self.traced.main)

    @cached_property
    def _numbered(self) -> list[tuple[Collective, int]]:
        """The collectives of the plan, each with its number among those of its kind."""
        return list(numbers_of_collectives(self.traced.plan.collectives).items())

    def _tensor_edits(
        self,
        given: Value | FunctionResult,
        slot: ShardingSlot,
        dimensions: tuple[Dimension, ...],
        moves: tuple[Move, ...],
    ) -> list[Edit]:
        """Edits that give the tensor an axis that it lacks, or spare it a collective."""
        largest = sorted(moves, key=lambda one: -one.reason.collective.bytes)[:1]
        sources = [self._edits_avoiding(one.reason) for one in largest]
        blockers = [one for dimension in dimensions for one in dimension.blockers]
        blockers.sort(key=lambda one: one.cause == failed.NOT_ASKED)
        sources += [self._edits_for_axis(given, slot, one) for one in blockers if one.cause not in _BEYOND_EDITS]
        return self.trials.first(_round_robin(sources), wanted=_WANTED, tries=min(_TRIES, self.affordable_trials))

    def _edits_for_axis(self, given: Value | FunctionResult, slot: ShardingSlot, blocker: Blocker) -> Iterator[Attempt]:
        """Edits that may give the tensor the axis of ``blocker``."""

        def came(trial: EditTrial) -> bool:
            after = trial.sharding(given)
            if after is None or blocker.dim >= after.rank:
                return False
            return any(overlaps(one, blocker.axis) for one in after.dims[blocker.dim].axes)

        for proposal in self._proposals_for_blocker(given, slot, blocker):
            yield Attempt(proposal, came)

    def _proposals_for_blocker(
        self, given: Value | FunctionResult, slot: ShardingSlot, blocker: Blocker
    ) -> Iterator[Proposal]:
        by, by_dim = blocker.by, blocker.by_dim
        proposals = self.proposals
        if by is not None and blocker.cause in (failed.CLOSED, failed.HELD_BACK) and by_dim is not None:
            yield from proposals.opened(by, by_dim)
        if by is not None and blocker.cause in (
            failed.TAKEN,
            failed.CONFLICT,
            failed.LATE,
            failed.HELD_BACK,
        ):
            yield from proposals.postponed(by, by_dim, _priority_of(blocker, self))
            if by_dim is not None and by_dim < by.sharding.rank:
                for axis in by.sharding.dims[by_dim].axes:
                    yield from proposals.without_axis(by, axis)
        elif by is not None and blocker.cause in (failed.REPLICATED, failed.UNREDUCED):
            yield from proposals.without_axis(by, blocker.axis)
        yield from proposals.with_axis(given, slot, blocker.dim, AxisRef(blocker.axis.name))

    # --- collectives --------------------------------------------------------------------------------------------------

    def _collective(self, subject: CollectiveSubject, edits: bool) -> CollectiveExplanation:
        reason = self.reasons.at(subject.collective)
        moved = moved_value(self.traced, subject.collective)
        tensor = ""
        if moved is not None:
            name, description = self.names.name(moved), self.names.description(moved)
            tensor = f"{name} ({description})" if description else name
        tried: list[Edit] = []
        if edits:
            tried = self.trials.first(
                self._edits_avoiding(reason), wanted=_WANTED, tries=min(_TRIES, self.affordable_trials)
            )
        return CollectiveExplanation(f"{subject.collective.kind}:{subject.number}", reason, tensor, tuple(tried))

    def _edits_avoiding(self, reason: CollectiveReason) -> Iterator[Attempt]:
        """Edits after which the operation of ``reason`` may need no such collective."""
        before = _count(self.traced, reason, reason.operation)

        def spared(trial: EditTrial) -> bool:
            return reason.operation is not None and _count(trial.after, reason, reason.operation) < before

        for proposal in self.proposals_for_reason(reason):
            yield Attempt(proposal, spared)

    def proposals_for_reason(self, reason: CollectiveReason) -> Iterator[Proposal]:
        """Edits of the conflicting annotations: each with a later priority than the other, each without the axis."""
        sides = [one for one in (reason.second, reason.first) if one is not None and one.annotation is not None]
        yield from _round_robin([self._proposals_for_side(side, reason) for side in sides])

    def _proposals_for_side(self, side: Side, reason: CollectiveReason) -> Iterator[Proposal]:
        assert side.annotation is not None
        if side.axis is None:
            if side.annotation_dim is not None:
                yield from self.proposals.opened(side.annotation, side.annotation_dim)
            return
        yield from self.proposals.without_axis(side.annotation, side.axis)
        if not reason.sums:
            yield from self.proposals.postponed(side.annotation, side.annotation_dim)


_BEYOND_EDITS = frozenset({failed.DIVIDES, failed.SMALLER, failed.MANUAL, failed.OTHER_MESH})
"""Causes that no edit of shardings can remove."""


def _priority_of(blocker: Blocker, explainer: Explainer) -> int:
    """The priority of the axis of ``blocker``; the blocking annotation has to get a later one."""
    source = blocker.source
    sharding = explainer.traced.sharding(source) if source is not None else None
    if source is None or sharding is None:
        return 0
    for dim, one in enumerate(sharding.dims):
        for axis in one.axes:
            if overlaps(axis, blocker.axis):
                return explainer.chains.chain(source, dim, axis).priority
    return 0


def _count(traced: TracedProgram, reason: CollectiveReason, op: Operation | None) -> int:
    """How many collectives of the kind of ``reason``'s along its axes ``op`` needs."""
    wanted = reason.collective
    return sum(
        one.kind == wanted.kind and one.axes == wanted.axes and one.cause is not None and traced.needing(one) is op
        for one in traced.plan.collectives
    )


_T = TypeVar("_T")


def _round_robin(sources: list[Iterator[_T]]) -> Iterator[_T]:
    """The first of each, then the second of each, and so on."""
    left = list(sources)
    while left:
        for source in list(left):
            try:
                yield next(source)
            except StopIteration:
                left.remove(source)
