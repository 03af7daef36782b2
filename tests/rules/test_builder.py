"""Factors are numbered as they are added, and what is left over is filled up at the end."""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.ir.rewriting import create
from pyshardy.ir.types import F32, DialectType, TensorType
from pyshardy.rules.builder import NEED_REPLICATION, NULL, REDUCTION, RuleBuilder, identity_rule, pointwise_rule


def operation(operand_shapes: list[tuple[int, ...]], result_shapes: list[tuple[int, ...]]) -> Operation:
    source = create("test.source", result_types=[TensorType(shape, F32) for shape in operand_shapes])
    return create("test.op", source.results, [TensorType(shape, F32) for shape in result_shapes])


def test_factors_are_numbered_in_the_order_of_the_calls() -> None:
    builder = RuleBuilder(operation([(4, 6)], [(6, 4)]))
    builder.add([1], [0], 6)
    builder.add([0], [1], 4)
    assert builder.build().body_text == "<([j, i])->([i, j]) {i=6, j=4}>"


def test_a_dimension_without_a_factor_gets_one_of_size_one_at_the_end() -> None:
    builder = RuleBuilder(operation([(4, 6), (3,)], [(4, 8)]))
    builder.add([0, NULL], [0], 4)
    assert builder.build().body_text == "<([i, j], [k])->([i, l]) {i=4, j=1, k=1, l=1}>"


def test_a_factor_of_size_one_does_not_join_another() -> None:
    builder = RuleBuilder(operation([(4,)], [(4, 1)]))
    builder.add([0], [0], 4)
    builder.add([0], [1], 1)
    assert builder.build().body_text == "<([i])->([i, j]) {i=4, j=1}>"


def test_the_lists_of_special_factors_are_sorted() -> None:
    builder = RuleBuilder(operation([(4, 6, 8)], [(8,)]))
    builder.add_operands(0, 4, REDUCTION, blocked=True)
    builder.add_operands(1, 6, REDUCTION)
    builder.add([2], [0], 8, NEED_REPLICATION, blocked=True)
    assert builder.build().body_text == (
        "<([i, j, k])->([k]) {i=4, j=6, k=8} reduction={i, j} need_replication={k} blocked_propagation={i, k}>"
    )


def test_scalars_are_passed_over_by_factors_of_every_tensor() -> None:
    builder = RuleBuilder(operation([(), (4, 6)], [(4, 6)]))
    assert builder.add_each((4, 6)).build().body_text == "<([], [i, j])->([i, j]) {i=4, j=6}>"


def test_dimensions_that_differ_are_special() -> None:
    builder = RuleBuilder(operation([(4, 6)], [(4, 3)]))
    builder.add_each_differing((4, 6), (4, 3), NEED_REPLICATION, blocked=True)
    assert builder.build().body_text == "<([i, j])->([i, j]) {i=4, j=6} need_replication={j} blocked_propagation={j}>"


def test_the_pointwise_rule_has_the_shape_of_the_first_result() -> None:
    rule = pointwise_rule(operation([(4,)], [(8, 2)]))
    assert rule is not None
    assert rule.body_text == "<([i])->([i, j]) {i=8, j=2}>"


def test_there_is_no_pointwise_rule_without_a_shape() -> None:
    assert pointwise_rule(operation([(4,)], [])) is None
    assert pointwise_rule(create("test.op", [], [DialectType("!stablehlo.token")])) is None


def test_the_identity_rule_of_a_shape_is_one_object() -> None:
    rule = identity_rule((4, 6), 2, 1)
    assert rule.body_text == "<([i, j], [i, j])->([i, j]) {i=4, j=6}>"
    assert rule is identity_rule((4, 6), 2, 1)
    assert identity_rule((), 1, 1).body_text == "<([])->([])>"
