"""Parses affine maps and integer sets."""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.ir.affine import (
    OPERATORS,
    AffineMapAttr,
    Expression,
    IntegerSetAttr,
    constant,
    dimension,
    multiply,
    subtract,
    symbol,
)
from pyshardy.ir.parsing.token_parser import ParseError, TokenParser

_NESTING_LIMIT = 100
_NEEDS_SYMBOLIC = {
    "*": "at least one of the multiply operands has to be either a constant or symbolic",
    "floordiv": "right operand of floordiv has to be either a constant or symbolic",
    "ceildiv": "right operand of ceildiv has to be either a constant or symbolic",
    "mod": "right operand of mod has to be either a constant or symbolic",
}


def parse_affine_map(parser: TokenParser) -> AffineMapAttr:
    """``<(d0)[s0] -> (d0 + s0)>``.

    Raises:
        ParseError: the text does not fit, or is not affine.
    """
    found = _parse(parser, "affine map")
    assert isinstance(found, AffineMapAttr)
    return found


def parse_integer_set(parser: TokenParser) -> IntegerSetAttr:
    """``<(d0)[s0] : (d0 - s0 >= 0)>``.

    Raises:
        ParseError: the text does not fit, or is not affine.
    """
    found = _parse(parser, "integer set")
    assert isinstance(found, IntegerSetAttr)
    return found


def _parse(parser: TokenParser, wanted: str) -> AffineMapAttr | IntegerSetAttr:
    """Either; what is wanted is known only to the messages."""
    parser.expect("<", f"expected '<' in {wanted}")
    offset = parser.start
    body = _Body(parser)
    found: AffineMapAttr | IntegerSetAttr
    if parser.accept("->"):
        results = parser.comma_list("(", ")", body.expression, " in affine map range")
        found = AffineMapAttr(body.dimensions, body.symbols, results)
    else:
        parser.expect(":", "expected '->' or ':'")
        constraints = parser.comma_list("(", ")", body.constraint, " in integer set constraint list")
        found = IntegerSetAttr(body.dimensions, body.symbols, constraints or [(constant(0), True)])
    if isinstance(found, AffineMapAttr) != (wanted == "affine map"):
        names = ("AffineMap", "IntegerSet") if wanted == "affine map" else ("IntegerSet", "AffineMap")
        parser.error(f"expected {names[0]}, but got {names[1]}", at=offset, prefix=False)
    parser.expect(">", f"expected '>' in {wanted}")
    return found


class _Body:
    """Reads expressions over the identifiers that its constructor reads: ``(i, j)[n]``."""

    def __init__(self, parser: TokenParser) -> None:
        self._parser = parser
        self._known: dict[str, Expression] = {}
        self.dimensions = self.symbols = 0
        parser.comma_list("(", ")", self._dimension, " in dimensional identifier list")
        if parser.at("["):
            parser.comma_list("[", "]", self._symbol, " in symbol list")

    def _dimension(self) -> None:
        self._identify(dimension(self.dimensions))
        self.dimensions += 1

    def _symbol(self) -> None:
        self._identify(symbol(self.symbols))
        self.symbols += 1

    def _identify(self, meaning: Expression) -> None:
        parser = self._parser
        if parser.kind != "bare":
            parser.error_after_previous("expected bare identifier")
        if parser.text in self._known:
            parser.error(f"redefinition of identifier '{parser.text}'", prefix=False)
        self._known[parser.advance()] = meaning

    def constraint(self) -> tuple[Expression, bool]:
        """An expression that is zero (True), or at least zero (False)."""
        parser = self._parser
        left = self.expression()
        relation = parser.text if parser.text in (">", "<", "=") else ""
        if relation:
            parser.advance()
        if not relation or not parser.accept("="):
            message = "expected '== affine-expr' or '>= affine-expr' at end of affine constraint"
            parser.error(message, prefix=False)
        right = self.expression()
        return subtract(right, left) if relation == "<" else subtract(left, right), relation == "="

    def expression(self) -> Expression:
        """Sums of products, evaluated from left to right."""
        return self._chain(("+", "-"), self._product, False)

    def _product(self, behind: bool) -> Expression:
        return self._chain(("*", "floordiv", "ceildiv", "mod"), self._operand, behind)

    def _chain(self, operators: tuple[str, ...], part: Callable[[bool], Expression], behind: bool) -> Expression:
        parser = self._parser
        found = part(behind)
        while parser.text in operators and parser.kind in ("punct", "bare"):
            operator, offset = parser.text, parser.start
            parser.advance()
            right = part(True)
            symbolic = right.symbolic or (operator == "*" and found.symbolic)
            if operator in _NEEDS_SYMBOLIC and not symbolic:
                parser.error(f"non-affine expression: {_NEEDS_SYMBOLIC[operator]}", at=offset, prefix=False)
            found = OPERATORS[operator](found, right)
            if found.depth > _NESTING_LIMIT:
                message = f"affine expression deeper than {_NESTING_LIMIT} levels, the limit of this parser"
                parser.error(message, at=offset, prefix=False)
        return found

    def _operand(self, behind: bool) -> Expression:
        """``behind`` says that an operator stands in front."""
        parser = self._parser
        parser._enter()
        if parser.kind == "bare":
            found = self._identifier()
        elif parser.kind == "int":
            found = self._integer()
        elif parser.accept("("):
            found = self._parentheses()
        elif parser.accept("-"):
            found = self._negation()
        elif behind:
            parser.error("missing right operand of binary operator", prefix=False)
        elif parser.text in ("+", "*"):
            parser.error("missing left operand of binary operator", prefix=False)
        else:
            parser.error("expected affine expression", prefix=False)
        parser._depth -= 1
        return found

    def _identifier(self) -> Expression:
        parser = self._parser
        known = self._known.get(parser.text)
        if known is None:
            parser.error("use of undeclared identifier", prefix=False)
        parser.advance()
        return known

    def _integer(self) -> Expression:
        parser = self._parser
        value = parser.integer_value(parser.text)
        if value >= 2**63:
            parser.error("constant too large for index", prefix=False)
        parser.advance()
        return constant(value)

    def _negation(self) -> Expression:
        try:
            operand = self._operand(False)
        except ParseError as error:
            self._parser.append_errors(error, "missing operand of negation")
        return multiply(constant(-1), operand)

    def _parentheses(self) -> Expression:
        parser = self._parser
        if parser.at(")"):
            parser.error("no expression inside parentheses", prefix=False)
        found = self.expression()
        parser.expect(")", "expected ')'")
        return found
