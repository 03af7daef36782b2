"""The example with user priorities, batch, then Megatron, then ZeRO: what each of them adds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import pyshardy
from pyshardy.cli import main

_EXAMPLES = Path(__file__).parents[2] / "examples"
_PROGRAM = _EXAMPLES / "priorities.mlir"
_LAST = {
    "hidden": '[{"data"}, {"model"}]',
    "between": '[{"data"}, {}]',
    "gradient": '[{"model"}, {"data"}]',
    "updated": '[{"data"}, {"model"}]',
}
_STEPS = (
    {"hidden": '[{"data"}, {}]', "between": '[{"data"}, {}]', "gradient": "", "updated": ""},
    {
        "hidden": '[{"data"}, {"model"}]',
        "between": '[{"data"}, {}]',
        "gradient": '[{"model"}, {}]',
        "updated": '[{}, {"model"}]',
    },
    _LAST,
)


def _shardings(text: str) -> dict[str, str]:
    """The shardings of four tensors of the step: the first of their operation with that type."""
    wanted = {
        "hidden": r"stablehlo\.tanh .*",
        "between": r"stablehlo\.dot_general .*-> tensor<32x64xf32>",
        "gradient": r"stablehlo\.dot_general .*-> tensor<256x64xf32>",
        "updated": r"stablehlo\.subtract .*: tensor<64x256xf32>",
    }
    found = {name: re.search(pattern, text) for name, pattern in wanted.items()}
    return {name: _sharding(line[0]) for name, line in found.items() if line is not None}


def _sharding(line: str) -> str:
    found = re.search(r"<\[<@mesh, (\[.*?\])>\]>", line)
    return found[1] if found is not None else ""


def test_the_script_prints_the_program_after_each_priority() -> None:
    script = _EXAMPLES / "print_priorities.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    head, *programs = re.split(r"// after priority \d\n", done.stdout)
    assert not head
    assert [_shardings(text) for text in programs] == list(_STEPS)


@pytest.mark.parametrize("priority", range(3))
def test_the_command_stops_after_a_priority(priority: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["propagate", str(_PROGRAM), "--stop-after", str(priority)]) == 0
    assert _shardings(capsys.readouterr().out) == _STEPS[priority]


def test_the_dumps_show_the_program_after_each_priority_but_the_last(tmp_path: Path) -> None:
    out = tmp_path / "out.mlir"
    assert main.run(["propagate", str(_PROGRAM), "--dump-dir", str(tmp_path), "-o", str(out)]) == 0
    dumps = [(tmp_path / f"02.propagation_after_user_priority_{number}.mlir").read_text() for number in range(2)]
    opened = [_shardings(re.sub(r"(, )?\?", "", text)) for text in dumps]
    assert [one["hidden"] for one in opened] == [step["hidden"] for step in _STEPS[:2]]
    assert _shardings((tmp_path / "02.after_propagation.mlir").read_text()) == _LAST
    assert _shardings(out.read_text()) == _LAST


def test_without_priorities_the_weights_split_the_activations_between_the_layers() -> None:
    text = str(pyshardy.propagate(pyshardy.parse(_PROGRAM.read_text()), strategy="op-priority"))
    assert _shardings(text) == {**_LAST, "between": '[{}, {"data"}]'}
