"""The attributes with which propagation records on an operation which sharding came from where.

They are immutable interned values with their text. Propagation writes them when asked to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pyshardy.ir.attribute import Attribute
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.text import check_kind, checked, comma_separated, parameter, parse_axis_ref

if TYPE_CHECKING:
    from pyshardy.ir.parsing.attribute_parser import AttributeParser

NODE_KINDS = ("operand", "result")


class EdgeValueRef(Attribute):
    """A value of the operation: its ``kind`` (``operand`` or ``result``) and number."""

    __slots__ = ("index", "kind")
    kind: str
    index: int

    def __new__(cls, kind: str, index: int) -> EdgeValueRef:
        return cls._table[kind, index]

    @property
    def body_text(self) -> str:
        return f"{self.kind}-{self.index}"

    def _render(self) -> str:
        return f"#sdy<edge_value_ref{self.body_text}>"


class AxisToPropagationDetails(Attribute):
    """``axis`` went from ``source`` to ``targets``."""

    __slots__ = ("axis", "source", "targets")
    axis: AxisRef
    source: EdgeValueRef
    targets: tuple[EdgeValueRef, ...]

    def __new__(cls, axis: AxisRef, source: EdgeValueRef, targets: Iterable[EdgeValueRef]) -> AxisToPropagationDetails:
        return cls._table[axis, source, tuple(targets)]

    def children(self) -> Iterable[Attribute]:
        return (self.axis, self.source, *self.targets)

    @property
    def body_text(self) -> str:
        targets = ", ".join(target.body_text for target in self.targets)
        return f"{{{self.axis.body_text} = {self.source.body_text} -> [{targets}]}}"

    def _render(self) -> str:
        return f"#sdy<axis_to_propagation_details{self.body_text}>"


class PropagationOneStep(Attribute):
    """What went where in the propagation's step number ``step``."""

    __slots__ = ("entries", "step")
    step: int
    entries: tuple[AxisToPropagationDetails, ...]

    def __new__(cls, step: int, entries: Iterable[AxisToPropagationDetails]) -> PropagationOneStep:
        return cls._table[step, tuple(entries)]

    def children(self) -> Iterable[Attribute]:
        return self.entries

    @property
    def body_text(self) -> str:
        entries = ", ".join(entry.body_text for entry in self.entries)
        return f"{{step-{self.step} = [{entries}]}}"

    def _render(self) -> str:
        return f"#sdy<propagation_one_step{self.body_text}>"


class PropagationEdges(Attribute):
    """All steps that touched one operation.

    Raises:
        ValueError: a negative or repeated step, or an entry whose targets repeat or include the source.
    """

    __slots__ = ("steps",)
    steps: tuple[PropagationOneStep, ...]

    def __new__(cls, steps: Iterable[PropagationOneStep]) -> PropagationEdges:
        return cls._table[tuple(steps),]

    def _begin(self) -> None:
        _check_steps(self.steps)

    def __iter__(self) -> Iterator[PropagationOneStep]:
        return iter(self.steps)

    def children(self) -> Iterable[Attribute]:
        return self.steps

    @property
    def body_text(self) -> str:
        return "<[" + ", ".join(step.body_text for step in self.steps) + "]>"

    def _render(self) -> str:
        return f"#sdy.propagation_edges{self.body_text}"


def _check_steps(steps: tuple[PropagationOneStep, ...]) -> None:
    seen: set[int] = set()
    for step in steps:
        if step.step < 0:
            raise ValueError(f"propagation edges have negative step index: {step.step}")
        if step.step in seen:
            raise ValueError(f"propagation edges have duplicate step index: {step.step}")
        seen.add(step.step)
        for entry in step.entries:
            _check_targets(step.step, entry)


def _check_targets(step: int, entry: AxisToPropagationDetails) -> None:
    seen: set[EdgeValueRef] = set()
    for target in entry.targets:
        if target is entry.source:
            raise ValueError("propagation edges have a source that is the same as a target")
        if target in seen:
            raise ValueError(
                f"propagation edges have duplicate targets for step index: {step} and axis: {entry.axis.name}"
            )
        seen.add(target)


# --- text -------------------------------------------------------------------------------------------------------------


def parse_edge_value_ref(parser: AttributeParser) -> EdgeValueRef:
    """``operand-0``."""
    with parameter(parser, "EdgeValueRef", "type", "::mlir::sdy::EdgeNodeType"):
        offset = parser.start
        kind = parser.string() if parser.kind == "string" else parser.keyword("expected valid keyword or string")
        if kind not in NODE_KINDS:
            parser.error(f"expected ::mlir::sdy::EdgeNodeType to be one of: {', '.join(NODE_KINDS)}", at=offset)
    parser.expect("-")
    with parameter(parser, "EdgeValueRef", "index", "int64_t"):
        return EdgeValueRef(kind, parser.integer())


def parse_axis_to_propagation_details(parser: AttributeParser) -> AxisToPropagationDetails:
    """``{"a" = operand-0 -> [result-0]}``."""
    parser.expect("{")
    with parameter(parser, "AxisToPropagationDetails", "axis_name", "::mlir::sdy::AxisRefAttr"):
        axis = check_kind(parser, AxisRef, parse_axis_ref)
    parser.expect("=")
    with parameter(parser, "AxisToPropagationDetails", "source", "::mlir::sdy::EdgeValueRefAttr"):
        source = check_kind(parser, EdgeValueRef, parse_edge_value_ref)
    parser.expect("->")
    parser.expect("[")
    with parameter(parser, "AxisToPropagationDetails", "targets", "::llvm::ArrayRef<EdgeValueRefAttr>"):
        targets = comma_separated(parser, EdgeValueRef, parse_edge_value_ref)
    parser.expect("]")
    parser.expect("}")
    return AxisToPropagationDetails(axis, source, targets)


def parse_propagation_one_step(parser: AttributeParser) -> PropagationOneStep:
    """``{step-0 = [{…}]}``."""
    parser.expect("{")
    parser.expect_keyword("step")
    parser.expect("-")
    with parameter(parser, "PropagationOneStep", "step_index", "int64_t"):
        step = parser.integer()
    parser.expect("=")
    parser.expect("[")
    with parameter(parser, "PropagationOneStep", "axis_entries", "::llvm::ArrayRef<AxisToPropagationDetailsAttr>"):
        entries = comma_separated(parser, AxisToPropagationDetails, parse_axis_to_propagation_details)
    parser.expect("]")
    parser.expect("}")
    return PropagationOneStep(step, entries)


def parse_propagation_edges(parser: AttributeParser) -> PropagationEdges:
    """``<[{step-0 = [{…}]}]>``.

    Raises:
        ParseError: also for what the constructor refuses.
    """
    offset = parser.start
    parser.expect("<")
    parser.expect("[")
    with parameter(parser, "PropagationEdges", "value", "::llvm::ArrayRef<PropagationOneStepAttr>"):
        steps = comma_separated(parser, PropagationOneStep, parse_propagation_one_step)
    parser.expect("]")
    parser.expect(">")
    return checked(parser, offset, lambda: PropagationEdges(steps))
