"""The random program generator: repeatable, valid, and obedient to its features."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.differential.reference import run_reference
from tests.generator import Features, random_program

EVERYTHING = replace(
    Features(),
    operations=20,
    propagation_barriers=0.5,
    sharding_groups=0.3,
    dead_operations=0.3,
    sharding_rules=0.2,
    odd_meshes=0.3,
    unreduced_axes=0.2,
    operation_shardings=0.4,
    generic_form=0.5,
)


MODULES = replace(
    Features(),
    calls=2.0,
    collectives=1.0,
    iota_indexing=1.0,
    manual_computations=1.0,
    sharding_groups=0.5,
    equal_meshes=0.5,
    inlined_meshes=0.5,
    size_one_axes=0.5,
    odd_meshes=0.3,
    shuffled_manual_axes=0.5,
    shuffled_functions=0.5,
    mesh_axes_groups=0.5,
    tangled_groups=0.5,
    copied_functions=0.5,
)


def test_the_same_seed_gives_the_same_program() -> None:
    assert random_program(7) == random_program(7)
    assert random_program(7) != random_program(8)


@pytest.mark.slow
@pytest.mark.parametrize("features", [Features(), EVERYTHING, MODULES], ids=["default", "everything", "modules"])
def test_random_programs_are_valid(features: Features) -> None:
    for seed in range(40):
        result = run_reference(random_program(seed, features), "builtin.module()")
        assert result.ok, f"seed {seed}: {result.diagnostics[:1]}"


def test_a_feature_that_is_off_does_not_occur() -> None:
    features = replace(Features(), loops=0.0, calls=0.0, manual_computations=0.0, priorities=0.0, sub_axes=0.0)
    for seed in range(100):
        text = random_program(seed, features)
        for absent in ("stablehlo.while", "call @", "sdy.manual_computation", "}p", '":('):
            assert absent.replace("call @", " call @") not in text.replace("custom_call @", "")


def test_only_the_asked_families_occur() -> None:
    text = "".join(random_program(seed, Features().only(calls=4.0)) for seed in range(50))
    assert "call @" in text
    assert "stablehlo.dot_general" not in text
    assert "sdy.manual_computation" not in text


@pytest.mark.slow
def test_every_operation_is_alive_unless_asked_otherwise() -> None:
    for seed in range(40):
        text = random_program(seed, replace(Features(), manual_computations=0.0))
        before = run_reference(text, "builtin.module()").text
        after = run_reference(text, "builtin.module(sdy-basic-propagate)").text  # which erases dead operations
        assert after.count("\n") == before.count("\n"), f"seed {seed}"
