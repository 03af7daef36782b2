"""GSPMD shardings and their counterparts on a mesh: every device holds the same tile."""

from __future__ import annotations

import random
from itertools import product
from math import prod

import pytest
from jaxlib import xla_client

from pyshardy.reading.gspmd.device_digits import tile_devices
from pyshardy.reading.gspmd.mesh_choice import Meshes, MeshSharding
from pyshardy.reading.gspmd.sharding_bytes import parse_bytes
from pyshardy.reading.gspmd.sharding_text import parse_gspmd
from pyshardy.reading.gspmd.sharding_tokens import BadSharding
from pyshardy.sharding.axes import axes_text
from pyshardy.sharding.mesh import Mesh


def tiles_of(text: str) -> dict[int, tuple[int, ...]]:
    """Device → its tile, as XLA counts them; subgroups do not matter."""
    sharding = parse_gspmd(text)
    given = xla_client.HloSharding.from_string(text)
    if given.is_replicated():
        return dict.fromkeys(range(prod(sharding.tiles)), (0,) * sharding.rank)
    devices = given.tile_assignment_devices()
    tiles = product(*map(range, sharding.tiles))
    return {device: tile[: sharding.rank] for device, tile in zip(devices, tiles, strict=True)}


def placed_tiles(placed: MeshSharding, mesh: Mesh) -> dict[int, tuple[int, ...]]:
    """Device → its tile, by the axes of ``mesh``."""
    found: dict[int, tuple[int, ...]] = {}
    for coordinates in product(*(range(axis.size) for axis in mesh.axes)):
        at = dict(zip((axis.name for axis in mesh.axes), coordinates, strict=True))
        position = 0
        for axis in mesh.axes:
            position = position * axis.size + at[axis.name]
        tile = []
        for axes in placed.dims:
            index = 0
            for axis_ref in axes:
                size = axis_ref.size(mesh)
                minor = mesh.sizes[axis_ref.name] // axis_ref.end(mesh)
                index = index * size + at[axis_ref.name] // minor % size
            tile.append(index)
        found[mesh.device_ids[position] if mesh.device_ids else position] = tuple(tile)
    return found


def texts_on_one_mesh(*texts: str) -> list[str]:
    """The axes of each sharding, after the mesh that serves all."""
    meshes = Meshes([parse_gspmd(text) for text in texts], 1)
    shown = [f"{name} {mesh.body_text}" for name, mesh in meshes.named.items()]
    for text in texts:
        placed = meshes.placed(parse_gspmd(text))
        assert placed_tiles(placed, meshes.named[placed.mesh_name]) == tiles_of(text)
        shown.append(" ".join(axes_text(axes) for axes in placed.dims))
    return shown


def test_a_plain_iota_has_named_axes() -> None:
    assert texts_on_one_mesh("{devices=[4,2]<=[8]}", "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}") == [
        'mesh <["axis_0"=4, "axis_1"=2]>',
        '{"axis_0"} {"axis_1"}',
        '{"axis_1"} {}',
    ]


def test_a_finer_cut_splits_an_axis_of_the_mesh() -> None:
    assert texts_on_one_mesh("{devices=[8,1]<=[8]}", "{devices=[2,4]<=[8]}") == [
        'mesh <["axis_0"=2, "axis_1"=4]>',
        '{"axis_0", "axis_1"} {}',
        '{"axis_0"} {"axis_1"}',
    ]


def test_cuts_that_do_not_fit_together_are_sub_axes() -> None:
    assert texts_on_one_mesh("{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}") == [
        'mesh <["axis_0"=6]>',
        '{"axis_0":(1)2} {"axis_0":(2)3}',
        '{"axis_0":(1)3} {"axis_0":(3)2}',
    ]


def test_a_list_in_the_order_of_an_iota_needs_no_device_ids() -> None:
    assert texts_on_one_mesh("{devices=[2,2]0,2,1,3}", "{devices=[4]0,1,2,3}") == [
        'mesh <["axis_0"=2, "axis_1"=2]>',
        '{"axis_1"} {"axis_0"}',
        '{"axis_0", "axis_1"}',
    ]


def test_the_order_of_devices_that_hold_the_same_does_not_matter() -> None:
    assert texts_on_one_mesh("{devices=[2,2]1,0,3,2 last_tile_dim_replicate}") == [
        'mesh <["axis_0"=2, "axis_1"=2]>',
        '{"axis_0"}',
    ]


def test_another_order_is_one_of_device_ids() -> None:
    assert texts_on_one_mesh("{devices=[2,2]0,3,1,2}", "{devices=[2,2]0,1,3,2}", "{devices=[4]0,3,1,2}") == [
        'mesh <["axis_0"=2, "axis_1"=2], device_ids=[0, 3, 1, 2]>',
        '{"axis_0"} {"axis_1"}',
        '{"axis_1"} {"axis_0"}',
        '{"axis_0", "axis_1"}',
    ]


