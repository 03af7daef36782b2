"""Writes and runs reproducers: files with a program and the pipeline that failed on it.

``--mlir-pass-pipeline-crash-reproducer=FILE`` writes one if a pass fails, ``--run-reproducer`` runs what it holds. The
pipeline is in the metadata of the file, as in MLIR.
"""

from __future__ import annotations

from pyshardy.api.module import Module
from pyshardy.cli.files import InputProblem, write_text
from pyshardy.ir.attribute import quoted
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.operation import Operation
from pyshardy.ir.parsing.lexer import unescape
from pyshardy.ir.parsing.resources import resources_text
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_run import PassObserver, operation_title
from pyshardy.ir.pipeline_text import PipelineError, parse_pipeline
from pyshardy.ir.printing.program_text import operation_text

_GROUP = "mlir_reproducer"


class Reproducer(PassObserver):
    """Keeps the program as it is now, and writes it with ``pipeline`` to ``path`` if asked; sees which pass fails."""

    def __init__(self, path: str, module: Module, pipeline: Pipeline, *, verify_each: bool) -> None:
        self.path = path
        entries = {
            "pipeline": quoted(pipeline.text()),
            "disable_threading": "false",
            "verify_each": str(verify_each).lower(),
        }
        self._text = operation_text(module.op) + "\n" + resources_text(module.op, module.resources, {_GROUP: entries})
        self._location = module.op.location
        self._failed = ""

    def after_failed_pass(self, one: Pass, op: Operation) -> None:
        if not self._failed:
            self._failed = f"`{one.class_name}` on {operation_title(op)}"

    def write(self, context: Context) -> None:
        """Writes the file, and says so in an error."""
        try:
            write_text(self.path, self._text)
            outcome = f"reproducer generated at `{self.path}`"
        except InputProblem as problem:
            outcome = f"<failed to create output stream for reproducer>: {problem}"
        message = f"Pipeline failed while executing [{self._failed}]: {outcome}"
        note = Diagnostic("note", context.position(self._location), message)
        context.emit(
            "error", self._location, "Failures have been detected while processing an MLIR pass pipeline", [note]
        )


def stored_pipeline(context: Context) -> tuple[Pipeline, bool] | None:
    """The pipeline in the metadata of the program just read, and whether to verify after each pass.

    None if the program is no reproducer.

    Raises:
        PipelineError: the pipeline in it is wrong.
    """
    entries = context.external_resources.get(_GROUP)
    if entries is None or "pipeline" not in entries:
        return None
    literal = entries["pipeline"]
    if not literal.startswith('"'):
        raise PipelineError(f"expected a string for key 'pipeline' of '{_GROUP}', but got: {literal}")
    return parse_pipeline(unescape(literal), wrapped=True), entries.get("verify_each") != "false"
