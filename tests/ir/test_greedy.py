"""The driver of rewriting: order of work, dead operations, constants."""

from __future__ import annotations

import pytest

import pyshardy
from pyshardy.ir import rewriting
from pyshardy.ir.greedy import Limits, Pattern, rewrite_greedily, selected_patterns
from pyshardy.ir.operation import Operation
from pyshardy.ir.rewriter import Rewriter


def body(module: pyshardy.Module) -> list[str]:
    return [op.name.removeprefix("stablehlo.") for op in module.op.body.terminator.body]


def program(*lines: str) -> pyshardy.Module:
    text = "\n".join(lines)
    return pyshardy.parse(f"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{ {text} }}")


def double_negation(op: Operation, rewriter: Rewriter) -> bool:
    inner = op.operands[0].defining_op
    if inner is None or inner.name != op.name:
        return False
    rewriter.replace(op, inner.operands)
    return True


NEGATIONS = {"stablehlo.negate": [Pattern(double_negation, ("negations",))]}


def negations(count: int) -> pyshardy.Module:
    lines = [f"%{number + 1} = stablehlo.negate %{number or 'a'} : tensor<4xf32>" for number in range(count)]
    return program(*lines, f"return %{count} : tensor<4xf32>")


@pytest.mark.parametrize("top_down", [True, False])
def test_patterns_apply_until_nothing_changes(top_down: bool) -> None:
    module = negations(7)
    assert rewrite_greedily(module.op, NEGATIONS, Limits(top_down=top_down), module.context).converged
    assert body(module) == ["negate", "func.return"]


def test_the_number_of_rewrites_a_round_is_limited() -> None:
    module = negations(9)
    assert not rewrite_greedily(module.op, NEGATIONS, Limits(iterations=2, rewrites=1), module.context).converged
    assert body(module).count("negate") == 5


def test_the_order_of_work_is_from_the_top_or_from_the_bottom() -> None:
    seen: list[str] = []

    def watch(op: Operation, rewriter: Rewriter) -> bool:
        seen.append(op.name)
        return False

    names = ("stablehlo.negate", "stablehlo.abs")
    patterns = {name: [Pattern(watch)] for name in names}
    lines = (
        "%0 = stablehlo.negate %a : tensor<4xf32>",
        "%1 = stablehlo.abs %0 : tensor<4xf32>",
        "return %1 : tensor<4xf32>",
    )
    for top_down in (True, False):
        module = program(*lines)
        rewrite_greedily(module.op, patterns, Limits(top_down=top_down), module.context)
    assert seen == [*names, *reversed(names)]


def test_an_operation_that_loses_its_last_user_goes() -> None:
    def drop(op: Operation, rewriter: Rewriter) -> bool:
        new = rewriting.create("stablehlo.abs", op.parent_op.body.arguments, [op.result.type])  # type: ignore[union-attr]
        rewriter.replace_with(op, new)
        return True

    module = program(
        "%0 = stablehlo.negate %a : tensor<4xf32>",
        "%1 = stablehlo.exponential %0 : tensor<4xf32>",
        "return %1 : tensor<4xf32>",
    )
    assert rewrite_greedily(module.op, {"stablehlo.exponential": [Pattern(drop)]}, Limits(), module.context).converged
    assert body(module) == ["abs", "func.return"]


def test_patterns_are_chosen_by_label_and_dialect() -> None:
    def names(**choice: tuple[str, ...]) -> int:
        return sum(map(len, selected_patterns(NEGATIONS, **choice).values()))

    assert names() == names(enabled=("negations",)) == names(dialects=("stablehlo",)) == 1
    assert names(enabled=("other",)) == names(disabled=("negations",)) == names(dialects=("sdy",)) == 0
