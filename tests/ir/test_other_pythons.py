"""Reading, printing, propagation and partition are the same on every Python from 3.11 that is installed."""

import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from pyshardy.ir.parsing import possessive
from tests.ir.text_outcomes import ROOT, outcomes
from tests.other_pythons import other_pythons
from tests.sampling import sampled

_POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[\d,]*\})\+|\(\?>")


@cache
def here() -> dict[str, str]:
    return outcomes()


@pytest.mark.parametrize("number", sampled(range(len(other_pythons())), 2))
def test_texts_become_the_same_on_another_python(number: int) -> None:
    python = other_pythons()[number]
    run = subprocess.run(
        [python.executable, "-B", "-m", "tests.ir.text_outcomes"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not run.returncode, f"{python.version}: {run.stderr[-2000:]}"
    there = json.loads(run.stdout)
    assert there.keys() == here().keys()
    different = [name for name, text in here().items() if there[name] != text]
    assert not different, f"{different[0]}:\n{there[different[0]]}\ninstead of\n{here()[different[0]]}"


def test_repeated_groups_that_give_nothing_back_are_written_in_one_place() -> None:
    """CPython up to 3.11.4 takes too much where they are written plainly."""
    sources = sorted((ROOT / "src").rglob("*.py"))
    wrong = [str(path.relative_to(ROOT)) for path in sources if _POSSESSIVE_GROUP.search(path.read_text())]
    assert wrong == [str(Path("src", *possessive.__name__.split(".")).with_suffix(".py"))]


@pytest.mark.parametrize("right", [True, False])
def test_a_repeated_group_ends_behind_its_last_whole_repetition(right: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possessive, "RIGHT", right and possessive.RIGHT)
    assert re.fullmatch(possessive.repeated("ab?c") + "ab", "acabcab")
    assert not re.fullmatch(possessive.repeated("ab?c", "+"), "ac" * 20 + "a")
    assert not re.fullmatch(possessive.repeated("ab?c") + "ac", "acac")
    assert re.fullmatch(possessive.repeated("ab?c", "?") + "abd", "acabd")
