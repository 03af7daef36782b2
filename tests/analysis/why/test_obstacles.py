"""Why an axis did not come: every cause, and what happens when it is deleted."""

import pytest

from pyshardy.analysis.why import stops
from tests.analysis.why.obstacle_programs import STOPPED, Stopped
from tests.analysis.why.programs import explained, obstacle


@pytest.mark.parametrize("stopped", STOPPED, ids=[f"{one.cause} {number}" for number, one in enumerate(STOPPED)])
def test_the_cause_is_given_and_without_it_the_axis_comes(stopped: Stopped) -> None:
    dimension = explained(stopped.text, stopped.what).dimensions[stopped.dim]
    found = obstacle(dimension, stopped.axis)
    assert found is not None and found.cause == stopped.cause, dimension
    assert (found.by.text if found.by is not None else "") == stopped.by
    assert stopped.axis not in [one.axis.body_text for one in dimension.chains]
    dimension = explained(stopped.without, stopped.what).dimensions[stopped.dim]
    found = obstacle(dimension, stopped.axis)
    if stopped.then:
        assert found is not None and found.cause == stopped.then
    else:
        assert stopped.axis in [one.axis.body_text for one in dimension.chains], dimension.obstacles


def test_every_cause_has_a_program() -> None:
    assert {one.cause for one in STOPPED} == set(stops.CAUSES)
