"""Affine expressions, maps and integer sets: simplified when they are built, printed as in MLIR.

``ir.parsing.affine_parser`` builds expressions with the functions here; attributes keep the resulting text, which
determines them. Shapes of memory and attributes of other dialects use them; StableHLO itself does not.
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from pyshardy.ir.attribute import Attribute


class Expression(NamedTuple):
    """``kind`` is ``d`` or ``s`` (dimension or symbol number ``value``), ``c`` (the constant ``value``), or an operator
    (``+ * mod floordiv ceildiv``) with ``operands``. ``symbolic`` says that no dimension is in it."""

    kind: str
    value: int = 0
    operands: tuple[Expression, ...] = ()
    symbolic: bool = True
    depth: int = 1


def dimension(number: int) -> Expression:
    return Expression("d", number, symbolic=False)


def symbol(number: int) -> Expression:
    return Expression("s", number)


def constant(value: int) -> Expression:
    return Expression("c", value)


_ZERO, _MINUS_ONE = constant(0), constant(-1)


def _operation(kind: str, left: Expression, right: Expression) -> Expression:
    symbolic = left.symbolic and right.symbolic
    return Expression(kind, 0, (left, right), symbolic, max(left.depth, right.depth) + 1)


def _split(expression: Expression, kind: str) -> tuple[Expression, Expression] | None:
    """The operands of an operation of that kind."""
    if expression.kind != kind:
        return None
    left, right = expression.operands
    return left, right


def _split_constant(expression: Expression, kind: str) -> tuple[Expression, int] | None:
    """Left operand and constant right operand of an operation of that kind."""
    found = _split(expression, kind)
    return (found[0], found[1].value) if found is not None and found[1].kind == "c" else None


# --- building ---------------------------------------------------------------------------------------------------------


def add(left: Expression, right: Expression) -> Expression:
    """``left + right``: constants to the right, multiples of one expression together."""
    if left.kind == "c" and right.kind == "c":
        return constant(left.value + right.value)
    if left.kind == "c" or (left.symbolic and not right.symbolic) or _in_wrong_order(left, right):
        return add(right, left)
    if right == _ZERO:
        return left
    sum_with_constant = _split_constant(left, "+")
    if sum_with_constant is not None and right.kind == "c":
        return add(sum_with_constant[0], constant(sum_with_constant[1] + right.value))
    first, left_factor = _split_constant(left, "*") or (left, 1)
    second, right_factor = _split_constant(right, "*") or (right, 1)
    if first == second:
        return multiply(first, constant(left_factor + right_factor))
    if sum_with_constant is not None:
        return add(add(sum_with_constant[0], right), constant(sum_with_constant[1]))
    return _remainder(left, right) or _operation("+", left, right)


def _in_wrong_order(left: Expression, right: Expression) -> bool:
    """Whether both are dimensions, or both symbols, the one with the greater number first."""
    return left.kind == right.kind and left.kind in "ds" and left.value > right.value


def _remainder(left: Expression, right: Expression) -> Expression | None:
    """``e - (e floordiv q) * q`` is ``e mod q``."""
    product = _split(right, "*")
    if product is None:
        return None
    quotient, factor = product
    inner = _split(quotient, "*")
    if factor == _MINUS_ONE and inner is not None:
        division = _split(inner[0], "floordiv")
        return modulo(left, inner[1]) if division == (left, inner[1]) else None
    division = _split(quotient, "floordiv")
    if division is None or division[0] != left:
        return None
    divisor = division[1]
    if divisor.kind == "c" and divisor.value > 0 and divisor == negate(factor):
        return modulo(left, divisor)
    return None


def negate(expression: Expression) -> Expression:
    return multiply(expression, _MINUS_ONE)


def subtract(left: Expression, right: Expression) -> Expression:
    return add(left, negate(right))


def multiply(left: Expression, right: Expression) -> Expression:
    """``left * right``, one of them symbolic: constants, else symbols, to the right."""
    if left.kind == "c" and right.kind == "c":
        return constant(left.value * right.value)
    if not right.symbolic or left.kind == "c" or _in_wrong_order(left, right):
        return multiply(right, left)
    if right.kind == "c" and right.value in (0, 1):
        return left if right.value else right
    product = _split_constant(left, "*")
    if product is not None:
        if right.kind == "c":
            return multiply(product[0], constant(product[1] * right.value))
        return multiply(multiply(product[0], right), constant(product[1]))
    return _operation("*", left, right)


def floor_divide(left: Expression, right: Expression) -> Expression:
    """``left floordiv right``."""
    divisor = right.value if right.kind == "c" else 0
    if divisor:
        if left.kind == "c":
            return constant(left.value // divisor)
        found = _exact_quotient(left, divisor)
        if found is not None:
            return found
        terms = _split(left, "+")
        if terms is not None and any(_known_divisor(term) % divisor == 0 for term in terms):
            return add(floor_divide(terms[0], right), floor_divide(terms[1], right))
    return _operation("floordiv", left, right)


def ceil_divide(left: Expression, right: Expression) -> Expression:
    """``left ceildiv right``."""
    divisor = right.value if right.kind == "c" else 0
    if divisor:
        if left.kind == "c":
            return constant(-(-left.value // divisor))
        found = _exact_quotient(left, divisor)
        if found is not None:
            return found
    return _operation("ceildiv", left, right)


def _exact_quotient(left: Expression, divisor: int) -> Expression | None:
    if divisor == 1:
        return left
    product = _split_constant(left, "*")
    if product is not None and product[1] % divisor == 0:
        return multiply(product[0], constant(product[1] // divisor))
    return None


def modulo(left: Expression, right: Expression) -> Expression:
    """``left mod right``."""
    divisor = right.value if right.kind == "c" else 0
    if divisor < 1:
        return _operation("mod", left, right)
    if left.kind == "c":
        return constant(left.value % divisor)
    if _known_divisor(left) % divisor == 0:
        return _ZERO
    terms = _split(left, "+")
    if terms is not None:
        for one, other in (terms, reversed(terms)):
            if _known_divisor(one) % divisor == 0:
                return modulo(other, right)
    inner = _split_constant(left, "mod")
    if inner is not None and inner[1] >= 1 and inner[1] % divisor == 0:
        return modulo(inner[0], right)
    return _operation("mod", left, right)


def _known_divisor(expression: Expression) -> int:
    """The largest number of which ``expression`` is known to be a multiple."""
    if expression.kind in "ds":
        return 1
    if expression.kind == "c":
        return abs(expression.value)
    left, right = expression.operands
    if expression.kind == "*":
        return _known_divisor(left) * _known_divisor(right)
    if expression.kind in ("+", "mod"):
        return gcd(_known_divisor(left), _known_divisor(right))
    if right.kind == "c" and right.value and _known_divisor(left) % right.value == 0:
        return abs(_known_divisor(left) // right.value)
    return 1


OPERATORS = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "floordiv": floor_divide,
    "ceildiv": ceil_divide,
    "mod": modulo,
}
"""What builds the operation of each binary operator."""


# --- text -------------------------------------------------------------------------------------------------------------


def expression_text(expression: Expression, *, bracketed: bool = False) -> str:
    """The expression as MLIR prints it; an operation in brackets if ``bracketed``."""
    if expression.kind in "ds":
        return f"{expression.kind}{expression.value}"
    if expression.kind == "c":
        return str(expression.value)
    left, right = expression.operands
    if expression.kind == "+":
        text = _sum_text(left, right)
    elif expression.kind == "*" and right == _MINUS_ONE:
        text = "-" + expression_text(left, bracketed=True)
    else:
        text = f"{expression_text(left, bracketed=True)} {expression.kind} {expression_text(right, bracketed=True)}"
    return f"({text})" if bracketed else text


def _sum_text(left: Expression, right: Expression) -> str:
    product = _split_constant(right, "*")
    first = expression_text(left)
    if product is not None and product[1] == -1:
        return f"{first} - {expression_text(product[0], bracketed=product[0].kind == '+')}"
    if product is not None and product[1] < -1:
        return f"{first} - {expression_text(product[0], bracketed=True)} * {-product[1]}"
    if right.kind == "c" and right.value < 0:
        return f"{first} - {-right.value}"
    return f"{first} + {expression_text(right)}"


def _inputs_text(dimensions: int, symbols: int) -> str:
    text = f"({', '.join(f'd{number}' for number in range(dimensions))})"
    return text + (f"[{', '.join(f's{number}' for number in range(symbols))}]" if symbols else "")


# --- attributes -------------------------------------------------------------------------------------------------------


class _Affine(Attribute):
    __slots__ = ("body",)
    body: str

    def _render(self) -> str:
        return self.body


class AffineMapAttr(_Affine):
    """``affine_map<(d0)[s0] -> (d0 + s0)>``."""

    __slots__ = ()

    def __new__(cls, dimensions: int, symbols: int, results: list[Expression]) -> AffineMapAttr:
        listed = ", ".join(map(expression_text, results))
        body = f"affine_map<{_inputs_text(dimensions, symbols)} -> ({listed})>"
        return cls._table[body,]

    @classmethod
    def identity(cls, rank: int) -> AffineMapAttr:
        """The map of ``rank`` dimensions to themselves."""
        return cls(rank, 0, [dimension(number) for number in range(rank)])


class IntegerSetAttr(_Affine):
    """``affine_set<(d0)[s0] : (d0 - s0 >= 0)>``."""

    __slots__ = ()

    def __new__(cls, dimensions: int, symbols: int, constraints: list[tuple[Expression, bool]]) -> IntegerSetAttr:
        """``constraints`` are expressions that are zero (True) or at least zero (False)."""
        listed = ", ".join(f"{expression_text(one)} {'==' if equal else '>='} 0" for one, equal in constraints)
        body = f"affine_set<{_inputs_text(dimensions, symbols)} : ({listed})>"
        return cls._table[body,]
