"""Builds the sharding rule of an operation factor by factor.

Factors are numbered in the order in which they are added, so the order of the calls is part of each rule. Dimensions
left without a factor get one of size 1 at the end.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cache
from operator import index

from pyshardy.ir.operation import Operation
from pyshardy.ir.types import OtherShapedType, TensorType, Type
from pyshardy.sharding.rule import FactorKind, OpShardingRule, TensorMapping

Shape = tuple[int, ...]

NULL = -1
"""In place of a dimension: this operand or result does not have the factor."""

PASS_THROUGH = FactorKind.PASS_THROUGH
REDUCTION = FactorKind.REDUCTION
NEED_REPLICATION = FactorKind.NEED_REPLICATION
PERMUTATION = FactorKind.PERMUTATION


def shape_of(type: Type) -> Shape | None:
    """The shape of a ranked tensor (dynamic sizes are ``DYNAMIC``), or None for a token, a tuple and the like."""
    return type.shape if isinstance(type, TensorType | OtherShapedType) else None


def operand_shape(op: Operation, index: int = 0) -> Shape:
    """The shape of operand ``index``; a value without a shape counts as a scalar."""
    return shape_of(op.operands[index].type) or ()


def result_shape(op: Operation, index: int = 0) -> Shape:
    """The shape of result ``index``; a value without a shape counts as a scalar."""
    return shape_of(op.results[index].type) or ()


class RuleBuilder:
    """A rule in the making for one operation.

    Every ``add`` method makes one factor. Its kind is pass-through unless given; ``blocked`` keeps propagation away
    from it.
    """

    __slots__ = ("_blocked", "_operands", "_results", "_sizes", "_special")

    def __init__(self, op: Operation) -> None:
        self._operands = [_unmapped(value.type) for value in op.operands]
        self._results = [_unmapped(value.type) for value in op.results]
        self._sizes: list[int] = []
        self._special: dict[FactorKind, list[int]] = {kind: [] for kind in FactorKind}
        self._blocked: list[int] = []

    def add(
        self,
        operand_dims: Iterable[int],
        result_dims: Iterable[int],
        size: int,
        kind: FactorKind = PASS_THROUGH,
        *,
        blocked: bool = False,
    ) -> RuleBuilder:
        """A factor of ``size`` in one dimension (or ``NULL``) of each operand and of each result.

        Operands and results beyond those that are named do not have it. A factor of size 1 does not join a dimension
        that has a factor already.

        Raises:
            ValueError: a dimension is not there, or more are named than there are operands or results.
        """
        factor = self._new_factor(size, kind, blocked)
        for what, tensors, dims in (("operand", self._operands, operand_dims), ("result", self._results, result_dims)):
            places = tuple(dims)
            if len(places) > len(tensors):
                raise ValueError(f"factor {factor} has {len(places)} {what} dimensions for {len(tensors)} {what}s")
            for number, (tensor, dim) in enumerate(zip(tensors, places, strict=False)):
                if dim == NULL:
                    continue
                if not 0 <= dim < len(tensor):
                    raise ValueError(f"factor {factor} is in dimension {dim} of {what} {number}, of rank {len(tensor)}")
                if size != 1 or not tensor[dim]:
                    tensor[dim].append(factor)
        return self

    def add_same(self, dim: int, size: int, kind: FactorKind = PASS_THROUGH, *, blocked: bool = False) -> RuleBuilder:
        """A factor in dimension ``dim`` of every operand and result that has it."""
        return self._add_to((*self._operands, *self._results), dim, size, kind, blocked)

    def add_operands(
        self, dim: int, size: int, kind: FactorKind = PASS_THROUGH, *, blocked: bool = False
    ) -> RuleBuilder:
        """A factor in dimension ``dim`` of every operand that has it."""
        return self._add_to(self._operands, dim, size, kind, blocked)

    def add_results(
        self, dim: int, size: int, kind: FactorKind = PASS_THROUGH, *, blocked: bool = False
    ) -> RuleBuilder:
        """A factor in dimension ``dim`` of every result that has it."""
        return self._add_to(self._results, dim, size, kind, blocked)

    def add_each(
        self,
        shape: Shape,
        kind: FactorKind = PASS_THROUGH,
        *,
        where: Container[int] = (),
        skip: Container[int] = (),
        blocked: bool = False,
    ) -> RuleBuilder:
        """``add_same`` for each dimension of ``shape`` that is not in ``skip``: of the given kind and blocking for
        those in ``where``, pass-through for the others."""
        for dim, size in enumerate(shape):
            if dim in where:
                self.add_same(dim, size, kind, blocked=blocked)
            elif dim not in skip:
                self.add_same(dim, size)
        return self

    def add_each_differing(self, shape: Shape, other: Shape, kind: FactorKind, *, blocked: bool = False) -> RuleBuilder:
        """``add_same`` for each dimension of ``shape``: of the given kind and blocking where ``other`` has another
        size, pass-through elsewhere."""
        differing = [dim for dim, (size, new) in enumerate(zip(shape, other, strict=True)) if size != new]
        return self.add_each(shape, kind, where=differing, blocked=blocked)

    def build(self) -> OpShardingRule:
        """The rule, with a factor of size 1 for each dimension that has got none."""
        for tensor in (*self._operands, *self._results):
            for dim in tensor:
                if not dim:
                    dim.append(self._new_factor(1, PASS_THROUGH, False))
        return OpShardingRule(
            self._sizes,
            map(_mapping, self._operands),
            map(_mapping, self._results),
            reduction_factors=self._special[REDUCTION],
            need_replication_factors=self._special[NEED_REPLICATION],
            permutation_factors=self._special[PERMUTATION],
            blocked_propagation_factors=self._blocked,
        )

    def _add_to(
        self, tensors: Iterable[list[list[int]]], dim: int, size: int, kind: FactorKind, blocked: bool
    ) -> RuleBuilder:
        factor = self._new_factor(size, kind, blocked)
        for tensor in tensors:
            if dim < len(tensor):
                tensor[dim].append(factor)
        return self

    def _new_factor(self, size: int, kind: FactorKind, blocked: bool) -> int:
        factor = len(self._sizes)
        self._sizes.append(index(size))
        if kind is not PASS_THROUGH:
            if kind not in self._special:
                raise ValueError(f"the kind of factor {factor} is {kind!r}, and a FactorKind is expected")
            self._special[kind].append(factor)
        if blocked:
            self._blocked.append(factor)
        return factor


def _unmapped(type: Type) -> list[list[int]]:
    return [[] for _ in shape_of(type) or ()]


def _mapping(tensor: Sequence[Sequence[int]]) -> TensorMapping:
    return tuple(map(tuple, tensor))


@cache
def straight_mapping(rank: int) -> TensorMapping:
    """Dimension d has factor d."""
    return tuple((dim,) for dim in range(rank))


@cache
def identity_rule(shape: Shape, num_operands: int, num_results: int) -> OpShardingRule:
    """The rule of something that passes tensors of ``shape`` through: dimension d of each has factor d."""
    mapping = straight_mapping(len(shape))
    return OpShardingRule(shape, (mapping,) * num_operands, (mapping,) * num_results)


def pointwise_rule(op: Operation) -> OpShardingRule | None:
    """One factor for each dimension of result 0, in that dimension of every operand and result, whatever their sizes;
    None if result 0 has no shape.

    Where the ranks differ the rule may be illegal; the verifier of the attribute says so, as in Shardy.
    """
    shape = shape_of(op.results[0].type) if op.results else None
    if shape is None:
        return None
    operands = [straight_mapping(len(shape_of(value.type) or ())) for value in op.operands]
    results = [straight_mapping(len(shape_of(value.type) or ())) for value in op.results]
    return OpShardingRule(shape, operands, results)
