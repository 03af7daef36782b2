"""Descriptions of hardware: the compute rates and the memory of one chip, and the links between chips.

Immutable values, which ``hardware_files`` reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import NamedTuple

from pyshardy.ir.types import ComplexType, FloatType, IntegerType, Type, element_width

SWITCHED, FULL, TORUS, RING, LINE = TOPOLOGIES = ("switched", "full", "torus", "ring", "line")
"""What a level of links looks like: any device to any other through a switch, a link for each pair, rings in one or
several dimensions, one ring, one line."""


WRITTEN, FUSED = ATTENTION = ("written", "fused")
"""How attention runs: as the program writes it, or as one kernel that keeps scores on the chip."""


class MatrixUnits(NamedTuple):
    """What multiplies matrices: ``units`` of them, each a ``tile`` at a time: rows of the left operand, elements of the
    contracted dimension, columns of the right operand."""

    tile: tuple[int, int, int]
    units: int = 1


class VectorUnits(NamedTuple):
    """What works element by element: operations a second by type of the elements, and exponentials and the like a
    second."""

    flops: Mapping[str, float]
    transcendentals: float | None = None


@dataclass(frozen=True)
class Chip:
    """One device: floating point operations a second by type of the elements, bytes of memory by its data sheet, bytes
    a second between it and the chip, and the bytes that are ``usable`` for a program, None where nobody says. A key of
    ``flops`` is a type as MLIR spells it, or ``f8`` for all floats of eight bits.

    ``matrix`` and ``vector`` say how products and elementwise operations fall short of that, ``launch`` what each
    kernel takes besides, in seconds; convolutions reach the part ``convolution`` of the rate of products. ``attention``
    is one of ``ATTENTION``. Tensors lie in memory in tiles of ``layout``, rows and columns, which are filled up.
    """

    flops: Mapping[str, float]
    memory: float
    bandwidth: float
    usable: float | None = None
    matrix: MatrixUnits | None = None
    vector: VectorUnits | None = None
    launch: float = 0.0
    attention: str = WRITTEN
    convolution: float = 1.0
    layout: tuple[int, int] | None = None

    @property
    def capacity(self) -> float:
        """The bytes that a program can use, as far as is known."""
        return self.memory if self.usable is None else self.usable

    def peak(self, element: Type) -> tuple[float, str]:
        """Operations a second on ``element``, and the key that says so: those of matrix products.

        A type without a figure takes that of the same width and kind, else of the narrowest wider type (a chip can
        always compute in that), else of the widest narrower one divided by how often that fits in; a complex number
        takes that of its parts, an integer that of floats where there are none of integers.
        """
        name = str(element)
        found = self._peaks.get(name)
        if found is None:
            found = self._peaks[name] = _rate(self.flops, element)
        return found

    def elementwise_peak(self, element: Type) -> float:
        """Operations a second on ``element`` of what is no matrix product."""
        if self.vector is None:
            return self.peak(element)[0]
        name = str(element)
        found = self._vector_peaks.get(name)
        if found is None:
            found = self._vector_peaks[name] = _rate(self.vector.flops, element)
        return found[0]

    @cached_property
    def _peaks(self) -> dict[str, tuple[float, str]]:
        """What ``peak`` has said, by the text of the type."""
        return {}

    @cached_property
    def _vector_peaks(self) -> dict[str, tuple[float, str]]:
        """What ``elementwise_peak`` has found of vector units, by the text of the type."""
        return {}

    def states(self, element: Type) -> bool:
        """Whether there is a figure for ``element``, or for one of its width and kind."""
        if isinstance(element, ComplexType):
            element = element.element
        _, key = self.peak(element)
        same_kind = _is_float(key) == isinstance(element, FloatType)
        return same_kind and _width(key) == max(element_width(element), 1)


def _rate(flops: Mapping[str, float], element: Type) -> tuple[float, str]:
    """What ``Chip.peak`` says, of the rates ``flops``."""
    if isinstance(element, ComplexType):
        element = element.element
    name = str(element)
    if name in flops:
        return flops[name], name
    width = max(element_width(element), 1)
    is_float = isinstance(element, FloatType)
    ranked = [(_width(key), key) for key in flops if _is_float(key) == is_float]
    ranked = sorted(ranked or [(_width(key), key) for key in flops])
    wide = next(((size, key) for size, key in ranked if size >= width), None)
    if wide is not None:
        return flops[wide[1]], wide[1]
    size, key = ranked[-1]
    return flops[key] * size / width, key


def _width(key: str) -> int:
    if key == "f8":
        return 8
    return IntegerType(int(key.lstrip("usi"))).width if not _is_float(key) else FloatType(key).width


def _is_float(key: str) -> bool:
    return key.startswith(("f", "bf", "tf"))


@dataclass(frozen=True)
class Links:
    """One level of links, which joins ``devices`` devices, or groups that the inner levels join; None for any number.

    ``bandwidth`` is in bytes a second and one direction: of a device in a switched level, of one link otherwise.
    ``latency`` is that of a hop, ``start`` what every collective takes that goes here, in seconds. ``dimensions`` are
    the largest sizes of a torus; a dimension goes round where its size is a multiple of ``wraps_at`` (0: never).
    ``slice`` is the torus that is really there, where a file says so. With ``reduces`` the switch adds up. ``measured``
    has the bandwidth and the latency of kinds of collectives that were measured by themselves.
    """

    name: str
    topology: str
    bandwidth: float
    latency: float
    start: float = 0.0
    devices: int | None = None
    dimensions: tuple[int, ...] = ()
    wraps_at: int = 0
    slice: tuple[int, ...] | None = None
    reduces: bool = False
    measured: tuple[tuple[str, float, float], ...] = ()

    def of_kind(self, kind: str) -> Links:
        """These links as collectives of ``kind`` find them."""
        for name, bandwidth, latency in self.measured:
            if name == kind:
                return replace(self, bandwidth=bandwidth, latency=latency, measured=())
        return self

    @property
    def is_torus(self) -> bool:
        """Whether devices reach others by hops along dimensions."""
        return self.topology in (TORUS, RING, LINE)

    @property
    def capacity(self) -> int | None:
        """How many devices it joins at most; None if there is no limit."""
        if self.is_torus:
            return prod(self.slice or self.dimensions)
        return self.devices

    def wraps(self, size: int) -> bool:
        """Whether a dimension of ``size`` goes round; two neighbours have one link in any case."""
        return size > 2 and self.wraps_at > 0 and size % self.wraps_at == 0


@dataclass(frozen=True)
class Figure:
    """A number of a hardware file: where it stands there, and the public source and date that it has."""

    key: str
    value: float
    source: str
    date: str


@dataclass(frozen=True, repr=False)
class Hardware:
    """A chip, and the levels of links between chips, the innermost first. ``axes`` says of axes of a mesh on which
    levels they lie (``"ICI"``, or ``"ICI.0"`` for one dimension of a torus), where their order does not. Without
    ``overlap`` collectives wait for computation, and computation for them."""

    name: str
    chip: Chip
    links: tuple[Links, ...]
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    overlap: bool = True

    def __repr__(self) -> str:
        most = max(self.chip.flops.items(), key=lambda one: one[1])
        links = ", ".join(f"{one.name} ({one.topology}, {one.bandwidth / 1e9:g} GB/s)" for one in self.links)
        return (
            f"<Hardware {self.name}: {most[1] / 1e12:g} TFLOP/s of {most[0]}, {self.chip.memory / 1e9:g} GB at "
            f"{self.chip.bandwidth / 1e9:g} GB/s; {links or 'no links'}>"
        )
