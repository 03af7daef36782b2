"""The pass on programs: what becomes of axes over which a value is a sum, of barriers, and of meshes."""

from __future__ import annotations

from random import Random

import pytest

import pyshardy
from pyshardy.ir.operation import Operation
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding
from tests.passes.running import body_after
from tests.resharding.collectives.checking import function_is_right
from tests.resharding.collectives.layouts import random_layout

_PASS = "func.func(sdy-reshard-to-collectives)"
_OPTIMAL = "func.func(sdy-reshard-to-collectives{reshard-strategy=optimal})"
_MESH = Mesh({"a": 2, "b": 2, "c": 2})


def _program(source: str, target: str, type: str = "tensor<16x16xf32>") -> str:
    return (
        f"sdy.mesh @m = {_MESH.body_text}\n"
        f'sdy.mesh @n = <["a"=2, "b"=2, "c"=2], device_ids=[1, 0, 2, 3, 4, 5, 6, 7]>\n'
        f'sdy.mesh @same = <["a"=2, "b"=2, "c"=2]>\n'
        f"sdy.mesh @first = <[], device_ids=[0]>\nsdy.mesh @second = <[], device_ids=[1]>\n"
        f"func.func @main(%x: {type} {{sdy.sharding = #sdy.sharding{source}}}) -> {type} {{\n"
        f"  %0 = sdy.reshard %x {target} : {type}\n  return %0 : {type}\n}}\n"
    )


def _collectives(source: str, target: str, type: str = "tensor<16x16xf32>", pipeline: str = _PASS) -> list[str]:
    lines = [line.strip() for line in body_after(pipeline, _program(source, target, type)).splitlines()]
    return [line.removesuffix(f" : {type}") for line in lines if " = sdy." in line and "sdy.mesh" not in line]


def _converted(program: str, pipeline: str = _PASS) -> Operation:
    module = pyshardy.parse(program)
    pyshardy.run_passes(module, pipeline)
    return next(op for op in module.op.body if op.name == "func.func")


def test_axes_that_a_dimension_loses_are_gathered() -> None:
    program = """
    sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
    func.func @main(%arg0: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "z"}, {}]>}) -> tensor<16x2xf32> {
      %1 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
      return %1 : tensor<16x2xf32>
    }"""  # noqa: E501
    lines = [line.strip() for line in body_after(_PASS, program).splitlines()]
    assert '%0 = sdy.all_gather [{"y", "z"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x2xf32>' in lines
    assert not any("sdy.reshard" in line for line in lines)


def test_an_axis_that_is_summed_no_longer_is_reduced_first() -> None:
    assert _collectives('<@m, [{"a"}, {}], unreduced={"b"}>', '<@m, [{}, {"a"}]>') == [
        '%0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@m, [{"a"}, {}]>',
        '%1 = sdy.all_to_all [{"a"}: 0->1] %0 out_sharding=<@m, [{}, {"a"}]>',
    ]


def test_shards_become_parts_of_a_sum_without_a_gather() -> None:
    assert _collectives('<@m, [{"a", "b"}, {}]>', '<@m, [{"a"}, {}], unreduced={"b", "c"}>') == [
        '%0 = sdy.replicated_to_unreduced {"c"} %arg0 out_sharding=<@m, [{"a", "b"}, {}], unreduced={"c"}>',
        '%1 = sdy.sharded_to_unreduced [{"b"}, {}] %0 out_sharding=<@m, [{"a"}, {}], unreduced={"b", "c"}>',
    ]


def test_a_gather_keeps_the_axes_that_are_still_to_be_summed() -> None:
    assert _collectives('<@m, [{"a"}, {}], unreduced={"b"}>', '<@m, [{}, {}], unreduced={"b"}>') == [
        '%0 = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@m, [{}, {}], unreduced={"b"}>'
    ]


def test_a_maximum_is_reduced_as_one() -> None:
    assert _collectives('<@m, [{"a"}, {}], unreduced=max{"b"}>', '<@m, [{"a"}, {}]>') == [
        '%0 = sdy.all_reduce max {"b"} %arg0 out_sharding=<@m, [{"a"}, {}]>'
    ]


