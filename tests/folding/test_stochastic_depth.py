"""Layers that differ in a float, as with stochastic depth, are alike if no stage looks at it."""

from __future__ import annotations

import pytest

from tests.folding.folded_or_not import is_folded, layers_alike
from tests.folding.fuzz import outcome, small_programs_too, wrong_of
from tests.folding.stochastic_depth import HIDING, SEEING, random_rated, rated
from tests.sampling import sampled

COUNT = 36
RATES = [1 - 0.5 * (n + 1) / COUNT for n in range(COUNT)]


def with_rate(layer: int, rate: float) -> list[float]:
    """The rates of all layers, of which one has another."""
    return [*RATES[:layer], rate, *RATES[layer + 1 :]]


@pytest.mark.parametrize("use", HIDING)
def test_layers_may_differ_in_a_float_that_nobody_sees(use: str) -> None:
    assert len(layers_alike(rated(RATES, [use]))) > COUNT - 4


@pytest.mark.parametrize("use", SEEING)
def test_layers_are_not_alike_if_a_stage_may_look_at_the_float(use: str) -> None:
    assert not layers_alike(rated(RATES, [use]))
    assert not layers_alike(rated(RATES, ["kept", use]))


@pytest.mark.parametrize("again", [(), RATES])
@pytest.mark.parametrize("uses", [("kept",), ("kept", "kept"), ("kept", "product", "quotient", "kept")])
def test_a_layer_may_have_its_number_several_times(uses: tuple[str, ...], again: list[float]) -> None:
    assert is_folded(rated(RATES, uses, again=again))


def test_repeats_may_begin_in_the_midst_of_a_layer() -> None:
    """The last layer has no number in the backward pass, so that repeats have the end of a layer and the begin of the
    next one, with the number of this."""
    assert len(layers_alike(rated(RATES, ["kept", "kept"], again=RATES[:-1]))) > COUNT - 4
    assert is_folded(rated(RATES, ["kept", "kept"], again=RATES[:-1]))


@pytest.mark.parametrize("type", ["f64", "bf16"])
def test_numbers_may_be_of_any_type_of_floats(type: str) -> None:
    assert is_folded(rated(RATES, type=type))


def test_a_product_with_zero_is_seen() -> None:
    assert 17 in layers_alike(rated(RATES, ["product"]))[1:]
    assert 17 not in layers_alike(rated(with_rate(17, 0.0), ["product"]))[1:]


def test_numbers_that_all_layers_have_are_not_those_of_single_layers() -> None:
    shared = [3.0 + n for n in range(8)]
    assert len(layers_alike(rated(RATES, ["kept", "kept"], again=RATES, shared=shared))) > COUNT - 4
    assert len(layers_alike(rated([0.5] * COUNT, shared=shared))) > COUNT - 4


def test_the_number_of_another_layer_makes_a_layer_unlike_others() -> None:
    text = rated(with_rate(20, RATES[3]), ["kept", "kept"], again=RATES)
    assert 20 not in layers_alike(text)[1:]
    is_folded(text)


@pytest.mark.parametrize("seed", sampled(range(8), 2))
def test_random_rates_are_those_of_their_layers(seed: int) -> None:
    with small_programs_too():
        assert wrong_of(random_rated(seed), lambda one: outcome(one, chips=["v5e"])) is None
