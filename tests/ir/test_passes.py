"""Textual pipelines: what they mean, what is said about wrong ones, and how they run."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pyshardy import Module, PyshardyError, parse, run_passes
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.pass_registry import register_pass_class
from pyshardy.ir.passes import Pass, PassFailure, Pipeline, option, register_pass
from pyshardy.ir.pipeline_run import PassCrash, PassObserver
from pyshardy.ir.pipeline_text import PipelineError, nested_pass, parse_pipeline


@register_pass("test-options", on="builtin.module", class_name="OptionsPass", summary="Has options.")
@dataclass(frozen=True)
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


class Log(PassObserver):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def before_pipeline(self, pipeline: Pipeline, op: Operation) -> None:
        self.lines.append(f"( {op.symbol_name}")

    def after_pipeline(self, pipeline: Pipeline, op: Operation) -> None:
        self.lines.append(f") {op.symbol_name}")

    def before_pass(self, one: Pass, op: Operation) -> None:
        self.lines.append(f"+ {one.name} {op.symbol_name}")

    def after_pass(self, one: Pass, op: Operation) -> None:
        self.lines.append(f"- {one.name} {op.symbol_name}")

    def after_failed_pass(self, one: Pass, op: Operation) -> None:
        self.lines.append(f"! {one.name} {op.symbol_name}")


@register_pass("test-fail", on="func.func", class_name="FailPass", summary="Fails on @b.")
@dataclass(frozen=True)
class Fail(Pass):
    """Fails on the function @b."""

    crash: bool = option(False, "break down instead of failing")

    def apply(self, op: Operation, context: Context) -> None:
        if op.symbol_name == "b":
            if self.crash:
                raise KeyError("b")
            context.emit("error", op.location, "not this one")
            raise PassFailure


def three_functions() -> Module:
    return parse("".join(f"func.func @{name}() {{ return }}\n" for name in "abc"))


def test_observers_see_every_pass_and_nested_pipeline() -> None:
    log = Log()
    pipeline = Pipeline("builtin.module", (Options(), Pipeline("func.func", (Fail(),)), Options()))
    with pytest.raises(PyshardyError, match="not this one"):
        run_passes(three_functions(), pipeline, observers=[log])
    assert log.lines == [
        "+ test-options None",
        "- test-options None",
        *["( a", "+ test-fail a", "- test-fail a", ") a"],
        *["( b", "+ test-fail b", "! test-fail b", ") b"],
        *["( c", "+ test-fail c", "- test-fail c", ") c"],
    ]


def test_a_pass_that_breaks_down_is_named() -> None:
    pipeline = Pipeline("builtin.module", (Pipeline("func.func", (Fail(crash=True),)),))
    with pytest.raises(PassCrash, match=r"'test-fail\{crash=true\}' on 'func.func' operation: @b") as failure:
        run_passes(three_functions(), pipeline)
    assert isinstance(failure.value.__cause__, KeyError)


def test_a_pipeline_runs_only_on_its_anchor() -> None:
    with pytest.raises(PyshardyError, match=r"can't run 'func.func' pass manager on 'builtin.module' op"):
        run_passes(three_functions(), Pipeline("func.func", (Fail(),)))


def test_a_pipeline_for_any_operation_runs_on_isolated_ones() -> None:
    log = Log()
    with pytest.raises(PyshardyError, match="does not define a symbol table"):
        run_passes(three_functions(), "builtin.module(any(symbol-dce))", observers=[log])
    assert [line for line in log.lines if line[0] == "!"] == [f"! symbol-dce {name}" for name in "abc"]
