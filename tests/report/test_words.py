"""Times and operations as tables write them."""

import pytest

from pyshardy.report.words import flops_text, seconds_text, size_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (1.5e-10, "0.15 ns"),
        (1e-9, "1.00 ns"),
        (0.9994e-6, "999 ns"),
        (0.99951e-6, "1.00 µs"),
        (99.94e-6, "99.9 µs"),
        (0.0123456, "12.3 ms"),
        (3.0, "3.00 s"),
        (12345.0, "12345 s"),
    ],
)
def test_a_time_has_three_digits_and_a_unit(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text


@pytest.mark.parametrize(
    ("flops", "text"),
    [(0, "0 FLOP"), (999, "999 FLOP"), (1500, "1.50 kFLOP"), (2.5e12, "2.50 TFLOP"), (7e18, "7000 PFLOP")],
)
def test_operations_have_three_digits_and_a_unit(flops: float, text: str) -> None:
    assert flops_text(flops) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1535.6, "1.5 KiB"),
        (2**60, "1048576.0 TiB"),
        (2**100, "1152921504606846976.0 TiB"),
        (2**3000, "more than 2^100 B"),
    ],
)
def test_a_size_has_a_unit(count: float, text: str) -> None:
    assert size_text(count) == text
