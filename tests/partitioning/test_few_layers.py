"""A program that is partitioned by few of its layers is what it is by all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from pyshardy import parse, partition
from pyshardy.emitting.layout import Sharded
from pyshardy.ir import rewriting
from pyshardy.ir.layers_to_come import Exported, LayersToCome
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning import few_layers, ways
from pyshardy.partitioning.few_layers import propagated, shortened
from pyshardy.partitioning.function_names import full_names
from pyshardy.partitioning.layers_put_in import LayersPutIn
from pyshardy.partitioning.localizing import registry
from pyshardy.partitioning.plan import Plan
from pyshardy.partitioning.seam import Parts, Seam, Unlike
from pyshardy.partitioning.short_copy import ShortCopy
from pyshardy.passes.call_graph import free_name
from pyshardy.propagation.journal import Journal
from pyshardy.versions import is_compiled
from tests.partitioning.fuzz_layers import Count, by_all_layers, differ, outcome
from tests.partitioning.test_fewer_layers import perceptrons
from tests.partitioning.test_written_layers import MODELS, PADDED, ROLLED, ROWS, layers
from tests.propagation.layered_programs import LayeredProgram
from tests.use_order import uses_by_number

SQUARE = "tensor<32x32xf32>"


def by_few(text: str, **options: Any) -> tuple[bool, Plan]:
    """Whether few layers were enough, and the plan."""
    with Count() as count:
        plan = partition(parse(text), **options)
    return count.found["by few"] > 0, plan


def text_of(operations: list[Operation]) -> list[object]:
    """What operations are, by what they read of each other."""
    numbers: dict[Value, object] = {one: (at, one.index) for at, op in enumerate(operations) for one in op.results}
    return [
        (op.name, op.properties, op.attributes, [numbers.get(one, getattr(one, "index", None)) for one in op.operands])
        for op in operations
    ]


def random_program(seed: int) -> str:
    return str(LayeredProgram(seed, 30 + seed % 15))


def forward_and_backward(
    count: int,
    forward: Callable[[int], list[str]],
    backward: Callable[[int], list[str]],
    *,
    weights: str = '{"x"}, {}',
    extra: str = "",
) -> str:
    """So many layers of squares: ``forward`` makes ``%y{n+1}`` of ``%y{n}`` and ``%w{n}``, ``backward`` makes ``%g{n}``
    of ``%g{n+1}``, and the result ``%d{n}``. Weights and results are sharded like
    ``weights``."""
    sharded = f"{{sdy.sharding = #sdy.sharding<@mesh, [{weights}]>}}"
    arguments = [
        f'%y0: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{{"y"}}, {{}}]>}}',
        *[f"%w{n}: {SQUARE} {sharded}" for n in range(count)],
    ]
    body = [line for n in range(count) for line in forward(n)]
    body += [f"%g{count} = stablehlo.negate %y{count} : {SQUARE}"]
    body += [line for n in reversed(range(count)) for line in backward(n)]
    results, names = [f"{SQUARE} {sharded}"] * count, [f"%d{n}" for n in range(count)]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=2]>',
            f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{",
            *body,
            f"return {', '.join(names)} : {', '.join([SQUARE] * count)}",
            "}",
            extra,
        ]
    )


def _dot(result: str, one: str, other: str, dims: str = "[1] x [0]") -> str:
    return (
        f"{result} = stablehlo.dot_general {one}, {other}, contracting_dims = {dims} : ({SQUARE}, {SQUARE}) -> {SQUARE}"
    )


def gathered(count: int) -> str:
    """What is returned of each layer is scattered as it is returned; the weights are gathered forward and backward."""
    return forward_and_backward(
        count,
        lambda n: [
            _dot(f"%h{n}", f"%y{n}", f"%w{n}"),
            f"%t{n} = stablehlo.tanh %h{n} : {SQUARE}",
            f"%u{n} = stablehlo.cosine %t{n} : {SQUARE}",
            _dot(f"%v{n}", f"%u{n}", f"%w{n}"),
            f"%y{n + 1} = stablehlo.add %v{n}, %y{n} : {SQUARE}",
        ],
        lambda n: [
            _dot(f"%a{n}", f"%g{n + 1}", f"%w{n}", "[1] x [1]"),
            f"%b{n} = stablehlo.multiply %a{n}, %t{n} : {SQUARE}",
            _dot(f"%c{n}", f"%y{n}", f"%b{n}", "[0] x [0]"),
            f"%e{n} = stablehlo.sine %b{n} : {SQUARE}",
            f"%g{n} = stablehlo.add %e{n}, %g{n + 1} : {SQUARE}",
            f"%d{n} = stablehlo.subtract %w{n}, %c{n} : {SQUARE}",
        ],
    )


GATE = f"""
func.func private @gate(%a: {SQUARE}) -> {SQUARE} {{
  %0 = stablehlo.logistic %a : {SQUARE}
  %1 = stablehlo.multiply %a, %0 : {SQUARE}
  return %1 : {SQUARE}
}}
func.func private @gate_2(%a: {SQUARE}, %b: {SQUARE}) -> {SQUARE} {{
  %0 = stablehlo.logistic %a : {SQUARE}
  %1 = stablehlo.multiply %b, %0 : {SQUARE}
  return %1 : {SQUARE}
}}"""


def calling(count: int) -> str:
    """Functions are called forward and backward. Their copies are numbered: what is called backward is called after the
    number of all copies that were made forward."""
    return forward_and_backward(
        count,
        lambda n: [
            _dot(f"%h{n}", f"%y{n}", f"%w{n}"),
            f"%t{n} = func.call @gate(%h{n}) : ({SQUARE}) -> {SQUARE}",
            f"%u{n} = stablehlo.cosine %t{n} : {SQUARE}",
            f"%y{n + 1} = stablehlo.add %u{n}, %y{n} : {SQUARE}",
        ],
        lambda n: [
            f"%b{n} = func.call @gate_2(%h{n}, %g{n + 1}) : ({SQUARE}, {SQUARE}) -> {SQUARE}",
            _dot(f"%c{n}", f"%y{n}", f"%b{n}", "[0] x [0]"),
            _dot(f"%e{n}", f"%b{n}", f"%w{n}", "[1] x [1]"),
            f"%g{n} = stablehlo.add %e{n}, %g{n + 1} : {SQUARE}",
            f"%d{n} = stablehlo.subtract %w{n}, %c{n} : {SQUARE}",
        ],
        weights='{}, {"y"}',
        extra=GATE,
    )


def masked(count: int) -> str:
    """Layers that read constants which stand before all of them, forward and backward."""
    text = gathered(count)
    head = f"""
      %scalar = stablehlo.constant dense<2.0> : tensor<f32>
      %scale = stablehlo.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> {SQUARE}
      %mask = stablehlo.constant dense<3.0> : {SQUARE}"""
    begin = text.index("{\n%h0") + 1
    text = text[:begin] + head + text[begin:]
    for n in range(count):
        text = text.replace(f"%u{n} = stablehlo.cosine %t{n} :", f"%u{n} = stablehlo.add %t{n}, %mask :")
        text = text.replace(f"%e{n} = stablehlo.sine %b{n} :", f"%e{n} = stablehlo.multiply %mask, %scale :")
    return text


CAPTURED = f"""
  %i{{n}} = stablehlo.constant dense<0> : tensor<i32>
  %c{{n}} = stablehlo.constant dense<3> : tensor<i32>
  %l{{n}}:2 = stablehlo.while(%k = %i{{n}}, %v = %y{{n}}) : tensor<i32>, {ROWS}
    cond {{{{
      %p = stablehlo.compare LT, %k, %c{{n}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }}}} do {{{{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %k, %one : tensor<i32>
      %turned = stablehlo.add %v, %w{{n}} : {ROWS}
      %more = stablehlo.multiply %turned, %v : {ROWS}
      stablehlo.return %next, %more : tensor<i32>, {ROWS}
    }}}}
  %y{{next}} = stablehlo.add %l{{n}}#1, %w{{n}} : {ROWS}"""
"""Loops that read from outside."""

ALL = {
    **{f"perceptrons {seed}": perceptrons(60, seed) for seed in range(4)},
    "rolled": layers(150, ROLLED),
    "padded": layers(150, PADDED),
    "summed": MODELS["summed"],
    "gathered": gathered(60),
    "calling": calling(60),
    "masked": masked(60),
}


@pytest.mark.parametrize("model", ALL)
def test_few_layers_are_enough_for_models(model: str) -> None:
    taken, plan = by_few(ALL[model])
    assert taken
    assert plan.collectives is plan.collectives
    assert not differ(ALL[model])


def test_all_layers_are_gone_through_if_few_do_not_say_it() -> None:
    taken, _ = by_few(layers(150, CAPTURED))
    assert not taken
    assert not differ(layers(150, CAPTURED))


# Each of these was once partitioned otherwise.
@pytest.mark.parametrize(
    "seed", [6055, 6116, 7212, 7214, 7291, 8039, 8235, 9350, 10266, 10392, 10405, 20119, 130026, 150106]
)
def test_random_layers_are_partitioned_the_same(seed: int) -> None:
    assert not differ(random_program(seed))


def test_copies_of_functions_are_numbered_as_with_all_layers() -> None:
    taken, plan = by_few(calling(60))
    assert taken
    assert [op.symbol_name for op in plan.local.op.body if op.name == "func.func"] == ["main", "gate", "gate_2_59"]


def test_many_layers_are_left_out() -> None:
    module = parse(gathered(60))
    short = shortened(module.op)
    assert short is not None
    assert short.end - short.first > 40
    assert len(list(short.function.body)) < 0.3 * len(list(short.repetition.function.body))
    assert str(module) == str(parse(gathered(60)))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(perceptrons(10), id="too few layers"),
        pytest.param(perceptrons(16, odd=8), id="no run of layers that are alike is long enough"),
    ],
)
def test_few_layers_are_not_looked_for_in(text: str) -> None:
    assert shortened(parse(text).op) is None


