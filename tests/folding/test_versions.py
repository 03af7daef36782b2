"""Values of layers that may be computed again in more and more steps: sums that are added up layer by layer."""

from __future__ import annotations

import pytest

from pyshardy.emitting.sharded import Sharded
from pyshardy.folding.certifying.versions import compare_versions
from pyshardy.folding.counting.folded_plan import FoldedPlan
from pyshardy.folding.folded import NoCertificate
from pyshardy.partitioning.best_plan import best_plan
from tests.folding.fuzz import small_programs_too
from tests.folding.programs import SQUARE
from tests.folding.test_costs import candidates
from tests.folding.test_plans import is_folded

SAME = f"%e = stablehlo.tanh %s : {SQUARE}"
"""Computes element by element."""
SLICED = f"""
    %c = sdy.sharding_constraint %s <@mesh, [{{}}, {{}}]> : {SQUARE}
    %e = sdy.sharding_constraint %c <@mesh, [{{"x"}}, {{}}]> : {SQUARE}"""
"""Needs another layout."""
DERIVED = f"""
    %d = stablehlo.tanh %s : {SQUARE}{SLICED.replace("%s", "%d")}"""
"""Needs what is computed element by element in another layout."""
IN_FUNCTION = f"%e = func.call @computes(%s) : ({SQUARE}) -> {SQUARE}"
"""Computes in a function."""
CALLED = f"%e = func.call @ends(%s) : ({SQUARE}) -> {SQUARE}"
"""Needs another layout in a function."""
FUNCTIONS = f"""
    func.func private @computes(%s: {SQUARE}) -> {SQUARE} {{
      {SAME}
      return %e : {SQUARE}
    }}
    func.func private @ends(%s: {SQUARE}) -> {SQUARE} {{{SLICED}
      return %e : {SQUARE}
    }}"""


def added_up(layers: int, *, end: str, result: str, of_slices: bool = False, steps: int = 64) -> str:
    """Layers of ``steps`` steps, of which each adds something to one replicated tensor; the lines ``end`` make ``%e``
    of it at last, which is returned with the sharding ``result``. What is added is a slice, or an argument."""
    weights = ", ".join(
        f'%w{n}: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}' for n in range(layers)
    )
    body = []
    for n in range(layers):
        body += [
            f"%r{n} = stablehlo.reverse %p{n}, dims = [0] : {SQUARE}",
            f"%a{n} = stablehlo.multiply %x{n}, %w{n} : {SQUARE}",
            f"%f{n}_0 = stablehlo.tanh %a{n} : {SQUARE}",
            *(f"%f{n}_{step + 1} = stablehlo.cosine %f{n}_{step} : {SQUARE}" for step in range(steps)),
            f"%x{n + 1} = stablehlo.tanh %f{n}_{steps} : {SQUARE}",
            f"%s{n + 1} = stablehlo.add %s{n}, %{'r' if of_slices else 'p'}{n} : {SQUARE}",
        ]
    tables = ", ".join(f"%p{n}: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{}}]>}}" for n in range(layers))
    first = [f"%s0 = stablehlo.{'reverse %t, dims = [0]' if of_slices else 'negate %t'} : {SQUARE}"]
    replicated = "{sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}"
    given = f'%x0: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}, %t: {SQUARE} {replicated}'
    shared = f"{{sdy.sharding = #sdy.sharding<@mesh, {result}>}}"
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=2]>',
            f"func.func @main({given}, {tables}, {weights}) -> ({SQUARE}, {SQUARE} {shared}) {{",
            *first,
            *body,
            end.replace("%s", f"%s{layers}"),
            f"return %x{layers}, %e : {SQUARE}, {SQUARE}",
            "}",
            FUNCTIONS if "func.call" in end else "",
        ]
    )


REPLICATED, SHARDED = "[{}, {}]", '[{"x"}, {}]'


@pytest.mark.parametrize(("layers", "of_slices"), [(10, True), (24, False)])
def test_how_a_sum_of_all_layers_is_computed_again_does_not_matter_if_nobody_does_that(
    layers: int, of_slices: bool
) -> None:
    with small_programs_too():
        assert is_folded(added_up(layers, end=SAME, result=REPLICATED, of_slices=of_slices))


@pytest.mark.parametrize("end", [SLICED, DERIVED, CALLED], ids=["itself", "derived", "in a function"])
@pytest.mark.parametrize(("layers", "of_slices"), [(10, True), (24, True), (24, False)])
def test_a_sum_that_is_needed_in_another_layout_is_of_all_layers(layers: int, of_slices: bool, end: str) -> None:
    with small_programs_too():
        assert not is_folded(added_up(layers, end=end, result=SHARDED, of_slices=of_slices))


def test_a_sum_of_more_layers_than_a_recipe_has_steps_is_of_all_layers() -> None:
    with small_programs_too():
        assert not is_folded(added_up(24, end=SAME, result=REPLICATED, of_slices=True))


def test_a_sum_of_short_layers_that_is_sliced_is_of_all_layers() -> None:
    with small_programs_too():
        assert not is_folded(added_up(60, end=SLICED, result=SHARDED, steps=4))


def test_what_is_computed_from_a_sum_may_not_be_needed_in_another_layout_either() -> None:
    plan = best_plan(candidates(added_up(10, end=SAME, result=REPLICATED, of_slices=True)))
    assert isinstance(plan, FoldedPlan)
    env, splice = plan.partitioner.env, plan._source.splice
    (last,) = splice.block.terminator.operands[1:]
    assert last.defining_op is not None and last.defining_op.name == "stablehlo.tanh"
    compare_versions(splice, env)
    form = env[last]
    Sharded(form.value, form.type, form.layout, versions=form.versions)
    with pytest.raises(NoCertificate):
        compare_versions(splice, env)


def test_what_functions_make_of_a_sum_is_not_known() -> None:
    with small_programs_too():
        assert not is_folded(added_up(10, end=IN_FUNCTION, result=REPLICATED, of_slices=True))
