"""Strategies as sharding files: few lines that mean exactly what the strategy says, and patterns with braces."""

import tomllib

import pytest

from pyshardy import ShardingProblem, parse, partition
from pyshardy.reading.sharding_files.paths import alternatives
from pyshardy.reading.tensors import main_of
from pyshardy.searching.known_strategies import known_strategies
from pyshardy.searching.layouts import InnerSharding
from pyshardy.searching.sharding_lines import MOST_LINES, Writer, braced
from pyshardy.searching.short_program import short_program
from pyshardy.searching.space import Layouts, Space
from pyshardy.sharding.mesh import Mesh
from tests.searching.programs import chain, training

MESH = Mesh({"data": 2, "model": 4})


def shardings_of(space: Space, layouts: Layouts) -> tuple[list[str], list[str]]:
    """The shardings of arguments and results after the file of a strategy was applied."""
    module = space.short.source.copy()
    module.apply_shardings(Writer(space).tables(layouts))  # type: ignore[attr-defined]
    return tuple(  # type: ignore[return-value]
        [one.sharding.body_text for one in listed]
        for listed in (module.arguments(), module.results())  # type: ignore[attr-defined]
    )


def test_a_file_means_exactly_what_its_strategy_says() -> None:
    for module in (chain(), training(2), training(36)):
        space = Space(short_program(module))
        for strategy in known_strategies(space, MESH):
            layouts = space.layouts(strategy)
            boundary = space.boundary(layouts)
            arguments, results = shardings_of(space, layouts)
            for found, wanted in ((arguments, boundary.arguments), (results, boundary.results)):
                for index, text in enumerate(found):
                    dims = ", ".join(
                        "{"
                        + ", ".join(f'"{axis.lstrip("+")}"' for axis in axes)
                        + "}"
                        + ("p1" if any(axis.startswith("+") for axis in axes) else "")
                        for axes in wanted[index]
                    )
                    assert text == f"<@mesh, [{dims}]>"


def test_a_file_has_few_lines_whatever_the_number_of_layers() -> None:
    space = Space(short_program(training(36)))
    for strategy in known_strategies(space, MESH):
        layouts = space.layouts(strategy)
        lines = Writer(space).lines(layouts)
        assert len(lines) == Writer(space).line_count(layouts) <= 6 < MOST_LINES


def test_families_that_lie_alike_share_a_line() -> None:
    space = Space(short_program(training(3)))
    megatron = next(
        one for one, name in known_strategies(space, MESH).items() if name == "data parallel, hidden parallel"
    )
    text = Writer(space).text(space.layouts(megatron), ["Megatron."])
    assert text.startswith("# Megatron.\n\n[mesh]\ndata = 2\nmodel = 4\n\n[shardings]\n")
    assert tomllib.loads(text)["shardings"] == {
        "**": [],
        "x": ["data"],
        "{params,result/0,momentum,result/1}/layers/*/up": [[], "model"],
        "{params,result/0,momentum,result/1}/layers/*/down": ["model"],
    }


def test_arguments_without_names_go_by_their_numbers() -> None:
    module = parse("""
    func.func @main(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
      %0 = stablehlo.add %a, %b : tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }""")
    space = Space(short_program(module))
    found = next(one for one, name in known_strategies(space, Mesh({"x": 2})).items() if name == "data parallel")
    assert list(Writer(space).lines(space.layouts(found))) == ["**", "{arg0,arg1,result/0}"]


def test_what_is_said_inside_is_said_by_one_pattern_for_all_layers() -> None:
    space = Space(short_program(training(36)))
    names = space.short.names
    first = [number for number, name in enumerate(names) if name == "stablehlo.dot_general"]
    kept = [number for number in first if space.short.times[number] > 1]
    layouts = space.layouts(next(iter(known_strategies(space, MESH))))
    patterns = []
    for number in kept:
        inner = InnerSharding(space.short.groups[number], 0, (("data",), ()))
        patterns += [one for one in Writer(space).lines(layouts._replace(inner=(inner,))) if one != "**"]
    assert len(patterns) == len(set(patterns)) == 6
    assert patterns[0] == ":dot_general[0:71:2]"


def test_paths_become_braces() -> None:
    paths = [("params", "a", "wq"), ("m", "a", "wq"), ("params", "a", "wk"), ("m", "a", "wk"), ("x",)]
    assert braced(paths) == "{{params,m}/a/{wq,wk},x}"
    assert sorted(alternatives(braced(paths))) == sorted("/".join(path) for path in paths)


def test_braces_and_slices_mean_what_they_say() -> None:
    module = training(4)
    module.apply_shardings(
        {
            "mesh": {"x": 2},
            "shardings": {
                "{params,momentum}/layers/{0,2}/up": ["x"],
                ":tanh[1:5:2]": [[], "x"],
            },
        }
    )
    shown = {one.name for one in module.arguments() if one.sharding is not None}
    assert shown == {f"{kind}['layers'][{n}]['up']" for kind in ("params", "momentum") for n in (0, 2)}
    tanh = [op for op in main_of(module).walk() if op.name == "stablehlo.tanh"]
    assert [op.attributes.get("sdy.sharding") is not None for op in tanh] == [False, True, False, True, False]
    assert partition(module).collectives


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("{params,moment}/layers/0/up", "moment/layers/0/up: no argument or result of the program is called so"),
        (":tanh[9:12:2]", "there are 5 of these in the program, counted from 0"),
        ("{params/layers/0/up", "no argument or result of the program is called so"),
    ],
)
def test_an_alternative_that_means_nothing_is_named(pattern: str, text: str) -> None:
    with pytest.raises(ShardingProblem, match=r"shardings") as problem:
        training(4).apply_shardings({"mesh": {"x": 2}, "shardings": {pattern: ["x"]}})
    assert text in str(problem.value)


def test_a_star_that_means_too_much_is_written_out() -> None:
    square, other = "tensor<8x8xf32>", "tensor<8x16xf32>"
    module = parse(f"""
    func.func @main(%a: {square} loc("w[0]"), %b: {other} loc("w[1]"), %c: {square} loc("w[2]"), %x: {square} loc("x"))
        -> {other} {{
      %0 = stablehlo.add %x, %a : {square}
      %1 = stablehlo.add %0, %c : {square}
      %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : ({square}, {other}) -> {other}
      return %2 : {other}
    }}""")
    space = Space(short_program(module))
    plain = space.layouts(next(iter(known_strategies(space, Mesh({"y": 2})))))
    specs = tuple(
        (("y",), ()) if family.type.shape == (8, 8) and family.path[0] == "w" else spec
        for family, spec in zip(space.listed, plain.specs, strict=True)
    )
    patterns = list(Writer(space).lines(plain._replace(specs=specs)))
    assert patterns == ["**", "w/{0,2}"]
