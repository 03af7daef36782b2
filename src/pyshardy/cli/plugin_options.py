"""``--plugin FILE.py`` on every command: runs files before any other flag, or any program, is read.

Plugins of installed packages (the entry points ``pyshardy.plugins``) are loaded before them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from pyshardy.cli.files import InputProblem
from pyshardy.plugins import PluginProblem, load_installed_plugins, load_plugin_file, run_file

PLUGIN, RULES = "plugin", "rules"


def add_plugin(parser: argparse.ArgumentParser) -> None:
    """The flag, for help; ``load_plugins`` has taken it away before."""
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE.py",
        help="run this Python file first, which registers dialects, rules, passes, … (pyshardy.extend)",
    )


def load_plugins(arguments: list[str], names: Iterable[str] = (PLUGIN,)) -> tuple[list[str], list[str]]:
    """Loads installed plugins and the files that the flags ``names`` name, in their order; returns the arguments
    without those flags, and the files.

    Raises:
        InputProblem: a file is missing or broken, or a flag has none.
    """
    for problem in load_installed_plugins():
        print(f"warning: {problem}", file=sys.stderr)
    rest: list[str] = []
    files: list[str] = []
    flags = {f"{dashes}{name}": name for name in names for dashes in ("--", "-")}
    waiting = list(reversed(arguments))
    while waiting:
        argument = waiting.pop()
        if argument == "--":
            rest += [argument, *reversed(waiting)]
            break
        flag, equals, path = argument.partition("=")
        name = flags.get(flag)
        if name is None:
            rest.append(argument)
            continue
        if not equals:
            if not waiting:
                raise InputProblem(f"for the --{name} option: requires a value!")
            path = waiting.pop()
        load_file(path, name)
        files.append(path)
    return rest, files


def load_file(path: str, kind: str) -> None:
    """Runs a plugin, or a file of rules, of which a later one may replace what an earlier one has registered.

    Raises:
        InputProblem: the file is missing or broken.
    """
    try:
        if kind == PLUGIN:
            load_plugin_file(path)
        else:
            run_file(path, "file of rules")
    except PluginProblem as error:
        raise InputProblem(str(error)) from None
