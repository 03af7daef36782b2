"""One mistake in a program: what kind it is, and the change that makes it; and the changes that mistakes are made of.

``mutants`` and ``number_mutations`` say which mistakes an operation may have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pyshardy.emitting.builder import i64_array
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DenseArrayAttr, DictionaryAttr
from pyshardy.ir.operation import Operation, Value

Change = Callable[[Operation], None]


class Mutation(NamedTuple):
    """A mistake: its kind, and what makes it of the operation."""

    kind: str
    change: Change


def changed(op: Operation, **properties: Attribute) -> None:
    """Gives ``op`` other ``properties``."""
    for name, value in properties.items():
        rewriting.set_properties(op, op.properties.with_(name, value))


def made_before(op: Operation, name: str, operands: list[Value], like: Value, **properties: Attribute) -> Value:
    """The result, of the type of ``like``, of a new operation of StableHLO in front of ``op``."""
    made = rewriting.create(
        f"stablehlo.{name}", operands, [like.type], DictionaryAttr(properties), location=op.location
    )
    rewriting.insert_before(op, made)
    return made.results[0]


def numbers_of(op: Operation, name: str) -> tuple[int, ...]:
    """Those of a property that is an array."""
    value = op.properties.get(name)
    assert isinstance(value, DenseArrayAttr)
    return value.values


def moved(numbers: tuple[int, ...], dim: int, step: int) -> tuple[int, ...]:
    """``numbers`` with ``step`` added in one place."""
    return tuple(number + step * (place == dim) for place, number in enumerate(numbers))


def bounds(starts: Sequence[int], limits: Sequence[int], strides: Sequence[int]) -> dict[str, Attribute]:
    """The properties of a slice."""
    return {
        "start_indices": i64_array(starts),
        "limit_indices": i64_array(limits),
        "strides": i64_array(strides),
    }
