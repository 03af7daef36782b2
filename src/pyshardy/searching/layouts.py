"""Shardings as plain values that can be hashed, compared and sent to other processes.

A ``Spec`` has the axes of each dimension; an axis of storage (ZeRO, FSDP) is marked and gets a user priority. All
dimensions are closed, since propagation would decide about open ones.
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
"""The axes of each dimension, from major to minor. An axis that begins with ``LATER`` gives its dimension a later user
priority."""

LATER = "+"

Key = tuple[str, int]
"""``("argument", 3)`` or ``("result", 0)``: an argument or a result of the program."""


def key_of(slot: object) -> Key:
    """The key of a sharding slot of the main function: an argument or a result."""
    if isinstance(slot, FunctionResult):
        return "result", slot.number
    assert isinstance(slot, BlockArgument)
    return "argument", slot.index


class BoundarySpecs(NamedTuple):
    """The specs of arguments and of results by their numbers in the program."""

    arguments: Mapping[int, Spec]
    results: Mapping[int, Spec]


class InnerSharding(NamedTuple):
    """Result ``result`` of every operation of ``group`` has the sharding ``spec``."""

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
    """The axes in ``spec``, without the mark of storage axes."""
    return [axis.removeprefix(LATER) for axes in spec for axis in axes]


def without_axes(spec: Spec, axes: Collection[str]) -> Spec:
    """``spec`` with none of ``axes``."""
    return tuple(tuple(one for one in listed if one.removeprefix(LATER) not in axes) for listed in spec)


def divides(size: int, axes: Iterable[str], sizes: Mapping[str, int]) -> bool:
    """Whether ``size`` is divisible by the product of the sizes of ``axes``."""
    return size % prod(sizes[axis.removeprefix(LATER)] for axis in axes) == 0


def is_consistent(spec: Spec) -> bool:
    """Whether no axis occurs twice."""
    axes = plain_axes(spec)
    return len(set(axes)) == len(axes)
