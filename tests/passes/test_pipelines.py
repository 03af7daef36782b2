"""Pipelines that have a name, and their options."""

from __future__ import annotations

import pytest

from pyshardy.ir.pipeline_text import PipelineError, parse_pipeline


def _names(text: str) -> list[str]:
    return [one.name for one in parse_pipeline(text).passes()]


def test_an_option_adds_passes() -> None:
    usual = _names("sdy-import-pipeline")
    assert usual[-1] == "sdy-add-data-flow-edges"
    added = ["sdy-apply-sharding-constraints", "sdy-sharding-group-import"]
    assert _names("sdy-import-pipeline{dedup-functions-fully=true}") == [*usual, *added]


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(PipelineError) as failure:
        parse_pipeline("sdy-import-pipeline{a=1}")
    assert str(failure.value) == (
        "<Pass-Options-Parser>: no such option a\nfailed to add `sdy-import-pipeline` with options `a=1`"
    )


def test_a_pipeline_of_module_passes_does_not_run_on_functions() -> None:
    with pytest.raises(PipelineError, match=r"intended to run on 'func\.func'"):
        parse_pipeline("builtin.module(func.func(sdy-import-pipeline))")
