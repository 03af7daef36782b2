"""``sdy-opt --emit-bytecode``: what jaxlib writes reads as the same program."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pyshardy import parse
from pyshardy.cli import sdy_opt

PROGRAM = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 128.0]> : tensor<8xf32>
  %1 = stablehlo.add %a, %0 : tensor<8xf32> loc("here")
  return %1 : tensor<8xf32>
}
"""


def test_bytecode_holds_the_program_and_its_locations(program: Path) -> None:
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir

    out = program.with_suffix(".mlirbc")
    assert sdy_opt.run([str(program), "--sdy-basic-propagate", "--emit-bytecode", "-o", str(out)]) == 0
    data = out.read_bytes()
    assert data[:4] == b"ML\xefR"
    with jax_mlir.make_ir_context():
        read = ir.Module.parse(data)
        assert 'sharding_per_value<[<@mesh, [{"x"' in str(parse(str(read)))
        assert 'loc("here")' in read.operation.get_asm(enable_debug_info=True)


def test_without_jaxlib_a_sentence_says_what_is_missing(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jaxlib.mlir", None)
    assert sdy_opt.run([str(program), "--emit-bytecode", "-o", "/dev/null"]) == 1
    assert capsys.readouterr().err == (
        "sdy-opt: --emit-bytecode: jaxlib writes bytecode, and it is not installed: pip install jax\n"
    )


def test_a_program_that_jaxlib_does_not_know_is_an_error(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text("func.func @main(%a: tensor<f32>) {\n  check.expect_eq %a, %a : tensor<f32>\n  return\n}\n")
    assert sdy_opt.run([str(program), "--emit-bytecode", "-o", "/dev/null"]) == 1
    assert "jaxlib does not take this program" in capsys.readouterr().err
