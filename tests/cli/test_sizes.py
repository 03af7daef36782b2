"""Sizes of memory as they are typed."""

import argparse

import pytest

from pyshardy.cli.sizes import read_size


@pytest.mark.parametrize(
    ("text", "bytes"), [("12", 12), ("500KiB", 512_000), ("1.5 GB", 1_500_000_000), ("2m", 2_000_000), ("1TiB", 2**40)]
)
def test_a_size_has_a_decimal_or_a_binary_unit(text: str, bytes: int) -> None:
    assert read_size(text) == bytes


@pytest.mark.parametrize("text", ["big", "", "GB", "1XB", "-1GB", "1e3"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no size"):
        read_size(text)
