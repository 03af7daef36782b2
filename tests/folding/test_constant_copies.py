"""Layers that read what is computed from constants in front of them: masks, and tables of embeddings."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from pyshardy import parse, partition, planning
from pyshardy.folding import candidates
from pyshardy.folding.certifying.parts import operations_by_layer
from pyshardy.folding.folded import NoCertificate
from pyshardy.folding.program import FoldedProgram
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.partitioning.localizing import registry
from tests.folding.fuzz import by_few, outcome, small_programs_too, wrong_of
from tests.folding.programs import SQUARE, dot
from tests.folding.test_plans import folded_plan, is_folded

BITS = SQUARE.replace("f32", "i1")
MASK = (
    f"%rows = stablehlo.iota dim = 0 : {SQUARE}",
    f"%columns = stablehlo.iota dim = 1 : {SQUARE}",
    f"%mask = stablehlo.compare GE, %rows, %columns : ({SQUARE}, {SQUARE}) -> {BITS}",
)
CALLED = (*MASK[:2], f"%mask = func.call @causal(%rows, %columns) : ({SQUARE}, {SQUARE}) -> {BITS}")
CAUSAL = (
    f"func.func private @causal(%r: {SQUARE}, %c: {SQUARE}) -> {BITS} {{",
    f"  %b = stablehlo.compare GE, %r, %c : ({SQUARE}, {SQUARE}) -> {BITS}",
    f"  return %b : {BITS}",
    "}",
)


def masked(layers: int, *, table: Sequence[str] = MASK, backward: bool = True) -> str:
    """Layers of two weights that select by a mask, which ``table`` computes from constants, and perhaps gradients."""
    shardings = {"u": '[{}, {"y"}]', "d": '[{"y"}, {}]'}
    weights = ", ".join(
        f"%{kind}{n}: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, {shardings[kind]}>}}"
        for n in range(layers)
        for kind in "ud"
    )
    body = [*table, f"%zero = stablehlo.constant dense<0.0> : {SQUARE}"]
    for n in range(layers):
        body += [
            dot(f"%a{n}", f"%y{n}", f"%u{n}"),
            f"%s{n} = stablehlo.select %mask, %a{n}, %zero : {BITS}, {SQUARE}",
            dot(f"%y{n + 1}", f"%s{n}", f"%d{n}"),
        ]
    body.append(f"%g{layers} = stablehlo.negate %y{layers} : {SQUARE}")
    for n in reversed(range(layers) if backward else ()):
        body += [
            dot(f"%t{n}", f"%g{n + 1}", f"%u{n}"),
            f"%b{n} = stablehlo.select %mask, %t{n}, %s{n} : {BITS}, {SQUARE}",
            dot(f"%g{n}", f"%b{n}", f"%d{n}"),
        ]
    end = "%g0" if backward else f"%g{layers}"
    head = f'func.func @main(%y0: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}, {weights})'
    functions = CAUSAL if table is CALLED else ()
    lines = [f"{head} -> {SQUARE} {{", *body, f"return {end} : {SQUARE}", "}", *functions]
    return "\n".join(['sdy.mesh @mesh = <["x"=2, "y"=2]>', *lines])


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("table", [MASK, CALLED], ids=["steps", "function"])
def test_layers_with_a_mask_are_folded(table: Sequence[str], backward: bool) -> None:
    text = masked(24, table=table, backward=backward)
    with small_programs_too():
        assert is_folded(text)
        assert wrong_of(text) is None


def test_each_layer_has_its_copies_of_a_mask() -> None:
    with small_programs_too():
        few, plan = folded_plan(masked(24))
    assert few
    assert len(re.findall("stablehlo.compare", str(plan.module))) == 48


def test_a_mask_that_is_not_of_constants_alone_is_one_for_all_layers() -> None:
    text = masked(
        24,
        table=(
            *MASK[:2],
            f"%turned = stablehlo.transpose %rows, dims = [1, 0] : ({SQUARE}) -> {SQUARE}",
            MASK[2].replace("%rows", "%turned"),
        ),
    )
    with small_programs_too():
        few, plan = folded_plan(text)
        assert wrong_of(text) is None
    assert few
    assert len(re.findall("stablehlo.compare", str(plan.module))) == 1


def _propagated(text: str) -> FoldedProgram:
    source = parse(text)
    with small_programs_too():
        layers = candidates.layers_for_plans(source.op, OperationKinds(source.op))
        assert layers is not None
        found = candidates.program_for_plans(source, layers, planning.propagation_for_plans())
    assert found is not None
    return found


def test_rows_of_copies_are_not_in_clusters() -> None:
    """The more layers there are, the farther apart copies stand."""
    splice = _propagated(masked(24)).splice
    parts, last = splice.parts, len(splice.template) - 1
    links = {parts[last, layer][0]: parts[last - 2, layer][0] for layer in splice.layers_compared()}
    assert {(op.name, other.name) for op, other in links.items()} == {("stablehlo.compare", "stablehlo.iota")}
    with pytest.raises(NoCertificate):
        splice.check_links(links)


HALF = SQUARE.replace("32x", "16x", 1)
PARTED = (f"%part = stablehlo.slice %y0 [0:16, 0:32] : ({SQUARE}) -> {HALF}", *MASK)
"""A part of the argument stands in front of the mask. It is read behind all layers."""


def parted(layers: int) -> str:
    text = masked(layers, table=PARTED)
    whole = f"%whole = stablehlo.concatenate %part, %part, dim = 0 : ({HALF}, {HALF}) -> {SQUARE}"
    return text.replace("return %g0", f"{whole}\n%end = stablehlo.add %g0, %whole : {SQUARE}\nreturn %end")


def test_what_stands_in_front_of_copies_may_begin_a_cluster() -> None:
    with small_programs_too():
        assert is_folded(parted(24))
        assert wrong_of(parted(24)) is None


def test_no_cluster_leads_from_the_front_of_copies_into_a_layer() -> None:
    """With all layers more copies stand between: the cluster would end before the layer."""
    splice = _propagated(parted(24)).splice
    part = next(op for op in splice.block if op.name == "stablehlo.slice")
    compared = splice.layers_compared()
    farther = [
        op
        for op, place in splice.positions.items()
        if place.series < 2 and splice.folded.full_number(place.layer) not in compared
    ]
    assert splice.position_if_alike(part) is None
    assert farther
    splice.check_links({})
    for op in farther:
        with pytest.raises(NoCertificate):
            splice.check_links({op: part})


def test_layers_that_are_written_later_have_their_copies() -> None:
    program = _propagated(masked(24))
    rows = len(program.folded.series)
    assert rows == 8
    first, end = program.folded.first + 1, program.folded.end - 1
    less = program.unfold_partially(first, end)
    parts = operations_by_layer(less, less.function.body.operations())
    kept = {layer for layer in range(24) if not first <= layer < end}
    assert [{layer for series, layer in parts if series == row} for row in range(2, rows)] == [kept] * (rows - 2)


def test_layers_are_not_left_out_if_a_plugin_says_what_becomes_of_their_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    text = masked(24)
    with small_programs_too():
        assert is_folded(text)
        registry.localizer("stablehlo.iota")
        monkeypatch.setitem(registry._localizers, "stablehlo.iota", lambda site: site.fall_back())
        assert not is_folded(text)


def test_a_value_that_some_kernels_may_compute_again_is_counted_with_all_layers() -> None:
    """Whether the compiler keeps it depends on a search through all layers, which is bounded."""
    text = masked(60, table=(f"%mask = stablehlo.compare GE, %y0, %u0 : ({SQUARE}, {SQUARE}) -> {BITS}",))
    with small_programs_too():
        few, _ = by_few(lambda: partition(parse(text)))
        assert few
        assert wrong_of(text, lambda one: outcome(one, chips=["v5e"])) is None
