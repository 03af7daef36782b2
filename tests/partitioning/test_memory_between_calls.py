"""Nothing of a program is kept when the last reference to it has gone: neither by logs and tables of the package, nor
as garbage that nobody looks for."""

import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pyshardy import parse
from pyshardy.ir import collector, rewriting
from pyshardy.ir.change_log import MODIFICATIONS, STRUCTURAL_CHANGES, kept_changes
from tests.partitioning.memory_between_calls import WAYS, program


def counted() -> dict[str, Any]:
    """What a process of its own counts."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "tests.partitioning.memory_between_calls"],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src")},
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_no_module_and_no_operation_outlives_its_last_reference() -> None:
    found = counted()
    assert found["outlives"] == dict.fromkeys(WAYS, 0)
    # Operations that somebody keeps keep no others.
    assert found["kept beside a plan"] == 0
    # Programs that have ended are looked for without being asked.
    assert found["most without being asked"] < 10 * 200


def test_changes_are_kept_while_somebody_may_ask_and_then_forgotten() -> None:
    module = parse(program(0))
    first = next(op for op in module.op.walk() if op.name == "stablehlo.tanh")
    moves, changes = STRUCTURAL_CHANGES.count, MODIFICATIONS.count
    with kept_changes():
        with kept_changes():
            rewriting.replace_all_uses(first.result, first.operands[0])
            rewriting.erase(first)
        assert STRUCTURAL_CHANGES.since(moves) == [first] and len(MODIFICATIONS.since(changes) or []) == 1
    assert STRUCTURAL_CHANGES.since(moves) is None and MODIFICATIONS.since(changes) is None
    assert STRUCTURAL_CHANGES.count == moves + 1 and STRUCTURAL_CHANGES.since(moves + 1) == []


@pytest.fixture
def small_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing but programs lived in this process."""
    gc.collect()
    for name, value in {"objects": 0, "ended": 0, "lived": 0}.items():
        monkeypatch.setattr(collector._Made, name, value)
    monkeypatch.setattr(collector, "_objects_alive", lambda: 0)


@pytest.mark.usefixtures("small_process")
def test_nothing_is_looked_for_while_all_programs_are_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "_WORTH_A_LOOK", 1)
    looks: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: looks.append(1))
    kept = [parse(program(number)) for number in range(10)]
    assert not looks
    kept.pop()
    parse(program(0))
    assert looks


@pytest.mark.usefixtures("small_process")
def test_nothing_is_looked_for_where_only_a_small_program_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: looks.append(1))
    parse(program(0))
    monkeypatch.setattr(collector, "_WORTH_A_LOOK", collector._Made.objects + 1)
    kept = [parse(program(number, 200)) for number in range(4)]
    assert not looks
    kept.clear()
    parse(program(0))
    assert looks
