"""Which dimensions belong together, what they are called, and what an axis can do with them."""

import itertools
import random

from pyshardy import parse
from pyshardy.searching.short_program import short_program
from pyshardy.searching.space import Space, axis_groups, independent_sets
from pyshardy.sharding.mesh import Mesh
from tests.searching.programs import LOOP, chain, training


def names_of(space: Space) -> set[frozenset[str]]:
    """The sets of classes, by name."""
    return {frozenset(space.names[one] for one in classes) for classes in space.sets(2)}


def test_dimensions_that_propagate_together_are_one() -> None:
    found = {one.name: one for one in chain().dimensions()}
    assert found["hidden"].tensors == ("w/up.1", "w/down.0")
    assert found["hidden"].size == 128
    assert set(found["hidden"].meets) == {"batch", "x.1", "down.1"}
    assert found["batch"].tensors == ("x.0", "result.0")


def test_layers_of_one_name_are_one_family_of_one_class() -> None:
    found = {one.name: one for one in training(3).dimensions()}
    assert found["hidden"].tensors == (
        "params/layers/*/up.1",
        "params/layers/*/down.0",
        "momentum/layers/*/up.1",
        "momentum/layers/*/down.0",
    )


def test_matrices_of_one_name_whose_dimensions_alternate_are_told_apart() -> None:
    square = "tensor<16x16xf32>"
    module = parse(f"""
    func.func @main(%x: {square} loc("x"), %a: {square} loc("w[0]"), %b: {square} loc("w[1]")) -> {square} {{
      %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : ({square}, {square}) -> {square}
      %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : ({square}, {square}) -> {square}
      return %1 : {square}
    }}""")
    space = Space(short_program(module))
    families = {family.name: family.classes for family in space.listed}
    assert families["w/0"][1] == families["w/1"][0]
    assert families["w/0"][0] != families["w/0"][1]


def test_stacks_of_matrices_that_share_their_first_dimension_are_experts() -> None:
    x, up, down, y = "tensor<16x32xf32>", "tensor<8x32x64xf32>", "tensor<8x64x32xf32>", "tensor<16x8x32xf32>"
    dims = "batching_dims = [1] x [0], contracting_dims = [2] x [1]"
    module = parse(f"""
    func.func @main(%x: {x} loc("x"), %a: {up} loc("p['w1']"), %b: {down} loc("p['w2']")) -> {y} {{
      %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [1] : ({x}, {up}) -> tensor<16x8x64xf32>
      %1 = stablehlo.dot_general %0, %b, {dims} : (tensor<16x8x64xf32>, {down}) -> tensor<8x16x32xf32>
      %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<8x16x32xf32>) -> {y}
      return %2 : {y}
    }}""")
    found = {one.name: one for one in module.dimensions()}
    assert {"p/w1.0", "p/w2.0"} <= set(found["experts"].tensors)


def test_what_a_loop_takes_slices_of_is_no_candidate() -> None:
    found = {one.name: one for one in parse(LOOP).dimensions()}
    assert found["layers"].is_sliced
    assert found["layers"].tensors == ("layers/w.0",)
    space = Space(short_program(parse(LOOP)))
    assert not any(space.names[one] == "layers" for one in space.candidates)


def test_a_function_that_is_called_twice_keeps_its_callers_apart() -> None:
    module = parse("""
    func.func @main(%a: tensor<8x4xf32> loc("a"), %b: tensor<8x4xf32> loc("b")) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
      %0 = call @half(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
      %1 = call @half(%b) : (tensor<8x4xf32>) -> tensor<8x4xf32>
      return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
    }
    func.func private @half(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
      %0 = stablehlo.tanh %x : tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }""")
    space = Space(short_program(module))
    families = {family.name: family.classes for family in space.listed}
    assert not set(families["a"]) & set(families["b"])


def test_momentum_is_told_from_parameters_and_inputs() -> None:
    space = Space(short_program(training(2)))
    roles = {family.name: family.role for family in space.listed}
    assert roles == {
        "x": "input",
        "params/layers/*/up": "weight",
        "params/layers/*/down": "weight",
        "momentum/layers/*/up": "moment",
        "momentum/layers/*/down": "moment",
    }
    assert [one.path[-1] for one in space.parameters] == ["up", "down"]
    assert all(len(one.moments) == 1 for one in space.parameters)
    assert all(len(family.results) == len(family.arguments) for family in space.listed if family.role != "input")


def test_an_axis_can_shard_the_batch_or_hidden_features_or_the_others() -> None:
    assert names_of(Space(short_program(training(2)))) == {
        frozenset({"batch"}),
        frozenset({"hidden"}),
        frozenset({"features"}),
    }


def test_maximal_sets_are_those_that_brute_force_finds() -> None:
    for seed in range(30):
        chance = random.Random(seed)
        count = chance.randrange(1, 8)
        meets = {pair for pair in itertools.combinations(range(count), 2) if chance.random() < 0.5}

        def meet(one: int, other: int, meets: set[tuple[int, int]] = meets) -> bool:
            return (min(one, other), max(one, other)) in meets

        free = [
            set(chosen)
            for size in range(1, count + 1)
            for chosen in itertools.combinations(range(count), size)
            if not any(meet(*pair) for pair in itertools.combinations(chosen, 2))
        ]
        wanted = {tuple(sorted(one)) for one in free if not any(one < other for other in free)}
        assert set(independent_sets(range(count), meet)) == wanted


def test_neighbouring_axes_act_as_one_in_every_way() -> None:
    found = axis_groups(Mesh({"a": 2, "b": 2, "c": 2}))
    assert found == [
        (("a",), ("b",), ("c",)),
        (("a",), ("b", "c")),
        (("a", "b"), ("c",)),
        (("a", "b", "c"),),
    ]


def test_the_batch_of_a_program_with_microbatches_is_behind_their_number() -> None:
    text = LOOP.replace("%x: tensor<8x16xf32>", '%t: tensor<4x8xi32> loc("tokens"), %x: tensor<8x16xf32>').replace(
        "%next = stablehlo",
        """%ts = stablehlo.dynamic_slice %t, %i, %none, sizes = [1, 8]
          : (tensor<4x8xi32>, tensor<i32>, tensor<i32>) -> tensor<1x8xi32>
      %next = stablehlo""",
    )
    space = Space(short_program(parse(text)))
    tokens = next(one for one in space.listed if one.name == "tokens")
    assert space.batch == (tokens.classes[1],) and tokens.classes[0] not in space.candidates


def test_moments_go_with_their_parameter_where_a_dimension_is_one() -> None:
    weight, moment = "tensor<8x1x4xf32>", "tensor<8x1x4xf32>"
    module = parse(f"""func.func @main(%x: tensor<16x8xf32> loc("x"), %w: {weight} loc("params['w']"),
        %m: {moment} loc("m['w']")) -> ({weight}, {moment}) {{
      %flat = stablehlo.reshape %w : ({weight}) -> tensor<8x4xf32>
      %y = stablehlo.dot_general %x, %flat, contracting_dims = [1] x [0]
          : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
      %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0]
          : (tensor<16x8xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      %gradient = stablehlo.reshape %g : (tensor<8x4xf32>) -> {weight}
      %new_m = stablehlo.add %m, %gradient : {moment}
      %new = stablehlo.subtract %w, %new_m : {weight}
      return %new, %new_m : {weight}, {moment}
    }}""")
    space = Space(short_program(module))
    assert {one.path[-1]: len(one.moments) for one in space.parameters}["w"] == 1
