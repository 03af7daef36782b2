"""Files that cannot be read: our error, which is Python's, too, and says what was looked for."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import pytest

import pyshardy
from pyshardy import InputFileError
from pyshardy.ir.input_files import MissingInputFile, read_input
from pyshardy.jax import load as load_plan

PROGRAM = "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }"


@pytest.mark.parametrize(
    "what, read",
    [
        ("a program", lambda path: pyshardy.load(path)),
        ("a sharding file", lambda path: pyshardy.load_shardings(path)),
        ("a sharding file", lambda path: pyshardy.parse(PROGRAM).apply_shardings(path)),
        ("a description of hardware", lambda path: pyshardy.hardware(path)),
        ("a description of hardware", lambda path: pyshardy.search(pyshardy.parse(PROGRAM), path)),
        ("a saved plan", lambda path: load_plan(path)),
    ],
)
def test_a_file_that_is_missing_is_named_with_what_it_was_to_be(what: str, read: object, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    with pytest.raises(InputFileError) as caught:
        read(path)  # type: ignore[operator]
    error = caught.value
    assert str(error) == f"there is no file '{path}', which was to be {what}"
    # What caught it before catches it still.
    assert isinstance(error, FileNotFoundError)
    assert (error.errno, error.filename, error.strerror) == (errno.ENOENT, str(path), os.strerror(errno.ENOENT))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_where_a_relative_path_leads_and_what_is_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plans").mkdir()
    (tmp_path / "plans" / "megatron.toml").touch()
    with pytest.raises(MissingInputFile) as caught:
        read_input(Path("plans/megatrn.toml"), "a sharding file")
    wanted = os.path.join("plans", "megatron.toml")
    assert str(caught.value).endswith(f"in {tmp_path / 'plans'}, which was to be a sharding file; is '{wanted}' meant?")
    with pytest.raises(MissingInputFile, match="there is no directory"):
        read_input("nowhere/x.toml", "a sharding file")


def test_other_reasons_keep_their_number(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"cannot read a program '.*': Is a directory") as caught:
        pyshardy.load(tmp_path)
    assert caught.value.errno == errno.EISDIR and not isinstance(caught.value, FileNotFoundError)
