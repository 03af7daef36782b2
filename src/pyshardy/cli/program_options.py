"""Options that several commands have in common: which program to read, and where what comes of it goes."""

from __future__ import annotations

import argparse


def add_program(parser: argparse.ArgumentParser) -> None:
    """The program to read."""
    parser.add_argument("file", metavar="FILE", help="the program as text, - for standard input")
    parser.add_argument(
        "--allow-unregistered-dialect", action="store_true", help="accept operations of unknown dialects"
    )


def add_propagation(parser: argparse.ArgumentParser) -> None:
    """How shardings propagate."""
    parser.add_argument(
        "--no-chlo-rules",
        dest="chlo_rules",
        action="store_false",
        help="let no sharding pass through operations of CHLO, as in Shardy's own passes (XLA legalizes them first)",
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
