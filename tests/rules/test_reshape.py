"""Reshapes are taken apart into shared and private factors."""

from __future__ import annotations

import pytest

from tests.rules.programs import rule_text


def reshape(source: str, target: str) -> str | None:
    source, target = (f"tensor<{f'{shape}x' if shape else ''}f32>" for shape in (source, target))
    return rule_text(f"%a: {source}", f"%0 = stablehlo.reshape %a : ({source}) -> {target}")


@pytest.mark.parametrize(
    ("source", "target", "rule"),
    [
        ("8x6", "48", "<([i, j])->([ij]) {i=8, j=6}>"),
        ("30", "2x3x5", "<([ijk])->([i, j, k]) {i=2, j=3, k=5}>"),
        ("2x12", "4x6", "<([i, jk])->([ij, k]) {i=2, j=2, k=6}>"),
    ],
)
def test_sizes_that_divide_share_their_factors(source: str, target: str, rule: str) -> None:
    assert reshape(source, target) == rule


@pytest.mark.parametrize(
    ("source", "target", "rule"),
    [
        ("3x5", "5x3", "<([i, k])->([j, l]) {i=3, j=5, k=5, l=3}>"),
        ("8x6", "6x8", "<([ij, mn])->([ik, ln]) {i=2, j=4, k=3, l=4, m=3, n=2}>"),
    ],
)
def test_sizes_that_do_not_divide_have_private_factors(source: str, target: str, rule: str) -> None:
    assert reshape(source, target) == rule


def test_the_shapes_realign_where_they_can() -> None:
    assert reshape("2x3x5", "3x2x5") == "<([i, k, m])->([j, l, m]) {i=2, j=3, k=3, l=2, m=5}>"


@pytest.mark.parametrize(
    ("source", "target", "rule"),
    [
        ("1x8", "8x1", "<([i, j])->([j, k]) {i=1, j=8, k=1}>"),
        ("8x6", "1x8x1x6", "<([j, l])->([i, j, k, l]) {i=1, j=8, k=1, l=6}>"),
        ("", "1x1", "<([])->([i, j]) {i=1, j=1}>"),
    ],
)
def test_a_size_of_one_is_never_shared(source: str, target: str, rule: str) -> None:
    assert reshape(source, target) == rule


def test_a_tensor_without_elements_has_no_rule() -> None:
    assert reshape("0x4", "4x0") is None
