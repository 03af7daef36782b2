"""What layouts a strategy comes to."""

import re
from itertools import islice

from pyshardy import parse
from pyshardy.searching.short_program import short_program
from pyshardy.searching.space import Space, independent_sets
from tests.searching.programs import LOOP, training


def test_parameters_are_not_stored_along_layers_that_a_loop_goes_through() -> None:
    space = Space(short_program(parse(LOOP.replace("<4x16x16", "<64x16x16").replace("dense<4>", "dense<64>"))))
    weight = next(one for one in space.listed if one.shape == (64, 16, 16))
    assert space.stored(weight, ((), (), ()), ("a",), {"a": 2}) == [(), ("+a",), ()]


def test_layers_that_names_do_not_tie_together_are_few_classes() -> None:
    text = training(36).text(debug_info=True)
    numbered = re.sub(r"\['layers'\]\[(\d+)\]", lambda found: f"['block_{int(found[1]):02}']", text)
    named, other = (Space(short_program(parse(one))) for one in (text, numbered))
    assert "block_07" in numbered
    assert len(other.candidates) < len(named.candidates) + 12
    assert sum(len(one.arguments) for one in other.listed) == sum(len(one.arguments) for one in named.listed)


def test_sets_of_classes_that_are_tied_to_nothing_end() -> None:
    # Of each pair only one can be in a set: 2 ** 30 sets.
    found = list(islice(independent_sets(range(60), lambda one, other: one // 2 == other // 2), 100))
    assert len(found) == len(set(found)) == 100
