"""The dialect ``arith``: numbers and index computations around StableHLO in lowered programs.

Operations share a few pretty forms; a row names the clause between operands and types, if there is one
(``overflow<nsw>``, ``fastmath<fast>``, ``exact``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, EnumAttr, FloatAttr, IntegerAttr, StringAttr, UnitAttr
from pyshardy.ir.elements import DenseElementsAttr, DenseResourceAttr, SparseElementsAttr, StringElementsAttr
from pyshardy.ir.opdef import (
    COMMUTATIVE,
    CONSTANT_LIKE,
    ELEMENTWISE,
    PURE,
    SAME_TYPE,
    Dialect,
    OpDef,
    PropertyKind,
    property_kind,
)
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.types import (
    I1,
    I32,
    I64,
    FloatType,
    IndexType,
    IntegerType,
    NoneType,
    OtherShapedType,
    TensorType,
    Type,
)

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.attribute_parser import AttributeParser
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer
    from pyshardy.ir.verifying.verification import Verification

_SCALAR_MATH = PURE | ELEMENTWISE

# --- sets of flags ----------------------------------------------------------------------------------------------------


class _FlagSet(NamedTuple):
    """A set of flags as an attribute, ``#arith.mnemonic<a, b>``; ``all_flags`` is the word for all of them."""

    mnemonic: str
    cpp_name: str
    attribute_name: str
    flags: tuple[str, ...]
    separator: str
    all_flags: str | None = None

    def of(self, chosen: set[str]) -> EnumAttr:
        if self.all_flags is not None and (self.all_flags in chosen or chosen.issuperset(self.flags)):
            case = self.all_flags
        else:
            case = self.separator.join(flag for flag in self.flags if flag in chosen) or "none"
        return EnumAttr("arith", self.mnemonic, case, True)

    def read(self, parser: AttributeParser) -> EnumAttr:
        """``<flag, …>``."""
        parser.expect("<")
        chosen = {self._flag(parser)}
        while parser.accept(","):
            chosen.add(self._flag(parser))
        parser.expect(">")
        return self.of(chosen)

    def _flag(self, parser: AttributeParser) -> str:
        offset = parser.start
        try:
            word = parser.keyword("expected valid keyword or string")
            known = ("none", *self.flags, *([self.all_flags] if self.all_flags else []))
            if word not in known:
                parser.error(f"expected ::mlir::arith::{self.cpp_name} to be one of: {', '.join(known)}", at=offset)
        except ParseError as error:
            kind = f"parameter 'value' which is to be a `::mlir::arith::{self.cpp_name}`"
            parser.append_errors(error, f"failed to parse {self.attribute_name} {kind}")
        return word


_OVERFLOW = _FlagSet("overflow", "IntegerOverflowFlags", "Arith_IntegerOverflowAttr", ("nsw", "nuw"), ", ")
_FASTMATH = _FlagSet(
    "fastmath",
    "FastMathFlags",
    "Arith_FastMathAttr",
    ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"),
    ",",
    "fast",
)
_FLAG_SETS = {"fastmath": _FASTMATH, "overflow": _OVERFLOW}


def _parse_attribute(parser: AttributeParser, mnemonic: str) -> Attribute:
    flags = _FLAG_SETS.get(mnemonic)
    if flags is None:
        parser.error(f"unknown attribute `{mnemonic}` in dialect `arith`", at=parser.previous_end - len(mnemonic))
    return flags.read(parser)


# --- clauses ----------------------------------------------------------------------------------------------------------


class _Clause(NamedTuple):
    """A property between operands and types: ``read`` gives it if it comes next, ``write`` its text if it is not the
    ``default``, which is there even when not written."""

    property: str
    read: Callable[[Parser], Attribute | None]
    write: Callable[[Attribute], str]
    kind: PropertyKind
    default: Attribute | None = None


def _flags_clause(name: str, flags: _FlagSet, default: bool) -> _Clause:
    none = flags.of(set())

    def read(parser: Parser) -> Attribute | None:
        return flags.read(parser) if parser.accept_keyword(flags.mnemonic) else None

    def write(value: Attribute) -> str:
        if not isinstance(value, EnumAttr):
            return f" {value}"
        return "" if default and value is none else f" {flags.mnemonic}<{value.case}>"

    kind = property_kind(f"{flags.mnemonic} flags", EnumAttr)
    return _Clause(name, read, write, kind, none if default else None)


def _word_clause(name: str, word: str) -> _Clause:
    def read(parser: Parser) -> Attribute | None:
        return UnitAttr() if parser.accept_keyword(word) else None

    return _Clause(name, read, lambda _: f" {word}", property_kind("unit attribute", UnitAttr))


