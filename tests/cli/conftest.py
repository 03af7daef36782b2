"""What the tests of the commands share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyshardy.cli import main

Interpret = Callable[..., tuple[int, str, str]]
SummaryOf = Callable[..., str]
JsonOf = Callable[..., dict[str, Any]]


@pytest.fixture
def program(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A file with the ``PROGRAM`` of the tests in question."""
    path = tmp_path / "program.mlir"
    path.write_text(request.module.PROGRAM)
    return path


@pytest.fixture
def summary_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> SummaryOf:
    """Runs a command on a text: the summary. The program goes to ``out.mlir``."""

    def run(command: str, text: str, *options: str) -> str:
        path = tmp_path / "program.mlir"
        path.write_text(text)
        assert main.run([command, str(path), "-o", str(tmp_path / "out.mlir"), *options]) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def json_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> JsonOf:
    """Runs a command on a text: its summary as data."""

    def run(command: str, text: str, *options: str) -> dict[str, Any]:
        path = tmp_path / "program.mlir"
        path.write_text(text)
        assert main.run([command, str(path), "--json", *options]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return run


@pytest.fixture
def interpret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Interpret:
    """Runs the command on a text: exit code, standard output, standard error."""

    def run(text: str, *options: str) -> tuple[int, str, str]:
        path = tmp_path / "program.mlir"
        path.write_text(text)
        code = main.run(["interpret", str(path), *options])
        captured = capsys.readouterr()
        return code, captured.out, captured.err.replace(str(tmp_path) + "/", "")

    return run