def test_layer_of_its_own_stays() -> None:
    text = perceptrons(60, 3, odd=20)
    short = shortened(parse(text).op)
    assert short is not None
    assert not short.first <= 20 < short.end
    assert not differ(text)


def test_nothing_is_left_out_where_others_say_what_becomes_of_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.localizer("stablehlo.tanh")
    monkeypatch.setitem(registry._localizers, "stablehlo.tanh", lambda site: site.fall_back())
    assert shortened(parse(perceptrons(60)).op) is None


@pytest.mark.parametrize("options", [{"emit": "collectives"}, {"journal": Journal()}])
def test_all_layers_are_gone_through_where_all_are_to_be_seen(options: dict[str, Any]) -> None:
    assert not by_few(perceptrons(60), **options)[0]


def test_few_layers_are_enough_for_a_program_that_nobody_asks_for_any_more() -> None:
    taken, plan = by_few(perceptrons(60), in_place=True)
    assert taken
    assert str(plan.module) == str(partition(parse(perceptrons(60))).module)


def test_a_manual_form_is_made_of_few_layers() -> None:
    taken, plan = by_few(gathered(60), emit="manual")
    assert taken
    with by_all_layers():
        other = partition(parse(gathered(60)), emit="manual")
    assert str(plan.module) == str(other.module)


