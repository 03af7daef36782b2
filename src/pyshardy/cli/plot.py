"""``pyshardy plot FILE --what … -o X.svg``: draws a picture of a plan for a paper or a slide."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING

from pyshardy.cli.compare import strategies_of
from pyshardy.cli.explained_program import add_sharding, read_explained, show_diagnostics_of
from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.files import InputProblem, write_bytes
from pyshardy.cli.hardware_options import add_hardware, read_target
from pyshardy.cli.partition import plan_of
from pyshardy.cli.program_input import read_program
from pyshardy.cli.program_options import add_program
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import read_sharded_program, shard

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pyshardy.analysis.cost.targets import Target
    from pyshardy.cli.parser import Commands
    from pyshardy.partitioning.plan import Plan


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "plot",
        help="draw a picture of a plan as SVG, PNG or PDF",
        description="Partitions a StableHLO program and draws one picture of it for a paper or a slide; the same "
        "program gives the same file. Needs matplotlib: pip install 'pyshardy[report]'.",
    )
    add_program(parser)
    parser.add_argument(
        "--what",
        required=True,
        choices=tuple(_PICTURES),
        help="memory: the values in the memory of a device over the program; communication: what each device receives, "
        "by kind and axes; mesh: a tensor on its mesh; strategies: those of a sharding file side by side",
    )
    parser.add_argument(
        "--tensor", metavar="WHAT", help="for mesh: the tensor, as for pyshardy show (default: the largest argument)"
    )
    add_hardware(parser)
    add_sharding(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="write the picture there: X.svg, X.png or X.pdf"
    )
    parser.set_defaults(run=plot_command, propagated=False)


def plot_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy plot``; the exit code."""
    from pyshardy.report.page.document import MissingExtra
    from pyshardy.report.plots import FORMATS, rendered

    format = PurePath(options.output).suffix.removeprefix(".").lower()
    if format not in FORMATS:
        raise InputProblem(f"-o {options.output}: a picture is one of {', '.join(FORMATS)}, by the end of its name")
    if options.tensor is not None and options.what != "mesh":
        raise InputProblem("--tensor belongs to --what mesh")
    with Progress("reading") as progress:
        try:
            data = rendered(_PICTURES[options.what](options, read_target(options), progress), format)
        except (MissingExtra, ValueError) as error:
            raise InputProblem(str(error)) from None
    write_bytes(options.output, data)
    return 0


def _plan(options: argparse.Namespace, progress: Progress) -> Plan:
    module = read_sharded_program(options)
    plan = plan_of(module, options, progress, in_place=True)
    show_diagnostics(module.context.diagnostics, module.context.source)
    progress.step("drawing")
    return plan


def _memory(options: argparse.Namespace, hardware: Target | None, progress: Progress) -> Figure:
    from pyshardy.report.plots import memory_figure

    return memory_figure(_plan(options, progress), hardware)


def _communication(options: argparse.Namespace, hardware: Target | None, progress: Progress) -> Figure:
    from pyshardy.analysis.cost.estimate import cost_of
    from pyshardy.report.plots import communication_figure

    plan = _plan(options, progress)
    return communication_figure(plan, cost_of(plan, hardware) if hardware is not None else None)


def _mesh(options: argparse.Namespace, hardware: Target | None, progress: Progress) -> Figure:
    from pyshardy.reading.tensors import main_arguments
    from pyshardy.report.mesh_drawing import TensorDrawing, drawings
    from pyshardy.report.plots import mesh_figure

    explainer = read_explained(options, progress)
    show_diagnostics_of(explainer)
    what = options.tensor
    if what is None:
        arguments = main_arguments(explainer.traced.source)
        if not arguments:
            raise InputProblem(f"{options.file} has no arguments: --tensor WHAT says what to draw")
        what = max(arguments, key=lambda one: one.bytes).symbol
    found = drawings(explainer, what)
    if len(found) != 1 or not isinstance(found[0], TensorDrawing):
        raise InputProblem(f"--tensor {what}: a picture is of one tensor")
    return mesh_figure(found[0])


def _strategies(options: argparse.Namespace, hardware: Target | None, progress: Progress) -> Figure:
    from pyshardy.analysis.cost.estimate import cost_of
    from pyshardy.report.plots import strategies_figure
    from pyshardy.report.strategy_comparison import strategy_cost

    if options.shardings is None:
        raise InputProblem("--what strategies needs --shardings S.toml: the file with the strategies")
    if options.sharding_strategy is not None:
        raise InputProblem("--strategy names one strategy: --what strategies draws all of the file side by side")
    columns = strategies_of([options.shardings], options.mesh, with_given=False)
    source = read_program(options)
    rows = []
    for name, shardings in columns.items():
        module = source.copy()
        if shardings is not None:
            shard(module, shardings)
        plan = plan_of(module, options, progress, in_place=True)
        show_diagnostics(module.context.diagnostics, module.context.source)
        rows.append((strategy_cost(name, plan), cost_of(plan, hardware) if hardware is not None else None))
    progress.step("drawing")
    return strategies_figure(rows)


_PICTURES: dict[str, Callable[[argparse.Namespace, Target | None, Progress], Figure]] = {
    "memory": _memory,
    "communication": _communication,
    "mesh": _mesh,
    "strategies": _strategies,
}
