"""Searches on random programs that other tests have not seen."""

import pytest

from tests.sampling import sampled
from tests.searching.fuzz import try_search


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(61_000, 61_008), 2))
def test_a_search_on_a_random_program_holds(seed: int) -> None:
    word, wrong = try_search(seed)
    assert not wrong, f"{word}: {wrong}"