_ROUNDING_MODES = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")


def _read_rounding(parser: Parser) -> Attribute | None:
    if parser.kind != "bare" or parser.text not in _ROUNDING_MODES:
        return None
    return IntegerAttr(_ROUNDING_MODES.index(parser.advance()), I32)


def _cases_kind(summary: str, cases: tuple[str, ...], type: Type) -> PropertyKind:
    """Numbers of cases."""

    def is_case(value: Attribute) -> bool:
        return isinstance(value, IntegerAttr) and value.type is type and 0 <= value.value < len(cases)

    return PropertyKind(summary, is_case, is_case)


def _write_rounding(value: Attribute) -> str:
    return f" {_ROUNDING_MODES[value.value]}" if isinstance(value, IntegerAttr) else f" {value}"


_OVERFLOW_CLAUSE = _flags_clause("overflowFlags", _OVERFLOW, True)
_FASTMATH_CLAUSE = _flags_clause("fastmath", _FASTMATH, True)
_OPTIONAL_FASTMATH = _flags_clause("fastmath", _FASTMATH, False)
_EXACT_CLAUSE = _word_clause("isExact", "exact")
_NON_NEGATIVE_CLAUSE = _word_clause("nonNeg", "nneg")
_ROUNDING_CLAUSE = _Clause(
    "roundingmode",
    _read_rounding,
    _write_rounding,
    _cases_kind("Floating point rounding mode", _ROUNDING_MODES, I32),
)


def _read_clauses(clauses: tuple[_Clause, ...], parser: Parser, state: OperationState) -> None:
    for clause in clauses:
        value = clause.read(parser)
        if value is not None:
            state.properties[clause.property] = value
    parser.optional_attributes(state)
    parser.expect(":")


def _clauses_text(clauses: tuple[_Clause, ...], printer: Printer, op: Operation) -> str:
    values = [(clause, op.properties.get(clause.property)) for clause in clauses]
    text = "".join(clause.write(value) for clause, value in values if value is not None)
    return text + printer.attr_dict(op, [clause.property for clause in clauses])


def _row(
    name: str,
    operands: int,
    parse: Callable[[Parser, OperationState], None],
    print_: Callable[[Printer, Operation], None],
    clauses: tuple[_Clause, ...] = (),
    traits: int = 0,
    **more: object,
) -> OpDef:
    defaults = DictionaryAttr({c.property: c.default for c in clauses if c.default is not None})
    return OpDef(
        f"arith.{name}",
        operands=operands,
        properties=[clause.property for clause in clauses],
        kinds={clause.property: clause.kind for clause in clauses},
        defaults=(lambda: defaults) if defaults else None,
        traits=_SCALAR_MATH | traits,
        parse=parse,
        print_=print_,
        **{"results": 1, **more},  # type: ignore[arg-type]
    )


# --- operands and result of one type ----------------------------------------------------------------------------------


def _element(type: Type) -> Type:
    return type.element if isinstance(type, TensorType | OtherShapedType) else type


def _verify_numbers(verification: Verification, op: Operation) -> None:
    """Operations on floats are called ``…f``, all others work on integers."""
    floats = op.name.endswith("f")
    summary = "floating-point-like" if floats else "signless-non-zero-bitwidth-integer-like"
    for index, value in enumerate(op.operands):
        element = _element(value.type)
        if floats:
            legal = isinstance(element, FloatType)
        else:
            signless = isinstance(element, IntegerType) and not element.signedness and element.width > 0
            legal = signless or isinstance(element, IndexType)
        if not legal:
            verification.error(op, f"operand #{index} must be {summary}, but got '{value.type}'")


def _same_type(name: str, operands: int, *clauses: _Clause, traits: int = 0) -> OpDef:
    """``%0, %1 {clauses} : T``."""

    def parse(parser: Parser, state: OperationState) -> None:
        found = [parser.operand()]
        while len(found) < operands:
            parser.expect(",")
            found.append(parser.operand())
        _read_clauses(clauses, parser, state)
        type = parser.type()
        state.operands = [parser.resolve(operand, type) for operand in found]
        state.types = [type]

    def print_(printer: Printer, op: Operation) -> None:
        text = _clauses_text(clauses, printer, op)
        printer.write(f" {printer.operands(op.operands)}{text} : {printer.type(op.results[0].type)}")

    return _row(name, operands, parse, print_, clauses, SAME_TYPE | traits, verifiers=(_verify_numbers,))


