"""Random numbers: the counter-based generators bit by bit as XLA has them, and ``rng`` from numpy's generator."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from pyshardy.interpreter.element_types import Array, DType, bit_width, is_float, narrow, numpy_type, wide
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.comparison import case_of
from pyshardy.interpreter.operations.properties import result_shape, uniform_integers
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_THREEFRY_PARITY = 0x1BD11BDA
_PHILOX_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_PHILOX_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)


@evaluates("stablehlo.rng_bit_generator")
def rng_bit_generator(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The new state and the bits, drawn by each lane from its own state."""
    return bits_drawn(op, operands[0], result_shape(op, 1))


def bits_drawn(op: Operation, state: Array, shape: tuple[int, ...]) -> list[Array]:
    """The new state and bits of ``shape`` in the element type of the second result, by the algorithm of ``op``."""
    dtype = numpy_type(op.results[1].type)
    # The default is that of XLA on CPUs.
    generate = threefry_bits if case_of(op, "rng_algorithm") == "THREE_FRY" else philox_bits
    words = state.view(np.uint64) if state.dtype.itemsize == 8 else _as_u64(state)
    drawn = [generate(lane, shape, dtype) for lane in words]
    states = np.stack([lane for lane, _ in drawn])
    return [
        states.view(state.dtype).reshape(state.shape),
        np.stack([bits for _, bits in drawn]).reshape(len(state), *shape),
    ]


def _as_u64(state: Array) -> Array:
    return np.ascontiguousarray(state).view(np.uint64)


def threefry(key: tuple[Array, Array], counter: tuple[Array, Array]) -> tuple[Array, Array]:
    """Threefry-2x32 with 20 rounds (Salmon et al. 2011), on arrays of u32."""
    keys = (key[0], key[1], key[0] ^ key[1] ^ np.uint32(_THREEFRY_PARITY))
    x, y = counter[0] + keys[0], counter[1] + keys[1]
    for group in range(5):
        for distance in _ROTATIONS[group % 2]:
            x = x + y
            y = (y << np.uint32(distance) | y >> np.uint32(32 - distance)) ^ x
        x = x + keys[(group + 1) % 3]
        y = y + keys[(group + 2) % 3] + np.uint32(group + 1)
    return x, y


def threefry_bits(state: Array, shape: Sequence[int], dtype: DType) -> tuple[Array, Array]:
    """New state and bits from a state of two u64, the key and the counter."""
    key = _words(state[0])
    width = bit_width(dtype)
    if width == 64:
        counter = state[1] + np.arange(prod(shape), dtype=np.uint64)
        low, high = threefry(key, _words(counter))
        drawn = len(counter)
        bits = _joined_words(low, high).reshape(shape)
    else:
        dimension, half = _halves(shape)
        counter = state[1] + np.arange(prod(half), dtype=np.uint64)
        drawn = len(counter)
        first, second = threefry(key, _words(counter))
        # The two words of a counter stand side by side along the dimension that was halved.
        both = np.stack([first.reshape(half), second.reshape(half)], axis=dimension + 1)
        whole = both.reshape(*half[:dimension], 2 * half[dimension], *half[dimension + 1 :])
        if shape:
            bits = whole[(slice(None),) * dimension + (slice(shape[dimension]),)]
        else:
            bits = whole[0]
    new = state.copy()
    new[1] = state[1] + np.uint64(drawn)
    return new, _as_type(bits, dtype)


def _halves(shape: Sequence[int]) -> tuple[int, list[int]]:
    """The dimension that is halved (the first even one, else the first of the largest) and the shape of a half."""
    if not shape:
        return 0, [1]
    even = [place for place, size in enumerate(shape) if size % 2 == 0]
    dimension = even[0] if even else int(np.argmax(shape))
    half = list(shape)
    half[dimension] = (half[dimension] + 1) // 2
    return dimension, half


def philox(counter: Sequence[Array], key: Sequence[Array]) -> list[Array]:
    """Philox-4x32 with 10 rounds (Salmon et al. 2011), on arrays of u32."""
    a, b, c, d = counter
    left, right = key
    for _ in range(10):
        first = a.astype(np.uint64) * np.uint64(_PHILOX_MULTIPLIERS[0])
        second = c.astype(np.uint64) * np.uint64(_PHILOX_MULTIPLIERS[1])
        (low0, high0), (low1, high1) = _words(first), _words(second)
        a, b, c, d = high1 ^ b ^ left, low1, high0 ^ d ^ right, low0
        left, right = left + np.uint32(_PHILOX_WEYL[0]), right + np.uint32(_PHILOX_WEYL[1])
    return [a, b, c, d]


def philox_bits(state: Array, shape: Sequence[int], dtype: DType) -> tuple[Array, Array]:
    """New state and bits from a state of two or three u64: the key, and a counter of 64 or 128 bits."""
    width = bit_width(dtype)
    per_counter = 2 if width == 64 else 4
    count = prod(shape)
    blocks = -(-count // per_counter)
    steps = np.arange(blocks, dtype=np.uint64)
    lower = state[1] + steps
    # Without a second word of its own, the counter continues in the key.
    upper = (state[2] if len(state) > 2 else state[0]) + (lower < steps).astype(np.uint64)
    words = philox([*_words(lower), *_words(upper)], _words(state[0]))
    if width == 64:
        bits = np.stack([_joined_words(words[0], words[1]), _joined_words(words[2], words[3])], axis=-1)
    else:
        bits = np.stack(words, axis=-1)
    new = state.copy()
    new[1] = state[1] + np.uint64(blocks)
    if len(state) > 2:
        new[2] = state[2] + np.uint64(new[1] < state[1])
    return new, _as_type(bits.reshape(-1)[:count].reshape(shape), dtype)


def _words(values: Array) -> tuple[Array, Array]:
    """The low and the high half of u64."""
    whole = np.atleast_1d(values)
    return (whole & _LOW).astype(np.uint32), (whole >> _SHIFT).astype(np.uint32)


def _joined_words(low: Array, high: Array) -> Array:
    return low.astype(np.uint64) | high.astype(np.uint64) << _SHIFT


def _as_type(bits: Array, dtype: DType) -> Array:
    """Bits in an element type: the low ones, if it is shorter."""
    width = bit_width(dtype)
    stored = bits.astype(f"u{max(width, 8) // 8}")
    return np.ascontiguousarray(stored).view(dtype) if stored.dtype.itemsize == dtype.itemsize else narrow(bits, dtype)


@evaluates("stablehlo.rng")
def rng(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Numbers of a distribution, the same on every device whose bounds are the same; not those of any other system."""
    low, high = (wide(value) for value in operands[:2])
    shape = uniform_integers(operands[2])
    dtype = numpy_type(op.results[0].type)
    generator = frame.machine.generator
    first, second = (value.reshape(len(value), *(1,) * len(shape)) for value in (low, high))
    drawn: Array
    if case_of(op, "rng_distribution") == "NORMAL":
        drawn = generator.standard_normal((1, *shape)) * second + first
    elif is_float(dtype):
        drawn = generator.random((1, *shape)) * (second - first) + first
    elif dtype == np.bool_:
        drawn = generator.random((1, *shape)) < 0.5
    else:
        drawn = np.floor(generator.random((1, *shape)) * (second.astype(float) - first) + first)
    return [np.broadcast_to(drawn, (len(drawn), *shape)).astype(dtype)]
