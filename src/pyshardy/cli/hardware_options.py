"""The options that name hardware, and their values."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pyshardy.analysis.cost.preset_files import presets
from pyshardy.cli.files import InputProblem

if TYPE_CHECKING:
    from pyshardy.analysis.cost.targets import Target


def add_hardware(parser: argparse.ArgumentParser) -> None:
    """Adds the option."""
    parser.add_argument(
        "--hardware",
        metavar="NAME[xN|:AxB]|H.toml",
        help=f"the hardware, for times and memory: {', '.join(presets())}, optionally with a number of devices or a "
        "slice of a torus (h100x8, v5p:4x4x8), or a TOML file",
    )
    parser.add_argument(
        "--fused-attention",
        action="store_true",
        help='treat attention as one kernel, like attention = "fused" in a hardware file',
    )


def read_target(options: argparse.Namespace) -> Target | None:
    """The hardware that is meant, with the number of devices; None if none is given.

    Raises:
        InputProblem: there is no such, or its file cannot be read or is wrong.
    """
    from pyshardy.analysis.cost.hardware import FUSED
    from pyshardy.analysis.cost.targets import target

    given = options.hardware
    try:
        return None if given is None else target(given, attention=FUSED if options.fused_attention else None)
    except OSError as error:
        raise InputProblem(f"cannot open hardware file '{given}': {error.strerror or error}") from None
    except ValueError as error:
        raise InputProblem(str(error)) from None
