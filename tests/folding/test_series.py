"""Which operations are repeats, and which repeat is of which layer, where the text does not say so plainly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from tests.folding.folded_or_not import layers_of
from tests.folding.programs import SMALL
from tests.folding.stacks import summed_together
from tests.propagation.alike_programs import AlikeProgram

BY_NAME = sorted(range(20), key=str)


def program(arguments: Iterable[str], body: Iterable[str], returned: Sequence[str]) -> str:
    """The program of the operations ``body``, all of whose values are of one type."""
    types = ", ".join([SMALL] * len(returned))
    declared = ", ".join(f"%{name}: {SMALL}" for name in arguments)
    lines = [f"{one} : {SMALL}" for one in body]
    result = f"return {', '.join(f'%{name}' for name in returned)} : {types}"
    return "\n".join([f"func.func @main({declared}) -> ({types}) {{", *lines, result, "}"])


def of_layers(names: str, layers: Iterable[int]) -> list[str]:
    return [f"{name}{layer}" for layer in layers for name in names]


def updated(order: Sequence[int], odd: Sequence[int]) -> str:
    """Layers that read their weight, and an update of each weight in that ``order``. Layers ``odd`` are others."""
    layers = range(len(order))
    body = []
    for n in layers:
        name = "multiply" if n in odd else "add"
        body += [f"%a{n} = stablehlo.{name} %y{n}, %w{n}", f"%y{n + 1} = stablehlo.tanh %a{n}"]
    for n in order:
        body += [f"%t{n} = stablehlo.sine %w{n}", f"%u{n} = stablehlo.cosine %t{n}"]
    return program(["y0", *of_layers("w", layers)], body, [f"y{len(order)}", *of_layers("u", layers)])


@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize("odd", [[0], [19], [0, 19], [18, 19]])
def test_layers_at_the_ends_of_a_sorted_series_have_numbers_by_its_order(odd: Sequence[int], step: int) -> None:
    forward, update = layers_of(updated(BY_NAME[::step], odd)).series
    first = 1 if 0 in odd else 0
    assert forward.layers() == range(20 - len(odd))
    assert update.order == tuple(layer - first for layer in BY_NAME[::step])


def neighbors(*ranges: str) -> str:
    """Ranges of operations of these kinds for each weight; a kind behind a comma is that of the very last one."""
    body, returned = [], []
    for number, listed in enumerate(ranges):
        kinds, _, last = listed.partition(", ")
        for n in range(20):
            value = f"w{n}"
            for place, kind in enumerate(kinds.split()):
                is_last = n == 19 and place == kinds.count(" ")
                made = f"v{number}_{n}_{place}"
                body.append(f"%{made} = stablehlo.{last if last and is_last else kind} %{value}")
                value = made
            returned.append(value)
    return program(of_layers("w", range(20)), body, returned)


def test_a_range_begins_later_if_the_one_before_lacks_a_repeat_otherwise() -> None:
    found = layers_of(neighbors("sine tanh", "negate cosine floor tanh"))
    assert [(one.begin, one.period, one.end) for one in found.series] == [(0, 2, 40), (40, 4, 120)]
    assert (found.first, found.end) == (0, 20)


@pytest.mark.parametrize(
    "ranges",
    [
        ("sine tanh", "negate cosine floor tanh, ceil"),
        ("sine tanh", "negate cosine floor tanh", "negate sign tanh"),
    ],
)
def test_a_range_that_has_nothing_left_over_keeps_its_begin(ranges: Sequence[str]) -> None:
    found = layers_of(neighbors(*ranges))
    expected = [(0, 2, 38), (39, 4, 119), (119, 3, 179)][: len(ranges)]
    assert [(one.begin, one.period, one.end) for one in found.series] == expected


def two_weights(order: Sequence[int]) -> str:
    """Layers of two weights, a gradient of the first one, and updates in that ``order``. An update reads a gradient
    before it reads its weight, so that the gradients seem to say that a layer begins with its second update."""
    layers = range(len(order))
    body = []
    for n in layers:
        body += [f"%h{n} = stablehlo.add %y{n}, %a{n}", f"%y{n + 1} = stablehlo.multiply %h{n}, %b{n}"]
    body += [line for n in layers for line in (f"%s{n} = stablehlo.sine %h{n}", f"%g{n} = stablehlo.floor %s{n}")]
    for n in order:
        for weight, gradient in ((f"a{n}", f"g{n}"), (f"b{n}", f"c{n}")):
            body += [
                f"%p{weight} = stablehlo.add %{gradient}, %one",
                f"%q{weight} = stablehlo.divide %{weight}, %p{weight}",
            ]
    returned = [f"y{len(order)}", *(f"q{name}" for name in of_layers("ab", layers))]
    return program(["y0", "one", *of_layers("abc", layers)], body, returned)


def test_a_sorted_series_has_what_grouping_left_over_at_its_ends() -> None:
    found = layers_of(two_weights(BY_NAME))
    assert [(one.begin, one.period, one.end) for one in found.series] == [(0, 2, 40), (40, 2, 80), (80, 4, 160)]
    assert found.series[2].order == tuple(BY_NAME)
    assert found.end - found.first > 16


def after_a_head(order: Sequence[int]) -> str:
    """Layers of two weights that are updated in that ``order``, behind a head like their second weight."""
    layers = range(len(order))
    body = []
    for n in layers:
        body += [f"%h{n} = stablehlo.add %y{n}, %a{n}", f"%y{n + 1} = stablehlo.multiply %h{n}, %b{n}"]
    body += ["%p = stablehlo.cosine %head", "%q = stablehlo.floor %p"]
    for n in order:
        body += [f"%s{n} = stablehlo.sine %a{n}", f"%t{n} = stablehlo.tanh %s{n}"]
        body += [f"%u{n} = stablehlo.cosine %b{n}", f"%v{n} = stablehlo.floor %u{n}"]
    return program(["y0", "head", *of_layers("ab", layers)], body, [f"y{len(order)}", "q", *of_layers("tv", layers)])


def test_a_sorted_series_has_the_rest_behind_its_repeats() -> None:
    found = layers_of(after_a_head(BY_NAME))
    assert [(one.begin, one.period, one.end) for one in found.series] == [(0, 2, 40), (42, 4, 122)]
    assert found.series[1].order == tuple(BY_NAME)
    assert found.end - found.first > 16


def half_adapted(order: Sequence[int]) -> str:
    """Layers of two weights that are updated in that ``order``. The lower half of the layers has adapted its weights
    before, and is more closely related to the updates than the layers are."""
    layers = range(len(order))
    body = []
    for n in layers[: len(order) // 2]:
        body += [f"%c{n} = stablehlo.multiply %a{n}, %b{n}", f"%d{n} = stablehlo.floor %c{n}"]
    for n in layers:
        body += [f"%h{n} = stablehlo.add %y{n}, %a{n}", f"%y{n + 1} = stablehlo.tanh %h{n}"]
    for n in order:
        body += [f"%s{n} = stablehlo.subtract %a{n}, %b{n}", f"%t{n} = stablehlo.sine %s{n}"]
    return program(["y0", *of_layers("ab", layers)], body, [f"y{len(order)}", *of_layers("t", layers)])


def test_a_link_that_few_repeats_follow_does_not_number_a_series_that_another_does() -> None:
    order = [*range(4), *range(10, 14), *range(4, 8), *range(14, 18), 8, 9, 18, 19]
    found = layers_of(half_adapted(order))
    assert [(one.period, one.order) for one in found.series] == [(2, ()), (2, tuple(order))]


def test_a_range_of_two_stacks_of_unlike_layers_is_split() -> None:
    found = layers_of(summed_together(20))
    assert [one.period for one in found.series] == [3, 2, 6, 4, 3, 2]
    assert all(20 <= len(one.layers()) <= 23 for one in found.series)
    assert found.end - found.first > 16


@pytest.mark.parametrize("seed", [3012, 3018, 3026, 3031])
def test_sorted_series_have_the_same_numbers_for_layers(seed: int) -> None:
    found = layers_of(str(AlikeProgram(seed, 24, "sorted")))
    orders = [one.order for one in found.series if one.order]
    assert len(orders) > 1
    assert len({*orders}) == 1
