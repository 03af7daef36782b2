"""The hook for automatic partitioners: one callback at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pyshardy.ir.passes import Pass, Pipeline, nested_pass
from pyshardy.propagation.auto_partitioner import (
    AutoPartitionerError,
    add_auto_partitioner,
    clear_auto_partitioner,
    is_auto_partitioner_registered,
    set_auto_partitioner,
)


@pytest.fixture(autouse=True)
def _unregistered() -> Iterator[None]:
    clear_auto_partitioner()
    yield
    clear_auto_partitioner()


def _propagate_again(items: list[Pass | Pipeline]) -> None:
    items.extend(nested_pass("sdy-basic-propagate", ""))


def test_the_registered_callback_appends_its_passes() -> None:
    set_auto_partitioner(_propagate_again)
    items: list[Pass | Pipeline] = list(nested_pass("symbol-dce", ""))
    add_auto_partitioner(items)
    assert [item.name for item in items if isinstance(item, Pass)] == ["symbol-dce", "sdy-basic-propagate"]


def test_a_second_callback_is_refused() -> None:
    set_auto_partitioner(_propagate_again)
    with pytest.raises(AutoPartitionerError, match=r"^auto-partitioner callback already registered$"):
        set_auto_partitioner(_propagate_again)


def test_without_a_callback_there_is_nothing_to_add() -> None:
    assert not is_auto_partitioner_registered()
    with pytest.raises(AutoPartitionerError, match=r"^auto-partitioner callback wasn't registered$"):
        add_auto_partitioner([])


def test_after_clearing_another_one_may_come() -> None:
    set_auto_partitioner(_propagate_again)
    clear_auto_partitioner()
    assert not is_auto_partitioner_registered()
    set_auto_partitioner(_propagate_again)
    assert is_auto_partitioner_registered()
