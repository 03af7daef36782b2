"""Whether an operation along a sharded dimension needs no data of other devices.

``shard_sizes`` has the sizes of shards. All passes of the partitioner ask here.
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers
from pyshardy.emitting.builder import tensor_type
from pyshardy.ir.operation import Operation
from pyshardy.rules.properties import integer_elements, integers


def slice_is_free(shards: int, size: int, start: int, limit: int, stride: int) -> bool:
    """Whether the slice ``[start:limit:stride]`` of a dimension leaves every element on its device."""
    if shards <= 1:
        return True
    return start == 0 and stride == 1 and size >= 0 and -(-size // shards) == -(-(limit - start) // shards)


def pad_is_free(shards: int, size: int, low: int, interior: int, padded: int) -> bool:
    """Whether a dimension that is padded to ``padded`` elements leaves every element on its device."""
    if shards <= 1:
        return True
    if interior or size < 0 or padded < 0:
        return False
    before, after = -(-size // shards), -(-padded // shards)
    for shard in range(shards):
        start = shard * after - low
        first, last = max(0, start), min(size, start + after) - 1
        if first <= last and not shard * before <= first <= last < (shard + 1) * before:
            return False
    return True


def convolution_contracts(op: Operation, index: int) -> bool:
    """Whether a convolution has a single window along spatial dimension ``index``, which covers exactly the input. Then
    the dimension of input and kernel, if both are sharded in the same way, is a contracting dimension."""
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, ConvDimensionNumbers)
    lhs, kernel = (tensor_type(value).shape for value in op.operands)
    if lhs[numbers.input_spatial[index]] != kernel[numbers.kernel_spatial[index]]:
        return False
    as_it_is = all((integers(op, name) or (1,) * (index + 1))[index] == 1 for name in ("lhs_dilation", "rhs_dilation"))
    moved = (integer_elements(op, "padding") or (0,) * (2 * index + 2))[2 * index : 2 * index + 2]
    return as_it_is and not any(moved) and not (integers(op, "window_reversal") or (0,) * (index + 1))[index]
