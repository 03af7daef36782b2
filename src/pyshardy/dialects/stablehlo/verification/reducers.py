"""The bodies of reductions: what they take and return, for the values that they combine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.dialects.stablehlo.verification.compatibility import compatible, element_of, shapes_agree
from pyshardy.dialects.stablehlo.verification.rules import ends, returned
from pyshardy.dialects.stablehlo.verification.type_constraints import is_quantized
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Block
from pyshardy.ir.types import (
    DYNAMIC,
    ComplexType,
    FloatType,
    IntegerType,
    TensorType,
    Type,
    element_width,
)

_REGION = "reduction-region"


def promotable(source: Type, target: Type) -> bool:
    """Whether elements of type ``source`` can be computed with as ``target``: one kind, and unless they are floats, not
    narrower."""
    if source is target or is_quantized(source) or is_quantized(target):
        return True
    if isinstance(source, FloatType) and isinstance(target, FloatType):
        return True
    for kind in (IntegerType, ComplexType):
        if isinstance(source, kind) and isinstance(target, kind):
            return element_width(source) <= element_width(target)
    return False


def check_reducer(
    block: Block,
    inputs: Sequence[TensorType],
    initial: Sequence[TensorType],
    allowed: Sequence[int] = (),
) -> list[TensorType]:
    """The types of the accumulators of a reducer for ``inputs`` that begins with ``initial`` values.

    ``allowed`` are the sizes that the elements combined at once may have.

    Raises:
        Wrong: the body does not fit.
    """
    count, arguments = len(inputs), [argument.type for argument in block.arguments]
    if len(arguments) != 2 * count:
        raise Wrong(f"Reduction-region must take {2 * count} parameters, but takes {len(arguments)} parameter(s)")
    if not ends(block):
        raise Wrong(f"The {_REGION} expected to have a terminator")
    results = returned(block)
    if not results:
        raise Wrong(f"The {_REGION} expected to return some value(s)")
    if len(results) != count:
        raise Wrong(f"Reduction-region here must produce {count} tensors, but produces {len(results)} instead")
    accumulators = []
    for result in results:
        if not isinstance(result, TensorType):
            raise Wrong(f"Reduction-region here must produce tensor-typed result(s), but produces '{result}' instead")
        accumulators.append(result)
    for index, accumulator in enumerate(accumulators):
        _check_parameter(index, arguments[index], accumulator, compatible)
        _check_parameter(count + index, arguments[count + index], accumulator, alike)
        _check_initial(index, accumulator, initial[index])
        _check_argument(index, count, arguments[count + index], inputs[index], allowed)
    return accumulators


def _check_parameter(index: int, found: Type, result: TensorType, agree: Callable[[Type, Type], bool]) -> None:
    if not agree(found, result):
        raise Wrong(
            f"The type of {_REGION}'s parameter at index {index} is different than the corresponding result type: "
            f"'{found}' vs '{result}'"
        )


def alike(one: Type, other: Type) -> bool:
    """Whether two types are compatible, except for the precision of floats."""
    if not isinstance(one, TensorType) or not isinstance(other, TensorType):
        return compatible(one, other)
    if isinstance(one.element, FloatType) and isinstance(other.element, FloatType):
        return shapes_agree(one.shape, other.shape)
    return compatible(one, other)


def _check_initial(index: int, accumulator: TensorType, initial: TensorType) -> None:
    if not shapes_agree(accumulator.shape, initial.shape):
        raise Wrong(
            f"The shape of {_REGION}'s result type at index {index} differs from the op's corresponding init-value "
            f"type: '{accumulator}' vs '{initial}'"
        )
    if not promotable(initial.element, accumulator.element):
        raise Wrong(
            f"The element-type of {_REGION}'s result type at index {index} is expected to be promotable from the "
            f"op's corresponding init-value element-type: '{accumulator}' vs '{initial}'"
        )


def _check_argument(number: int, count: int, argument: Type, operand: TensorType, allowed: Sequence[int]) -> None:
    index = count + number
    if not promotable(operand.element, element_of(argument)):
        raise Wrong(
            f"The element-type of {_REGION}'s argument at index {index} is expected to be promotable from "
            f"'{operand.element}', but got '{element_of(argument)}'"
        )
    if not isinstance(argument, TensorType):
        raise Wrong(
            f"The rank of {_REGION}'s argument at index {index} is expected to be <= {len(allowed)}, got an unranked "
            "tensor"
        )
    if argument.rank > len(allowed):
        raise Wrong(
            f"The rank of {_REGION}'s argument at index {index} is expected to be <= {len(allowed)}, got "
            f"{argument.rank}"
        )
    place = 0
    for size in allowed:
        if place < argument.rank and (DYNAMIC in (size, argument.shape[place]) or size == argument.shape[place]):
            place += 1
    if place < argument.rank:
        raise Wrong(
            f"The shape of {_REGION}'s argument at index {index} is not compatible with that of reduce-op's "
            f"input-parameter at index {number}"
        )
