"""When a slice or a pad along a sharded dimension needs no data of another device.

Pure functions of sizes; a dimension of n elements over k shards has ceil(n / k) on each. All passes of the chain ask
here.
"""

from __future__ import annotations


def slice_is_free(shards: int, size: int, start: int, limit: int, stride: int) -> bool:
    """Whether ``[start:limit:stride]`` of a dimension leaves every element on its device."""
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