def test_two_orders_are_two_meshes() -> None:
    assert texts_on_one_mesh("{devices=[2,2]0,3,1,2}", "{devices=[4,1]<=[4]}") == [
        'mesh <["axis_0"=4]>',
        'mesh_1 <["axis_0"=2, "axis_1"=2], device_ids=[0, 3, 1, 2]>',
        '{"axis_0"} {"axis_1"}',
        '{"axis_0"} {}',
    ]


@pytest.mark.parametrize("seed", range(60))
def test_any_shardings_of_one_program_keep_every_tile_where_it_is(seed: int) -> None:
    rng = random.Random(seed)
    total = rng.choice([2, 4, 6, 8, 12, 16, 24])
    texts = [_random_text(rng, total) for _ in range(rng.randint(1, 4))]
    texts_on_one_mesh(*texts)


def _random_text(rng: random.Random, total: int) -> str:
    tiles = _random_factors(rng, total)
    ending = " last_tile_dim_replicate" if rng.random() < 0.4 else ""
    if rng.random() < 0.6:
        shape = _random_factors(rng, total)
        permutation = rng.sample(range(len(shape)), len(shape))
        order = f"T({','.join(map(str, permutation))})" if len(shape) > 1 else ""
        return f"{{devices={_list(tiles)}<={_list(shape)}{order}{ending}}}"
    devices = rng.sample(range(total), total)
    if rng.random() < 0.5:
        devices = tile_devices(parse_gspmd(_random_iota(rng, total)))
    return f"{{devices={_list(tiles)}{','.join(map(str, devices))}{ending}}}"


def _random_iota(rng: random.Random, total: int) -> str:
    shape = _random_factors(rng, total)
    permutation = rng.sample(range(len(shape)), len(shape))
    return f"{{devices=[{total}]<={_list(shape)}T({','.join(map(str, permutation))})}}"


def _random_factors(rng: random.Random, total: int) -> list[int]:
    factors: list[int] = []
    while prod(factors) < total:
        rest = total // prod(factors)
        factors.append(rng.choice([one for one in range(2, rest + 1) if rest % one == 0]))
    if rng.random() < 0.3:
        factors.insert(rng.randint(0, len(factors)), 1)
    return factors


def _list(numbers: list[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"


def test_an_order_of_very_many_devices_is_not_listed() -> None:
    sharding = parse_gspmd("{devices=[3000000000,2]<=[2,3000000000]T(1,0)}")
    assert Meshes([sharding], 1).named["mesh"].body_text == '<["axis_0"=2, "axis_1"=3000000000]>'
    with pytest.raises(BadSharding, match="in an order that has to be written one by one"):
        Meshes([parse_gspmd("{devices=[3,2000000000]<=[2,3000000000]T(0,1)}")], 1)


def test_one_row_in_another_order_is_an_order_of_its_own() -> None:
    assert texts_on_one_mesh("{devices=[2,4]0,1,2,3,4,5,7,6}") == [
        'mesh <["axis_0"=2, "axis_1"=4], device_ids=[0, 1, 2, 3, 4, 5, 7, 6]>',
        '{"axis_0"} {"axis_1"}',
    ]


# --- text and bytes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "{replicated}",
        "{manual}",
        "{maximal device=3}",
        "{devices=[2,2,2]<=[4,2]T(1,0) last_tile_dims={manual, replicated}}",
        "{devices=[2,2]0,3,1,2 last_tile_dim_replicate}",
        "{{devices=[4,2]<=[8]}, {replicated}, {maximal device=1}}",
        '{devices=[2,1]<=[2] metadata={op_name="a}b"}}',
    ],
)
def test_the_bytes_of_a_sharding_say_what_its_text_says(text: str) -> None:
    proto = xla_client.HloSharding.from_string(text).to_proto().SerializeToString()
    assert parse_bytes(proto.decode("utf-8", "surrogateescape")) == parse_gspmd(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{devices=[2,2]<=[8]}", "its 4 tiles are not the devices on the right of '<='"),
        ("{devices=[2,2]0,1,2,2}", "the devices of [2, 2] are 0 to 3, each once"),
        ("{devices=[2]<=[2]", "it ends too early"),
        ("{devices=[2]<=[2]} x", "'x' stands behind its end"),
        ("{striped}", "'striped' is no kind of sharding that pyshardy knows"),
        ("{devices=[2,2]<=[4] last_tile_dims={odd}}", "devices that are 'odd' have no counterpart"),
        ("{devices=[x]<=[4]}", "a number is expected in place of 'x'"),
        ("{devices=[4]<=[4]T(1)}", "its 4 tiles are not the devices on the right of '<='"),
        ("{devices=[4]@<=[4]}", "'@' has no meaning in a sharding"),
        ("{devices=[1000000000000]0,1}", "the devices of [1000000000000] are 0 to 999999999999, each once"),
        ("{" * 5000, "its tuples are nested too deeply"),
    ],
)
def test_what_is_no_sharding_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadSharding) as error:
        parse_gspmd(text)
    assert str(error.value) == why
