"""How small programs write shardings: one list of axes a dimension, ``"x,y"`` or ``""``."""

from __future__ import annotations


def sharding(*dims: str, mesh: str = "m", unreduced: str = "") -> str:
    """``<@m, [{"x", "y"}, {}]>``."""
    listed = ", ".join("{" + ", ".join(f'"{axis}"' for axis in dim.split(",") if axis) + "}" for dim in dims)
    terms = f', unreduced={{"{unreduced}"}}' if unreduced else ""
    return f"<@{mesh}, [{listed}]{terms}>"


def sharded(type: str, *dims: str, mesh: str = "m", unreduced: str = "") -> str:
    """``type {sdy.sharding = …}``, as of an argument or a result."""
    return f"{type} {{sdy.sharding = #sdy.sharding{sharding(*dims, mesh=mesh, unreduced=unreduced)}}}"