def _extended(name: str, result_names: list[str], *, overflow_bit: bool) -> OpDef:
    """``%0, %1 : T`` with two results of that type, or ``: T, B`` with ``B`` the type of the second."""

    def parse(parser: Parser, state: OperationState) -> None:
        left = parser.operand()
        parser.expect(",")
        right = parser.operand()
        _read_clauses((), parser, state)
        type = other = parser.type()
        if overflow_bit:
            parser.expect(",")
            other = parser.type()
        state.operands = [parser.resolve(left, type), parser.resolve(right, type)]
        state.types = [type, other]

    def print_(printer: Printer, op: Operation) -> None:
        dictionary = printer.attr_dict(op)
        types = printer.types(result.type for result in op.results[: 2 if overflow_bit else 1])
        printer.write(f" {printer.operands(op.operands)}{dictionary} : {types}")

    return _row(name, 2, parse, print_, results=2, result_names=lambda op: result_names)


# --- casts ------------------------------------------------------------------------------------------------------------


def _cast(name: str, *clauses: _Clause) -> OpDef:
    """``%0 {clauses} : T to U``."""

    def parse(parser: Parser, state: OperationState) -> None:
        operand = parser.operand()
        _read_clauses(clauses, parser, state)
        type = parser.type()
        parser.expect_keyword("to")
        state.types = [parser.type()]
        state.operands = [parser.resolve(operand, type)]

    def print_(printer: Printer, op: Operation) -> None:
        value = op.operands[0]
        text = _clauses_text(clauses, printer, op)
        types = f"{printer.type(value.type)} to {printer.type(op.results[0].type)}"
        printer.write(f" {printer.operand(value)}{text} : {types}")

    return _row(name, 1, parse, print_, clauses)


# --- comparisons and select -------------------------------------------------------------------------------------------

_INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)


def _boolean_like(type: Type) -> Type:
    """``i1`` in the shape of ``type``."""
    if isinstance(type, TensorType):
        return TensorType(type.shape, I1, type.encoding)
    if isinstance(type, OtherShapedType):
        return OtherShapedType(type.head, type.shape, I1)
    return I1


def _compare(name: str, predicates: tuple[str, ...], *clauses: _Clause) -> OpDef:
    """``predicate, %0, %1 {clauses} : T``."""
    predicate_clause = _Clause(
        "predicate",
        lambda parser: None,
        str,
        _cases_kind("allowed 64-bit signless integer cases", predicates, I64),
    )

    def parse(parser: Parser, state: OperationState) -> None:
        offset = parser.start
        word = parser.advance() if parser.kind == "bare" else parser.string() if parser.kind == "string" else ""
        if word not in predicates:
            choices = f"following enum values for attribute 'predicate' [{', '.join(predicates)}]"
            parser.error(f"expected string or keyword containing one of the {choices}", at=offset)
        state.properties["predicate"] = IntegerAttr(predicates.index(word), I64)
        parser.expect(",")
        left = parser.operand()
        parser.expect(",")
        right = parser.operand()
        _read_clauses(clauses, parser, state)
        type = parser.type()
        state.operands = [parser.resolve(left, type), parser.resolve(right, type)]
        state.types = [_boolean_like(type)]

    def print_(printer: Printer, op: Operation) -> None:
        value = op.properties.get("predicate")
        predicate = predicates[value.value] if isinstance(value, IntegerAttr) else str(value)
        values = [(clause, op.properties.get(clause.property)) for clause in clauses]
        text = "".join(clause.write(found) for clause, found in values if found is not None)
        text += printer.attr_dict(op, ["predicate", *(clause.property for clause in clauses)])
        printer.write(f" {predicate}, {printer.operands(op.operands)}{text} : {printer.type(op.operands[0].type)}")

    return _row(name, 2, parse, print_, (predicate_clause, *clauses), required=("predicate",))


def _parse_select(parser: Parser, state: OperationState) -> None:
    condition = parser.operand()
    parser.expect(",")
    on_true = parser.operand()
    parser.expect(",")
    on_false = parser.operand()
    _read_clauses((), parser, state)
    condition_type: Type = I1
    type = parser.type()
    if parser.accept(","):
        condition_type, type = type, parser.type()
    state.operands = [
        parser.resolve(condition, condition_type),
        parser.resolve(on_true, type),
        parser.resolve(on_false, type),
    ]
    state.types = [type]


