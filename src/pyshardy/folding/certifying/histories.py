"""Certificate of propagation: the history of changes of each layer near the splice point.

The folded program is propagated like any other. ``LayerHistories`` observes the run and keeps every change of a
sharding: which operation was visited, and what was written where. ``history_comparison`` concludes from them whether
the layers that were left out would have got the same shardings as the layers beside them.
"""

from __future__ import annotations

from pyshardy.folding.certifying.history_comparison import Change, HistoryComparison
from pyshardy.folding.certifying.layer_places import LayerPlaces
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import PassFailure
from pyshardy.propagation.observers import ObservedPropagation, PropagationObserver, PropagationStep

USUAL_DISTANCE = 1
"""Visits usually look at shardings, and change them, at most so many layers away. In the first attempt as many layers
are kept as a certificate needs then."""
_TOO_FEW = "visits in propagation look farther than layers were kept"
"""This refusal can be mended: with more layers."""


class LayerHistories(PropagationObserver):
    """Observes propagation of what ``folded`` has become. ``is_certain`` says whether there is a certificate: layers
    near the splice point had equal histories in every run of propagation, and there was a run. If too few layers were
    kept to say so, ``missing`` is how many more are needed below the splice point and above it. If there were enough,
    and those next to the splice point had equal histories, but others not, ``unlike`` is how many more are needed so
    that these others are not looked at."""

    def __init__(self, folded: Folded) -> None:
        self._folded = folded
        self.missing = 0, 0
        self.unlike = 0, 0
        self.runs = 0
        self.refusal: str | None = None
        self._places: LayerPlaces | None = None

    @property
    def is_certain(self) -> bool:
        """Whether layers that were left out would have got the shardings of those beside them."""
        return self.runs > 0 and self.refusal is None

    def began(self, run: ObservedPropagation) -> None:
        self.runs += 1
        self._changes: list[Change] = []
        self._visits: dict[int, list[tuple[Operation, int]]] = {}
        """The operations that were visited or erased in each cascade, each with the number of the change
        that it made, else -1."""
        self._fixed_point = 0
        self._cascade = 0
        self._root: Operation | None = None
        self._in_worklist = False
        self._visited: Operation | None = None
        self._before = 0
        self._places = None
        if not run.groups.empty:
            self.refusal = "there are sharding groups"
        if self.refusal is None:
            try:
                self._places = LayerPlaces(self._folded, run)
                # As a rule that many are needed. If they are not there, what follows would be work for nothing.
                usual = max(self._folded.layers.reach, USUAL_DISTANCE)
                if not self._are_enough(self._places, usual):
                    self.refusal = _TOO_FEW
            except NoCertificate as error:
                self.refusal = str(error)
        self._give_up()

    def _are_enough(self, at: LayerPlaces, distance: int) -> bool:
        """Whether layers are alike as far as ``distance`` from the splice point. Sets ``missing`` if not."""
        below, above = self.missing
        below = max(below, at.lowest - (at.above - distance - 1))
        self.missing = below, max(above, at.above + distance - at.highest)
        return self.missing == (0, 0)

    def _give_up(self) -> None:
        """Ends the run of passes if there will be no certificate: the rest of it would be work for nothing."""
        if self.refusal is not None:
            raise PassFailure

    def begins_worklist(self, run: ObservedPropagation) -> None:
        self._in_worklist = True

    def visits_from_worklist(self, op: Operation) -> None:
        self._note_visit()
        self._visited, self._before = op, len(self._changes)

    def _note_visit(self) -> None:
        op = self._visited
        if op is not None:
            changed = self._before if len(self._changes) > self._before else -1
            self._visits.setdefault(self._cascade, []).append((op, changed))
            self._visited = None

    def ends_worklist(self, run: ObservedPropagation) -> None:
        self._note_visit()
        self._in_worklist = False

    def writes(self, run: ObservedPropagation, step: PropagationStep) -> None:
        op, action, updates = step.op, step.action, step.updates
        root: Operation | None = None
        is_first = True
        if op is not run.main:
            if not self._in_worklist:
                self._begin_cascade(op)
            root, is_first = self._root, action is run.node(op)
        slots = tuple([action.slots[number] for number, _ in updates])
        written = tuple([new for _, new in updates])
        cascade = self._cascade if root is not None else 0
        where = None if root is None else op
        self._changes.append(Change(self._fixed_point, cascade, root, where, is_first, slots, written))

    def _begin_cascade(self, root: Operation) -> None:
        self._root = root
        self._cascade += 1

    def erases(self, op: Operation) -> None:
        self._note_visit()
        if not self._in_worklist:
            self._begin_cascade(op)
        if self._places is not None and op.parent_op is not self._folded.function and self._places.of(op) is not None:
            # Such erasures are not part of histories.
            self.refusal = "propagation erased an operation in a region of a layer"
        if self._in_worklist:
            self._visits.setdefault(self._cascade, []).append((op, len(self._changes)))
        self._changes.append(Change(self._fixed_point, self._cascade, self._root or op, op, False, (), ()))

    def reached_fixed_point(self, run: ObservedPropagation) -> None:
        self._fixed_point += 1

    def finished(self, run: ObservedPropagation) -> None:
        if self._places is not None and self.refusal is None:
            try:
                self.refusal = self._refusal_after(self._places, run)
            except NoCertificate as error:
                self.refusal = str(error)
        self._give_up()

    def _refusal_after(self, at: LayerPlaces, run: ObservedPropagation) -> str | None:
        """Why there is no certificate after ``run``; None if layers have equal histories as far from the splice point
        as they have to be alike. Sets ``missing`` if fewer layers were kept, and ``unlike`` if histories differ."""
        comparison = HistoryComparison(at, run, self._changes, self._visits)
        distance = comparison.distance()
        if distance is None:
            return "a sweep of changes does not do the same in one layer after the other"
        if not self._are_enough(at, distance):
            return _TOO_FEW
        if not comparison.are_sorted_layers_independent():
            return "layers of a sorted series change what others look at"
        histories = comparison.histories(distance)
        if histories is None:
            return "propagation changed a value of no layer, or a layer from outside of all"
        expected = histories[at.above - 1]
        differ = [layer for layer, history in histories.items() if history != expected]
        if differ and at.above not in differ:
            # As those next to the splice point are alike, the others are taken for the ends of the model.
            low, high = [layer for layer in differ if layer < at.above], [layer for layer in differ if layer > at.above]
            self.unlike = max(low) - min(histories) + 1 if low else 0, max(histories) - min(high) + 1 if high else 0
        return "layers near the splice point have different histories" if differ else None
