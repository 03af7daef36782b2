"""Options of the commands that explain a plan, and the program and explainer that they give."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.files import InputProblem
from pyshardy.cli.program_options import add_propagation, add_sizes_and_rules
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import add_shardings, add_strategy, read_sharded_program

if TYPE_CHECKING:
    from pyshardy.analysis.cost.targets import Target
    from pyshardy.analysis.why.explainer import Explainer


def add_sharding(parser: argparse.ArgumentParser) -> None:
    """Adds what says how the program is sharded."""
    add_sizes_and_rules(parser)
    add_shardings(parser)
    add_strategy(parser)
    add_propagation(parser)


def read_explained(options: argparse.Namespace, progress: Progress, on: Target | None = None) -> Explainer:
    """The explainer of the program that ``options`` name, on the hardware ``on`` if there is some.

    Raises:
        InputProblem: a file cannot be read, or something in it is wrong; the mesh does not fit the hardware.
        PyshardyError: the program is refused.
    """
    from pyshardy.analysis.why.explainer import Explainer

    module = read_sharded_program(options)
    progress.step("partitioning")
    try:
        explainer = Explainer(module, chlo_rules=options.chlo_rules, progress=progress.count)
        if on is not None:
            explainer = explainer.on(on)
    except ValueError as error:
        raise InputProblem(str(error)) from None
    progress.step("looking back")
    return explainer


def show_diagnostics_of(explainer: Explainer) -> None:
    """Prints what propagation and the partitioner said."""
    traced = explainer.traced
    show_diagnostics(traced.program.context.diagnostics, traced.source.context.source)
