"""Random programs of many things that are alike, but no plain stack of layers: chains and trees that are not connected,
updates of many parameters, layers of several kinds in turns, that skip back, share weights, call functions, compute
again what they have computed, or hold a loop; training steps of stacks of different depth, or whose parameters are
sorted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.propagation.layered_programs import AXES, LayeredProgram, Recipe, Value, random_shape, type_text
from tests.propagation.rich_recipes import RichRecipe


class AlikeProgram(LayeredProgram):
    """A program with ``layers`` things that are alike, of the kind ``kind``, drawn if it is None; the same for the same
    ``seed``."""

    def __init__(self, seed: int, layers: int, kind: str | None = None) -> None:
        names = sorted(_KINDS)
        self.kind = names[Random(seed).randrange(len(names))] if kind is None else kind
        self.functions: list[str] = []
        super().__init__(seed, layers)

    def __str__(self) -> str:
        return super().__str__() + "".join(f"{one}\n" for one in self.functions)

    def _build(self) -> None:
        random = self.random
        self.sizes = random.sample((12, 24, 36), random.randrange(1, 3))
        self.rows = random_shape(random, self.sizes)
        self.carried = self._carried(self.rows)
        self.result = self._carried(self.rows)
        self.shared = [
            self._argument(f"s{n}", random_shape(random, self.sizes), "") for n in range(random.randrange(3))
        ]
        _KINDS[self.kind](self)

    # --- parts --------------------------------------------------------------------------------------------------------

    def given(self, name: str, often: float = 0.15) -> Value:
        """An argument like all others, but ``often`` one that lies elsewhere."""
        odd = self.has_priorities and self.random.random() < often
        return self._argument(name, self.rows, self._carried(self.rows) if odd else self.carried)

    def returns(self, value: Value) -> None:
        """Lets the program return ``value``."""
        self.returned.append((*value, self.result if value[1] == self.rows else ""))

    def step(self, recipe: Recipe, name: str, given: Sequence[Value]) -> Value:
        """What ``recipe`` makes of what it is ``given``, in the shape of the rows."""
        return self._carry(recipe.written(self, name, [*given, *self.shared]), self.rows, f"{name}e")[0]

    def called(self, recipe: Recipe, function: str, given: Sequence[Value], name: str) -> Value:
        """A call of a function that does what ``recipe`` does."""
        values = [*given, *self.shared]
        types = ", ".join(type_text(shape) for _, shape in values)
        if not any(f"@{function}(" in one for one in self.functions):
            outside, self.lines = self.lines, []
            inside = [(f"%p{number}", shape) for number, (_, shape) in enumerate(values)]
            made = self._carry(recipe.written(self, "c", inside), self.rows, "ce")[0]
            body, self.lines = self.lines, outside
            arguments = ", ".join(f"{one}: {type_text(shape)}" for one, shape in inside)
            result = type_text(self.rows)
            head = f"func.func private @{function}({arguments}) -> {result} {{"
            self.functions.append("\n".join([head, *body, f"  return {made[0]} : {result}", "}"]))
        names = ", ".join(one for one, _ in values)
        self.lines.append(f"  %{name} = func.call @{function}({names}) : ({types}) -> {type_text(self.rows)}")
        return f"%{name}", self.rows

    def looped(self, recipe: Recipe, given: Sequence[Value], name: str) -> Value:
        """A loop whose turns do what ``recipe`` does."""
        values = [*given, *self.shared]
        inside = [(f"%{name}i{number}", shape) for number, (_, shape) in enumerate(values)]
        outside, self.lines = self.lines, []
        made = self._carry(recipe.written(self, f"{name}b", inside), self.rows, f"{name}be")[0]
        body, self.lines = self.lines, outside
        carried = ", ".join(f"{mine} = {one}" for (mine, _), (one, _) in zip(inside, values, strict=True))
        types = ", ".join(["tensor<i32>", *(type_text(shape) for _, shape in values)])
        kept = ", ".join([f"%{name}n", made[0], *(one for one, _ in inside[1:])])
        self.lines += [
            f"  %{name}z = stablehlo.constant dense<0> : tensor<i32>",
            f"  %{name}:{len(values) + 1} = stablehlo.while(%{name}c = %{name}z, {carried}) : {types}",
            "  cond {",
            f"    %{name}l = stablehlo.constant dense<2> : tensor<i32>",
            f"    %{name}t = stablehlo.compare LT, %{name}c, %{name}l : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            f"    stablehlo.return %{name}t : tensor<i1>",
            "  } do {",
            *body,
            f"    %{name}o = stablehlo.constant dense<1> : tensor<i32>",
            f"    %{name}n = stablehlo.add %{name}c, %{name}o : tensor<i32>",
            f"    stablehlo.return {kept} : {types}",
            "  }",
        ]
        return f"%{name}#1", self.rows

    def summed(self, name: str, value: Value, channel: int) -> Value:
        """What the devices along axis ``x`` have of a value, added up in a manual computation, on this channel."""
        given, type = value[0], type_text(value[1])
        near = AXES["y"] * AXES["z"]
        groups = str([[device, device + near] for device in range(near)])
        replicated = '[<@mesh, [{}, {}], replicated={"x"}>]'
        self.lines += [
            f"  %{name} = sdy.manual_computation({given}) in_shardings={replicated} out_shardings={replicated}"
            f' manual_axes={{"x"}} (%{name}i: {type}) {{',
            f'    %{name}s = "stablehlo.all_reduce"(%{name}i) <{{'
            f"channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>, "
            f"replica_groups = dense<{groups}> : tensor<{near}x2xi64>, use_global_device_ids}}> ({{",
            f"    ^bb0(%{name}l: tensor<f32>, %{name}r: tensor<f32>):",
            f"      %{name}t = stablehlo.add %{name}l, %{name}r : tensor<f32>",
            f"      stablehlo.return %{name}t : tensor<f32>",
            f"    }}) : ({type}) -> {type}",
            f"    sdy.return %{name}s : {type}",
            f"  }} : ({type}) -> {type}",
        ]
        return f"%{name}", value[1]

    def added(self, name: str, one: Value, other: Value) -> Value:
        """The sum of two values of the shape of the rows."""
        self.lines.append(f"  %{name} = stablehlo.add {one[0]}, {other[0]} : {type_text(self.rows)}")
        return f"%{name}", self.rows

    def barrier(self, name: str, one: Value, other: Value) -> tuple[Value, Value]:
        """Both values behind an optimization barrier."""
        types = ", ".join(type_text(shape) for _, shape in (one, other))
        self.lines.append(f"  %{name}:2 = stablehlo.optimization_barrier {one[0]}, {other[0]} : {types}")
        return (f"%{name}#0", one[1]), (f"%{name}#1", other[1])


# --- kinds ------------------------------------------------------------------------------------------------------------


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
    _finish(program, ends, adds)


def _finish(program: AlikeProgram, ends: Sequence[Value], adds: bool) -> None:
    if not adds:
        for value in ends:
            program.returns(value)
        return
    total = ends[0]
    for number, value in enumerate(ends[1:]):
        total = program.added(f"t{number}", total, value)
    program.returns(total)


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
    _finish(program, values, random.random() < 0.3)


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
    _finish(program, [value] if chained else ends, False)


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
    _finish(program, [value] if chained else ends, False)


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
    _finish(program, ends, random.random() < 0.5)


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
    _finish(program, [value, memory] if random.random() < 0.3 else [value], random.random() < 0.5)


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
    value, kept = program.given("a"), {}
    for layer in range(program.layers):
        kept[layer] = value
        value = program.step(forward, f"f{layer}_", [value, *read[layer]])
    gradient, gradients = value, {}
    for layer in reversed(range(program.layers)):
        gradient = program.step(backward, f"g{layer}_", [gradient, kept[layer], *read[layer]])
        gradients[layer] = gradient
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


_KINDS: dict[str, Callable[[AlikeProgram], None]] = {
    "calls": _calls,
    "chains": _chains,
    "collectives": _collectives,
    "loops": _loops,
    "members": _members,
    "remat": _remat,
    "rich": _rich,
    "shared weights": _shared,
    "skips": _skips,
    "sorted": _sorted,
    "stacks": _stacks,
    "phases": _phases,
    "decoders": _decoders,
    "steps": _steps,
    "trees": _trees,
    "turns": _in_turns,
    "updates": _updates,
    "waves": _in_waves,
}
KINDS: Sequence[str] = sorted(_KINDS)
"""What kinds of programs there are."""
