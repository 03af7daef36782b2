"""Kinds of random programs of things that repeat but are no training step: chains, trees, updates, calls, loops, stacks
of layers of several kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tests.propagation.layered_programs import Recipe, Value, random_shape, type_text

if TYPE_CHECKING:
    from tests.propagation.alike_programs import AlikeProgram


def _chains(program: AlikeProgram) -> None:
    """Chains that are not connected, or whose ends are added up."""
    random = program.random
    recipes = [Recipe(random) for _ in range(random.randrange(1, 4))]
    adds, ends = random.random() < 0.3, []
    for number in range(program.layers):
        value = program.given(f"a{number}")
        for step, recipe in enumerate(recipes):
            value = program.step(recipe, f"c{number}_{step}_", [value, value])
        ends.append(value)
    program.finish(ends, adds)


def _in_waves(program: AlikeProgram) -> None:
    """Chains, of which each step is written for all before the next: as nested ``tree.map``s are."""
    random = program.random
    recipes = [Recipe(random) for _ in range(random.randrange(2, 4))]
    first = [program.given(f"a{number}") for number in range(program.layers)]
    waves, values = [first], first
    for step, recipe in enumerate(recipes):
        values = [
            program.step(recipe, f"c{step}_{number}_", [value, random.choice(waves)[number] if step else value])
            for number, value in enumerate(values)
        ]
        waves.append(values)
        if random.random() < 0.4:
            for value in values:
                program.returns(value)
    program.finish(values, random.random() < 0.3)


def _trees(program: AlikeProgram) -> None:
    """Leaves that are added up in pairs, and the pairs again; one tree or several."""
    random = program.random
    leaf, node = Recipe(random), Recipe(random)
    for tree in range(random.choice((1, 1, 3))):
        count = max(4, program.layers // random.choice((1, 2, 3)))
        values = [program.step(leaf, f"l{tree}_{n}_", [program.given(f"a{tree}_{n}")] * 2) for n in range(count)]
        height = 0
        while len(values) > 1:
            pairs = list(zip(values[::2], values[1::2], strict=False))
            odd = values[-1:] if len(values) % 2 else []
            values = [program.step(node, f"n{tree}_{height}_{n}_", pair) for n, pair in enumerate(pairs)] + odd
            height += 1
        program.returns(values[0])


def _updates(program: AlikeProgram) -> None:
    """An optimizer's update of many parameters of few shapes, whose gradients may be clipped together."""
    random = program.random
    kinds = [(random_shape(random, program.sizes), random.randrange(3)) for _ in range(random.choice((1, 1, 2, 3)))]
    places = [program._carried(shape) for shape, _ in kinds]
    states, clips, apart = random.randrange(3), random.random() < 0.3, random.random() < 0.5
    program.lines += [f"  %k{number} = stablehlo.constant dense<0.{number + 1}> : tensor<f32>" for number in range(3)]
    leaves = []
    for number in range(program.layers):
        which = number % len(kinds)
        shape, place = kinds[which][0], places[which]
        leaves.append((shape, place, [program._argument(f"p{number}_{n}", shape, place) for n in range(2 + states)]))
    scale = None
    if clips:
        for number, (shape, _, values) in enumerate(leaves):
            program.lines += [
                f"  %q{number} = stablehlo.multiply {values[1][0]}, {values[1][0]} : {type_text(shape)}",
                f"  %r{number} = stablehlo.reduce(%q{number} init: %k0) applies stablehlo.add across dimensions = "
                f"[0, 1] : ({type_text(shape)}, tensor<f32>) -> tensor<f32>",
            ]
            total = f"%r{number}" if scale is None else f"%n{number}"
            if scale is not None:
                program.lines.append(f"  {total} = stablehlo.add {scale}, %r{number} : tensor<f32>")
            scale = total
    steps: list[list[list[str]]] = []
    for number, (shape, place, values) in enumerate(leaves):
        type, (p, g) = type_text(shape), [one for one, _ in values[:2]]
        one: list[list[str]] = []
        if scale is not None:
            one.append([f"  %x{number} = stablehlo.broadcast_in_dim {scale}, dims = [] : (tensor<f32>) -> {type}"])
            one.append([f"  %y{number} = stablehlo.multiply {g}, %x{number} : {type}"])
            g = f"%y{number}"
        for state, (old, _) in enumerate(values[2:]):
            name = f"{number}_{state}"
            one.append(
                [
                    f"  %d{name} = stablehlo.broadcast_in_dim %k{state}, dims = [] : (tensor<f32>) -> {type}",
                    f"  %e{name} = stablehlo.multiply {old}, %d{name} : {type}",
                    f"  %f{name} = stablehlo.add %e{name}, {g} : {type}",
                ]
            )
            program.returned.append((f"%f{name}", shape, place))
            g = f"%f{name}"
        one.append(
            [
                f"  %b{number} = stablehlo.broadcast_in_dim %k2, dims = [] : (tensor<f32>) -> {type}",
                f"  %m{number} = stablehlo.multiply {g}, %b{number} : {type}",
                f"  %o{number} = stablehlo.subtract {p}, %m{number} : {type}",
            ]
        )
        program.returned.append((f"%o{number}", shape, place))
        steps.append(one)
    ordered = (
        [one[place] for place in range(len(steps[0])) for one in steps]
        if apart
        else [two for one in steps for two in one]
    )
    program.lines += [line for lines in ordered for line in lines]


