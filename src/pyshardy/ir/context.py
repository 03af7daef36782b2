"""The state of one run: the source text, the flags, and the diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation
from pyshardy.ir.progress import Check, Report
from pyshardy.ir.source_text import UNKNOWN_POSITION, Position, SourceText
from pyshardy.ir.spelling import Spellings


class Context:
    """One run: where diagnostics go, what is allowed, and what has been said once already. ``remarks`` asks for advice
    beyond errors and warnings, ``suggests`` for notes on what an unknown name may have meant. ``progress`` is
    told how far reading has come. What ``check`` raises ends the run (``ir.progress``). ``resources`` are the
    payloads that the input's metadata gives to its constants, by key; ``external_resources`` is what it hands to tools:
    group → key → literal."""

    __slots__ = (
        "_reported_once",
        "accepted",
        "allow_unregistered",
        "callbacks",
        "check",
        "chlo_rules",
        "diagnostics",
        "external_resources",
        "handler",
        "operation_indexes",
        "origin",
        "progress",
        "propagation_caches",
        "propagation_observers",
        "remarks",
        "resources",
        "source",
        "spellings",
        "suggests",
    )

    def __init__(
        self,
        source: SourceText | None = None,
        *,
        allow_unregistered: bool = False,
        handler: Callable[[Diagnostic], None] | None = None,
        remarks: bool = False,
        suggests: bool = False,
        progress: Report | None = None,
    ) -> None:
        self.source = source if source is not None else SourceText("")
        self.allow_unregistered = allow_unregistered
        self.handler = handler
        self.remarks = remarks
        self.suggests = suggests
        self.progress = progress
        self.diagnostics: list[Diagnostic] = []
        self.resources: dict[str, str] = {}
        self.external_resources: dict[str, dict[str, str]] = {}
        self.spellings = Spellings()
        """How types and attributes of other dialects were written."""
        self.chlo_rules = False
        """Whether shardings propagate through operations of CHLO, which XLA legalizes first (see ``rules``)."""
        self.callbacks: tuple[Callable[..., Sequence[object]], ...] = ()
        """The Python functions that the program's host callbacks call, by number."""
        self.accepted: dict[Operation, object] = {}
        """What the verifier remembers of isolated operations from one verification to the next."""
        self.operation_indexes: dict[Operation, object] = {}
        """Which operations are in a program, for passes (``ir.operation_index``)."""
        self.check: Check | None = None
        self.propagation_observers: tuple[object, ...] = ()
        """Who watches propagation (``propagation.observers``)."""
        self.propagation_caches: object = None
        """What propagation shares with other runs over copies of the program (``propagation.caches``)."""
        self.origin: Callable[[int | Location | None], int | Location | None] | None = None
        """Gives the location in the source for that of an operation, if these are not the same (``folding``)."""
        self._reported_once: set[str] = set()

    def forget_reading(self, *, unites: bool) -> None:
        """Makes it as if nothing had been read yet. Spellings that differ in blanks alone are taken for one if it
        ``unites`` them."""
        self.diagnostics.clear()
        self.resources.clear()
        self.external_resources.clear()
        self.accepted.clear()
        self._reported_once.clear()
        self.spellings = Spellings(unites=unites)

    def fork(self, *, continues: bool = False) -> Context:
        """A context for another run over the same source, without diagnostics; the same check ends it. If it
        ``continues`` this run, what is reported once and has been reported here is not reported there again."""
        context = Context(self.source, allow_unregistered=self.allow_unregistered, remarks=self.remarks)
        context.resources = self.resources
        context.callbacks = self.callbacks
        context.check = self.check
        if continues:
            context._reported_once |= self._reported_once
        return context

    def merge_diagnostics(self, other: Context) -> None:
        """Reports what was reported in ``other``, a fork of this context that continued this run."""
        self._reported_once |= other._reported_once
        for diagnostic in other.diagnostics:
            self._record(diagnostic)

    def position(self, location: int | Location | None) -> Position:
        """Where ``location`` is; explicit locations without a file give the unknown position."""
        if self.origin is not None:
            location = self.origin(location)
        if location is None:
            return UNKNOWN_POSITION
        if isinstance(location, int):
            return self.source.position(location)
        return location.position()

    def emit(
        self,
        severity: str,
        location: int | Location | Position | None,
        message: str,
        notes: list[Diagnostic] | None = None,
    ) -> Diagnostic:
        """Records a diagnostic and hands it to the handler."""
        position = location if isinstance(location, Position) else self.position(location)
        diagnostic = Diagnostic(severity, position, message, notes or [])
        self._record(diagnostic)
        return diagnostic

    def _record(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)
        if self.handler is not None:
            self.handler(diagnostic)

    def first_time(self, topic: str) -> bool:
        """True the first time a topic comes up in this run (for warnings that are given once)."""
        if topic in self._reported_once:
            return False
        self._reported_once.add(topic)
        return True

    def failure(self, since: int = 0) -> PyshardyError:
        """The exception for the diagnostics recorded from number ``since`` on."""
        return PyshardyError(self.diagnostics[since:], self.source)
