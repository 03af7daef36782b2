"""Arguments and results of functions that are read by their pieces are read as the complete parser reads them."""

from __future__ import annotations

from random import Random

import pytest

from pyshardy import PyshardyError, parse
from pyshardy.ir.shortcuts import without_shortcuts

SHARDING = '#sdy.sharding<@mesh, [{"x"}, {}]>'
VALUES = (
    '"result[0]"',
    '"a" : i1',
    '"\\22"',
    '"}, tensor<8xf32>"',
    "{c = 1, d}",
    '{a = "x"}',
    SHARDING,
    "7 : i32",
    "1234567890 : i32",
    "true",
    "5 : i64",
    "007 : i32",
    '#sdy.sharding<@mesh, [{"x", ?}, {}], replicated={}>',
    "#sdy.sharding<@mesh, [{}]>",
    '#sdy.sharding<@none, [{"x"}, {}]>',
    "#alias",
    "@symbol",
    '["x"]',
    "5 : i32",
)
NAMES = ("jax.result_info", "sdy.sharding", "mhlo.a", "mhlo.b", '"mhlo.c"', "plain")
TYPES = (
    "tensor<8x8xf32>",
    "tensor<8xf32>",
    "tensor<8x?xi1>",
    "tensor<8x8xf99>",
    "tensor< 8x8xf32>",
    "!stablehlo.token",
)


def program(random: Random) -> str:
    """A function whose arguments and results have dictionaries, most of them right."""

    def entry() -> str:
        right = random.random() < 0.97
        names = random.sample(NAMES[:4], random.randrange(1, 4)) if right else random.choices(NAMES, k=2)
        items = []
        for name in names:
            value = random.choice(VALUES[:9] if random.random() < 0.9 else VALUES)
            value = SHARDING if name == "sdy.sharding" else value
            items.append(f"{name} = {value}" if random.random() < 0.98 else f"{name}  ={value}")
        dictionary = f" {{{', '.join(items)}}}" if random.random() < 0.8 else ""
        text = f"{TYPES[0] if right else random.choice(TYPES)}{dictionary}"
        return text if random.random() < 0.99 else text.replace(random.choice('="{}>, '), random.choice(" {}<>,"), 1)

    def location() -> str:
        return random.choice(("", ' loc("a")', " loc(unknown)", " loc(#loc)", " loc(#early)", ' loc("a":1:2)'))

    located = random.random() < 0.5
    arguments = ", ".join(
        f"%arg{number}: {entry()}{location() if located and random.random() < 0.9 else ''}" for number in range(12)
    )
    results = ", ".join(entry() for _ in range(12))
    types = ", ".join([TYPES[0]] * 12)
    return (
        '#alias = "text"\n#early = loc("c")\nsdy.mesh @mesh = <["x"=2]>\n'
        f"func.func private @f({arguments}) -> ({results}) {{\n"
        f"  return {', '.join(f'%arg{number}' for number in range(12))} : {types}\n}}\n"
        '#loc = loc("b"(unknown))\n'
    )


def outcome(text: str) -> str:
    try:
        return parse(text).text(debug_info=True)
    except PyshardyError as error:
        return str(error)


@pytest.mark.parametrize("seed", range(150))
def test_entries_are_read_the_same(seed: int) -> None:
    text = program(Random(seed))
    fast = outcome(text)
    with without_shortcuts():
        assert outcome(text) == fast


def test_most_programs_are_right() -> None:
    assert sum("func.func" in outcome(program(Random(seed))) for seed in range(40)) > 5


def test_names_must_differ() -> None:
    text = 'func.func private @f(tensor<8xf32> {mhlo.a = "x", mhlo.a = "y"})'
    assert "duplicate key 'mhlo.a'" in outcome(text)


def test_a_location_that_is_not_there_is_said_at_its_place() -> None:
    arguments = "%a: tensor<8xf32> loc(#early), %b: tensor<8xf32> loc(#none)"
    text = f"func.func @f({arguments}) {{\n  return\n}}\n#early = loc(unknown)"
    said = outcome(text)
    assert said.startswith(f"-:1:{text.index('#none') + 1}: error: operation location alias was never defined")
    with without_shortcuts():
        assert outcome(text) == said
