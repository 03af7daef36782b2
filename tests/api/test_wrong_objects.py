"""Functions of the package that are given something else than a module or plans say so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pyshardy


@pytest.mark.parametrize(
    "call",
    [
        pyshardy.partition,
        pyshardy.propagate,
        lambda given: pyshardy.run_passes(given, "builtin.module()"),
        lambda given: pyshardy.search(given, "v5e"),
    ],
)
def test_a_text_is_no_module(call: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError, match=r"takes a module, as pyshardy\.parse and pyshardy\.load make one, not a str"):
        call("module {}")


def test_plans_are_compared_by_name() -> None:
    given: Any = [1]
    with pytest.raises(TypeError, match="compare takes a dictionary with plans by their names, not a list"):
        pyshardy.compare(given)
    given = {"a": pyshardy.parse("module {}")}
    with pytest.raises(TypeError, match="'a' is a Module"):
        pyshardy.compare(given)


def small_plan() -> pyshardy.Plan:
    return pyshardy.partition(
        pyshardy.parse(
            """
            sdy.mesh @mesh = <["x"=2]>
            func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
              %0 = stablehlo.tanh %a : tensor<8xf32>
              return %0 : tensor<8xf32>
            }"""
        )
    )


@pytest.mark.parametrize("what", [None, 3, ["a"]])
def test_what_is_explained_is_a_name(what: Any) -> None:
    kind = type(what).__name__
    with pytest.raises(TypeError, match=f"explain takes names of tensors or collectives as text, .* not a {kind}"):
        small_plan().explain("a", what)


@pytest.mark.parametrize("what", [None, 3, "a"])
def test_a_location_is_that_of_something_in_the_program(what: Any) -> None:
    kind = type(what).__name__
    with pytest.raises(TypeError, match=f"location_of takes an operation, .*, not a {kind}"):
        pyshardy.parse("module {}").location_of(what)


def test_a_page_in_no_directory_is_an_error_that_names_it(tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "page.html", tmp_path / "file" / "page.html"):
        (tmp_path / "file").touch()
        with pytest.raises(OSError) as error:
            small_plan().report(path)
        assert error.value.filename == str(path)
