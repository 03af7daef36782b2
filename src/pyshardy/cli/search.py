"""``pyshardy search FILE --hardware h100x8``: searches for a strategy, and writes it as a sharding file."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING

from pyshardy.choices import EXPECTED, OBJECTIVES
from pyshardy.cli.files import InputProblem, reason, write_text
from pyshardy.cli.hardware_options import add_hardware, read_target
from pyshardy.cli.json_output import json_text
from pyshardy.cli.program_input import read_program
from pyshardy.cli.program_options import add_program, add_sizes_and_rules
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import read_mesh, read_shardings
from pyshardy.cli.sizes import read_size

if TYPE_CHECKING:
    from pyshardy.api.search import SearchResult
    from pyshardy.cli.parser import Commands

_MOST_WORKERS = 1024


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "search",
        help="find how to shard a program on given hardware",
        description="Finds a strategy for a StableHLO program, with or without shardings: which dimensions of its "
        "tensors are sharded along which axes of the mesh, so that a step fits and takes the least time. It is written "
        "as a sharding file, which partition, cost and check take.",
    )
    add_program(parser)
    add_sizes_and_rules(parser)
    add_hardware(parser)
    parser.add_argument(
        "--mesh",
        type=_mesh,
        metavar="AXIS=SIZE,…|auto",
        help="the mesh, data=4,model=2; auto (the default) finds its shape, too",
    )
    parser.add_argument(
        "--memory",
        type=read_size,
        metavar="SIZE",
        help="what a device may use: 70GB (default: what the chip has)",
    )
    parser.add_argument(
        "--seconds", type=_seconds, default=60.0, metavar="N", help="how long it may take (default: 60)"
    )
    parser.add_argument(
        "--objective",
        choices=OBJECTIVES,
        default=EXPECTED,
        help="what to minimise: the expected time of a step, that without or with full overlap, or memory",
    )
    parser.add_argument(
        "--keep",
        metavar="S.toml[:NAME]|program",
        help="shardings that the search must keep: those of a sharding file, or those of the program",
    )
    parser.add_argument(
        "--workers",
        type=_workers,
        default=1,
        metavar="N",
        help="the number of processes that share the work (default: 1)",
    )
    parser.add_argument("-o", "--output", metavar="OUT.toml", help="write the strategy there as a sharding file")
    parser.add_argument("--report", metavar="OUT.html", help="also write a page for a browser there")
    parser.add_argument("--explain", action="store_true", help="say what each line of the strategy gains")
    parser.add_argument("--check", action="store_true", help="prove that the partitioned program computes the same")
    parser.add_argument("--json", action="store_true", help="print the outcome, or what is wrong, as JSON")
    parser.set_defaults(run=search_command)


def _mesh(text: str) -> dict[str, int] | None:
    return None if text == "auto" else read_mesh(text)


def _seconds(text: str) -> float:
    if not re.fullmatch(r"\d+(\.\d+)?", text) or not float(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds above 0")
    return float(text)


def _workers(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of processes from 1 to {_MOST_WORKERS}")
    return int(text)


def search_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy search``; the exit code: 1 if nothing fits, or nothing is proven that was to be."""
    if options.report is not None:
        _look_for_packages()
    with Progress("reading") as progress:
        found = _found(options, progress)
        outcome = found.as_json(with_gains=options.explain or options.report is not None)
        if options.output is not None:
            write_text(options.output, found.text)
        if options.report is not None:
            _write_page(found, outcome, options.report)
        is_proven = not options.check or _check(found, outcome, progress)
    if options.json:
        print(json_text("search", outcome))
    else:
        from pyshardy.report.search_tables import print_search

        print_search(outcome, sys.stdout)
        if options.output is None:
            print(f"\n{found.text}", end="")
    return 0 if found.fits and is_proven else 1


def _check(found: SearchResult, outcome: dict[str, object], progress: Progress) -> bool:
    """Whether the program partitioned so is proven to compute the same; ``outcome`` says it, too."""
    from pyshardy.checking.check import TooLarge
    from pyshardy.checking.inputs import UnknownInput
    from pyshardy.checking.small_program import MADE_SMALL
    from pyshardy.interpreter.element_types import UnsupportedType

    progress.step("checking")
    try:
        report = found.check()
    except (TooLarge, UnknownInput, UnsupportedType) as error:
        outcome["check"] = {"agrees": False, "summary": f"not made: {error}"}
        return False
    small = next((note for note in report.notes if note.startswith(MADE_SMALL)), None)
    outcome["check"] = {"agrees": report.agrees, "summary": f"{report!r}{f'; {small}' if small is not None else ''}"}
    return report.agrees


def _look_for_packages() -> None:
    """Looks whether a page can be drawn, before a long search.

    Raises:
        InputProblem: a package is missing.
    """
    from pyshardy.report.page.document import MissingExtra, environment

    try:
        environment()
    except MissingExtra as error:
        raise InputProblem(str(error)) from None


def _write_page(found: SearchResult, outcome: dict[str, object], path: str) -> None:
    try:
        found.write_page(outcome, path)
    except (OSError, ValueError) as error:
        raise InputProblem(f"cannot open output file '{path}': {reason(error)}") from None


def _found(options: argparse.Namespace, progress: Progress) -> SearchResult:
    from pyshardy.analysis.cost.preset_files import presets
    from pyshardy.api.search import PROGRAM, search

    where = read_target(options)
    if where is None:
        raise InputProblem(
            f"--hardware is missing: one of {', '.join(presets())} with how many there are, as h100x8 or v5p:4x4x8, or "
            "a TOML file (pyshardy docs cost#hardware)"
        )
    keep = options.keep if options.keep in (None, PROGRAM) else read_shardings(options.keep, None, None)
    module = read_program(options)
    progress.step("searching")
    try:
        return search(
            module,
            where,
            mesh=options.mesh,
            memory=options.memory,
            seconds=options.seconds,
            objective=options.objective,
            keep=keep,
            workers=options.workers,
            progress=progress.count,
        )
    except ValueError as error:
        raise InputProblem(str(error)) from None
