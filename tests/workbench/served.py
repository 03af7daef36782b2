"""A workbench for tests: a step of perceptrons with momentum on eight small chips, served in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

from pyshardy.analysis.cost.hardware_files import hardware
from pyshardy.analysis.cost.targets import Target
from pyshardy.workbench.answers import Answers
from pyshardy.workbench.server import WorkbenchServer
from pyshardy.workbench.sheet import Sheet
from tests.searching.programs import training

SMALL = {
    "name": "small chip",
    "chip": {"memory": 3e6, "bandwidth": 1e11, "flops": {"f32": 1e12}},
    "links": [{"name": "wire", "topology": "torus", "dimensions": [4, 2], "bandwidth": 1e10, "latency": 1e-6}],
}


def answers(layers: int = 4) -> Answers:
    """What it knows of the step, which needs several times the memory of a chip where nothing is sharded."""
    return Answers(Sheet(training(layers), Target(hardware(SMALL), 8)), "step.mlir")


@contextmanager
def served(
    made: Answers, renewed: Callable[[], Answers] | None = None, version: Callable[[], str] = lambda: "1"
) -> Iterator[WorkbenchServer]:
    """The server, at work in a thread."""
    server = WorkbenchServer(made, renewed or (lambda: made), version)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
