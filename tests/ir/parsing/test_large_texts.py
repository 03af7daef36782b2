"""Texts of any size: reading takes steps in proportion to them, tells how far it is, and can be stopped."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from pyshardy import parse, propagate
from pyshardy.ir import shortcuts
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.parsing.lines.fast_reader import FastReader
from pyshardy.ir.parsing.parser import Parser, parse_module
from pyshardy.ir.printing.program_text import operation_text
from pyshardy.ir.source_text import SourceText
from pyshardy.versions import is_compiled
from tests.use_order import uses_by_number

_SQUARE = "tensor<64x64xf32>"


def _function(lines: list[str], argument: str = "tensor<f32>") -> str:
    return "\n".join([f"func.func @main(%0: {argument}) {{", *lines, "  return", "}", ""])


def _chain(count: int, line: str = "stablehlo.tanh %x") -> str:
    lines = [f"  %{number + 1} = {line.replace('%x', f'%{number}')} : {_SQUARE}" for number in range(count)]
    return _function(lines, _SQUARE)


def _constants(count: int, elements: int = 1) -> str:
    shape = "" if elements == 1 else f"{elements}x"
    lines = []
    for number in range(count):
        values = [f"{number}.5", *["-2.0"] * (elements - 1)]
        literal = values[0] if elements == 1 else f"[{', '.join(values)}]"
        lines.append(f"  %c{number} = stablehlo.constant dense<{literal}> : tensor<{shape}f32>")
    return _function(lines)


def _shapes(count: int) -> str:
    lines = []
    for number in range(count):
        type = f"tensor<{number + 1}x3xbf16>"
        lines.append(f"  %a{number} = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> {type}")
        lines.append(f"  %b{number} = stablehlo.add %a{number}, %a{number} : {type}")
        lines.append(
            f'  %d{number} = "stablehlo.transpose"(%b{number}) <{{permutation = array<i64: 1, 0>}}> : ({type}) -> '
            f"tensor<3x{number + 1}xbf16>"
        )
        lines.append(f"  %e{number} = stablehlo.compare EQ, %a{number}, %b{number} : ({type}, {type}) -> {type}")
        lines.append(f"  %f{number} = stablehlo.iota dim = 1 : {type}")
    return _function(lines)


class _CountingText(str):
    """A text that counts the characters that are copied out of it."""

    copied = 0

    def __getitem__(self, place: Any) -> str:
        piece = super().__getitem__(place)
        _CountingText.copied += len(piece)
        return piece


@pytest.mark.parametrize(
    "line",
    ["stablehlo.tanh %x", '"stablehlo.custom_call"(%x) {call_target_name = "f()"}', "stablehlo.custom_call @f(%x)"],
)
def test_a_line_costs_the_same_wherever_it_stands(line: str) -> None:
    copies = []
    for count in (2_000, 20_000):
        text = _CountingText(_chain(count, line) if "custom" not in line else _custom_calls(count, line))
        _CountingText.copied = 0
        parse_module(Context(SourceText(text)))
        copies.append(_CountingText.copied / len(text))
    assert copies[1] < copies[0] + 1 < 10


def _custom_calls(count: int, line: str) -> str:
    types = f"({_SQUARE}) -> ({_SQUARE})"
    lines = [f"  %{number + 1} = {line.replace('%x', f'%{number}')} : {types}" for number in range(count)]
    return _function(lines, _SQUARE)


class _Counted:
    """Counts how many operations the complete parser reads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.operations = 0
        original = Parser._start_operation

        def counting(parser: Parser) -> Any:
            self.operations += 1
            return original(parser)

        monkeypatch.setattr(Parser, "_start_operation", counting)


