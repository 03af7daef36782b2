"""What the benchmark is run on can be run."""

from __future__ import annotations

from pathlib import Path

from benchmarks.programs import growing_meshes, growing_programs
from pyshardy import parse, partition


def test_chains_have_the_operations_that_they_say(tmp_path: Path) -> None:
    count, path = next(growing_programs(tmp_path))
    module = parse(path.read_text())
    assert sum(op.name.startswith("stablehlo.") for op in module.op.walk()) == count


def test_meshes_have_the_devices_that_they_say(tmp_path: Path) -> None:
    for devices, path in growing_meshes(tmp_path):
        assert partition(parse(path.read_text())).devices == devices
