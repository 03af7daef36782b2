"""Layers that differ in a number are alike if no stage looks at it, and none takes it for another."""

from __future__ import annotations

from random import Random

import pytest

from tests.folding.folded_or_not import is_folded, layers_alike
from tests.folding.fuzz import PIPELINES, by_few, outcome, passed, small_programs_too, wrong_of
from tests.folding.numbered_layers import LARGE, USES, numbered, random_numbered

COUNT = 36
NUMBERS = Random(0).sample(range(2 * LARGE, 1 << 31), 2 * COUNT)
OWN, OTHERS = NUMBERS[:COUNT], NUMBERS[COUNT:]
HIDING = ("fold_in", "bits")


def with_number(layer: int, number: int) -> list[int]:
    """The numbers of all layers, of which one has another."""
    return [*OWN[:layer], number, *OWN[layer + 1 :]]


@pytest.mark.parametrize("use", HIDING)
def test_layers_may_differ_in_a_number_that_nobody_sees(use: str) -> None:
    assert len(layers_alike(numbered(OWN, use))) > COUNT - 4
    assert is_folded(numbered(OWN, use))


@pytest.mark.parametrize("use", [one for one in USES if one not in HIDING])
def test_layers_are_not_alike_if_a_stage_may_look_at_the_number(use: str) -> None:
    assert not layers_alike(numbered(OWN, use))
    assert not is_folded(numbered(OWN, use))


def test_the_start_of_a_slice_is_looked_at_even_if_most_are_out_of_bounds() -> None:
    assert not is_folded(numbered(with_number(17, LARGE - 99), "start"))


@pytest.mark.parametrize("type", ["i32", "ui64"])
def test_numbers_may_be_of_any_type_of_integers(type: str) -> None:
    assert is_folded(numbered(OWN, type=type))


@pytest.mark.parametrize("again", [OWN, OTHERS])
def test_the_backward_pass_may_have_the_same_numbers_or_others(again: list[int]) -> None:
    assert is_folded(numbered(OWN, again=again))


def test_equal_numbers_have_to_be_of_one_layer() -> None:
    assert not layers_alike(numbered(OWN, again=OWN[::-1]))
    assert not is_folded(numbered(OWN, again=OWN[::-1]))


def test_numbers_may_stand_in_front_of_all_layers() -> None:
    assert is_folded(numbered(OWN, again=OWN, in_front=True))


@pytest.mark.parametrize(
    "text",
    [
        numbered(with_number(20, OWN[3])),
        numbered(with_number(20, OTHERS[0]), again=OWN),
        numbered(OWN, extra=[OWN[20]]),
        numbered(with_number(20, 32)),
    ],
    ids=["that of another layer", "other places", "that of no layer", "that of a function"],
)
def test_a_layer_with_a_number_that_may_be_taken_for_another_is_unlike_others(text: str) -> None:
    assert 20 not in layers_alike(text)[1:]
    is_folded(text)


def test_the_number_of_a_layer_may_be_that_of_its_place() -> None:
    assert is_folded(numbered(range(100, 100 + COUNT)))


@pytest.mark.parametrize("number", [2, 16])
def test_numbers_that_the_partitioner_comes_up_with_are_those_of_no_layer(number: int) -> None:
    text = numbered(with_number(17, number), type="i32")
    assert 17 in layers_alike(text)[1:]
    assert not is_folded(text)


@pytest.mark.parametrize("again", [(), OWN])
def test_passes_leave_each_layer_its_own_number(again: list[int]) -> None:
    text = numbered(OWN, again=again)
    with small_programs_too():
        folded, wrong = by_few(lambda: wrong_of(text, lambda one: passed(one, PIPELINES[0])))
    assert wrong is None
    assert folded


@pytest.mark.parametrize("seed", range(4))
def test_random_numbers_are_those_of_their_layers(seed: int) -> None:
    with small_programs_too():
        assert wrong_of(random_numbered(seed), lambda one: outcome(one, chips=["v5e"])) is None
