"""Kinds of random training steps of layers: what layers keep, compute again, update, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tests.propagation.layered_programs import Recipe, Value, type_text
from tests.propagation.rich_recipes import RichRecipe
from tests.propagation.shared_tables import tables, windows

if TYPE_CHECKING:
    from tests.propagation.alike_programs import AlikeProgram


def _remat(program: AlikeProgram) -> None:
    """Layers that are computed again behind a barrier on the way back."""
    random = program.random
    forward, backward, called = Recipe(random), Recipe(random), random.random() < 0.3
    value, kept, weights = program.given("a"), [], []
    for layer in range(program.layers):
        weights.append(program.given(f"w{layer}", 0.02))
        kept.append(value)
        value = program.step(forward, f"f{layer}_", [value, weights[-1]])
    gradient = value
    for layer in reversed(range(program.layers)):
        saved, gradient = program.barrier(f"h{layer}", kept[layer], gradient)
        if called:
            again = program.called(forward, "again", [saved, weights[layer]], f"r{layer}")
        else:
            again = program.step(forward, f"r{layer}_", [saved, weights[layer]])
        gradient = program.step(backward, f"g{layer}_", [gradient, again, weights[layer]])
        if layer % 2 == program.layers % 2 or not program.has_priorities:
            program.returns(program.step(backward, f"d{layer}_", [again, gradient, weights[layer]]))
    program.returns(gradient)


def _members(program: AlikeProgram) -> None:
    """Several models of the same layers, one behind the other, of which all gradients are worked out afterwards; at
    last the same is done to all weights, and then to two other values of each layer."""
    random = program.random
    forward, backward, update, moment = (Recipe(random) for _ in range(4))
    depth = random.randrange(8, max(program.layers, 9))
    shared, models = program.given("x"), []
    for model in range(random.randrange(2, 5)):
        value, layers = program.given(f"a{model}") if random.random() < 0.5 else shared, []
        for layer in range(depth):
            weight = program.given(f"w{model}_{layer}", 0.01)
            layers.append((value, weight))
            value = program.step(forward, f"f{model}_{layer}_", [value, weight])
        models.append((value, layers))
    trees: list[list[Value]] = [[] for _ in range(3)]
    for model, (value, layers) in enumerate(models):
        gradient = value
        for layer in reversed(range(depth)):
            gradient = program.step(backward, f"g{model}_{layer}_", [gradient, *layers[layer]])
            trees[0].append(program.step(update, f"u{model}_{layer}_", [layers[layer][1], gradient]))
            trees[1].append(gradient)
            trees[2].append(layers[layer][0])
        program.returns(gradient)
    often = random.random() < 0.7
    for number, tree in enumerate(trees[: random.randrange(1, 4)]):
        for at, value in enumerate(tree):
            program.returns(program.step(moment, f"m{number}_{at}_", [value, shared]))
        if not often:
            program.returns(program.step(Recipe(random), f"e{number}_", [tree[0], shared]))


def _rich(program: AlikeProgram) -> None:
    """A training step whose layers are of operations of many families; a layer may read what two below it have made,
    weights may be updated in any order, and all layers may share a value."""
    random = program.random
    forward, backward, update = (RichRecipe(random) for _ in range(3))
    value, before, kept = program.given("a"), program.given("b"), []
    for layer in range(program.layers):
        weight = program.given(f"w{layer}", 0.01)
        kept.append((value, weight))
        value, before = program.step(forward, f"f{layer}_", [value, before, weight]), value
    if random.random() < 0.6:
        gradient = value
        for layer in reversed(range(program.layers)):
            gradient = program.step(backward, f"g{layer}_", [gradient, *kept[layer]])
            if random.random() < 0.5 if layer == program.layers - 1 else program.returned:
                program.returns(gradient)
        value = gradient
    if random.random() < 0.4:
        order = sorted(range(program.layers), key=str) if random.random() < 0.3 else range(program.layers)
        for layer in order:
            program.returns(program.step(update, f"u{layer}_", [kept[layer][1], kept[layer][0]]))
    program.returns(value)


def _steps(program: AlikeProgram) -> None:
    """A training step of stacks of different depth, one behind the other: each layer, forward and backward, is written
    out or calls a function that all layers of its kind call, as ``jax.checkpoint`` of a compiled layer does; what it
    needs it keeps or computes again; its weight is updated at last."""
    random = program.random
    value, layers = program.given("a"), []
    again, update, apart = random.random() < 0.5, Recipe(random), random.random() < 0.5
    recipes = [Recipe(random) for _ in range(4)]
    for stack in range(random.randrange(1, 4)):
        # Stacks may be made of the same layer, or of others.
        forward, backward = recipes[:2] if random.random() < 0.5 else (recipes[2], recipes[1])
        called = random.random() < 0.6, random.random() < 0.6
        for layer in range(random.randrange(5, program.layers)):
            name, weight = f"{stack}_{layer}", program.given(f"w{stack}_{layer}", 0.02)
            layers.append((name, forward, backward, called, value, weight))
            value = _layer(program, forward, called[0], recipes.index(forward), [value, weight], f"f{name}_")
        if random.random() < 0.7:
            value = program.step(Recipe(random), f"h{stack}_", [value, value])
    gradient, gradients = value, []
    for name, forward, backward, called, kept, weight in reversed(layers):
        if again:
            kept, gradient = program.barrier(f"k{name}", kept, gradient)
            kept = _layer(program, forward, called[0], recipes.index(forward), [kept, weight], f"r{name}_")
        gradient = _layer(program, backward, called[1], 1, [gradient, kept, weight], f"g{name}_")
        gradients.append((name, weight, gradient))
        if not apart:
            program.returns(program.step(update, f"u{name}_", [weight, gradient]))
    for name, weight, one in reversed(gradients) if apart else ():
        program.returns(program.step(update, f"u{name}_", [weight, one]))
    program.returns(gradient)


def _phases(program: AlikeProgram) -> None:
    """Layers of several weights of one shape, and what is done with all weights, one step after the other, layer by
    layer forward or backward; in between all may be added up in one chain, which all updates read."""
    random = program.random
    forward, backwards = Recipe(random), random.random() < 0.3
    layers = []
    value = program.given("a")
    for layer in range(random.randrange(8, program.layers + 1)):
        weights = [program.given(f"w{layer}_{n}", 0.02) for n in range(2)]
        value = program.step(forward, f"f{layer}_", [value, *weights])
        layers.append(weights)
    program.returns(value)
    leaves = [leaf for weights in (layers[::-1] if backwards else layers) for leaf in weights]
    values = leaves
    for phase in range(random.randrange(4)):
        one = Recipe(random)
        values = [
            program.step(one, f"p{phase}_{n}_", [value, leaf])
            for n, (value, leaf) in enumerate(zip(values, leaves, strict=True))
        ]
        if random.random() < 0.5:
            chain, total = Recipe(random), program.given(f"t{phase}")
            for n, value in enumerate(values):
                total = program.step(chain, f"c{phase}_{n}_", [total, value])
            update = Recipe(random)
            values = [program.step(update, f"u{phase}_{n}_", [value, total]) for n, value in enumerate(values)]
    for value in values:
        program.returns(value)


def _decoders(program: AlikeProgram) -> None:
    """Two stacks of like depth, of which each layer of the second reads what the first has made at last."""
    random = program.random
    encoder, decoder = Recipe(random), Recipe(random)
    memory, value = program.given("a"), program.given("b")
    depth = random.randrange(8, program.layers + 1)
    for layer in range(depth):
        memory = program.step(encoder, f"e{layer}_", [memory, program.given(f"w{layer}", 0.02)])
    for layer in range(depth - random.randrange(2)):
        value = program.step(decoder, f"d{layer}_", [value, memory, program.given(f"v{layer}", 0.02)])
    program.finish([value, memory] if random.random() < 0.3 else [value], random.random() < 0.5)


def _batches(program: AlikeProgram) -> None:
    """Several micro-batches that go through the same layers, each forward and backward, or only forward. What layers
    make is added up, through the layers of one batch after the other, or through the batches for each layer."""
    random = program.random
    forward, backward, part, update = (Recipe(random) for _ in range(4))
    depth, trained = random.randrange(8, program.layers + 1), random.random() < 0.6
    weights = [program.given(f"w{layer}", 0.02) for layer in range(depth)]
    total = program.given("t") if random.random() < 0.7 else None
    gradients: list[Value | None] = [None] * depth
    for batch in range(random.randrange(2, 4)):
        value, kept = program.given(f"a{batch}"), []
        for layer, weight in enumerate(weights):
            kept.append(value)
            value = program.step(forward, f"f{batch}_{layer}_", [value, weight])
            if total is not None:
                made = program.step(part, f"p{batch}_{layer}_", [value, weight])
                total = program.added(f"t{batch}_{layer}", total, made)
        for layer in reversed(range(depth)) if trained else ():
            value = program.step(backward, f"g{batch}_{layer}_", [value, kept[layer], weights[layer]])
            known = gradients[layer]
            gradients[layer] = value if known is None else program.added(f"n{batch}_{layer}", known, value)
        program.returns(value)
    if total is not None:
        program.returns(total)
    for layer, gradient in enumerate(gradients):
        if gradient is not None:
            program.returns(program.step(update, f"u{layer}_", [weights[layer], gradient]))


def _sorted(program: AlikeProgram) -> None:
    """A training step whose parameters are sorted by their names, or in any other order: so they are given, cast,
    updated in several steps, and returned, while layers read each other in the order of the model."""
    random = program.random
    order = sorted(range(program.layers), key=str)
    if random.random() < 0.3:
        random.shuffle(order)
    leaves = random.randrange(1, 3)
    weights = {layer: [program.given(f"w{layer}_{leaf}", 0.02) for leaf in range(leaves)] for layer in order}
    states = range(random.randrange(3))
    moments = [{layer: program.given(f"m{state}_{layer}", 0.02) for layer in order} for state in states]
    forward, backward, update, cast = (Recipe(random) for _ in range(4))
    read = weights
    if random.random() < 0.3:
        program.lines.append("  %k = stablehlo.constant dense<0.5> : tensor<f32>")
        read = {
            layer: [program.step(cast, f"t{layer}_{leaf}_", [one, one]) for leaf, one in enumerate(weights[layer])]
            for layer in order
        }
        program.returns(_scaled(program, program._argument("y", (6,), ""), "%k", "y0"))
    gradient, gradients = _forward_and_backward(program, forward, backward, read)
    program.lines += [f"  %k{number} = stablehlo.constant dense<0.5> : tensor<f32>" for number in range(2)]
    is_called, other = random.random() < 0.3, program._argument("z", (6,), "")
    for state, moment in enumerate(moments):
        for layer in order:
            scaled = _scaled(program, gradients[layer], "%k0", f"s{state}_{layer}")
            if state:
                scaled = program.added(f"q{layer}", scaled, gradients[layer])
            gradients[layer] = program.added(f"n{state}_{layer}", moment[layer], scaled)
            program.returns(gradients[layer])
        other = _scaled(program, other, "%k0", f"z{state}")
    for layer in order:
        for leaf, weight in enumerate(weights[layer]):
            scaled = _scaled(program, gradients[layer], "%k1", f"x{layer}_{leaf}")
            program.returns(_layer(program, update, is_called, 9, [weight, scaled], f"u{layer}_{leaf}_"))
    program.returns(gradient)
    program.returns(other)


def _forward_and_backward(
    program: AlikeProgram, forward: Recipe, backward: Recipe, weights: Mapping[int, list[Value]]
) -> tuple[Value, dict[int, Value]]:
    """Layers with these ``weights`` in the order of the model, and back; the last gradient, and that of each layer."""
    value, kept = program.given("a"), {}
    for layer in range(program.layers):
        kept[layer] = value
        value = program.step(forward, f"f{layer}_", [value, *weights[layer]])
    gradient, gradients = value, {}
    for layer in reversed(range(program.layers)):
        gradient = program.step(backward, f"g{layer}_", [gradient, kept[layer], *weights[layer]])
        gradients[layer] = gradient
    return gradient, gradients


def _norms(program: AlikeProgram) -> None:
    """A training step whose gradients are clipped by a norm of all of them: it is added up in the order of the names of
    the parameters, or in another one, by one sum or by several."""
    random = program.random
    order = sorted(range(program.layers), key=str)
    if random.random() < 0.2:
        random.shuffle(order)
    leaves, sums, is_scalar = random.randrange(1, 4), random.randrange(1, 3), random.random() < 0.9
    weights = {layer: [program.given(f"w{layer}_{leaf}", 0.02) for leaf in range(leaves)] for layer in order}
    forward, backward, update = (Recipe(random) for _ in range(3))
    gradient, made = _forward_and_backward(program, forward, backward, weights)
    # Recipes may hand on what they are given; each leaf has a gradient of its own.
    gradients = {
        layer: [program.step(update, f"d{layer}_{n}_", [made[layer], one]) for n, one in enumerate(weights[layer])]
        for layer in made
    }
    program.lines.append("  %k0 = stablehlo.constant dense<0.0> : tensor<f32>")
    totals = []
    first = program.added("head", gradient, gradient)
    for number in range(sums):
        total = _squares(program, first, f"q{number}_head") if random.random() < 0.5 else "%k0"
        joins_own, add = random.random() < 0.3, random.choice(("add", "add", "maximum"))
        for layer in order:
            own = ""
            for leaf, one in enumerate(gradients[layer]):
                name = f"q{number}_{layer}_{leaf}"
                square = _squares(program, one, name)
                if joins_own and leaf:
                    program.lines.append(f"  %{name}o = stablehlo.add {own}, {square} : tensor<f32>")
                    square = f"%{name}o"
                own = square
                if not joins_own or leaf == leaves - 1:
                    program.lines.append(f"  %{name}t = stablehlo.{add} {total}, {own} : tensor<f32>")
                    total = f"%{name}t"
        program.lines.append(f"  %q{number} = stablehlo.sqrt {total} : tensor<f32>")
        totals.append(f"%q{number}")
    carried = first
    for layer in order if not is_scalar else ():
        carried = program.added(f"c{layer}", carried, gradients[layer][0])
    if not is_scalar:
        program.returns(carried)
    for layer in order:
        for leaf, weight in enumerate(weights[layer]):
            scaled = gradients[layer][leaf]
            for number, total in enumerate(totals):
                scaled = _scaled(program, scaled, total, f"s{number}_{layer}_{leaf}")
            program.returns(program.step(update, f"u{layer}_{leaf}_", [weight, scaled]))
    program.returns(gradient)


def _squares(program: AlikeProgram, value: Value, name: str) -> str:
    """The sum of the squares of ``value``."""
    type, dims = type_text(value[1]), ", ".join(map(str, range(len(value[1]))))
    program.lines += [
        f"  %{name}q = stablehlo.multiply {value[0]}, {value[0]} : {type}",
        f"  %{name}r = stablehlo.reduce(%{name}q init: %k0) applies stablehlo.add across dimensions = [{dims}] : "
        f"({type}, tensor<f32>) -> tensor<f32>",
    ]
    return f"%{name}r"


def _scaled(program: AlikeProgram, value: Value, constant: str, name: str) -> Value:
    """The product of ``value`` and a constant, a scalar."""
    type = type_text(value[1])
    program.lines += [
        f"  %{name}b = stablehlo.broadcast_in_dim {constant}, dims = [] : (tensor<f32>) -> {type}",
        f"  %{name} = stablehlo.multiply {value[0]}, %{name}b : {type}",
    ]
    return f"%{name}", value[1]


def _layer(program: AlikeProgram, recipe: Recipe, called: bool, number: int, given: list[Value], name: str) -> Value:
    """What ``recipe``, which has that ``number``, makes of what it is ``given``; by a call, or written out."""
    if called:
        return program.called(recipe, f"layer{number}", given, f"{name}c")
    return program.step(recipe, name, given)


TRAINING_STEPS: Mapping[str, Callable[[AlikeProgram], None]] = {
    "batches": _batches,
    "decoders": _decoders,
    "members": _members,
    "norms": _norms,
    "phases": _phases,
    "remat": _remat,
    "rich": _rich,
    "sorted": _sorted,
    "steps": _steps,
    "tables": tables,
    "windows": windows,
}
