"""Layers that read one element each of a tensor are alike if no stage looks at which it is."""

from __future__ import annotations

from random import Random

import pytest

from tests.folding.folded_or_not import is_folded, layers_alike, layers_of
from tests.folding.fuzz import PIPELINES, by_few, outcome, passed, small_programs_too, wrong_of
from tests.folding.sliced_layers import random_sliced, sliced
from tests.sampling import sampled

LAYERS = 36
ORDERS = {
    "up": [*range(LAYERS)],
    "down": [*range(LAYERS)][::-1],
    "any": Random(0).sample(range(LAYERS), LAYERS),
    "one again": [*range(17), 16, *range(18, LAYERS)],
}


@pytest.mark.parametrize("order", sampled(ORDERS, 2))
@pytest.mark.parametrize("table", ["argument", "computed"])
def test_layers_may_read_elements_in_any_order(order: str, table: str) -> None:
    assert is_folded(sliced(ORDERS[order], table=table))


def test_the_backward_pass_may_read_the_same_elements() -> None:
    assert is_folded(sliced(ORDERS["up"], again=ORDERS["up"], outside=[40]))


def test_equal_elements_have_to_be_of_one_layer() -> None:
    assert not layers_alike(sliced(ORDERS["up"], again=ORDERS["any"]))
    assert 17 not in layers_alike(sliced(ORDERS["up"], outside=[17]))[1:]


def test_several_reshapes_may_read_an_element() -> None:
    assert is_folded(sliced(ORDERS["up"], readers="two reshapes"))


def test_slices_of_short_layers_are_in_one_cluster_if_another_dimension_is_sharded() -> None:
    assert not is_folded(sliced(ORDERS["up"], dims='{}, {"x"}, {}'))


def test_a_sharded_dimension_gives_no_certificate() -> None:
    text = sliced(ORDERS["up"], dims='{"x"}, {}, {}')
    assert layers_alike(text)
    assert not is_folded(text)


@pytest.mark.parametrize("readers", ["concatenate", "not"])
def test_only_reshapes_may_read_the_element(readers: str) -> None:
    assert not layers_alike(sliced(ORDERS["up"], readers=readers))


@pytest.mark.parametrize("table", ["read", "constant"])
def test_nothing_else_may_read_the_tensor_and_it_may_not_be_constant(table: str) -> None:
    assert not layers_alike(sliced(ORDERS["up"], table=table))


def test_slices_that_are_equal_in_all_layers_are_not_free() -> None:
    """Each layer takes one of its four keys, too: the same in all layers."""
    assert len(layers_of(sliced(ORDERS["up"])).free.slices.starts) == LAYERS


def test_passes_leave_each_layer_its_own_element() -> None:
    text = sliced(ORDERS["any"], again=ORDERS["any"])
    with small_programs_too():
        folded, wrong = by_few(lambda: wrong_of(text, lambda one: passed(one, PIPELINES[0])))
    assert wrong is None
    assert folded


@pytest.mark.parametrize("seed", range(4))
def test_random_elements_are_those_of_their_layers(seed: int) -> None:
    with small_programs_too():
        assert wrong_of(random_sliced(seed), lambda one: outcome(one, chips=["v5e"])) is None
