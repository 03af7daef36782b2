"""Which device of a mesh holds which slice of a tensor: the geometry behind every picture of a sharding.

``mesh_grid`` draws it in a terminal, ``plots`` as a picture. It uses ``sharding`` only, and works for any tensor, with
or without devices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from pyshardy.emitting.coordinates import digits
from pyshardy.sharding.axes import AxisRef, shard_count
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


@dataclass(frozen=True)
class Tile:
    """The part of one device: ``slices`` are begin and end in each dimension of the whole tensor, without padding;
    devices with the same ``number`` hold the same slice. ``padding`` is the number of elements of each dimension of the
    shard that are padding, ``is_empty`` whether all of it is."""

    device: int
    slices: tuple[tuple[int, int], ...]
    number: int
    padding: tuple[int, ...]

    @property
    def is_padded(self) -> bool:
        """Whether some of it is padding."""
        return any(self.padding)

    @property
    def is_empty(self) -> bool:
        """Whether all of it is padding."""
        return any(begin == end and missing for (begin, end), missing in zip(self.slices, self.padding, strict=True))


class MeshTiles:
    """The tiles of a tensor of ``shape`` on ``mesh``; without a ``sharding``, or with one of another rank, each device
    has all of it. Sizes below 0, of dynamic dimensions, are not divided.

    >>> from pyshardy.sharding.tensor import DimSharding
    >>> tiles = MeshTiles(Mesh({"x": 4, "y": 2}), (6,), TensorSharding("mesh", [DimSharding(["x"])]))
    >>> tiles.tile(7)
    Tile(device=7, slices=((6, 6),), number=3, padding=(2,))
    >>> tiles.count, tiles.replicas
    (4, 2)
    """

    def __init__(self, mesh: Mesh, shape: Sequence[int], sharding: TensorSharding | None) -> None:
        self.mesh = mesh
        self.shape = tuple(shape)
        known = sharding is not None and sharding.rank == len(self.shape) and not mesh.is_maximal
        axes: list[tuple[AxisRef, ...]] = [dim.axes for dim in sharding.dims] if known and sharding is not None else []
        self.axes = axes or [() for _ in self.shape]
        self.counts = tuple(shard_count(one, mesh) for one in self.axes)
        self._digits = [digits(mesh, one) for one in self.axes]
        self.local_shape = tuple(
            size if size < 0 else -(-size // count) for size, count in zip(self.shape, self.counts, strict=True)
        )

    @property
    def count(self) -> int:
        """How many different slices there are."""
        return prod(self.counts)

    @property
    def replicas(self) -> int:
        """How many devices hold the same slice."""
        return max(1, self.mesh.total_size // self.count)

    @property
    def replicated_axes(self) -> list[str]:
        """The names of the axes along which the tensor is replicated."""
        used = {axis.name for dim in self.axes for axis in dim}
        return [axis.name for axis in self.mesh.axes if axis.name not in used and axis.size > 1]

    def device(self, position: int) -> int:
        """The device at ``position`` of the mesh, row by row."""
        return self.mesh.device_ids[position] if self.mesh.device_ids else position

    def tile(self, position: int) -> Tile:
        """The tile of the device at ``position`` of the mesh, row by row."""
        number = 0
        slices, padding = [], []
        for size, local, count, parts in zip(self.shape, self.local_shape, self.counts, self._digits, strict=True):
            index = 0
            for stride, radix in parts:
                index = index * radix + position // stride % radix
            number = number * count + index
            begin, end = min(index * local, size), min((index + 1) * local, size)
            slices.append((begin, end) if size >= 0 else (0, size))
            padding.append(local - (end - begin) if size >= 0 else 0)
        return Tile(self.device(position), tuple(slices), number, tuple(padding))

    def slice_text(self, tile: Tile) -> str:
        """``[0:16, :]``: a colon is a dimension that is not split."""
        if not self.shape:
            return "the scalar"
        if tile.is_empty:
            return "only padding"
        shown = [
            ":" if count == 1 else f"{begin}:{end}"
            for count, (begin, end) in zip(self.counts, tile.slices, strict=True)
        ]
        return f"[{', '.join(shown)}]"
