"""Localizes ``einsum``, ``unary_einsum`` and CHLO's ``ragged_dot`` as sums of products.

Indices of the result are pass-through factors, the others reduction factors, which leave partial sums. The ragged
dimension, whose groups have sizes known only at run time, has to be whole. ``contractions`` emits the local operations.
"""

from __future__ import annotations

from pyshardy.dialects.chlo import RaggedDotDimensionNumbers
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.families.contractions import sum_of_products
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.rules.builder import (
    NEED_REPLICATION,
    NULL,
    PASS_THROUGH,
    REDUCTION,
    RuleBuilder,
    operand_shape,
    result_shape,
)
from pyshardy.rules.properties import string
from pyshardy.sharding.rule import FactorKind, OpShardingRule


@localizes("stablehlo.einsum", "stablehlo.unary_einsum")
def _einsum(site: Site) -> list[Sharded]:
    return sum_of_products(site, _einsum_rule(site.op))


@localizes("chlo.ragged_dot")
def _ragged_dot(site: Site) -> list[Sharded]:
    numbers = site.op.properties.get("ragged_dot_dimension_numbers")
    if not isinstance(numbers, RaggedDotDimensionNumbers) or len(operand_shape(site.op, 2)) != 1:
        return site.fall_back()
    return sum_of_products(site, _ragged_dot_rule(site.op, numbers))


def _einsum_rule(op: Operation) -> OpShardingRule | None:
    config = string(op, "einsum_config") or ""
    inputs, arrow, result = config.replace(" ", "").partition("->")
    terms = inputs.split(",")
    letters = set("".join(terms))
    if not arrow or len(terms) != len(op.operands) or any(len(set(term)) != len(term) for term in (*terms, result)):
        return None
    if not all(map(str.isalpha, letters)) or not letters.issuperset(result):
        return None
    builder = RuleBuilder(op)
    for letter in sorted(letters):
        sizes = {operand_shape(op, index)[term.index(letter)] for index, term in enumerate(terms) if letter in term}
        if len(sizes) != 1:
            return None
        kind = PASS_THROUGH if letter in result else REDUCTION
        builder.add([term.find(letter) for term in terms], [result.find(letter)], sizes.pop(), kind)
    return builder.build()


def _ragged_dot_rule(op: Operation, numbers: RaggedDotDimensionNumbers) -> OpShardingRule:
    """The result has the batch dimensions, the free dimensions of the left side, then those of the right side; the
    groups come first if the ragged dimension is contracted."""
    lhs, rhs, result = operand_shape(op, 0), operand_shape(op, 1), result_shape(op)
    builder, place = RuleBuilder(op), 0
    if any(dim in numbers.lhs_contracting for dim in numbers.lhs_ragged):
        builder.add([NULL, NULL, 0], [0], result[0], NEED_REPLICATION)
        place = 1

    def add(left: int, right: int, kind: FactorKind, *, in_result: bool = True) -> None:
        nonlocal place
        ragged = left in numbers.lhs_ragged
        size = lhs[left] if left != NULL else rhs[right]
        builder.add([left, right, NULL], [place if in_result else NULL], size, NEED_REPLICATION if ragged else kind)
        place += in_result

    for left, right in zip(numbers.lhs_batching, numbers.rhs_batching, strict=True):
        add(left, right, PASS_THROUGH)
    for left in range(len(lhs)):
        if left not in numbers.lhs_batching + numbers.lhs_contracting:
            add(left, NULL, PASS_THROUGH)
    for right in range(len(rhs)):
        if right not in numbers.rhs_batching + numbers.rhs_contracting + numbers.rhs_group:
            add(NULL, right, PASS_THROUGH)
    for left, right in zip(numbers.lhs_contracting, numbers.rhs_contracting, strict=True):
        add(left, right, REDUCTION, in_result=False)
    for right in numbers.rhs_group:
        add(NULL, right, NEED_REPLICATION, in_result=False)
    return builder.build()
