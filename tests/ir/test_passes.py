"""Textual pipelines: what they mean, and what is said about wrong ones."""

import pytest

from pyshardy.ir.passes import Pipeline, PipelineError, nested_pass, parse_pipeline


def message(text: str) -> str:
    with pytest.raises(PipelineError) as failure:
        parse_pipeline(text)
    return "\n".join(diagnostic.message for diagnostic in failure.value.diagnostics)


def test_a_pipeline_prints_with_all_options_alphabetically() -> None:
    pipeline = parse_pipeline("builtin.module( symbol-dce , sdy-basic-propagate{keep-sharding-rules=1} )")
    assert pipeline.text() == (
        "builtin.module(symbol-dce,sdy-basic-propagate{conservative-propagation=false keep-sharding-rules=true})"
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
