"""The dialect ``cf``: branches between the blocks of a region, and assertions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pyshardy.ir.attribute import quoted
from pyshardy.ir.attributes import DenseArrayAttr, StringAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import TERMINATOR, Dialect, OpDef
from pyshardy.ir.types import I1, I32, IntegerType, OtherShapedType, Type

if TYPE_CHECKING:
    from pyshardy.ir.operation import Block, Operation, Value
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer
    from pyshardy.ir.verifying.verification import Verification

_SEGMENTS, _CASE_SEGMENTS, _CASES = "operandSegmentSizes", "case_operand_segments", "case_values"
_SEGMENT_COUNT = 3


def _sizes(op: Operation, name: str) -> Sequence[int]:
    found = op.properties.get(name)
    return found.values if isinstance(found, DenseArrayAttr) else ()


# --- successors with their operands -----------------------------------------------------------------------------------


def _parse_successor(parser: Parser, state: OperationState) -> int:
    """``^block`` or ``^block(%a, %b : T, U)``; the number of operands."""
    state.successors.append(parser.successor())
    if not parser.accept("("):
        return 0
    offset = parser.start
    operands = parser.operands()
    parser.expect(":")
    state.operands += parser.resolve_all(operands, parser.types(), at=offset)
    parser.expect(")")
    return len(operands)


def _successor_text(printer: Printer, block: Block, operands: Sequence[Value]) -> str:
    text = printer.block_label(block)
    if operands:
        text += f"({printer.operands(operands)} : {printer.types(value.type for value in operands)})"
    return text


def _successors_texts(printer: Printer, op: Operation) -> list[str]:
    return [_successor_text(printer, *pair) for pair in zip(op.successors, _passed(op), strict=True)]


def _passed(op: Operation) -> list[list[Value]]:
    """The operands that go to each successor."""
    sizes = [len(op.operands)] if op.name == "cf.br" else [*_sizes(op, _SEGMENTS)[1:]]
    if op.name == "cf.switch":
        sizes = [*sizes[:1], *_sizes(op, _CASE_SEGMENTS)]
    first = 0 if op.name == "cf.br" else 1
    groups = []
    for size in sizes:
        groups.append(op.operands[first : first + size])
        first += size
    return groups


_SUCCESSORS = {"cf.br": "1 successor", "cf.cond_br": "2 successors"}


def _verify_counts(verification: Verification, op: Operation) -> None:
    """Successors and segments are as many as the operation has."""
    count, wanted = len(op.successors), _SUCCESSORS.get(op.name, "at least 1 successor")
    if not count or (op.name in _SUCCESSORS and count != int(wanted[0])):
        verification.error(op, f"requires {wanted} but found {count}")
    if op.name == "cf.br":
        return
    segments = _sizes(op, _SEGMENTS)
    if sum(segments) != len(op.operands) or len(segments) != _SEGMENT_COUNT or min(segments) < 0:
        what = f"operand count ({len(op.operands)}) does not match with the total size ({sum(segments)})"
        verification.error(op, f"{what} specified in attribute '{_SEGMENTS}'")
    if op.name == "cf.switch":
        _verify_cases(verification, op)
    elif op.operands[0].type is not I1:
        verification.error(op, f"operand #0 must be 1-bit signless integer, but got '{op.operands[0].type}'")


def _verify_cases(verification: Verification, op: Operation) -> None:
    values, cases = op.properties.get(_CASES), len(op.successors) - 1
    count = values.num_elements if isinstance(values, DenseElementsAttr) else 0
    if count != cases:
        verification.error(op, f"number of case values ({count}) should match number of case destinations ({cases})")
    sizes = _sizes(op, _CASE_SEGMENTS)
    if len(sizes) != cases or sum(sizes) != _sizes(op, _SEGMENTS)[2]:
        verification.error(op, f"the sizes in attribute '{_CASE_SEGMENTS}' do not fit the case destinations")


def _verify_branch(verification: Verification, op: Operation) -> None:
    _verify_counts(verification, op)
    groups = _passed(op)
    for number, (block, operands) in enumerate(zip(op.successors, groups, strict=True)):
        if len(operands) != len(block.arguments):
            what = f"branch has {len(operands)} operands for successor #{number}, but target block has"
            verification.error(op, f"{what} {len(block.arguments)}", prefix=False)
        for index, (operand, argument) in enumerate(zip(operands, block.arguments, strict=True)):
            if operand.type is not argument.type:
                message = f"type mismatch for bb argument #{index} of successor #{number}"
                verification.error(op, message, prefix=False)


# --- br and cond_br ---------------------------------------------------------------------------------------------------


def _parse_br(parser: Parser, state: OperationState) -> None:
    _parse_successor(parser, state)
    parser.optional_attributes(state)


def _print_br(printer: Printer, op: Operation) -> None:
    printer.write(f" {_successors_texts(printer, op)[0]}{printer.attr_dict(op)}")


def _parse_cond_br(parser: Parser, state: OperationState) -> None:
    state.operands.append(parser.resolve(parser.operand(), I1))
    if parser.accept_keyword("weights"):
        parser.expect("(")
        state.properties["branch_weights"] = DenseArrayAttr(I32, parser.integer_list())
        parser.expect(")")
    parser.expect(",")
    on_true = _parse_successor(parser, state)
    parser.expect(",")
    on_false = _parse_successor(parser, state)
    parser.optional_attributes(state)
    state.properties[_SEGMENTS] = DenseArrayAttr(I32, (1, on_true, on_false))


def _print_cond_br(printer: Printer, op: Operation) -> None:
    weights = _sizes(op, "branch_weights")
    listed = f" weights([{', '.join(map(str, weights))}])" if weights else ""
    successors = ", ".join(_successors_texts(printer, op))
    attributes = printer.attr_dict(op, ("branch_weights", _SEGMENTS))
    printer.write(f" {printer.operand(op.operands[0])}{listed}, {successors}{attributes}")


# --- switch -----------------------------------------------------------------------------------------------------------


def _parse_switch(parser: Parser, state: OperationState) -> None:
    flag = parser.operand()
    parser.expect(":")
    type = parser.type()
    state.operands.append(parser.resolve(flag, type))
    parser.expect(",")
    parser.expect("[")
    parser.expect_keyword("default")
    parser.expect(":")
    passed = [_parse_successor(parser, state)]
    values: list[int] = []
    while parser.accept(","):
        values.append(parser.integer())
        parser.expect(":")
        passed.append(_parse_successor(parser, state))
    parser.expect("]")
    parser.optional_attributes(state)
    if values:
        state.properties[_CASES] = DenseElementsAttr.of(_case_type(len(values), type), values)
    state.properties[_CASE_SEGMENTS] = DenseArrayAttr(I32, passed[1:])
    state.properties[_SEGMENTS] = DenseArrayAttr(I32, (1, passed[0], sum(passed[1:])))


def _case_type(count: int, type: Type) -> OtherShapedType:
    return OtherShapedType(f"vector<{count}x", (count,), type)


def _print_switch(printer: Printer, op: Operation) -> None:
    values = op.properties.get(_CASES)
    cases: list[int | str] = ["default"]
    if isinstance(values, DenseElementsAttr) and isinstance(values.type.element, IntegerType):
        # MLIR prints them as unsigned numbers.
        cases += [value % 2**values.type.element.width for value in values.integers()]
    flag = op.operands[0]
    printer.write(f" {printer.operand(flag)} : {printer.type(flag.type)}, [")
    for index, (case, text) in enumerate(zip(cases, _successors_texts(printer, op), strict=False)):
        if index:
            printer.write(",")
        printer.newline()
        printer.write(f"  {case}: {text}")
    if len(cases) > 1:
        printer.newline()
    printer.write("]" + printer.attr_dict(op, (_CASES, _CASE_SEGMENTS, _SEGMENTS)))


# --- assert -----------------------------------------------------------------------------------------------------------


def _parse_assert(parser: Parser, state: OperationState) -> None:
    state.operands.append(parser.resolve(parser.operand(), I1))
    parser.expect(",")
    state.properties["msg"] = StringAttr(parser.string())
    parser.optional_attributes(state)


def _print_assert(printer: Printer, op: Operation) -> None:
    message = op.properties.get("msg")
    text = quoted(message.value) if isinstance(message, StringAttr) else str(message)
    printer.write(f" {printer.operand(op.operands[0])}, {text}{printer.attr_dict(op, ('msg',))}")


def _branch(
    name: str,
    operands: tuple[int, int | None],
    parse: Callable[[Parser, OperationState], None],
    print_: Callable[[Printer, Operation], None],
    *properties: str,
) -> OpDef:
    return OpDef(
        f"cf.{name}",
        operands=operands,
        results=0,
        properties=properties,
        traits=TERMINATOR,
        parse=parse,
        print_=print_,
        verifiers=(_verify_branch,),
    )


DIALECT = Dialect(
    "cf",
    [
        OpDef(
            "cf.assert",
            operands=1,
            results=0,
            properties=("msg",),
            required=("msg",),
            parse=_parse_assert,
            print_=_print_assert,
        ),
        _branch("br", (0, None), _parse_br, _print_br),
        _branch("cond_br", (1, None), _parse_cond_br, _print_cond_br, "branch_weights", _SEGMENTS),
        _branch("switch", (1, None), _parse_switch, _print_switch, _CASES, _CASE_SEGMENTS, _SEGMENTS),
    ],
)
