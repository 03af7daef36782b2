"""Kinds of random programs: layers that all read tables, which are computed from constants in front of them, as masks
and rotary embeddings are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.propagation.layered_programs import Recipe, Shape, Value, random_shape, type_text

if TYPE_CHECKING:
    from tests.propagation.alike_programs import AlikeProgram


def tables(program: AlikeProgram) -> None:
    """Layers that read tables on the way forward, and perhaps on the way back; other operations may read them, too, and
    the first layer or the last may not."""
    random = program.random
    made = [_table(program, f"k{number}") for number in range(random.randrange(1, 4))]
    forward, backward, others = Recipe(random), Recipe(random), Recipe(random)
    value, kept = program.given("a"), []
    if random.random() < 0.3:
        value = program.step(Recipe(random), "before", [value, value, *made])
    odd = random.choice((-1, -1, 0, program.layers - 1))
    called = random.random() < 0.3
    for layer in range(program.layers):
        weight, name = program.given(f"w{layer}", 0.01), f"f{layer}_"
        kept.append((value, weight))
        if layer == odd:
            value = program.step(others, name, [value, weight])
        elif called:
            value = program.called(forward, "forward", [value, weight, *made], f"{name}c")
        else:
            value = program.step(forward, name, [value, weight, *made])
    if random.random() < 0.3:
        value = program.step(Recipe(random), "after", [value, value, *made])
    if random.random() < 0.6:
        read = made[: random.randrange(len(made) + 1)]
        gradient = value
        for layer in reversed(range(program.layers)):
            gradient = program.step(backward, f"g{layer}_", [gradient, *kept[layer], *read])
            if not program.has_priorities:
                program.returns(gradient)
        value = gradient
    program.returns(value)


def windows(program: AlikeProgram) -> None:
    """Layers that read one of several tables, in turns, as every other layer may attend to a window; on the way back
    they may read the same, and at last weights may be updated."""
    random = program.random
    made = [_table(program, f"k{number}") for number in range(random.randrange(2, 4))]
    turns = [random.randrange(len(made)) for _ in range(random.randrange(2, 5))]
    forward, backward, update = Recipe(random), Recipe(random), Recipe(random)
    value, kept = program.given("a"), []
    for layer in range(program.layers):
        weight, table = program.given(f"w{layer}", 0.01), made[turns[layer % len(turns)]]
        kept.append((value, weight, table))
        value = program.step(forward, f"f{layer}_", [value, weight, table])
    if random.random() < 0.6:
        reads = random.randrange(1, 4)
        for layer in reversed(range(program.layers)):
            value = program.step(backward, f"g{layer}_", [value, *kept[layer][:reads]])
            if not program.has_priorities:
                program.returns(value)
    if random.random() < 0.5:
        for weight in [weight for _, weight, _ in kept]:
            program.returns(program.step(update, f"u{weight[0][1:]}_", [weight, value]))
    program.returns(value)


def _table(program: AlikeProgram, name: str) -> Value:
    """A value that is computed from constants in a few steps; perhaps by functions, and perhaps not from constants
    alone."""
    random = program.random
    shape = program.rows if random.random() < 0.6 else random_shape(random, program.sizes)
    pool = [_counted(program, shape, f"{name}_{number}") for number in range(random.randrange(1, 3))]
    for number in range(random.randrange(1, 5)):
        pool.append(_step(program, pool, f"{name}s{number}"))
    return pool[-1]


def _counted(program: AlikeProgram, shape: Shape, name: str) -> Value:
    """The numbers along a dimension, or one number everywhere."""
    random, dim, type = program.random, program.random.randrange(len(shape)), type_text(shape)
    kind = random.randrange(3)
    if kind == 0:
        program.lines.append(f"  %{name} = stablehlo.iota dim = {dim} : {type}")
        return f"%{name}", shape
    row = type_text((shape[dim],)) if kind == 1 else "tensor<f32>"
    made = f"stablehlo.iota dim = 0 : {row}" if kind == 1 else f"stablehlo.constant dense<0.5> : {row}"
    dims = dim if kind == 1 else ""
    program.lines += [
        f"  %{name}r = {made}",
        f"  %{name} = stablehlo.broadcast_in_dim %{name}r, dims = [{dims}] : ({row}) -> {type}",
    ]
    return f"%{name}", shape


def _step(program: AlikeProgram, pool: Sequence[Value], name: str) -> Value:
    """One more step, from the last of the values in ``pool`` and another."""
    random = program.random
    (one, shape), (other, _) = pool[-1], random.choice(pool)
    type = type_text(shape)
    kind = random.choice(("unary", "binary", "choose", "reshape", "call", "slice", "turn"))
    if kind == "call":
        function = f"table{random.randrange(2)}x{'x'.join(map(str, shape))}"
        if not any(f"@{function}(" in known for known in program.functions):
            head = f"func.func private @{function}(%p: {type}, %q: {type}) -> {type} {{"
            steps = (f"  %r = stablehlo.cosine %p : {type}", f"  %s = stablehlo.multiply %r, %q : {type}")
            program.functions.append("\n".join([head, *steps, f"  return %s : {type}", "}"]))
        program.lines.append(f"  %{name} = func.call @{function}({one}, {other}) : ({type}, {type}) -> {type}")
    elif kind == "choose":
        bits = type_text(shape, "i1")
        program.lines += [
            f"  %{name}c = stablehlo.compare GE, {one}, {other} : ({type}, {type}) -> {bits}",
            f"  %{name} = stablehlo.select %{name}c, {one}, {other} : {bits}, {type}",
        ]
    elif kind == "reshape":
        flat = type_text((shape[0] * shape[1],))
        program.lines += [
            f"  %{name}f = stablehlo.reshape {one} : ({type}) -> {flat}",
            f"  %{name} = stablehlo.reshape %{name}f : ({flat}) -> {type}",
        ]
    elif kind == "slice":
        half = type_text((shape[0] // 2, shape[1]))
        program.lines += [
            f"  %{name}h = stablehlo.slice {one} [0:{shape[0] // 2}, 0:{shape[1]}] : ({type}) -> {half}",
            f"  %{name} = stablehlo.concatenate %{name}h, %{name}h, dim = 0 : ({half}, {half}) -> {type}",
        ]
    elif kind == "turn" and shape[0] == shape[1]:
        program.lines.append(f"  %{name} = stablehlo.transpose {one}, dims = [1, 0] : ({type}) -> {type}")
    elif kind == "binary":
        program.lines.append(f"  %{name} = stablehlo.add {one}, {other} : {type}")
    else:
        program.lines.append(f"  %{name} = stablehlo.sine {one} : {type}")
    return f"%{name}", shape
