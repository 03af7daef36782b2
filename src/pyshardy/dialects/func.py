"""The dialect ``func``: functions, calls and returns, and the attributes of arguments and results.

These attributes are in the properties ``arg_attrs`` and ``res_attrs``, arrays with one dictionary for each argument
that are present only if some dictionary is not empty; passes read and write them with the functions here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pyshardy.dialects.property_kinds import DICTIONARIES, FLAT_SYMBOL, FUNCTION_TYPE, STRING, UNIT
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute, symbol_text
from pyshardy.ir.attributes import EMPTY_DICTIONARY, ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.opdef import CONSTANT_LIKE, ISOLATED, PURE, SYMBOL, TERMINATOR, Dialect, OpDef
from pyshardy.ir.operation import Operation, Region
from pyshardy.ir.registry import dialect
from pyshardy.ir.types import FunctionType, Type

if TYPE_CHECKING:
    from pyshardy.ir.explicit_stack import Steps
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.parsing.region_parser import Argument
    from pyshardy.ir.parsing.value_parser import Unresolved
    from pyshardy.ir.printing.printer import Printer
    from pyshardy.ir.verifying.verification import Verification

_WRITTEN_BY_SYNTAX = ("sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs")
_INFERRED = ("sym_name", "sym_visibility", "function_type")
_VISIBILITIES = ("public", "private", "nested")


# --- what passes ask and change ---------------------------------------------------------------------------------------


def function_type(func: Operation) -> FunctionType:
    """The signature of a ``func.func``."""
    found = func.properties.get("function_type")
    assert isinstance(found, FunctionType)
    return found


def is_declaration(func: Operation) -> bool:
    """Whether the function has no body."""
    return func.regions[0].empty


def is_private(func: Operation) -> bool:
    """Whether nobody outside of the module can call the function."""
    visibility = func.properties.get("sym_visibility")
    return isinstance(visibility, StringAttr) and visibility.value == "private"


def callee(call: Operation) -> str:
    """The name of the function that a ``func.call`` calls."""
    found = call.properties.get("callee")
    assert isinstance(found, SymbolRefAttr)
    return found.root


def arguments_attributes(func: Operation, index: int) -> DictionaryAttr:
    """The attributes of argument ``index``."""
    return _entry(func, "arg_attrs", index)


def result_attributes(func: Operation, index: int) -> DictionaryAttr:
    """The attributes of result ``index``."""
    return _entry(func, "res_attrs", index)


def all_argument_attributes(func: Operation) -> Sequence[DictionaryAttr]:
    """The attributes of each argument."""
    return _entries(func, "arg_attrs", len(function_type(func).inputs))


def all_result_attributes(func: Operation) -> Sequence[DictionaryAttr]:
    """The attributes of each result."""
    return _entries(func, "res_attrs", len(function_type(func).results))


def set_argument_attribute(func: Operation, index: int, name: str, value: Attribute | None) -> None:
    """Sets attribute ``name`` of argument ``index``, or removes it if ``value`` is None."""
    set_argument_attributes(func, name, {index: value})


def set_result_attribute(func: Operation, index: int, name: str, value: Attribute | None) -> None:
    """Sets attribute ``name`` of result ``index``, or removes it if ``value`` is None."""
    set_result_attributes(func, name, {index: value})


def set_argument_attributes(func: Operation, name: str, values: Mapping[int, Attribute | None]) -> None:
    """Sets attribute ``name`` of several arguments by number, or removes it where the value is None."""
    _set_entries(func, "arg_attrs", name, values, len(function_type(func).inputs))


def set_result_attributes(func: Operation, name: str, values: Mapping[int, Attribute | None]) -> None:
    """Sets attribute ``name`` of several results by number, or removes it where the value is None."""
    _set_entries(func, "res_attrs", name, values, len(function_type(func).results))


def with_entry_attributes(properties: DictionaryAttr, name: str, entries: Sequence[DictionaryAttr]) -> DictionaryAttr:
    """``properties`` with the array ``name`` (``arg_attrs`` or ``res_attrs``), or without if all entries are empty."""
    if any(entries):
        return properties.with_(name, ArrayAttr(entries))
    return properties.without(name)


def _entry(func: Operation, array: str, index: int) -> DictionaryAttr:
    found = func.properties.get(array)
    if not isinstance(found, ArrayAttr):
        return EMPTY_DICTIONARY
    entry = found.elements[index]
    assert isinstance(entry, DictionaryAttr)
    return entry


def _entries(func: Operation, array: str, count: int) -> list[DictionaryAttr]:
    found = func.properties.get(array)
    if isinstance(found, ArrayAttr):
        return [entry for entry in found.elements[:count] if isinstance(entry, DictionaryAttr)]
    return [EMPTY_DICTIONARY] * count


def _set_entries(func: Operation, array: str, name: str, values: Mapping[int, Attribute | None], count: int) -> None:
    if not values:
        return
    entries = _entries(func, array, count)
    changed: dict[tuple[DictionaryAttr, Attribute | None], DictionaryAttr] = {}
    for index, value in values.items():
        before = entries[index]
        after = changed.get((before, value))
        if after is None:
            after = before.without(name) if value is None else before.with_(name, value)
            changed[before, value] = after
        entries[index] = after
    rewriting.set_properties(func, with_entry_attributes(func.properties, array, entries))


# --- func.func --------------------------------------------------------------------------------------------------------


def _parse_func(parser: Parser, state: OperationState) -> Steps:
    properties = state.properties
    if parser.kind == "bare" and parser.text in _VISIBILITIES:
        properties["sym_visibility"] = StringAttr(parser.advance())
    properties["sym_name"] = StringAttr(parser.symbol_name())
    arguments, inputs, input_attributes = _parse_parameters(parser)
    results, result_attributes = _parse_results(parser)
    properties["function_type"] = FunctionType(inputs, results)
    dictionary_offset = parser.start
    if parser.accept_keyword("attributes"):
        written = parser.dictionary().entries
        for name in _INFERRED:
            if name in written:
                where = "should not be specified in the explicit attribute dictionary"
                parser.error(f"'{name}' is an inferred attribute and {where}", at=dictionary_offset)
        state.attributes.update(written)
    if any(input_attributes):
        properties["arg_attrs"] = ArrayAttr(input_attributes)
    if any(result_attributes):
        properties["res_attrs"] = ArrayAttr(result_attributes)
    region = Region()
    if parser.at("{"):
        body_offset = parser.start
        region = yield parser.region(arguments, isolated=True, default_dialect="func")
        if region.empty:
            parser.error("expected non-empty function body", at=body_offset)
    state.regions.append(region)


def _parse_parameters(parser: Parser) -> tuple[list[Argument], list[Type], list[DictionaryAttr]]:
    """``(%a: T {…}, …)`` with names, or ``(T {…}, …)`` without; mixing them is an error."""
    arguments: list[Argument] = []
    types: list[Type] = []
    attributes: list[DictionaryAttr] = []

    def parameter() -> None:
        offset = parser.start
        if parser.kind == "value":
            found = parser.arguments()
            if len(arguments) < len(types):
                parser.error("expected type instead of SSA identifier", at=offset)
            arguments.extend(found)
            types.extend([one.type for one in found])
            attributes.extend([one.attributes for one in found])
            return
        if arguments:
            parser.error("expected SSA identifier")
        _typed_entries(parser, types, attributes)
        parser.optional_location()

    parser.comma_list("(", ")", parameter)
    return arguments, types, attributes


def _parse_results(parser: Parser) -> tuple[list[Type], list[DictionaryAttr]]:
    types: list[Type] = []
    attributes: list[DictionaryAttr] = []
    if parser.accept("->"):
        if parser.at("("):
            parser.comma_list("(", ")", lambda: _typed_entries(parser, types, attributes))
        else:
            types.append(parser.type())
            attributes.append(EMPTY_DICTIONARY)
    return types, attributes


def _typed_entries(parser: Parser, types: list[Type], attributes: list[DictionaryAttr]) -> None:
    for type, entries in parser.typed_entries(", tensor<"):
        types.append(type)
        attributes.append(entries)


def _print_func(printer: Printer, op: Operation) -> Steps:
    visibility = op.properties.get("sym_visibility")
    if isinstance(visibility, StringAttr):
        printer.write(" " + visibility.value)
    printer.write(f" {symbol_text(op.symbol_name or '')}({_parameters_text(printer, op)}){_results_text(printer, op)}")
    printer.write(printer.attr_dict(op, _WRITTEN_BY_SYNTAX, keyword=True))
    if not is_declaration(op):
        printer.write(" ")
        yield printer.region(op.regions[0], arguments=False)


def _parameters_text(printer: Printer, op: Operation) -> str:
    if is_declaration(op):
        types = enumerate(function_type(op).inputs)
        return ", ".join(_entry_text(printer, type, arguments_attributes(op, index)) for index, type in types)
    arguments = op.body.arguments
    return ", ".join(printer.argument(one, arguments_attributes(op, one.index)) for one in arguments)


def _results_text(printer: Printer, op: Operation) -> str:
    results = function_type(op).results
    if not results:
        return ""
    texts = [_entry_text(printer, type, result_attributes(op, index)) for index, type in enumerate(results)]
    if len(results) == 1 and not result_attributes(op, 0) and not isinstance(results[0], FunctionType):
        return f" -> {texts[0]}"
    return f" -> ({', '.join(texts)})"


def _entry_text(printer: Printer, type: Type, attributes: DictionaryAttr) -> str:
    text = printer.type(type)
    return f"{text} {printer.dictionary(attributes)}" if attributes else text


def _verify_func(verification: Verification, op: Operation) -> None:
    signature = function_type(op)
    _verify_entries(verification, op, "arg_attrs", "argument", signature.inputs)
    _verify_entries(verification, op, "res_attrs", "result", signature.results)
    if is_declaration(op):
        visibility = op.properties.get("sym_visibility")
        if not isinstance(visibility, StringAttr) or visibility.value == "public":
            verification.error(op, "symbol declaration cannot have public visibility")
        return
    arguments = op.body.arguments
    if len(arguments) != len(signature.inputs):
        verification.error(op, f"entry block must have {len(signature.inputs)} arguments to match function signature")
    for index, (argument, type) in enumerate(zip(arguments, signature.inputs, strict=True)):
        if argument.type is not type:
            verification.error(
                op,
                f"type of entry block argument #{index}('{argument.type}') must match the type of the corresponding "
                f"argument in function signature('{type}')",
            )


def _verify_entries(verification: Verification, op: Operation, array: str, what: str, types: Sequence[Type]) -> None:
    found = op.properties.get(array)
    if not isinstance(found, ArrayAttr):
        return
    if len(found) != len(types):
        verification.error(
            op,
            f"expects {what} attribute array to have the same number of elements as the number of function {what}s, "
            f"got {len(found)}, but expected {len(types)}",
        )
    accepted: set[tuple[str, Attribute, Type]] = set()
    unchecked: set[str] = set()
    for index, (entry, type) in enumerate(zip(found.elements, types, strict=True)):
        if not isinstance(entry, DictionaryAttr):
            verification.error(op, f"expects {what} attribute dictionary to be a DictionaryAttr, but got `{entry}`")
        for name, value in entry.entries.items():
            if name in unchecked or (name, value, type) in accepted:
                continue
            namespace, dot, _ = name.partition(".")
            if not dot:
                verification.error(op, f"{what}s may only have dialect attributes")
            home = dialect(namespace)
            if home is None or home.verify_argument_attribute is None:
                unchecked.add(name)
                continue
            kind = "arg" if array == "arg_attrs" else "result"
            home.verify_argument_attribute(verification, op, kind, index, name, value)
            accepted.add((name, value, type))


# --- call, return, constant, call_indirect ----------------------------------------------------------------------------


def _parse_call(parser: Parser, state: OperationState) -> None:
    state.properties["callee"] = parser.flat_symbol_reference()
    operands, operands_offset = _parse_call_operands(parser)
    parser.optional_attributes(state)
    parser.expect(":")
    signature = parser.function_type()
    state.operands = parser.resolve_all(operands, signature.inputs, at=operands_offset)
    state.types = list(signature.results)


def _parse_call_operands(parser: Parser) -> tuple[list[Unresolved], int]:
    parser.expect("(")
    offset = parser.start
    operands = parser.operands()
    parser.expect(")")
    return operands, offset


def _print_call(printer: Printer, op: Operation) -> None:
    printer.write(f" {op.properties.get('callee')}({printer.operands(op.operands)})")
    printer.write(f"{printer.attr_dict(op, ('callee',))} : {printer.signature(op)}")


def _parse_call_indirect(parser: Parser, state: OperationState) -> None:
    target = parser.operand()
    operands, operands_offset = _parse_call_operands(parser)
    parser.optional_attributes(state)
    parser.expect(":")
    signature = parser.function_type()
    state.operands = [parser.resolve(target, signature)]
    state.operands += parser.resolve_all(operands, signature.inputs, at=operands_offset)
    state.types = list(signature.results)


def _print_call_indirect(printer: Printer, op: Operation) -> None:
    target = op.operands[0]
    printer.write(f" {printer.operand(target)}({printer.operands(op.operands[1:])})")
    printer.write(f"{printer.attr_dict(op)} : {printer.type(target.type)}")


def parse_return(parser: Parser, state: OperationState) -> None:
    """``{…} %a, %b : T, U``, as the returns and yields of other dialects have it, too."""
    parser.optional_attributes(state)
    offset = parser.start
    operands = parser.operands()
    if operands:
        parser.expect(":")
        state.operands = parser.resolve_all(operands, parser.types(), at=offset)


def print_return(printer: Printer, op: Operation) -> None:
    """Writes what ``parse_return`` reads."""
    printer.write(printer.attr_dict(op))
    if op.operands:
        printer.write(f" {printer.operands(op.operands)} : {printer.types(v.type for v in op.operands)}")


def _parse_constant(parser: Parser, state: OperationState) -> None:
    parser.optional_attributes(state)
    state.properties["value"] = parser.flat_symbol_reference()
    parser.expect(":")
    state.types = [parser.type()]


def _print_constant(printer: Printer, op: Operation) -> None:
    dictionary = printer.attr_dict(op, ("value",))
    printer.write(f"{dictionary} {op.properties.get('value')} : {printer.type(op.result.type)}")


def _verify_call(verification: Verification, op: Operation) -> None:
    name = callee(op)
    target = verification.symbols(op).get(name)
    if target is None or target.name != "func.func":
        verification.error(op, f"'{name}' does not reference a valid function")
    signature = function_type(target)
    if len(op.operands) != len(signature.inputs):
        verification.error(op, "incorrect number of operands for callee")
    for index, (value, type) in enumerate(zip(op.operands, signature.inputs, strict=True)):
        if value.type is not type:
            verification.error(
                op,
                f"operand type mismatch: expected operand type '{type}', but provided '{value.type}' "
                f"for operand number {index}",
            )
    if len(op.results) != len(signature.results):
        verification.error(op, "incorrect number of results for callee")
    for index, (result, type) in enumerate(zip(op.results, signature.results, strict=True)):
        if result.type is not type:
            verification.error(op, f"result type mismatch at index {index}")


def _verify_call_indirect(verification: Verification, op: Operation) -> None:
    signature = op.operands[0].type
    if not isinstance(signature, FunctionType):
        verification.error(op, f"operand #0 must be function type, but got '{signature}'")
    if tuple(value.type for value in op.operands[1:]) != signature.inputs:
        verification.error(op, "failed to verify that callee input types match argument types")
    if tuple(result.type for result in op.results) != signature.results:
        verification.error(op, "failed to verify that callee result types match result types")


def _verify_return(verification: Verification, op: Operation) -> None:
    func = op.parent_op
    if func is None or func.name != "func.func":
        verification.error(op, "expects parent op 'func.func'")
    results = function_type(func).results
    if len(op.operands) != len(results):
        verification.error(
            op,
            f"has {len(op.operands)} operands, but enclosing function ({symbol_text(func.symbol_name or '')}) "
            f"returns {len(results)}",
        )
    for index, (value, type) in enumerate(zip(op.operands, results, strict=True)):
        if value.type is not type:
            message = (
                f"type of return operand {index} ('{value.type}') doesn't match function result type ('{type}') "
                f"in function {symbol_text(func.symbol_name or '')}"
            )
            verification.error(op, message, prefix=False)


def _verify_constant(verification: Verification, op: Operation) -> None:
    value = op.properties.get("value")
    name = value.root if isinstance(value, SymbolRefAttr) else ""
    target = verification.symbols(op).get(name)
    if target is None or target.name != "func.func":
        verification.error(op, f"reference to undefined function '{name}'")
    if function_type(target) is not op.result.type:
        verification.error(op, "reference to function with mismatched type")


DIALECT = Dialect(
    "func",
    [
        OpDef(
            "func.func",
            operands=0,
            results=0,
            regions=1,
            properties=(*_WRITTEN_BY_SYNTAX, "no_inline"),
            required=("function_type", "sym_name"),
            kinds={
                "arg_attrs": DICTIONARIES,
                "function_type": FUNCTION_TYPE,
                "no_inline": UNIT,
                "res_attrs": DICTIONARIES,
                "sym_name": STRING,
                "sym_visibility": STRING,
            },
            traits=ISOLATED | SYMBOL,
            parse=_parse_func,
            print_=_print_func,
            default_dialect="func",
            verifiers=(_verify_func,),
        ),
        OpDef(
            "func.call",
            properties=("callee", "no_inline", "arg_attrs", "res_attrs"),
            required=("callee",),
            kinds={"arg_attrs": DICTIONARIES, "callee": FLAT_SYMBOL, "no_inline": UNIT, "res_attrs": DICTIONARIES},
            parse=_parse_call,
            print_=_print_call,
            symbol_verifiers=(_verify_call,),
        ),
        OpDef(
            "func.call_indirect",
            operands=(1, None),
            properties=("arg_attrs", "res_attrs"),
            kinds={"arg_attrs": DICTIONARIES, "res_attrs": DICTIONARIES},
            parse=_parse_call_indirect,
            print_=_print_call_indirect,
            verifiers=(_verify_call_indirect,),
        ),
        OpDef(
            "func.return",
            results=0,
            traits=PURE | TERMINATOR,
            parse=parse_return,
            print_=print_return,
            verifiers=(_verify_return,),
        ),
        OpDef(
            "func.constant",
            operands=0,
            results=1,
            properties=("value",),
            required=("value",),
            kinds={"value": FLAT_SYMBOL},
            traits=PURE | CONSTANT_LIKE,
            parse=_parse_constant,
            print_=_print_constant,
            result_names=lambda op: ["f"],
            symbol_verifiers=(_verify_constant,),
        ),
    ],
)