def _print_select(printer: Printer, op: Operation) -> None:
    dictionary = printer.attr_dict(op)
    condition = op.operands[0].type
    types = printer.types([op.results[0].type] if condition is I1 else [condition, op.results[0].type])
    printer.write(f" {printer.operands(op.operands)}{dictionary} : {types}")


# --- constants --------------------------------------------------------------------------------------------------------


def _value_type(value: Attribute | None) -> Type:
    typed = IntegerAttr, FloatAttr, DenseElementsAttr, DenseResourceAttr, SparseElementsAttr, StringElementsAttr
    if isinstance(value, typed):
        return value.type
    if isinstance(value, StringAttr) and value.type is not None:
        return value.type
    return NoneType()


def _parse_constant(parser: Parser, state: OperationState) -> None:
    parser.optional_attributes(state)
    value = parser.attribute()
    state.properties["value"] = value
    state.types = [_value_type(value)]


def _print_constant(printer: Printer, op: Operation) -> None:
    printer.write(f"{printer.attr_dict(op, ('value',))} {printer.attribute(op.properties.get('value'))}")


def _constant_name(op: Operation) -> list[str]:
    value = op.properties.get("value")
    if not isinstance(value, IntegerAttr):
        return ["cst"]
    if value.type is I1:
        return ["true" if value.value else "false"]
    return [f"c{value.value}" + ("" if isinstance(value.type, IndexType) else f"_{value.type}")]


def _verify_constant(verification: Verification, op: Operation) -> None:
    value = op.properties.get("value")
    type = op.results[0].type
    if _value_type(value) is not type:
        verification.error(op, "failed to verify that all of {value, result} have same type")
    if isinstance(type, IntegerType) and type.signedness:
        verification.error(op, "integer return type must be signless")
    if isinstance(type, NoneType):
        verification.error(op, "value must be an integer, float, or elements attribute")


_CONSTANT = OpDef(
    "arith.constant",
    operands=0,
    results=1,
    properties=("value",),
    required=("value",),
    traits=PURE | CONSTANT_LIKE,
    parse=_parse_constant,
    print_=_print_constant,
    result_names=_constant_name,
    verifiers=(_verify_constant,),
)

DIALECT = Dialect(
    "arith",
    [
        _CONSTANT,
        _same_type("addi", 2, _OVERFLOW_CLAUSE, traits=COMMUTATIVE),
        _same_type("subi", 2, _OVERFLOW_CLAUSE),
        _same_type("muli", 2, _OVERFLOW_CLAUSE, traits=COMMUTATIVE),
        _same_type("shli", 2, _OVERFLOW_CLAUSE),
        *(_same_type(name, 2, _EXACT_CLAUSE) for name in ("divsi", "divui", "shrsi", "shrui")),
        *(_same_type(name, 2) for name in ("ceildivsi", "ceildivui", "floordivsi", "remsi", "remui")),
        *(_same_type(name, 2, traits=COMMUTATIVE) for name in ("andi", "ori", "xori")),
        *(_same_type(name, 2, traits=COMMUTATIVE) for name in ("maxsi", "maxui", "minsi", "minui")),
        *(_same_type(name, 2, _FASTMATH_CLAUSE) for name in ("subf", "divf", "remf")),
        *(_same_type(name, 2, _FASTMATH_CLAUSE, traits=COMMUTATIVE) for name in ("addf", "mulf")),
        *(
            _same_type(name, 2, _FASTMATH_CLAUSE, traits=COMMUTATIVE)
            for name in ("maximumf", "maxnumf", "minimumf", "minnumf")
        ),
        _same_type("negf", 1, _FASTMATH_CLAUSE),
        _extended("addui_extended", ["sum", "overflow"], overflow_bit=True),
        _extended("mulsi_extended", ["low", "high"], overflow_bit=False),
        _extended("mului_extended", ["low", "high"], overflow_bit=False),
        *(_cast(name) for name in ("bitcast", "convertf", "extsi", "fptosi", "fptoui", "index_cast", "sitofp")),
        *(_cast(name, _NON_NEGATIVE_CLAUSE) for name in ("extui", "index_castui", "uitofp")),
        _cast("trunci", _OVERFLOW_CLAUSE),
        _cast("extf", _OPTIONAL_FASTMATH),
        _cast("truncf", _ROUNDING_CLAUSE, _OPTIONAL_FASTMATH),
        _compare("cmpi", _INTEGER_PREDICATES),
        _compare("cmpf", _FLOAT_PREDICATES, _FASTMATH_CLAUSE),
        _row("select", 3, _parse_select, _print_select),
    ],
    parse_attribute=_parse_attribute,
    partial=True,
)
