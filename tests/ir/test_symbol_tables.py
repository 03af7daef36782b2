"""Symbols of a module while passes run on its functions: listed once, and again when something moves."""

from __future__ import annotations

import pytest

from pyshardy import parse, propagate
from pyshardy.dialects.sdy.placement import meshes
from pyshardy.ir import rewriting, shortcuts, symbol_tables
from pyshardy.ir.operation import Operation
from pyshardy.ir.symbol_tables import kept_symbols, symbols_in, symbols_kept_of
from pyshardy.versions import is_compiled

_TENSOR = "tensor<8x8xf32>"


def _program(functions: int) -> str:
    sharded = f'{_TENSOR} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}'
    return 'sdy.mesh @mesh = <["x"=2]>\n' + "\n".join(
        f"func.func @{'main' if not number else f'f{number}'}(%0: {sharded}) -> {_TENSOR} {{\n"
        f"  %1 = stablehlo.tanh %0 : {_TENSOR}\n  return %1 : {_TENSOR}\n}}"
        for number in range(functions)
    )


@pytest.mark.skipif(is_compiled(), reason="what is made of a compiled class cannot be counted")
def test_a_pipeline_lists_symbols_as_often_whatever_the_number_of_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [0]
    original = symbol_tables.Symbols.__init__

    def counting(self: symbol_tables.Symbols, table: Operation) -> None:
        made[-1] += 1
        original(self, table)

    monkeypatch.setattr(symbol_tables.Symbols, "__init__", counting)
    texts = []
    for functions in (3, 30):
        module = parse(_program(functions))
        made.append(0)
        texts.append(str(propagate(module)))
    assert made[2] < made[1] + 5
    with shortcuts.without_shortcuts():
        made.append(0)
        assert str(propagate(parse(_program(30)))) == texts[1]
    assert made[3] > made[2]


def test_what_moves_into_a_table_or_out_of_it_is_seen() -> None:
    module = parse(_program(3)).op
    assert symbols_kept_of(module) is None
    with kept_symbols():
        before = symbols_in(module)
        assert before is symbols_in(module) and set(before.by_name) == {"mesh", "main", "f1", "f2"}
        assert [op.symbol_name for op in before.without_regions] == ["mesh"]
        inner = before.by_name["main"].body.first
        assert inner is not None
        rewriting.detach(inner)
        rewriting.insert_before(before.by_name["main"].body.terminator, inner)
        assert symbols_in(module) is before
        mesh = before.by_name["mesh"]
        rewriting.detach(mesh)
        assert "mesh" not in symbols_in(module).by_name and not meshes(module)
        rewriting.prepend(module.body, mesh)
        assert list(symbols_in(module).by_name) == ["mesh", "main", "f1", "f2"] and list(meshes(module)) == ["mesh"]
    assert symbols_kept_of(module) is None
