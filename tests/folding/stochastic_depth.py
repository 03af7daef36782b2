"""Programs whose layers differ in a float: the probability with which each is kept, say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.folding.programs import SQUARE, dot, forward_and_backward, gradients

NUMBER, _MASK = "tensor<f32>", SQUARE.replace("f32", "i1")
FUNCTIONS = f"""
func.func private @uniform(%y: {SQUARE}) -> {SQUARE} {{
  %zero = stablehlo.constant dense<0.0> : {SQUARE}
  %0 = stablehlo.sine %y : {SQUARE}
  %1 = stablehlo.maximum %0, %zero : {SQUARE}
  return %1 : {SQUARE}
}}
func.func private @kept(%y: {SQUARE}, %rate: {NUMBER}) -> {_MASK} {{
  %0 = func.call @uniform(%y) : ({SQUARE}) -> {SQUARE}
  %1 = stablehlo.broadcast_in_dim %rate, dims = [] : ({NUMBER}) -> {SQUARE}
  %2 = stablehlo.compare LT, %0, %1 : ({SQUARE}, {SQUARE}) -> {_MASK}
  return %2 : {_MASK}
}}"""


def _wide(c: str) -> str:
    return f"%{c}_w = stablehlo.broadcast_in_dim %{c}, dims = [] : ({NUMBER}) -> {SQUARE}"


def _kept(c: str, y: str) -> list[str]:
    return [
        f"%{c}_k = func.call @kept(%{y}, %{c}) : ({SQUARE}, {NUMBER}) -> {_MASK}",
        _wide(c),
        f"%{c}_d = stablehlo.divide %{y}, %{c}_w : {SQUARE}",
        f"%{c}_z = stablehlo.constant dense<0.0> : {SQUARE}",
        f"%{c}_0 = stablehlo.select %{c}_k, %{c}_d, %{c}_z : {_MASK}, {SQUARE}",
    ]


HIDING: dict[str, Callable[[str, str], list[str]]] = {
    "kept": _kept,
    "quotient": lambda c, y: [_wide(c), f"%{c}_0 = stablehlo.divide %{c}_w, %{y} : {SQUARE}"],
    "product": lambda c, y: [
        f"%{c}_s = stablehlo.sine %{y} : {SQUARE}",
        _wide(c),
        f"%{c}_0 = stablehlo.multiply %{c}_w, %{c}_s : {SQUARE}",
    ],
}
"""Lines that make ``%{c}_0`` of ``%{y}`` and of a layer's own number ``%{c}``, which nobody sees if it is not zero."""
SEEING: dict[str, Callable[[str, str], list[str]]] = {
    "sum": lambda c, y: [_wide(c), f"%{c}_0 = stablehlo.add %{y}, %{c}_w : {SQUARE}"],
    "init": lambda c, y: [
        f"%{c}_r = stablehlo.reduce(%{y} init: %{c}) applies stablehlo.maximum across dimensions = [0]"
        f" : ({SQUARE}, {NUMBER}) -> tensor<32xf32>",
        f"%{c}_0 = stablehlo.broadcast_in_dim %{c}_r, dims = [0] : (tensor<32xf32>) -> {SQUARE}",
    ],
    "product with a sum": lambda c, y: [
        f"%{c}_s = stablehlo.add %{y}, %{y} : {SQUARE}",
        _wide(c),
        f"%{c}_0 = stablehlo.multiply %{c}_w, %{c}_s : {SQUARE}",
    ],
    "product with a constant": lambda c, y: [
        _wide(c),
        f"%{c}_t = stablehlo.constant dense<-1.0e4> : {SQUARE}",
        f"%{c}_s = stablehlo.multiply %{c}_w, %{c}_t : {SQUARE}",
        f"%{c}_0 = stablehlo.add %{y}, %{c}_s : {SQUARE}",
    ],
    "comparison with an argument": lambda c, y: [
        _wide(c),
        f"%{c}_k = stablehlo.compare LT, %w0, %{c}_w : ({SQUARE}, {SQUARE}) -> {_MASK}",
        f"%{c}_z = stablehlo.constant dense<0.0> : {SQUARE}",
        f"%{c}_0 = stablehlo.select %{c}_k, %{y}, %{c}_z : {_MASK}, {SQUARE}",
    ],
    "comparison with a number behind a barrier": lambda c, y: [
        _wide(c),
        f"%{c}_t = stablehlo.constant dense<0.5> : {SQUARE}",
        f"%{c}_b = stablehlo.optimization_barrier %{c}_t : {SQUARE}",
        f"%{c}_k = stablehlo.compare LT, %{c}_b, %{c}_w : ({SQUARE}, {SQUARE}) -> {_MASK}",
        f"%{c}_z = stablehlo.constant dense<0.0> : {SQUARE}",
        f"%{c}_0 = stablehlo.select %{c}_k, %{y}, %{c}_z : {_MASK}, {SQUARE}",
    ],
}
"""The same where a stage may look at the number."""
USES = {**HIDING, **SEEING}


