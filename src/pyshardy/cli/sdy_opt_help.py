"""Prints the text of ``sdy-opt --help`` and ``--show-passes``: the flags of ``cli.sdy_opt_flags`` and the passes."""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.cli.sdy_opt_flags import FLAGS, spelled
from pyshardy.ir.pass_registry import pass_names, pass_or_pipeline
from pyshardy.ir.passes import option_text

_COLUMN = 46


def help_text() -> str:
    """The flags, and each pass with its options and their defaults."""
    head = ["OVERVIEW: runs Shardy's passes on a StableHLO program", ""]
    usage = ["USAGE: sdy-opt [options] <input file, - for standard input>", "", "OPTIONS:"]
    return "\n".join([*head, *usage, *_flag_lines(), "", passes_text()])


def passes_text() -> str:
    """Each pass with its summary, its options and their defaults."""
    lines = ["PASSES (in the order of the command line; on functions by themselves):"]
    for name in pass_names():
        found = pass_or_pipeline(name)
        if found is not None:
            lines += [_row(f"--{name}", found.summary)]
            lines += [
                _row(f"    {option}={option_text(default)}", line)
                for option, (_, default, line) in found.options().items()
            ]
    return "\n".join(lines) + "\n"


def _flag_lines() -> Iterator[str]:
    for name, flag in FLAGS.items():
        value = ""
        if flag.value:
            value = f"=<{flag.value}>" if flag.separate else f"[=<{flag.value}>]"
        yield _row(spelled(name) + value, flag.help)


def _row(left: str, right: str) -> str:
    return f"  {left:<{_COLUMN}} - {right}"
