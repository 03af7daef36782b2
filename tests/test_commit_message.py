"""Commit messages: what the hook lets through, and what it says of the rest."""

from __future__ import annotations

import pytest

from tests.commit_message import problem_of


@pytest.mark.parametrize(
    "message",
    ["A pass says itself once\n\nIts docstring said the same.\n", "Merge: rooms\n"],
)
def test_a_good_message_passes(message: str) -> None:
    assert problem_of(message) is None


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("", "the subject is empty"),
        ("x" * 73 + "\n\nwhy", "the subject has 73 characters"),
        ("A pass\nwhy", "the second line is not empty"),
        ("A pass\n", "there is no body"),
        ("A pass\n\n# a comment of git\n", "there is no body"),
    ],
)
def test_what_is_wrong_is_said(message: str, said: str) -> None:
    assert said in (problem_of(message) or "")
