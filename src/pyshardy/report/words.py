"""Formats counts, sizes, times, meshes and operations for all tables and pages."""

from __future__ import annotations

from pyshardy.sharding.mesh import Mesh

SIZE_UNITS = (("TiB", 2.0**40), ("GiB", 2.0**30), ("MiB", 2.0**20), ("KiB", 2.0**10), ("B", 1.0))
"""The units of sizes."""
_MOST_BYTES = 2**100
"""Larger sizes are not written out. Those of tensors of 3,000 dimensions do not even fit into a float."""
SECONDS_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
"""The units of times."""


def counted(count: int, noun: str) -> str:
    """``1 device``, ``2 devices``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def size_text(count: float) -> str:
    """Bytes, rounded to whole ones, with a binary unit: ``1.5 KiB``."""
    if count > _MOST_BYTES:
        return "more than 2^100 B"
    size = float(round(count))
    unit, one = next((row for row in SIZE_UNITS if size >= row[1]), SIZE_UNITS[-1])
    return f"{size / one:.0f} {unit}" if unit == "B" else f"{size / one:.1f} {unit}"


def seconds_text(seconds: float) -> str:
    """A time with three digits and a unit: ``1.25 ms``."""
    if not seconds:
        return "0 s"
    unit, size = next((row for row in SECONDS_UNITS if seconds >= 0.9995 * row[1]), SECONDS_UNITS[-1])
    return f"{_three_digits(seconds / size)} {unit}"


def flops_text(flops: float) -> str:
    """Floating point operations with three digits and a unit: ``1.25 GFLOP``."""
    for unit, size in (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if flops >= 0.9995 * size:
            return f"{_three_digits(flops / size)} {unit}FLOP"
    return f"{flops:.0f} FLOP"


def _three_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 99.95 else f"{number:.1f}" if number >= 9.995 else f"{number:.2f}"


def short_name(operation: str) -> str:
    """The name of an operation of StableHLO without its dialect."""
    return operation.removeprefix("stablehlo.")


def mesh_text(name: str, mesh: Mesh) -> str:
    """``mesh @mesh: data=4, model=2``."""
    axes = ", ".join(f"{axis.name}={axis.size}" for axis in mesh.axes) or "no axes"
    return f"mesh @{name}: {axes}"


def left_out(count: int, how: str = "--all shows them") -> str:
    """The line below a table that does not show everything."""
    return f" … and {count} more ({how})"


_LONGEST = 120


def one_line(text: str, most: int = _LONGEST) -> str:
    """``text`` for a terminal or a picture, where nothing else escapes it: characters that are not printable (control
    sequences, marks that change the direction of writing) are escaped as in a Python string, and the middle of a text
    of more than ``most`` characters is left out.

    >>> print(one_line("a\\x1b[2Jb"), one_line("x" * 30, 11))
    a\\x1b[2Jb xxxxx…xxxxx
    """
    if len(text) > most:
        half = (most - 1) // 2
        text = f"{text[:half]}…{text[len(text) - half :]}"
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
