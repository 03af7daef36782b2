"""The pretty form of ``stablehlo.while``: one list of arguments for both regions.

%0:2 = stablehlo.while(%iterArg = %a, %iterArg_0 = %b) : T1, T2 attributes {…}
cond { … } do { … }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import read_dictionary, written_dictionary
from pyshardy.ir.parsing.region_parser import Argument

if TYPE_CHECKING:
    from pyshardy.ir.explicit_stack import Steps
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.parsing.value_parser import Unresolved
    from pyshardy.ir.printing.printer import Printer


def parse_while(parser: Parser, state: OperationState) -> Steps:
    """Reads the form above.

    Raises:
        ParseError: the text does not fit.
    """
    offset = parser.start
    pairs = parser.comma_list("(", ")", lambda: _initialized_argument(parser))
    if pairs:
        parser.expect(":")
        state.types = parser.types()
    state.operands = parser.resolve_all([operand for _, operand in pairs], state.types, at=offset)
    if parser.accept_keyword("attributes"):
        read_dictionary(parser, state)
    arguments = [
        Argument(argument.name, type, argument.offset) for (argument, _), type in zip(pairs, state.types, strict=True)
    ]
    for keyword in ("cond", "do"):
        parser.custom_op = state.name
        parser.expect_keyword(keyword)
        region = yield parser.region(arguments)
        state.regions.append(region)


def _initialized_argument(parser: Parser) -> tuple[Unresolved, Unresolved]:
    argument = parser.operand()
    parser.expect("=")
    return argument, parser.operand()


def print_while(printer: Printer, op: Operation) -> Steps:
    """Writes the form above; the arguments take the names of the first region's."""
    pairs = zip(op.body.arguments, op.operands, strict=False)
    printer.write("(" + ", ".join(f"{printer.operand(a)} = {printer.operand(o)}" for a, o in pairs) + ")")
    if op.operands:
        printer.write(" : " + printer.types(operand.type for operand in op.operands))
    printer.write(written_dictionary(printer, op, keyword=True))
    printer.newline()
    printer.write("cond ")
    yield printer.region(op.regions[0], arguments=False)
    printer.write(" do ")
    yield printer.region(op.regions[1], arguments=False)


def argument_names(op: Operation, region: int) -> list[str]:
    """Every argument of both regions suggests ``iterArg``."""
    return ["iterArg"] * len(op.regions[region].blocks[0].arguments)
