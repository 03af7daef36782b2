"""The whole chain of passes on real JAX programs: the reference's text where the reference is right, and right results
everywhere.
"""

from __future__ import annotations

from functools import cache

import pytest

import pyshardy
from tests.differential.jax_programs import PROGRAMS
from tests.differential.reference import compare
from tests.partitioning.chain import CHAIN as CHAIN_OF_OURS
from tests.partitioning.chain import chain_plan
from tests.sampling import sampled

CHAIN = (
    "func.func(sdy-insert-explicit-reshards{enable-full-version=true}),"
    "sdy-resolve-permutation-factors{enable-halo-exchange=true},func.func(sdy-reshard-to-collectives),"
    "func.func(sdy-pad-for-divisibility),sdy-convert-global-to-local,sdy-drop-sharding-and-mesh"
)
SAME = (
    "associative_scan",
    "einsum_zoo",
    "conditional_backward",
    "checkpointed_layers",
    "unconstrained_dimensions",
    "explicit_axes",
    "optimization_barriers_and_several_results",
    "all_collectives_by_hand",
    "manual_over_some_axes",
    "nested_manual_computations",
    "gradient_through_a_manual_computation",
    "ring_attention",
    "attention_with_reshaped_heads",
    "attention_backward",
    "bfloat16_mixed_precision_step",
    "pooling_backward",
    "adam_with_clipping_and_weight_decay",
)
# The reference: draws the same random numbers for every shard; permutes along sub-axes to the wrong devices; reshapes
# (2, 24) to (3, 16) on each device where elements change devices.
WRONG_IN_THE_REFERENCE = (
    "random_bits_by_the_generator_operation",
    "the_same_axes_in_another_order",
    "reshapes_that_split_and_merge",
)


@cache
def _text(name: str) -> str:
    return PROGRAMS[name]()


@pytest.mark.parametrize("name", SAME)
def test_the_chain_gives_the_text_of_the_reference(name: str) -> None:
    outcome = compare(_text(name), f"builtin.module(sdy-propagation-pipeline,{CHAIN})")
    assert outcome.agrees, outcome


@pytest.mark.parametrize("name", WRONG_IN_THE_REFERENCE)
def test_the_chain_differs_where_the_reference_is_wrong(name: str) -> None:
    assert not compare(_text(name), f"builtin.module(sdy-propagation-pipeline,{CHAIN})").agrees


@pytest.mark.parametrize("name", sampled(PROGRAMS, 2, first=1))
def test_every_program_computes_the_same_on_all_devices(name: str) -> None:
    compat = ("r1", "r2")[len(name) % 2]
    propagated = pyshardy.run_passes(pyshardy.parse(_text(name)), "sdy-propagation-pipeline")
    plan = chain_plan(propagated, f"{CHAIN_OF_OURS}{{compat={compat}}}")
    plan.source = pyshardy.parse(_text(name))
    report = plan.check()
    assert not report.differs, report
