"""The picture of a search: round figures on its axes, logarithms where a range is wide, labels that can be read."""

import re
from itertools import combinations

import pytest

from pyshardy.report.page.front_picture import Front, Mark
from pyshardy.report.page.scales import seconds_scale, size_scale

MIB = 2.0**20


def texts(scale: object) -> list[str]:
    return [text for _, text in scale.ticks()]  # type: ignore[attr-defined]


def test_ticks_are_round_and_have_a_unit() -> None:
    assert texts(seconds_scale([3.2e-3, 3.8e-3], 0, 100)) == ["3.2 ms", "3.4 ms", "3.6 ms", "3.8 ms"]
    assert texts(size_scale([500 * MIB, 1200 * MIB], 0, 100)) == ["0.6 GiB", "0.8 GiB", "1.0 GiB", "1.2 GiB"]
    assert texts(size_scale([1.4 * 2**30, 1.46 * 2**30], 0, 100, 4)) == ["1.40 GiB", "1.42 GiB", "1.44 GiB", "1.46 GiB"]


def test_a_wide_range_is_drawn_by_its_logarithm() -> None:
    times = seconds_scale([20e-6, 10e-3], 0, 100)
    assert times.is_log and texts(times) == ["30 µs", "100 µs", "300 µs", "1 ms", "3 ms", "10 ms"]
    sizes = size_scale([4 * MIB, 8192 * MIB], 0, 100, 4)
    assert sizes.is_log and texts(sizes) == ["16 MiB", "128 MiB", "1 GiB", "8 GiB"]
    assert not seconds_scale([1e-3, 29e-3], 0, 100).is_log and not size_scale([0, MIB], 0, 100).is_log


@pytest.mark.parametrize("figures", [[0.0], [1.0], [1e-9, 1.0], [5.0, 5.0, 5.1], [2.0**50, 2.0**51]])
def test_every_figure_is_within_the_axis_and_so_is_every_tick(figures: list[float]) -> None:
    for scale in (seconds_scale(figures, 200, 20), size_scale(figures, 20, 200)):
        assert all(20 <= scale.place(one) <= 200 for one in [*figures, *(figure for figure, _ in scale.ticks())])
        assert 1 <= len(scale.ticks()) <= 14 and len(set(texts(scale))) == len(scale.ticks())


def front(*points: tuple[float, float], known: int = 0, tried: tuple[tuple[float, float], ...] = ()) -> Front:
    marks = [Mark(str(n), "words", seconds, size, f"#point={n}") for n, (seconds, size) in enumerate(points, 1)]
    crowd = [Mark(chr(65 + n), "words", points[0][0], points[0][1] * (1 + n / 1000)) for n in range(known)]
    return Front(marks, crowd, marks[0], tried, 1e12)


def test_labels_of_a_crowd_stand_apart() -> None:
    text = front((1.0, 100.0), (2.0, 50.0), known=8).picture("wide", 760, 430)
    labels = re.findall(r'<text text-anchor="middle" x="([\d.]+)" y="([\d.]+)">([A-H]|1 best|2)</text>', text)
    assert len(labels) == 10
    for (x, y, one), (other_x, other_y, other) in combinations(labels, 2):
        apart = 7.5 * (len(one) + len(other)) / 2 - 0.2
        assert abs(float(x) - float(other_x)) >= apart or abs(float(y) - float(other_y)) >= 12.8


def test_the_line_goes_from_point_to_point_in_steps() -> None:
    text = front((1.0, 100.0), (2.0, 50.0)).picture("wide", 760, 430)
    path = re.search(r'<path d="(M[^"]*)" class="steps"', text) or re.search(r'<path class="steps" d="(M[^"]*)"', text)
    assert path is not None and re.sub(r"[\d. ]+", "", path[1]) == "MHVHVH"


def test_what_is_far_is_counted_unless_everything_is_shown() -> None:
    shown = front((1.0, 100.0), (2.0, 50.0), tried=((1.5, 80.0), (50.0, 80.0), (1.5, 9000.0)))
    assert shown.out_of_sight == 2
    everything = Front(shown.front, shown.known, shown.best, shown.tried, shown.limit, everything=True)
    assert everything.out_of_sight == 0 and "logarithmic" in everything.picture("all", 760, 430)
