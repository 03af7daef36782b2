"""The answers of ``explain``: for a tensor the chain of every axis, the blockers of others, and edits; for a collective
the two shardings that conflict there.

Plain data, made by ``explainer``; ``report.explanation_text`` prints it, ``as_json`` returns the documented JSON.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.analysis.why.blocking_annotations import Blocker
from pyshardy.analysis.why.chains import Chain
from pyshardy.analysis.why.collective_reasons import CollectiveReason
from pyshardy.analysis.why.edits import Edit
from pyshardy.ir.json_fields import as_json, fields_as_json
from pyshardy.ir.source_location import SourceLocation
from pyshardy.propagation.sharding_origins import axis_name
from pyshardy.sharding.axes import axes_text


@dataclass(frozen=True)
class Dimension:
    """A dimension of a tensor: its global ``size``, the chain of each of its axes, the blockers of other axes."""

    dim: int
    size: int
    chains: tuple[Chain, ...]
    blockers: tuple[Blocker, ...]

    def as_json(self) -> dict[str, object]:
        """The dimension as plain values."""
        return fields_as_json(self, chains="axes", blockers="not")


@dataclass(frozen=True)
class Move:
    """A collective of the partition that a tensor goes through: ``question`` is its name for ``explain``."""

    question: str
    reason: CollectiveReason

    def as_json(self) -> dict[str, object]:
        """The move as plain values."""
        collective = self.reason.collective
        return {
            "collective": self.question,
            "axes": [axis_name(one) for one in collective.axes],
            "bytes": collective.bytes,
            "turns": collective.turns,
            "operation": self.reason.operation.name if self.reason.operation is not None else "",
            "location": self.reason.location.as_json(),
            "text": self.reason.text,
        }


@dataclass(frozen=True)
class TensorExplanation:
    """Why a tensor is sharded as it is. ``name`` is its author's name, or else MLIR's, ``value`` its name in MLIR's
    text of the source program; ``description`` describes it if it has no name; ``sharding`` is the final one, empty if
    there is none; ``copies`` is the number of copies that passes made of it. ``moves`` are the collectives that it goes
    through, ``causes`` those of other tensors that its annotation contributes to."""

    name: str
    value: str
    description: str
    type: str
    sharding: str
    local_type: str
    operation: str
    location: SourceLocation
    copies: int
    dimensions: tuple[Dimension, ...]
    moves: tuple[Move, ...]
    causes: tuple[Move, ...]
    edits: tuple[Edit, ...]

    def __repr__(self) -> str:
        return (
            f"<TensorExplanation {self.name}: {self.type}, {self.sharding or 'no sharding'}, {len(self.edits)} edits>"
        )

    def as_json(self) -> dict[str, object]:
        """The explanation as plain values; docs/explain.md describes the schema."""
        lists = ("dimensions", "moves", "causes", "edits")
        tensor = fields_as_json(self, left_out=lists)
        return {"tensor": tensor, **{name: as_json(getattr(self, name)) for name in lists}}


@dataclass(frozen=True)
class CollectiveExplanation:
    """Why a collective is needed, and edits that avoid it. ``tensor`` is the tensor that goes through it."""

    question: str
    reason: CollectiveReason
    tensor: str
    edits: tuple[Edit, ...]

    def __repr__(self) -> str:
        return f"<CollectiveExplanation {self.question}: {self.reason.text}>"

    def as_json(self) -> dict[str, object]:
        """The explanation as plain values; docs/explain.md describes the schema."""
        collective, reason = self.reason.collective, self.reason
        sides = [one for one in (reason.first, reason.second) if one is not None]
        return {
            "collective": {
                "name": self.question,
                "kind": collective.kind,
                "axes": [axis_name(one) for one in collective.axes],
                "group_size": collective.group_size,
                "bytes": collective.bytes,
                "turns": collective.turns,
                "tensor": self.tensor,
                "operation": reason.operation.name if reason.operation is not None else "",
                "location": reason.location.as_json(),
            },
            "factor": reason.factor,
            "sums": reason.sums,
            "text": reason.text,
            "meet": [one.as_json() for one in sides],
            "edits": [one.as_json() for one in self.edits],
        }

    @property
    def axes(self) -> str:
        """The axes of the collective, as text."""
        return axes_text(self.reason.collective.axes) if self.reason.collective.axes else "the program's own"


Explanation = TensorExplanation | CollectiveExplanation
