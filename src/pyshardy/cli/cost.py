"""``pyshardy cost FILE``: prints how long a step takes, and whether it fits; compares several plans."""

from __future__ import annotations

import argparse
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.files import InputProblem, write_text
from pyshardy.cli.hardware_options import add_hardware, read_target
from pyshardy.cli.json_output import json_text
from pyshardy.cli.partition import plan_of
from pyshardy.cli.program_options import add_propagated, add_propagation, add_reading, add_sizes_and_rules
from pyshardy.cli.program_output import print_notes
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import add_mesh, add_strategy, read_sharded_program

if TYPE_CHECKING:
    from pyshardy.analysis.cost.schedule import Schedule
    from pyshardy.analysis.cost.step_cost import Cost
    from pyshardy.analysis.cost.targets import Target
    from pyshardy.cli.parser import Commands
    from pyshardy.module import Module
    from pyshardy.partitioning.plan import Plan


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "cost",
        help="say how long a step takes on given hardware, and whether it fits",
        description="Partitions a StableHLO program and says what a step of it costs on given hardware, or on that of "
        "its sharding file: time by bounds, communication by axes, operations that take longest, memory. Several "
        "programs, or several sharding files, stand side by side.",
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a program, - for standard input, in any form that the other commands read; several are compared",
    )
    add_hardware(parser)
    add_reading(parser)
    add_sizes_and_rules(parser)
    parser.add_argument(
        "--shardings",
        action="append",
        default=[],
        metavar="S.toml[:NAME]",
        help="shard the program as this file says, or the strategy called NAME in it; several are compared",
    )
    add_mesh(parser)
    add_strategy(parser)
    add_propagated(parser)
    add_propagation(parser)
    parser.add_argument("--json", action="store_true", help="print the figures, or what is wrong, as JSON")
    parser.add_argument(
        "--trace",
        metavar="OUT.json",
        help="also write the modelled step as a trace for Perfetto or chrome://tracing: compute and links as tracks",
    )
    parser.add_argument("--all", action="store_true", help="show all operations, not only those that take longest")
    parser.set_defaults(run=cost_command)


def cost_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy cost``; the exit code."""
    from pyshardy.analysis.cost.estimate import cost_of, cost_of_timed
    from pyshardy.analysis.cost.schedule import schedule_of
    from pyshardy.analysis.cost.timed_plan import TimedPlan
    from pyshardy.report.step_trace import step_trace

    given = read_target(options)
    costs: dict[str, Cost] = {}
    traced: dict[str, tuple[Plan, Schedule]] = {}
    notes: list[str] = []
    with Progress("reading") as progress:
        columns = _columns(options)
        for name, one in columns.items():
            module = read_sharded_program(one)
            where = given or _named_in_file(module, options)
            plan = plan_of(module, one, progress)
            show_diagnostics((*module.context.diagnostics, *plan.local.context.diagnostics), module.context.source)
            progress.step("reckoning")
            try:
                if options.trace is None:
                    costs[name] = cost_of(plan, where)
                else:
                    timed = TimedPlan(plan, where)
                    costs[name] = cost_of_timed(timed)
                    traced[name] = plan, schedule_of(timed)
            except ValueError as error:
                raise InputProblem(str(error)) from None
            notes += [f"{name}: {note}" if len(columns) > 1 else note for note in plan.source.notes]
    if options.trace is not None:
        write_text(options.trace, step_trace(traced))
    if options.json:
        _print_json(costs)
    else:
        _print_text(costs, notes, everything=options.all)
    return 0


def _print_json(costs: dict[str, Cost]) -> None:
    listed = [{"plan": name, **cost.as_json()} for name, cost in costs.items()]
    print(json_text("cost", listed[0] if len(listed) == 1 else listed))


def _print_text(costs: dict[str, Cost], notes: list[str], *, everything: bool) -> None:
    from pyshardy.report.cost_comparison import print_costs
    from pyshardy.report.cost_tables import print_cost

    if len(costs) == 1:
        print_cost(next(iter(costs.values())), sys.stdout, everything=everything)
    else:
        print_costs(costs, sys.stdout)
    print_notes(notes, sys.stdout)


def _named_in_file(module: Module, options: argparse.Namespace) -> Target:
    """The hardware that the sharding file of ``module`` names.

    Raises:
        InputProblem: it names none, or there is no such hardware.
    """
    from pyshardy.analysis.cost.hardware import FUSED
    from pyshardy.analysis.cost.preset_files import presets
    from pyshardy.analysis.cost.targets import named_target

    name = module.hardware
    if name is None:
        raise InputProblem(
            f"--hardware is missing: one of {', '.join(presets())}, or a TOML file (pyshardy docs cost#hardware)"
        )
    try:
        return named_target(name._replace(attention=FUSED) if options.fused_attention else name)
    except ValueError as error:
        raise InputProblem(str(error)) from None


def _columns(options: argparse.Namespace) -> dict[str, argparse.Namespace]:
    """What is asked about: each file under each sharding file, by names as short as they can be."""
    given: list[str | None] = options.shardings or [None]
    if len(given) > 1 and options.sharding_strategy is not None:
        raise InputProblem("--strategy belongs to one sharding file: name strategies as in S.toml:NAME")
    found: dict[str, argparse.Namespace] = {}
    for file in dict.fromkeys(options.files):
        for shardings in dict.fromkeys(given):
            long = " ".join(filter(None, (file, shardings)))
            name = _short(file, shardings, several_files=len(options.files) > 1, several=len(given) > 1)
            column = argparse.Namespace(**{**vars(options), "file": file, "shardings": shardings})
            found[long if name in found else name] = column
    return found


def _short(file: str, shardings: str | None, *, several_files: bool, several: bool) -> str:
    parts = [PurePath(file).stem] if several_files or not several else []
    if several and shardings is not None:
        path, colon, strategy = shardings.rpartition(":")
        parts.append(strategy if colon else PurePath(path or strategy).stem)
    return " ".join(parts)
