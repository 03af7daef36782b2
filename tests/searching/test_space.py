"""What layouts a strategy comes to."""

from pyshardy import parse
from pyshardy.searching.short_program import short_program
from pyshardy.searching.space import Space
from tests.searching.programs import LOOP


def test_parameters_are_not_stored_along_layers_that_a_loop_goes_through() -> None:
    space = Space(short_program(parse(LOOP.replace("<4x16x16", "<64x16x16").replace("dense<4>", "dense<64>"))))
    weight = next(one for one in space.listed if one.shape == (64, 16, 16))
    assert space.stored(weight, ((), (), ()), ("a",), {"a": 2}) == [(), ("+a",), ()]
