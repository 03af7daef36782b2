"""``pyshardy show``: a picture in text, JSON, what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshardy.cli import main
from tests.report.test_mesh_drawing import PROGRAM as PROGRAM

Captured = pytest.CaptureFixture[str]


def test_a_pipe_gets_plain_text(program: Path, capsys: Captured) -> None:
    assert main.run(["show", str(program), "%arg1", "%0"]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown and shown.count("mesh @mesh: x=2, y=4") == 2
    assert "x=0 │ 0        │ 1        │" in shown and "[0:4, :]" in shown


def test_json_has_the_slices(program: Path, capsys: Captured) -> None:
    assert main.run(["show", str(program), "%arg0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["mesh"] == {"x": 2, "y": 4} and found["local_shape"] == [15, 4]
    assert found["devices"][4] == {"device": 4, "slice": 1, "slices": [[0, 15], [4, 8]], "padding": [0, 0]}


def test_what_is_nothing_is_said(program: Path, capsys: Captured) -> None:
    assert main.run(["show", str(program), "%17"]) == 1
    assert capsys.readouterr().err.startswith("pyshardy: '%17': the program has no value that MLIR prints so")
