"""How pipelines run: what observers see, which operations they run on, and what is said when a pass fails."""

from __future__ import annotations

import pytest

from pyshardy import Module, PyshardyError, parse, run_passes
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, PassFailure, Pipeline, option, register_pass
from pyshardy.ir.pipeline_run import PassCrash, PassObserver


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


@register_pass("test-idle", on="builtin.module")
class Idle(Pass):
    """Does nothing."""

    def apply(self, op: Operation, context: Context) -> None:
        pass


@register_pass("test-fail", on="func.func")
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
    pipeline = Pipeline("builtin.module", (Idle(), Pipeline("func.func", (Fail(),)), Idle()))
    with pytest.raises(PyshardyError, match="not this one"):
        run_passes(three_functions(), pipeline, observers=[log])
    assert log.lines == [
        "+ test-idle None",
        "- test-idle None",
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
