"""The dialect ``builtin``: the module, which is the root of every program, and casts without semantics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.property_kinds import STRING
from pyshardy.ir.attribute import symbol_text
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.opdef import (
    GRAPH_REGION,
    ISOLATED,
    NO_TERMINATOR,
    PURE,
    SINGLE_BLOCK,
    SYMBOL,
    SYMBOL_TABLE,
    Dialect,
    OpDef,
)
from pyshardy.ir.operation import Block, Operation
from pyshardy.ir.types import Type

if TYPE_CHECKING:
    from pyshardy.ir.explicit_stack import Steps
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer
    from pyshardy.ir.verifying.verification import Verification


def _parse_module(parser: Parser, state: OperationState) -> Steps:
    if parser.kind == "symbol":
        state.attributes["sym_name"] = StringAttr(parser.symbol())
    if parser.accept_keyword("attributes"):
        state.attributes.update(parser.dictionary().entries)
    region = yield parser.region(isolated=True, default_dialect="builtin")
    if region.empty:
        region.add_block(Block())
    state.regions.append(region)


def _print_module(printer: Printer, op: Operation) -> Steps:
    if op.symbol_name is not None:
        printer.write(" " + symbol_text(op.symbol_name))
    printer.write(printer.attr_dict(op, ("sym_name",), keyword=True))
    printer.write(" ")
    yield printer.region(op.regions[0], arguments=False, empty_block=False)


def _verify_module(verification: Verification, op: Operation) -> None:
    if op.regions[0].empty:
        verification.error(op, "region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks")
    if op.body.arguments:
        verification.error(op, "region should have no arguments")
    for name, _ in op.attributes:
        if "." not in name:
            verification.error(op, f"can only contain attributes with dialect-prefixed names, found: '{name}'")


def _parse_cast(parser: Parser, state: OperationState) -> None:
    operands = parser.operands()
    types: list[Type] = []
    if operands:
        parser.expect(":")
        types = parser.types()
    parser.expect_keyword("to")
    state.types = parser.types()
    parser.optional_attributes(state)
    state.operands = parser.resolve_all(operands, types)


def _print_cast(printer: Printer, op: Operation) -> None:
    if op.operands:
        printer.write(f" {printer.operands(op.operands)} : {printer.types(v.type for v in op.operands)}")
    printer.write(f" to {printer.types(r.type for r in op.results)}{printer.attr_dict(op)}")


def _verify_cast(verification: Verification, op: Operation) -> None:
    if not op.results:
        verification.error(op, "expected at least one result for cast operation")


DIALECT = Dialect(
    "builtin",
    [
        OpDef(
            "builtin.module",
            operands=0,
            results=0,
            regions=1,
            properties=("sym_name", "sym_visibility"),
            kinds={"sym_name": STRING, "sym_visibility": STRING},
            traits=ISOLATED | SYMBOL | SYMBOL_TABLE | SINGLE_BLOCK | NO_TERMINATOR | GRAPH_REGION,
            parse=_parse_module,
            print_=_print_module,
            default_dialect="builtin",
            verifiers=(_verify_module,),
        ),
        OpDef(
            "builtin.unrealized_conversion_cast",
            traits=PURE,
            parse=_parse_cast,
            print_=_print_cast,
            verifiers=(_verify_cast,),
        ),
    ],
)
