"""The names of the dynamic dimensions of a program's arguments, and their sizes in terms of symbols.

``jax.export`` writes the symbolic shapes (``args[0].shape = (4*n, 6)``) into its checks of the arguments; a dimension
without a symbol is called ``arg0:1``, argument and dimension. ``binding`` uses the names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pyshardy.dialects.func import arguments_attributes, function_type
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, tensor_shape
from pyshardy.rules.properties import string

SYMBOL = "jax.global_constant"
"""The attribute of a scalar argument with the symbol whose size it holds."""

_SPECIFICATION = re.compile(r"polymorphic shapes specifications: (.*?)\. Obtained dimension variables", re.DOTALL)
_SHAPE = re.compile(r"[^ ,][^=,]*\.shape = \(")


class OpenDimension(NamedTuple):
    """Dimension ``dim`` of argument ``argument``; ``expression`` is its size in terms of symbols, if that is known."""

    argument: int
    dim: int
    expression: str | None

    @property
    def own_name(self) -> str:
        """The name by argument and dimension, which does not depend on symbols."""
        return f"arg{self.argument}:{self.dim}"


def open_dimensions(function: Operation, given_shapes: Sequence[list[str]] = ()) -> list[OpenDimension]:
    """The dynamic dimensions of the arguments of ``function``, in order. ``given_shapes`` are the symbolic shapes, if
    they are known from outside of the program."""
    shapes = list(map(tensor_shape, function_type(function).inputs))
    named = iter(given_shapes or _specified_shapes(function))
    given: list[str] | None = next(named, None)
    found = []
    for argument, shape in enumerate(shapes):
        if DYNAMIC not in shape:
            continue
        # The checks list the symbolic shapes in the order of the arguments; some arguments may not be in the program.
        while given is not None and not _fits(given, shape):
            given = next(named, None)
        for dim, size in enumerate(shape):
            if size == DYNAMIC:
                found.append(OpenDimension(argument, dim, given[dim] if given is not None else None))
        given = next(named, None)
    return found


def symbol_arguments(function: Operation) -> dict[int, str]:
    """The arguments of ``function`` that are the size of a symbol, and its name."""
    found = {}
    for index in range(len(function_type(function).inputs)):
        value = arguments_attributes(function, index).get(SYMBOL)
        if isinstance(value, StringAttr) and value.value.isidentifier() and not value.value.startswith("_"):
            found[index] = value.value
    return found


def _fits(given: list[str], shape: tuple[int, ...]) -> bool:
    return len(given) == len(shape) and all(
        size == DYNAMIC or one == str(size) for one, size in zip(given, shape, strict=True)
    )


def _specified_shapes(function: Operation) -> Iterator[list[str]]:
    """The shapes with symbols in the checks of ``jax.export``, dimension by dimension."""
    for op in function.walk():
        if op.name == "stablehlo.custom_call" and string(op, "call_target_name") == "shape_assertion":
            message = op.get("error_message")
            found = _SPECIFICATION.search(message.value) if isinstance(message, StringAttr) else None
            if found is not None:
                for match in _SHAPE.finditer(found[1]):
                    yield _split(found[1], match.end())
                return


def _split(text: str, start: int) -> list[str]:
    """The parts between commas from ``start`` to the closing bracket."""
    depth, parts = 0, [""]
    for character in text[start:]:
        if character == ")" and depth == 0:
            break
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


# --- expressions ------------------------------------------------------------------------------------------------------

_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Pow: lambda a, b: a**b if 0 <= b < 64 else 0,
}
_LARGEST = 1 << 62
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "max": max,
    "min": min,
}


class UnknownExpression(ValueError):
    """The text is no expression of symbols."""


def symbols_of(expression: str) -> list[str]:
    """The symbols in ``expression``, by name."""
    names = [node.id for node in ast.walk(_parsed(expression)) if isinstance(node, ast.Name)]
    return sorted(set(names) - set(_FUNCTIONS))


def evaluated(expression: str, sizes: Mapping[str, int]) -> int:
    """The value of ``expression`` for these ``sizes`` of symbols, which must contain all of its symbols.

    Raises:
        UnknownExpression: it is no arithmetic of the kind that JAX writes.
    """

    def value(node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in sizes:
            return sizes[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            found = _BINARY[type(node.op)](value(node.left), value(node.right))
            if abs(found) > _LARGEST:
                raise UnknownExpression(expression)
            return found
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2:
            function = _FUNCTIONS.get(node.func.id)
            if function is not None:
                return function(*map(value, node.args))
        raise UnknownExpression(expression)

    try:
        return value(_parsed(expression).body)
    except (ZeroDivisionError, RecursionError):
        raise UnknownExpression(expression) from None


def _parsed(expression: str) -> ast.Expression:
    try:
        return ast.parse(expression.replace("^", "**"), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UnknownExpression(expression) from None
