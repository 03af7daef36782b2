"""The dialect ``interpreter``: runs functions on a grid of processes, and shows values on the way.

Like ``check`` it is for test programs, and only the interpreter gives it a meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import read_dictionary
from pyshardy.dialects.check import STRING
from pyshardy.dialects.func import function_type
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.opdef import Dialect, OpDef, PropertyKind

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer
    from pyshardy.ir.verifying.verification import Verification


def program_names(op: Operation) -> list[list[str]]:
    """The functions of an ``interpreter.run_parallel``: a row a replica, an entry a partition."""
    rows = op.get("programs")
    return [_names(row) for row in rows] if isinstance(rows, ArrayAttr) else []


def infeed_names(op: Operation) -> list[str]:
    """The functions that give what the programs of an ``interpreter.run_parallel`` read by infeed, in order."""
    return _names(op.get("infeed"))


def _names(value: Attribute | None) -> list[str]:
    found = []
    for one in value if isinstance(value, ArrayAttr) else ():
        if isinstance(one, SymbolRefAttr):
            found.append(one.root)
        elif isinstance(one, StringAttr):
            found.append(one.value.removeprefix("@"))
    return found


def _is_grid(value: Attribute) -> bool:
    if not isinstance(value, ArrayAttr) or not len(value):
        return False
    rows = [row for row in value if isinstance(row, ArrayAttr)]
    sizes = {len(row) for row in rows}
    return len(rows) == len(value) and len(sizes) == 1 and 0 not in sizes and all(_is_list(row) for row in rows)


def _is_list(value: Attribute) -> bool:
    return isinstance(value, ArrayAttr) and all(isinstance(one, SymbolRefAttr | StringAttr) for one in value)


_PROGRAMS = PropertyKind("grid of functions: rows of one length", lambda value: isinstance(value, ArrayAttr), _is_grid)
_INFEED = PropertyKind("list of functions", lambda value: isinstance(value, ArrayAttr), _is_list)


def _functions_exist(verification: Verification, op: Operation) -> None:
    symbols = verification.symbols(op)
    arguments = results = 0
    for name in (*(name for row in program_names(op) for name in row), *infeed_names(op)):
        found = symbols.get(name)
        if found is None or found.name != "func.func":
            verification.error(op, f"names the function @{name}, which does not exist")
    for row in program_names(op):
        for name in row:
            signature = function_type(symbols[name])
            arguments += len(signature.inputs)
            results += len(signature.results)
    if arguments != len(op.operands):
        verification.error(op, f"has {len(op.operands)} inputs, but its functions take {arguments} in all")
    if results != len(op.results):
        verification.error(op, f"has {len(op.results)} results, but its functions return {results} in all")


def _parse_probe(parser: Parser, state: OperationState) -> None:
    operand = parser.operand()
    parser.expect(",")
    parser.expect_keyword("probe_id")
    parser.expect("=")
    state.properties["probe_id"] = StringAttr(parser.string())
    read_dictionary(parser, state)
    parser.expect(":")
    state.types = [parser.type()]
    state.operands = [parser.resolve(operand, state.types[0])]


def _print_probe(printer: Printer, op: Operation) -> None:
    dictionary = printer.attr_dict(op, ("probe_id",))
    operand = printer.operand(op.operands[0])
    printer.write(f" {operand}, probe_id = {op.properties.get('probe_id')}{dictionary} : ")
    printer.write(printer.type(op.results[0].type))


def _parse_print(parser: Parser, state: OperationState) -> None:
    operand = parser.operand()
    read_dictionary(parser, state)
    parser.expect(":")
    state.operands = [parser.resolve(operand, parser.type())]


def _print_print(printer: Printer, op: Operation) -> None:
    dictionary = printer.attr_dict(op)
    printer.write(f" {printer.operand(op.operands[0])}{dictionary} : {printer.type(op.operands[0].type)}")


DIALECT = Dialect(
    "interpreter",
    [
        OpDef(
            "interpreter.run_parallel",
            properties=("infeed", "programs"),
            required=("programs",),
            kinds={"infeed": _INFEED, "programs": _PROGRAMS},
            symbol_verifiers=(_functions_exist,),
        ),
        OpDef(
            "interpreter.probe",
            operands=1,
            results=1,
            properties=("probe_id",),
            required=("probe_id",),
            kinds={"probe_id": STRING},
            parse=_parse_probe,
            print_=_print_probe,
        ),
        OpDef("interpreter.print", operands=1, results=0, parse=_parse_print, print_=_print_print),
    ],
)
