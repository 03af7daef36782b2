"""Evaluations by workers: whoever makes them, the strategy that is found is the same, letter by letter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pyshardy
from pyshardy.cli import main as command
from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
from pyshardy.ir.source_text import UNKNOWN_POSITION
from pyshardy.searching import workers
from pyshardy.searching.workers import WorkerProblem

ROOT = Path(__file__).parents[2]

PROGRAM = """\
sdy.mesh @devices = <["data"=4]>
func.func @main(%w: tensor<256x512xf32>, %v: tensor<512x256xf32>, %x: tensor<4096x256xf32>) -> tensor<4096x256xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x256xf32>, tensor<256x512xf32>) -> tensor<4096x512xf32>
  %c = sdy.sharding_constraint %0 <@devices, [{"data"}, {}]> : tensor<4096x512xf32>
  %1 = stablehlo.multiply %c, %c : tensor<4096x512xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<4096x512xf32>, tensor<512x256xf32>) -> tensor<4096x256xf32>
  return %2 : tensor<4096x256xf32>
}
"""  # noqa: E501
MESH = {"x": 2, "y": 2}


@pytest.fixture(autouse=True)
def _time_that_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that runs out ends a search earlier on a busy machine: here the number of evaluations does."""
    for module in ("solver", "search"):
        monkeypatch.setattr(f"pyshardy.searching.{module}.time", SimpleNamespace(monotonic=lambda: 0.0))


def found_text(**options: Any) -> str:
    """The file that a search finds."""
    found = pyshardy.search(pyshardy.parse(PROGRAM), "a100", mesh=MESH, seconds=1, **options)
    assert not found.notes and found.evaluations > 8
    return found.text


@pytest.fixture(scope="module")
def expected() -> str:
    """What is found without any worker."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("solver", "search"):
            patch.setattr(f"pyshardy.searching.{module}.time", SimpleNamespace(monotonic=lambda: 0.0))
        return found_text()


def test_two_processes_find_the_same(expected: str) -> None:
    assert found_text(workers=2) == expected


@pytest.mark.parametrize("kind", [ProcessPoolExecutor, ThreadPoolExecutor])
def test_an_executor_of_ones_own_finds_the_same_and_is_left_open(
    expected: str, kind: type[ProcessPoolExecutor] | type[ThreadPoolExecutor]
) -> None:
    with kind(2) as executor:
        assert found_text(executor=executor) == expected
        assert executor.submit(int, "3").result() == 3
    assert not workers._kept


@pytest.mark.slow
def test_a_cluster_of_dask_finds_the_same(expected: str) -> None:
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(processes=False, **options) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor() as executor,
    ):
        assert found_text(executor=executor) == expected


def test_the_seed_of_hashes_does_not_matter(expected: str) -> None:
    code = (
        "from types import SimpleNamespace\n"
        "from pyshardy.searching import search, solver\n"
        "from tests.searching.test_executors import found_text\n"
        "search.time = solver.time = SimpleNamespace(monotonic=lambda: 0.0)\n"
        "print(found_text(), end='')\n"
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert run.stdout == expected, run.stderr


class Broken(Executor):
    """Evaluations that fail as ``problem`` says."""

    def __init__(self, problem: Exception) -> None:
        self.problem = problem

    def submit(self, *args: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(self.problem)
        return future


def test_a_worker_that_fails_is_said_in_a_sentence() -> None:
    with pytest.raises(WorkerProblem, match=r"^no worker answers: OSError: no route to host$"):
        found_text(executor=Broken(OSError("no route\n to host")))


def _refuse(*given: Any) -> None:
    raise PyshardyError([Diagnostic("error", UNKNOWN_POSITION, "no such thing")])


def test_an_error_in_a_process_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "scores", _refuse)
    with pytest.raises(WorkerProblem, match=r"^a worker has failed: PyshardyError: .*no such thing$"):
        found_text(workers=2)


def _die(*given: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Processes of their own find the function by its name, as it is when they are forked.
    monkeypatch.setattr(workers, "scores", _die)
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    assert command.run(["search", str(path), "--hardware", "a100x4", "--workers", "2", "--seconds", "1"]) == 1
    assert capsys.readouterr().err == (
        "pyshardy: a worker process has ended while it was searching, killed or out of memory: try fewer workers\n"
    )


def test_an_executor_that_is_shut_down_is_said_in_a_sentence() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(WorkerProblem, match=r"^no worker answers: RuntimeError: cannot schedule new futures"):
        found_text(executor=executor)


def test_no_workers_are_too_few() -> None:
    with pytest.raises(ValueError, match=r"^a search has at least 1 worker, not 0$"):
        found_text(workers=0)


def test_memory_is_a_number() -> None:
    with pytest.raises(ValueError, match=r"^memory is a number of bytes, as 70e9, not '70GB'$"):
        found_text(memory="70GB")


def _seconds_of(pid: int) -> float:
    """The processor time of a process so far; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children(process: int) -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process and fields[0] != "Z":
            yield int(path.parent.name)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_an_interrupt_ends_the_workers_and_leaves_the_best_so_far(tmp_path: Path) -> None:
    out = tmp_path / "found.toml"
    program = ROOT / "examples" / "transformer_megatron.mlir"
    arguments = ["search", str(program), "--hardware", "h100x8", "--workers", "2", "--seconds", "600", "-o", str(out)]
    # A shell switches Ctrl-C off for what runs in the background.
    begin = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    begin += "from pyshardy.cli.start import pyshardy; pyshardy()"
    with subprocess.Popen(
        [sys.executable, "-c", begin, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        end = time.monotonic() + 100
        # Until both have worked for a while, however slow the machine is: the time of a process says so.
        while sum(_seconds_of(one) > 2 for one in _children(run.pid)) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        children = list(_children(run.pid))
        assert len(children) >= 2
        # As a terminal does it: all processes of the group get it.
        os.killpg(run.pid, signal.SIGINT)
        said, complaints = run.communicate(timeout=120)
    assert run.returncode == 0, complaints
    assert "Traceback" not in complaints
    assert "interrupted" in said and out.exists()
    assert not any(Path(f"/proc/{one}").exists() for one in children)
