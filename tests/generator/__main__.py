"""Prints a random program: `python -m tests.generator SEED [--features calls=3 loops=0]`."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace

from tests.generator.features import Features
from tests.generator.program import random_program


def parse_features(settings: list[str]) -> Features:
    """Returns the default features changed by settings of the form `name=number`."""
    known = {field.name for field in fields(Features)}
    changes: dict[str, float] = {}
    for setting in settings:
        name, _, number = setting.partition("=")
        if name not in known:
            raise SystemExit(f"no such feature: {name}; there are {', '.join(sorted(known))}")
        changes[name] = int(number) if name == "operations" else float(number)
    return replace(Features(), **changes)  # type: ignore[arg-type]


def main() -> None:
    """Prints the program that belongs to the seed."""
    parser = argparse.ArgumentParser(prog="python -m tests.generator", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--features", nargs="*", default=[], metavar="NAME=NUMBER")
    options = parser.parse_args()
    print(random_program(options.seed, parse_features(options.features)), end="")


if __name__ == "__main__":
    main()
