"""Which operations are repeats, and which repeat is of which layer, where the text does not say so plainly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from tests.folding.programs import SMALL
from tests.folding.test_layers import layers_of

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


def neighbors(*stretches: str) -> str:
    """Stretches of operations of these kinds for each weight; a kind behind a comma is that of the very last one."""
    body, returned = [], []
    for number, stretch in enumerate(stretches):
        kinds, _, last = stretch.partition(", ")
        for n in range(20):
            value = f"w{n}"
            for place, kind in enumerate(kinds.split()):
                is_last = n == 19 and place == kinds.count(" ")
                made = f"v{number}_{n}_{place}"
                body.append(f"%{made} = stablehlo.{last if last and is_last else kind} %{value}")
                value = made
            returned.append(value)
    return program(of_layers("w", range(20)), body, returned)


def test_a_stretch_begins_later_if_the_one_before_lacks_a_repeat_otherwise() -> None:
    found = layers_of(neighbors("sine tanh", "negate cosine floor tanh"))
    assert [(one.begin, one.period, one.end) for one in found.series] == [(0, 2, 40), (40, 4, 120)]
    assert (found.first, found.end) == (0, 20)


@pytest.mark.parametrize(
    "stretches",
    [
        ("sine tanh", "negate cosine floor tanh, ceil"),
        ("sine tanh", "negate cosine floor tanh", "negate sign tanh"),
    ],
)
def test_a_stretch_that_has_nothing_left_over_keeps_its_begin(stretches: Sequence[str]) -> None:
    found = layers_of(neighbors(*stretches))
    expected = [(0, 2, 38), (39, 4, 119), (119, 3, 179)][: len(stretches)]
    assert [(one.begin, one.period, one.end) for one in found.series] == expected
