"""Rules of decompositions, Fourier transforms and batch normalizations."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.attributes import FFT_TYPE, TRANSPOSE
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import (
    all_shapes_agree,
    bounded,
    bounds_of,
    dims_agree,
    raw_text,
    shapes_agree,
)
from pyshardy.dialects.stablehlo.verification.rules import (
    Rules,
    compatible_elements,
    inferred,
    integer,
    integers,
    tensor,
    typed,
)
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, ComplexType, FloatType, TensorType, Type

# --- batch normalization ----------------------------------------------------------------------------------------------


def _check_normalization(op: Operation, full: Sequence[TensorType], vectors: Sequence[TensorType]) -> None:
    """``full`` are the operands of any rank, ``vectors`` those with one number a feature."""
    if not all_shapes_agree(full):
        raise Wrong("expects multi-dimensional operands to have compatible shapes.")
    if not all_shapes_agree(vectors):
        raise Wrong("expects single-dimensional operands to have compatible shapes.")
    index, shape = integer(op, "feature_index"), full[0].shape
    if index >= len(shape):
        raise Wrong(
            "expects featureIndex to be smaller than the rank of multi-dimensional operands; got featureIndex "
            f"{index}, and rank {len(shape)}."
        )
    if not dims_agree(shape[index], vectors[0].shape[0]):
        raise Wrong(
            "expects the size of single-dimensional operands to be compatible with feature count, but the size of "
            f"single-dimensional operands is {vectors[0].shape[0]} and the feature count is {shape[index]}."
        )


def _per_feature(op: Operation, full: TensorType) -> TensorType:
    index, bounds = integer(op, "feature_index"), bounds_of(full)
    return bounded([full.shape[index]], full.element, bounds[index : index + 1])


def _normalization_gradients(op: Operation) -> list[Type]:
    operand, *vectors, gradient = map(tensor, op.operands)
    _check_normalization(op, (operand, gradient), vectors)
    feature = _per_feature(op, operand)
    return [operand, feature, feature]


def _normalized(op: Operation) -> list[Type]:
    operand, *vectors = map(tensor, op.operands)
    _check_normalization(op, (operand,), vectors)
    return [operand]


def _normalized_with_statistics(op: Operation) -> list[Type]:
    operand, *vectors = map(tensor, op.operands)
    _check_normalization(op, (operand,), vectors)
    feature = _per_feature(op, operand)
    return [operand, feature, feature]


# --- decompositions ---------------------------------------------------------------------------------------------------


def _cholesky(op: Operation) -> list[Type]:
    operand = tensor(op.operands[0])
    if operand.rank < 2:
        raise Wrong(f"argument 'a' must have rank >= 2, got shape {raw_text(operand.shape)}.")
    if not dims_agree(*operand.shape[-2:]):
        raise Wrong(f"minor dimensions of 'a' must have equal size, got shape {raw_text(operand.shape)}.")
    return [operand]


def _triangular_solve(op: Operation) -> list[Type]:
    a, b = map(tensor, op.operands)
    if a.rank < 2:
        raise Wrong(f"operand 'a' must have rank >= 2, but got '{a}'")
    if not dims_agree(*a.shape[-2:]):
        raise Wrong(f"two minor dimensions of operand 'a' must be compatible, but got '{a}'")
    if a.rank != b.rank:
        raise Wrong(f"operands must have equal rank, but got '{a}' and '{b}'")
    shared = b.shape[-2] if integer(op, "left_side") else b.shape[-1]
    if not dims_agree(a.shape[-1], shared):
        raise Wrong(f"shared dimension of operands 'a' and 'b' must be compatible, but got '{a}' and '{b}'")
    if not shapes_agree(a.shape[:-2], b.shape[:-2]):
        raise Wrong(f"batch dimensions of the operands must be compatible, but got '{a}' and '{b}'")
    if op.properties.entries.get("transpose_a") is TRANSPOSE.of("TRANSPOSE_INVALID"):
        raise Wrong("Invalid transpose option value for triangular solve")
    return [b]


# --- Fourier transforms -----------------------------------------------------------------------------------------------


def _fft(op: Operation) -> list[Type]:
    operand, length = tensor(op.operands[0]), integers(op, "fft_length")
    if not 1 <= len(length) <= 3:
        raise Wrong(f"rank must be between 1 and 3, but got {len(length)}.")
    kind = op.properties.entries["fft_type"]
    if kind is FFT_TYPE.of("RFFT"):
        if not isinstance(operand.element, FloatType) or operand.element.name not in ("f32", "f64"):
            raise Wrong(f"RFFT requires f32 or f64 input type, but is given '{operand.element}'.")
    elif not isinstance(operand.element, ComplexType):
        raise Wrong(f"FFT/IFFT/IRFFT take a complex tensor as input, but is given '{operand}'.")
    if operand.rank < len(length):
        raise Wrong(f"operand rank must not be less than fft rank of {len(length)} for operand of type '{operand}'.")
    if kind is FFT_TYPE.of("RFFT"):
        return [_real_to_complex(operand, length)]
    if kind is FFT_TYPE.of("IRFFT"):
        return [_complex_to_real(operand, length)]
    return [operand]


def _real_to_complex(operand: TensorType, length: Sequence[int]) -> TensorType:
    inner = operand.shape[-len(length) :]
    if not shapes_agree(inner, length):
        raise Wrong(
            f"RFFT requires innermost dimensions to be compatible with fft_length. Got: {raw_text(operand.shape)} "
            f"but wanted {raw_text(length)}."
        )
    last = length[-1] // 2 + 1 if length[-1] else 0
    return _with_last(operand, last, ComplexType(operand.element))


def _complex_to_real(operand: TensorType, length: Sequence[int]) -> TensorType:
    inner = operand.shape[-len(length) :]
    for size, wanted in zip(inner[:-1], length[:-1], strict=True):
        if not dims_agree(size, wanted):
            raise Wrong(
                "IRFFT requires non-final dimensions to be compatible with fft_length. Got: "
                f"{raw_text(operand.shape)} but wanted {raw_text(length)}, and {size} != {wanted}."
            )
    if inner[-1] != DYNAMIC and inner[-1] != (length[-1] // 2 + 1 if length[-1] else 0):
        raise Wrong(
            "IRFFT requires innermost dimension to be compatible with fft_length[-1]/2+1. Got: "
            f"{inner[-1]} but fft_length is {length[-1]}."
        )
    assert isinstance(operand.element, ComplexType)
    return _with_last(operand, length[-1], operand.element.element)


def _with_last(operand: TensorType, size: int, element: Type) -> TensorType:
    bounds = bounds_of(operand)
    return bounded((*operand.shape[:-1], size), element, (*bounds[:-1], None) if bounds else ())


_VECTOR = kinds.FLOAT_VECTOR
_SOLVABLE = kinds.PLAIN_FLOATS_OR_COMPLEX

RULES: Rules = {
    "batch_norm_grad": (
        typed([kinds.FLOATS, _VECTOR, _VECTOR, _VECTOR, kinds.FLOATS], [kinds.FLOATS, _VECTOR, _VECTOR]),
        compatible_elements,
        inferred(_normalization_gradients),
    ),
    "batch_norm_inference": (
        typed([kinds.FLOATS, *[_VECTOR] * 4], [kinds.FLOATS]),
        compatible_elements,
        inferred(_normalized),
    ),
    "batch_norm_training": (
        typed([kinds.FLOATS, _VECTOR, _VECTOR], [kinds.FLOATS, _VECTOR, _VECTOR]),
        compatible_elements,
        inferred(_normalized_with_statistics),
    ),
    "cholesky": (
        typed([kinds.FLOATS_OR_COMPLEX], [kinds.FLOATS_OR_COMPLEX]),
        compatible_elements,
        inferred(_cholesky),
    ),
    "fft": (typed([_SOLVABLE], [_SOLVABLE]), inferred(_fft)),
    "triangular_solve": (
        typed([_SOLVABLE, _SOLVABLE], [_SOLVABLE]),
        compatible_elements,
        inferred(_triangular_solve),
    ),
}
