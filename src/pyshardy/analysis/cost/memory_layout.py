"""The layout of values in the memory of a chip: as they are written, or in padded tiles.

A chip whose matrix units read tiles of rows and columns keeps tensors in such tiles: the last dimension is padded to
the columns, the one before to the rows (a smaller one to a power of two). Arguments and results are stored in the order
of their dimensions. For other values a compiler chooses which two dimensions are the last: the pair that needs least
memory is taken.

Source: OpenXLA, "Tiled layout" (openxla.org/xla/tiled_layout); Google, "Cloud TPU performance guide", padding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import permutations

from pyshardy.analysis.cost.attention import AttentionFinder
from pyshardy.analysis.cost.hardware import Chip
from pyshardy.analysis.cost.step import Step
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType, TupleType, Type
from pyshardy.partitioning.account.fusion import fused_values, fused_values_without_library
from pyshardy.partitioning.account.memory_model import MemoryModel, type_bytes

_FusedOf = Callable[[Sequence[Operation]], set[Value]]


def memory_model(module: Operation, chip: Chip, step: Step) -> MemoryModel:
    """How values of ``module``, a run of which is ``step``, stand in the memory of ``chip``: in its tiles, or else with
    copies of what products read in another order, and fused as on XLA's CPU backend, but for what its library alone
    fuses; without the scores of attention that is one kernel."""
    bytes_of: Callable[[Type], int] = type_bytes
    boundary_bytes_of = bytes_of
    if chip.layout is not None:
        bytes_of = partial(least_tiled_bytes, tile=chip.layout)
        boundary_bytes_of = partial(tiled_bytes, tile=chip.layout)
    fused_of: _FusedOf = fused_values_without_library
    if chip.layout is not None:
        fused_of = fused_values if step.fused_across_calls is None else step.fused_across_calls.of_operations
    if step.attentions:
        fused_of = _without_scores(module, fused_of)
    return MemoryModel(bytes_of, boundary_bytes_of, fused_of, copies_operands=chip.layout is None)


def _without_scores(module: Operation, fused_of: _FusedOf) -> _FusedOf:
    attention = AttentionFinder(functions_by_name(module))
    return lambda operations: fused_of(operations) | attention.find(operations).scores


@lru_cache(maxsize=1 << 14)
def tiled_bytes(type: Type, tile: tuple[int, int]) -> int:
    """Bytes of a value of ``type`` that lies in tiles of rows and columns, its last dimensions along them."""
    size = type_bytes(type)
    if isinstance(type, TupleType):
        return sum(tiled_bytes(one, tile) for one in type.elements)
    if not size or not isinstance(type, TensorType) or not type.shape:
        return size
    *_, rows, columns = (1, *type.shape)
    return _filled_up(size, rows, columns, tile)


@lru_cache(maxsize=1 << 14)
def least_tiled_bytes(type: Type, tile: tuple[int, int]) -> int:
    """Bytes of a value of ``type`` in tiles if the two dimensions along them are those that take the fewest bytes."""
    if isinstance(type, TupleType):
        return sum(least_tiled_bytes(one, tile) for one in type.elements)
    size = type_bytes(type)
    if not size or not isinstance(type, TensorType) or len(type.shape) < 2:
        return tiled_bytes(type, tile)
    return min(_filled_up(size, rows, columns, tile) for rows, columns in permutations(type.shape, 2))


def _filled_up(size: int, rows: int, columns: int, tile: tuple[int, int]) -> int:
    """``size`` bytes if ``rows`` and ``columns`` of them are filled up to tiles."""
    most, wide = tile
    filled = min(1 << (rows - 1).bit_length(), most) if rows < most else -(-rows // most) * most
    return -(-size * filled * (-(-columns // wide) * wide) // (rows * columns))
