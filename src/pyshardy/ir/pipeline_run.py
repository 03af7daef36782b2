"""Runs a pipeline on an operation: passes in order, nested pipelines on each function, the verifier after each pass
that has changed something.

Pipelines come from ``ir.passes``. Observers watch a run (dumps, timings, reproducers).
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.ir.change_log import kept_changes
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.opdef import ISOLATED
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import ANY, Pass, PassFailure, Pipeline
from pyshardy.ir.symbol_tables import kept_symbols
from pyshardy.ir.verifying.change_verifier import ProgramVersion, is_legal_still, symbol_uses_are_legal
from pyshardy.ir.verifying.verifier import verify, verify_symbol_uses
from pyshardy.plugins import failure_text, is_from_plugin, place_of_failure


class PassObserver:
    """Watches a run; every method does nothing here. Of several observers the first is told first what is about to
    happen, and last what has happened."""

    def before_pipeline(self, pipeline: Pipeline, op: Operation) -> None:
        """A nested pipeline is about to run on ``op``."""

    def after_pipeline(self, pipeline: Pipeline, op: Operation) -> None:
        """It has run, or failed."""

    def before_pass(self, one: Pass, op: Operation) -> None:
        """A pass is about to run on ``op``."""

    def after_pass(self, one: Pass, op: Operation) -> None:
        """It has run, and left a legal program."""

    def after_failed_pass(self, one: Pass, op: Operation) -> None:
        """It has failed, left an illegal program, or broken down."""


class PassCrash(Exception):
    """A pass broke down on ``op``: an error of this package, not of the input. The cause is what Python raised."""

    def __init__(self, one: Pass, op: Operation) -> None:
        super().__init__(f"'{one.text()}' on {operation_title(op)}")


def operation_title(op: Operation) -> str:
    """``'func.func' operation: @main``, the name only if ``op`` is a symbol."""
    symbol = op.symbol_name
    return f"'{op.name}' operation" + (f": @{symbol}" if symbol is not None else "")


def run_pipeline(
    pipeline: Pipeline,
    op: Operation,
    context: Context,
    *,
    verify_each: bool = True,
    observers: Sequence[PassObserver] = (),
) -> None:
    """Runs ``pipeline`` on ``op``, whose name is the pipeline's anchor.

    A nested pipeline that fails on one function still runs on the others; then the run ends.

    Raises:
        PyshardyError: a pass failed, or left an illegal program behind.
        PassCrash: a pass broke down.
    """
    before = len(context.diagnostics)
    if not _runs_on(pipeline, op):
        context.emit("error", op.location, f"can't run '{pipeline.anchor}' pass manager on '{op.name}' op")
        raise context.failure(before)
    with kept_changes():
        succeeded = _Run(context, verify_each, observers).items(merged(pipeline), op)
    if not succeeded:
        raise context.failure(before)


def merged(pipeline: Pipeline) -> Pipeline:
    """``pipeline`` with neighbouring nested pipelines of one anchor made one, so that a function goes through all of
    their passes before the next function begins."""
    items: list[Pass | Pipeline] = []
    for item in pipeline.items:
        last = items[-1] if items else None
        if isinstance(item, Pipeline) and isinstance(last, Pipeline) and item.anchor == last.anchor:
            items[-1] = Pipeline(item.anchor, (*last.items, *item.items))
        else:
            items.append(item)
    return Pipeline(pipeline.anchor, tuple(merged(one) if isinstance(one, Pipeline) else one for one in items))


def _runs_on(pipeline: Pipeline, op: Operation) -> bool:
    return pipeline.anchor == op.name or (pipeline.anchor == ANY and bool(op.traits & ISOLATED))


class _Run:
    """One run; its methods say whether all went well."""

    def __init__(self, context: Context, verify_each: bool, observers: Sequence[PassObserver]) -> None:
        self.context = context
        self.verify_each = verify_each
        self.observers = observers
        # What was legal in this run, and when; of a program's state before the run nothing is known.
        self._legal: dict[Operation, ProgramVersion] = {}
        self._changes = 0

    def items(self, pipeline: Pipeline, op: Operation) -> bool:
        for item in pipeline.items:
            succeeded = self._nested(item, op) if isinstance(item, Pipeline) else self._pass(item, op)
            if not succeeded:
                return False
        return True

    def _nested(self, pipeline: Pipeline, op: Operation) -> bool:
        inside = [one for region in op.regions for block in region.blocks for one in block if _runs_on(pipeline, one)]
        succeeded = True
        before = self._changes
        with kept_symbols():
            for one in inside:
                for observer in self.observers:
                    observer.before_pipeline(pipeline, one)
                succeeded = self.items(pipeline, one) and succeeded
                for observer in reversed(self.observers):
                    observer.after_pipeline(pipeline, one)
        if not succeeded or not self.verify_each or self._changes == before:
            return succeeded
        return symbol_uses_are_legal(op, self.context) or verify_symbol_uses(op, self.context)

    def _pass(self, one: Pass, op: Operation) -> bool:
        if self.context.check is not None:
            self.context.check()
        for observer in self.observers:
            observer.before_pass(one, op)
        try:
            succeeded = self._apply(one, op)
        except Exception as problem:
            for observer in reversed(self.observers):
                observer.after_failed_pass(one, op)
            if not is_from_plugin("pass", one.name):
                raise PassCrash(one, op) from problem
            since = len(self.context.diagnostics)
            subject = f"the pass '{one.name}'{place_of_failure(problem, one.apply)}"
            self.context.emit("error", op.location, f"{subject} {failure_text(problem)}")
            raise self.context.failure(since) from problem
        for observer in reversed(self.observers):
            if succeeded:
                observer.after_pass(one, op)
            else:
                observer.after_failed_pass(one, op)
        return succeeded

    def _apply(self, one: Pass, op: Operation) -> bool:
        try:
            changed = one.apply(op, self.context)
        except (PassFailure, PyshardyError):
            return False
        if not self.verify_each:
            return True
        version = self._last_legal(op)
        if changed is False and version is not None:
            return True
        self._changes += 1
        is_known = one.notes_changes and version is not None and is_legal_still(op, self.context, version)
        if is_known or verify(op, self.context):
            self._legal[op] = ProgramVersion.now()
            return True
        return False

    def _last_legal(self, op: Operation) -> ProgramVersion | None:
        """When ``op`` was last seen to be legal, itself or with what is around it."""
        versions = [self._legal[one] for one in (op, *op.ancestors()) if one in self._legal]
        return max(versions, default=None)
