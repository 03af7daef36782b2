"""What a program says of itself does not steer the terminal that it is shown on."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from pyshardy.cli import main
from pyshardy.report.console import open_console

_NAMED = """
sdy.mesh @mesh = <["a\\1B[31m"=2]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a\\1B[31m"}, {}]>} loc("x\\1B]0;title\\07"))
    -> (tensor<8x8xf32> {jax.result_info = "r\\1B[2J"}) {
  %0 = stablehlo.dot %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("do\\1B[2Jt")
  return %0 : tensor<8x8xf32>
}
"""


@pytest.mark.parametrize(
    "command",
    [["propagate", "-o", "/dev/null"], ["partition"], ["explain", "%0"], ["conflicts"], ["cost", "--hardware", "v5e"]],
)
def test_names_with_control_characters_are_shown(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(_NAMED)
    name, *more = command
    assert main.run([name, str(path), *more]) == 0
    said = capsys.readouterr()
    assert "\\1B[" in said.out + said.err and "\x1b" not in said.out + said.err


def test_colours_are_sent() -> None:
    out = StringIO()
    console = open_console(out)
    console.no_color, console._force_terminal, console._color_system = False, True, None
    console.print("one\x1b[2J\ttwo\r\nthree", style="bold")
    assert "\\1B[2J" in out.getvalue() and "\x1b[2J" not in out.getvalue()
