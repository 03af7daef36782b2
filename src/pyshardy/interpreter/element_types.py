"""Element types as numpy types, the types that arithmetic is done in, and constants as arrays.

Integers of less than a byte and floats of less than 32 bits are kept in their own numpy type (``ml_dtypes``) and
computed in a wider one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import ml_dtypes
import numpy as np

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.elements import DenseElementsAttr, DenseResourceAttr, SparseElementsAttr
from pyshardy.ir.types import ComplexType, FloatType, IndexType, IntegerType, ShapedType, Type

Array = np.ndarray[Any, Any]
DType = np.dtype[Any]

_FLOATS: dict[str, Any] = {
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "tf32": np.float32,
    "f64": np.float64,
}
_INTEGERS: dict[str, Any] = {
    "i1": np.bool_,
    "i2": ml_dtypes.int2,
    "i4": ml_dtypes.int4,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui2": ml_dtypes.uint2,
    "ui4": ml_dtypes.uint4,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
}
_COMPLEX: dict[str, Any] = {"f32": np.complex64, "f64": np.complex128}

_WIDE: dict[DType, DType] = {
    np.dtype(narrow): np.dtype(wide)
    for narrow, wide in (
        *((_FLOATS[name], np.float32) for name in _FLOATS if name not in ("f32", "tf32", "f64", "f16")),
        (ml_dtypes.int2, np.int8),
        (ml_dtypes.int4, np.int8),
        (ml_dtypes.uint2, np.uint8),
        (ml_dtypes.uint4, np.uint8),
    )
}
_BITS = {np.dtype(_INTEGERS[name]): int(name.lstrip("ui")) for name in _INTEGERS}
_BITS |= {np.dtype(_FLOATS[name]): FloatType(name).width for name in _FLOATS if name != "tf32"}
_BITS |= {np.dtype(np.complex64): 64, np.dtype(np.complex128): 128}

_QUANTIZED = re.compile(r"!quant\.uniform<(?P<storage>[a-z]+\d+)")
_known: dict[Type, DType] = {}


class UnsupportedType(Exception):
    """There is no numpy type for an element type."""


def numpy_type(type: Type) -> DType:
    """The numpy type of an element type, or of the elements of a tensor type.

    Raises:
        UnsupportedType: there is none (``f80``).
    """
    found = _known.get(type)
    if found is None:
        element = type.element if isinstance(type, ShapedType) else type
        name = str(element)
        scalar: Any = None
        storage = _QUANTIZED.match(name)
        if storage is not None:
            # A quantized value is kept as its integers (``quantization``).
            name = storage["storage"] if storage["storage"][0] != "u" else f"ui{storage['storage'].lstrip('ui')}"
            scalar = _INTEGERS.get(name.removeprefix("s"))
        if isinstance(element, IndexType):
            scalar = np.int64
        elif isinstance(element, FloatType):
            scalar = _FLOATS.get(name)
        elif isinstance(element, IntegerType):
            scalar = _INTEGERS.get(name.removeprefix("s"))
        elif isinstance(element, ComplexType):
            scalar = _COMPLEX.get(str(element.element))
        if scalar is None:
            raise UnsupportedType(f"there is no array type for elements of type {element}")
        found = _known[type] = np.dtype(scalar)
    return found


def bit_width(dtype: DType) -> int:
    """Bits of an element: 4 for int4, 1 for booleans."""
    return _BITS[dtype]


def wide_type(dtype: DType) -> DType:
    """The type in which arithmetic on ``dtype`` is done."""
    return _WIDE.get(dtype, dtype)


def wide(values: Array) -> Array:
    """``values`` in the type for arithmetic."""
    target = _WIDE.get(values.dtype)
    return values if target is None else values.astype(target)


def narrow(values: Array, dtype: DType) -> Array:
    """Results of arithmetic in their own type: floats are rounded, integers wrap around."""
    if values.dtype == dtype:
        return values
    if is_integer(dtype) and dtype in _WIDE and is_integer(values.dtype):
        return _wrapped(values, dtype)
    return values.astype(dtype)


def _wrapped(values: Array, dtype: DType) -> Array:
    bits = _BITS[dtype]
    low = np.bitwise_and(values.astype(np.int64, copy=False), (1 << bits) - 1)
    if is_signed(dtype):
        sign = 1 << (bits - 1)
        low = (low ^ sign) - sign
    return low.astype(_WIDE[dtype]).astype(dtype)


def is_integer(dtype: DType) -> bool:
    """Integers, without booleans."""
    return dtype.kind in "iu" or (dtype.kind == "V" and _WIDE.get(dtype, dtype).kind in "iu")


def is_signed(dtype: DType) -> bool:
    """Signed integers."""
    return _WIDE.get(dtype, dtype).kind == "i"


def is_float(dtype: DType) -> bool:
    """Real floating point types of any width."""
    return _WIDE.get(dtype, dtype).kind == "f"


def is_complex(dtype: DType) -> bool:
    return dtype.kind == "c"


def constant_array(value: Attribute, resources: dict[str, str]) -> Array:
    """The elements of a constant in its shape; a splat takes the memory of one element. Read only.

    ``resources`` holds the payloads of ``dense_resource`` constants by key.

    Raises:
        UnsupportedType: no such elements, or their payload is missing.
    """
    if isinstance(value, DenseElementsAttr):
        return _dense_array(value.data, value.type.shape, numpy_type(value.type.element))
    if isinstance(value, DenseResourceAttr) and isinstance(value.type, ShapedType) and value.key in resources:
        # The literal is "0x…" with its quotes; four bytes of alignment come first.
        data = bytes.fromhex(resources[value.key][3:-1])[4:]
        return _dense_array(data, value.type.shape, numpy_type(value.type.element))  # type: ignore[attr-defined]
    if isinstance(value, SparseElementsAttr) and isinstance(value.values, DenseElementsAttr):
        values = np.array(constant_array(value.values, resources)).reshape(-1)
        indices = np.array(value.indices.integers(), np.int64)
        dense = np.zeros(value.type.shape, values.dtype)
        if values.size:
            dense[tuple(indices.reshape(len(values), -1).T)] = values
        return dense
    raise UnsupportedType(f"cannot read the constant {str(value)[:100]}")


def _dense_array(data: bytes, shape: Iterable[int], dtype: DType) -> Array:
    stored = dtype.newbyteorder("<") if dtype.kind in "iufc" and dtype.itemsize > 1 else dtype
    if dtype == np.bool_:
        flat = np.frombuffer(data, np.uint8) != 0
    elif is_signed(dtype) and dtype in _WIDE:
        # A payload holds the low bits of the number; some writers extend the sign.
        flat = narrow(np.frombuffer(data, np.int8), dtype)
    else:
        flat = np.frombuffer(data, stored).astype(dtype, copy=False)
    target = tuple(shape)
    count = int(np.prod(target, dtype=np.int64))
    result: Array
    if flat.size == count:
        result = flat.reshape(target)
    else:
        result = np.broadcast_to(flat.reshape((1,) * len(target)), target)
    result.flags.writeable = False
    return result
