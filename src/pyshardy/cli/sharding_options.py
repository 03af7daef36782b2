"""Options of commands that take shardings from outside of the program: a sharding file, a strategy in it, a mesh.

``reading.sharding_files`` reads and applies them.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyshardy.cli.files import InputProblem
from pyshardy.cli.program_input import read_program

if TYPE_CHECKING:
    from pyshardy.api.module import Module
    from pyshardy.reading.sharding_files.strategies import Shardings


def add_shardings(parser: argparse.ArgumentParser) -> None:
    """Adds the sharding file and the mesh."""
    parser.add_argument(
        "--shardings",
        metavar="S.toml[:NAME]",
        help="shard the program as this file says, or the strategy called NAME in it, in place of what the program "
        "says of the same tensors",
    )
    add_mesh(parser)
    parser.set_defaults(sharding_strategy=None)


def add_mesh(parser: argparse.ArgumentParser) -> None:
    """Adds the mesh that stands instead of the one in a sharding file."""
    parser.add_argument(
        "--mesh",
        type=read_mesh,
        metavar="AXIS=SIZE,…",
        help="take this mesh instead of the one in the sharding file: data=8,model=4",
    )


def add_strategy(parser: argparse.ArgumentParser) -> None:
    """Adds the other way to name a strategy."""
    parser.add_argument(
        "--strategy",
        dest="sharding_strategy",
        metavar="NAME",
        help="the strategy in the sharding file, as in S.toml:NAME",
    )


def read_mesh(text: str) -> dict[str, int]:
    """The axes that ``data=8,model=4`` names.

    Raises:
        ArgumentTypeError: it is no mesh.
    """
    axes: dict[str, int] = {}
    for one in text.split(","):
        name, equals, size = one.partition("=")
        name = name.strip()
        if not (name and equals and size.strip().isdecimal()) or int(size) < 1 or name in axes:
            raise argparse.ArgumentTypeError(f"'{text}' is no mesh, as data=8,model=4")
        axes[name] = int(size)
    return axes


def file_and_strategy(text: str) -> tuple[str, str | None]:
    """What ``S.toml:NAME`` means; a file may have a colon in its name."""
    path, colon, strategy = text.rpartition(":")
    if not colon or not path or os.path.exists(text) or "/" in strategy or "\\" in strategy:
        return text, None
    return path, strategy


def read_shardings(text: str, strategy: str | None, mesh: dict[str, int] | None) -> Shardings:
    """The shardings that ``S.toml:NAME`` means.

    Raises:
        InputProblem: the file cannot be read, or something in it is wrong.
    """
    from pyshardy.reading.sharding_files.strategies import load_shardings

    path, named = file_and_strategy(text)
    if named is not None and strategy not in (None, named):
        raise InputProblem(f"--shardings {text} and --strategy {strategy} name two strategies: one of them is wanted")
    with sharding_file_problems(path):
        return load_shardings(path, named if strategy is None else strategy, mesh=mesh)


@contextmanager
def sharding_file_problems(path: str) -> Iterator[None]:
    """Says what is wrong with the sharding file at ``path``.

    Raises:
        InputProblem: it cannot be read, or something in it is wrong.
    """
    try:
        yield
    except OSError as error:
        raise InputProblem(f"cannot open sharding file '{path}': {error.strerror or error}") from None
    except ValueError as error:
        raise InputProblem(str(error)) from None


def read_sharded_program(options: argparse.Namespace) -> Module:
    """The program that ``options`` name, with their shardings.

    Raises:
        InputProblem: a file cannot be read, or something in it is wrong or does not fit the program.
        PyshardyError: the program is wrong.
    """
    if options.shardings is None:
        for option, given in (("--mesh", options.mesh), ("--strategy", options.sharding_strategy)):
            if given is not None:
                raise InputProblem(f"{option} belongs to a sharding file: --shardings S.toml")
        return read_program(options)
    shardings = read_shardings(options.shardings, options.sharding_strategy, options.mesh)
    module = read_program(options)
    shard(module, shardings)
    return module


def shard(module: Module, shardings: Shardings) -> None:
    """Puts ``shardings`` into ``module``; notes on what was missing there are made again.

    Raises:
        InputProblem: something does not fit.
        PyshardyError: the program with them is illegal.
    """
    from pyshardy.reading.missing_shardings import why_nothing_is_sharded

    before = why_nothing_is_sharded(module)
    try:
        module.apply_shardings(shardings)
    except ValueError as error:
        raise InputProblem(str(error)) from None
    module.notes = [note for note in module.notes if note not in before] + why_nothing_is_sharded(module)