def test_collectives_of_the_program_keep_their_channels() -> None:
    rows = "tensor<64x32xf32>"
    own = f"""  %own = sdy.manual_computation(%y60) in_shardings=[<@mesh, [{{"x"}}, {{}}]>]
      out_shardings=[<@mesh, [{{}}, {{}}]>] manual_axes={{"x"}} (%m: tensor<32x32xf32>) {{
    %r = "stablehlo.all_gather"(%m) <{{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 5,
      type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}}>
      : (tensor<32x32xf32>) -> {rows}
    sdy.return %r : {rows}
  }} : ({rows}) -> {rows}
  %g60 = stablehlo.negate %own"""
    text = perceptrons(60).replace("  %g60 = stablehlo.negate %y60", own)
    assert "%own" in text and not by_few(text)[0]
    assert not differ(text)


def test_what_is_wrong_is_said_of_the_whole_program() -> None:
    text = perceptrons(60).replace(
        "stablehlo.tanh %x", "stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[]>}"
    )
    said = outcome(text)
    assert "sharding_per_value" in str(said)
    with by_all_layers():
        assert outcome(text) == said


def test_who_asks_late_is_told_what_holds() -> None:
    _, plan = by_few(gathered(60))
    with by_all_layers():
        other = partition(parse(gathered(60)))
    assert plan.memory.peak == other.memory.peak
    assert plan.bytes_moved == other.bytes_moved
    assert [one.bytes for one in plan.collectives] == [one.bytes for one in other.collectives]
    names = [plan.names.name(one.tensor) for one in plan.collectives if one.tensor is not None]
    assert names == [other.names.name(one.tensor) for one in other.collectives if one.tensor is not None]
    values = list(plan.correspondence.values.values())
    assert len(values) == len(other.correspondence.values)
    assert all(isinstance(one, Sharded) for one in values)


