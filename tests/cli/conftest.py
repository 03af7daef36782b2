"""What the tests of the commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pyshardy.cli import main

Interpret = Callable[..., tuple[int, str, str]]


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
