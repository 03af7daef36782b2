"""Which layers of a program are alike: what repeats, what it reads, and who reads it."""

from __future__ import annotations

from random import Random

import pytest

from pyshardy import parse, run_passes
from pyshardy.dialects.main_function import find_main_function
from pyshardy.folding.detecting.def_use import DefUse
from pyshardy.folding.detecting.detection import detected_layers
from pyshardy.folding.detecting.joining import joined_repeats
from pyshardy.folding.detecting.repeats import RepeatedRange
from pyshardy.ir import rewriting
from tests.folding.folded_or_not import layers_of
from tests.folding.programs import SMALL, SQUARE, TANH, WITH_SHARED, perceptrons, squares
from tests.folding.stacks import attending, clipped, normed, sorted_by_name

SUM = f"%a{{n}} = stablehlo.add %y{{n}}, %y{{n}} : {SMALL}\n    {TANH.replace('%y{n}', '%a{n}')}"


def test_layers_are_found_in_all_their_series() -> None:
    module = run_passes(parse(perceptrons(20)), "sdy-propagation-pipeline")
    found = detected_layers(next(op for op in module.op.body if op.symbol_name == "main"))
    assert [one.period for one in found.series] == [4, 5, 2]
    assert [one.direction for one in found.series] == [1, -1, 1]
    assert found.end - found.first > 15


def test_what_is_alike_within_a_layer_repeats_as_often_as_layers_do() -> None:
    found = layers_of(clipped(20))
    assert [(one.period, len(one.layers())) for one in found.series] == [(3, 20), (2, 20), (6, 20), (2, 20), (4, 20)]
    assert found.end - found.first > 16


def test_what_the_last_layer_makes_may_be_read_by_all_layers_of_another_stack() -> None:
    found = layers_of(attending(20))
    assert [one.period for one in found.series] == [2, 2]
    assert (found.first, found.end, found.reach) == (1, 19, 1)


def frozen(count: int) -> str:
    """Layers of three weights of one shape, two of which are not trained: their gradients are zeros, made for all one
    after the other, and they are updated by these like the first."""
    layers, updates, zeros = [], [], []
    for n in range(count):
        layers += [f"%a{n} = stablehlo.add %y{n}, %u{n} : {SMALL}", f"%y{n + 1} = stablehlo.tanh %a{n} : {SMALL}"]
        for kind in "vw":
            zeros += [
                f"%z{kind}{n} = stablehlo.constant dense<0.0> : tensor<f32>",
                f"%g{kind}{n} = stablehlo.broadcast_in_dim %z{kind}{n}, dims = [] : (tensor<f32>) -> {SMALL}",
            ]
        gradients = {"u": f"%y{n + 1}", "v": f"%gv{n}", "w": f"%gw{n}"}
        updates += [f"%n{kind}{n} = stablehlo.subtract %{kind}{n}, {one} : {SMALL}" for kind, one in gradients.items()]
        updates.append(f"%m{n} = stablehlo.multiply %nu{n}, %nw{n} : {SMALL}")
    names = [f"{kind}{n}" for n in range(count) for kind in "uvw"]
    weights = ", ".join(f"%{name}: {SMALL}" for name in names)
    types = ", ".join([SMALL] * len(names))
    body = "\n".join([*layers, *zeros, *updates, f"return {', '.join(f'%n{name}' for name in names)} : {types}"])
    return f"func.func @main(%y0: {SMALL}, {weights}) -> ({types}) {{\n{body}\n}}"


def test_zeros_for_weights_that_are_not_trained_are_grouped_by_their_readers() -> None:
    found = layers_of(frozen(20))
    assert [one.period for one in found.series] == [2, 4, 4]
    assert [len(one.layers()) for one in found.series] == [20, 20, 20]
    assert found.end - found.first > 16


