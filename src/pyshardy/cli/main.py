"""The command ``pyshardy``, with one subcommand for each task.

Each subcommand is in the file of its name: ``add_parser`` adds its parser, whose default ``run`` is the command.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from pyshardy.cli.failures import INTERRUPTED, failure_code
from pyshardy.cli.files import InputProblem
from pyshardy.cli.parser import Parser
from pyshardy.cli.plugin_options import PLUGIN, add_plugin, load_file, load_plugins
from pyshardy.cli.start import pyshardy

TASKS = {
    "partition a model": ("propagate", "partition", "shardings"),
    "understand the result": ("explain", "conflicts", "show", "plot", "report", "view"),
    "choose how to shard": ("cost", "search", "compare"),
    "check that it is right": ("check", "interpret"),
    "documentation and setup": ("docs", "completion"),
}
"""What people come for, and the commands that do it."""

COMMANDS = tuple(command for commands in TASKS.values() for command in commands)

_ELSEWHERE = """
for compilers and vendors:
  sdy-opt FILE --sdy-…   single passes and pipelines, with the flags of MLIR's tools; a command of its own
  --plugin FILE.py       of every command: dialects, rules and passes of your own

pyshardy COMMAND --help says what a command does, and its options."""


class _Overview(Parser):
    """The parser of the whole command line: its help has the commands by task."""

    def format_help(self) -> str:
        subcommands = next(one for one in self._actions if isinstance(one, argparse._SubParsersAction))
        said = {one.dest: one.help or "" for one in subcommands._choices_actions}
        width = max(map(len, said)) + 2
        lines = [self.format_usage(), self.description or ""]
        for task, commands in TASKS.items():
            lines += ["", f"{task}:", *(f"  {one:{width}}{said[one]}" for one in commands if one in said)]
        return "\n".join([*lines, _ELSEWHERE, "", *_option_lines(self)]) + "\n"


def _option_lines(parser: argparse.ArgumentParser) -> list[str]:
    formatter = argparse.HelpFormatter(parser.prog)
    formatter.start_section("options")
    formatter.add_arguments([one for one in parser._actions if one.option_strings])
    formatter.end_section()
    return formatter.format_help().splitlines()


def command_parser(only: str | None = None) -> Parser:
    """The parser of the command line, with all subcommands, or one."""
    parser = _Overview(prog="pyshardy", description="Shardy, the tensor partitioner, in pure Python.")
    parser.add_argument("--version", action="store_true", help="print the version and what it understands, and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name in COMMANDS:
        if only in (None, name):
            import_module(f"pyshardy.cli.{name}").add_parser(commands)
    for command in commands.choices.values():
        add_plugin(command)
    return parser


def run(arguments: list[str]) -> int:
    """The whole command; the exit code."""
    as_json = "--json" in arguments
    try:
        arguments, plugins = load_plugins(arguments)
        parser = command_parser(arguments[0] if arguments and arguments[0] in COMMANDS else None)
        options = parser.parse_args(arguments)
        for path in getattr(options, "plugin", ()):
            load_file(path, PLUGIN)
        options.plugin = plugins
        if options.version:
            from pyshardy.versions import versions_text

            print(versions_text())
            return 0
        if options.command is None:
            parser.print_help()
            return 0
        try:
            code: int = options.run(options)
        except SystemExit as stop:
            raise InputProblem(f"something that was run for the program called sys.exit({stop.code!r})") from None
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print("pyshardy: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as problem:
        return failure_code("pyshardy", " ".join(["pyshardy", *arguments]), problem, as_json=as_json)


def main() -> None:
    """The command ``pyshardy``, for those who have loaded this file already."""
    pyshardy()


if __name__ == "__main__":
    pyshardy()
