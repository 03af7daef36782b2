"""How many shards dimensions have, and the types that follow: with a mesh of several devices, and without one."""

from __future__ import annotations

import pytest

from pyshardy.ir.types import F32, TensorType
from pyshardy.passes.partitioning.legalization import NotConvertible
from pyshardy.passes.partitioning.shard_sizes import local_type, padded_type, rounded_up, shard_counts
from pyshardy.sharding.mesh import Mesh, MeshAxis
from pyshardy.sharding.tensor import DimSharding, TensorSharding

MESH = Mesh([MeshAxis("p", 2), MeshAxis("q", 3)])
MAXIMAL = Mesh([], [5])
SHARDING = TensorSharding("m", [DimSharding(["p", "q"]), DimSharding([])])


def test_dimensions_have_as_many_shards_as_their_axes_make() -> None:
    assert shard_counts(SHARDING, MESH, 2) == (6, 1)


@pytest.mark.parametrize(
    ("sharding", "mesh"), [(None, MESH), (SHARDING, None), (TensorSharding("m", []), MAXIMAL), (None, None)]
)
def test_without_a_mesh_of_several_devices_all_is_whole(sharding: TensorSharding | None, mesh: Mesh | None) -> None:
    assert shard_counts(sharding, mesh, 2) == (1, 1)
    type = TensorType((7, 5), F32)
    assert padded_type(type, sharding, mesh) is type
    assert local_type(type, sharding, mesh) is type


def test_what_does_not_divide_is_rounded_up_and_has_no_local_type() -> None:
    type = TensorType((7, 5), F32)
    padded = padded_type(type, SHARDING, MESH)
    assert padded is TensorType((12, 5), F32)
    assert local_type(padded, SHARDING, MESH) is TensorType((2, 5), F32)
    with pytest.raises(NotConvertible, match="non-divisible"):
        local_type(type, SHARDING, MESH)


def test_dynamic_sizes_stay() -> None:
    assert rounded_up(-1, 6) == -1
    type = TensorType((-1, 5), F32)
    assert padded_type(type, SHARDING, MESH) is type
    assert local_type(type, SHARDING, MESH) is type
