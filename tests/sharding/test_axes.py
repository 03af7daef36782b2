"""The arithmetic of axis references: worked examples, and agreement with sets of binary digits."""

from __future__ import annotations

from enum import StrEnum
from itertools import combinations, product

import numpy as np
import pytest

from pyshardy.sharding.axes import (
    AxisRef,
    append_or_merge,
    can_coexist,
    can_merge,
    contains,
    difference,
    first_overlapping,
    greatest_common_prefix,
    is_prefix,
    is_suffix,
    merge,
    overlap,
    overlaps,
    prefix_without_any,
    prefix_without_overlap,
    sort_and_merge,
    suffix_without_overlap,
)
from pyshardy.sharding.mesh import Mesh, MeshAxis

MESH = Mesh({"a": 16, "b": 8})
FULL = AxisRef("a")
DIGITS = 4
"""The axis "a" has so many binary digits, the most significant first."""


def sub(pre: int, size: int, name: str = "a") -> AxisRef:
    return AxisRef(name, pre, size)


def of_digits(digits: range) -> AxisRef:
    """The sub-axis of "a" that consists of ``digits``."""
    return FULL if len(digits) == DIGITS else sub(2**digits.start, 2 ** len(digits))


INTERVALS = [range(start, end) for start, end in combinations(range(DIGITS + 1), 2)]
PAIRS = list(product(INTERVALS, INTERVALS))


def test_equal_references_are_one_object() -> None:
    assert AxisRef("a", 2, 4) is AxisRef("a", 2, 4)
    assert AxisRef("a") is not AxisRef("a", 1, 16)


def test_references_of_one_name_sort_by_place_with_the_full_axis_after_those_that_start_at_one() -> None:
    expected = [sub(1, 2), sub(1, 8), FULL, sub(2, 2), sub(2, 4), sub(4, 2)]
    assert sorted(set(expected), key=lambda axis: axis.sort_key) == expected


def test_names_sort_by_their_bytes() -> None:
    names = ["Z", "a", "aa", "b", "é"]
    assert [axis.name for axis in sorted(map(AxisRef, set(names)), key=lambda axis: axis.sort_key)] == names


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_places_of_references_agree_with_sets_of_digits(one: range, other: range) -> None:
    a, b = of_digits(one), of_digits(other)
    assert overlaps(a, b) == bool(set(one) & set(other))
    assert is_suffix(a, b, MESH) == (set(one) <= set(other) and one.stop == other.stop)
    assert is_prefix(a, b) == (set(one) <= set(other) and one.start == other.start)
    assert contains(b, a) == (set(one) <= set(other))
    assert can_coexist(a, b)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_parts_of_references_agree_with_sets_of_digits(one: range, other: range) -> None:
    a, b = of_digits(one), of_digits(other)
    common = range(max(one.start, other.start), min(one.stop, other.stop))
    before = range(one.start, min(one.stop, other.start)) if common else one
    after = range(max(one.start, other.stop), one.stop) if common else one
    assert overlap(a, b) is (of_digits(common) if common else None)
    assert prefix_without_overlap(a, b) is (of_digits(before) if before else None)
    assert suffix_without_overlap(a, b, MESH) is (of_digits(after) if after else None)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_difference_keeps_the_digits_of_the_first_that_the_second_lacks(one: range, other: range) -> None:
    left = difference([of_digits(one)], [of_digits(other)], MESH)
    digits = [digit for axis in left for digit in range(DIGITS) if overlaps(axis, of_digits(range(digit, digit + 1)))]
    assert digits == sorted(set(one) - set(other))


def test_references_that_no_single_splitting_expresses_cannot_coexist() -> None:
    assert not can_coexist(sub(1, 2), sub(1, 3))
    assert not can_coexist(sub(1, 4), sub(6, 2))
    assert can_coexist(sub(1, 4), sub(8, 2))
    assert overlap(sub(1, 2), sub(1, 3)) is None
    assert prefix_without_overlap(sub(1, 2), sub(1, 3)) is None
    assert suffix_without_overlap(sub(1, 2), sub(1, 3), MESH) is None


