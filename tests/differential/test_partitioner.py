"""The whole chain of passes on real JAX programs: the reference's text where the reference is right, and right results
everywhere.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import pyshardy
from pyshardy.checking.inputs import random_inputs
from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding, meshes, resolve_mesh
from pyshardy.interpreter.run import run, run_devices
from pyshardy.ir.operation import Operation
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding
from tests.differential.jax_programs import PROGRAMS
from tests.differential.reference import compare
from tests.partitioning.passes.simulated import part_of

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
# (2, 24) to (3, 16) on each device where elements change devices; has no reshards between two meshes.
WRONG_IN_THE_REFERENCE = (
    "random_bits_by_the_generator_operation",
    "the_same_axes_in_another_order",
    "reshapes_that_split_and_merge",
)
NOT_POSSIBLE = ("two_meshes_in_one_program",)


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


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in NOT_POSSIBLE])
def test_every_program_computes_the_same_on_all_devices(name: str) -> None:
    given = pyshardy.parse(_text(name))
    propagated = pyshardy.parse(_text(name))
    pyshardy.run_passes(propagated, "sdy-propagation-pipeline")
    local = pyshardy.parse(str(propagated))
    pyshardy.run_passes(local, "sdy-partitioner{compat=r2}")
    func, known = _main(propagated.op), meshes(propagated.op)
    devices = max(mesh.total_size for mesh in known.values())
    inputs = random_inputs(given.op, _main(given.op), 0)

    def part(value: np.ndarray, sharding: TensorSharding | None, device: int) -> np.ndarray:
        return part_of(value, sharding, _mesh(sharding, known), device)

    shards = [
        np.stack([part(value, function_argument_sharding(func, index), device) for device in range(devices)])
        for index, value in enumerate(inputs)
    ]
    found = run_devices(local, shards, partitions=devices)
    for index, (want, got) in enumerate(zip(run(given, inputs), found, strict=True)):
        scale = max(1e-30, float(np.abs(want.astype(np.complex128)).max(initial=0)))
        for device in range(devices):
            mine = part(want, function_result_sharding(func, index), device).astype(np.complex128)
            assert np.abs(mine - got[device].astype(np.complex128)).max(initial=0) <= 1e-4 * scale, (index, device)


def _main(module: Operation) -> Operation:
    return next(op for op in module.body if op.symbol_name == "main")


def _mesh(sharding: TensorSharding | None, known: dict[str, Mesh]) -> Mesh | None:
    return resolve_mesh(sharding, known) if sharding is not None else None
