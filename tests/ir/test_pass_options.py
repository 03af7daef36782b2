"""Options that are lists, and options that are printed only if they are set."""

from __future__ import annotations

import pytest

from pyshardy.ir.pipeline_text import PipelineError, parse_pipeline

_REST = "max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true"


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("enable-patterns=a,b", "enable-patterns={a,b}"),
        ("enable-patterns={a, b}", "enable-patterns={a,b}"),
        ("enable-patterns=a enable-patterns=b", "enable-patterns={a,b}"),
        ("enable-patterns='a'", "enable-patterns={a}"),
        ("", ""),
    ],
)
def test_a_list_is_written_with_commas_and_may_come_in_parts(written: str, printed: str) -> None:
    text = parse_pipeline(f"canonicalize{{{written}}}").text()
    assert text == f"builtin.module(canonicalize{{cse-between-iterations=false  {printed}  {_REST}}})"


def test_a_list_needs_a_value() -> None:
    with pytest.raises(PipelineError, match="for the --enable-patterns option: requires a value!"):
        parse_pipeline("canonicalize{enable-patterns}")


def test_an_older_spelling_is_printed_only_if_it_is_used() -> None:
    plain = "sdy-insert-explicit-reshards{enable-full-version=false}"
    assert parse_pipeline("func.func(sdy-insert-explicit-reshards)").text() == f"builtin.module(func.func({plain}))"
    older = parse_pipeline("func.func(sdy-insert-explicit-reshards{avoid-reshards-on-named-computations})").text()
    assert "avoid-reshards-on-named-computations=true" in older
