"""What ``explain`` answers: a tensor with the chain of every axis, what kept others away, and edits; a collective with
the two shardings that meet there.

Plain data, made by ``explainer``; ``report.explanation_text`` writes it for people, ``as_json`` gives the documented
JSON.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.analysis.why.blocking_annotations import Blocker
from pyshardy.analysis.why.chains import Chain
from pyshardy.analysis.why.edits import Edit
from pyshardy.analysis.why.meetings import Meeting
from pyshardy.ir.source_location import SourceLocation
from pyshardy.propagation.sharding_origins import axis_name
from pyshardy.sharding.axes import axes_text


@dataclass(frozen=True)
class Dimension:
    """A dimension of a tensor: its global ``size``, the chain of each of its axes, what kept other axes away."""

    dim: int
    size: int
    chains: tuple[Chain, ...]
    blockers: tuple[Blocker, ...]

    def as_json(self) -> dict[str, object]:
        """The dimension as plain values."""
        return {
            "dim": self.dim,
            "size": self.size,
            "axes": [one.as_json() for one in self.chains],
            "not": [one.as_json() for one in self.blockers],
        }


@dataclass(frozen=True)
class Move:
    """A collective of the partition that a tensor goes through: ``question`` is how to ask for it."""

    question: str
    meeting: Meeting

    def as_json(self) -> dict[str, object]:
        """The move as plain values."""
        collective = self.meeting.collective
        return {
            "collective": self.question,
            "axes": [axis_name(one) for one in collective.axes],
            "bytes": collective.bytes,
            "turns": collective.turns,
            "operation": self.meeting.operation.name if self.meeting.operation is not None else "",
            "location": self.meeting.location.as_json(),
            "text": self.meeting.text,
        }


@dataclass(frozen=True)
class TensorExplanation:
    """Why a tensor is sharded as it is. ``name`` is what its author, or else MLIR, calls it, ``value`` what MLIR prints
    in the given program; ``description`` says what it is if it has no name; ``sharding`` is the one in the end, empty
    without one; ``copies`` is how many tensors passes made of it. ``moves`` are the collectives it goes through,
    ``causes`` those of other tensors that its annotation has a part in."""

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
        return {
            "tensor": {
                "name": self.name,
                "value": self.value,
                "description": self.description,
                "type": self.type,
                "sharding": self.sharding,
                "local_type": self.local_type,
                "operation": self.operation,
                "location": self.location.as_json(),
                "copies": self.copies,
            },
            "dimensions": [one.as_json() for one in self.dimensions],
            "moves": [one.as_json() for one in self.moves],
            "causes": [one.as_json() for one in self.causes],
            "edits": [one.as_json() for one in self.edits],
        }


@dataclass(frozen=True)
class CollectiveExplanation:
    """What needs a collective, and what would avoid it. ``tensor`` is what goes through it."""

    question: str
    meeting: Meeting
    tensor: str
    edits: tuple[Edit, ...]

    def __repr__(self) -> str:
        return f"<CollectiveExplanation {self.question}: {self.meeting.text}>"

    def as_json(self) -> dict[str, object]:
        """The explanation as plain values; docs/explain.md describes the schema."""
        collective, meeting = self.meeting.collective, self.meeting
        sides = [one for one in (meeting.first, meeting.second) if one is not None]
        return {
            "collective": {
                "name": self.question,
                "kind": collective.kind,
                "axes": [axis_name(one) for one in collective.axes],
                "group_size": collective.group_size,
                "bytes": collective.bytes,
                "turns": collective.turns,
                "tensor": self.tensor,
                "operation": meeting.operation.name if meeting.operation is not None else "",
                "location": meeting.location.as_json(),
            },
            "factor": meeting.factor,
            "sums": meeting.sums,
            "text": meeting.text,
            "meet": [one.as_json() for one in sides],
            "edits": [one.as_json() for one in self.edits],
        }

    @property
    def axes(self) -> str:
        """The axes that it goes along, as text."""
        return axes_text(self.meeting.collective.axes) if self.meeting.collective.axes else "the program's own"


Explanation = TensorExplanation | CollectiveExplanation
