"""Programs whose layers differ in a number: each makes random bits of a key and a scalar constant of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.folding.programs import SQUARE, dot, forward_and_backward, gradients

NUMBER = "tensor<ui32>"
KEY, _BITS = "tensor<2xui32>", SQUARE.replace("f32", "ui32")
FUNCTIONS = f"""
func.func private @fold_in(%key: {KEY}, %number: {NUMBER}) -> {KEY} {{
  %half = stablehlo.constant dense<32> : {NUMBER}
  %all = stablehlo.constant dense<4294967295> : {NUMBER}
  %0 = stablehlo.shift_right_logical %number, %half : {NUMBER}
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : ({NUMBER}) -> tensor<1xui32>
  %2 = stablehlo.and %number, %all : {NUMBER}
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : ({NUMBER}) -> tensor<1xui32>
  %4 = stablehlo.concatenate %1, %3, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> {KEY}
  %5 = stablehlo.xor %key, %4 : {KEY}
  return %5 : {KEY}
}}
func.func private @dropped(%key: {KEY}, %y: {SQUARE}) -> {SQUARE} {{
  %zero = stablehlo.constant dense<0.0> : {SQUARE}
  %0 = stablehlo.slice %key [1:2] : ({KEY}) -> tensor<1xui32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1xui32>) -> {_BITS}
  %2 = stablehlo.iota dim = 1 : {_BITS}
  %3 = stablehlo.xor %1, %2 : {_BITS}
  %4 = stablehlo.compare LT, %3, %2 : ({_BITS}, {_BITS}) -> {SQUARE.replace("f32", "i1")}
  %5 = stablehlo.select %4, %y, %zero : {SQUARE.replace("f32", "i1")}, {SQUARE}
  return %5 : {SQUARE}
}}"""

LARGE = 1 << 17
_TABLE = f"tensor<{LARGE}xui32>"
USES: dict[str, Callable[[str, str], list[str]]] = {
    "fold_in": lambda c, y: [f"%{c}_0 = func.call @fold_in(%key, %{c}) : ({KEY}, {NUMBER}) -> {KEY}"],
    "bits": lambda c, y: [
        f"%k{c} = stablehlo.and %{c}, %{c} : {NUMBER}",
        f"%l{c} = stablehlo.broadcast_in_dim %k{c}, dims = [] : ({NUMBER}) -> {KEY}",
        f"%{c}_0 = stablehlo.xor %key, %l{c} : {KEY}",
    ],
    "sum": lambda c, y: [
        f"%l{c} = stablehlo.broadcast_in_dim %{c}, dims = [] : ({NUMBER}) -> {KEY}",
        f"%{c}_0 = stablehlo.add %key, %l{c} : {KEY}",
    ],
    "start": lambda c, y: [
        f"%{c}_0 = stablehlo.dynamic_slice %table, %{c}, sizes = [2] : ({_TABLE}, {NUMBER}) -> {KEY}",
    ],
    "init": lambda c, y: [
        f"%k{c} = stablehlo.convert %{y} : ({SQUARE}) -> {_BITS}",
        f"%l{c} = stablehlo.reduce(%k{c} init: %{c}) applies stablehlo.maximum across dimensions = [0]"
        f" : ({_BITS}, {NUMBER}) -> tensor<32xui32>",
        f"%{c}_0 = stablehlo.slice %l{c} [0:2] : (tensor<32xui32>) -> {KEY}",
    ],
    "turns": lambda c, y: [
        f"%i{c} = stablehlo.constant dense<0> : {NUMBER}",
        f"%{c}_0, %j{c} = stablehlo.while(%k{c} = %key, %l{c} = %i{c}) : {KEY}, {NUMBER}",
        "cond {",
        f"  %0 = stablehlo.compare LT, %l{c}, %{c} : ({NUMBER}, {NUMBER}) -> tensor<i1>",
        "  stablehlo.return %0 : tensor<i1>",
        "} do {",
        f"  %one = stablehlo.constant dense<1> : {NUMBER}",
        f"  %0 = stablehlo.add %l{c}, %one : {NUMBER}",
        f"  %1 = stablehlo.not %k{c} : {KEY}",
        f"  stablehlo.return %1, %0 : {KEY}, {NUMBER}",
        "}",
    ],
}
"""Lines that make ``%{c}_0``, a key, of a layer's own number ``%{c}`` or of ``%{y}``. In the first two nobody sees the
number; a stage may look at that in the others."""


def numbered(
    numbers: Sequence[int],
    use: str = "fold_in",
    *,
    again: Sequence[int] = (),
    type: str = "ui32",
    in_front: bool = False,
    extra: Sequence[int] = (),
) -> str:
    """Layers that have these ``numbers``, of that ``type``. The backward pass has the numbers ``again``, if there are
    any: those of the forward pass where activations are computed again. The numbers ``extra`` stand in front of all
    layers, and so do those of layers if they are ``in_front``."""

    def constant(name: str, number: int) -> str:
        return f"%{name} = stablehlo.constant dense<{number}> : {NUMBER}"

    def random_bits(c: str, y: str) -> list[str]:
        return [*USES[use](c, y), f"%{c}_1 = func.call @dropped(%{c}_0, %{y}) : ({KEY}, {SQUARE}) -> {SQUARE}"]

    def forward(n: int) -> list[str]:
        return [
            *([] if in_front else [constant(f"c{n}", numbers[n])]),
            dot(f"%h{n}", f"%y{n}", f"%w{n}"),
            *random_bits(f"c{n}", f"h{n}"),
            f"%y{n + 1} = stablehlo.tanh %c{n}_1 : {SQUARE}",
        ]

    def backward(n: int) -> list[str]:
        made = [constant(f"e{n}", again[n]), *random_bits(f"e{n}", f"g{n + 1}")] if again else []
        return [
            *(made or [f"%e{n}_1 = stablehlo.cosine %g{n + 1} : {SQUARE}"]),
            *gradients(n, f"%e{n}_1"),
        ]

    front = [constant(f"x{place}", number) for place, number in enumerate(extra)]
    front += [
        f"%x{place}_1 = func.call @fold_in(%key, %x{place}) : ({KEY}, {NUMBER}) -> {KEY}" for place in range(len(extra))
    ]
    front += [constant(f"c{n}", number) for n, number in enumerate(numbers) if in_front]
    text = forward_and_backward(len(numbers), forward, backward, extra=FUNCTIONS)
    head, _, rest = text.partition(") {\n")
    text = "\n".join([head.replace("@main(", f"@main(%key: {KEY}, %table: {_TABLE}, ") + ") {", *front, rest])
    return text.replace("ui32", type)


def random_numbered(seed: int) -> str:
    """A program of such layers; the same for the same ``seed``."""
    random = Random(seed)
    count = random.randrange(30, 45)
    numbers = random.sample(range(2 * LARGE, 1 << 31), count)
    use = random.choice(["fold_in", "fold_in", *USES])
    kind, odd = random.randrange(6), random.randrange(count)
    if kind == 1:
        numbers = random.sample(range(random.choice((64, 4096))), count)
    elif kind == 2:
        numbers[odd] = random.choice(numbers)
    elif kind == 3:
        numbers[odd] = random.choice((2, 4, 16, 32, (1 << 31) - 1))
    elif kind == 4:
        # One start of a slice is in the table.
        use, numbers[odd] = "start", LARGE * 2 // 3
    others = random.sample(range(1 << 16, 1 << 31), count)
    return numbered(
        numbers,
        use,
        again=random.choice(([], numbers, others, [*numbers[:odd], *others[odd : odd + 1], *numbers[odd + 1 :]])),
        type=random.choice(("ui32", "ui32", "i32", "ui64")),
        in_front=random.random() < 0.3,
        extra=random.choice(([], [], [5], [random.choice(numbers)], [7, 7])),
    )
