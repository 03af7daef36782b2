"""Textual pipelines: what they mean, and what is said about wrong ones."""

from __future__ import annotations

import pytest

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.pass_registry import register_pass_class
from pyshardy.ir.passes import Pass, Pipeline, option, register_pass
from pyshardy.ir.pipeline_text import PipelineError, nested_pass, parse_pipeline


@register_pass("test-options", on="builtin.module")
class Options(Pass):
    """Does nothing, with options."""

    flag: bool = option(False, "a flag")
    count: int = option(0, "a number")
    label: str = option("", "a text")

    def apply(self, op: Operation, context: Context) -> None:
        pass


register_pass_class(Options)


def message(text: str) -> str:
    with pytest.raises(PipelineError) as failure:
        parse_pipeline(text)
    return "\n".join(diagnostic.message for diagnostic in failure.value.diagnostics)


def test_a_pipeline_prints_with_all_options_alphabetically() -> None:
    pipeline = parse_pipeline(
        "builtin.module( symbol-dce , func.func (sdy-sink-data-flow-edges{sink-debug-sharding-origins=1} ) )"
    )
    assert pipeline.text() == (
        "builtin.module(symbol-dce,func.func(sdy-sink-data-flow-edges{"
        "sink-debug-propagation-edge-sharding=false sink-debug-sharding-origins=true}))"
    )


def test_a_value_with_blanks_prints_in_braces() -> None:
    for written in ("{a b}", "'a b'", '"a b"', "{ a b }"):
        pipeline = parse_pipeline(f"test-options{{flag label={written}}}")
        assert pipeline.text() == "builtin.module(test-options{count=0 flag=true label={a b}})"
        assert parse_pipeline(pipeline.text()) == pipeline
    assert (
        parse_pipeline("test-options{label={} count=2}").text()
        == "builtin.module(test-options{count=2 flag=false label=})"
    )


def test_the_anchor_may_be_left_out() -> None:
    assert parse_pipeline("symbol-dce").text() == "builtin.module(symbol-dce)"


def test_function_passes_are_nested_by_hand_in_text() -> None:
    pipeline = parse_pipeline("builtin.module(func.func(sdy-drop-sharding-rules))")
    (nested,) = pipeline.items
    assert isinstance(nested, Pipeline) and nested.anchor == "func.func"


def test_a_command_line_flag_nests_by_itself() -> None:
    (nested,) = nested_pass("sdy-drop-sharding-rules", "")
    assert isinstance(nested, Pipeline) and nested.anchor == "func.func"


def test_an_unknown_pass_is_named() -> None:
    assert message("builtin.module(sdy-foo)") == "'sdy-foo' does not refer to a registered pass or pass pipeline"


def test_wrong_nesting_is_explained() -> None:
    assert message("builtin.module(sdy-drop-sharding-rules)") == (
        "Can't add pass 'DropShardingRulesPass' restricted to 'func.func' on a PassManager intended to run on "
        "'builtin.module', did you intend to nest?\n"
        "failed to add `sdy-drop-sharding-rules` with options ``"
    )


def test_an_unknown_option_is_named() -> None:
    assert message("sdy-basic-propagate{propagation-strategy=basic}") == (
        "<Pass-Options-Parser>: no such option propagation-strategy\n"
        "failed to add `sdy-basic-propagate` with options `propagation-strategy=basic`"
    )


def test_a_bad_boolean_is_quoted() -> None:
    assert message("sdy-basic-propagate{conservative-propagation=maybe}") == (
        ": for the --conservative-propagation option: 'maybe' is invalid value for boolean argument! Try 0 or 1\n"
        "failed to add `sdy-basic-propagate` with options `conservative-propagation=maybe`"
    )


def test_a_bad_choice_is_quoted() -> None:
    assert message("sdy-aggressive-propagate{propagation-strategy=foo}").startswith(
        ": for the --propagation-strategy option: Cannot find option named 'foo'!"
    )


@pytest.mark.parametrize("text", ["builtin.module(symbol-dce", "builtin.module(symbol-dce))", "symbol-dce{a", "a b"])
def test_broken_syntax_is_an_error(text: str) -> None:
    assert message(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("builtin.module(nope)", "MLIR Textual PassPipeline Parser:1:1: error: 'nope' does not refer to"),
        ("builtin.module(symbol-dce,)", "MLIR Textual PassPipeline Parser:1:12: error: '' does not refer to"),
        ("builtin.module(symbol-dce))", "MLIR Textual PassPipeline Parser:1:11: error: encountered extra closing ')'"),
        ("builtin.module(func.func(symbol-dce)", "Parser:1:11: error: encountered unbalanced parentheses"),
        ("builtin.module(symbol-dce{x{y})", "Parser:1:11: error: missing closing '}' while processing pass options"),
        ("builtin.module(symbol-dce{x=1}foo)", "Parser:1:16: error: expected ',' after parsing pipeline"),
        ("builtin.module", "expected pass pipeline to be wrapped with the anchor operation type"),
        ("symbol-dce", "expected pass pipeline to be wrapped with the anchor operation type"),
        (
            "builtin.module(func.func(sdy-close-shardings))",
            "failed to add `func.func` with options `` to inner pipeline",
        ),
        ("builtin.module(" + "func.func(" * 100_000 + ")" * 100_001, "pipelines nest deeper than 100 levels"),
    ],
)
def test_a_wrong_pipeline_is_explained_where_it_is_wrong(text: str, expected: str) -> None:
    with pytest.raises(PipelineError) as failure:
        parse_pipeline(text, wrapped=True)
    assert expected in str(failure.value)


def test_options_follow_each_other_with_blanks_and_the_last_one_wins() -> None:
    (made,) = parse_pipeline("test-options{ flag\n count=1  flag=false count=7}").items
    assert made == Options(count=7)
