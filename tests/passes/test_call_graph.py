"""Functions in order, fresh names, and copies with all that they call."""

from __future__ import annotations

import pytest

import pyshardy
from pyshardy.dialects.main_function import functions
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.passes.call_graph import CallGraph, SymbolTable, clone_with_callees


def module_of(calls: dict[str, str]) -> Operation:
    """A module with a function for each key, which calls the functions named in its value; `-` has no body."""
    texts = []
    for name, callees in calls.items():
        body = "".join(f"call @{callee}() : () -> ()\n" for callee in callees.split())
        texts.append(f"func.func private @{name}()" + ("" if callees == "-" else f" {{\n{body}return\n}}"))
    return pyshardy.parse("\n".join(texts)).op


def order(calls: dict[str, str]) -> list[str | None]:
    return [func.symbol_name for func in CallGraph(SymbolTable(module_of(calls))).order]


def test_callees_come_before_callers_in_the_order_of_their_calls() -> None:
    assert order({"main": "a b", "b": "c", "a": "c", "c": ""}) == ["c", "a", "b", "main"]


def test_independent_functions_keep_their_order() -> None:
    assert order({"f": "", "g": "", "h": "g"}) == ["f", "g", "h"]


def test_declarations_are_not_visited() -> None:
    assert order({"main": "ext", "ext": "-"}) == ["main"]


def test_a_cycle_is_found_and_does_no_harm_to_the_order() -> None:
    symbols = SymbolTable(module_of({"main": "a", "a": "b", "b": "a"}))
    graph = CallGraph(symbols)
    assert [func.symbol_name for func in graph.order] == ["b", "a", "main"]
    assert graph.cycle is not None
    assert symbols.called_function(graph.cycle) is symbols.lookup("a")


def test_a_function_called_twice_is_no_cycle() -> None:
    assert CallGraph(SymbolTable(module_of({"main": "a b", "a": "b", "b": ""}))).cycle is None


def test_all_names_share_one_counter() -> None:
    module = module_of({"f": "", "f_0": "", "g": ""})
    symbols = SymbolTable(module)
    names = [symbols.insert(rewriting.clone(func)) for func in list(functions(module))]
    assert names == ["f_1", "f_0_2", "g_3"]
    assert [func.symbol_name for func in functions(module)] == ["f", "f_0", "g", *names]


def test_the_name_of_an_erased_symbol_is_free() -> None:
    module = module_of({"f": "", "g": ""})
    symbols = SymbolTable(module)
    func = symbols.lookup("f")
    assert func is not None
    copy = rewriting.clone(func)
    symbols.erase(func)
    assert symbols.insert(copy) == "f"


def test_a_copy_brings_copies_of_its_callees_innermost_first() -> None:
    module = module_of({"f": "g g", "g": "h", "h": ""})
    symbols = SymbolTable(module)
    func = symbols.lookup("f")
    assert func is not None
    assert symbols.insert(clone_with_callees(func, symbols, Context())) == "f_4"
    assert [one.symbol_name for one in functions(module)][3:] == ["h_0", "g_1", "h_2", "g_3", "f_4"]


@pytest.mark.slow
def test_a_long_chain_of_calls_is_copied() -> None:
    length = 1500
    module = module_of({f"f{number}": f"f{number + 1}" for number in range(length)} | {f"f{length}": ""})
    symbols = SymbolTable(module)
    assert len(CallGraph(symbols).order) == length + 1
    func = symbols.lookup("f0")
    assert func is not None
    clone_with_callees(func, symbols, Context())
    assert len(list(functions(module))) == 2 * length + 1