@pytest.mark.parametrize("model", ALL)
def test_who_asks_late_may_have_taken_the_program_apart(model: str) -> None:
    module, other = parse(ALL[model]), partition(parse(ALL[model]))
    plan = partition(module)
    for function in module.op.body:
        for op in reversed(function.operations()):
            rewriting.drop_operands(op)
        for block in (block for region in function.regions for block in region.blocks):
            for op in reversed(list(block)):
                rewriting.erase(op)
    assert [one.bytes for one in plan.collectives] == [one.bytes for one in other.collectives]
    assert len(plan.correspondence.values) == len(other.correspondence.values)


@pytest.mark.parametrize("seed", [5, 210, 272])
def test_layouts_are_spread_by_few_layers(seed: int) -> None:
    made: list[object] = []

    def kept(*given: Any) -> object:
        made.append(few_layers.few_layers(*given))
        return made[-1]

    with patch.object(ways, "few_layers", kept):
        plan = partition(parse(random_program(seed)))
    assert len(made) == 1
    assert made[0] is not None
    with patch.object(ways, "few_layers", lambda *_: None):
        other = partition(parse(random_program(seed)))
    assert str(plan.module) == str(other.module)
    assert str(plan.correspondence.module) == str(other.correspondence.module)
    assert not differ(random_program(seed))


@pytest.mark.parametrize("seed", [57, 161, 225])
def test_one_of_the_first_layers_may_make_what_all_read(seed: int) -> None:
    taken, _ = by_few(random_program(seed))
    assert taken
    assert not differ(random_program(seed))


def test_layers_of_another_stack_prove_nothing() -> None:
    # A second stack beside the one of which few layers are left repeats more often than that.
    taken, _ = by_few(random_program(110))
    assert not taken
    assert not differ(random_program(110))


@pytest.mark.skipif(is_compiled(), reason="names of compiled modules cannot be replaced")
def test_more_layers_are_left_where_propagation_asks_for_them() -> None:
    short = shortened(parse(random_program(7)).op)
    assert short is not None
    assert short.above < 7
    with patch.object(few_layers, "FewLayers", wraps=few_layers.FewLayers) as made:
        taken, _ = by_few(random_program(7))
    assert taken
    assert [one.args[0].above for one in made.call_args_list] == [7]


@pytest.mark.skipif(is_compiled(), reason="names of compiled modules cannot be replaced")
def test_a_seam_between_layers_that_differ_is_refused() -> None:
    """An operation of one layer beside the seam is another one than in the next."""
    found: list[bool] = []
    change = {"stablehlo.tanh": "stablehlo.cosine"}

    def changed(short: Any, *given: Any) -> object:
        begin = short.repetition.series[0].begin_of(short.end)
        ops: list[Operation] = [short.copies[op] for op in short.repetition.operations[begin : begin + 4]]
        for op in ops:
            if op.name in change:
                op.name = change[op.name]
                op.signature = None
        result = propagated(short, *given)
        found.append(result is not None)
        return result

    with patch.object(few_layers, "propagated", changed):
        plan = partition(parse(perceptrons(60)))
    assert found == [False]
    assert str(plan.module) == str(partition(parse(perceptrons(60))).module)


