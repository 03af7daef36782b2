"""The figures of the benchmark become tables, and those of the page are the stored ones."""

from __future__ import annotations

from benchmarks.figures import Figure, Figures
from benchmarks.table import PAGE, tables, written

FIGURES = Figures(
    "monday",
    {
        "32 layers, whole, first call, verifier on": Figure(0.5, 1.0),
        "32 layers, whole, first call, verifier on, compiled": Figure(0.25, 1.0),
        "32 layers, whole, first call, verifier on, memory": Figure(50.0, 200.0),
        "2 layers, whole, first call, verifier on": Figure(0.1, 0.1),
        "8 devices": Figure(0.04),
        "8 devices, memory": Figure(21.0),
        "8 devices, compiled": Figure(0.02),
    },
)


def test_every_figure_stands_beside_that_of_the_other_side() -> None:
    lines = tables(FIGURES).splitlines()
    assert [line for line in lines if "layers" in line] == [
        "| 2 layers | whole | on | 100 | — | 100 | 1.00 | — |",
        "| 32 layers | whole | on | 500 | 250 | 1000 | 0.50 | 0.25 |",
        "| 32 layers | whole | on | 50 | — | 200 | 0.25 | — |",
    ]
    assert "| 8 devices | 40 | 20 | 21 | — |" in lines


def test_the_page_is_written_between_its_marks() -> None:
    page = "before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n"
    once = written(page, FIGURES)
    assert once.startswith("before\n<!-- figures -->\n\nMeasured monday.\n")
    assert once.endswith("\n<!-- end of figures -->\nafter\n")
    assert "old" not in once
    assert written(once, FIGURES) == once


def test_the_page_has_the_stored_figures() -> None:
    page = PAGE.read_text()
    assert page == written(page, Figures.stored())
