"""The pretty forms of ``stablehlo.reduce``: compact for one commutative operation, long for any other body.

%0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (T, T0) -> T1
%0 = stablehlo.reduce(%a init: %b) across dimensions = [1] : (T, T0) -> T1
 reducer(%x: T0, %y: T0)  { … }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import written_dictionary
from pyshardy.ir.attributes import DenseArrayAttr
from pyshardy.ir.opdef import COMMUTATIVE
from pyshardy.ir.operation import Block, Region
from pyshardy.ir.registry import op_definition
from pyshardy.ir.rewriting import append, create
from pyshardy.ir.types import I64, FunctionType, ShapedType, TensorType, Type

if TYPE_CHECKING:
    from pyshardy.ir.explicit_stack import Steps
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.parsing.region_parser import Argument
    from pyshardy.ir.parsing.value_parser import Unresolved
    from pyshardy.ir.printing.printer import Printer


def parse_reduce(parser: Parser, state: OperationState) -> Steps:
    """Reads either form.

    Raises:
        ParseError: the text does not fit.
    """
    offset = parser.start
    name_offset = state.location if isinstance(state.location, int) else offset
    # MLIR gives the operation the place of its first parenthesis.
    state.location = offset
    inputs, initial = _parse_pairs(parser)
    inner = _parse_inner_name(parser, offset) if parser.accept_keyword("applies") else None
    parser.expect_keyword("across")
    parser.expect_keyword("dimensions")
    parser.expect("=")
    dimensions = DenseArrayAttr(I64, parser.integer_list())
    parser.optional_attributes(state)
    parser.expect(":")
    signature = parser.function_type()
    state.operands = parser.resolve_all([*inputs, *initial], signature.inputs, at=offset)
    state.types = list(signature.results)
    if "dimensions" in state.attributes:
        parser.error("attribute 'dimensions' occurs more than once in the attribute list", at=name_offset)
    state.properties["dimensions"] = dimensions
    if inner is not None:
        block = _compact_body(parser, inner, signature, offset)
        state.regions.append(Region([block]))
        state.located += (*block.arguments, *block)
        return
    parser.expect_keyword("reducer")
    region = yield parser.region(_parse_arguments(parser))
    state.regions.append(region)


def _parse_pairs(parser: Parser) -> tuple[list[Unresolved], list[Unresolved]]:
    inputs: list[Unresolved] = []
    initial: list[Unresolved] = []
    while parser.accept("("):
        inputs.append(parser.operand())
        parser.expect_keyword("init")
        parser.expect(":")
        initial.append(parser.operand())
        parser.expect(")")
        parser.accept(",")
    return inputs, initial


def _parse_inner_name(parser: Parser, offset: int) -> str:
    if parser.kind != "bare":
        parser.error("expected bare identifier or keyword", prefix=False)
    name = parser.advance()
    if not _is_commutative(name):
        parser.error(
            "expected the inner-op to be a commutative binary-op from the stablehlo dialect, with zero region, "
            "producing single result",
            at=offset,
        )
    return name


def _is_commutative(name: str) -> bool:
    definition = op_definition(name) if name.startswith("stablehlo.") else None
    return definition is not None and bool(definition.traits & COMMUTATIVE)


def _compact_body(parser: Parser, inner: str, signature: FunctionType, offset: int) -> Block:
    first = signature.inputs[0] if signature.inputs else None
    if not isinstance(first, ShapedType):
        parser.error("expected tensor input", at=offset)
    scalar = TensorType((), first.element)
    block = Block()
    for _ in range(2):
        block.add_argument(scalar, offset)
    body = create(inner, block.arguments, (scalar,), location=offset)
    append(block, body)
    append(block, create("stablehlo.return", body.results, location=offset))
    return block


def _parse_arguments(parser: Parser) -> list[Argument]:
    accumulators: list[Argument] = []
    elements: list[Argument] = []
    while parser.accept("("):
        accumulators.append(parser.argument())
        parser.expect(",")
        elements.append(parser.argument())
        parser.expect(")")
    return accumulators + elements


def print_reduce(printer: Printer, op: Operation) -> Steps:
    """Writes the compact form if the body is what reading that form would build, else the long one."""
    half = len(op.operands) // 2
    pairs = zip(op.operands[:half], op.operands[half:], strict=False)
    printer.write(", ".join(f"({printer.operand(a)} init: {printer.operand(b)})" for a, b in pairs))
    inner = _compact_operation(op)
    if inner is not None:
        printer.write(f" applies {inner}")
    dimensions = op.properties.get("dimensions")
    values = dimensions.values if isinstance(dimensions, DenseArrayAttr) else ()
    printer.write(
        f" across dimensions = [{', '.join(map(str, values))}]{written_dictionary(printer, op, ('dimensions',))}"
        f" : {printer.signature(op)}"
    )
    if inner is not None:
        return
    printer.newline()
    printer.write(" reducer")
    arguments = op.body.arguments
    middle = len(arguments) // 2
    columns = zip(arguments[:middle], arguments[middle:], strict=True)
    printer.write(" ".join(f"({printer.argument(x)}, {printer.argument(y)})" for x, y in columns) + "  ")
    yield printer.region(op.regions[0], arguments=False)


def _compact_operation(op: Operation) -> str | None:
    """The name of the one operation in the body, if the compact form can say it all."""
    region = op.regions[0]
    if len(op.operands) != 2 or len(region.blocks) != 1:
        return None
    block = region.blocks[0]
    body, end = block.first, block.last
    if body is None or end is None or body.next_op is not end or len(block.arguments) != 2:
        return None
    if body.operands != block.arguments or end.operands != body.results:
        return None
    if not _is_commutative(body.name):
        return None
    scalar = TensorType((), _element(op.operands[0].type))
    expected = (*(argument.type for argument in block.arguments), body.results[0].type)
    return body.name if all(type is scalar for type in expected) else None


def _element(type: Type) -> Type:
    return type.element if isinstance(type, ShapedType) else type
