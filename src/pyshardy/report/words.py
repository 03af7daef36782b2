"""Counts, sizes, meshes and operations as every table and page writes them."""

from __future__ import annotations

from pyshardy.sharding.mesh import Mesh


def counted(count: int, noun: str) -> str:
    """``1 device``, ``2 devices``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def size_text(count: float) -> str:
    """Bytes, rounded to whole ones, with a binary unit: ``1.5 KiB``."""
    size = float(round(count))
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


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