class TestSeam:
    """Layers that were left out, put in again without any pass in between."""

    def short(self, text: str) -> tuple[ShortCopy, Seam]:
        short = shortened(parse(text).op)
        assert short is not None
        return short, self.seam(short)

    def seam(self, short: ShortCopy) -> Seam:
        return Seam(short, short.function, self.parts(short))

    def parts(self, short: ShortCopy) -> Parts:
        return few_layers._layers_near(short, short.function)[0]

    def layer(self, short: ShortCopy, layer: int, series: int = 0) -> list[Operation]:
        one = short.repetition.series[series]
        begin = one.begin_of(layer)
        return [short.copies[op] for op in short.repetition.operations[begin : begin + one.period]]

    @pytest.mark.parametrize("model", ALL)
    def test_the_program_is_what_it_was(self, model: str) -> None:
        short, seam = self.short(ALL[model])
        source = short.repetition.function
        LayersPutIn(seam, lambda layer: {})
        assert text_of(list(short.function.body)) == text_of(list(source.body))
        assert uses_by_number(short.function) == uses_by_number(source)

    def test_layers_are_read_alike(self) -> None:
        short, _ = self.short(perceptrons(60))
        read = next(value for op in self.layer(short, short.end) for value in op.results if len(value._uses) > 1)
        rewriting.order_uses(read, reversed(list(read._uses)))
        with pytest.raises(Unlike):
            self.seam(short)

    def test_layers_stand_beside_each_other(self) -> None:
        short, _ = self.short(perceptrons(60))
        second, shared = self.layer(short, short.end, 2)[1], short.function.body.arguments[0]
        rewriting.insert_before(second, rewriting.create("stablehlo.tanh", [shared], [shared.type]))
        copies = set(short.copies.values())
        parts = {key: [op for op in part if op in copies] for key, part in self.parts(short).items()}
        with pytest.raises(Unlike):
            Seam(short, short.function, parts)

    def test_others_do_not_read_what_layers_make(self) -> None:
        short, _ = self.short(perceptrons(60))
        made = self.layer(short, short.first - 1)[0].results[0]
        terminator = short.function.body.terminator
        rewriting.insert_before(terminator, rewriting.create("stablehlo.tanh", [made], [made.type]))
        with pytest.raises(Unlike):
            self.seam(short)

    @pytest.mark.parametrize("layer", ["below", "above"])
    def test_what_all_layers_read_is_read_in_the_order_of_layers(self, layer: str) -> None:
        short, _ = self.short(perceptrons(60))
        shared = short.function.body.arguments[1]
        wanted = self.layer(short, short.first - 1 if layer == "below" else short.end, 2)
        uses = [use for use in shared._uses if use[0] not in wanted]
        rewriting.order_uses(shared, [*(use for use in shared._uses if use[0] in wanted), *uses])
        with pytest.raises(Unlike):
            self.seam(short)

    def test_links_between_layers_are_alike(self) -> None:
        short, seam = self.short(perceptrons(60))
        near = [self.layer(short, layer) for layer in (short.first - 1, short.end)]
        seam.look_at_links({op: one[0] for one in near for op in one})
        with pytest.raises(Unlike):
            seam.look_at_links({op: near[0][0] for one in near for op in one})
        with pytest.raises(Unlike):
            seam.look_at_links({op: short.function for one in near for op in one})


class TestNames:
    """What functions are called that are made of computations."""

    def names(self, wanted: Callable[[str, int], str] = lambda name, layer: name) -> tuple[dict[str, str], list[str]]:
        """What is said of a short copy, and what functions of the whole program are called."""
        short = shortened(parse(calling(60)).op)
        assert short is not None
        layer_of = {
            op.location: (op, short.repetition.layer(short.repetition.numbers[op]))
            for op in short.repetition.operations
            if op.name == "func.call"
        }
        taken = {"main", "mesh"}

        def made(all_layers: bool) -> list[Exported]:
            symbols, number, found = set(taken), 0, []
            for location, (op, layer) in layer_of.items():
                if not all_layers and op not in short.copies:
                    continue
                callee = op.properties.entries["callee"]
                name = given = wanted(str(callee).removeprefix("@"), layer or 0)
                if given in symbols:
                    given, number = free_name(name, number, symbols)
                symbols.add(given)
                found.append(Exported(location, name, given))
            return found

        left = LayersToCome(short.fewest, [])
        left.taken, left.exported = frozenset(taken), made(all_layers=False)
        expected = {one.location: one.given for one in made(all_layers=True)}
        return full_names(short, left), [expected[one.location] for one in left.exported]

    def test_they_are_those_of_the_whole_program(self) -> None:
        found, expected = self.names()
        assert list(found.values()) == expected
        assert list(found) != expected

    def test_layers_that_want_other_names_are_refused(self) -> None:
        with pytest.raises(Unlike):
            self.names(lambda name, layer: f"{name}{layer}")
