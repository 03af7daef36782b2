"""``sdy-opt``: runs passes on a program, with the flags that every ``*-opt`` tool of MLIR has.

``sdy-opt FILE --sdy-basic-propagate --pass-pipeline=… -o OUT``. Diagnostics go to standard error. The exit code is 0 if
all went well, 1 if a part of the input fails, 2 if pyshardy itself fails.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from pyshardy.api.module import Module
from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.failures import CRASHED, OUT_OF_MEMORY, crash_text, is_out_of_memory, print_problem
from pyshardy.cli.files import InputProblem, write_text
from pyshardy.cli.interrupts import was_interrupted
from pyshardy.cli.plugin_options import PLUGIN, RULES, load_plugins
from pyshardy.cli.program_input import shown_name, text_as_it_is
from pyshardy.cli.progress import Progress, reader
from pyshardy.cli.sdy_opt_flags import Options, read_options
from pyshardy.cli.start import sdy_opt
from pyshardy.dialects import check, interpreter
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.pipeline_run import PassCrash, PassObserver
from pyshardy.ir.pipeline_text import PipelineError
from pyshardy.ir.registry import register_dialect
from pyshardy.ir.source_text import SourceText
from pyshardy.ir.verifying.operation_diagnostics import quotes_operation
from pyshardy.module import parse_in
from pyshardy.plugins import PluginProblem

if TYPE_CHECKING:
    from pyshardy.cli.timing import Timing

# Programs that test themselves go through passes before they run.
register_dialect(check.DIALECT)
register_dialect(interpreter.DIALECT)


def process(source: SourceText, options: Options) -> tuple[str | None, int]:
    """The text that comes of one part of the input, None if it failed, and the exit code. Prints diagnostics."""
    with Progress("reading") as progress:
        return _processed(source, options, progress)


def _processed(source: SourceText, options: Options, progress: Progress) -> tuple[str | None, int]:
    def show(diagnostic: Diagnostic) -> None:
        progress.clear()
        print(diagnostic_text(diagnostic, source), file=sys.stderr)

    if not options.verify_diagnostics:
        text, code = _transform(source, options, show if options.operation_on_diagnostic else _unquoted(show), progress)
        return text, code
    from pyshardy.cli.expectations import Expectations

    expectations = Expectations(source, only_expected=options.verify_diagnostics == "only-expected")
    text, code = _transform(source, options, _unquoted(expectations.take), progress)
    problems = expectations.problems()
    for problem in problems:
        show(problem)
    return text, code if code == CRASHED else int(bool(problems))


def _unquoted(handler: Callable[[Diagnostic], None]) -> Callable[[Diagnostic], None]:
    """``handler`` without the notes that quote operations."""

    def handle(diagnostic: Diagnostic) -> None:
        notes = [note for note in diagnostic.notes if not quotes_operation(note)]
        handler(Diagnostic(diagnostic.severity, diagnostic.position, diagnostic.message, notes))

    return handle


def _transform(
    source: SourceText, options: Options, handler: Callable[[Diagnostic], None], progress: Progress
) -> tuple[str | None, int]:
    context = Context(
        source,
        allow_unregistered=options.allow_unregistered,
        handler=handler,
        remarks=options.remarks,
        progress=reader(),
    )
    run = _PartRun(context, options, progress)
    try:
        return run.text(), 0
    except (InputProblem, PipelineError):
        raise
    except PyshardyError:
        return None, 1
    except PluginProblem as problem:
        raise InputProblem(str(problem)) from None
    except SystemExit as stop:
        raise InputProblem(f"something that was run for the program called sys.exit({stop.code!r})") from None
    except Exception as problem:
        if was_interrupted():
            raise KeyboardInterrupt from None
        if is_out_of_memory(problem):
            raise InputProblem(OUT_OF_MEMORY) from None
        is_pass = isinstance(problem, PassCrash)
        where = f"pass {problem}" if is_pass else f"{run.phase} {source.filename}"
        _report_crash(where, problem.__cause__ or problem if is_pass else problem, options)
    finally:
        progress.clear()
        run.report_times()
    return None, CRASHED


def _report_crash(where: str, problem: BaseException, options: Options) -> None:
    more = ".\n--mlir-pass-pipeline-crash-reproducer=FILE puts both into one file. "
    if options.reproducer:
        more = f", or with {options.reproducer}.\n"
    print(crash_text("sdy-opt", where, problem, more), file=sys.stderr)


class _PartRun:
    """One part of the input on its way from text to text."""

    def __init__(self, context: Context, options: Options, progress: Progress) -> None:
        self.context = context
        self.progress = progress
        self.options = options
        self.phase = "reading"
        self.timing: Timing | None = None
        if options.timing:
            from pyshardy.cli.timing import Timing

            self.timing = Timing()

    def text(self) -> str:
        """The resulting program.

        Raises:
            PyshardyError: the program is wrong, or a pass failed; the diagnostics are out.
            PipelineError: the pipeline of a reproducer is wrong.
        """
        with self._timed("Parser"):
            module = parse_in(self.context, Module)
        self.phase = "running the passes on"
        self._run(module)
        self.phase = "printing"
        self.progress.step("printing")
        with self._timed("Output"):
            return self._print(module)

    def report_times(self) -> None:
        """Prints the times, if asked."""
        if self.timing is not None:
            sys.stderr.write(self.timing.report(flat=self.options.timing_display == "list"))

    def _timed(self, name: str) -> contextlib.AbstractContextManager[None]:
        return self.timing.phase(name) if self.timing is not None else contextlib.nullcontext()

    def _run(self, module: Module) -> None:
        pipeline, verify_each = self._pipeline()
        if self.options.dump_pipeline or self.options.prints_ir:
            self.progress.clear()
        if self.options.dump_pipeline:
            print(f"Pass Manager with {len(pipeline.items)} passes:\n{pipeline.text()}", file=sys.stderr)
        observers: list[PassObserver] = []
        if self.options.prints_ir:
            from pyshardy.cli.ir_printing import IrPrinting

            observers.append(IrPrinting(self.options, self.context))
        reproducer = None
        if self.options.reproducer:
            from pyshardy.cli.reproducers import Reproducer

            reproducer = Reproducer(self.options.reproducer, module, pipeline, verify_each=verify_each)
            observers.append(reproducer)
        if self.timing is not None:
            observers.append(self.timing)
        try:
            from pyshardy.folding.passes import run_passes

            run_passes(module, pipeline, verify_each=verify_each, observers=observers, progress=reader())
        except (PyshardyError, PassCrash):
            if reproducer is not None:
                reproducer.write(self.context)
            raise

    def _pipeline(self) -> tuple[Pipeline, bool]:
        options = self.options
        pipeline = options.pipeline or Pipeline("builtin.module", tuple(options.items))
        if not options.run_reproducer:
            return pipeline, options.verify_each
        from pyshardy.cli.reproducers import stored_pipeline

        stored = stored_pipeline(self.context)
        if stored is None:
            return pipeline, options.verify_each
        first, verify_each = stored
        return Pipeline(first.anchor, (*first.items, *pipeline.items)), verify_each

    def _print(self, module: Module) -> str:
        if self.options.bytecode:
            from pyshardy.cli.bytecode import bytecode_of

            return bytecode_of(module, self.options.output).decode("utf-8", "surrogateescape")
        generic = self.options.generic
        if not self.options.verify_each and not generic:
            from pyshardy.ir.verifying.verifier import is_legal

            # What the verifier rejects may not fit its pretty form.
            generic = not is_legal(module.op, self.context)
        return module.text(generic=generic, debug_info=self.options.debug_info, style=self.options.style)


def run(arguments: list[str]) -> int:
    """The whole command; the exit code."""
    try:
        arguments, _ = load_plugins(arguments, (PLUGIN, RULES))
        options = read_options(arguments)
        listing = _listing(options)
        if listing is not None:
            write_text("-", listing)
            return 0
        return _process_input(options)
    except PipelineError as error:
        for diagnostic in error.diagnostics:
            placed = diagnostic.position.line
            print(diagnostic_text(diagnostic, error.source) if placed else diagnostic.message, file=sys.stderr)
    except InputProblem as error:
        print_problem("sdy-opt", error)
    return 1


def _listing(options: Options) -> str | None:
    """What flags such as ``--help`` ask for in place of a run."""
    if options.help or options.show_passes:
        from pyshardy.cli.sdy_opt_help import help_text, passes_text

        return help_text() if options.help else passes_text()
    if options.show_dialects:
        from pyshardy.ir.registry import DIALECT_MODULES, foreign_rows

        names = {*DIALECT_MODULES, *(name.partition(".")[0] for name in foreign_rows())}
        return f"Available Dialects: {','.join(sorted(names))}\n"
    if options.version:
        from pyshardy.versions import versions_text

        return versions_text() + "\n"
    return None


def _process_input(options: Options) -> int:
    if options.input == "-" and sys.stdin.isatty():
        print("(reading the program from standard input)", file=sys.stderr)
    text = text_as_it_is(options.input, allow_unregistered=options.allow_unregistered)
    filename = shown_name(options.input)
    parts = [SourceText(text, filename)]
    if options.split_marker:
        from pyshardy.cli.split_input import split_input

        parts = split_input(text, filename, options.split_marker)
    results = [process(part, options) for part in parts]
    code = max(code for _, code in results)
    if not code or options.output == "-":
        joined = f"{options.output_marker}\n".join(text for text, _ in results if text is not None)
        write_text(options.output, joined)
    return code


def main() -> None:
    """The command ``sdy-opt``, for those who have loaded this file already."""
    sdy_opt()


if __name__ == "__main__":
    sdy_opt()
