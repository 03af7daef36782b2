"""``enable-auto-partitioning`` where nobody has registered a partitioner: the search, through ``sdy-opt``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pyshardy
from pyshardy.analysis.cost.targets import Target, target
from pyshardy.cli import sdy_opt
from pyshardy.ir.pipeline_text import nested_pass
from pyshardy.propagation.auto_partitioner import clear_auto_partitioner, set_auto_partitioner
from pyshardy.searching import auto_partitioning

PASS = "--sdy-propagation-pipeline=enable-auto-partitioning=true"
PROGRAM = """\
sdy.mesh @devices = <["a"=2, "b"=2]>
func.func @main(%w: tensor<512x1024xf32>, %x: tensor<4096x512xf32>{sharding}) -> tensor<4096x1024xf32> {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4096x512xf32>, tensor<512x1024xf32>) -> tensor<4096x1024xf32>
  %1 = func.call @f(%0) : (tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  return %1 : tensor<4096x1024xf32>
}}
func.func private @f(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {{
  %0 = stablehlo.tanh %x : tensor<4096x1024xf32>
  return %0 : tensor<4096x1024xf32>
}}
"""
SMALL = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32>{sharding}, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}}
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _nobody_has_registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("PYSHARDY_HARDWARE", raising=False)
    clear_auto_partitioner()
    yield
    clear_auto_partitioner()


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``sdy-opt`` on a text: its exit code, and what it prints."""

    def run(text: str, *flags: str) -> tuple[int, str, str]:
        path = tmp_path / "program.mlir"
        path.write_text(text)
        code = sdy_opt.run([str(path), PASS, *flags])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_a_mesh_without_shardings_is_enough(run: Run) -> None:
    code, out, complaints = run(PROGRAM.format(sharding=""))
    assert (code, complaints) == (0, "")
    signature = next(line for line in out.splitlines() if "@main" in line)
    # Rows are independent of each other.
    assert '%arg1: tensor<4096x512xf32> {sdy.sharding = #sdy.sharding<@devices, [{"a", "b"}, {}]>}' in signature
    for name in ("dot_general", "call", "tanh"):
        assert any(name in line and "sdy.sharding" in line for line in out.splitlines()), name
    assert pyshardy.partition(pyshardy.parse(out)).devices == 4


def test_what_comes_out_computes_the_same(run: Run) -> None:
    _, out, _ = run(SMALL.format(sharding=""))
    assert pyshardy.partition(pyshardy.parse(out)).check().agrees


def test_what_has_a_sharding_keeps_it(run: Run) -> None:
    sharding = ' {sdy.sharding = #sdy.sharding<@devices, [{}, {"b"}]>}'
    code, out, _ = run(PROGRAM.format(sharding=sharding))
    assert code == 0
    assert "%arg1: tensor<4096x512xf32>" + sharding in out


def test_the_hardware_is_that_of_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def target_of(source: str) -> Target:
        asked.append(source)
        return target(source)

    monkeypatch.setattr(auto_partitioning, "target", target_of)
    assert run(SMALL.format(sharding=""))[0] == 0
    monkeypatch.setenv("PYSHARDY_HARDWARE", "laptop")
    assert run(SMALL.format(sharding=""))[0] == 0
    assert asked == ["h100", "laptop"]
    monkeypatch.setenv("PYSHARDY_HARDWARE", "h1000")
    code, out, complaints = run(PROGRAM.format(sharding=""))
    assert (code, out) == (1, "")
    assert re.fullmatch(r".*program\.mlir:1:1: error: auto-partitioning: .*h1000.*\n", complaints.splitlines(True)[0])
    assert "Traceback" not in complaints


def test_a_program_without_a_mesh_is_refused_in_a_line(run: Run) -> None:
    code, out, complaints = run("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }")
    assert (code, out) == (1, "")
    assert complaints.splitlines()[0].endswith(
        "program.mlir:1:1: error: auto-partitioning needs a mesh with axes, and the program has none"
    )


def test_two_meshes_are_refused(run: Run) -> None:
    code, _, complaints = run('sdy.mesh @other = <["z"=4]>\n' + SMALL.format(sharding=""))
    assert code == 1
    assert "auto-partitioning: the program has several meshes (other, mesh)" in complaints


def test_what_somebody_has_registered_comes_first(run: Run) -> None:
    set_auto_partitioner(lambda items: items.extend(nested_pass("sdy-basic-propagate", "")))
    code, out, _ = run(SMALL.format(sharding=""))
    assert code == 0 and "sdy.sharding =" not in out


def test_python_gets_it_as_the_tool_does(run: Run) -> None:
    text = SMALL.format(sharding="")
    module = pyshardy.parse(text)
    pyshardy.run_passes(module, "sdy-propagation-pipeline{enable-auto-partitioning=true}")
    assert str(module) == run(text)[1].rstrip("\n") + "\n"


def test_loops_and_constraints_go_through(run: Run) -> None:
    for name in ("scan_layers", "shard_map"):
        code, out, complaints = run((Path(__file__).parents[2] / "examples" / f"{name}.mlir").read_text())
        assert (code, complaints) == (0, "")
        assert "sdy.data_flow_edge" not in out
        pyshardy.parse(out)


def test_axes_of_a_mesh_keep_their_names_whatever_these_are() -> None:
    module = pyshardy.parse(PROGRAM.format(sharding=""))
    assert pyshardy.search(module, "h100", mesh={"a": 2, "b": 2}, seconds=1).mesh == {"a": 2, "b": 2}
