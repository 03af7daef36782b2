"""The sharding rule as a value, as text, and checked against an operation."""

from __future__ import annotations

import pytest

from pyshardy.ir.context import Context
from pyshardy.ir.parsing.attribute_parser import AttributeParser
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.source_text import SourceText
from pyshardy.ir.types import DYNAMIC, F32, DialectType, TensorType
from pyshardy.sharding.rule import FactorKind, OpShardingRule, check_rule, factor_symbol, parse_rule_body

EVERYTHING = (
    "<([i, j], [k, l])->([i, j]) {i=4, j=6, k=4, l=6} reduction={k} need_replication={l} permutation={i}"
    " blocked_propagation={i, l}, custom>"
)


def read(body: str) -> OpShardingRule:
    return parse_rule_body(AttributeParser(Context(SourceText(body))))


def errors(body: str) -> list[str]:
    with pytest.raises(ParseError) as caught:
        read(body)
    return [f"{one.position.column}: {one.message}" for one in caught.value.diagnostics]


def problem(body: str, *shapes: tuple[int, ...]) -> str | None:
    *operands, result = [TensorType(shape, F32) for shape in shapes or ((4, 6), (4, 6))]
    return check_rule(read(body), operands, [result])


def test_equal_rules_are_one_object() -> None:
    assert read(EVERYTHING) is read(EVERYTHING)
    assert read("<([i])->([i]) {i=4}>") is OpShardingRule([4], [((0,),)], [((0,),)])
    assert read("<([i])->([i]) {i=4}>") is not read("<([i])->([i]) {i=4}, custom>")


@pytest.mark.parametrize("body", [EVERYTHING, "<([], [])->([])>", "<([i, jk])->([ij, k]) {i=2, j=2, k=6}>"])
def test_text_reads_back_as_printed(body: str) -> None:
    assert read(body).body_text == body
    assert str(read(body)) == "#sdy.op_sharding_rule" + body


def test_the_nineteenth_factor_is_z_1() -> None:
    assert [factor_symbol(index) for index in (0, 17, 18, 27)] == ["i", "z", "z_1", "z_10"]
    mapping = "yzz_1z_2"
    assert read(f"<([{mapping}])->([])>").operand_mappings == (((16, 17, 18, 19),),)


def test_only_the_first_symbol_of_a_special_factor_counts() -> None:
    rule = read("<([i, j])->([i, j]) {i=4, j=6} reduction= permutation={ij} blocked_propagation={}>")
    assert rule.permutation_factors == (0,)
    assert rule.reduction_factors == rule.blocked_propagation_factors == ()


def test_a_factor_is_pass_through_unless_it_is_special() -> None:
    rule = read("<([i, k], [k, j], [])->([i, l]) {i=4, j=8, k=6, l=2} reduction={k} need_replication={l}>")
    assert [rule.kind(factor) for factor in range(4)] == [
        FactorKind.PASS_THROUGH,
        FactorKind.PASS_THROUGH,
        FactorKind.REDUCTION,
        FactorKind.NEED_REPLICATION,
    ]
    assert rule.is_pass_through(0)
    assert not rule.is_pass_through(2)
    assert rule.num_factors == 4


def test_a_batching_factor_passes_through_every_tensor_with_dimensions() -> None:
    rule = read("<([i, j], [i, k], [])->([i, j]) {i=4, j=8, k=6}>")
    assert rule.non_scalar_indices == (0, 1, 3)
    assert [rule.is_batching(factor) for factor in range(3)] == [True, False, False]
    assert not read("<([i])->([i]) {i=4} permutation={i}>").is_batching(0)


def test_a_rule_knows_whether_a_dimension_has_several_factors() -> None:
    assert read("<([ij])->([i, j]) {i=2, j=3}>").has_multi_factor_dims
    assert not read("<([i, j])->([i, j]) {i=2, j=3}>").has_multi_factor_dims


def test_a_broken_mapping_is_reported_with_what_it_is_part_of() -> None:
    assert errors("<([h])->([i]) {i=4}>") == [
        "5: expecting symbol from 'i' to 'z'. Received: 'h'",
        "5: failed to parse Sdy_TensorMapping parameter 'dim_mappings' which is to be a"
        " `::llvm::ArrayRef<DimMappingAttr>`",
        "5: failed to parse Sdy_OpShardingRule parameter 'operand_mappings' which is to be a"
        " `::llvm::ArrayRef<TensorMappingAttr>`",
    ]
    assert errors("<([i])->() {i=4}>") == [
        "10: expected '['",
        "10: failed to parse Sdy_OpShardingRule parameter 'result_mappings' which is to be a"
        " `::llvm::ArrayRef<TensorMappingAttr>`",
    ]


def test_factor_sizes_stand_in_the_order_of_the_factors() -> None:
    assert errors("<([i, j])->([i, j]) {i=4, k=6}>") == [
        "28: expecting factor indices to be ordered like an iota ([0,1,2,...], e.g. {i=#, j=#, ...})."
        " Expecting factor index symbol 'j', received: 'k'"
    ]


def test_sizes_are_not_compared_with_the_shape() -> None:
    assert problem("<([i, j])->([i, j]) {i=-4, j=600}>") is None


def test_a_rule_maps_every_dimension_of_every_value() -> None:
    assert problem("<([i, j], [i, j])->([i, j]) {i=4, j=6}>") == "number of operands and mappings must match: 1 != 2"
    assert problem("<([i, j])->([i]) {i=4, j=6}>") == "result - mapping rank must match: 1 != 2"
    assert problem("<([i], [i, ])->([i]) {i=4}>", (4,), (4, 6), (4,)) == (
        "operand 1 - dim mapping must have at least one factor"
    )


def test_values_need_static_shapes() -> None:
    rule = read("<([i])->([i]) {i=4}>")
    tensor, dynamic = TensorType([4], F32), TensorType([DYNAMIC], F32)
    text = "expected a ranked tensor with a static shape. type: "
    assert check_rule(rule, [dynamic], [tensor]) == f"operand - {text}'tensor<?xf32>'"
    assert check_rule(rule, [tensor], [DialectType("!stablehlo.token")]) == f"result - {text}'!stablehlo.token'"


def test_special_factors_are_sorted_unique_and_in_one_list() -> None:
    rule = "<([i, j])->([i, j]) {i=4, j=6} "
    assert problem(rule + "permutation={j, i}>") == "indices of special factors must be sorted"
    assert problem(rule + "permutation={i, i}>") == "indices of special factors must be unique"
    assert problem(rule + "permutation={k}>") == "index must be less than 2, got: 2"
    assert problem(rule + "need_replication={i} permutation={i}>") == (
        "a factor can only be in one of the reduction, need replication, or permutation factor sets"
    )
    assert problem(rule + "reduction={i}>") == "reduction factor cannot be in result mappings"
    assert problem(rule + "permutation={i} blocked_propagation={i}>") is None


def test_a_rule_built_in_memory_may_have_a_negative_index_or_no_operands() -> None:
    tensor = TensorType([4], F32)
    negative = OpShardingRule([4], [((0,),)], [((0,),)], permutation_factors=[-1])
    assert check_rule(negative, [tensor], [tensor]) == "index must be non-negative"
    without_operands = OpShardingRule([4], [], [((0,),)])
    assert (check_rule(without_operands, [], [tensor]) or "").startswith("number of operands mappings cannot be 0.")
