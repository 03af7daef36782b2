"""``pyshardy compare FILE S.toml …``: what the strategies of sharding files cost for a program, side by side."""

from __future__ import annotations

import argparse
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.json_output import json_text
from pyshardy.cli.partition import plan_of
from pyshardy.cli.program_input import read_program
from pyshardy.cli.program_options import add_program, add_propagation, add_sizes_and_rules
from pyshardy.cli.program_output import print_notes
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import add_mesh, file_and_strategy, read_shardings, shard, sharding_file_problems
from pyshardy.cli.sizes import read_size

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands
    from pyshardy.reading.sharding_files.strategies import Shardings

_GIVEN = "as given"


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "compare",
        help="say what several shardings of a program cost, side by side",
        description="Partitions a StableHLO program for each strategy of the sharding files and prints a table with a "
        "column for each: memory of a device, what it receives in collectives and along which axes, padding.",
    )
    add_program(parser)
    parser.add_argument(
        "strategies",
        nargs="+",
        metavar="S.toml[:NAME]",
        help="a sharding file with all its strategies, or one of these",
    )
    add_sizes_and_rules(parser)
    add_mesh(parser)
    add_propagation(parser)
    parser.add_argument("--given", action="store_true", help="compare with the shardings that the program has, too")
    parser.add_argument(
        "--replicated-above",
        type=read_size,
        metavar="SIZE",
        help="from which size on an argument or result is large, which should not be whole everywhere: 500KiB "
        "(default: 1MiB)",
    )
    parser.add_argument("--json", action="store_true", help="print the figures, or what is wrong, as JSON")
    parser.set_defaults(run=compare_command, propagated=False)


def compare_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy compare``; the exit code."""
    from pyshardy.report.strategy_comparison import LARGE, StrategyComparison, strategy_cost
    from pyshardy.report.strategy_tables import print_comparison

    columns = strategies_of(options.strategies, options.mesh, with_given=options.given)
    above = LARGE if options.replicated_above is None else int(options.replicated_above)
    costs = []
    with Progress("reading") as progress:
        source = read_program(options)
        for name, shardings in columns.items():
            module = source.copy()
            if shardings is not None:
                shard(module, shardings)
            plan = plan_of(module, options, progress, in_place=True)
            show_diagnostics(module.context.diagnostics, module.context.source)
            costs.append(strategy_cost(name, plan, above))
    comparison = StrategyComparison(tuple(costs), above)
    if options.json:
        print(json_text("compare", comparison.as_json()))
    else:
        print_notes([] if not options.given else source.notes, sys.stdout)
        print_comparison(comparison, sys.stdout)
    return 0


def strategies_of(given: list[str], mesh: dict[str, int] | None, *, with_given: bool) -> dict[str, Shardings | None]:
    """What ``S.toml[:NAME]…`` sets side by side, by names as short as they can be; None is the program as it is given.

    Raises:
        InputProblem: a file cannot be read, or something in it is wrong.
    """
    wanted = list(dict.fromkeys(one for text in given for one in _all_of(text)))
    only_one = len({path for path, _ in wanted}) == 1
    found: dict[str, Shardings | None] = {_GIVEN: None} if with_given else {}
    for path, strategy in wanted:
        text = path if strategy is None else f"{path}:{strategy}"
        stem = PurePath(path).stem
        short = stem if strategy is None else strategy if only_one else f"{stem}:{strategy}"
        found[text if short in found else short] = read_shardings(path, strategy, mesh)
    return found


def _all_of(text: str) -> list[tuple[str, str | None]]:
    """The strategies that ``S.toml`` or ``S.toml:NAME`` means, each with its file."""
    from pyshardy.reading.sharding_files.strategies import strategies_in

    path, strategy = file_and_strategy(text)
    if strategy is not None:
        return [(path, strategy)]
    with sharding_file_problems(path):
        return [(path, name) for name in strategies_in(path)]
