"""How tensors lie, as plain values that can be hashed, compared and sent to other processes.

A ``Spec`` has the axes of each dimension; one that is behind others (ZeRO's storage) has a user priority. Everything
is closed: what a search leaves open, propagation would decide for it.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import lru_cache
from math import prod
from typing import NamedTuple

from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.operation import BlockArgument
from pyshardy.sharding.tensor import DimSharding, TensorSharding

Spec = tuple[tuple[str, ...], ...]
"""The axes of each dimension, from major to minor. An axis that begins with ``LATER`` makes its dimension propagate
behind all others."""

LATER = "+"

Key = tuple[str, int]
"""``("argument", 3)`` or ``("result", 0)``: an argument or a result of the program."""


def key_of(slot: object) -> Key:
    """The key of what holds a sharding at the boundary: an argument of the main function, or a result of it."""
    if isinstance(slot, FunctionResult):
        return "result", slot.number
    assert isinstance(slot, BlockArgument)
    return "argument", slot.index


class Boundary(NamedTuple):
    """The specs of arguments and of results by their numbers in the program."""

    arguments: Mapping[int, Spec]
    results: Mapping[int, Spec]


class Inner(NamedTuple):
    """Result ``result`` of every operation of ``group`` lies as ``spec`` says."""

    group: Hashable
    result: int
    spec: Spec


@lru_cache(maxsize=1 << 14)
def sharding_of_spec(spec: Spec, mesh: str) -> TensorSharding:
    """The sharding of Shardy for ``spec`` on the mesh called ``mesh``."""
    dims = []
    for axes in spec:
        later = any(axis.startswith(LATER) for axis in axes)
        dims.append(DimSharding([axis.removeprefix(LATER) for axis in axes], True, 1 if later else None))
    return TensorSharding(mesh, dims)


def plain_axes(spec: Spec) -> list[str]:
    """The axes in ``spec``, without the mark of those that are behind others."""
    return [axis.removeprefix(LATER) for axes in spec for axis in axes]


def without_axes(spec: Spec, axes: Collection[str]) -> Spec:
    """``spec`` with none of ``axes``."""
    return tuple(tuple(one for one in listed if one.removeprefix(LATER) not in axes) for listed in spec)


def divides(size: int, axes: Iterable[str], sizes: Mapping[str, int]) -> bool:
    """Whether a dimension of ``size`` can lie along ``axes``, which have these ``sizes``."""
    return size % prod(sizes[axis.removeprefix(LATER)] for axis in axes) == 0


def is_consistent(spec: Spec) -> bool:
    """Whether no axis stands twice."""
    axes = plain_axes(spec)
    return len(set(axes)) == len(axes)
