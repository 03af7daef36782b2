"""Dumps of the program between passes."""

from __future__ import annotations

from pathlib import Path

import pytest

import pyshardy
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.pipeline_text import PipelineError, parse_pipeline
from pyshardy.passes.save_module import SaveModule

PROGRAM = "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }"


def test_the_file_holds_the_program_as_it_is_printed(tmp_path: Path) -> None:
    module = pyshardy.parse(PROGRAM)
    SaveModule(str(tmp_path), "before", 3).apply(module.op, module.context)
    SaveModule(f"{tmp_path}/", "without_number").apply(module.op, module.context)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["03.before.mlir", "without_number.mlir"]
    assert (tmp_path / "03.before.mlir").read_text() == str(module)


def test_a_directory_that_is_not_there_is_warned_about_and_not_made(tmp_path: Path) -> None:
    directory = tmp_path / "nowhere"
    module = pyshardy.parse(PROGRAM)
    SaveModule(str(directory), "before", 0).apply(module.op, module.context)
    warning = module.context.diagnostics[-1]
    assert (warning.severity, warning.message) == (
        "warning",
        f"error when writing file {directory}/00.before.mlir: No such file or directory",
    )
    assert not directory.exists()


def test_it_is_shown_in_a_pipeline_but_cannot_be_named_there() -> None:
    assert Pipeline("builtin.module", (SaveModule("dir", "name", 0),)).text() == "builtin.module(sdy-save-module)"
    with pytest.raises(PipelineError, match="'sdy-save-module' does not refer to a registered pass"):
        parse_pipeline("builtin.module(sdy-save-module)")
