"""A value may be returned for all layers, though one of them makes it, or none."""

from __future__ import annotations

from functools import partial

import pytest

from tests.folding.folded_or_not import is_folded
from tests.folding.fuzz import in_program_order, outcome, small_programs_too, wrong_of
from tests.folding.returning_layers import MADE, READABLE, random_returning, returning_zeros


@pytest.mark.parametrize("by_layer", [True, False])
@pytest.mark.parametrize("made", MADE)
def test_zeros_are_returned_for_all_layers(made: str, by_layer: bool) -> None:
    assert is_folded(returning_zeros(36, made, by_layer=by_layer))


@pytest.mark.parametrize("made", MADE)
def test_zeros_may_be_returned_several_times_but_not_those_of_each_layer(made: str) -> None:
    assert is_folded(returning_zeros(36, made, times=2)) == (made != "each")


@pytest.mark.parametrize("made", READABLE)
def test_zeros_may_be_read_too(made: str) -> None:
    assert is_folded(returning_zeros(36, made, read=True))


@pytest.mark.parametrize("made", MADE)
def test_each_return_of_zeros_has_a_buffer(made: str) -> None:
    """Buffers of results that are not there yet have room for other values, so memory depends on how many there are."""
    text = returning_zeros(36, made, wide=1024)
    with small_programs_too(), in_program_order():
        assert wrong_of(text, partial(outcome, chips=["v5e"])) is None


@pytest.mark.parametrize("odd", [0, 17, 34])
def test_one_layer_may_return_something_else(odd: int) -> None:
    is_folded(returning_zeros(36, odd=odd))


@pytest.mark.parametrize("seed", range(4))
def test_random_layers_return_what_they_do(seed: int) -> None:
    is_folded(random_returning(seed))
