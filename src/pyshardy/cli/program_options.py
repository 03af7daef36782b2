"""Options that several commands have in common: which program to read, and where to write the result."""

from __future__ import annotations

import argparse

from pyshardy.ir.limits import LIMITS, read_limit, set_limit


def add_program(parser: argparse.ArgumentParser) -> None:
    """Adds the file and the flags that say how it is read."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the program, - for standard input: StableHLO as text, MLIR bytecode, a StableHLO artifact, what "
        "jax.export serializes, or any of these in gzip",
    )
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Adds the flags that say how a program is read."""
    parser.add_argument(
        "--allow-unregistered-dialect", action="store_true", help="accept operations of unknown dialects"
    )
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=N",
        type=_limit,
        help=f"allow more of what pyshardy docs limits lists: {', '.join(LIMITS)}",
    )


def _limit(text: str) -> tuple[str, int]:
    try:
        name, value = read_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    set_limit(name, value)
    return name, value


def add_sizes_and_rules(parser: argparse.ArgumentParser) -> None:
    """Adds the flags for sizes of dynamic dimensions and for sharding rules of the user's."""
    parser.add_argument(
        "--bind",
        action="append",
        default=[],
        metavar="NAME=SIZE",
        type=_size,
        help="the size of a symbol of jax.export (b=16), or of a dynamic dimension of an argument (arg0:1=16)",
    )
    parser.add_argument(
        "--rules",
        action="append",
        default=[],
        metavar="FILE.py",
        help="run this Python file, which registers sharding rules (pyshardy.custom_call_rule, pyshardy.sharding_rule)"
        ", evaluators, costs",
    )


def _size(text: str) -> tuple[str, int]:
    name, equals, size = text.partition("=")
    if not (name and equals and size.strip().isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}' is no NAME=SIZE, as b=16 or arg0:1=16")
    return name.strip(), int(size)


def add_propagation(parser: argparse.ArgumentParser) -> None:
    """How shardings propagate."""
    parser.add_argument(
        "--no-chlo-rules",
        dest="chlo_rules",
        action="store_false",
        help="let no sharding pass through operations of CHLO, as in Shardy's own passes (XLA legalizes them first)",
    )


def add_edits(parser: argparse.ArgumentParser, each: str) -> None:
    """Whether edits are tried; ``each`` is what there may be one for."""
    edits = parser.add_mutually_exclusive_group()
    edits.add_argument("--no-edits", dest="edits", action="store_false", default=None, help="try no edits")
    edits.add_argument(
        "--edits", dest="edits", action="store_true", default=None, help=f"try edits for {each}, however many"
    )


def add_propagated(parser: argparse.ArgumentParser) -> None:
    """Whether to propagate at all."""
    parser.add_argument(
        "--propagated", action="store_true", help="take the shardings as they stand instead of propagating them first"
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Where the program goes, and how the summary is written."""
    parser.add_argument("-o", "--output", metavar="OUT", help="write the program there; the summary goes to stdout")
    parser.add_argument("--json", action="store_true", help="print the summary, or what is wrong, as JSON")
    parser.add_argument(
        "--all", action="store_true", help="show every row by itself instead of one for those that are alike"
    )
