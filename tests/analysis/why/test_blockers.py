"""Why an axis did not come: every cause, and what happens when it is deleted."""

import pytest

from pyshardy.analysis.why import failed_conditions as failed
from tests.analysis.why.blocker_programs import STOPPED, Stopped
from tests.analysis.why.programs import blocker, explained
from tests.differential.jax_programs import PROGRAMS


@pytest.mark.parametrize("stopped", STOPPED, ids=[f"{one.cause} {number}" for number, one in enumerate(STOPPED)])
def test_the_cause_is_given_and_without_it_the_axis_comes(stopped: Stopped) -> None:
    dimension = explained(stopped.text, stopped.what).dimensions[stopped.dim]
    found = blocker(dimension, stopped.axis)
    assert found is not None and found.cause == stopped.cause, dimension
    assert (found.by.text if found.by is not None else "") == stopped.by
    assert stopped.axis not in [one.axis.body_text for one in dimension.chains]
    dimension = explained(stopped.without, stopped.what).dimensions[stopped.dim]
    found = blocker(dimension, stopped.axis)
    if stopped.then:
        assert found is not None and found.cause == stopped.then
    else:
        assert stopped.axis in [one.axis.body_text for one in dimension.chains], dimension.blockers


def test_what_a_loop_carries_can_get_an_axis_after_the_last_visit() -> None:
    # A loop over layers, and the one backward over what it saved.
    text = PROGRAMS["scan_with_rematerialisation"]()
    found = blocker(explained(text, "@dynamic_index_in_dim_0/%arg0").dimensions[2], '"model"')
    assert found is not None and found.cause == failed.NOT_AGAIN
    without = text.replace('{"model"}', "{}")
    found = blocker(explained(without, "@dynamic_index_in_dim_0/%arg0").dimensions[2], '"model"')
    assert found is not None and found.cause == failed.NOT_ASKED


def test_every_cause_has_a_program() -> None:
    assert {one.cause for one in STOPPED} | {failed.NOT_AGAIN} == set(failed.CAUSES)
