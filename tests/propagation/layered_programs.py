"""Random programs of many layers: what repeats is made of random operations, which read what came before, what the
layer below and the forward layer left, weights of their own, and values that all layers share."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

Shape = tuple[int, ...]
Value = tuple[str, Shape]
"""The name of a value, and its shape."""

AXES = {"x": 2, "y": 2, "z": 3}
_SIZES = (12, 24, 36)


_READS_BOTH = ("binary", "dot", "barrier")


def type_text(shape: Shape, element: str = "f32") -> str:
    """The type of a tensor."""
    return f"tensor<{'x'.join([*map(str, shape), element])}>"


class LayeredProgram:
    """A program of ``layers`` layers, the same for the same ``seed``; ``str`` is its text."""

    def __init__(self, seed: int, layers: int) -> None:
        self.random = Random(seed)
        self.layers = layers
        self.arguments: list[str] = []
        self.lines: list[str] = []
        self.returned: list[tuple[str, Shape, str]] = []
        self.has_priorities = self.random.random() < 0.25
        self.has_dead_operations = self.random.random() < 0.2
        self.odd = self.random.randrange(layers) if self.random.random() < 0.3 else -1
        self._build()

    def __str__(self) -> str:
        mesh = ", ".join(f'"{name}"={size}' for name, size in AXES.items())
        types = ", ".join(type_text(shape) for _, shape, _ in self.returned)
        results = ", ".join(f"{type_text(shape)}{sharding}" for _, shape, sharding in self.returned)
        values = ", ".join(name for name, _, _ in self.returned)
        head = f"sdy.mesh @mesh = <[{mesh}]>\nfunc.func @main({', '.join(self.arguments)}) -> ({results}) {{"
        return "\n".join([head, *self.lines, f"  return {values} : {types}", "}\n"])

    # --- parts --------------------------------------------------------------------------------------------------------

    def _chance(self, often: float) -> bool:
        return self.random.random() < often

    def _sharding(self, shape: Shape, often: float = 0.5) -> str:
        axes = list(AXES)
        self.random.shuffle(axes)
        dims = []
        for size in shape:
            taken = []
            while axes and size % AXES[axes[-1]] == 0 and self._chance(often):
                taken.append(f'"{axes.pop()}"')
            if not taken:
                dims.append(self.random.choice(("{}", "{?}")))
                continue
            priority = f"p{self.random.randrange(2)}" if self.has_priorities and self._chance(0.5) else ""
            dims.append(f"{{{', '.join([*taken, *(['?'] if self._chance(0.5) else [])])}}}{priority}")
        return f"#sdy.sharding<@mesh, [{', '.join(dims)}]>"

    def _carried(self, shape: Shape, often: float = 0.5) -> str:
        return f" {{sdy.sharding = {self._sharding(shape)}}}" if self._chance(often) else ""

    def _argument(self, name: str, shape: Shape, sharding: str) -> tuple[str, Shape]:
        self.arguments.append(f"%{name}: {type_text(shape)}{sharding}")
        return f"%{name}", shape

    def _build(self) -> None:
        random = self.random
        # What is turned is often read where what is not turned was read before.
        sizes = random.sample(_SIZES, random.randrange(1, 4))
        rows = random_shape(random, sizes)
        weights = [random_shape(random, sizes) for _ in range(random.randrange(1, 4))]
        shared = [self._argument(f"s{n}", random_shape(random, sizes), self._carried((1,), 0.0)) for n in range(2)]
        forward, backward = Recipe(random), Recipe(random)
        state = [self._argument("a", rows, self._carried(rows, 0.8)), self._argument("b", rows, self._carried(rows))]
        shardings = [self._carried(shape) for shape in weights]
        owned = []
        for layer in range(self.layers):
            odd = layer == self.odd
            owned.append(
                [
                    self._argument(f"w{layer}_{n}", shape, self._carried(shape) if odd else shardings[n])
                    for n, shape in enumerate(weights)
                ]
            )
        returns, often = random.randrange(3), self._chance(0.7)
        result = self._carried(rows)
        left: list[list[tuple[str, Shape]]] = []
        for layer in range(self.layers):
            made = forward.written(self, f"f{layer}_", [*state, *owned[layer], *shared])
            left.append(made[-3:])
            state = self._carry(made, rows, f"f{layer}_e")
            if returns == 1:
                self.returned.append((*state[1], result))
        if self._chance(0.5):
            name, shape = state[0]
            asked = self._sharding(shape).removeprefix("#sdy.sharding")
            self.lines.append(f"  %end = sdy.sharding_constraint {name} {asked} : {type_text(shape)}")
            state[0] = "%end", shape
        if often:
            for layer in reversed(range(self.layers)):
                made = backward.written(self, f"g{layer}_", [*state, *left[layer], *owned[layer], *shared])
                state = self._carry(made, rows, f"g{layer}_e")
                if returns == 2:
                    self.returned.append((*state[0], result))
        self.returned += [(*value, self._carried(rows)) for value in dict.fromkeys(state)]

    def _carry(self, made: list[tuple[str, Shape]], shape: Shape, name: str) -> list[tuple[str, Shape]]:
        """The last of what was ``made``, brought to ``shape``, and another of that shape if there is one."""
        last = made[-1] if made[-1][1] == shape else _reshaped(self, made[-1], shape, name)
        return [last, next((value for value in reversed(made[:-1]) if value[1] == shape), last)]


def random_shape(random: Random, sizes: Sequence[int]) -> Shape:
    """A shape of rank 2 of some of these ``sizes``."""
    return tuple(random.choice(sizes) for _ in range(2))


def _reshaped(program: LayeredProgram, value: tuple[str, Shape], shape: Shape, name: str) -> tuple[str, Shape]:
    """A value of ``shape`` that depends on ``value``, along a dimension of the same size if there is one."""
    source, given = value
    kept = given[:1] if given[0] in shape else ()
    over, dims = ("1", f"{shape.index(given[0])}") if kept else ("0, 1", "")
    summed = f"stablehlo.reduce({source} init: %{name}_0) applies stablehlo.add across dimensions = [{over}]"
    program.lines += [
        f"  %{name}_0 = stablehlo.constant dense<0.0> : tensor<f32>",
        f"  %{name}_1 = {summed} : ({type_text(given)}, tensor<f32>) -> {type_text(kept)}",
        f"  %{name} = stablehlo.broadcast_in_dim %{name}_1, dims = [{dims}] : "
        f"({type_text(kept)}) -> {type_text(shape)}",
    ]
    return f"%{name}", shape


class Recipe:
    """Random steps, drawn when a layer is written for the first time, and the same for all after."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._steps: list[tuple[str, int, int, str]] | None = None

    def written(self, program: LayeredProgram, prefix: str, given: list[tuple[str, Shape]]) -> list[tuple[str, Shape]]:
        """What the layer makes of what it is ``given``, whose shapes are the same for each layer."""
        pool = list(given)
        drawn = self._steps is None
        if self._steps is None:
            # The first step reads both values that go from layer to layer.
            self._steps = [("binary", 0, 1, "")]
        for number in range(self._random.randrange(4, 12) if drawn else len(self._steps)):
            if drawn and number:
                self._steps.append(self._drawn(program, pool))
            pool.append(self._step(program, pool, f"{prefix}{number}", *self._steps[number]))
        made = pool[len(given) :]
        # Mostly nothing is made in vain: what no step has read is read at last.
        read = {
            number
            for kind, one, other, _ in self._steps
            for number in (one, other)
            if self._reads_both(kind) or number == one
        }
        unread = [pool[number] for number in range(len(given), len(pool) - 1) if number not in read]
        if program.has_dead_operations:
            unread = []
        for number, value in enumerate(unread):
            last = made[-1]
            if value[1] != last[1]:
                value = _reshaped(program, value, last[1], f"{prefix}u{number}")
            program.lines.append(f"  %{prefix}v{number} = stablehlo.add {last[0]}, {value[0]} : {type_text(last[1])}")
            made.append((f"%{prefix}v{number}", last[1]))
        return made

    def _step(
        self,
        program: LayeredProgram,
        pool: list[tuple[str, Shape]],
        name: str,
        kind: str,
        one: int,
        other: int,
        parameter: str,
    ) -> tuple[str, Shape]:
        return _step(program, pool, name, kind, one, other, parameter)

    def _reads_both(self, kind: str) -> bool:
        return kind in _READS_BOTH

    def _drawn(self, program: LayeredProgram, pool: list[tuple[str, Shape]]) -> tuple[str, int, int, str]:
        random = self._random
        one = random.randrange(len(pool)) if random.random() < 0.5 else len(pool) - 1
        shape = pool[one][1]
        alike = [number for number, value in enumerate(pool) if value[1] == shape]
        kind = random.choice(("binary", "binary", "dot", "unary", "turn", "ask", "barrier", "sum", "slice"))
        other = random.choice(alike)
        if kind == "dot":
            factors = [number for number, value in enumerate(pool) if value[1][0] == shape[1]]
            kind, other = ("dot", random.choice(factors)) if factors else ("unary", one)
        return kind, one, other, program._sharding(shape) if kind == "ask" else ""


