"""Writes values as StableHLO's reference interpreter does: the type, and the elements row by row in MLIR's spelling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.quantization import quantization
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.types import ComplexType, IntegerType, TensorType, TupleType, Type


def value_text(value: Array | tuple[Any, ...], type: Type) -> str:
    """The text of a value without the axis of lanes, without a final newline.

    >>> from pyshardy.ir.types import F32
    >>> print(value_text(np.array([[1, 2.5]], np.float32), TensorType((1, 2), F32)))
    tensor<1x2xf32> {
      [
        [1.000000e+00, 2.500000e+00]
      ]
    }
    """
    if isinstance(type, TupleType):
        parts = zip(value, type.elements, strict=True)
        return "\n".join(value_text(one if isinstance(one, tuple) else one[0], part) for one, part in parts)
    if not isinstance(type, TensorType) or isinstance(value, tuple):
        return str(type)
    static = type.with_shape(value.shape)
    texts = element_texts(value, static)
    if isinstance(type.element, ComplexType):
        texts = [f"[{text[1:-1].replace(',', ', ')}]" for text in texts]
    if not value.shape:
        return f"{static} {{{texts[0]}}}"
    return "\n".join([f"{static} {{", *_rows(texts, value.shape, 1), "}"])


def element_texts(value: Array, type: TensorType) -> list[str]:
    """The elements one by one, as MLIR writes them in constants; of quantized values the integers."""
    kind = quantization(type)
    if kind is not None:
        type = TensorType(type.shape, kind.storage)
    stored = np.ascontiguousarray(value)
    if isinstance(type.element, IntegerType) and type.element.width == 1:
        stored = stored.astype(np.uint8)
    literal = DenseElementsAttr(type.with_shape([value.size]), stored.tobytes())
    texts = literal.element_texts()
    return texts * value.size if len(texts) < value.size else texts


def _rows(texts: Sequence[str], shape: Sequence[int], depth: int) -> Iterator[str]:
    indent = "  " * depth
    if len(shape) == 1 or not shape[0]:
        yield f"{indent}[{', '.join(texts)}]"
    else:
        size = len(texts) // shape[0]
        yield indent + "["
        for index in range(shape[0]):
            *lines, last = _rows(texts[index * size : (index + 1) * size], shape[1:], depth + 1)
            yield from lines
            yield last + ("," if index + 1 < shape[0] else "")
        yield indent + "]"
