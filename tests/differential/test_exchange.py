"""The exchange form as XLA itself writes it: JAX programs that XLA has converted are read as what they were."""

from __future__ import annotations

from collections import Counter

import pytest
from jaxlib import _jax

import pyshardy
from pyshardy.dialects.func import arguments_attributes, function_type, result_attributes
from pyshardy.dialects.main_function import find_main_function
from tests.differential.jax_programs import PROGRAMS
from tests.sampling import sampled

_WITH_MHLO = ("sorting_and_top_k", "mixture_of_experts")
"""XLA writes operations of its own into these, which are of no dialect here."""
_ON_ONE_MESH = ("two_meshes_in_one_program",)
"""XLA writes two meshes of equally many devices as one."""


def written_by_xla(text: str) -> str:
    computation = _jax.mlir.mlir_module_to_xla_computation(text, False, False)
    return str(_jax.mlir.xla_computation_to_mlir_module(computation))


def sharded_places(text: str) -> Counter[tuple[str, str, str]]:
    """What a program says of shardings, place by place; XLA adds constraints of constants to it."""
    module = pyshardy.parse(text)
    pyshardy.run_passes(module, "builtin.module(sdy-inline-meshes)")
    main = find_main_function(module.op)
    assert main is not None
    signature = function_type(main)
    found: Counter[tuple[str, str, str]] = Counter()
    for index in range(len(signature.inputs)):
        found["argument", str(index), str(arguments_attributes(main, index).get("sdy.sharding"))] += 1
    for index in range(len(signature.results)):
        found["result", str(index), str(result_attributes(main, index).get("sdy.sharding"))] += 1
    for op in module.op.walk():
        if op.name in ("sdy.sharding_constraint", "sdy.sharding_group"):
            found[op.name, str(op.operands[0].type), str(op.properties)] += 1
        if op.name == "sdy.manual_computation":
            found[op.name, str([operand.type for operand in op.operands]), str(op.properties)] += 1
    return found


@pytest.mark.parametrize("name", sampled(sorted(set(PROGRAMS) - {*_WITH_MHLO, *_ON_ONE_MESH}), 2))
def test_jax_programs_are_read_from_what_xla_writes(name: str) -> None:
    text = PROGRAMS[name]()
    wanted, found = sharded_places(text), sharded_places(written_by_xla(text))
    assert not wanted - found
    assert all(place == "sdy.sharding_constraint" for place, _, _ in found - wanted)
