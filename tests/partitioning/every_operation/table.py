"""The table of programs, which the files of families fill by decorator, and how they write an operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.partitioning.random_layouts import Case, Family, tensor

PROGRAMS: dict[str, Family] = {}

Program = Callable[[Case, str], None]


def program(*names: str) -> Callable[[Program], Program]:
    """Registers the decorated function for the operations called ``names``; it is told which one to add."""

    def register(function: Program) -> Program:
        for name in names:
            PROGRAMS[name] = lambda case, name=name: function(case, name)  # type: ignore[misc]
        return function

    return register


def each(dialect: str, names: str) -> list[str]:
    """Names separated by spaces, with their dialect."""
    return [f"{dialect}.{name}" for name in names.split()]


def add(
    case: Case,
    name: str,
    operands: Sequence[str],
    types: Sequence[str],
    results: Sequence[str],
    properties: str = "",
    regions: str = "",
) -> list[str]:
    """Adds an operation in the generic form."""
    given = f" <{{{properties}}}>" if properties else ""
    inside = f" ({regions})" if regions else ""
    return case.add_sharded(
        f'"{name}"({", ".join(operands)}){given}{inside} ATTRS : ({", ".join(types)}) -> ({", ".join(results)})',
        results,
        len(results),
    )


def constant(case: Case, type: str, value: object) -> str:
    """A constant; ``value`` is its literal."""
    return case.add(f"stablehlo.constant dense<{value}> : {type}")


def listed(values: Sequence[int]) -> str:
    """``array<i64: 1, 2>``."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def indices(case: Case, values: Sequence[int], element: str = "i32") -> str:
    """A vector of constants."""
    return constant(case, tensor([len(values)], element), list(values) if values else "")


def scalar(case: Case, value: int, element: str = "i32") -> str:
    """A scalar constant."""
    return constant(case, f"tensor<{element}>", value)
