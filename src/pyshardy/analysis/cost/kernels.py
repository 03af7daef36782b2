"""The time of an operation on a chip: matrix products in tiles, vector units, memory, and the launch of a kernel.

A product is computed in tiles of the matrix units. Dimensions are padded to these; tiles are distributed over the units
in waves, of which the last may leave units idle, and if there are fewer tiles than units the contracted dimension is
split among them. The tiles that the first product reads are loaded before it. All else runs on vector units, functions
like exponentials on units of their own beside these. An operation takes as long as the slowest of these, or as its
bytes at the bandwidth of memory; a kernel that touches memory has to be launched (``fusion`` says which operations
share one).

Sources: NVIDIA, "Matrix Multiplication Background User's Guide", on quantisation by tiles and waves; "How to Scale Your
Model", chapter TPUs, on systolic arrays and vector units.
"""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.analysis.cost.flops import Product
from pyshardy.analysis.cost.hardware import Chip, MatrixUnits
from pyshardy.analysis.cost.operations import Work
from pyshardy.ir.types import Type, element_width


class KernelTime(NamedTuple):
    """The seconds of an operation: of its arithmetic, of its bytes, what it takes besides (launch, first tiles); and of
    its arithmetic at the peak of the chip."""

    compute_seconds: float
    memory_seconds: float
    overhead: float
    ideal_seconds: float


def kernel_time(work: Work, chip: Chip, *, launched: bool = True) -> KernelTime:
    """How long ``work`` takes on ``chip``, in a kernel that is ``launched`` for it or in that of others."""
    memory_seconds = work.bytes / chip.bandwidth
    overhead = chip.launch if work.bytes and launched else 0.0
    if work.element is None or not work.flops:
        return KernelTime(0.0, memory_seconds, overhead, 0.0)
    ideal_seconds = work.flops / chip.peak(work.element)[0]
    if work.product is not None:
        compute_seconds, first = ideal_seconds, 0.0
        if chip.matrix is not None and min(work.product) > 0:
            compute_seconds = ideal_seconds / efficiency(work.product, chip.matrix)
            first = _first_tiles(work.product, chip.matrix, work.element)
        if work.convolves:
            compute_seconds /= chip.convolution
        return KernelTime(
            compute_seconds, memory_seconds, overhead + min(first / chip.bandwidth, memory_seconds), ideal_seconds
        )
    compute_seconds = work.flops / chip.elementwise_peak(work.element)
    if work.transcendentals and chip.vector is not None and chip.vector.transcendentals is not None:
        compute_seconds = max(compute_seconds, work.transcendentals / chip.vector.transcendentals)
    return KernelTime(compute_seconds, memory_seconds, overhead, ideal_seconds)


def efficiency(product: Product, matrix: MatrixUnits) -> float:
    """Which part of the time the matrix units do what is asked, with whichever operand on the left: 1 if all of them
    always do."""
    turned = Product(product.batch, product.columns, product.inner, product.rows)
    return max(_efficiency(product, matrix), _efficiency(turned, matrix))


def _efficiency(product: Product, matrix: MatrixUnits) -> float:
    rows, inner, columns = (_tiles(size, tile) for size, tile in zip(product[1:], matrix.tile, strict=True))
    padded = rows * inner * columns * matrix.tile[0] * matrix.tile[1] * matrix.tile[2]
    full = product.rows * product.inner * product.columns / padded
    tiles = product.batch * rows * columns
    if tiles >= matrix.units:
        return full * tiles / (_tiles(tiles, matrix.units) * matrix.units)
    parts = min(inner, matrix.units // tiles)
    # A part of the contracted dimension that is longer than others is waited for.
    return full * tiles * parts / matrix.units * inner / (_tiles(inner, parts) * parts)


def _first_tiles(product: Product, matrix: MatrixUnits, element: Type) -> float:
    """The bytes that all units wait for before they can begin."""
    rows, inner, columns = (min(size, tile) for size, tile in zip(product[1:], matrix.tile, strict=True))
    busy = min(matrix.units, product.batch * _tiles(product.rows, rows) * _tiles(product.columns, columns))
    return busy * (rows + columns) * inner * element_width(element) / 8


def _tiles(size: int, tile: int) -> int:
    return -(-size // tile)
