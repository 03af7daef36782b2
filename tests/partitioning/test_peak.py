"""What is alive at the peak of memory adds up to the peak."""

from pathlib import Path

import pytest

from pyshardy import parse, partition


@pytest.mark.parametrize("path", sorted(Path("examples").glob("*.mlir")), ids=lambda path: path.stem)
def test_the_values_at_the_peak_take_what_the_peak_takes(path: Path) -> None:
    plan = partition(parse(path.read_text()))
    found = plan.memory.live_at_peak
    assert sum(one.bytes for one in found) == plan.memory.peak
    assert [one.bytes for one in found] == sorted((one.bytes for one in found), reverse=True)
    assert len({one.value for one in found}) == len(found)


def test_what_a_loop_only_looks_at_lives_beside_what_it_carries() -> None:
    plan = partition(
        parse("""func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
          %zero = stablehlo.constant dense<0> : tensor<i32>
          %far = stablehlo.constant dense<5> : tensor<i32>
          %half = stablehlo.constant dense<0.5> : tensor<8xf32>
          %start = stablehlo.tanh %x : tensor<8xf32>
          %0:2 = stablehlo.while(%i = %zero, %y = %start) : tensor<i32>, tensor<8xf32>
          cond {
            %more = stablehlo.compare LT, %i, %far : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %more : tensor<i1>
          } do {
            %one = stablehlo.constant dense<1> : tensor<i32>
            %next = stablehlo.add %i, %one : tensor<i32>
            %less = stablehlo.multiply %y, %half : tensor<8xf32>
            stablehlo.return %next, %less : tensor<i32>, tensor<8xf32>
          }
          return %0#1 : tensor<8xf32>
        }""")
    )
    assert sum(one.bytes for one in plan.memory.live_at_peak) == plan.memory.peak


def test_a_value_that_is_dead_is_not_there() -> None:
    plan = partition(
        parse("""func.func @main(%x: tensor<8xf32>, %y: tensor<100xf32>) -> tensor<2xf32> {
          %big = stablehlo.dot_general %x, %y, contracting_dims = [] x []
            : (tensor<8xf32>, tensor<100xf32>) -> tensor<8x100xf32>
          %c = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = stablehlo.reduce(%big init: %c) applies stablehlo.add across dimensions = [0, 1]
            : (tensor<8x100xf32>, tensor<f32>) -> tensor<f32>
          %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2xf32>
          return %1 : tensor<2xf32>
        }""")
    )
    types = [str(one.value.type) for one in plan.memory.live_at_peak]
    assert types[:3] == ["tensor<8x100xf32>", "tensor<100xf32>", "tensor<8xf32>"]
    assert "tensor<2xf32>" not in types
