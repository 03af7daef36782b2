"""``pyshardy completion SHELL``: prints the completion script of both commands for a shell, which shtab generates."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from pyshardy.cli.files import InputProblem

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands

SHELLS = ("bash", "zsh", "tcsh")


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "completion",
        help="print the shell completion script",
        description="Prints a script for the shell that completes pyshardy and sdy-opt. For bash: "
        'eval "$(pyshardy completion bash)", or write it to a file in the directory of completions.',
    )
    parser.add_argument("shell", choices=SHELLS)
    parser.add_argument("--for", dest="tool", choices=tuple(_PARSERS), help="only for this command")
    parser.set_defaults(run=completion_command)


def completion_command(options: argparse.Namespace) -> int:
    """Runs the subcommand; the exit code."""
    try:
        import shtab
    except ImportError:
        raise InputProblem(
            "shell completion needs the package shtab, which is not installed: pip install 'pyshardy[completion]'"
        ) from None
    for tool, make in _PARSERS.items():
        if options.tool in (None, tool):
            parser = make()
            _complete_files(parser, shtab.FILE)
            print(shtab.complete(parser, options.shell))
    return 0


def _complete_files(parser: argparse.ArgumentParser, files: object) -> None:
    """Has every argument that is a file completed as one."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                _complete_files(one, files)
        elif action.metavar in ("FILE", "OUT"):
            action.complete = files  # type: ignore[attr-defined]


def _parser_of_pyshardy() -> argparse.ArgumentParser:
    from pyshardy.cli.main import command_parser

    return command_parser()


def _parser_of_sdy_opt() -> argparse.ArgumentParser:
    """The flags of ``sdy-opt`` as argparse knows them; only names and help count."""
    from pyshardy.cli.sdy_opt_flags import FLAGS, spelled
    from pyshardy.ir.pass_registry import pass_names, pass_or_pipeline

    parser = argparse.ArgumentParser(prog="sdy-opt", add_help=False)
    parser.add_argument("file", metavar="FILE", nargs="?")
    for name, flag in FLAGS.items():
        metavar = "FILE" if flag.value == "file" else flag.value or None
        if flag.value:
            parser.add_argument(spelled(name), metavar=metavar, help=flag.help.replace("%", "%%"))
        else:
            parser.add_argument(spelled(name), action="store_true", help=flag.help.replace("%", "%%"))
    for name in pass_names():
        found = pass_or_pipeline(name)
        summary = found.summary if found is not None else ""
        parser.add_argument(f"--{name}", action="store_true", help=summary.replace("%", "%%"))
    return parser


_PARSERS: dict[str, Callable[[], argparse.ArgumentParser]] = {
    "pyshardy": _parser_of_pyshardy,
    "sdy-opt": _parser_of_sdy_opt,
}
