"""Programs that return one value for all layers: the zeros that Adafactor keeps for weights whose state it factors."""

from __future__ import annotations

from random import Random

from tests.folding.programs import SQUARE, dot, gradients, on_four_devices

READABLE = ("each", "front", "first", "argument")
MADE = (*READABLE, "middle", "last")
"""Where the zeros are made: by each layer for itself, in front of all layers, by one layer for all (in the first all
layers can read them); or not at all."""


def returning_zeros(
    count: int,
    made: str = "each",
    *,
    times: int = 1,
    by_layer: bool = True,
    odd: int | None = None,
    read: bool = False,
    wide: int = 1,
) -> str:
    """So many layers of squares that return the update of their weight, and zeros ``times``. Results stand layer
    ``by_layer``, else the updates of all layers stand first. Layer ``odd`` returns other zeros than the others. If they
    are ``read``, layers add their zeros to the activations, too. There are ``wide`` zeros, one if they are read."""
    type = f"tensor<{wide}xf32>"
    makers = {"first": count - 1, "middle": count // 2, "last": 0}

    def zeros(name: str, constant: str) -> list[str]:
        return [
            f"%c{name} = stablehlo.constant dense<{constant}> : tensor<f32>",
            f"%{name} = stablehlo.broadcast_in_dim %c{name}, dims = [] : (tensor<f32>) -> {type}",
        ]

    def name(n: int) -> str:
        if n == odd:
            return "%odd"
        return {"each": f"%z{n}", "front": "%z", "argument": "%given"}.get(made, f"%z{makers.get(made, 0)}")

    def forward(n: int) -> list[str]:
        return [dot(f"%h{n}", f"%y{n}", f"%w{n}"), f"%y{n + 1} = stablehlo.tanh %h{n} : {SQUARE}"]

    def backward(n: int) -> list[str]:
        lines = zeros(f"z{n}", "0.0") if made == "each" or n == makers.get(made) else []
        gradient = f"%g{n + 1}"
        if read:
            lines += [
                f"%r{n} = stablehlo.broadcast_in_dim {name(n)}, dims = [0] : ({type}) -> {SQUARE}",
                f"%s{n} = stablehlo.add {gradient}, %r{n} : {SQUARE}",
            ]
            gradient = f"%s{n}"
        return [
            *lines,
            *gradients(n, gradient),
        ]

    sharded = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    returned = [[(f"%d{n}", SQUARE), *[(name(n), type)] * times] for n in range(count)]
    if by_layer:
        results = [one for row in returned for one in row]
    else:
        results = [row[0] for row in returned] + [one for row in returned for one in row[1:]]
    arguments = [f"%given: {type}", f"%y0: {SQUARE}", *(f"%w{n}: {SQUARE} {sharded}" for n in range(count))]
    types = [f"{one} {sharded}" if one == SQUARE else one for _, one in results]
    body = [
        *(zeros("z", "0.0") if made == "front" else []),
        *(zeros("odd", "1.0") if odd is not None else []),
        *[line for n in range(count) for line in forward(n)],
        f"%g{count} = stablehlo.negate %y{count} : {SQUARE}",
        *[line for n in reversed(range(count)) for line in backward(n)],
    ]
    return on_four_devices(arguments, types, body, [one for one, _ in results])


def random_returning(seed: int) -> str:
    """Such a program; the same for the same ``seed``."""
    random = Random(seed)
    count, made = random.randrange(30, 45), random.choice(MADE)
    times, by_layer = random.choice((1, 1, 2, 3)), random.random() < 0.6
    odd, read = random.choice((None, None, random.randrange(count))), made in READABLE and random.random() < 0.5
    wide = 1 if read else random.choice((1, 1, 256, 1024, 4096))
    return returning_zeros(count, made, times=times, by_layer=by_layer, odd=odd, read=read, wide=wide)