def test_by_the_fewest_bytes_a_maximum_is_scattered_where_its_axis_goes() -> None:
    assert _collectives('<@m, [{}, {}], unreduced=max{"a"}>', '<@m, [{"b", "a"}, {}]>', pipeline=_OPTIMAL) == [
        '%0 = sdy.all_slice [{"b"}, {}] %arg0 out_sharding=<@m, [{"b"}, {}], unreduced=max{"a"}>',
        '%1 = sdy.reduce_scatter max [{"a"}, {}] %0 out_sharding=<@m, [{"b", "a"}, {}]>',
    ]


def test_by_the_fewest_bytes_a_sum_is_scattered_behind_the_slices() -> None:
    program = """
    sdy.mesh @m = <["a"=2, "b"=2]>
    func.func @main(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> tensor<16x16xf32> {
      %0 = sdy.all_reduce {"a"} %x out_sharding=<@m, [{}, {}]> : tensor<16x16xf32>
      %1 = sdy.reshard %0 <@m, [{"b", "a"}, {}]> : tensor<16x16xf32>
      return %1 : tensor<16x16xf32>
    }"""
    lines = [line.strip() for line in body_after(_OPTIMAL, program).splitlines() if " = sdy." in line]
    assert lines == [
        '%0 = sdy.all_slice [{"b"}, {}] %arg0 out_sharding=<@m, [{"b"}, {}], unreduced={"a"}> : tensor<16x16xf32>',
        '%1 = sdy.reduce_scatter [{"a"}, {}] %0 out_sharding=<@m, [{"b", "a"}, {}]> : tensor<16x16xf32>',
    ]


def test_another_name_of_the_same_mesh_is_no_reason_to_permute() -> None:
    assert _collectives('<@m, [{"a"}, {}]>', '<@same, [{"a"}, {}]>') == []
    assert _collectives('<@m, [{"a"}, {}]>', '<@same, [{}, {"a"}]>') == [
        '%0 = sdy.all_to_all [{"a"}: 0->1] %arg0 out_sharding=<@m, [{}, {"a"}]>'
    ]


@pytest.mark.parametrize(
    ("source", "target"),
    [("<@first, []>", "<@second, []>"), ("<@first, []>", "<@m, [{}, {}]>"), ("<@m, [{}, {}]>", "<@first, []>")],
)
def test_reshards_to_and_from_single_devices_stay(source: str, target: str) -> None:
    assert _collectives(source, target) == [f"%0 = sdy.reshard %arg0 {target}"]


@pytest.mark.parametrize("pipeline", [_PASS, _OPTIMAL])
def test_random_sharded_and_unreduced_axes_lead_where_they_should(pipeline: str) -> None:
    random = Random(1)
    for _ in range(150):
        shardings = [_random_sharding(random, "m", rank=2) for _ in range(2)]
        func = _converted(_program(shardings[0].body_text, shardings[1].body_text), pipeline)
        assert function_is_right(func, shardings[1]), shardings


@pytest.mark.parametrize("pipeline", [_PASS, _OPTIMAL])
def test_random_unreduced_axes_lead_to_a_mesh_with_another_order_of_devices(pipeline: str) -> None:
    random = Random(2)
    for _ in range(60):
        source, target = (_random_sharding(random, mesh, rank=2) for mesh in "mn")
        if not target.is_fully_replicated:
            func = _converted(_program(source.body_text, target.body_text), pipeline)
            assert function_is_right(func, target), (source, target)


def _random_sharding(random: Random, mesh: str, rank: int) -> TensorSharding:
    dims = random_layout(random, _MESH, rank, sub_axes=0)
    sharding = {axis.name for axis in (axis for axes in dims for axis in axes)}
    unreduced = [AxisRef(name) for name in "abc" if name not in sharding and random.random() < 0.6]
    return TensorSharding(
        mesh, [DimSharding(axes, bool(axes) or random.random() < 0.8) for axes in dims], (), unreduced
    )


def test_axes_of_size_one_are_left_undone_on_demand() -> None:
    program = (
        'sdy.mesh @m = <["one"=1, "x"=4]>\n'
        "func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) -> tensor<8xf32> {\n"
        '  %0 = sdy.reshard %x <@m, [{"x", "one"}]> : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n'
    )
    verbatim = "func.func(sdy-reshard-to-collectives{reshard-strategy=verbatim})"
    assert 'sdy.all_slice [{"x", "one"}] %arg0' in body_after(_PASS, program)
    assert 'sdy.all_slice [{"x"}] %arg0 out_sharding=<@m, [{"x"}]>' in body_after(verbatim, program)
