"""Calls share a function again where its copies are sharded alike."""

from __future__ import annotations

import re

import pytest

from tests.passes.running import body_after

UNFLATTEN = "sdy-unflatten-call-graph"
SHARDINGS = {"f": "x", "f_0": "x", "f_1": "y", "f_2": "y"}


def _program(*calls: str, attributes: str = "") -> str:
    lines = "\n".join(f"call @{name}(%a) : (tensor<8xf32>) -> ()" for name in calls)
    functions = "\n".join(
        f"""func.func private @{name}(%a: tensor<8xf32> {{sdy.sharding = #sdy.sharding<@m, [{{"{axis}"}}]>}})
        attributes {{sdy.original_func_name = "f"{attributes if name == "f_2" else ""}}} {{ return }}"""
        for name, axis in SHARDINGS.items()
    )
    return f'sdy.mesh @m = <["x"=2, "y"=2]>\nfunc.func @main(%a: tensor<8xf32>) {{\n{lines}\nreturn\n}}\n{functions}'


def _calls(text: str) -> list[str]:
    return re.findall(r"call @(\w+)", text)


def test_copies_that_are_sharded_alike_become_the_first_called() -> None:
    text = body_after(UNFLATTEN, _program("f_1", "f_0", "f", "f_2"))
    assert _calls(text) == ["f_1", "f_0", "f_0", "f_1"]


def test_no_function_says_any_more_where_it_came_from() -> None:
    assert "original_func_name" not in body_after(UNFLATTEN, _program("f"))


def test_copies_under_other_manual_axes_stay_apart() -> None:
    attributes = ', sdy.func_manual_axes = #sdy<manual_axes{"x"}>'
    text = body_after(UNFLATTEN, _program("f_1", "f_2", attributes=attributes))
    assert _calls(text) == ["f_1", "f_2"]
    assert "manual_axes" not in text


@pytest.mark.parametrize(
    ("calls", "chosen"),
    [(("f_1", "f", "f_0"), "f_0"), (("f_1", "f", "f_2", "f_0"), "f_1"), (("f",), "f")],
    ids=["the more frequent", "the first of equally frequent ones", "the only one"],
)
def test_fully_shared_all_calls_call_the_most_frequent(calls: tuple[str, ...], chosen: str) -> None:
    text = body_after(f"{UNFLATTEN}{{dedup-functions-fully=true}}", _program(*calls))
    assert _calls(text) == [chosen] * len(calls)
