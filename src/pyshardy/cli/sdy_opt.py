"""``sdy-opt``: runs passes on a program, with the flags that every ``*-opt`` tool of MLIR has.

``sdy-opt FILE --sdy-basic-propagate --pass-pipeline=… -o OUT``. Diagnostics go to standard error; exit code 1 if any
part of the input fails.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field

from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.files import InputProblem, read_text, write_text
from pyshardy.ir.context import Context, Diagnostic, PyshardyError, SourceText
from pyshardy.ir.passes import Pass, Pipeline, PipelineError, nested_pass, parse_pipeline
from pyshardy.ir.registry import pass_names, pass_or_pipeline

_SPLIT = re.compile(r"^// -----.*$\n?", re.MULTILINE)


@dataclass
class Options:
    """The command line, read."""

    input: str = "-"
    output: str = "-"
    items: list[Pass | Pipeline] = field(default_factory=list)
    pipeline: Pipeline | None = None
    split_input: bool = False
    allow_unregistered: bool = False
    generic: bool = False
    verify_each: bool = True


class UsageError(Exception):
    """The command line is wrong."""


def read_options(arguments: list[str]) -> Options:
    """The options that ``arguments`` ask for.

    Raises:
        UsageError: an unknown flag, two inputs, pass flags beside a pipeline.
        PipelineError: a wrong option of a pass, or a wrong pipeline.
    """
    options = Options()
    inputs: list[str] = []
    waiting = list(arguments)
    while waiting:
        argument = waiting.pop(0)
        if argument == "-" or not argument.startswith("-"):
            inputs.append(argument)
            continue
        name, equals, value = argument.lstrip("-").partition("=")
        if name == "o":
            if not equals and not waiting:
                raise UsageError("for the -o option: requires a value!")
            options.output = value if equals else waiting.pop(0)
        elif name == "pass-pipeline":
            options.pipeline = parse_pipeline(value if equals else (waiting.pop(0) if waiting else ""))
        elif name in _SWITCHES:
            setattr(options, _SWITCHES[name], _switch(name, value))
        elif pass_or_pipeline(name) is not None:
            options.items += nested_pass(name, value)
        else:
            raise UsageError(f"Unknown command line argument '{argument}'.  Try: 'sdy-opt --help'")
    if len(inputs) > 1:
        raise UsageError(f"Too many positional arguments specified! Can specify at most 1: {' '.join(inputs)}")
    if inputs:
        options.input = inputs[0]
    if options.pipeline is not None and options.items:
        raise UsageError("-pass-pipeline cannot be combined with single pass flags")
    return options


_SWITCHES = {
    "split-input-file": "split_input",
    "allow-unregistered-dialect": "allow_unregistered",
    "mlir-print-op-generic": "generic",
    "verify-each": "verify_each",
}


def _switch(name: str, value: str) -> bool:
    if value in ("", "true", "TRUE", "True", "1"):
        return True
    if value in ("false", "FALSE", "False", "0"):
        return False
    raise UsageError(f"for the --{name} option: '{value}' is invalid value for boolean argument! Try 0 or 1")


def help_text() -> str:
    """What ``--help`` prints: the flags, and each pass with its options and their defaults."""
    lines = [
        "OVERVIEW: runs Shardy's passes on a StableHLO program",
        "",
        "USAGE: sdy-opt [options] <input file, - for standard input>",
        "",
        "  -o <file>                      output file, - for standard output (the default)",
        "  --pass-pipeline=<text>         passes as a textual pipeline, builtin.module(a,func.func(b{x=1}))",
        "  --split-input-file             process the parts between lines '// -----' one by one",
        "  --allow-unregistered-dialect   accept operations of unknown dialects in generic form",
        "  --mlir-print-op-generic        print every operation in generic form",
        "  --verify-each=<true|false>     verify after each pass (default true)",
        "",
        "Passes:",
    ]
    for name in pass_names():
        found = pass_or_pipeline(name)
        if not isinstance(found, type):
            continue
        lines.append(f"  --{name}")
        lines.append(f"      {found.summary}")
        for option, (_, default, line) in found.options().items():
            shown = str(default).lower() if isinstance(default, bool) else default
            lines.append(f"      {option}={shown}  {line}")
    return "\n".join(lines) + "\n"


def process(source: SourceText, options: Options) -> str | None:
    """The text that comes of one part of the input; None if it failed, its diagnostics printed."""
    from pyshardy.api import parse_in, run_passes

    def show(diagnostic: Diagnostic) -> None:
        print(diagnostic_text(diagnostic, source), file=sys.stderr)

    context = Context(source, allow_unregistered=options.allow_unregistered, handler=show)
    pipeline = options.pipeline or Pipeline("builtin.module", tuple(options.items))
    try:
        module = parse_in(context)
        run_passes(module, pipeline, verify_each=options.verify_each)
    except PyshardyError:
        return None
    return module.text(generic=options.generic)


def _parts(text: str, filename: str) -> list[SourceText]:
    parts = []
    start, line = 0, 1
    for match in _SPLIT.finditer(text):
        parts.append(SourceText(text[start : match.start()], filename, line))
        line += text.count("\n", start, match.end())
        start = match.end()
    parts.append(SourceText(text[start:], filename, line))
    return parts


def run(arguments: list[str]) -> int:
    """The whole command; the exit code."""
    if any(argument.lstrip("-") in ("help", "h") for argument in arguments if argument.startswith("-")):
        print(help_text(), end="")
        return 0
    try:
        options = read_options(arguments)
        text = read_text(options.input)
        filename = "<stdin>" if options.input == "-" else options.input
        parts = _parts(text, filename) if options.split_input else [SourceText(text, filename)]
        outputs = [process(part, options) for part in parts]
        failed = any(output is None for output in outputs)
        if not failed or options.output == "-":
            write_text(options.output, "// -----\n".join(output for output in outputs if output is not None))
    except PipelineError as error:
        print(error, file=sys.stderr)
        return 1
    except (UsageError, InputProblem) as error:
        print(f"sdy-opt: {error}", file=sys.stderr)
        return 1
    return int(failed)


def main() -> None:
    """Entry point of the command ``sdy-opt``."""
    sys.exit(run(sys.argv[1:]))
