"""Small programs and the programs of one device that come of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyshardy import PyshardyError, parse, partition
from pyshardy.versions import is_compiled

_MESH = 'sdy.mesh @m = <["x"=4, "y"=2]>\n'


def _lines(text: str, emit: str = "local", replica_groups: str = "list") -> list[str]:
    plan = partition(parse(_MESH + text), emit=emit, replica_groups=replica_groups)
    return [line.strip() for line in str(plan.module).splitlines()]


_MATMUL = """
func.func @main(%%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>},
                %%b: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [%s, {}]>}) {
  %%0 = stablehlo.dot_general %%a, %%b, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %%0 : tensor<8x4xf32>
}"""


def test_a_contraction_over_a_sharded_dimension_is_summed_up_by_an_all_reduce() -> None:
    lines = _lines(_MATMUL % "{}")
    assert any(line.startswith("%0 = stablehlo.dot_general") and "tensor<8x4xf32>" in line for line in lines)
    assert sum('"stablehlo.all_reduce"' in line for line in lines) == 1


def test_it_is_a_reduce_scatter_where_the_result_is_sharded_by_the_same_axis() -> None:
    lines = _lines(_MATMUL % '{"x"}')
    assert sum('"stablehlo.reduce_scatter"' in line for line in lines) == 1
    assert not any('"stablehlo.all_reduce"' in line for line in lines)


def test_replica_groups_are_written_as_axes_on_request() -> None:
    lines = _lines(_MATMUL % "{}", replica_groups="mesh-axes")
    assert any('replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "x">]>' in line for line in lines)


_TANH = """
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}"""


def test_the_local_form_keeps_the_shardings_of_arguments_and_results() -> None:
    (head,) = [line for line in _lines(_TANH) if "@main" in line]
    assert head.count('sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>') == 2
    assert "tensor<2x4xf32>" in head


def test_the_manual_form_has_the_global_signature_and_one_computation_over_all_axes() -> None:
    lines = _lines(_TANH, emit="manual")
    (head,) = [line for line in lines if "@main" in line]
    assert head.count("tensor<8x4xf32>") == 2
    (computation,) = [line for line in lines if "sdy.manual_computation" in line]
    assert 'manual_axes={"x", "y"} (%arg1: tensor<2x4xf32>)' in computation


def test_the_collectives_form_is_the_global_program_with_shardys_collectives() -> None:
    lines = _lines(_MATMUL % "{}", emit="collectives")
    assert any("sdy.all_reduce" in line for line in lines)


def test_the_program_given_stays_as_it_is() -> None:
    module = parse(_MESH + _TANH)
    before = str(module)
    partition(module)
    assert str(module) == before


def test_an_unknown_form_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(ValueError, match="unknown form 'global', one of local, manual, collectives is expected"):
        partition(parse(_MESH + _TANH), emit="global")


def test_meshes_of_different_sizes_are_refused() -> None:
    text = """
      sdy.mesh @a = <["x"=4]>
      sdy.mesh @b = <["x"=2]>
      func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>},
                      %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}) {
        return
      }"""
    with pytest.raises(PyshardyError, match="a program is partitioned for one number of devices"):
        partition(parse(text), propagated=True)


def test_a_program_brings_its_own_collectives_channels_and_device_numbers() -> None:
    text = """
      func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x4xf32> {
        %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>]
            manual_axes={"x"} (%b: tensor<2x4xf32>) {
          %1 = stablehlo.partition_id : tensor<ui32>
          %2 = "stablehlo.collective_permute"(%b) <{
              channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
              source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}>
              : (tensor<2x4xf32>) -> tensor<2x4xf32>
          sdy.return %2 : tensor<2x4xf32>
        } : (tensor<8x4xf32>) -> tensor<8x4xf32>
        %3 = stablehlo.dot_general %0, %0, contracting_dims = [0] x [0]
            : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
        %4 = stablehlo.concatenate %3, %3, dim = 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
        return %4 : tensor<8x4xf32>
      }"""
    lines = _lines(text)
    handles = [line.partition("<handle = ")[2].partition(",")[0] for line in lines if "channel_handle" in line]
    assert handles == ["7", "8"]


def test_a_function_that_calls_itself_is_refused() -> None:
    text = """
      func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
        %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }
      func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
        %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }"""
    with pytest.raises(PyshardyError, match="function @f calls itself"):
        partition(parse(_MESH + text), propagated=True)


def test_a_tensor_of_unknown_size_goes_where_it_is_but_nowhere_else() -> None:
    text = """
func.func @main(%a: tensor<?x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>})
    -> (tensor<?x4xf32> {sdy.sharding = #sdy.sharding<@m, [{RESULT}, {}]>}) {
  %0 = stablehlo.tanh %a : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}"""
    partition(parse(_MESH + text.replace("RESULT", '"x"')), propagated=True)
    with pytest.raises(PyshardyError, match="the sizes of its shards are not known"):
        partition(parse(_MESH + text.replace("RESULT", '"y"')), propagated=True)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", ['"data"=16384, "model"=4', '"data"=4, "model"=2, "unused"=8192'])
def test_a_training_step_is_partitioned_for_65536_devices_in_no_more_text_than_for_8(sizes: str) -> None:
    text = (Path(__file__).parents[2] / "examples" / "transformer_megatron.mlir").read_text()
    lengths = []
    for axes in ('"data"=4, "model"=2', sizes):
        grown = re.sub(r"sdy\.mesh @mesh = <\[.*?\]>( \{.*\})?", f"sdy.mesh @mesh = <[{axes}]>", text)
        lengths.append(len(str(partition(parse(grown), replica_groups="mesh-axes").module)))
    assert lengths[1] < 1.2 * lengths[0]


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
def test_a_way_that_fails_is_not_taken_and_not_spoken_of(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyshardy.partitioning.partitioner import Partitioner

    tried = []
    run = Partitioner.run

    def fail_after_the_first(self: Partitioner) -> None:
        tried.append(self)
        if len(tried) > 1:
            self.context.emit("error", self.module.location, "cannot be done")
            raise self.context.failure()
        run(self)

    monkeypatch.setattr(Partitioner, "run", fail_after_the_first)
    text = (Path(__file__).parents[2] / "examples" / "transformer_fsdp.mlir").read_text()
    plan = partition(parse(text))
    assert len(tried) > 1
    assert plan.bytes_moved > 0
    assert plan.module.context.diagnostics == []
