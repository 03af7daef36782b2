"""Layers beside the splice point of a folded program: whether they are alike, and how those between are written."""

from __future__ import annotations

import pytest

from pyshardy import parse
from pyshardy.folding.certifying.constant_copies import mark_copies_of_other_layers
from pyshardy.folding.certifying.likeness import NeedsMoreLayers
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.detecting.detection import detected_layers
from pyshardy.folding.fold import fold
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.folding.program import layers_of
from pyshardy.folding.unfolding import Unfolding
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.printing.program_text import operation_text
from tests.folding.fuzz import small_programs_too
from tests.folding.programs import SQUARE, perceptrons
from tests.folding.test_plans import models
from tests.use_order import uses_by_number


def text_of(operations: list[Operation]) -> list[object]:
    """What operations are, by what they read of each other."""
    numbers: dict[Value, object] = {one: (at, one.index) for at, op in enumerate(operations) for one in op.results}
    return [
        (op.name, op.properties, op.attributes, [numbers.get(one, getattr(one, "index", None)) for one in op.operands])
        for op in operations
    ]


def folded(text: str) -> Folded:
    module = parse(text)
    with small_programs_too():
        layers = layers_of(module.op)
    assert layers is not None
    found = fold(module.op, layers, layers.first + 4, layers.end - 4)
    assert found is not None
    return found


def layer_of(folded: Folded, layer: int, series: int = 0) -> list[Operation]:
    one = folded.layers.series[series]
    begin = one.begin_of(layer)
    own = set(folded.layers.operations[begin : begin + one.period])
    return [op for op in folded.function.body if folded.source(op.location) in own]


# Functions of layers stand in the order of series only behind passes.
LARGER = models(4)


@pytest.mark.parametrize("model", [model for model in LARGER if model != "own functions"])
def test_what_is_unfolded_is_what_was_folded(model: str) -> None:
    few = folded(LARGER[model])
    source = few.layers.function
    assert len(list(few.function.body)) < 0.5 * len(list(source.body))
    Unfolding(Splice(few), few.module)
    assert text_of(list(few.function.body)) == text_of(list(source.body))
    assert uses_by_number(few.function) == uses_by_number(source)
    assert [op.location for op in few.function.operations()] == [op.location for op in source.operations()]


def test_a_folded_program_is_legal() -> None:
    few = folded(perceptrons(60))
    text = operation_text(few.module)
    again = operation_text(parse(text).op)
    assert again == text
    assert len(text.splitlines()) < len(perceptrons(60).splitlines()) / 3


@pytest.mark.parametrize("series", range(3))
def test_layers_are_made_of_the_same(series: int) -> None:
    few = folded(perceptrons(60))
    op = layer_of(few, few.end, series)[0]
    op.attributes = op.attributes.with_("other", op.properties)
    with pytest.raises(NoCertificate):
        Splice(few)


def test_layers_are_read_alike() -> None:
    few = folded(perceptrons(60))
    read = next(value for op in layer_of(few, few.end) for value in op.results if len(value._uses) > 1)
    rewriting.order_uses(read, reversed(list(read._uses)))
    with pytest.raises(NoCertificate):
        Splice(few)


@pytest.mark.parametrize("other", [0, 1, 2])
def test_the_layer_below_the_template_is_like_it_too(other: int) -> None:
    few = folded(perceptrons(60))
    lower = layer_of(few, few.below - 1)
    if other == 0:
        lower[0].attributes = lower[0].attributes.with_("other", lower[0].properties)
    elif other == 1:
        read = next(value for op in lower for value in op.results if len(value._uses) > 1)
        rewriting.order_uses(read, reversed(list(read._uses)))
    else:
        rewriting.insert_before(lower[1], rewriting.create("stablehlo.tanh", lower[0].operands, [], location=None))
    with pytest.raises(NeedsMoreLayers) as raised:
        Splice(few)
    assert raised.value.beside == few.beside + 1


def test_layers_farther_away_may_have_more_operations() -> None:
    few = folded(perceptrons(60))
    extra = []
    for layer in (few.below - 2, few.end + 1):
        for series in range(3):
            first = layer_of(few, layer, series)[0]
            extra.append(rewriting.create("stablehlo.tanh", [first.operands[1]], [first.operands[1].type]))
            extra[-1].location = first.location
            rewriting.insert_before(first, extra[-1])
    Unfolding(Splice(few), few.module)
    source = few.layers.function
    for op in extra:
        rewriting.erase(op)
    assert text_of(list(few.function.body)) == text_of(list(source.body))
    assert uses_by_number(few.function) == uses_by_number(source)


def test_the_layer_below_the_template_may_make_a_value_for_all() -> None:
    few = folded(perceptrons(60))
    rate = few.function.body.arguments[1]
    kept = [layer for layer in range(60) if not few.first <= layer < few.end]
    readers = [layer_of(few, layer, 2)[0] for layer in kept if layer >= few.below - 1]
    made = rewriting.create("stablehlo.tanh", [rate], [rate.type])
    made.location = readers[0].location
    rewriting.insert_before(readers[0], made)
    for op in readers:
        rewriting.set_operand(op, 1, made.results[0])
    splice = Splice(few)
    assert list(splice.shared) == [made.results[0]]
    Unfolding(splice, few.module)
    assert len(made.results[0]._uses) == 60 - (few.below - 1)


def test_layers_stand_beside_each_other() -> None:
    few = folded(perceptrons(60))
    second, shared = layer_of(few, few.end, 2)[1], few.function.body.arguments[0]
    rewriting.insert_before(second, rewriting.create("stablehlo.tanh", [shared], [shared.type]))
    with pytest.raises(NoCertificate):
        Splice(few)


