"""Proves a partition part by part: tests every claim that its results depend on, on random values.

``claims`` divides the programs into parts; here each part runs by itself, in both programs, on random values of its
inputs (``global_values``), and the results are compared. Of parts that are alike one runs, so many equal layers take as
long as one, and a loop as long as one iteration. A part that is wrong on some values may still be right on the values
that the program gives it: it is tested together with the operations that make its inputs, and with those that read its
result, before it counts as wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from pyshardy.checking.claims import Claim, Claims, NotComparable, ProofPart, are_results_of_one
from pyshardy.checking.comparison import Comparison, compared
from pyshardy.checking.global_values import (
    DRAWINGS,
    CannotEvaluate,
    is_constant_array,
)
from pyshardy.checking.inputs import UnknownInput
from pyshardy.checking.labels import Label, Labels
from pyshardy.checking.part_runs import PartResults, PartRuns
from pyshardy.checking.programs import Programs
from pyshardy.interpreter.element_types import UnsupportedType
from pyshardy.interpreter.exact.decisions import decides, is_float
from pyshardy.interpreter.number_systems import DOUBLES, EXACT, RESIDUES
from pyshardy.ir.operation import Operation, Value
from pyshardy.module import Module

_ROUNDING = 1e-9
"""The tolerance for the doubles of a part that cannot be compared by residues, relative to the largest element."""
_MOST_EXTENDED = 3
"""How often a wrong part is extended by the operations that make its inputs."""
_MOST_REMOVED = 8
"""How often in a row the label of a wrong value is removed, so that the operations that read it are tested instead."""
_MOST_GUESSES = 64
"""``_MOST_REMOVED`` if the match of local values was guessed."""
_MOST_WORK = 6
"""The operations that are run part by part at most, relative to those of both programs: if parts overlap much, runs of
the whole programs are cheaper."""
_FREE_WORK = 2_000
"""The number of operations that may be run in addition, whatever the size of the programs."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a part: where it ``differs``, why it cannot be run (``problem``), whether it agrees only ``within
    rounding``, and whether intermediate values were not constant, so that the run says something."""

    differs: Comparison | None = None
    problem: str = ""
    within_rounding: bool = False
    says_something: bool = True

    @property
    def holds(self) -> bool:
        """Whether the claim was seen to hold."""
        return self.differs is None and not self.problem


@dataclass(frozen=True)
class Failure:
    """A claim that does not hold, where the shards differ, and the number of the local operation."""

    claim: Claim
    comparison: Comparison
    position: int


@dataclass
class Proof:
    """The outcome for each result, by index: those that are ``proven``, of them those that agree only
    ``within_rounding``, and for wrong ones the ``failures`` that cause it. ``compared`` counts the parts that were run,
    ``alike`` those that are like one of them; ``open`` says why other results are not known."""

    proven: set[int] = field(default_factory=set)
    within_rounding: set[int] = field(default_factory=set)
    failures: dict[int, Failure] = field(default_factory=dict)
    compared: int = 0
    alike: int = 0
    open: dict[int, str] = field(default_factory=dict)


class _Walk(NamedTuple):
    """The claims that each claim depends on, and the outcomes of those that a part proves."""

    rests: dict[Claim, list[Claim]]
    outcomes: dict[Claim, Outcome]

    def dependencies(self, claim: Claim) -> list[Claim]:
        """The claim, and all claims that it depends on."""
        seen, waiting = {claim: None}, [claim]
        while waiting:
            for one in self.rests[waiting.pop()]:
                if one not in seen:
                    seen[one] = None
                    waiting.append(one)
        return list(seen)


class Prover:
    """Proves the results of ``programs``, whose local values have ``labels``, as far as possible; ``progress`` is
    called with the number of parts that are done."""

    def __init__(
        self,
        programs: Programs,
        traced: Module,
        labels: Labels,
        seed: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._programs = programs
        self._labels = labels
        self._progress = progress
        self._runs = PartRuns(programs, traced, labels, seed)
        self._positions: dict[Operation, int] = {}
        self._outcomes: dict[Hashable, Outcome] = {}
        self._local_function = _function(programs.local, programs.entry)
        self._claims = Claims(labels, programs.local.op, self._runs.local_regions, self._local_function)
        self._function = _function(traced, programs.entry)
        self._size = sum(1 for module in (programs.local, traced) for _ in module.op.walk())
        self._work = 0
        self.proof = Proof()

    # --- all claims ---------------------------------------------------------------------------------------------------

    def prove(self, *, removes: bool = True) -> Proof:
        """Tests every claim that the results depend on; with ``removes`` the operations that read a wrong value are
        tested together with those that make it, before it counts as wrong."""
        self.proof = Proof(compared=self.proof.compared)
        self._work = _MOST_WORK * self._size + _FREE_WORK
        results = self._results()
        guessed = self._programs.is_guessed
        most = 0 if not removes else _MOST_GUESSES if guessed else _MOST_REMOVED
        walks: list[_Walk] = []
        for attempt in range(most + 1):
            walks.append(self._walk(results.values()))
            outcomes = walks[-1].outcomes
            wrong = [claim for claim, one in outcomes.items() if one.differs is not None or (guessed and one.problem)]
            removable = [claim for claim in wrong if self._labels.first(claim.local) is not None]
            removable = [claim for claim in removable if claim not in results.values()]
            if not removable or attempt == most:
                break
            for claim in removable:
                # Without this label, operations that read the value are tested together with those that make it.
                self._labels.remove(claim.local)
            self._runs.forget_all()
        for index, claim in results.items():
            self._judge(index, claim, walks[0], walks[-1])
        return self.proof

    def _results(self) -> dict[int, Claim]:
        local, given = self._local_function.body.terminator, self._function.body.terminator
        definition = self._labels.definitions.definition
        return {
            index: Claim(value, definition(expected), boundary.layout)
            for index, (value, expected, boundary) in enumerate(
                zip(local.operands, given.operands, self._programs.results, strict=True)
            )
        }

    def _walk(self, results: Iterable[Claim]) -> _Walk:
        """The dependencies and outcomes of all claims that the results depend on."""
        rests: dict[Claim, list[Claim]] = {}
        outcomes: dict[Claim, Outcome] = {}
        waiting = list(results)
        self.proof.alike = 0
        while waiting:
            claim = waiting.pop()
            if claim in rests:
                continue
            if self._progress is not None:
                self._progress(len(rests), max(len(rests) + len(waiting), len(self._labels)))
            rests[claim] = []
            if self._is_argument(claim):
                continue
            found = self._claims.structural(claim)
            if found is None:
                try:
                    part = self._claims.part(claim)
                except NotComparable as error:
                    outcomes[claim] = Outcome(problem=str(error))
                    continue
                outcomes[claim] = self._outcome(part)
                found = part.further
            rests[claim] = found
            waiting.extend(one for one in found if one not in rests)
        return _Walk(rests, outcomes)

    def _is_argument(self, claim: Claim) -> bool:
        block = self._local_function.body
        if getattr(claim.local, "owner", None) is not block:
            return False
        index = block.arguments.index(claim.local)
        given = self._function.body.arguments[index]
        return claim.value is given and self._programs.arguments[index].layout is claim.layout

    def _judge(self, index: int, result: Claim, first: _Walk, last: _Walk) -> None:
        claims = last.dependencies(result)
        outcomes = [last.outcomes[claim] for claim in claims if claim in last.outcomes]
        problem = next((one.problem for one in outcomes if one.problem), "")
        wrong = [claim for claim in claims if claim in last.outcomes and last.outcomes[claim].differs is not None]
        if wrong and self._programs.is_guessed and (problem or wrong != [result]):
            # If the match of values was guessed, the label itself may be wrong.
            problem, wrong = problem or "it is not known what a local value is", []
        if wrong:
            failures = {claim: first.outcomes[claim] for claim in first.dependencies(result) if claim in first.outcomes}
            named = [claim for claim, one in failures.items() if one.differs is not None]
            claim = min(named, key=self._position)
            comparison = first.outcomes[claim].differs
            assert comparison is not None
            self.proof.failures[index] = Failure(claim, comparison, self._position(claim))
        elif problem:
            self.proof.open[index] = problem
        else:
            self.proof.proven.add(index)
            if any(one.within_rounding for one in outcomes):
                self.proof.within_rounding.add(index)

    def _position(self, claim: Claim) -> int:
        """The position of the operation that makes the local value."""
        if not self._positions:
            self._positions.update((op, place) for place, op in enumerate(self._programs.local.op.walk()))
        op = claim.local.defining_op
        return -1 if op is None else self._positions.get(op, len(self._positions))

    # --- one part -----------------------------------------------------------------------------------------------------

    def _outcome(self, part: ProofPart) -> Outcome:
        known = self._outcomes.get(part.key)
        if known is not None:
            self.proof.alike += 1
            return known
        if self._work < 0:
            return Outcome(problem="to compare all parts takes longer than to run the whole programs")
        outcome = self._tried_thoroughly(part, ())
        if outcome.differs is not None:
            outcome = self._extended(part, outcome)
        self._outcomes[part.key] = outcome
        self.proof.compared += 1
        return outcome

    def _tried_thoroughly(self, part: ProofPart, ignored: Iterable[Value], hidden: Iterable[Value] = ()) -> Outcome:
        """Tests a part; before it counts as wrong, again with all global operations that make its value."""
        outcome = self._tried(part, hidden)
        if outcome.differs is not None and not part.is_complete:
            part = self._claims.part(part.claim, ignored, thorough=True)
            outcome = self._tried(part, hidden)
            if outcome.differs is not None and not part.is_complete:
                return Outcome(problem="too many operations lie between values that are known")
        return outcome

    def _tried(self, part: ProofPart, hidden: Iterable[Value] = ()) -> Outcome:
        """Tests a part in all drawings; ``hidden`` are roots of intermediate values that must not be constant."""
        self._work -= sum(1 for op in (*part.operations, *part.made) for _ in op.walk())
        silent, rounded = set(hidden), False
        # If the match of values was guessed, one of several operations may hide mistakes of the others.
        is_hidden = self._programs.is_guessed and len(part.made) > 1
        decides, chooses = self._decides(part), self._reads_integers(part)
        numbers = EXACT if decides else RESIDUES
        for drawing in range(len(DRAWINGS) if decides or chooses else 1):
            try:
                try:
                    values = self._runs.both(part, drawing, numbers)
                    differs = self._compared(part, values).differing > 0
                except CannotEvaluate:
                    # Exact numbers differ, so compare in double precision.
                    values = self._runs.both(part, drawing, DOUBLES)
                    differs = True
                if differs:
                    comparison = self._compared(part, self._runs.both(part, drawing, DOUBLES))
                    if comparison.error > _ROUNDING:
                        return Outcome(comparison)
                    rounded = True
                made = values.made
                silent = {root for root in silent if root in made and is_constant_array(made[root])}
                is_hidden = is_hidden and is_constant_array(values.expected)
            except (CannotEvaluate, UnknownInput, UnsupportedType) as error:
                return Outcome(problem=str(error))
            finally:
                self._runs.forget(drawing)
        if is_hidden:
            return Outcome(problem="what several operations make is the same throughout")
        return Outcome(within_rounding=rounded, says_something=not silent)

    @staticmethod
    def _decides(part: ProofPart) -> bool:
        """Whether any operation of the part depends on the doubles of numbers."""
        return any(decides(inner) for op in (*part.operations, *part.made) for inner in op.walk())

    @staticmethod
    def _reads_integers(part: ProofPart) -> bool:
        return any(not is_float(label.value) for label in part.leaves.values())

    def _compared(self, part: ProofPart, values: PartResults) -> Comparison:
        found, claim = values.found, part.claim
        shards = found if len(found) > 1 else found[[0] * self._programs.devices]
        return compared(values.expected, shards, claim.layout, getattr(claim.local.type, "shape", ()))

    def _extended(self, part: ProofPart, outcome: Outcome) -> Outcome:
        """The outcome of a wrong part together with the operations that make its inputs, since it may rely on
        properties of their values."""
        ignored: set[Value] = set()
        hidden: set[Value] = set()
        try:
            # The global operation makes all of its results from its operands, none from other results of its own.
            while own := {local for local, label in part.leaves.items() if _is_result_beside(part.claim, local, label)}:
                ignored |= own
                part = self._claims.part(part.claim, ignored)
        except NotComparable:
            return outcome
        if ignored:
            whole = self._tried_thoroughly(part, ignored, hidden)
            if whole.holds:
                return whole
            if whole.problem:
                return outcome
        for _ in range(_MOST_EXTENDED):
            further = {local for local in part.leaves if local.defining_op is not None}
            if not further:
                break
            ignored |= further
            hidden |= {self._labels.root(part.leaves[local].value) for local in further}
            try:
                part = self._claims.part(part.claim, ignored)
            except NotComparable:
                break
            wider = self._tried_thoroughly(part, ignored, hidden)
            if wider.holds and wider.says_something:
                return wider
            if wider.problem:
                break
        return outcome


def _is_result_beside(claim: Claim, local: Value, label: Label) -> bool:
    """Whether ``local``, which an operation makes, has the ``label`` of another result of the operation that makes the
    claimed value."""
    return local.defining_op is not None and are_results_of_one(label.value, claim.value)


def _function(module: Module, name: str) -> Operation:
    functions = [op for op in module.op.body if op.name == "func.func" and not op.regions[0].empty]
    return next((op for op in functions if op.symbol_name == name), functions[0])