def _step(
    program: LayeredProgram, pool: list[tuple[str, Shape]], name: str, kind: str, one: int, other: int, sharding: str
) -> tuple[str, Shape]:
    (value, shape), (second, second_shape) = pool[one], pool[other]
    add, type = program.lines.append, type_text(shape)
    if kind == "binary":
        add(f"  %{name} = stablehlo.add {value}, {second} : {type}")
    elif kind == "unary":
        add(f"  %{name} = stablehlo.tanh {value} : {type}")
    elif kind == "turn":
        shape = shape[::-1]
        add(f"  %{name} = stablehlo.transpose {value}, dims = [1, 0] : ({type}) -> {type_text(shape)}")
    elif kind == "ask":
        add(f"  %{name} = sdy.sharding_constraint {value} {sharding.removeprefix('#sdy.sharding')} : {type}")
    elif kind == "barrier":
        add(f"  %{name}:2 = stablehlo.optimization_barrier {value}, {second} : {type}, {type_text(second_shape)}")
        name = f"{name}#1" if program.layers % 2 else f"{name}#0"
        shape = second_shape if program.layers % 2 else shape
    elif kind == "sum":
        return _reshaped(program, (value, shape), shape, name)
    elif kind == "slice":
        half = type_text((shape[0] // 2, shape[1]))
        add(f"  %{name}_0 = stablehlo.slice {value} [0:{shape[0] // 2}, 0:{shape[1]}] : ({type}) -> {half}")
        add(f"  %{name} = stablehlo.concatenate %{name}_0, %{name}_0, dim = 0 : ({half}, {half}) -> {type}")
    else:
        shape = shape[0], second_shape[1]
        add(
            f"  %{name} = stablehlo.dot_general {value}, {second}, contracting_dims = [1] x [0] : "
            f"({type}, {type_text(second_shape)}) -> {type_text(shape)}"
        )
    return f"%{name}", shape
