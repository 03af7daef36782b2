"""The pipeline behind propagation, and what its options choose."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from pathlib import Path

import pytest

import pyshardy
from pyshardy.ir.pipeline_text import parse_pipeline
from tests.passes.running import body_after

PROGRAM = """
    sdy.mesh @m = <["x"=2, "y"=4]>
    func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {"y":(1)2, ?}]>}, %b: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}]>}) -> (tensor<8x8xf32>, tensor<6xf32>) {
      sdy.sharding_group %a group_id=0 : tensor<8x8xf32>
      %0 = sdy.sharding_constraint %a <@m, [{?}, {"y", ?}], replicated={"x"}> : tensor<8x8xf32>
      %1 = stablehlo.negate %0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
      return %1, %b : tensor<8x8xf32>, tensor<6xf32>
    }
    """


def passes(options: str = "") -> list[str]:
    pipeline = parse_pipeline(f"sdy-export-pipeline{{{options}}}")
    return [one.name for one in pipeline.passes()]


def test_by_default_the_minimal_partitioner_follows() -> None:
    assert passes() == [
        "sdy-constant-or-scalar-merger",
        "sdy-sink-data-flow-edges",
        "sdy-remove-sharding-groups",
        "sdy-sharding-constraint-to-reshard",
        "sdy-update-non-divisible-input-output-shardings",
        "sdy-remove-sub-axes-in-input-output-shardings",
        "sdy-close-shardings",
        "sdy-save-module",
        "sdy-insert-explicit-reshards",
        "canonicalize",
        "sdy-save-module",
        "sdy-drop-sharding-rules",
    ]


def test_the_boundary_is_even_and_everything_is_closed() -> None:
    text = body_after("sdy-export-pipeline", PROGRAM)
    assert '%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}' in text
    assert "%arg1: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}" in text
    assert '%0 = sdy.reshard %arg0 <@m, [{}, {"y"}]> : tensor<8x8xf32>' in text
    assert "sharding_rule" not in text and "sharding_group" not in text


def test_a_program_may_be_kept_ready_for_more_propagation() -> None:
    text = body_after("sdy-export-pipeline{avoid-export-for-partitioning=true keep-sharding-rules=true}", PROGRAM)
    assert "sdy.sharding_constraint" in text and "sdy.sharding_group" in text and "sharding_rule" in text


def test_the_boundary_may_be_left_uneven() -> None:
    text = body_after("sdy-export-pipeline{update-non-divisible-input-output-shardings=false}", PROGRAM)
    assert '%arg1: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}' in text


def test_explicit_collectives_bring_the_full_version_and_two_clean_ups() -> None:
    chosen = passes("enable-insert-explicit-collectives=true remove-all-gather-reduce-scatter-for-cmv1=true")
    assert chosen[8:] == [
        "sdy-insert-explicit-reshards",
        "sdy-save-module",
        "canonicalize",
        "sdy-reshard-to-collectives",
        "canonicalize",
        "sdy-remove-all-gather-reduce-scatter-for-cmv1",
        "sdy-save-module",
        "sdy-drop-sharding-rules",
    ]


@pytest.mark.parametrize("pipeline", ["sdy-export-pipeline", "sdy-propagation-pipeline"])
def test_how_reshards_are_chosen_reaches_the_passes(pipeline: str) -> None:
    options = "axis-choice=fewest-bytes reshard-strategy=optimal reshard-custom-rules=true"
    chosen = parse_pipeline(f"{pipeline}{{enable-insert-explicit-collectives=true {options}}}")
    texts = {one.name: one.text() for one in chosen.passes()}
    assert texts["sdy-insert-explicit-reshards"] == (
        "sdy-insert-explicit-reshards{axis-choice=fewest-bytes enable-full-version=true reshard-custom-rules=true}"
    )
    assert texts["sdy-reshard-to-collectives"].endswith("{keep-redundant-reshards=false reshard-strategy=optimal}")


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(pyshardy.PyshardyError, match="axis-choice"):
        parse_pipeline("sdy-export-pipeline{axis-choice=cheapest}")


@pytest.mark.parametrize(
    ("options", "files"),
    [
        ("", ["00.after_propagation", "01.after_minimal_partitioner_with_global_shapes"]),
        ("avoid-export-for-partitioning=true", ["00.after_propagation"]),
        (
            "enable-insert-explicit-collectives=true",
            ["00.after_propagation", "01.after_explicit_reshards", "02.after_partitioner_with_global_shapes"],
        ),
    ],
)
def test_dumps_are_numbered(options: str, files: list[str], tmp_path: Path) -> None:
    module = pyshardy.parse(PROGRAM)
    pyshardy.run_passes(module, f"sdy-export-pipeline{{dump-directory={tmp_path} {options}}}")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{name}.mlir" for name in files]


def test_debug_information_lives_until_the_dumps_are_made() -> None:
    assert "sdy-remove-propagation-debug-info" not in passes()
    assert passes("dump-propagation-edges=true")[-2:] == [
        "sdy-remove-propagation-debug-info",
        "sdy-drop-sharding-rules",
    ]
