"""A program in memory, which is parsed from text and changed by passes.

``api.module`` adds what a user asks of a program: its tensors, a report, a page for a notebook.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from pyshardy.ir import shortcuts
from pyshardy.ir.collector import collect_ended_programs, paused_collector, program_has_ended
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.ir.parsing.parser import parse_module
from pyshardy.ir.progress import READING, VERIFYING, Report
from pyshardy.ir.verifying.verifier import verify

if TYPE_CHECKING:
    from pyshardy.ir.passes import Pipeline
    from pyshardy.ir.pipeline_run import PassObserver
    from pyshardy.ir.printing.program_text import Style


class HardwareName(NamedTuple):
    """Hardware by the word that commands take, ``h100x8``; how attention runs there, if not as its description says."""

    name: str
    attention: str | None = None


class Module:
    """A program: the ``builtin.module`` operation ``op`` and the ``context`` of its run; ``str(module)`` its text.

    ``op`` may be a function that makes it when somebody asks for it. ``notes`` are sentences on what reading made of
    the input, for summaries: shardings of GSPMD, sizes that were bound. ``hardware`` is what a sharding file says that
    candidate plans are chosen for.
    """

    __slots__ = ("_op", "context", "hardware", "notes", "resources")

    def __init__(
        self,
        op: Operation | Callable[[], Operation],
        context: Context,
        resources: dict[str, str] | None = None,
    ) -> None:
        self._op = op
        self.context = context
        self.resources = resources or {}
        self.notes: list[str] = []
        self.hardware: HardwareName | None = None

    def __del__(self, ended: Callable[[], None] = program_has_ended) -> None:
        ended()

    @property
    def op(self) -> Operation:
        """The ``builtin.module`` operation."""
        if not isinstance(self._op, Operation):
            with paused_collector():
                # The function is not kept: what it has made this from may be much.
                self._op = self._op()
        return self._op

    @op.setter
    def op(self, op: Operation) -> None:
        self._op = op

    @property
    def is_made(self) -> bool:
        """Whether ``op`` is there, and need not be made."""
        return isinstance(self._op, Operation)

    def with_op(self, op: Operation | Callable[[], Operation], context: Context | None = None) -> Self:
        """A program of the same kind, with the same resources, for the same hardware, and the same ``context`` if no
        other is given."""
        made = type(self)(op, self.context if context is None else context, self.resources)
        made.hardware = self.hardware
        return made

    def text(self, *, generic: bool = False, debug_info: bool = False, style: Style | None = None) -> str:
        """The program as MLIR prints it, pretty or generic, with a final newline; ``debug_info`` adds locations, and
        ``style`` says what else is wanted."""
        from pyshardy.ir.parsing.resources import resources_text
        from pyshardy.ir.printing.program_text import PLAIN, operation_text

        source = self.context.source if debug_info else None
        with paused_collector():
            text = operation_text(self.op, generic=generic, debug_info=source, style=style or PLAIN)
        return text + "\n" + resources_text(self.op, self.resources)

    def __str__(self) -> str:
        return self.text()

    @property
    def has_locations(self) -> bool:
        """Whether the program was given with locations; ``text(debug_info=True)`` keeps them."""
        return self.context.source.has_locations

    def copy(self) -> Self:
        """A copy of the program: changes of one of them do not affect the other."""
        from pyshardy.ir import rewriting

        collect_ended_programs()
        with paused_collector():
            made = self.with_op(rewriting.clone(self.op), self.context.fork())
        made.notes = list(self.notes)
        return made

    def __repr__(self) -> str:
        return (
            f"<Module of {sum(1 for _ in self.op.body)} operations>"
            if self.is_made
            else "<Module, folded: it is written when it is asked for>"
        )


_WORTH_SHORTCUTS = 32
"""Programs of fewer lines are read without shortcuts that could be wrong."""

ModuleKind = TypeVar("ModuleKind", bound=Module)
"""A class of modules: the internal one, or the public one."""


def parse_in(context: Context, kind: type[ModuleKind]) -> ModuleKind:
    """Reads and verifies the source text of ``context``; a ``kind`` of module comes of it.

    Raises:
        PyshardyError: a syntax error, or an illegal program.
    """
    said, handler, context.handler = len(context.diagnostics), context.handler, None
    try:
        try:
            return _parsed(context, kind)
        except PyshardyError:
            if not context.spellings.vary or said:
                raise
        # Types of other dialects that differ in blanks alone were two types, as in MLIR; here they may be one.
        context.forget_reading(unites=True)
        return _parsed(context, kind)
    finally:
        context.handler = handler
        if handler is not None:
            for diagnostic in context.diagnostics[said:]:
                handler(diagnostic)


def _parsed(context: Context, kind: type[ModuleKind]) -> ModuleKind:
    """Reads and verifies; what is refused is read once more without shortcuts, which then decides."""
    if context.diagnostics or not shortcuts.enabled() or context.source.text.count("\n") < _WORTH_SHORTCUTS:
        return _read(context, kind)
    try:
        return _read(context, kind)
    except Exception as error:
        shortcuts.raise_if_strict(error)
    context.forget_reading(unites=context.spellings.unites)
    with shortcuts.without_shortcuts():
        return _read(context, kind)


def _read(context: Context, kind: type[ModuleKind]) -> ModuleKind:
    collect_ended_programs()
    with paused_collector():
        parsed = parse_module(context)
        if context.progress is not None:
            size = len(context.source.text)
            context.progress(READING, size, size)
            context.progress(VERIFYING, 0, 1)
        if not verify(parsed.op, context, in_order=parsed.in_order):
            raise context.failure()
    return kind(parsed.op, context, parsed.resources)


def check_is_module(value: object, function: str) -> None:
    """Tests that ``function`` is given a module.

    Raises:
        TypeError: ``value`` is something else.
    """
    if not isinstance(value, Module):
        kind = type(value).__name__
        raise TypeError(f"{function} takes a module, as pyshardy.parse and pyshardy.load make one, not a {kind}")


def run_passes(
    module: ModuleKind,
    pipeline: str | Pipeline,
    *,
    verify_each: bool = True,
    observers: Sequence[PassObserver] = (),
    progress: Report | None = None,
) -> ModuleKind:
    """Runs a pipeline on ``module``, in place, and returns it. Arguments are those of ``pyshardy.run_passes``, which
    runs passes on fewer layers where it can; this does not.

    Raises:
        PyshardyError: the pipeline's text is wrong, a pass failed, or left an illegal program behind.
    """
    from pyshardy.ir.pipeline_run import run_pipeline
    from pyshardy.ir.pipeline_text import parse_pipeline

    parsed = parse_pipeline(pipeline) if isinstance(pipeline, str) else pipeline
    if progress is not None:
        from pyshardy.ir.pass_progress import PassProgress

        observers = (*observers, PassProgress(parsed, progress))
    with paused_collector():
        run_pipeline(parsed, module.op, module.context, verify_each=verify_each, observers=observers)
    return module
