"""Locations and aliases: what is printed with debug information, and what takes a short name, as in MLIR."""

from pathlib import Path

import pytest

from pyshardy.api import programs as api
from tests.ir.tables import Case, cases, diagnostics_of

TABLE = Path(__file__).parents[1] / "tables" / "debug_info.txt"


def _printed(text: str, *, generic: bool = False) -> str:
    return api.parse(text, allow_unregistered=True).text(generic=generic, debug_info=True)


@pytest.mark.parametrize("case", cases(TABLE), ids=lambda case: case.written[:80])
def test_locations_are_printed_or_rejected_as_in_mlir(case: Case) -> None:
    if case.printed:
        assert _printed(case.written) == case.printed
        assert _printed(case.written, generic=True) == case.generic
    else:
        assert diagnostics_of(case.written) == case.diagnostics


def test_a_default_location_is_a_position_in_the_file_that_was_read() -> None:
    module = api.parse("\nfunc.func private @f()", "dir/some file.mlir")
    assert module.text(debug_info=True).endswith(
        '#loc = loc("dir/some file.mlir":0:0)\n#loc1 = loc("dir/some file.mlir":2:1)\n'
    )


def test_locations_are_not_printed_unless_asked_for() -> None:
    assert str(api.parse('func.func private @f() loc("f")')) == "module {\n  func.func private @f()\n}\n"


def test_lines_that_the_fast_tier_reads_have_their_locations() -> None:
    lines = [f'  %{n} = stablehlo.abs %{n - 1} : tensor<4xf32> loc("l{n}")' for n in range(1, 9)]
    text = "\n".join(["func.func @f(%0: tensor<4xf32>) {", *lines, '  return loc("end")', "}", ""])
    once = _printed(text)
    assert [f'loc("l{n}")' in once for n in range(1, 9)] == [True] * 8
    assert _printed(once) == once


def test_a_long_chain_of_locations_is_no_problem() -> None:
    names = "\n".join(f'#l{n} = loc("n"(#l{n - 1}))' for n in range(1, 5000))
    text = f'#l0 = loc("n")\n{names}\n"foo.x"() : () -> () loc(#l4999)\n'
    assert len(_printed(text).splitlines()) == 5000 + 4


def test_locations_that_share_their_parts_take_no_more_room_than_their_text() -> None:
    names = "\n".join(f"#l{n} = loc(callsite(#l{n - 1} at #l{n - 1}))" for n in range(1, 60))
    text = f'#l0 = loc("n")\n{names}\n"foo.x"() : () -> () loc(#l59)\n'
    assert len(_printed(text).splitlines()) == 60 + 4
