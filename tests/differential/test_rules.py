"""Sharding rules of every operation, illegal rules and warnings about unknown operations, against the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

import pyshardy
from tests.differential.reference import Verdict, compare, run_reference

POPULATE = "builtin.module(func.func(sdy-populate-op-sharding-rules))"
POPULATE_CONSERVATIVELY = "builtin.module(func.func(sdy-populate-op-sharding-rules{conservative-propagation=true}))"
POPULATE_AND_DROP = "builtin.module(func.func(sdy-populate-op-sharding-rules,sdy-drop-sharding-rules))"

PROGRAMS = sorted((Path(__file__).parent / "programs" / "rules").glob("*.mlir"))

WITH_RULE = """
func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.abs %a {sdy.sharding_rule = #sdy.op_sharding_rule<BODY>} : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
"""

UNREADABLE = (
    "([h, j])->([i, j]) {i=4, j=6}",
    "([i, jh])->([i, j]) {i=4, j=6}",
    "([i, j])->([a, j]) {i=4, j=6}",
    "([i, z_])->([i, j]) {i=4, j=6}",
    "([i, jz_x])->([i, j]) {i=4, j=6}",
    "([i, z_0])->([i, j]) {i=4, j=6}",
    "([i, z_01k])->([i, j]) {i=4, j=6}",
    "([i, z_99999999999999999999])->([i, j]) {i=4, j=6}",
    "([i, j])->([i, j]) {i=4, k=6}",
    "([i, j])->([i, j]) {i=4, jk=6}",
    "([i, j])->([i, j]) {i=4, a=6}",
    "([i, j])->([i, j]) {i=x, j=6}",
    "([i, j])->([i, j]) {i}",
    "([i, j])->([i, j]) {i=4, j=6,}",
    "([i, j])->([i, j]) {i=4, j=6} reduction={h}",
    "([i, j])->([i, j]) {i=4, j=6} reduction",
    "([i, j])->([i, j]) {i=4, j=6} reduction={i,}",
    "([i, j])->([i, j]) {i=4, j=6}, foo",
    "([i, j])->([i, j]) {i=4, j=6} custom",
    "([i, j])->([i, j]) {i=4, j=6} need_replication={i} reduction={j}",
    "()->([i, j]) {i=4, j=6}",
    "([i, j])->() {i=4, j=6}",
    "([i j])->([i, j]) {i=4}",
    "([i, j],)->([i, j]) {i=4}",
    "([i, j])([i, j]) {i=4}",
    "([i, j])->[i, j] {i=4, j=6}",
)

ILLEGAL = (
    "([i, j], [i, j])->([i, j]) {i=4, j=6}",
    "([i, j])->([i, j], [i, j]) {i=4, j=6}",
    "([])->([i, j]) {i=4, j=6}",
    "([i, j])->([i, j, k]) {i=4, j=6, k=1}",
    "([i, ])->([i, j]) {i=4, j=6}",
    "([i, z_7])->([i, j]) {i=4, j=6}",
    "([i, ji])->([i, j]) {i=4, j=6}",
    "([ijj, j])->([i, j]) {i=1, j=6}",
    "([i, ij])->([i, j]) {i=1, j=6}",
    "([i, jk])->([i, j]) {i=4, j=6, k=1}",
    "([i, j])->([i, j]) {i=4, j=6, k=2}",
    "([i, j])->([i, j]) {i=4, j=6} reduction={j, i} need_replication={j}",
    "([i, j])->([i, j]) {i=4, j=6} need_replication={i, i} permutation={j, i}",
    "([i, j])->([i, j]) {i=4, j=6} permutation={i, m}",
    "([i, j])->([i, j]) {i=4, j=6} need_replication={i} permutation={i} blocked_propagation={k}",
    "([i, j])->([i, j]) {i=4, j=6} blocked_propagation={k}",
    "([i, j])->([i, j]) {i=4, j=6} reduction={ij}",
)

LEGAL = (
    "([i, j])->([i, j]) {i=4, j=6} reduction= blocked_propagation={}",
    "([i, j])->([i, j]) {i=0x10, j=-6} permutation={ij}, custom",
    "([i, j])->([l, k]) {i=4, j=6, k=1, l=1} reduction={i} need_replication={j} blocked_propagation={k, l}",
    "([ij, klm])->([ijk, lm]) {i=2, j=2, k=2, l=2, m=2}",
)

REJECTED_RULES_OF_POPULATE = {
    "dynamic shape": "%0 = stablehlo.abs %x : tensor<?x4xf32>",
    "dynamic operand of a reshape": "%0 = stablehlo.reshape %y : (tensor<?xf32>) -> tensor<2x4xf32>",
    "lower rank of the result": "%0 = stablehlo.custom_call @LayoutConstraint(%a) : (tensor<4x6xf32>) -> tensor<8xf32>",
    "token": "%0 = stablehlo.custom_call @MoveToHost(%a, %t) : (tensor<4x6xf32>, !stablehlo.token) -> tensor<4x6xf32>",
    "no operands": "%0 = stablehlo.custom_call @MoveToHost() : () -> tensor<4x6xf32>",
}


@pytest.mark.parametrize("pipeline", [POPULATE, POPULATE_CONSERVATIVELY, POPULATE_AND_DROP])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_the_rules_of_a_family_are_those_of_the_reference(program: Path, pipeline: str) -> None:
    outcome = compare(program.read_text(), pipeline)
    assert outcome.verdict is Verdict.EQUAL, outcome


@pytest.mark.parametrize("body", [*UNREADABLE, *ILLEGAL])
def test_an_illegal_rule_has_the_error_of_the_reference(body: str) -> None:
    outcome = compare(WITH_RULE.replace("BODY", body), "builtin.module()")
    assert outcome.verdict is Verdict.BOTH_FAILED, outcome


@pytest.mark.parametrize("body", LEGAL)
def test_a_legal_rule_reads_as_in_the_reference(body: str) -> None:
    outcome = compare(WITH_RULE.replace("BODY", body), "builtin.module()")
    assert outcome.verdict is Verdict.EQUAL, outcome


@pytest.mark.parametrize("operation", REJECTED_RULES_OF_POPULATE.values(), ids=REJECTED_RULES_OF_POPULATE.keys())
def test_a_rule_that_does_not_fit_its_operation_fails_the_pass_as_in_the_reference(operation: str) -> None:
    arguments = "%a: tensor<4x6xf32>, %x: tensor<?x4xf32>, %y: tensor<?xf32>, %t: !stablehlo.token"
    outcome = compare(f"func.func @main({arguments}) {{\n  {operation}\n  return\n}}\n", POPULATE)
    assert outcome.verdict is Verdict.BOTH_FAILED, outcome


UNKNOWN = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @first(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @second(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = OPERATION
  %3 = stablehlo.tuple %1 : tuple<tensor<4xf32>>
  return %1 : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    "operation",
    [
        "chlo.erf %1 : tensor<4xf32> -> tensor<4xf32>",
        '"stablehlo.map"(%1) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%x: tensor<f32>):\n'
        "    stablehlo.return %x : tensor<f32>\n  }) : (tensor<4xf32>) -> tensor<4xf32>",
        '"stablehlo.map"(%1) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%x: tensor<f32>):\n'
        "    %y = chlo.erf %x : tensor<f32> -> tensor<f32>\n"
        "    stablehlo.return %y : tensor<f32>\n  }) : (tensor<4xf32>) -> tensor<4xf32>",
    ],
    ids=["plain", "with region", "inside a region"],
)
def test_the_first_unknown_operation_and_custom_call_are_warned_about(operation: str) -> None:
    text = UNKNOWN.replace("OPERATION", operation)
    reference = run_reference(text, POPULATE)
    module = pyshardy.parse(text)
    pyshardy.run_passes(module, POPULATE)
    assert len(reference.diagnostics) == 4
    said = [line for diagnostic in module.context.diagnostics for line in (diagnostic, *diagnostic.notes)]
    assert [f"{one.position}: {one.severity}: {one.message}" for one in said] == reference.diagnostics
