"""Programs run from Python: what goes in, what comes out, what is refused."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from pyshardy import PyshardyError, parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.run import WrongInputs, run_devices
from pyshardy.ir.operation import Operation

SQUARE = """
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def test_one_device_gets_and_gives_arrays_of_the_programs_types() -> None:
    (result,) = run(parse(SQUARE), [np.array([2, 3], np.float32)])
    assert result.dtype == np.float32
    assert result.tolist() == [4, 9]


def test_devices_run_on_stacked_arrays() -> None:
    (result,) = run_devices(parse(SQUARE), [np.array([[1, 2], [3, 4]], np.float32)], partitions=2)
    assert result.tolist() == [[1, 4], [9, 16]]


def test_an_input_with_one_entry_is_given_to_all_devices() -> None:
    (result,) = run_devices(parse(SQUARE), [np.array([[1, 2]], np.float32)], partitions=3)
    assert result.tolist() == [[1, 4]] * 3


@pytest.mark.parametrize(
    "inputs",
    [[], [np.zeros(2, np.float64)], [np.zeros(3, np.float32)], [np.zeros((2, 1), np.float32)]],
    ids=["none", "type", "size", "rank"],
)
def test_inputs_that_do_not_fit_are_refused(inputs: list[np.ndarray]) -> None:
    with pytest.raises(WrongInputs, match=r"input"):
        run(parse(SQUARE), inputs)


def test_a_function_that_is_not_there_is_refused() -> None:
    with pytest.raises(WrongInputs, match="no function @other"):
        run(parse(SQUARE), [], function="other")


def test_an_operation_without_meaning_is_an_error_with_its_place() -> None:
    text = 'func.func @main() {\n  "mine.op"() : () -> ()\n  return\n}'
    with pytest.raises(PyshardyError, match=r"-:2:3: error: 'mine.op' op cannot be interpreted"):
        run(parse(text, allow_unregistered=True))


def test_short_types_are_computed_exactly_and_rounded_once() -> None:
    text = """
    func.func @main(%a: tensor<2xbf16>, %b: tensor<3xi4>) -> (tensor<2xbf16>, tensor<3xi4>) {
      %0 = stablehlo.add %a, %a : tensor<2xbf16>
      %1 = stablehlo.multiply %b, %b : tensor<3xi4>
      return %0, %1 : tensor<2xbf16>, tensor<3xi4>
    }"""
    floats, integers = run(
        parse(text), [np.array([1.5, 256], ml_dtypes.bfloat16), np.array([3, -4, 7], ml_dtypes.int4)]
    )
    assert floats.astype(float).tolist() == [3, 512]
    assert integers.astype(int).tolist() == [-7, 0, 1]


def test_a_loop_that_devices_leave_at_different_times_runs_for_each() -> None:
    text = """
    func.func @main() -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %id = stablehlo.partition_id : tensor<ui32>
      %limit = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
      %n, %total = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
        cond {
          %go = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %go : tensor<i1>
        } do {
          %next = stablehlo.add %i, %one : tensor<i32>
          %more = stablehlo.add %sum, %next : tensor<i32>
          stablehlo.return %next, %more : tensor<i32>, tensor<i32>
        }
      return %total : tensor<i32>
    }"""
    (result,) = run_devices(parse(text), partitions=5)
    assert result.tolist() == [0, 1, 3, 6, 10]


BRANCH = """
func.func @main(%x: tensor<i32>) -> tensor<i32> {{
  %id = stablehlo.partition_id : tensor<ui32>
  %index = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %0 = "stablehlo.case"(%index) ({{
    stablehlo.return %x : tensor<i32>
  }}, {{
    %1 = {operation}
    stablehlo.return %1 : tensor<i32>
  }}) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}}
"""


def test_devices_may_take_different_branches() -> None:
    module = parse(BRANCH.format(operation="stablehlo.negate %x : tensor<i32>"))
    (result,) = run_devices(module, [np.array([1, 2, 3], np.int32)], partitions=3)
    assert result.tolist() == [1, -2, -3]


