"""What collectives move, once and with all iterations of the loops around them."""

from typing import NamedTuple

from pyshardy.report.traffic import received_text, traffic


class Moving(NamedTuple):
    bytes: float
    turns: int | None


def test_without_loops_there_is_one_figure() -> None:
    assert received_text(traffic([Moving(1024, 1), Moving(512, 1)])) == "each device receives 1.5 KiB"


def test_turns_multiply_the_bytes_and_unknown_ones_count_once() -> None:
    moved = traffic([Moving(100, 3), Moving(50, None)])
    assert (moved.count, moved.bytes, moved.runs, moved.run_bytes, moved.unknown) == (2, 150, 4, 350, 1)
    assert received_text(moved) == (
        "each device receives 150 B with one iteration of every loop, 350 B with all iterations; "
        "no trip count is known for loops around 1 of them"
    )


def test_loops_that_go_round_never_and_twice_make_a_difference() -> None:
    assert received_text(traffic([Moving(100, 0), Moving(50, 2)])) == (
        "each device receives 150 B with one iteration of every loop, 100 B with all iterations"
    )