def in_turns(count: int, pattern: str) -> str:
    """Layers that read their weight and one of the values ``%m0``, ``%m1`` and so on, in turns, as ``pattern`` says; a
    weight is updated by what its layer makes."""
    masks = [f"%m{number} = stablehlo.constant dense<{number}.0> : {SMALL}" for number in range(9)]
    layers, updates = [], []
    for n in range(count):
        mask = pattern[n % len(pattern)]
        layers += [
            f"%a{n} = stablehlo.add %y{n}, %w{n} : {SMALL}",
            f"%y{n + 1} = stablehlo.multiply %a{n}, %m{mask} : {SMALL}",
        ]
        updates += [
            f"%t{n} = stablehlo.tanh %y{n + 1} : {SMALL}",
            f"%u{n} = stablehlo.subtract %w{n}, %t{n} : {SMALL}",
        ]
    weights = ", ".join(f"%w{n}: {SMALL}" for n in range(count))
    returned, types = ", ".join(f"%u{n}" for n in range(count)), ", ".join([SMALL] * count)
    return "\n".join(
        [
            f"func.func @main(%y0: {SMALL}, {weights}) -> ({types}) {{",
            *[one for one in masks if one[:3] in {f"%m{number}" for number in pattern}],
            *layers,
            *updates,
            f"return {returned} : {types}",
            "}",
        ]
    )


