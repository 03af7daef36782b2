"""The options that name hardware, and their values."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pyshardy.analysis.cost.preset_files import presets
from pyshardy.cli.files import InputProblem

if TYPE_CHECKING:
    from pyshardy.analysis.cost.hardware import Hardware
    from pyshardy.analysis.cost.targets import Target

_Hardware = TypeVar("_Hardware")


def add_hardware(parser: argparse.ArgumentParser, *, counted: bool = False) -> None:
    """Adds the option; the hardware may be ``counted``: how many devices there are, or which slice of a torus."""
    number = ", optionally with a number of devices or a slice of a torus (h100x8, v5p:4x4x8)" if counted else ""
    parser.add_argument(
        "--hardware",
        metavar="NAME[xN|:AxB]|H.toml" if counted else "NAME|H.toml",
        help=f"the hardware, for times and memory: {', '.join(presets())}{number}, or a TOML file",
    )
    parser.add_argument(
        "--fused-attention",
        action="store_true",
        help='treat attention as one kernel, like attention = "fused" in a hardware file',
    )


def read_hardware(options: argparse.Namespace) -> Hardware | None:
    """The hardware that is meant; None if none is given.

    Raises:
        InputProblem: there is no such, or its file cannot be read or is wrong.
    """
    from pyshardy.analysis.cost.hardware_files import hardware

    return _read(options, lambda given, attention: hardware(given, attention=attention))


def read_target(options: argparse.Namespace) -> Target | None:
    """The hardware that is meant, with the number of devices; None if none is given.

    Raises:
        InputProblem: there is no such, or its file cannot be read or is wrong.
    """
    from pyshardy.analysis.cost.targets import target

    return _read(options, lambda given, attention: target(given, attention=attention))


def _read(options: argparse.Namespace, read: Callable[[str, str | None], _Hardware]) -> _Hardware | None:
    from pyshardy.analysis.cost.hardware import FUSED

    given = options.hardware
    try:
        return None if given is None else read(given, FUSED if options.fused_attention else None)
    except OSError as error:
        raise InputProblem(f"cannot open hardware file '{given}': {error.strerror or error}") from None
    except ValueError as error:
        raise InputProblem(str(error)) from None
