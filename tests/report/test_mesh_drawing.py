"""A tensor drawn on its mesh: who holds what, what is padding, what is left out."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.report.mesh_drawing import TensorDrawing, drawings, print_drawing
from pyshardy.report.mesh_grid import Cell, colour, print_grid
from pyshardy.report.mesh_tiles import MeshTiles
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding

PROGRAM = """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<15x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
                %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<15x4xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<15x8xf32>, tensor<8x4xf32>) -> tensor<15x4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}]> : tensor<15x4xf32>
  return %1 : tensor<15x4xf32>
}"""

RESHARD = """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<14x8xf32>) -> tensor<14x8xf32> {
  %t = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : tensor<14x8xf32>
  %0 = sdy.sharding_constraint %t <@mesh, [{}, {"y"}]> : tensor<14x8xf32>
  return %0 : tensor<14x8xf32>
}"""


def drawn(text: str, what: str, *, everything: bool = False) -> str:
    out = StringIO()
    for one in drawings(Explainer(parse(text)), what):
        print_drawing(one, out, everything=everything)
    return out.getvalue()


def test_each_device_has_its_slice_and_padding_is_marked() -> None:
    shown = drawn(PROGRAM, "%0")
    assert "before" not in shown and "░" not in shown
    resharded = drawn(RESHARD, "%1")
    assert "on a device tensor<14x2xf32>, 112 B of 448 B; 4 slices, each on 2 devices along x" in resharded
    before = resharded[resharded.index("before: ") : resharded.index("after: ")]
    assert "12 in 4" not in before and "[12:14, 0:4]" in before and "│ 3 ░ " in before and "│ 2   " in before


def test_a_collective_shows_its_groups() -> None:
    shown = drawn(PROGRAM, "all_reduce:0")
    assert 'all_reduce:0 along {"x"}' in shown and "4 groups of 2 devices" in shown
    rows = [line for line in shown.splitlines() if "group" in line and "│" in line]
    assert rows[0].split() == rows[1].split()
    assert [word for word in rows[0].split() if word.isdecimal()] == ["0", "1", "2", "3"]


def test_a_name_cannot_steer_the_terminal() -> None:
    hostile = "\\1B[2J<script>\\E2\\80\\AE" + "x" * 10_000
    argument = '{sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}'
    shown = drawn(PROGRAM.replace(argument, f'{argument} loc("{hostile}")', 1), "%arg0")
    first = shown.splitlines()[0]
    assert "\x1b" not in shown and "\u202e" not in shown and len(first) < 400
    assert first.startswith("\\x1b[2J<script>\\u202e")


def test_the_slices_are_those_of_the_devices() -> None:
    generator = np.random.default_rng(0)
    for _ in range(200):
        sizes = [int(one) for one in generator.integers(1, 5, 3)]
        mesh = Mesh(dict(zip("abc", sizes, strict=True)), ())
        names = list(generator.permutation(list("abc")))
        cut = int(generator.integers(0, 4))
        dims = [
            DimSharding([AxisRef(str(one)) for one in names[:cut]], True),
            DimSharding(map(AxisRef, names[cut:]), True),
        ]
        shape = tuple(int(one) for one in generator.integers(1, 9, 2))
        tiles = MeshTiles(mesh, shape, TensorSharding("m", dims))
        place = np.indices(sizes).reshape(3, -1)
        for position in range(mesh.total_size):
            tile = tiles.tile(position)
            for dim, (size, axes) in enumerate(zip(shape, (names[:cut], names[cut:]), strict=True)):
                index = 0
                for name in axes:
                    index = index * mesh.sizes[name] + int(place["abc".index(name), position])
                local = tiles.local_shape[dim]
                begin, end = tile.slices[dim]
                assert list(range(begin, end)) == list(range(size))[index * local : (index + 1) * local]
                assert end - begin + tile.padding[dim] == local


def test_sub_axes_cut_an_axis() -> None:
    tiles = MeshTiles(Mesh({"x": 8}), (8,), TensorSharding("m", [DimSharding([AxisRef("x", 2, 2)], True)]))
    assert [tiles.tile(one).slices[0] for one in range(8)] == [(0, 4), (0, 4), (4, 8), (4, 8)] * 2
    assert tiles.replicas == 4 and tiles.replicated_axes == []


def test_device_ids_name_the_devices() -> None:
    tiles = MeshTiles(Mesh({"x": 2}, [1, 0]), (4,), TensorSharding("m", [DimSharding(["x"])]))
    assert [(tiles.tile(one).device, tiles.tile(one).slices[0][0]) for one in range(2)] == [(1, 0), (0, 2)]


def grid(mesh: dict[str, int], *, everything: bool = False, width: int = 80) -> tuple[str, int]:
    from rich.console import Console

    out = StringIO()
    console = Console(file=out, width=width, no_color=True, highlight=False)
    left = print_grid(Mesh(mesh), lambda one: Cell((str(one),), one % 8), console, everything=everything)
    return out.getvalue(), left


@pytest.mark.parametrize("mesh", [{}, {"a": 1}, {"a": 7}, {"a": 2, "b": 3}, {"a": 2, "b": 3, "c": 4}, {"a": 97}])
def test_every_device_of_a_small_mesh_is_drawn_once(mesh: dict[str, int]) -> None:
    shown, left = grid(mesh, everything=True)
    numbers = [
        int(word)
        for line in shown.splitlines()
        if "│" in line
        for word in line.split("│")[1:]
        if word.strip().isdecimal()
    ]
    assert sorted(numbers) == list(range(Mesh(mesh).total_size)) and left == 0


def test_of_thousands_of_devices_the_rest_is_counted() -> None:
    shown, left = grid({"a": 8, "b": 64, "c": 32})
    cells = sum(word.strip().isdecimal() for line in shown.splitlines() for word in line.split("│")[1:])
    assert cells and cells + left == 8 * 64 * 32 and len(shown.splitlines()) < 100
    assert max(map(len, shown.splitlines())) <= 80


def test_an_axis_that_is_too_long_goes_on_below() -> None:
    shown, left = grid({"fsdp": 64}, width=60)
    assert left == 0 and "fsdp=0…" in shown and max(map(len, shown.splitlines())) <= 60


def test_replicas_have_one_colour_and_others_do_not() -> None:
    assert len({colour(one) for one in range(64)}) == 64
    (drawing,) = drawings(Explainer(parse(PROGRAM)), "%arg1")
    assert isinstance(drawing, TensorDrawing)
    assert [drawing.tiles.tile(one).number for one in range(8)] == [0] * 4 + [1] * 4
