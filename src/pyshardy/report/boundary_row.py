"""An argument or result of a program, as summaries of propagation and of plans list it."""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.ir.json_fields import fields_as_json


@dataclass(frozen=True)
class BoundaryRow:
    """An argument or result: its author's ``name`` and its ``symbol`` in MLIR. Shapes and bytes are those of the whole
    tensor and those on a device (rounded up); ``sharding`` is None without one."""

    name: str
    symbol: str
    type: str
    sharding: str | None
    shape: tuple[int, ...]
    device_shape: tuple[int, ...]
    bytes: int
    device_bytes: int

    def as_json(self) -> dict[str, object]:
        """The argument or result as plain values; docs/propagate.md describes the schema."""
        return fields_as_json(self)
