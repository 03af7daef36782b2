"""What programs as packages write them move: no more than they did when it was last brought down."""

from __future__ import annotations

import pytest

from pyshardy import parse, partition
from tests.differential.jax_programs import PROGRAMS

MOST = {
    "gpt2_step_with_dropout_and_a_sharded_optimizer": 106_662,
    "decoder_from_pytorch": 91_072,
    "decoder_from_pytorch_with_all_weights_sharded": 126_528,
    "adaptive_solver_of_differential_equations": 1_236,
    "adaptive_solver_on_a_grid": 53,
    "a_rotation_of_a_reversed_array": 384,
    "an_array_reversed_onto_other_axes": 512,
    "an_array_rolled_onto_its_other_dimension": 384,
    "neighbours_added_up_onto_another_dimension": 224,
    "differences_onto_other_axes": 400,
}
"""Bytes that each device receives, loops once."""


@pytest.mark.parametrize("name", MOST)
def test_a_program_moves_no_more_than_it_has_to(name: str) -> None:
    plan = partition(parse(PROGRAMS[name]()))
    assert plan.bytes_moved <= MOST[name]
