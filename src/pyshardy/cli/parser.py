"""The class of the parsers of ``pyshardy`` and its subcommands."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

from pyshardy.cli.files import InputProblem


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are problems like any other."""

    def error(self, message: str) -> NoReturn:
        raise InputProblem(f"{message}\n{self.prog} --help says what there is")


if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Parser]
