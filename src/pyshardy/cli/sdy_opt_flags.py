"""The command line of ``sdy-opt``: a table of flags, and the reader that converts arguments to ``Options``.

The spelling of flags, and the messages about wrong values, are those of MLIR's ``*-opt`` tools. ``cli.sdy_opt`` acts on
the options, ``cli.sdy_opt_help`` prints the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pyshardy.cli.files import InputProblem
from pyshardy.cli.split_input import SPLIT_MARKER
from pyshardy.ir.limits import read_limit, set_limit
from pyshardy.ir.pass_registry import pass_names, pass_or_pipeline
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_text import nested_pass, parse_pipeline
from pyshardy.ir.printing.program_text import Style
from pyshardy.ir.suggestions import nearest


@dataclass
class Options:
    """The command line, read."""

    input: str = "-"
    output: str = "-"
    items: list[Pass | Pipeline] = field(default_factory=list)
    pipeline: Pipeline | None = None
    help: bool = False
    version: bool = False
    show_passes: bool = False
    show_dialects: bool = False
    split_marker: str = ""
    output_marker: str = SPLIT_MARKER
    verify_diagnostics: str = ""
    allow_unregistered: bool = False
    verify_each: bool = True
    dump_pipeline: bool = False
    single_thread: bool = True
    generic: bool = False
    debug_info: bool = False
    operation_on_diagnostic: bool = True
    local_scope: bool = False
    unique_numbers: bool = False
    value_users: bool = False
    most_elements: int | None = None
    bytecode: bool = False
    remarks: bool = False
    limits: tuple[tuple[str, int], ...] = ()
    rules: tuple[str, ...] = ()
    print_before: tuple[str, ...] = ()
    print_before_all: bool = False
    print_after: tuple[str, ...] = ()
    print_after_all: bool = False
    print_after_change: bool = False
    print_after_failure: bool = False
    print_module_scope: bool = False
    print_tree_directory: str = ""
    timing: bool = False
    timing_display: str = "tree"
    reproducer: str = ""
    run_reproducer: bool = False

    @property
    def style(self) -> Style:
        """How programs are printed."""
        return Style(self.local_scope, self.unique_numbers, self.value_users, self.most_elements)

    @property
    def prints_ir(self) -> bool:
        """Whether any flag asks for dumps between passes."""
        chosen = self.print_before or self.print_after
        before = self.print_before_all
        after = self.print_after_all or self.print_after_change or self.print_after_failure
        return bool(chosen) or before or after


@dataclass(frozen=True)
class Flag:
    """A flag: the field of ``Options`` that it sets, its line of help, and what its value is.

    ``read`` makes the value of the text behind ``=`` (None without one); ``value`` names it in the help, ``separate``
    says that it may also be the next argument, and then there must be one.
    """

    field: str
    help: str
    read: Callable[[str, str | None], object]
    value: str = ""
    separate: bool = False
    repeated: bool = False


def _switch(flag: str, text: str | None) -> bool:
    if text in (None, "", "true", "TRUE", "True", "1"):
        return True
    if text in ("false", "FALSE", "False", "0"):
        return False
    raise InputProblem(f"for the {flag} option: '{text}' is invalid value for boolean argument! Try 0 or 1")


def _text(flag: str, text: str | None) -> str:
    return text or ""


def _file(flag: str, text: str | None) -> tuple[str, ...]:
    return (text or "",)


def _number(flag: str, text: str | None) -> int:
    try:
        return int(text or "", 0)
    except ValueError:
        raise InputProblem(f"for the {flag} option: '{text or ''}' value invalid for integer argument!") from None


def _limit(flag: str, text: str | None) -> tuple[tuple[str, int], ...]:
    try:
        name, value = read_limit(text or "")
    except ValueError as error:
        raise InputProblem(f"for the {flag} option: {error}") from None
    set_limit(name, value)
    return ((name, value),)


def _marker(flag: str, text: str | None) -> str:
    return text or SPLIT_MARKER


def _whole_pipeline(flag: str, text: str | None) -> Pipeline:
    return parse_pipeline(text or "", wrapped=True)


def _passes(flag: str, text: str | None) -> tuple[str, ...]:
    names = []
    for name in (text or "").split(","):
        found = pass_or_pipeline(name)
        if found is None or not issubclass(found, Pass):
            raise InputProblem(f"for the {flag} option: Cannot find option named '{name}'!")
        names.append(found.name)
    return tuple(names)


def _one_of(*choices: str, default: str) -> Callable[[str, str | None], str]:
    def read(flag: str, text: str | None) -> str:
        if text is not None and text not in choices:
            raise InputProblem(f"for the {flag} option: Cannot find option named '{text}'!")
        return text or default

    return read


FLAGS = {
    "o": Flag("output", "write the output there, - for standard output (the default)", _text, "file", separate=True),
    "pass-pipeline": Flag(
        "pipeline", "run a textual pipeline, builtin.module(a,func.func(b{x=1}))", _whole_pipeline, "text", True
    ),
    "allow-unregistered-dialect": Flag(
        "allow_unregistered", "accept operations of unknown dialects, in generic form", _switch
    ),
    "split-input-file": Flag("split_marker", "process the parts between marker lines one by one", _marker, "marker"),
    "output-split-marker": Flag(
        "output_marker", "what stands between the parts of the output (default '// -----')", _text, "marker", True
    ),
    "verify-diagnostics": Flag(
        "verify_diagnostics",
        "compare the diagnostics with the comments 'expected-error {{…}}' of the input: all, or only-expected ones",
        _one_of("all", "only-expected", default="all"),
        "level",
    ),
    "verify-each": Flag("verify_each", "verify after each pass (default true)", _switch, "true|false"),
    "dump-pass-pipeline": Flag("dump_pipeline", "print the pipeline before it runs", _switch),
    "show-passes": Flag("show_passes", "list the passes with their options, and exit", _switch),
    "list-passes": Flag("show_passes", "the same", _switch),
    "show-dialects": Flag("show_dialects", "list the dialects, and exit", _switch),
    "mlir-print-op-generic": Flag("generic", "print operations in generic form", _switch),
    "mlir-print-debuginfo": Flag("debug_info", "print locations", _switch),
    "mlir-print-op-on-diagnostic": Flag(
        "operation_on_diagnostic", "quote the operation below an error about it (default true)", _switch, "true|false"
    ),
    "mlir-print-local-scope": Flag("local_scope", "print locations and attributes in place, without aliases", _switch),
    "mlir-print-unique-ssa-ids": Flag(
        "unique_numbers", "number values, arguments and conflicts of names through all regions", _switch
    ),
    "mlir-print-value-users": Flag("value_users", "say in comments who uses each value", _switch),
    "mlir-elide-elementsattrs-if-larger": Flag(
        "most_elements", "print constants of more elements as dense_resource<__elided__>", _number, "number", True
    ),
    "emit-bytecode": Flag("bytecode", "write MLIR bytecode instead of text (needs jaxlib)", _switch),
    "remarks": Flag(
        "remarks",
        "report missing sharding rules, and manual axes that are out of order or that shardings do not list",
        _switch,
    ),
    "limit": Flag(
        "limits",
        "allow more of what pyshardy docs limits lists, NAME=N",
        _limit,
        "NAME=N",
        separate=True,
        repeated=True,
    ),
    "plugin": Flag(
        "rules",
        "run this Python file first, which registers dialects, rules, passes, … (pyshardy.extend)",
        _file,
        "file",
        True,
        True,
    ),
    "rules": Flag(
        "rules", "the same, where a later file may replace what an earlier one registered", _file, "file", True, True
    ),
    "mlir-print-ir-before": Flag(
        "print_before", "print what these passes are given", _passes, "passes", separate=True, repeated=True
    ),
    "mlir-print-ir-before-all": Flag("print_before_all", "print what each pass is given", _switch),
    "mlir-print-ir-after": Flag(
        "print_after", "print what these passes leave", _passes, "passes", separate=True, repeated=True
    ),
    "mlir-print-ir-after-all": Flag("print_after_all", "print what each pass leaves", _switch),
    "mlir-print-ir-after-change": Flag("print_after_change", "only if the pass has changed it", _switch),
    "mlir-print-ir-after-failure": Flag("print_after_failure", "only if the pass has failed", _switch),
    "mlir-print-ir-module-scope": Flag(
        "print_module_scope", "print the whole module even if the pass runs on a function", _switch
    ),
    "mlir-print-ir-tree-dir": Flag(
        "print_tree_directory",
        "print before and after passes into files below this directory instead",
        _text,
        "directory",
        separate=True,
    ),
    "mlir-timing": Flag("timing", "report the time of each pass", _switch),
    "mlir-timing-display": Flag(
        "timing_display",
        "as a tree (the default) or as a list, the longest first",
        _one_of("tree", "list", default="tree"),
        "tree|list",
        separate=True,
    ),
    "mlir-disable-threading": Flag("single_thread", "accepted; there is one thread anyway", _switch),
    "mlir-pass-pipeline-crash-reproducer": Flag(
        "reproducer", "if a pass fails, write the program and the pipeline there", _text, "file", separate=True
    ),
    "run-reproducer": Flag("run_reproducer", "run the pipeline that a reproducer holds", _switch),
    "help": Flag("help", "print this, and exit", _switch),
    "h": Flag("help", "the same", _switch),
    "version": Flag("version", "print the version, and exit", _switch),
}
"""Every flag but those of the passes, by name without dashes."""


def spelled(name: str) -> str:
    """The flag ``name`` as a user types it."""
    return f"-{name}" if len(name) == 1 else f"--{name}"


def read_options(arguments: list[str]) -> Options:
    """The options that ``arguments`` ask for.

    Raises:
        InputProblem: an unknown flag, a wrong value, two inputs, pass flags beside a pipeline.
        PipelineError: a wrong option of a pass, or a wrong pipeline.
    """
    options = Options()
    inputs: list[str] = []
    seen: set[str] = set()
    waiting = list(reversed(arguments))
    while waiting:
        argument = waiting.pop()
        if argument == "--":
            inputs += reversed(waiting)
            break
        if argument == "-" or not argument.startswith("-"):
            inputs.append(argument)
            continue
        name, equals, text = argument.removeprefix("-").removeprefix("-").partition("=")
        flag = FLAGS.get(name)
        if flag is not None:
            _set(options, name, flag, text if equals else None, waiting, seen)
        elif pass_or_pipeline(name) is not None:
            options.items += nested_pass(name, text)
        else:
            raise InputProblem(_unknown(argument, name))
    if len(inputs) > 1:
        raise InputProblem(
            "Too many positional arguments specified!\nCan specify at most 1 positional arguments: See: sdy-opt --help"
        )
    if inputs:
        options.input = inputs[0]
    if options.pipeline is not None and options.items:
        raise InputProblem("'-pass-pipeline' option can't be used with individual pass options")
    return options


def _set(options: Options, name: str, flag: Flag, text: str | None, waiting: list[str], seen: set[str]) -> None:
    shown = spelled(name)
    if flag.separate and text is None:
        if not waiting:
            raise InputProblem(f"for the {shown} option: requires a value!")
        text = waiting.pop()
    value = flag.read(shown, text)
    if flag.repeated:
        value = getattr(options, flag.field) + value
    elif name in seen:
        raise InputProblem(f"for the {shown} option: may only occur zero or one times!")
    seen.add(name)
    setattr(options, flag.field, value)


def _unknown(argument: str, name: str) -> str:
    message = f"Unknown command line argument '{argument}'.  Try: 'sdy-opt --help'"
    near = nearest(name, [*FLAGS, *pass_names()])
    return message + (f"\nDid you mean '--{near}'?" if near is not None else "")
