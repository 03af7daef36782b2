"""``pyshardy compare FILE S.toml …``: compares what the strategies of sharding files cost for a program, side by side.

``--store`` keeps the figures in a file, ``--against`` fails if they have grown since.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.files import InputProblem, read_bytes, write_text
from pyshardy.cli.hardware_options import add_hardware, read_target
from pyshardy.cli.json_output import json_text
from pyshardy.cli.partition import plan_of
from pyshardy.cli.program_input import read_program
from pyshardy.cli.program_options import add_program, add_propagation, add_sizes_and_rules
from pyshardy.cli.program_output import print_notes
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import add_mesh, file_and_strategy, read_shardings, shard, sharding_file_problems
from pyshardy.cli.sizes import read_size

if TYPE_CHECKING:
    from pyshardy.analysis.cost.targets import Target
    from pyshardy.cli.parser import Commands
    from pyshardy.partitioning.plan import Plan
    from pyshardy.reading.sharding_files.strategies import Shardings
    from pyshardy.report.stored_figures import Difference, Figures, StoredFigures

_GIVEN = "as given"


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "compare",
        help="say what several shardings of a program cost, side by side",
        description="Partitions a StableHLO program for each strategy of the sharding files and prints a table with a "
        "column for each: memory of a device, what it receives in collectives and along which axes, padding. With "
        "--store the figures are kept in a file; with --against the exit code is 1 if they are more than those in it.",
    )
    add_program(parser)
    parser.add_argument(
        "strategies",
        nargs="*",
        metavar="S.toml[:NAME]",
        help="a sharding file with all its strategies, or one of these; none with --store or --against: the program as "
        "it is given",
    )
    add_sizes_and_rules(parser)
    add_mesh(parser)
    add_propagation(parser)
    parser.add_argument("--given", action="store_true", help="compare with the shardings that the program has, too")
    parser.add_argument(
        "--replicated-above",
        type=read_size,
        metavar="SIZE",
        help="list replicated arguments and results of at least this size: 500KiB (default: 1MiB)",
    )
    _add_stored(parser)
    parser.add_argument("--json", action="store_true", help="print the figures, or what is wrong, as JSON")
    parser.set_defaults(run=compare_command, propagated=False)


def _add_stored(parser: argparse.ArgumentParser) -> None:
    stored = parser.add_mutually_exclusive_group()
    stored.add_argument("--store", metavar="OUT.json", help="keep the figures of each strategy there")
    stored.add_argument(
        "--against",
        metavar="STORED.json",
        help="end with exit code 1 and a line that says what grew, if a device receives more bytes, needs more memory "
        "or is expected to take longer than stored there",
    )
    parser.add_argument(
        "--tolerance",
        type=_share,
        default=0.01,
        metavar="PERCENT",
        help="how much more is no failure of --against: 0, 1%% (default), 2.5%%",
    )
    add_hardware(parser)


def compare_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy compare``; the exit code."""
    from pyshardy.report.strategy_comparison import LARGE, StrategyComparison, strategy_cost

    stored = None if options.against is None else _read_stored(options.against)
    if stored is not None and options.hardware is None:
        options.hardware = stored.hardware
    hardware = read_target(options)
    columns = _columns(options)
    above = LARGE if options.replicated_above is None else int(options.replicated_above)
    costs = []
    figures: dict[str, Figures] = {}
    with Progress("reading") as progress:
        source = read_program(options)
        for name, shardings in columns.items():
            module = source.copy()
            if shardings is not None:
                shard(module, shardings)
            plan = plan_of(module, options, progress, in_place=True)
            show_diagnostics(module.context.diagnostics, module.context.source)
            costs.append(strategy_cost(name, plan, above))
            figures[name] = _figures_of(plan, costs[-1].traffic.run_bytes, hardware)
    comparison = StrategyComparison(tuple(costs), above)
    differences = [] if stored is None else _differences(stored, figures, options.against)
    grown = [one for one in differences if one.has_grown(options.tolerance)]
    if options.store is not None:
        _store(options, figures)
    if options.json:
        more = {} if stored is None else {"grown": [one.as_json() for one in grown]}
        print(json_text("compare", {**comparison.as_json(), **more}))
    else:
        print_notes([] if _GIVEN not in columns else source.notes, sys.stdout)
        comparison.print(sys.stdout)
        if stored is not None:
            print(_judgement(options, differences, grown))
    return 1 if grown else 0


def _columns(options: argparse.Namespace) -> dict[str, Shardings | None]:
    """What is compared, by name.

    Raises:
        InputProblem: nothing is, or a file cannot be read or is wrong.
    """
    if options.strategies:
        return strategies_of(options.strategies, options.mesh, with_given=options.given)
    if options.store is None and options.against is None:
        raise InputProblem(
            "there is nothing to compare with: name a sharding file, S.toml, or --store figures.json now and --against "
            "figures.json later"
        )
    if options.mesh is not None:
        raise InputProblem("--mesh belongs to a sharding file: name one, S.toml")
    return {_GIVEN: None}


def _figures_of(plan: Plan, received: float, hardware: Target | None) -> Figures:
    """What is kept of a plan.

    Raises:
        InputProblem: its mesh does not fit the hardware.
    """
    from pyshardy.analysis.cost.estimate import cost_of
    from pyshardy.report.stored_figures import Figures

    if hardware is None:
        return Figures(received, plan.memory.peak)
    try:
        return Figures(received, plan.memory.peak, cost_of(plan, hardware).step_seconds.expected)
    except ValueError as error:
        raise InputProblem(str(error)) from None


def _store(options: argparse.Namespace, figures: dict[str, Figures]) -> None:
    from pyshardy.report.stored_figures import StoredFigures

    write_text(options.store, StoredFigures(figures, options.hardware).text())


def _read_stored(path: str) -> StoredFigures:
    """The stored figures.

    Raises:
        InputProblem: the file cannot be read, or is something else.
    """
    from pyshardy.report.stored_figures import read_figures

    try:
        return read_figures(read_bytes(path).decode())
    except UnicodeDecodeError:
        raise InputProblem(f"{path}: this is no text, and no file of figures, as --store writes it") from None
    except ValueError as error:
        raise InputProblem(f"{path}: {error}") from None


def _differences(stored: StoredFigures, figures: dict[str, Figures], path: str) -> list[Difference]:
    try:
        return stored.differences(figures)
    except ValueError as error:
        raise InputProblem(f"{path} {error}") from None


def _judgement(options: argparse.Namespace, differences: list[Difference], grown: list[Difference]) -> str:
    """The line that says what has grown, or that nothing has."""
    several = len({one.plan for one in differences}) > 1
    shown = grown or [one for one in differences if one.has_shrunk(options.tolerance)]
    texts = "; ".join(f"{one.plan}: {one.text}" if several else one.text for one in shown)
    if grown:
        return f"more than in {options.against}: {texts}"
    if shown:
        return f"less than in {options.against}: {texts}; --store keeps the new figures"
    return f"as in {options.against}: nothing differs by more than {options.tolerance * 100:.3g}%"


def _share(text: str) -> float:
    """The fraction that a percentage means.

    Raises:
        ArgumentTypeError: ``text`` is not a percentage.
    """
    try:
        found = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        found = -1.0
    if not 0 <= found < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a percentage, as 0, 1% or 2.5%")
    return found


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
