"""Calls of functions, composites by their decomposition, tuples, and asynchronous wrappers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.properties import integer
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.attributes import SymbolRefAttr
from pyshardy.ir.operation import Operation


@evaluates("func.call")
def call(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return called(frame, op, "callee", operands)


@evaluates("stablehlo.composite")
def composite(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return called(frame, op, "decomposition", operands)


def called(frame: Frame, op: Operation, name: str, operands: Sequence[Array]) -> list[Array]:
    """What the function returns that property ``name`` refers to."""
    callee = op.properties.get(name)
    assert isinstance(callee, SymbolRefAttr)
    function = frame.machine.function(callee.root, op)
    return frame.nested().run(function.body, operands)


@evaluates("stablehlo.tuple")
def make_tuple(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [cast(Any, Tuple(operands))]


@evaluates("stablehlo.get_tuple_element")
def get_tuple_element(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [cast(Any, operands[0])[integer(op, "index")]]


class Tuple(tuple[Array, ...]):
    """The value of a tuple: its elements, each with its own axis of lanes."""

    __slots__ = ()


@evaluates("stablehlo.async_start")
def async_start(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The operation inside, at once: its results wait in a tuple."""
    return [cast(Any, Tuple(frame.nested().run(op.body, operands)))]


@evaluates("stablehlo.async_done")
def async_done(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return list(cast(Any, operands[0]))