@pytest.mark.parametrize(("pattern", "joined"), [("0", 1), ("01", 2), ("001", 3), ("0102", 4), ("012345678", 1)])
def test_layers_that_read_values_in_turns_are_joined(pattern: str, joined: int) -> None:
    found = layers_of(in_turns(60, pattern))
    assert [one.period for one in found.series] == [2 * joined, 2 * joined]
    assert found.end - found.first > (60 // joined - 4 if len(pattern) < 9 else -1)


def joined(text: str, times: int) -> int:
    """How many of the repeats, the first ``times`` layers of ``text``, are joined to one."""
    operations = layers_of(text).operations
    begin = next(number for number, op in enumerate(operations) if op.name == "stablehlo.add")
    def_use = DefUse(operations, [len(op.operands) for op in operations])
    repeats = RepeatedRange(begin, 2, begin + 2 * times)
    (found,) = joined_repeats(def_use, [repeats]) or [repeats]
    assert (found.begin, found.period * found.times) == (begin, 2 * times // found.period * found.period)
    return found.period // 2


def test_repeats_are_joined_if_enough_are_left() -> None:
    assert joined(in_turns(20, "01"), 20) == 2
    assert joined(in_turns(20, "01"), 11) == 1
    assert joined(in_turns(60, "01234567"), 60) == 8
    assert joined(in_turns(60, "00000001"), 60) == 8
    assert joined(in_turns(60, "000000001"), 60) == 1


def test_the_first_and_the_last_repeat_may_read_something_else() -> None:
    text = in_turns(30, "01")
    for layer in (0, 29):
        odd = text.replace(f"multiply %a{layer}, %m{layer % 2} ", f"multiply %a{layer}, %y0 ")
        assert odd != text
        assert joined(odd, 30) == 2
    assert joined(text.replace("multiply %a9, %m1 ", "multiply %a9, %y0 "), 30) == 1


@pytest.mark.parametrize(("other", "expected"), [(2, 6), (4, 1)])
def test_of_several_turns_all_are_joined_if_these_are_not_too_many(other: int, expected: int) -> None:
    text = in_turns(120, "012")
    for layer in range(120):
        text = text.replace(f"add %y{layer}, %w{layer} ", f"add %y{layer}, %w{layer % other} ")
    assert joined(text, 120) == expected


def test_the_last_of_an_odd_number_of_layers_is_not_joined() -> None:
    found = layers_of(in_turns(41, "01"))
    assert [(one.period, len(one.layers())) for one in found.series] == [(4, 20), (4, 20)]
    assert found.end - found.first > 16


def test_layers_may_be_updated_in_the_order_of_their_names() -> None:
    order = sorted(range(30), key=str)
    found = layers_of(sorted_by_name(30))
    assert [one.order for one in found.series] == [(), (), tuple(order), tuple(order)]
    assert (found.first, found.end) == (1, 29)
    update = found.series[2]
    number = update.begin_of(9)
    assert number == update.begin + order.index(9) * update.period
    assert update.layer(number + 1) == 9
    assert found.counterpart(number + 1, 2) is found.operations[update.begin_of(11) + 1]
    assert found.counterpart(number, 21) is None


def test_a_scalar_may_go_through_layers_in_the_order_of_their_names() -> None:
    text = normed(sorted(range(30), key=str))
    found = layers_of(text)
    assert [bool(one.order) for one in found.series] == [False, False, True, True]
    assert (found.first, found.end, found.reach, len(found.carried)) == (1, 29, 1, 30)
    # Layer 9, the last in the text, hands the sum on to an operation of no layer: to one alone.
    found = layers_of(text.replace("sqrt %t9", "add %t9, %t9"))
    assert (found.first, found.end, len(found.carried)) == (10, 29, 29)
    # What another operation reads, too, is not handed on like that of other layers.
    found = layers_of(text.replace("sqrt %t9", "add %t9, %t5"))
    assert (found.first, found.end, len(found.carried)) == (7, 29, 29)
    # Only scalars are.
    text = text.replace("dimensions = [0, 1]", "dimensions = [1]").replace("dims = []", "dims = [0]")
    text = text.replace("add %zero,", "add %r0,").replace("tensor<f32>", "tensor<32xf32>")
    text = text.replace(f"({SQUARE}, tensor<32xf32>)", f"({SQUARE}, tensor<f32>)")
    found = layers_of(text.replace("dense<0.0> : tensor<32xf32>", "dense<0.0> : tensor<f32>"))
    assert (bool(found.series[2].order), found.end - found.first, found.carried) == (True, 8, set())


def test_a_layer_that_reads_something_else_in_the_same_place_is_unlike() -> None:
    text = squares(20, SUM).replace("%y0: tensor", "%x: tensor")
    assert (layers_of(squares(20, SUM)).first, layers_of(squares(20, SUM)).end) == (1, 19)
    text = text.replace("%a0 = stablehlo", f"%y0 = stablehlo.negate %x : {SMALL}\n    %a0 = stablehlo")
    assert layers_of(text).first == 1


def test_a_layer_that_is_read_by_something_else_in_the_same_place_is_unlike() -> None:
    text = squares(20, SUM, tail=f"%z = stablehlo.subtract %y20, %y20 : {SMALL}").replace("return %y20", "return %z")
    assert layers_of(text).end == 19


def test_a_layer_that_others_read_is_unlike() -> None:
    tail = f"%z = stablehlo.subtract %y20, %a8 : {SMALL}"
    found = layers_of(squares(20, SUM, tail=tail).replace("return %y20", "return %z"))
    assert (found.first, found.end) == (9, 19)


def test_layers_that_others_read_are_unlike_each_other() -> None:
    """The layer in the middle is the only one that nobody else reads."""
    readers = ("abs", "ceil", "cosine", "exponential", "floor", "log", "logistic", "negate", "rsqrt", "sign", "sine")
    tail = [f"%z{n} = stablehlo.{name} %a{n} : {SMALL}" for n, name in enumerate(readers) if n != 6]
    assert layers_of(squares(12, SUM)).end == 11
    found = layers_of(squares(12, SUM, tail="\n    ".join(tail)))
    assert found.series
    assert found.end - found.first == 1


def test_a_layer_that_all_read_is_unlike() -> None:
    def copies(other: str) -> str:
        arguments = ", ".join(f"%u{n}: {SMALL}" for n in range(20))
        first = [
            f"%a{n} = stablehlo.tanh %u{n} : {SMALL}\n    %b{n} = stablehlo.cosine %a{n} : {SMALL}" for n in range(20)
        ]
        second = [
            f"%c{n} = stablehlo.add %b{n}, {other} : {SMALL}\n    %d{n} = stablehlo.negate %c{n} : {SMALL}"
            for n in range(20)
        ]
        types, returned = ", ".join([SMALL] * 20), ", ".join(f"%d{n}" for n in range(20))
        body = "\n    ".join([*first, *second, f"return {returned} : {types}"])
        return f"func.func @main(%x: {SMALL}, {arguments}) -> ({types}) {{\n    {body}\n}}"

    found = layers_of(copies("%x"))
    assert (found.first, found.end) == (0, 20)
    found = layers_of(copies("%a5"))
    assert (found.first, found.end) == (6, 20)


def test_a_layer_that_is_read_in_another_order_is_unlike() -> None:
    module = parse(squares(20, WITH_SHARED + f"\n    %d{{n}} = stablehlo.subtract %a{{n}}, %y{{n}} : {SMALL}"))
    main = find_main_function(module.op)
    assert main is not None
    assert detected_layers(main).end - detected_layers(main).first > 17
    (value,) = [op for op in main.body if op.name == "stablehlo.add"][9].results
    rewriting.order_uses(value, list(value._uses)[::-1])
    found = detected_layers(main)
    assert (found.first, found.end) == (10, 19)


def test_calls_that_nest_deeper_than_python_recurses_are_no_layers() -> None:
    depth, row = 1_500, "tensor<8xf32>"
    functions = [
        f"func.func private @f{one}(%a: {row}) -> {row} {{\n"
        f"  %0 = call @f{one + 1}(%a) : ({row}) -> {row}\n  return %0 : {row}\n}}"
        for one in range(depth)
    ]
    last = f"func.func private @f{depth}(%a: {row}) -> {row} {{\n  return %a : {row}\n}}"
    main = f"func.func @main(%a: {row}) -> {row} {{\n  %0 = call @f0(%a) : ({row}) -> {row}\n  return %0 : {row}\n}}"
    module = parse("\n".join([main, *functions, last]))
    function = next(op for op in module.op.body if op.symbol_name == "main")
    assert not detected_layers(function).series


def _models(count: int, layers: int, trees: int) -> str:
    """So many models of so many layers, one behind the other; the weights are updated, then other values of each layer
    in the same way."""
    arguments = [f"%y{model}_0: {SMALL}" for model in range(count)]
    body, made = [], []
    for model in range(count):
        for layer in range(layers):
            arguments.append(f"%w{model}_{layer}: {SMALL}")
            body += [
                f"%a{model}_{layer} = stablehlo.tanh %y{model}_{layer} : {SMALL}",
                f"%y{model}_{layer + 1} = stablehlo.add %a{model}_{layer}, %w{model}_{layer} : {SMALL}",
            ]
    for tree in range(trees):
        for model in range(count):
            for layer in range(layers):
                read, name = f"%{'ay'[tree]}{model}_{layer + tree}", f"{tree}_{model}_{layer}"
                body += [
                    f"%b{name} = stablehlo.cosine {read} : {SMALL}",
                    f"%c{name} = stablehlo.multiply %b{name}, %b{name} : {SMALL}",
                ]
                made.append(f"%c{name}")
    types = ", ".join([SMALL] * len(made))
    body.append(f"return {', '.join(made)} : {types}")
    return "\n    ".join([f"func.func @main({', '.join(arguments)}) -> ({types}) {{", *body, "}"])


def test_repeats_of_several_models_are_series_of_their_own() -> None:
    found = layers_of(_models(3, 12, 1))
    assert [(one.begin, one.period) for one in found.series] == [(24 * model, 2) for model in range(6)]
    assert all(len(one.layers()) == 12 for one in found.series)
    assert (found.first, found.end) == (1, 11)


def test_repeats_that_read_one_series_several_times_are_series_of_their_own() -> None:
    found = layers_of(_models(1, 20, 2))
    assert [one.begin for one in found.series] == [0, 40, 80]
    assert (found.first, found.end) == (1, 19)


def five_and_one(groups: int) -> str:
    """Layers of 240 operations on a value; one operation of every sixth layer is another than in the others."""
    row, random = "tensor<8x8xf32>", Random(5)
    names = [random.choice(("negate", "tanh", "exponential", "abs", "sqrt")) for _ in range(240)]
    lines, count = [], 0
    for layer in range(6 * groups):
        for number, name in enumerate(names):
            other = "sine" if number == 120 and layer % 6 == 5 else name
            lines.append(f"%{count + 1} = stablehlo.{other} %{count} : {row}")
            count += 1
    body = "\n".join(lines)
    return f"func.func @main(%0: {row}) -> {row} {{\n{body}\nreturn %{count} : {row}\n}}"


def test_long_repeats_are_found_that_are_nearly_repeats_of_a_sixth() -> None:
    found = layers_of(five_and_one(9))
    assert [one.period for one in found.series] == [6 * 240]
    assert found.end - found.first == 7
