"""Converts manual computations to functions, each called between two custom calls: the inverse of ``manual_bodies``."""

from __future__ import annotations

from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.operation import Operation, Region, Value
from pyshardy.ir.types import FunctionType
from pyshardy.passes.call_graph import SymbolTable, take_body
from pyshardy.reading.exchange import names
from pyshardy.reading.exchange.marker_calls import call_of, custom_call


def make_functions(module: Operation) -> None:
    """Replaces the manual computations of ``module``, inner ones first, by calls of new private functions."""
    symbols = SymbolTable(module)
    found = [op for op in module.walk() if op.name == "sdy.manual_computation"]
    # A walk visits an outer computation before inner ones; functions are numbered with inner ones first.
    for op in _inner_first(found):
        _make(op, symbols)


def _inner_first(found: list[Operation]) -> list[Operation]:
    ordered: list[Operation] = []
    open_ones: list[Operation] = []
    for op in found:
        while open_ones and not open_ones[-1].is_proper_ancestor_of(op):
            ordered.append(open_ones.pop())
        open_ones.append(op)
    return ordered + open_ones[::-1]


def _make(op: Operation, symbols: SymbolTable) -> None:
    arguments, returned = op.body.arguments, op.body.terminator.operands
    func = _function(op)
    symbols.insert(func)
    axes = op.properties.entries["manual_axes"]
    operands: list[Value] = []
    if op.operands:
        strings: dict[str, Attribute] = {
            names.IN_SHARDINGS: op.properties.entries["in_shardings"],
            names.MANUAL_AXES: axes,
        }
        types = [argument.type for argument in arguments]
        entry = custom_call(names.GLOBAL_TO_LOCAL, op.operands, types, strings, op, effect=True)
        rewriting.insert_before(op, entry)
        operands = list(entry.results)
    call = call_of(func, operands, [value.type for value in returned], op)
    rewriting.insert_before(op, call)
    frontend = names.frontend_attributes(call.attributes) or DictionaryAttr({})
    for name, value in names.frontend_attributes(op.attributes) or ():
        frontend = frontend.with_(name, value)
    if not op.operands and not op.results:
        frontend = frontend.with_(names.MANUAL_AXES, StringAttr(str(axes)))
    rewriting.set_attributes(call, names.with_frontend_attributes(op.attributes, frontend))
    results: list[Value] = []
    if op.results:
        strings = {names.OUT_SHARDINGS: op.properties.entries["out_shardings"], names.MANUAL_AXES: axes}
        types = [result.type for result in op.results]
        leave = custom_call(names.LOCAL_TO_GLOBAL, list(call.results), types, strings, op, effect=True)
        rewriting.insert_before(op, leave)
        results = list(leave.results)
    rewriting.replace_op(op, results)


def _function(op: Operation) -> Operation:
    body = op.body
    types = FunctionType(
        [argument.type for argument in body.arguments], [value.type for value in body.terminator.operands]
    )
    properties = DictionaryAttr(
        {
            "sym_name": StringAttr(names.MANUAL_BODY),
            "sym_visibility": StringAttr("private"),
            "function_type": types,
        }
    )
    func = rewriting.create("func.func", properties=properties, regions=(Region(),), location=op.location)
    take_body(func.regions[0], op.regions[0], "func.return")
    return func