def _in_turns(program: AlikeProgram) -> None:
    """Layers of two or three kinds in turns, whose own weights may differ in number."""
    random = program.random
    kinds = [Recipe(random) for _ in range(random.randrange(2, 4))]
    pattern = [random.randrange(len(kinds)) for _ in range(random.randrange(2, 5))]
    weights = [random.randrange(1, 3) for _ in kinds]
    value, before = program.given("a"), program.given("b")
    for layer in range(program.layers):
        which = pattern[layer % len(pattern)]
        own = [program.given(f"w{layer}_{n}", 0.02) for n in range(weights[which])]
        value, before = program.step(kinds[which], f"f{layer}_", [value, before, *own]), value
    program.returns(value)


def _skips(program: AlikeProgram) -> None:
    """Layers that read what several layers before have made; or the second half what the first has, in turn."""
    random = program.random
    recipe, back, far, mirrored = Recipe(random), Recipe(random), random.randrange(2, 6), random.random() < 0.4
    values = [program.given(f"a{n}") for n in range(far)]
    for layer in range(program.layers):
        values.append(program.step(recipe, f"f{layer}_", [values[-1], values[-far], program.given(f"w{layer}", 0.02)]))
    value = values[-1]
    if mirrored:
        for layer, other in enumerate(reversed(values[far:])):
            value = program.step(back, f"g{layer}_", [value, other])
    program.returns(value)


def _shared(program: AlikeProgram) -> None:
    """Layers that share their weights, a few of which have one of their own."""
    random = program.random
    recipe, back = Recipe(random), Recipe(random)
    weights = [program.given(f"w{n}") for n in range(random.randrange(1, 3))]
    own, value, left = random.random() < 0.4, program.given("a"), []
    for layer in range(program.layers):
        mine = [program.given(f"v{layer}", 0.02)] if own else []
        value = program.step(recipe, f"f{layer}_", [value, weights[layer % len(weights)], *weights, *mine])
        left.append(value)
    if random.random() < 0.5:
        for layer in reversed(range(program.layers)):
            value = program.step(back, f"g{layer}_", [value, left[layer], *weights])
    program.returns(value)


def _calls(program: AlikeProgram) -> None:
    """Layers that are calls: of one function, of one each, or of several in turns."""
    random = program.random
    recipes = [Recipe(random) for _ in range(random.randrange(1, 3))]
    each, chained, value = random.random() < 0.4, random.random() < 0.7, program.given("a")
    plain, ends = Recipe(random), []
    for layer in range(program.layers):
        which = layer % len(recipes)
        start = value if chained else program.given(f"a{layer}")
        weight = program.given(f"w{layer}", 0.02)
        value = program.called(recipes[which], f"f{layer if each else which}", [start, weight], f"c{layer}")
        if which:
            value = program.step(plain, f"p{layer}_", [value, weight])
        ends.append(value)
    program.finish([value] if chained else ends, False)


