"""The pretty form of ``stablehlo.optimization_barrier``: attributes come first, then operands and types, or ``()``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import read_dictionary, written_dictionary

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer


def parse_optimization_barrier(parser: Parser, state: OperationState) -> None:
    """``[{attributes}] %a, %b : T1, T2`` or ``[{attributes}]()``.

    Raises:
        ParseError: the text does not fit.
    """
    read_dictionary(parser, state)
    offset = parser.start
    operands = parser.operands()
    if operands:
        parser.expect(":")
        state.types = parser.types()
    else:
        parser.expect("(")
        parser.expect(")")
    state.operands = parser.resolve_all(operands, state.types, at=offset)


def print_optimization_barrier(printer: Printer, op: Operation) -> None:
    """Writes what ``parse_optimization_barrier`` reads."""
    printer.write(written_dictionary(printer, op))
    if op.operands:
        printer.write(f" {printer.operands(op.operands)} : {printer.types(value.type for value in op.operands)}")
    else:
        printer.write("()")
