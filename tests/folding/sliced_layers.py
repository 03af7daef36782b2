"""Programs whose layers read one element each of a tensor: keys for dropout, as ``jax.random.split`` makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.folding.numbered_layers import FUNCTIONS, KEY
from tests.folding.programs import SQUARE, dot, forward_and_backward, gradients

COUNT = 48
TABLE, ONE = f"tensor<{COUNT}x4x2xui32>", "tensor<1x4x2xui32>"
_GROUP = "tensor<4x2xui32>"

READERS: dict[str, Callable[[str], list[str]]] = {
    "reshape": lambda c: [f"%{c}_4 = stablehlo.reshape %{c} : ({ONE}) -> {_GROUP}"],
    "two reshapes": lambda c: [
        f"%{c}_2 = stablehlo.reshape %{c} : ({ONE}) -> {_GROUP}",
        f"%{c}_3 = stablehlo.reshape %{c} : ({ONE}) -> {_GROUP}",
        f"%{c}_4 = stablehlo.xor %{c}_2, %{c}_3 : {_GROUP}",
    ],
    "concatenate": lambda c: [
        f"%{c}_2 = stablehlo.concatenate %{c}, %{c}, dim = 0 : ({ONE}, {ONE}) -> tensor<2x4x2xui32>",
        f"%{c}_3 = stablehlo.slice %{c}_2 [1:2, 0:4, 0:2] : (tensor<2x4x2xui32>) -> {ONE}",
        f"%{c}_4 = stablehlo.reshape %{c}_3 : ({ONE}) -> {_GROUP}",
    ],
    "not": lambda c: [
        f"%{c}_2 = stablehlo.not %{c} : {ONE}",
        f"%{c}_4 = stablehlo.reshape %{c}_2 : ({ONE}) -> {_GROUP}",
    ],
}
"""Lines that make ``%{c}_4``, four keys, of the slice ``%{c}``."""
TABLES = {
    "argument": [],
    "computed": [f"%t = stablehlo.not %table : {TABLE}"],
    "read": [f"%t = stablehlo.not %table : {TABLE}", f"%t_read = stablehlo.not %t : {TABLE}"],
    "constant": [f"%t = stablehlo.iota dim = 0 : {TABLE}"],
}
"""Lines that make the tensor ``%t`` of which layers read slices, or none if it is the argument ``%table``."""


def sliced(
    starts: Sequence[int],
    *,
    readers: str = "reshape",
    table: str = "computed",
    again: Sequence[int] = (),
    dims: str = "{}, {}, {}",
    outside: Sequence[int] = (),
) -> str:
    """Layers that read the elements ``starts`` of a tensor, which is sharded as ``dims`` say. The backward pass reads
    the elements ``again``, if there are any, and operations behind all layers those ``outside``."""
    tensor = "%t" if TABLES[table] else "%table"

    def bits(c: str, start: int, y: str) -> list[str]:
        return [
            f"%{c} = stablehlo.slice {tensor} [{start}:{start + 1}, 0:4, 0:2] : ({TABLE}) -> {ONE}",
            *READERS[readers](c),
            f"%{c}_5 = stablehlo.slice %{c}_4 [1:2, 0:2] : ({_GROUP}) -> tensor<1x2xui32>",
            f"%{c}_0 = stablehlo.reshape %{c}_5 : (tensor<1x2xui32>) -> {KEY}",
            f"%{c}_1 = func.call @dropped(%{c}_0, %{y}) : ({KEY}, {SQUARE}) -> {SQUARE}",
        ]

    def forward(n: int) -> list[str]:
        return [
            dot(f"%h{n}", f"%y{n}", f"%w{n}"),
            *bits(f"c{n}", starts[n], f"h{n}"),
            f"%y{n + 1} = stablehlo.tanh %c{n}_1 : {SQUARE}",
        ]

    def backward(n: int) -> list[str]:
        made = bits(f"e{n}", again[n], f"g{n + 1}") if again else []
        return [
            *(made or [f"%e{n}_1 = stablehlo.cosine %g{n + 1} : {SQUARE}"]),
            *gradients(n, f"%e{n}_1"),
        ]

    text = forward_and_backward(len(starts), forward, backward, extra=FUNCTIONS)
    head, _, rest = text.partition(") {\n")
    sharding = f"sdy.sharding = #sdy.sharding<@mesh, [{dims}]>"
    front = [*TABLES[table]]
    for place, start in enumerate(outside):
        front += bits(f"o{place}", start, "y0")
    return "\n".join([head.replace("@main(", f"@main(%table: {TABLE} {{{sharding}}}, ") + ") {", *front, rest])


def random_sliced(seed: int) -> str:
    """A program of such layers; the same for the same ``seed``."""
    random = Random(seed)
    count = random.randrange(30, COUNT - 2)
    starts = random.choice(([*range(count)], [*range(count)][::-1], random.sample(range(COUNT), count)))
    if random.random() < 0.2:
        starts[random.randrange(count)] = random.randrange(COUNT)
    axes = random.choice((["{}", "{}", "{}"], ["{}", '{"x"}', "{}"], ['{"x"}', "{}", "{}"], ["{?}", "{?}", '{"x"}']))
    return sliced(
        starts,
        readers=random.choice(("reshape", "reshape", *READERS)),
        table=random.choice(("computed", *TABLES)),
        again=random.choice(([], starts, starts[::-1])),
        dims=", ".join(axes),
        outside=random.choice(([], [], [COUNT - 1])),
    )
