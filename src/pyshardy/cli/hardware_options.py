"""The option that names hardware, and what it means."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pyshardy.cli.files import InputProblem

if TYPE_CHECKING:
    from pyshardy.analysis.cost.hardware import Hardware


def add_hardware(parser: argparse.ArgumentParser) -> None:
    """Adds the option."""
    parser.add_argument(
        "--hardware",
        metavar="NAME|H.toml",
        help="what it runs on, for times and capacity: a100, h100, h200, b200, mi300x, v4, v5e, v5p, v6e, laptop, or a "
        "TOML file",
    )
    parser.add_argument(
        "--fused-attention",
        action="store_true",
        help='attention runs as one kernel there, as attention = "fused" in the file says',
    )


def read_hardware(options: argparse.Namespace) -> Hardware | None:
    """The hardware that is meant; None if none is given.

    Raises:
        InputProblem: there is no such, or its file cannot be read or is wrong.
    """
    from pyshardy.analysis.cost.hardware import FUSED
    from pyshardy.analysis.cost.hardware_files import hardware

    given = options.hardware

    try:
        if given is None:
            return None
        return hardware(given, attention=FUSED if options.fused_attention else None)
    except OSError as error:
        raise InputProblem(f"cannot open hardware file '{given}': {error.strerror or error}") from None
    except ValueError as error:
        raise InputProblem(str(error)) from None