def test_others_do_not_read_what_layers_make() -> None:
    few = folded(perceptrons(60))
    made = layer_of(few, few.below)[0].results[0]
    terminator = few.function.body.terminator
    rewriting.insert_before(terminator, rewriting.create("stablehlo.tanh", [made], [made.type]))
    with pytest.raises(NoCertificate):
        Splice(few)


@pytest.mark.parametrize("layer", ["below", "above"])
def test_what_all_layers_read_is_read_in_the_order_of_layers(layer: str) -> None:
    few = folded(perceptrons(60))
    shared = few.function.body.arguments[1]
    wanted = layer_of(few, few.below if layer == "below" else few.end, 2)
    uses = [use for use in shared._uses if use[0] not in wanted]
    rewriting.order_uses(shared, [*(use for use in shared._uses if use[0] in wanted), *uses])
    with pytest.raises(NoCertificate):
        Splice(few)


def test_links_between_layers_are_alike() -> None:
    few = folded(perceptrons(60))
    splice = Splice(few)
    near = [layer_of(few, layer) for layer in splice.layers_compared()]
    splice.check_links({op: one[0] for one in near for op in one})
    with pytest.raises(NeedsMoreLayers):
        splice.check_links({op: one[0] for one in near[1:] for op in one})
    with pytest.raises(NoCertificate):
        splice.check_links({op: near[0][0] for one in near for op in one})
    with pytest.raises(NoCertificate):
        splice.check_links({op: few.function for one in near for op in one})


def test_what_makes_a_value_for_all_layers_may_stand_near_the_splice_point() -> None:
    """Updates go downward, and a pass has merged the constants that they read into that of the second layer above the
    splice point, which comes first of those that have the same."""
    layers = 16
    weights = ", ".join(f"%w{n}: {SQUARE}" for n in range(layers))
    body = []
    for n in range(layers):
        body += [
            f"%t{n} = stablehlo.multiply %x{n}, %w{n} : {SQUARE}",
            f"%a{n} = stablehlo.tanh %t{n} : {SQUARE}",
            f"%x{n + 1} = stablehlo.add %a{n}, %x{max(n - 1, 0)} : {SQUARE}",
        ]
    for n in reversed(range(layers)):
        body += [
            f"%n{n} = stablehlo.negate %w{n} : {SQUARE}",
            f"%c{n} = stablehlo.constant dense<0.5> : {SQUARE}",
            f"%u{n} = stablehlo.divide %n{n}, %c{n} : {SQUARE}",
        ]
    returned = ", ".join([f"%x{layers}", *(f"%u{n}" for n in range(layers))])
    types = ", ".join([SQUARE] * (layers + 1))
    head = f"func.func @main(%x0: {SQUARE}, {weights}) -> ({types}) {{"
    with small_programs_too():
        few = folded("\n".join([head, *body, f"return {returned} : {types}", "}"]))
    maker = layer_of(few, few.end + 1, 1)[1]
    for layer in [*range(few.layers.first, few.first), few.end]:
        constant = layer_of(few, layer, 1)[1]
        for user, index in list(constant.result._uses):
            rewriting.set_operand(user, index, maker.result)
        rewriting.erase(constant)
    splice = Splice(few)
    assert maker.result in splice.shared
    assert splice.position_if_alike(maker) is None


def _chain(count: int, name: str, first: str, unary: str) -> list[str]:
    """So many layers, each of which reads a scalar of the layer below, spread over a tensor."""
    row, read, lines = "tensor<8xf32>", first, list[str]()
    for n in range(count):
        lines += [
            f"%{name}a{n} = stablehlo.{unary} {read} : {row}",
            f"%{name}b{n} = stablehlo.multiply %{name}a{n}, %w{n} : {row}",
            f"%{name}c{n} = stablehlo.reduce(%{name}b{n} init: %zero) applies stablehlo.add across dimensions = [0]"
            f" : ({row}, tensor<f32>) -> tensor<f32>",
            f"%{name}{n} = stablehlo.broadcast_in_dim %{name}c{n}, dims = [] : (tensor<f32>) -> {row}",
        ]
        read = f"%{name}{n}"
    return lines


def test_constants_that_ends_of_a_model_read_of_each_other_stay() -> None:
    """The first layer of the second chain reads the last one of the first chain, on the other side of the splice
    point; the layer above the splice point reads the one below."""
    weights = ", ".join(f"%w{n}: tensor<8xf32>" for n in range(18))
    body = [*_chain(18, "e", "%x", "tanh"), *_chain(16, "f", "%e17", "cosine"), "return %f15 : tensor<8xf32>"]
    zero = "%zero = stablehlo.constant dense<0.0> : tensor<f32>"
    text = "\n  ".join([f"func.func @main(%x: tensor<8xf32>, {weights}) -> tensor<8xf32> {{", zero, *body, "}"])
    module = parse(text)
    layers = detected_layers(next(iter(module.op.body)))
    few = fold(module.op, layers, 5, 11)
    assert few is not None
    copies = [op for op in few.function.body if op.name == "stablehlo.broadcast_in_dim" and op.results[0].has_one_use]
    before = [few.source(op.location) for op in copies]
    mark_copies_of_other_layers(few, copies, ())
    moved = [
        (layers.layer(layers.numbers[one]), layers.layer(layers.numbers[other]))
        for one, other in zip(before, map(few.source, [op.location for op in copies]), strict=True)
        if one is not None and other is not None and one is not other
    ]
    assert moved == [(4, 10), (4, 10)]
