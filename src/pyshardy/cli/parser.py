"""The class of the parsers of ``pyshardy`` and its subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from pyshardy.cli.files import InputProblem


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are problems like any other."""

    def error(self, message: str) -> NoReturn:
        raise InputProblem(f"{message}\n{self.prog} --help says what there is")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """What argparse does; a subcommand complains itself of arguments that it does not know."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            from pyshardy.ir.suggestions import nearest

            known = {one.lstrip("-"): one for one in self._option_string_actions}
            near = filter(
                None, (nearest(one.partition("=")[0].lstrip("-"), known) for one in unknown if one.startswith("-"))
            )
            advice = next((f"; did you mean {known[one]!r}?" for one in near), "")
            self.error(f"unrecognized arguments: {' '.join(unknown)}{advice}")
        return found, unknown


if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Parser]
