"""Files that find no place are not there at all, and the exit code says so. A limit on the size of files stands for a
disk that is full."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import pyshardy
from pyshardy.ir.whole_files import write_whole

PROGRAM = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
PIPELINE = "--pass-pipeline=builtin.module(sdy-propagation-pipeline{dump-directory=OUT})"
WAYS = {
    "a program": "pyshardy partition FILE -o OUT/p.mlir",
    "a program of sdy-opt": "sdy_opt FILE -o OUT/p.mlir",
    "dumps": "pyshardy propagate FILE --dump-dir OUT",
    "dumps of sdy-opt": f"sdy_opt FILE {PIPELINE}",
    "a tree of dumps": "sdy_opt FILE --symbol-dce --mlir-print-ir-after-all --mlir-print-ir-tree-dir=OUT",
    "a report": "pyshardy report FILE -o OUT/p.html",
    "a sharding file": "pyshardy shardings FILE -o OUT/s.toml",
    "a trace": "pyshardy cost FILE --hardware v5e --trace OUT/t.json",
}


def run_limited(words: list[str], limit: int) -> subprocess.CompletedProcess[str]:
    start = f"from pyshardy.cli.start import {words[0]}; {words[0]}()"
    return subprocess.run(
        [sys.executable, "-c", start, *words[1:]],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(pyshardy.__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_finds_no_place_is_not_there_and_one_line_says_so(program: Path, tmp_path: Path, way: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    words = WAYS[way].replace("FILE", str(program)).replace("OUT", str(out)).split(" ")
    done = run_limited(words, 16)
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.count("\n") == 1 and "cannot write" in done.stderr
    assert done.stderr.endswith(": File too large\n")
    assert not [path for path in out.rglob("*") if path.is_file()]


def test_what_was_in_the_file_before_is_still_there(program: Path) -> None:
    out = program.with_name("out.mlir")
    out.write_text("what was here before\n")
    assert run_limited(["pyshardy", "partition", str(program), "-o", str(out)], 16).returncode == 1
    assert out.read_text() == "what was here before\n"


def test_a_reproducer_that_finds_no_place_is_told_of_in_the_error(program: Path, tmp_path: Path) -> None:
    failing = "--pass-pipeline=builtin.module(symbol-dce,func.func(symbol-dce))"
    flag = f"--mlir-pass-pipeline-crash-reproducer={tmp_path}/r.mlir"
    done = run_limited(["sdy_opt", str(program), failing, flag], 16)
    assert done.returncode == 1 and "cannot write output file" in done.stderr
    assert not (tmp_path / "r.mlir").exists()


def test_a_link_stays_one_and_permissions_stay_as_they_are(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(link, b"after")
    assert link.is_symlink() and target.read_bytes() == b"after" and target.stat().st_mode & 0o777 == 0o640


def test_names_may_be_as_long_as_the_disk_has_them(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250)
    write_whole(path, b"there")
    assert path.read_bytes() == b"there" and [*tmp_path.iterdir()] == [path]