def rated(
    rates: Sequence[float],
    uses: Sequence[str] = ("kept",),
    *,
    again: Sequence[float] = (),
    shared: Sequence[float] = (),
    type: str = "f32",
    in_front: bool = False,
    extra: Sequence[float] = (),
) -> str:
    """Layers that have these ``rates`` and use them in all these ways, with numbers of that ``type``. The backward pass
    divides by ``again``, as far as there are such. Each layer divides by all ``shared`` numbers, too. Numbers that are
    ``extra`` stand in front of all layers, and so do those of layers if they are ``in_front``."""

    def constant(name: str, rate: float) -> str:
        return f"%{name} = stablehlo.constant dense<{rate:e}> : {NUMBER}"

    def forward(n: int) -> list[str]:
        lines, y = [dot(f"%h{n}", f"%y{n}", f"%w{n}")], f"h{n}"
        for place, use in enumerate(uses):
            c = f"c{n}_{place}"
            lines += [*([] if in_front else [constant(c, rates[n])]), *USES[use](c, y)]
            y = f"{c}_0"
        for place, number in enumerate(shared):
            c = f"s{n}_{place}"
            lines += [constant(c, number), *HIDING["quotient"](c, y)]
            y = f"{c}_0"
        return [*lines, f"%y{n + 1} = stablehlo.tanh %{y} : {SQUARE}"]

    def backward(n: int) -> list[str]:
        made = [constant(f"e{n}", again[n]), *HIDING["quotient"](f"e{n}", f"g{n + 1}")] if n < len(again) else []
        return [
            *(made or [f"%e{n}_0 = stablehlo.cosine %g{n + 1} : {SQUARE}"]),
            *gradients(n, f"%e{n}_0"),
        ]

    front = [constant(f"x{place}", rate) for place, rate in enumerate(extra)]
    front += [
        line
        for place in range(len(extra))
        for line in (_wide(f"x{place}"), f"%x{place}_0 = stablehlo.divide %y0, %x{place}_w : {SQUARE}")
    ]
    if in_front:
        front += [constant(f"c{n}_{place}", rate) for n, rate in enumerate(rates) for place in range(len(uses))]
    head, _, rest = forward_and_backward(len(rates), forward, backward, extra=FUNCTIONS).partition(") {\n")
    return "\n".join([head + ") {", *front, rest]).replace("f32", type)


def random_rated(seed: int) -> str:
    """A program of such layers; the same for the same ``seed``."""
    random = Random(seed)
    count, kind = random.randrange(24, 45), random.randrange(6)
    rates = [1 - 0.5 * (n + 1) / count for n in range(count)]
    odd = random.randrange(count)
    if kind == 1:
        random.shuffle(rates)
    elif kind == 2:
        rates[odd] = random.choice(rates)
    elif kind == 3:
        rates[odd] = random.choice((0.0, -0.0, 1.0, -1e30, 2.0))
    elif kind == 4:
        rates = [rate if n % 2 else rates[0] for n, rate in enumerate(rates)]
    others = [rate / 3 for rate in rates]
    hiding = random.choices(list(HIDING), k=random.randrange(1, 5))
    return rated(
        rates,
        random.choice((hiding, hiding, hiding, [*hiding, random.choice(list(SEEING))])),
        again=random.choice(([], rates, rates, others, [*rates[:odd], *others[odd : odd + 1], *rates[odd + 1 :]])),
        type=random.choice(("f32", "f32", "f64", "bf16")),
        in_front=random.random() < 0.2,
        shared=random.choice(([], [], [3.0 + n for n in range(8)])),
        extra=random.choice(([], [], [0.25], [random.choice(rates)])),
    )
