"""docs/reading.md: its Python runs, its program gives the summary that it quotes, its messages are those that come."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import pyshardy
from pyshardy.cli import main

GUIDE = (Path(__file__).parents[2] / "docs" / "reading.md").read_text()


def blocks(language: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    return [content for name, content in found if name == language]


def test_the_python_of_the_guide_runs() -> None:
    space: dict[str, Any] = {}
    for block in blocks("python"):
        exec(compile(block, "docs/reading.md", "exec"), space)
    assert space["module"].notes == ["dynamic dimensions were bound: b=16"]
    assert "['dynamic dimensions were bound: b=16']" in GUIDE


def test_the_program_of_the_guide_is_read_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (program,) = [block for block in blocks("mlir") if "xla.sdy." not in block]
    Path("gspmd.mlir").write_text(program)
    assert main.run(["propagate", "gspmd.mlir", "-o", "out.mlir"]) == 0
    (quoted,) = [block for block in blocks("") if block.startswith("shardings of GSPMD")]
    assert capsys.readouterr().out.startswith(quoted)
    text = Path("out.mlir").read_text()
    for sharding in ('[{"axis_0"}, {"axis_1"}]', '[{"axis_1"}, {}]', '<["axis_0"=4, "axis_1"=2]>'):
        assert sharding in text and sharding in GUIDE


def test_the_program_of_the_guide_in_the_exchange_form_is_read_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (program,) = [block for block in blocks("mlir") if "xla.sdy." in block]
    Path("dump.mlir").write_text(program)
    assert main.run(["propagate", "dump.mlir", "-o", "out.mlir"]) == 0
    (quoted,) = [block for block in blocks("") if block.startswith("shardings in the form of XLA")]
    assert capsys.readouterr().out.startswith(quoted)
    assert "sdy.manual_computation(%arg0)" in Path("out.mlir").read_text()


def test_the_error_of_the_guide_is_the_one_that_comes() -> None:
    (quoted,) = [block for block in blocks("") if block.startswith("error: the sharding")]
    argument = '%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}'
    with pytest.raises(pyshardy.PyshardyError) as error:
        pyshardy.parse(f"func.func @main({argument}) -> tensor<8x4xf32> {{ return %x : tensor<8x4xf32> }}")
    assert quoted == f"error: {error.value.diagnostics[-1].message}\n"
