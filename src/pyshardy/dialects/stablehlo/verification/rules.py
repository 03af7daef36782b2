"""The kinds of rules that rows of the families' tables are made of: types of values, traits, inferred result types.

A rule looks at one operation and raises ``Wrong``. The families (``elementwise``, ``reductions``, …) list the rules of
each operation in the order in which MLIR checks them; ``verification`` runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pyshardy.dialects.stablehlo.verification.compatibility import (
    all_compatible,
    all_shapes_agree,
    compatible,
    element_of,
    elements_compatible,
    most_specific,
)
from pyshardy.dialects.stablehlo.verification.type_constraints import TypeConstraint
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.attributes import DenseArrayAttr, IntegerAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.types import TensorType, Type

Rule = Callable[[Operation], None]
Rules = dict[str, tuple[Rule, ...]]
"""Operation (without ``stablehlo.``) → its rules, in order."""


class Many(NamedTuple):
    """A group of any number of operands or results; at most one in a list."""

    constraint: TypeConstraint


Slots = Sequence[TypeConstraint | Many]


def typed(operands: Slots = (), results: Slots = ()) -> Rule:
    """Every operand and result has a type that its slot accepts."""

    def check(op: Operation) -> None:
        if op.operands:
            _check_types("operand", op.operands, operands)
        if op.results:
            _check_types("result", op.results, results)

    return check


def _check_types(what: str, values: Sequence[Value], slots: Slots) -> None:
    if len(values) == 1 and len(slots) == 1 and not isinstance(slots[0], Many) and slots[0].accepts(values[0].type):
        return
    for index, (value, slot) in enumerate(zip(values, _spread(slots, len(values)), strict=False)):
        constraint, words = (slot.constraint, "variadic of ") if isinstance(slot, Many) else (slot, "")
        if not constraint.accepts(value.type):
            raise Wrong(f"{what} #{index} must be {words}{constraint.summary}, but got '{value.type}'", named=True)


def _spread(slots: Slots, count: int) -> Iterable[TypeConstraint | Many]:
    for slot in slots:
        if isinstance(slot, Many):
            yield from [slot] * (count - len(slots) + 1)
        else:
            yield slot


# --- traits -----------------------------------------------------------------------------------------------------------


def operand_types(op: Operation) -> list[Type]:
    """The types of the operands."""
    return [value.type for value in op.operands]


def result_types(op: Operation) -> list[Type]:
    """The types of the results."""
    return [value.type for value in op.results]


def _types(op: Operation) -> list[Type]:
    return [value.type for value in (*op.operands, *op.results)]


def compatible_types(op: Operation) -> None:
    """All operands and results agree with the first operand."""
    types = _types(op)
    if not all(compatible(types[0], type) for type in types[1:]):
        raise Wrong("requires compatible types for all operands and results", named=True)


def compatible_elements(op: Operation) -> None:
    """The element types of all operands and results can stand for each other."""
    types = _types(op)
    if not all(elements_compatible(element_of(types[0]), element_of(type)) for type in types[1:]):
        raise Wrong("requires compatible element types for all operands and results", named=True)


def compatible_operand_elements(op: Operation) -> None:
    """The element types of all operands can stand for each other."""
    types = operand_types(op)
    if not all(elements_compatible(element_of(types[0]), element_of(type)) for type in types[1:]):
        raise Wrong("requires compatible element types for all operands", named=True)


def same_elements(op: Operation) -> None:
    """All operands and results have one element type."""
    if len(set(map(element_of, _types(op)))) > 1:
        raise Wrong("requires the same element type for all operands and results", named=True)


def same_operand_elements(op: Operation) -> None:
    """All operands have one element type."""
    if len(set(map(element_of, operand_types(op)))) > 1:
        raise Wrong("requires the same element type for all operands", named=True)


def same_shape(op: Operation) -> None:
    """The shapes of all operands and results agree."""
    if not all_shapes_agree(_types(op)):
        raise Wrong("requires the same shape for all operands and results", named=True)


def elementwise(op: Operation) -> None:
    """The shapes of all operands and results agree, as for ``same_shape`` but in other words."""
    if not all_shapes_agree(_types(op)):
        raise Wrong("all non-scalar operands/results must have the same shape and base type", named=True)


def same_count(op: Operation) -> None:
    """There are as many results as operands."""
    if len(op.operands) != len(op.results):
        raise Wrong("requires the same number of operands and results", named=True)


def same_element_type(words: str, values: Callable[[Operation], Iterable[Value]]) -> Rule:
    """Those ``values``, called ``words``, have one element type."""

    def check(op: Operation) -> None:
        if len({element_of(value.type) for value in values(op)}) > 1:
            raise Wrong(f"failed to verify that all of {{{words}}} have same element type", named=True)

    return check


def same_size(*names: str) -> Rule:
    """The lists called ``names`` are equally long."""

    def check(op: Operation) -> None:
        if len({len(integers(op, name)) for name in names}) > 1:
            raise Wrong(f"failed to verify that all of {{{', '.join(names)}}} have same size", named=True)

    return check


# --- inferred result types --------------------------------------------------------------------------------------------

Inference = Callable[[Operation], Sequence[Type]]

_inferences: dict[Rule, Inference] = {}


def infers(infer: Inference) -> Callable[[Rule], Rule]:
    """Says that the decorated rule compares the results with the types that ``infer`` finds."""

    def remember(rule: Rule) -> Rule:
        _inferences[rule] = infer
        return rule

    return remember


def inference_of(rules: Iterable[Rule]) -> Inference | None:
    """What finds the result types of an operation with these rules; None if its results are free."""
    return next((_inferences[rule] for rule in rules if rule in _inferences), None)


def inferred(
    infer: Callable[[Operation], Sequence[Type]],
    agree: Callable[[Sequence[Type], Sequence[Type]], bool] = all_compatible,
) -> Rule:
    """The results agree with the types that ``infer`` finds."""

    @infers(infer)
    def check(op: Operation) -> None:
        try:
            expected = infer(op)
        except Wrong as wrong:
            wrong.inferring = True
            raise
        found = result_types(op)
        if not agree(expected, found):
            wanted, got = (", ".join(f"'{type}'" for type in types) for types in (expected, found))
            raise Wrong(
                f"inferred type(s) {wanted} are incompatible with return type(s) of operation {got}",
                named=True,
                inferring=True,
            )

    return check


def inferred_as_operands(op: Operation) -> list[Type]:
    """The type of the result where it is that of the operands, what is known of all of them put together."""
    return [most_specific(operand_types(op))]


def unary(operand: TypeConstraint) -> tuple[Rule, ...]:
    """The rules of an operation from a tensor of such a type to one of the same type."""
    return (typed([operand], [operand]), compatible_types)


def binary(operand: TypeConstraint, result: TypeConstraint | None = None) -> tuple[Rule, ...]:
    """The rules of an operation from two tensors of such a type to one of the same type; messages call the result's
    types as ``result`` does."""
    return (
        typed([operand, operand], [operand if result is None else result]),
        compatible_types,
        same_shape,
        inferred(inferred_as_operands),
    )


def same_types(expected: Sequence[Type], found: Sequence[Type]) -> bool:
    """Whether two lists of types are equal, for results that leave nothing open."""
    return list(expected) == list(found)


# --- regions ----------------------------------------------------------------------------------------------------------


def one_block(*names: str) -> Rule:
    """Each region (called ``names``) has exactly one block."""

    def check(op: Operation) -> None:
        for index, (region, name) in enumerate(zip(op.regions, names, strict=False)):
            if len(region.blocks) != 1:
                raise Wrong(f"region #{index} ('{name}') failed to verify constraint: region with 1 blocks", named=True)

    return check


def returned(block: Block) -> list[Type]:
    """The types that the terminator of ``block`` has as operands."""
    return [value.type for value in block.last.operands] if block.last is not None else []


def ends(block: Block) -> bool:
    """Whether ``block`` has a terminator; where it has none, that is for the verifier of blocks to say."""
    return block.last is not None and bool(block.last.traits & TERMINATOR)


# --- properties -------------------------------------------------------------------------------------------------------


def integers(op: Operation, name: str) -> tuple[int, ...]:
    """The list of integers ``name``, empty if it is absent."""
    value = op.properties.entries.get(name)
    return value.values if isinstance(value, DenseArrayAttr) else ()


def integer(op: Operation, name: str, default: int = 0) -> int:
    """The integer ``name``."""
    value = op.properties.entries.get(name)
    return value.value if isinstance(value, IntegerAttr) else default


def elements(op: Operation, name: str) -> DenseElementsAttr | None:
    """The elements ``name``."""
    value = op.properties.entries.get(name)
    return value if isinstance(value, DenseElementsAttr) else None


def tensor(value: Value) -> TensorType:
    """The type of ``value``, which an earlier rule knows to be a ranked tensor."""
    assert isinstance(value.type, TensorType)
    return value.type
