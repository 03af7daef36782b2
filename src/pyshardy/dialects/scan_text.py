"""The pretty form of ``chlo.scan``: inputs, then initial carries, then the body with its arguments.

%0:2 = chlo.scan(%a) inits (%b) dimension=0  attributes {…} {
^bb0(%input: T0, %carry: T1):
  …
} : (A, B) -> (C, D)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import written_dictionary
from pyshardy.ir.attributes import DenseArrayAttr, IntegerAttr
from pyshardy.ir.types import I32, I64

if TYPE_CHECKING:
    from pyshardy.ir.explicit_stack import Steps
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.parsing.value_parser import Unresolved
    from pyshardy.ir.printing.printer import Printer


def parse_scan(parser: Parser, state: OperationState) -> Steps:
    """Reads the form above.

    Raises:
        ParseError: the text does not fit.
    """
    name_offset = state.location if isinstance(state.location, int) else parser.start
    inputs = _operand_list(parser)
    parser.expect_keyword("inits")
    initial = _operand_list(parser)
    parser.expect_keyword("dimension")
    parser.expect("=")
    dimension = parser.integer()
    if parser.accept_keyword("attributes"):
        parser.optional_attributes(state)
    region = yield parser.region()
    state.regions.append(region)
    parser.custom_op = state.name
    parser.expect(":")
    signature = parser.function_type()
    if "dimension" in state.attributes:
        parser.error("attribute 'dimension' occurs more than once in the attribute list", at=name_offset)
    if len(signature.inputs) != len(inputs) + len(initial):
        parser.error("operand types must match the number of inputs and inits", at=name_offset)
    if len(signature.results) < len(initial):
        parser.error("not enough result types to cover the required carries", at=name_offset)
    state.operands = parser.resolve_all([*inputs, *initial], signature.inputs)
    state.types = list(signature.results)
    state.properties["dimension"] = IntegerAttr(dimension, I64)
    state.properties["operandSegmentSizes"] = DenseArrayAttr(I32, (len(inputs), len(initial)))
    outputs = len(signature.results) - len(initial)
    state.properties["resultSegmentSizes"] = DenseArrayAttr(I32, (outputs, len(initial)))


def _operand_list(parser: Parser) -> list[Unresolved]:
    parser.expect("(", "expected '(' in operand list")
    found = parser.operands()
    parser.expect(")", "expected ')' in operand list")
    return found


def print_scan(printer: Printer, op: Operation) -> Steps:
    """Writes the form above."""
    split = _number_of_inputs(op)
    dimension = op.properties.get("dimension")
    number = dimension.value if isinstance(dimension, IntegerAttr) else dimension
    inputs, initial = printer.operands(op.operands[:split]), printer.operands(op.operands[split:])
    written = ("dimension", "operandSegmentSizes", "resultSegmentSizes")
    attributes = written_dictionary(printer, op, written, keyword=True)
    printer.write(f"({inputs}) inits ({initial}) dimension={number} {attributes} ")
    yield printer.region(op.regions[0])
    printer.write(" : " + printer.signature(op))


def argument_names(op: Operation, region: int) -> list[str]:
    """The arguments for the inputs suggest ``input``, those for the carries ``carry``."""
    inputs = _number_of_inputs(op)
    return ["input"] * inputs + ["carry"] * (len(op.regions[region].blocks[0].arguments) - inputs)


def _number_of_inputs(op: Operation) -> int:
    sizes = op.properties.get("operandSegmentSizes")
    return sizes.values[0] if isinstance(sizes, DenseArrayAttr) and sizes.values else 0
