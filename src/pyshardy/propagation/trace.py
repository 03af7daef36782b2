"""The debug attributes of propagation: the origin of each axis, and the operations along which it moved.

``Propagation`` and ``sdy-apply-sharding-constraints`` have a ``Trace`` only if a debug option is on, and notify it of
each step that changes something. It computes the moved axes from the step's input (``movements``), passes them to the
origins (``sharding_origins``), and records the edges, which become the attribute ``sdy.propagation_edges``.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.dialects.func import set_result_attribute
from pyshardy.dialects.sdy import placement
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.propagation.movements import Movement, movements
from pyshardy.propagation.observers import ObservedPropagation, PropagationObserver, PropagationStep
from pyshardy.propagation.sharding_origins import ShardingOrigins
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.propagation_edges import (
    AxisToPropagationDetails,
    EdgeValueRef,
    PropagationEdges,
    PropagationOneStep,
)
from pyshardy.sharding.tensor import TensorSharding

EDGES = "sdy.propagation_edges"

_Edge = tuple[AxisRef, EdgeValueRef, EdgeValueRef]
"""Axis, source, target."""


class Trace(PropagationObserver):
    """The origins and edges of one run over ``module``, each kept only if asked for.

    Raises:
        PassFailure: origins are asked for and a manual computation has no data-flow edges.
    """

    __slots__ = ("_edges", "_keeps_edges", "_origins", "_step")

    def __init__(self, module: Operation, context: Context, *, origins: bool, edges: bool) -> None:
        self._origins = ShardingOrigins(module, context) if origins else None
        self._keeps_edges = edges
        self._edges: dict[Operation, dict[_Edge, int]] = {}
        """Operation (the function for its results) → edge → the first step that used it."""
        self._step = _last_step(module) + 1

    def writes(self, run: ObservedPropagation, step: PropagationStep) -> None:
        op, action, shardings, _, directions, strategy, _ = step
        spec = action.spec
        moved = movements(spec.rule, *run.transfer.retrace(spec, shardings, directions, strategy))
        self._record(op, action.slots, moved, len(spec.rule.operand_mappings))

    def constrained(self, op: Operation, operand: Value, sharding: TensorSharding) -> None:
        """The constraint ``op`` gave its ``operand`` the sharding of its result."""
        moved = [Movement(axis, 1, 0) for dim in sharding.dims for axis in dim.axes]
        if sharding.rank or sharding.has_axes:
            slots = (placement.shardable_value(operand), placement.shardable_value(op.results[0]))
            self._record(op, slots, moved, 1)

    def _record(
        self, op: Operation, slots: tuple[ShardingSlot | None, ...], moved: list[Movement], operand_count: int
    ) -> None:
        if self._origins is not None:
            self._origins.move(moved, slots)
        if self._keeps_edges:
            edges = self._edges.setdefault(op, {})
            for axis, source, target in moved:
                edge = (axis, _reference(source, operand_count), _reference(target, operand_count))
                edges.setdefault(edge, self._step)
        self._step += 1

    def finished(self, run: ObservedPropagation) -> None:
        self.write(run.is_erased)

    def write(self, is_erased: Callable[[Operation], bool]) -> None:
        """Writes the attributes to the program, except for operations that have been erased."""
        for op, edges in self._edges.items():
            if not edges or is_erased(op):
                continue
            written = _attribute(edges)
            if op.name == "func.func":
                # The reference puts the edges of all results on the first.
                set_result_attribute(op, 0, EDGES, written)
            else:
                rewriting.set_attributes(op, op.attributes.with_(EDGES, written))
        if self._origins is not None:
            self._origins.write(is_erased)


def _reference(tensor: int, operand_count: int) -> EdgeValueRef:
    if tensor < operand_count:
        return EdgeValueRef("operand", tensor)
    return EdgeValueRef("result", tensor - operand_count)


def _last_step(module: Operation) -> int:
    """The greatest step in the edges that ``module`` carries already, or -1."""
    last = -1
    for op in module.walk():
        edges = op.attributes.get(EDGES)
        if isinstance(edges, PropagationEdges):
            last = max(last, *(one.step for one in edges))
    return last


def _attribute(edges: dict[_Edge, int]) -> PropagationEdges:
    steps: dict[int, dict[tuple[AxisRef, EdgeValueRef], list[EdgeValueRef]]] = {}
    for (axis, source, target), step in edges.items():
        steps.setdefault(step, {}).setdefault((axis, source), []).append(target)
    return PropagationEdges(
        PropagationOneStep(
            step,
            [
                AxisToPropagationDetails(axis, source, sorted(targets, key=_place))
                for (axis, source), targets in sorted(
                    steps[step].items(), key=lambda entry: (entry[0][0].sort_key, _place(entry[0][1]))
                )
            ],
        )
        for step in sorted(steps)
    )


def _place(reference: EdgeValueRef) -> tuple[str, int]:
    """Sorts operands before results."""
    return (reference.kind, reference.index)