def test_a_collective_that_only_some_devices_reach_is_a_deadlock() -> None:
    collective = """ "stablehlo.collective_permute"(%x) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>) -> tensor<i32>"""
    with pytest.raises(PyshardyError, match=r"'stablehlo.case' op deadlocks"):
        run_devices(parse(BRANCH.format(operation=collective)), [np.array([1, 2], np.int32)], partitions=2)


def test_functions_that_call_each_other_for_ever_are_an_error() -> None:
    text = """
    func.func @main() { call @main() : () -> () return }"""
    with pytest.raises(PyshardyError, match="calls and regions deep"):
        run(parse(text))


def test_a_manual_computation_of_a_global_program_runs_on_shards() -> None:
    text = """
    sdy.mesh @mesh = <["x"=2, "y"=3]>
    func.func @main(%a: tensor<4x6xi32>) -> (tensor<4x6xi32>, tensor<2x2xi32>) {
      %0:2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>]
          out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{}, {}]>] manual_axes={"x", "y"}
          (%b: tensor<2x2xi32>) {
        %1 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
            replica_groups = dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>, use_global_device_ids}> ({
          ^bb0(%p: tensor<i32>, %q: tensor<i32>):
            %2 = stablehlo.add %p, %q : tensor<i32>
            stablehlo.return %2 : tensor<i32>
        }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
        %3 = stablehlo.negate %b : tensor<2x2xi32>
        sdy.return %3, %1 : tensor<2x2xi32>, tensor<2x2xi32>
      } : (tensor<4x6xi32>) -> (tensor<4x6xi32>, tensor<2x2xi32>)
      return %0#0, %0#1 : tensor<4x6xi32>, tensor<2x2xi32>
    }"""
    values = np.arange(24, dtype=np.int32).reshape(4, 6)
    negated, total = run(parse(text), [values])
    np.testing.assert_array_equal(negated, -values)
    np.testing.assert_array_equal(total, values.reshape(2, 2, 3, 2).sum(axis=(0, 2)))


def test_a_package_says_what_its_own_operations_compute() -> None:
    from pyshardy.interpreter.operations.custom_calls import evaluates_custom_call
    from pyshardy.interpreter.registry import evaluates

    @evaluates("mine.double")
    @evaluates_custom_call("my_scale")
    def double(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        return [operands[0] * 2]

    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.custom_call @my_scale(%a) : (tensor<2xf32>) -> tensor<2xf32>
      %1 = "mine.double"(%0) : (tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }"""
    (result,) = run(parse(text, allow_unregistered=True), [np.array([1, 2], np.float32)])
    assert result.tolist() == [4, 8]


def test_composites_are_their_decomposition() -> None:
    text = """
    func.func @twice(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.add %a, %a : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.composite "my.twice" %a {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    assert run(parse(text), [np.array([1, 2], np.float32)])[0].tolist() == [2, 4]


def test_log_plus_one_of_complex_numbers_keeps_its_digits() -> None:
    text = """func.func @main(%a: tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>> {
      %0 = stablehlo.log_plus_one %a : tensor<3xcomplex<f64>>
      return %0 : tensor<3xcomplex<f64>>
    }"""
    (result,) = run(parse(text), [np.array([1e-20, -1e-10 + 1.4e-5j, 3 + 4j])])
    np.testing.assert_allclose(result.real, [1e-20, -1.999999995004e-12, 1.7328679514], rtol=1e-9)


def test_a_reducer_may_use_what_each_device_has() -> None:
    text = """func.func @main(%a: tensor<5xi32>, %zero: tensor<i32>) -> tensor<i32> {
      %id = stablehlo.partition_id : tensor<ui32>
      %mine = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
      %0 = "stablehlo.reduce"(%a, %zero) <{dimensions = array<i64: 0>}> ({
        ^bb0(%p: tensor<i32>, %q: tensor<i32>):
          %s = stablehlo.maximum %p, %q : tensor<i32>
          %t = stablehlo.maximum %s, %mine : tensor<i32>
          stablehlo.return %t : tensor<i32>
      }) : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
      return %0 : tensor<i32>
    }"""
    inputs = [np.array([[1, 0, 2, 1, 0]], np.int32), np.array([0], np.int32)]
    (result,) = run_devices(parse(text), inputs, partitions=4)
    assert result.tolist() == [2, 2, 2, 3]
