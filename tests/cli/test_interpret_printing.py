"""``pyshardy interpret``: values as StableHLO's reference interpreter prints them."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np

from tests.cli.conftest import Interpret


def test_results_are_printed_row_by_row(interpret: Interpret) -> None:
    code, out, _ = interpret("""
    func.func @main() -> (tensor<2x2xf32>, tensor<i1>, tensor<0xi8>) {
      %0 = stablehlo.constant dense<[[1.0, 2.5], [-1.0e+10, 0x7FC00000]]> : tensor<2x2xf32>
      %1 = stablehlo.constant dense<true> : tensor<i1>
      %2 = stablehlo.constant dense<> : tensor<0xi8>
      return %0, %1, %2 : tensor<2x2xf32>, tensor<i1>, tensor<0xi8>
    }""")
    assert code == 0
    assert out == (
        "tensor<2x2xf32> {\n  [\n    [1.000000e+00, 2.500000e+00],\n    [-1.000000e+10, 0x7FC00000]\n  ]\n}\n"
        "tensor<i1> {true}\ntensor<0xi8> {\n  []\n}\n"
    )


def test_tuples_and_quantized_values_are_printed(interpret: Interpret) -> None:
    code, out, _ = interpret("""
    func.func @main() -> (tuple<tensor<i1>, tuple<tensor<2xi32>>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
      %0 = stablehlo.constant dense<true> : tensor<i1>
      %1 = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
      %2 = stablehlo.tuple %1 : tuple<tensor<2xi32>>
      %3 = stablehlo.tuple %0, %2 : tuple<tensor<i1>, tuple<tensor<2xi32>>>
      %4 = stablehlo.constant() {value = dense<[10, -7]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
      return %3, %4 : tuple<tensor<i1>, tuple<tensor<2xi32>>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    }""")
    assert code == 0
    assert out == (
        "tensor<i1> {true}\ntensor<2xi32> {\n  [1, -2]\n}\ntensor<2x!quant.uniform<i8:f32, 0.5:3>> {\n  [10, -7]\n}\n"
    )


def test_what_a_program_prints_has_the_name_of_the_printed_program(interpret: Interpret) -> None:
    code, out, _ = interpret("""
    func.func @main() {
      %first = stablehlo.constant dense<[[1.5], [2.5]]> : tensor<2x1xf32>
      %second = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
      %none = stablehlo.constant dense<> : tensor<2x0x3xi8>
      %pair:2 = stablehlo.optimization_barrier %second, %first : tensor<complex<f32>>, tensor<2x1xf32>
      interpreter.print %first : tensor<2x1xf32>
      interpreter.print %second : tensor<complex<f32>>
      interpreter.print %none : tensor<2x0x3xi8>
      func.call @half(%pair#1) : (tensor<2x1xf32>) -> ()
      interpreter.print %pair#1 : tensor<2x1xf32>
      return
    }
    func.func private @half(%x: tensor<2x1xf32>) {
      interpreter.print %x : tensor<2x1xf32>
      return
    }""")
    column = "tensor<2x1xf32> {\n  [\n    [1.500000e+00],\n    [2.500000e+00]\n  ]\n}\n"
    assert code == 0
    assert out == (
        f"%cst = {column}%cst_0 = tensor<complex<f32>> {{[1.000000e+00, -2.000000e+00]}}\n"
        f"%c = tensor<2x0x3xi8> {{\n  [\n    [],\n    []\n  ]\n}}\n%arg0 = {column}%0:2 = {column}"
    )


def test_probes_write_what_numpy_lacks_as_bits(tmp_path: Path, interpret: Interpret) -> None:
    interpret(
        """func.func @main() {
      %0 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xbf16>
      %1 = interpreter.probe %0, probe_id = "short" : tensor<2xbf16>
      return
    }""",
        "--probe-output-dir",
        str(tmp_path),
    )
    assert np.load(tmp_path / "probe1.npy").view(ml_dtypes.bfloat16).astype(np.float32).tolist() == [1.0, -2.0]
    assert (tmp_path / "index.csv").read_text().startswith("short,tensor<2xbf16>,")
