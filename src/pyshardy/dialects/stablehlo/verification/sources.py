"""Rules of the operations that make values from nothing: constants, identifiers, random numbers."""

from __future__ import annotations

from pyshardy.dialects.stablehlo.attributes import RNG_DISTRIBUTION
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import shapes_agree
from pyshardy.dialects.stablehlo.verification.constant_operands import constant_integers
from pyshardy.dialects.stablehlo.verification.rules import Rules, inferred, same_element_type, tensor, typed
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, FloatType, TensorType, Type


def _type_of_value(op: Operation) -> list[Type]:
    found = getattr(op.properties.entries.get("value"), "type", None)
    return [found] if isinstance(found, Type) else []


def _random(op: Operation) -> list[Type]:
    low, _, shape = map(tensor, op.operands)
    is_normal = op.properties.entries.get("rng_distribution") is RNG_DISTRIBUTION.of("NORMAL")
    if is_normal and not isinstance(low.element, FloatType):
        raise Wrong("mu and sigma must be floats")
    sizes = constant_integers(op.operands[2])
    return [TensorType(sizes if sizes is not None else [DYNAMIC] * shape.shape[0], low.element)]


def _check_state(op: Operation) -> None:
    before, after = tensor(op.operands[0]), tensor(op.results[0])
    if not shapes_agree(before.shape, after.shape):
        raise Wrong(f"output state shape must be compatible with initial state shape. Got: '{before}' and '{after}'")


_IDENTIFIER = (
    typed([], [kinds.ranked(kinds.UINT32)]),
    inferred(lambda op: [TensorType((), tensor(op.results[0]).element)]),
)
_RANDOM = (kinds.BOOL, kinds.INTEGER, kinds.FLOAT)
_STATE = kinds.ranked(kinds.INTEGER, kinds.FLOAT)

RULES: Rules = {
    "constant": (
        typed(
            [],
            [
                kinds.static(
                    kinds.FLOAT, kinds.BOOL, kinds.INTEGER, kinds.COMPLEX, kinds.QUANTIZED, kinds.QUANTIZED_BY_AXIS
                )
            ],
        ),
        inferred(_type_of_value),
    ),
    "create_token": (typed([], [kinds.TOKEN]),),
    "partition_id": _IDENTIFIER,
    "replica_id": _IDENTIFIER,
    "rng": (
        typed([kinds.rank_0(*_RANDOM), kinds.rank_0(*_RANDOM), kinds.SHAPE_VECTOR], [kinds.ranked(*_RANDOM)]),
        same_element_type("a, b, result", lambda op: (*op.operands[:2], op.results[0])),
        inferred(_random),
    ),
    "rng_bit_generator": (
        typed([_STATE], [_STATE, kinds.static(kinds.INTEGER, kinds.FLOAT)]),
        _check_state,
    ),
}