def test_references_of_different_names_never_overlap() -> None:
    other = AxisRef("b")
    assert not overlaps(sub(1, 4), other)
    assert overlap(sub(1, 4), other) is None
    assert prefix_without_overlap(sub(1, 4), other) is sub(1, 4)
    assert suffix_without_overlap(sub(1, 4), other, MESH) is sub(1, 4)
    assert greatest_common_prefix(FULL, other) is None


def test_the_greatest_common_prefix_is_the_shorter_of_two_that_start_together() -> None:
    assert greatest_common_prefix(FULL, sub(1, 4)) is sub(1, 4)
    assert greatest_common_prefix(sub(2, 2), sub(2, 4)) is sub(2, 2)
    assert greatest_common_prefix(sub(2, 2), sub(4, 2)) is None


def test_a_prefix_is_cut_by_every_reference_in_its_way() -> None:
    assert prefix_without_any(FULL, [sub(8, 2), AxisRef("b"), sub(4, 2)]) is sub(1, 4)
    assert prefix_without_any(FULL, [sub(4, 2), sub(1, 2)]) is None


def test_neighbouring_sub_axes_merge_into_one_and_into_the_full_axis() -> None:
    assert can_merge(sub(1, 2), sub(2, 4))
    assert merge(sub(1, 2), sub(2, 4), MESH) is sub(1, 8)
    assert merge(sub(1, 2), sub(2, 8), MESH) is FULL
    assert not can_merge(sub(2, 2), sub(1, 2))
    assert not can_merge(FULL, sub(1, 2))


def test_appending_merges_with_the_last_element_only() -> None:
    axes = [sub(1, 2), AxisRef("b")]
    append_or_merge(axes, sub(2, 2), MESH)
    append_or_merge(axes, sub(4, 2), MESH)
    assert axes == [sub(1, 2), AxisRef("b"), sub(2, 4)]


def test_sorting_follows_the_mesh_and_merges_neighbours() -> None:
    mesh = Mesh({"b": 8, "a": 16})
    assert sort_and_merge([sub(4, 4), AxisRef("b"), sub(1, 4)], mesh) == [AxisRef("b"), FULL]


def test_difference_splits_axes_around_what_is_removed() -> None:
    assert difference([FULL], [sub(2, 2), sub(8, 2)], MESH) == [sub(1, 2), sub(4, 2)]
    removed = [sub(2, 2), AxisRef("b", 1, 2)]
    assert difference([FULL, AxisRef("b")], removed, MESH) == [sub(1, 2), sub(4, 4), AxisRef("b", 2, 4)]
    assert difference([AxisRef("b"), FULL], [], MESH) == [AxisRef("b"), FULL]


def test_the_first_overlapping_reference_is_found_on_either_side_of_its_place() -> None:
    ordered = [sub(1, 2), sub(4, 2), AxisRef("b")]
    assert first_overlapping(sub(2, 2), ordered) is None
    assert first_overlapping(sub(2, 4), ordered) == 1
    assert first_overlapping(FULL, ordered) == 0
    assert first_overlapping(AxisRef("b", 2, 2), ordered) == 2


class _Name(StrEnum):
    AXIS = "of an enumeration"


@pytest.mark.parametrize("name", [np.str_("of NumPy"), _Name.AXIS])
def test_names_of_other_classes_are_not_given_to_who_asks_later(name: str) -> None:
    plain = str.__str__(name)
    first, axis = AxisRef(name), MeshAxis(name, 2)
    assert AxisRef(plain) is first and MeshAxis(plain, 2) is axis
    assert type(first.name) is type(axis.name) is str
    assert repr(first.name) == repr(axis.name) == repr(plain)
