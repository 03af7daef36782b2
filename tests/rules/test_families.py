"""The rule of each kind of operation, by example."""

from __future__ import annotations

import pytest

from tests.rules.programs import rule_text, rule_texts


def test_batching_and_free_dimensions_pass_through_a_dot_and_contracting_ones_are_reduced() -> None:
    line = (
        "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]"
        " : (tensor<2x4x6xf32>, tensor<2x6x8xf32>) -> tensor<2x4x8xf32>"
    )
    rule = "<([i, j, l], [i, l, k])->([i, j, k]) {i=2, j=4, k=8, l=6} reduction={l}>"
    assert rule_text("%a: tensor<2x4x6xf32>, %b: tensor<2x6x8xf32>", line) == rule


CONVOLUTION = (
    "%a: tensor<2x17x4xf32>, %b: tensor<3x4x8xf32>",
    "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2]}"
    " {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    " : (tensor<2x17x4xf32>, tensor<3x4x8xf32>) -> tensor<2x8x8xf32>",
)


def test_a_spatial_dimension_splits_into_windows_and_window_size() -> None:
    assert rule_text(*CONVOLUTION) == (
        "<([i, jk, l], [k, l, m])->([i, j, m]) {i=2, j=8, k=2, l=4, m=8} reduction={k, l} permutation={j}>"
    )


def test_spatial_dimensions_have_no_factors_in_conservative_mode() -> None:
    rule = "<([i, l, j], [m, j, k])->([i, n, k]) {i=2, j=4, k=8, l=1, m=1, n=1} reduction={j}>"
    assert rule_text(*CONVOLUTION, conservative=True) == rule


SLICE = ("%a: tensor<8x6xf32>", "%0 = stablehlo.slice %a [0:8, 1:5] : (tensor<8x6xf32>) -> tensor<8x4xf32>")


def test_a_sliced_dimension_is_permuted() -> None:
    assert rule_text(*SLICE) == "<([i, j])->([i, j]) {i=8, j=6} permutation={j}>"


def test_a_sliced_dimension_is_blocked_in_conservative_mode() -> None:
    rule = "<([i, j])->([i, j]) {i=8, j=6} permutation={j} blocked_propagation={j}>"
    assert rule_text(*SLICE, conservative=True) == rule


CONCATENATE = "%{} = stablehlo.concatenate {}, {}, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>"


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("%a", "%b", "need_replication"),
        ("%low", "%high", "permutation"),
        ("%low", "%other", "permutation"),
        ("%b", "%other", "permutation"),
        ("%b", "%low", "need_replication"),
    ],
)
def test_joining_slices_only_permutes(first: str, second: str, kind: str) -> None:
    *_, rule = rule_texts(
        "%x: tensor<8xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>",
        "%low = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>",
        "%high = stablehlo.slice %x [4:8] : (tensor<8xf32>) -> tensor<4xf32>",
        "%other = stablehlo.slice %b [0:4] : (tensor<4xf32>) -> tensor<4xf32>",
        CONCATENATE.format(0, first, second),
    )
    assert rule == f"<([i], [i])->([i]) {{i=8}} {kind}={{i}}>"


@pytest.mark.parametrize(("index", "kind"), [("%c", ""), ("%i", " need_replication={j}")])
def test_an_update_at_a_constant_place_passes_through(index: str, kind: str) -> None:
    _, rule = rule_texts(
        "%a: tensor<8xf32>, %u: tensor<2xf32>, %i: tensor<i32>",
        "%c = stablehlo.constant dense<0> : tensor<i32>",
        f"%0 = stablehlo.dynamic_update_slice %a, %u, {index}"
        " : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>",
    )
    assert rule == f"<([i], [j], [])->([i]) {{i=8, j=2}}{kind}>"


SCATTER = """%0 = "stablehlo.scatter"(%a, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x: tensor<ELEMENT>, %y: tensor<ELEMENT>):
    %z = stablehlo.OPERATION : tensor<ELEMENT>
    stablehlo.return %z : tensor<ELEMENT>
  }) : (tensor<8x6xELEMENT>, tensor<5x1xi32>, tensor<5x6xELEMENT>) -> tensor<8x6xELEMENT>"""


@pytest.mark.parametrize(
    ("element", "body", "kind"),
    [
        ("f32", "add %x, %y", "reduction={i} need_replication={l}"),
        ("f32", "maximum %y, %x", "reduction={i} need_replication={l}"),
        ("i1", "or %x, %y", "reduction={i} need_replication={l}"),
        ("i32", "or %x, %y", "need_replication={i, l}"),
        ("f32", "subtract %x, %y", "need_replication={i, l}"),
        ("f32", "add %x, %x", "need_replication={i, l}"),
    ],
)
def test_updates_of_a_scatter_may_be_spread_if_they_combine_by_a_reduction(element: str, body: str, kind: str) -> None:
    arguments = f"%a: tensor<8x6x{element}>, %i: tensor<5x1xi32>, %u: tensor<5x6x{element}>"
    line = SCATTER.replace("ELEMENT", element).replace("OPERATION", body)
    assert rule_text(arguments, line) == f"<([k, j], [i, l], [i, j])->([k, j]) {{i=5, j=6, k=8, l=1}} {kind}>"


def test_a_gather_of_single_rows_is_reduced_over_them() -> None:
    line = (
        '%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],'
        " collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,"
        " slice_sizes = array<i64: 1, 6>}> : (tensor<8x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>"
    )
    rule = "<([k, j], [i, l])->([i, j]) {i=5, j=6, k=8, l=1} reduction={k} need_replication={l}>"
    assert rule_text("%a: tensor<8x6xf32>, %i: tensor<5x1xi32>", line) == rule


@pytest.mark.parametrize(
    ("target", "rule"),
    [
        ("MoveToHost", "<([i, j])->([i, j]) {i=4, j=8}>"),
        ("Sharding", None),
        ("tpu_custom_call", None),
    ],
)
def test_a_custom_call_has_the_rule_of_its_target(target: str, rule: str | None) -> None:
    line = f"%0 = stablehlo.custom_call @{target}(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>"
    assert rule_text("%a: tensor<4x8xf32>", line) == rule


@pytest.mark.parametrize(
    "call",
    [
        "%0 = stablehlo.custom_call @Qr(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>",
        "%0:2 = stablehlo.custom_call @Qr(%a) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<f32>)",
        "%0 = stablehlo.custom_call @mhlo.topk(%a) : (tensor<4x8xf32>) -> tensor<4x2xf32>",
        "%0:2 = stablehlo.custom_call @ApproxTopK(%a) : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)",
        "stablehlo.custom_call @LayoutConstraint(%a) : (tensor<4x8xf32>) -> ()",
        "stablehlo.custom_call @X64Combine(%a) : (tensor<4x8xf32>) -> ()",
    ],
)
def test_a_known_target_with_other_operands_or_results_has_no_rule(call: str) -> None:
    assert rule_text("%a: tensor<4x8xf32>", call) is None
