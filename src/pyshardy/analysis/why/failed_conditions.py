"""Finds the condition that stops an axis from propagating from one tensor of an operation to another: the conditions of
a propagation step are tested in the order in which the step applies them.

Works on factors, as propagation does (``propagation.factor_strategies`` decides by the same conditions); ``chains``
uses it for axes that a step did not take, ``blockers`` for axes that were stopped in the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, prod

from pyshardy.propagation.directions import BACKWARD, FORWARD, NONE, Directions
from pyshardy.propagation.factor_strategies import Projection, merge_major
from pyshardy.propagation.projection import TensorProjection
from pyshardy.propagation.transfer_function import ActionSpec
from pyshardy.sharding.axes import AxisRef, contains, is_prefix, overlaps, prefix_without_any
from pyshardy.sharding.rule import FactorKind, OpShardingRule

CLOSED, TAKEN, CONFLICT = "closed", "axis taken", "conflict"
DIVIDES, SMALLER, STRIDED = "does not divide", "smaller than the axis", "strided"
REPLICATION, PERMUTATION, BLOCKED = "needs replication", "permutation", "blocked"
NO_RULE, BARRIER, MANUAL = "no rule", "barrier", "manual axes"
REPLICATED, UNREDUCED, HELD_BACK = "replicated", "unreduced", "held back"
LATE, OTHER_MESH, NOT_ASKED, NOT_AGAIN = "too late", "other mesh", "not asked", "not visited again"

CAUSES = {
    CLOSED: "the dimension is closed: its annotation allows no further axes",
    TAKEN: "another dimension of the same tensor has the axis",
    LATE: "the axis, or the space for it, was taken by an annotation with an earlier priority",
    CONFLICT: "a tensor of the operation is sharded otherwise along the same factor",
    DIVIDES: "the remaining size of the factor or dimension is not divisible by the axis",
    SMALLER: "the dimension is smaller than the axis",
    STRIDED: "the part of the dimension before it is not full, so that shards would not be contiguous",
    REPLICATION: "the operation needs this factor whole on every device",
    PERMUTATION: "devices would exchange data along this factor, so no sharding passes",
    BLOCKED: "the rule of the operation lets nothing pass along this factor",
    NO_RULE: "the operation has no sharding rule, so nothing passes through it",
    BARRIER: "a propagation barrier does not let it through in this direction",
    MANUAL: "the axis is manual there: a manual computation has it",
    REPLICATED: "the sharding says that the tensor is replicated along the axis",
    UNREDUCED: "along this axis the tensor is a sum that has not been added up",
    HELD_BACK: "the operand of an elementwise operation takes no axis that its result does not take",
    OTHER_MESH: "the tensors of the operation are on different meshes",
    NOT_AGAIN: "propagation did not visit the operation again after the axis, or the space for it, was there",
    NOT_ASKED: "no operand and no user has an axis for this dimension",
}
"""Every cause, and what it means. The closed list of ``explain``: nothing else is ever given as a cause."""


@dataclass(frozen=True)
class FailedCondition:
    """``axis`` was not propagated, for ``cause``; ``tensor`` is the number of the tensor whose sharding is the cause
    (None if the operation is), ``factor`` the factor along which it is sharded."""

    cause: str
    axis: AxisRef
    tensor: int | None = None
    factor: int | None = None


def next_axis(source: TensorProjection, target: TensorProjection, factor: int) -> tuple[int, AxisRef] | None:
    """The first axis that ``source`` has along ``factor`` and ``target`` has not, or the remaining part of it, and its
    position in the list; None if there is none. Axes of ``source`` that do not divide the factor come last."""
    has = source.factors[factor]
    theirs, ours = [*has.axes, *has.overflow], target.factors[factor].axes
    for index, axis in enumerate(theirs):
        if index >= len(ours):
            return index, axis
        own = ours[index]
        if own is axis or contains(own, axis):
            continue
        if contains(axis, own) and is_prefix(own, axis) and index + 1 == len(ours) and own.sub_size is not None:
            return index, _rest(axis, own)
        return index, axis
    return None


def _rest(axis: AxisRef, taken: AxisRef) -> AxisRef:
    """The part of ``axis`` after its prefix ``taken``; the whole axis if it is full, since its size is only in the
    mesh."""
    if axis.sub_size is None or taken.sub_size is None:
        return axis
    return AxisRef(axis.name, taken.next_pre, axis.sub_size // taken.sub_size)


def failed_condition(
    spec: ActionSpec, directions: Directions, projection: Projection, source: int, target: int, factor: int
) -> FailedCondition | None:
    """The condition that stops the next axis of tensor number ``source`` along ``factor`` from propagating to tensor
    number ``target``, for the shardings in ``projection``; None if there is no such axis."""
    tensors = projection.tensors
    found = next_axis(tensors[source], tensors[target], factor)
    if found is None:
        return None
    place, axis = found
    for condition in _CONDITIONS:
        failed = condition(_Question(spec, directions, projection, source, target, factor, place, axis))
        if failed is not None:
            return failed
    return FailedCondition(NOT_AGAIN, axis)


@dataclass(frozen=True)
class _Question:
    """Whether ``axis``, number ``place`` of ``source`` along ``factor``, may propagate to ``target``."""

    spec: ActionSpec
    directions: Directions
    projection: Projection
    source: int
    target: int
    factor: int
    place: int
    axis: AxisRef

    @property
    def tensors(self) -> list[TensorProjection]:
        return self.projection.tensors

    @property
    def rule(self) -> OpShardingRule:
        return self.spec.rule

    @property
    def into(self) -> TensorProjection:
        """The tensor that may get the axis."""
        return self.tensors[self.target]

    def is_operand(self, tensor: int) -> bool:
        return tensor < len(self.projection.operands)


_KINDS = {FactorKind.NEED_REPLICATION: REPLICATION, FactorKind.PERMUTATION: PERMUTATION}


def _fits(question: _Question) -> FailedCondition | None:
    """Whether the axis divides the factor: otherwise the projection does not contain it."""
    source = question.tensors[question.source].factors[question.factor]
    if question.place >= len(source.axes):
        return FailedCondition(DIVIDES, question.axis, question.source, question.factor)
    return None


def _open(question: _Question) -> FailedCondition | None:
    """Whether propagation along the factor in this direction is allowed."""
    rule, factor, axis = question.rule, question.factor, question.axis
    if factor in rule.blocked_propagation_factors:
        return FailedCondition(_KINDS.get(rule.kind(factor), BLOCKED), axis)
    direction = question.directions[factor]
    receives_forward = not question.is_operand(question.target)
    if direction == NONE or (direction == FORWARD and not receives_forward):
        return FailedCondition(BARRIER, axis)
    if direction == BACKWARD and receives_forward:
        return FailedCondition(BARRIER, axis)
    return None


def _agreed(question: _Question) -> FailedCondition | None:
    """Whether the tensors of the operation agree on the axis along the factor."""
    factor = question.factor
    theirs = question.tensors[question.source].factors[factor].axes
    others = [
        question.target,
        *(i for i in range(len(question.tensors)) if i not in (question.source, question.target)),
    ]
    for index in others:
        own = question.tensors[index].factors.get(factor)
        if own is None or not own.axes:
            continue
        merged, _ = merge_major(own.axes, theirs, True)
        if len(merged) <= question.place or not contains(merged[question.place], question.axis):
            return FailedCondition(CONFLICT, question.axis, index, factor)
    return None


def _not_replicated(question: _Question) -> FailedCondition | None:
    into, axis = question.into, question.axis
    if any(overlaps(one, axis) for one in into.replicated):
        return FailedCondition(REPLICATED, axis, question.target)
    if any(overlaps(one, axis) for one in into.unreduced):
        return FailedCondition(UNREDUCED, axis, question.target)
    return None


def _room_in_factor(question: _Question) -> FailedCondition | None:
    """Whether the factor of the target is open and can be divided further."""
    own, axis, mesh = question.into.factors[question.factor], question.axis, question.projection.mesh
    if own.overflow:
        return FailedCondition(DIVIDES, axis, question.target, question.factor)
    if own.closed:
        return FailedCondition(CLOSED, axis, question.target, question.factor)
    if own.minor_most:
        return None
    size = question.projection.sizes[question.factor]
    previous = prod(one.size(mesh) for one in own.axes)
    left = size // previous if size % previous == 0 else 1
    if gcd(left, axis.size(mesh)) == axis.size(mesh):
        return None
    return FailedCondition(DIVIDES, axis, question.target, question.factor)


def _free_elsewhere(question: _Question) -> FailedCondition | None:
    """Whether no other factor of the target has the axis, or an overlapping part of it."""
    for other, sharding in question.into.factors.items():
        if other != question.factor:
            left = prefix_without_any(question.axis, (*sharding.overflow, *sharding.axes))
            if left is not question.axis:
                return FailedCondition(TAKEN, question.axis, question.target, other)
    return None


def _not_held_back(question: _Question) -> FailedCondition | None:
    """Whether, if the target is an operand of an elementwise operation, the results have the axis, too."""
    if not question.spec.elementwise or not question.is_operand(question.target):
        return None
    first = len(question.projection.operands)
    for index, result in enumerate(question.projection.results):
        sharding = result.factors.get(question.factor)
        if sharding is not None and not any(overlaps(one, question.axis) for one in sharding.axes):
            return FailedCondition(HELD_BACK, question.axis, first + index, question.factor)
    return None


def _contiguous(question: _Question) -> FailedCondition | None:
    """Whether the factors before this one, in the same dimension, are full."""
    mesh, sizes = question.projection.mesh, question.projection.sizes
    for factors in question.rule.tensor_mappings[question.target]:
        if question.factor not in factors:
            continue
        for before in factors[: factors.index(question.factor)]:
            own = question.into.factors.get(before)
            if own is None or prod(one.size(mesh) for one in own.axes) < sizes[before]:
                return FailedCondition(STRIDED, question.axis, question.target, before)
    return None


_CONDITIONS = (_fits, _open, _agreed, _not_replicated, _room_in_factor, _free_elsewhere, _not_held_back, _contiguous)