@pytest.mark.skipif(is_compiled(), reason="calls of compiled functions cannot be counted")
@pytest.mark.parametrize("text", [_constants(500), _constants(500, 3), _shapes(100)], ids=["one", "three", "shapes"])
def test_lines_that_differ_in_shapes_and_constants_are_read_by_their_form(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shortcuts.without_shortcuts():
        plain = parse_module(Context(SourceText(text)))
    counted = _Counted(monkeypatch)
    # Widths and numbers that no test has read before: what is known of lines outlives a program.
    fresh = parse_module(Context(SourceText(text.replace("bf16", "f16").replace(".5>", ".25>"))))
    assert counted.operations < 60
    again = parse_module(Context(SourceText(text)))
    assert len(fresh.op.operations()) == len(plain.op.operations())
    assert operation_text(again.op, generic=True) == operation_text(plain.op, generic=True)
    assert uses_by_number(again.op) == uses_by_number(plain.op)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%x = stablehlo.constant dense<1.5> : tensor<2xi32>", "expected integer elements"),
        ("%x = stablehlo.constant dense<[1.5]> : tensor<2xf32>", "inferred shape of elements literal"),
        ("%x = stablehlo.iota dim = 0 : tensor<4xf33>", "expected non-function type"),
        ("%x = stablehlo.iota dim = 0 : tensor<4xi99999999>", "integer bitwidth is limited"),
        ("%x = stablehlo.iota dim = 0 : tensor<99999999999999999999xf32>", "invalid dimension"),
        ("%x = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<2xf32>) -> tensor<9xf32>", "expects different type"),
    ],
)
def test_what_is_wrong_in_a_line_of_known_form_is_said_as_ever(line: str, message: str) -> None:
    known = [
        *(f"%c{n} = stablehlo.constant dense<{n}.5> : tensor<2xf32>" for n in range(5)),
        *(f"%d{n} = stablehlo.iota dim = 0 : tensor<{n + 1}xf32>" for n in range(5)),
        *(f"%e{n} = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<{n + 1}xf32>" for n in range(5)),
    ]
    said = []
    for lines in ([*known, line], [line]):
        with pytest.raises(Exception, match=message) as caught:
            parse(_function(lines))
        said.append(str(caught.value).split(":", 3)[2:])
    assert said[0] == said[1]


@pytest.mark.parametrize("ending", ["", f"%9 = stablehlo.tanh %0 : {_SQUARE}", f"%8 = stablehlo.tanh %7 : {_SQUARE}"])
def test_lines_with_the_place_in_a_file_are_read_by_both_tiers_alike(
    ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f'%{n + 1} = stablehlo.tanh %{n} : {_SQUARE} loc("model.py":{n}:7)' for n in range(40)]
    reduce = "stablehlo.reduce(%9 init: %c) applies stablehlo.add across dimensions = [0, 1]"
    sums = [f'%s{n} = {reduce} : ({_SQUARE}, tensor<f32>) -> tensor<f32> loc("sum.py":{n}:1)' for n in range(5)]
    sums.append(f"%s = {reduce} : ({_SQUARE}, tensor<f32>) -> tensor<f32>")
    constant = "%c = stablehlo.constant dense<0.0> : tensor<f32>"
    text = _function([*lines, constant, *sums, ending], _SQUARE)
    read = []
    for _ in range(3):
        context = Context(SourceText(text))
        try:
            read.append(operation_text(parse_module(context).op, generic=True, debug_info=context.source))
        except PyshardyError as error:
            read.append(str(error))
        if len(read) == 2:
            monkeypatch.setattr(FastReader, "read", lambda reader, block, scope, dialect, offset: offset)
    assert read[0] == read[1] == read[2]


def test_reading_tells_how_far_it_is() -> None:
    text = _chain(5_000)
    heard: list[tuple[str, int, int]] = []
    parse(text, progress=lambda *told: heard.append(told))
    read = [done for what, done, _ in heard if what == "reading"]
    assert read == sorted(read) and len(read) > 2 and read[-1] == len(text)
    assert {total for what, _, total in heard if what == "reading"} == {len(text)}
    assert heard[-1][0] == "verifying"


def test_passes_are_told_by_name() -> None:
    heard: list[tuple[str, int, int]] = []
    propagate(parse(_chain(3)), progress=lambda *told: heard.append(told))
    names = [what for what, _, _ in heard]
    assert "sdy-user-priority-propagate" in names and "func.func" not in names
    assert all(number < total for _, number, total in heard)


def test_whoever_hears_of_progress_can_stop_reading() -> None:
    def stop(what: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parse(_chain(5_000), progress=stop)
    assert gc.isenabled()
    assert parse(_chain(5)).op.operations()
