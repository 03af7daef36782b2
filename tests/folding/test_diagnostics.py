"""What is said about a folded program is what is said about the whole one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from pyshardy import parse, partition, run_passes
from pyshardy.emitting.sharded import Sharded
from pyshardy.folding.certifying.diagnostics import FoldedDiagnostics
from pyshardy.partitioning.localizing import registry
from pyshardy.partitioning.localizing.site import Site
from tests.folding.fuzz import PIPELINES, by_few, passed, small_programs_too, wrong_of
from tests.folding.programs import ROWS, SQUARE, forward_and_backward, layers, perceptrons
from tests.folding.stacks import sorted_by_name
from tests.folding.switch import without_folding
from tests.folding.test_splice import folded, layer_of
from tests.folding.warned_layers import random_warned

_KERNEL = f"""
  %k{{n}} = stablehlo.custom_call @kernel(%y{{n}}, %w{{n}}) : ({ROWS}, {ROWS}) -> {ROWS}
  %y{{next}} = stablehlo.add %k{{n}}, %w{{n}} : {ROWS}"""
"""A kernel in each layer."""
_MANUAL = f"""
  %y{{next}} = sdy.manual_computation(%y{{n}}) in_shardings=[<@mesh, [{{{{}}}}, {{{{}}}}]>]
      out_shardings=[<@mesh, [{{{{}}}}, {{{{}}}}]>] manual_axes={{{{"x"}}}} (%a{{n}}: {ROWS}) {{{{
    %t{{n}} = stablehlo.tanh %a{{n}} : {ROWS}
    sdy.return %t{{n}} : {ROWS}
  }}}} : ({ROWS}) -> {ROWS}"""
"""A manual computation in each layer whose shardings do not name its axis, of which there is a remark."""


def _trained(forward: str | None, backward: str | None) -> str:
    """Layers that call kernels forward or backward."""

    def call(kernel: str | None, result: str, one: str, other: str) -> str:
        if kernel is None:
            return f"{result} = stablehlo.multiply {one}, {other} : {SQUARE}"
        return f"{result} = stablehlo.custom_call @{kernel}({one}, {other}) : ({SQUARE}, {SQUARE}) -> {SQUARE}"

    return forward_and_backward(
        24,
        lambda n: [call(forward, f"%t{n}", f"%y{n}", f"%w{n}"), f"%y{n + 1} = stablehlo.add %t{n}, %y{n} : {SQUARE}"],
        lambda n: [
            call(backward, f"%b{n}", f"%g{n + 1}", f"%w{n}"),
            f"%g{n} = stablehlo.add %b{n}, %t{n} : {SQUARE}",
            f"%d{n} = stablehlo.multiply %g{n + 1}, %t{n} : {SQUARE}",
        ],
    )


def _propagated(text: str, *, remarks: bool = False) -> list[str]:
    module = parse(text)
    module.context.remarks = remarks
    return list(map(str, run_passes(module, "sdy-propagation-pipeline").context.diagnostics))


def _partitioned(text: str) -> list[str]:
    return list(map(str, partition(parse(text)).module.context.diagnostics))


def _of_few_layers(act: Callable[[], list[str]]) -> list[str]:
    """What is said; few layers are enough for it, and it is what all layers say."""
    with small_programs_too():
        folded, said = by_few(act)
        assert folded
        with without_folding():
            assert said == act()
    return said


def _of_all_layers(act: Callable[[], list[str]]) -> list[str]:
    """What is said, for which all layers are needed."""
    with small_programs_too():
        folded, said = by_few(act)
        assert not folded
        with without_folding():
            assert said == act()
    return said


def test_a_kernel_without_a_rule_is_warned_of_once() -> None:
    (said,) = _of_few_layers(partial(_propagated, layers(40, _KERNEL)))
    assert said.startswith("-:5:9: warning: custom call @kernel is unknown to SDY sharding rule registry")
    assert "note: %0 = stablehlo.custom_call @kernel(" in said


def test_what_every_device_runs_whole_is_said_of_each_kernel_once() -> None:
    said = _of_few_layers(partial(_partitioned, _trained("forward", "backward")))
    whole = [one for one in said if "runs custom call" in one]
    assert [one.split("@")[1].split()[0] for one in whole] == ["forward", "backward"]
    # The first of them in the text, which is in the highest layer, comes behind layers that were left out.
    assert [one.split(":")[1] for one in whole] == ["3", "52"]
    assert sum("unknown to SDY" in one for one in said) == 1


def test_numbers_of_layers_that_were_left_out_count_in_a_quotation_behind_them() -> None:
    said = _of_few_layers(partial(_partitioned, _trained(None, "backward")))
    assert sum("unknown to SDY" in one for one in said) == 1


def test_what_is_said_of_each_layer_needs_all_layers() -> None:
    said = _of_all_layers(partial(_propagated, layers(40, _MANUAL), remarks=True))
    assert len(said) >= 40


def test_what_was_said_of_an_earlier_pass_is_not_said_again() -> None:
    def twice() -> list[str]:
        module, heard = parse(layers(40, _KERNEL)), list[str]()
        module.context.handler = lambda diagnostic: heard.append(str(diagnostic))
        for _ in range(2):
            run_passes(module, "sdy-propagation-pipeline")
        assert list(map(str, module.context.diagnostics)) == heard
        return heard

    assert len(_of_few_layers(twice)) == 1


def test_what_the_partitioner_says_of_each_layer_needs_all_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    def says(site: Site) -> list[Sharded]:
        site.run.context.emit("remark", site.op.location, "is seen")
        return site.fall_back()

    says.__module__ = "pyshardy.partitioning.families"
    monkeypatch.setitem(registry._localizers, "stablehlo.multiply", says)
    assert len(_of_all_layers(partial(_partitioned, perceptrons(24)))) >= 48


def test_what_is_said_of_the_template_may_be_said_of_all_layers() -> None:
    few = folded(perceptrons(60))
    for layer, is_known in (
        (few.layers.first, True),
        (few.below - 1, True),
        (few.below, False),
        (few.end, False),
        (few.end + 1, True),
    ):
        context = parse("").context
        said = FoldedDiagnostics(few, context)
        assert said.match_whole_program()
        context.emit("warning", layer_of(few, layer)[0].location, "is odd")
        assert said.match_whole_program() == is_known
        context.diagnostics.clear()
        context.emit("error", layer_of(few, few.below - 1)[0].location, "is wrong")
        assert not said.match_whole_program()


def test_what_comes_first_in_the_order_of_names_is_not_known() -> None:
    """Unless it stands in front of all layers that were left out: 0, 1, 10, 11, …"""
    few = folded(sorted_by_name(60))
    assert [bool(one.order) for one in few.layers.series] == [False, False, True, True]
    for series, known in enumerate(((True, True), (True, True), (True, False), (False, False))):
        for layer, is_known in zip((few.layers.first, few.layers.end - 1), known, strict=True):
            context = parse("").context
            said = FoldedDiagnostics(few, context)
            context.emit("warning", layer_of(few, layer, series)[0].location, "is odd")
            assert said.match_whole_program() == is_known, (series, layer)


_TABLE = f"%i = stablehlo.iota dim = 0 : {ROWS}", f"%table = stablehlo.tanh %i : {ROWS}"


def _with_table(*front: str, behind: Sequence[str] = (), table: Sequence[str] = _TABLE) -> str:
    """Layers that read a ``table`` of constants; operations in front of it, and behind it."""
    body = "  %a{n} = stablehlo.multiply %y{n}, %table : {T}\n  %y{next} = stablehlo.add %a{n}, %w{n} : {T}"
    text = layers(40, body.replace("{T}", ROWS))
    head, first, rest = text.partition("  %a0 = ")
    return head + "".join(f"  {line}\n" for line in (*front, *table, *behind)) + first + rest


def _kernel(operand: str) -> tuple[str, str]:
    """A kernel without a rule, and what reads its result."""
    return f"%k = stablehlo.custom_call @kernel({operand}) : ({ROWS}) -> {ROWS}", f"%u = stablehlo.add %k, %y0 : {ROWS}"


_SQUARE = f"""func.func private @square(%x: {SQUARE}) -> {SQUARE} {{
  %s = stablehlo.custom_call @kernel(%x) : ({SQUARE}) -> {SQUARE}
  return %s : {SQUARE}
}}"""


def _squared(result: str, operand: str) -> str:
    return f"{result} = call @square({operand}) : ({SQUARE}) -> {SQUARE}"


@pytest.mark.parametrize("forward, backward", [(True, True), (False, True)])
def test_numbers_in_a_function_that_is_called_are_its_own(forward: bool, backward: bool) -> None:
    """Whichever layer calls it first."""
    text = forward_and_backward(
        24,
        lambda n: [
            _squared(f"%t{n}", f"%y{n}") if forward else f"%t{n} = stablehlo.tanh %y{n} : {SQUARE}",
            f"%y{n + 1} = stablehlo.add %t{n}, %w{n} : {SQUARE}",
        ],
        lambda n: [
            _squared(f"%b{n}", f"%g{n + 1}") if backward else f"%b{n} = stablehlo.tanh %g{n + 1} : {SQUARE}",
            f"%g{n} = stablehlo.add %b{n}, %t{n} : {SQUARE}",
            f"%d{n} = stablehlo.multiply %g{n + 1}, %t{n} : {SQUARE}",
        ],
    )
    (said,) = _of_few_layers(partial(_propagated, f"{text}\n{_SQUARE}"))
    assert "note: %2 = stablehlo.custom_call @kernel(%1) :" in said


def test_numbers_in_a_loop_of_a_function_are_its_own() -> None:
    """Though the loop itself is not isolated, and the table has copies that count in numbers of the function."""
    loop = f"""func.func private @square(%x: {ROWS}) -> {ROWS} {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c, %v = %x) : tensor<i32>, {ROWS} cond {{
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %s = stablehlo.custom_call @kernel(%v) : ({ROWS}) -> {ROWS}
    %o = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %o : tensor<i32>
    stablehlo.return %j, %s : tensor<i32>, {ROWS}
  }}
  return %r#1 : {ROWS}
}}"""
    call = f"%k = call @square(%y0) : ({ROWS}) -> {ROWS}", f"%u = stablehlo.add %k, %y0 : {ROWS}"
    for front, behind in ((call, ()), ((), call)):
        (said,) = _of_few_layers(partial(_propagated, f"{_with_table(*front, behind=behind)}\n{loop}"))
        assert "stablehlo.custom_call @kernel(" in said


def test_numbers_in_quotations_are_those_of_all_layers() -> None:
    """Of each of two operations there are 40 copies with all layers, behind which numbers go on, and fewer with few."""
    before = f"%t = stablehlo.cosine %y0 : {ROWS}"
    for front, behind, number, operand in (
        ((before, *_kernel("%t")), (), 1, 0),
        ((), (before, *_kernel("%t")), 81, 80),
        ((before,), _kernel("%t"), 81, 0),
    ):
        (said,) = _of_few_layers(partial(_propagated, _with_table(*front, behind=behind)))
        assert f"note: %{number} = stablehlo.custom_call @kernel(%{operand}) :" in said
    (said,) = _of_few_layers(partial(_propagated, _with_table(behind=_kernel("%table"))))
    assert "note: %82 = stablehlo.custom_call @kernel(%41) :" in said


def test_names_in_quotations_stay() -> None:
    types = f"{ROWS} -> ({ROWS}, tensor<64x32xi32>)"
    largest = f"%t = stablehlo.cosine %y0 : {ROWS}", f"%k, %l = chlo.top_k(%t, k = 32) : {types}", _kernel("%t")[1]
    (said,) = _of_few_layers(partial(_propagated, _with_table(behind=largest)))
    assert "note: %values, %indices = chlo.top_k(%80, k = 32)" in said


def test_constants_in_tables_are_counted_for_all_layers() -> None:
    half = f"%c = stablehlo.constant dense<0.5> : {ROWS}", f"%table = stablehlo.multiply %i, %c : {ROWS}"
    (said,) = _of_few_layers(partial(_propagated, _with_table(behind=_kernel("%y0"), table=(_TABLE[0], *half))))
    assert "note: %120 = stablehlo.custom_call @kernel(" in said


def test_quotations_behind_copies_that_no_layer_reads_need_all_layers() -> None:
    readers = f"%r = stablehlo.multiply %table, %y0 : {ROWS}", f"%s = stablehlo.multiply %table, %r : {ROWS}"
    (said,) = _of_all_layers(partial(_propagated, _with_table(behind=(*readers, *_kernel("%s")))))
    assert "note: %86 = stablehlo.custom_call @kernel(%85) :" in said


@pytest.mark.parametrize("seed", [106, 109, 113])
def test_warnings_of_random_layers_are_those_of_all_layers(seed: int) -> None:
    with small_programs_too():
        assert wrong_of(random_warned(seed), partial(passed, pipeline=PIPELINES[0])) is None