def _functions(program: AlikeProgram) -> None:
    """Layers that call functions of their own, named as copies of one that all layers share would be."""
    random = program.random
    own, shared, plain = Recipe(random), Recipe(random), Recipe(random)
    own_is_composite, shared_is_composite = random.random() < 0.2, random.random() < 0.6
    base, value = random.choice(("g", "f")), program.given("a")
    for layer in range(program.layers):
        weight = program.given(f"w{layer}", 0.02)
        value = program.called(shared, "f", [value, weight], f"s{layer}", is_composite=shared_is_composite)
        value = program.step(plain, f"p{layer}_", [value, weight])
        value = program.called(own, f"{base}_{layer}", [value, weight], f"o{layer}", is_composite=own_is_composite)
    program.finish([value], False)


def _loops(program: AlikeProgram) -> None:
    """Layers that hold a loop."""
    random = program.random
    recipe, inner, value = Recipe(random), Recipe(random), program.given("a")
    chained, ends = random.random() < 0.7, []
    for layer in range(program.layers):
        start = value if chained else program.given(f"a{layer}")
        weight = program.given(f"w{layer}", 0.02)
        value = program.looped(inner, [start, weight], f"l{layer}_")
        value = program.step(recipe, f"f{layer}_", [value, weight])
        ends.append(value)
    program.finish([value] if chained else ends, False)


def _collectives(program: AlikeProgram) -> None:
    """Layers that hold collectives, forward, backward and in updates of the weights, which are in any order: on one
    channel or on several; one layer may have its own."""
    random = program.random
    forward, backward, value = Recipe(random), Recipe(random), program.given("a")
    channels, left = [random.randrange(1, 4) for _ in range(3)], []
    own = random.randrange(program.layers) if random.random() < 0.2 else -1
    if random.random() < 0.5:
        value = program.summed("first", value, random.randrange(1, 5))
    for layer in range(program.layers):
        weight = program.given(f"w{layer}", 0.02)
        value = program.summed(f"m{layer}", value, 7 if layer == own else channels[0])
        value = program.step(forward, f"f{layer}_", [value, weight])
        if random.random() < 0.5 if layer == own else channels[1] < 3:
            value = program.summed(f"n{layer}", value, channels[1])
        left.append((value, weight))
    if random.random() < 0.6:
        for layer, (kept, weight) in reversed(list(enumerate(left))):
            value = program.step(backward, f"g{layer}_", [value, kept, weight])
            value = program.summed(f"o{layer}", value, channels[2])
    program.returns(value)
    if random.random() < 0.5:
        order, update = list(range(program.layers)), Recipe(random)
        random.shuffle(order)
        for layer in sorted(order, key=str) if random.random() < 0.5 else order:
            weight = left[layer][1]
            total = program.summed(f"p{layer}", weight, 8)
            program.returns(program.step(update, f"u{layer}_", [weight, total]))


def _stacks(program: AlikeProgram) -> None:
    """Several stacks, of other lengths, one behind the other or side by side, with a head in between."""
    random = program.random
    ends: list[Value] = []
    for stack in range(random.randrange(2, 4)):
        recipe = Recipe(random)
        value = ends[-1] if ends and random.random() < 0.5 else program.given(f"a{stack}")
        for layer in range(random.randrange(5, program.layers)):
            weight = program.given(f"w{stack}_{layer}", 0.02)
            value = program.step(recipe, f"f{stack}_{layer}_", [value, weight])
        ends.append(program.step(Recipe(random), f"h{stack}_", [value, value]))
    program.finish(ends, random.random() < 0.5)


REPEATED_THINGS: Mapping[str, Callable[[AlikeProgram], None]] = {
    "calls": _calls,
    "chains": _chains,
    "collectives": _collectives,
    "functions": _functions,
    "loops": _loops,
    "shared weights": _shared,
    "skips": _skips,
    "stacks": _stacks,
    "trees": _trees,
    "turns": _in_turns,
    "updates": _updates,
    "waves": _in_waves,
}
