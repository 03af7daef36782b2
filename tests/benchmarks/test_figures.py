"""Stored figures of the benchmark come back, and say what changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.figures import STORED, Figure, Figures


def test_what_is_stored_comes_back_beside_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    assert Figures.stored(path) == Figures("never", {})
    Figures("monday", {"old": Figure(1.0, 2.0), "both": Figure(1.0, 1.0)}).store(path)
    Figures("tuesday", {"both": Figure(3.0, 1.0)}).store(path)
    assert Figures.stored(path) == Figures("tuesday", {"old": Figure(1.0, 2.0), "both": Figure(3.0, 1.0)})


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (Figure(2.04, 2.0), "stored ratio 1.00: as before"),
        (Figure(3.0, 2.0), "stored ratio 1.00: slower by 50%"),
        (Figure(1.5, 2.0), "stored ratio 1.00: faster by 25%"),
    ],
)
def test_a_change_is_one_of_the_ratio(now: Figure, said: str) -> None:
    assert Figures("monday", {"block": Figure(5.0, 5.0)}).change("block", now) == said


def test_what_was_never_measured_is_said() -> None:
    assert Figures("never", {}).change("block", Figure(1.0, 1.0)) == "no stored figure"


def test_this_machine_and_day_are_named() -> None:
    assert "Python 3." in Figures.here().made


def test_the_stored_table_can_be_read() -> None:
    assert Figures.stored(STORED).rows


def test_what_only_we_are_timed_on_is_held_against_itself() -> None:
    stored = Figures("monday", {"chain": Figure(2.0)})
    assert stored.change("chain", Figure(1.0)) == "stored figure 2.00: faster by 50%"
