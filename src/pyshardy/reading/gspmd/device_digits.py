"""Converts the order of devices of a tiled GSPMD sharding to mixed-radix digits: each dimension corresponds to some
digits of the device number.

A digit ``(stride, size)`` of device ``d`` is ``d // stride % size``. A sharding whose dimensions are digits fits a mesh
in the order of the devices; any other needs a mesh with an order of its own (``order_of``), in which it has digits.
``sharding_text`` reads shardings, ``mesh_choice`` makes axes of digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, permutations
from math import prod
from typing import NamedTuple

from pyshardy.reading.gspmd.sharding_text import GspmdSharding
from pyshardy.reading.gspmd.sharding_tokens import BadSharding

_MOST_FACTOR_ORDERS = 720
_MOST_LISTED = 1 << 20


class Digit(NamedTuple):
    """A digit of the number of a device in a mixed radix."""

    stride: int
    size: int

    @property
    def end(self) -> int:
        """The stride of the next digit to the left."""
        return self.stride * self.size


Digits = tuple[Digit, ...]


class Counting(NamedTuple):
    """The digits of each dimension, major to minor, and of each kind of subgroup (``replicated``, ``manual``, …)."""

    dims: tuple[Digits, ...]
    subgroups: dict[str, Digits]

    def all_digits(self) -> Iterator[Digit]:
        """Every digit, those of subgroups at the end."""
        for digits in (*self.dims, *self.subgroups.values()):
            yield from digits


def tile_devices(sharding: GspmdSharding) -> list[int]:
    """The devices of a tiled sharding in the order of its tiles, the last dimension the fastest."""
    if sharding.listed:
        return list(sharding.listed)
    return _counted(_iota_digits(sharding))


def order_of(sharding: GspmdSharding) -> tuple[int, ...]:
    """An order of the devices in which ``sharding`` counts them one by one."""
    return tuple(_with_sorted_groups(tile_devices(sharding), sharding))


def counting(sharding: GspmdSharding, order: Sequence[int] = ()) -> Counting | None:
    """The digits of a tiled sharding, of device numbers or of positions in ``order``; None if it has none.

    Raises:
        BadSharding: it has none, and has too many devices to list them.
    """
    if not order and not sharding.listed:
        found = _cut(_iota_digits(sharding), sharding.tiles)
        if found is not None:
            return _counting(sharding, found)
        if prod(sharding.tiles) > _MOST_LISTED:
            raise BadSharding(f"its {prod(sharding.tiles)} devices are in an order that has to be written one by one")
    position = {device: index for index, device in enumerate(order)} if order else None
    devices = [position[device] for device in tile_devices(sharding)] if position else tile_devices(sharding)
    listed = _digits_of_list(devices, sharding)
    return _counting(sharding, listed) if listed is not None else None


def _counting(sharding: GspmdSharding, digits: list[Digits]) -> Counting:
    subgroups: dict[str, Digits] = {}
    for kind, found in zip(sharding.subgroups, digits[sharding.rank :], strict=True):
        subgroups[kind] = subgroups.get(kind, ()) + found
    return Counting(tuple(digits[: sharding.rank]), subgroups)


def _strides(shape: Sequence[int]) -> list[int]:
    return [prod(shape[index + 1 :]) for index in range(len(shape))]


def _iota_digits(sharding: GspmdSharding) -> list[Digit]:
    """The digits that the tiles of a sharding count which lists no devices, major to minor."""
    strides = _strides(sharding.reshape)
    return [Digit(strides[axis], sharding.reshape[axis]) for axis in sharding.permutation]


def _counted(digits: Iterable[Digit]) -> list[int]:
    """The numbers with only these digits, the last digit the fastest."""
    found = [0]
    for digit in digits:
        found = [number + digit.stride * index for number in found for index in range(digit.size)]
    return found


def _cut(source: list[Digit], tiles: Sequence[int]) -> list[Digits] | None:
    """The digits of ``source`` assigned to the tile dimensions in order; None if a dimension ends inside a digit at a
    size that does not divide it."""
    waiting = [digit for digit in reversed(source) if digit.size > 1]
    found: list[Digits] = []
    for size in tiles:
        taken: list[Digit] = []
        while size > 1:
            digit = waiting.pop()
            if size % digit.size == 0:
                taken.append(digit)
                size //= digit.size
            elif digit.size % size == 0:
                rest = digit.size // size
                taken.append(Digit(digit.stride * rest, size))
                waiting.append(Digit(digit.stride, rest))
                size = 1
            else:
                return None
        found.append(_joined(taken))
    return found


def _joined(digits: list[Digit]) -> Digits:
    """Merges adjacent digits that continue each other."""
    found: list[Digit] = []
    for digit in digits:
        if found and found[-1].stride == digit.end:
            digit = Digit(digit.stride, found.pop().size * digit.size)
        found.append(digit)
    return tuple(found)


# --- from a list of devices -------------------------------------------------------------------------------------------


def _with_sorted_groups(devices: list[int], sharding: GspmdSharding) -> list[int]:
    """``devices`` tile by tile; replicas of a tile, if they are the last subgroup, are sorted, so that the list is more
    regular."""
    if not sharding.subgroups or sharding.subgroups[-1] != "replicated":
        return devices
    size = sharding.tiles[-1]
    return [device for start in range(0, len(devices), size) for device in sorted(devices[start : start + size])]


def _digits_of_list(devices: list[int], sharding: GspmdSharding) -> list[Digits] | None:
    """The digits of each tile dimension of a list of devices; None if some dimension does not count digits."""
    devices = _with_sorted_groups(devices, sharding)
    found: list[Digits] = []
    strides = _strides(sharding.tiles)
    for tile, stride in zip(sharding.tiles, strides, strict=True):
        digits = _digits_along([devices[index * stride] for index in range(tile)])
        if digits is None:
            return None
        found.append(digits)
    # Each dimension has digits where the other indices are 0. If they hold everywhere, they are a mixed radix, since
    # each device occurs once.
    return found if _counted(chain.from_iterable(found)) == devices else None


def _digits_along(devices: list[int]) -> Digits | None:
    """The digits that the first devices along a dimension count."""
    if devices[0] != 0:
        return None
    for factors in _factor_orders(len(devices)):
        strides = _strides(factors)
        digits = [Digit(devices[stride], factor) for factor, stride in zip(factors, strides, strict=True)]
        if _counted(digits) == devices:
            return _joined(digits)
    return None


@cache
def _factor_orders(size: int) -> list[tuple[int, ...]]:
    """The prime factors of ``size`` in every order, up to a limit."""
    factors: list[int] = []
    divisor = 2
    while size > 1:
        while size % divisor == 0:
            factors.append(divisor)
            size //= divisor
        divisor += 1
    orders: dict[tuple[int, ...], None] = {}
    for number, order in enumerate(permutations(factors)):
        if number >= _MOST_FACTOR_ORDERS:
            break
        orders[order] = None
    return list(orders)
