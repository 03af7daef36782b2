"""Plans side by side from Python."""

import pytest

from pyshardy import Plan, compare, partition
from tests.reading.sharding_files.programs import MESH, step


def plan(lines: dict[str, object]) -> Plan:
    module = step()
    module.apply_shardings({"mesh": MESH, "shardings": lines})
    return partition(module)


def test_the_best_of_each_row_is_known_and_none_where_all_are_alike() -> None:
    found = compare({"whole": plan({}), "split": plan({"params/**/wq": ["data"], "batch/*": ["data"]})})
    rows = {row.key: row for row in found.rows}
    assert rows["memory.arguments"].best == (1,) and rows["collectives"].best == (0,)
    assert rows["padding"].best == () and rows["padding"].values == (0, 0)
    assert rows["bytes_by_axes.data"].values == (0.0, found.strategies[1].traffic.run_bytes)


def test_large_tensors_that_are_whole_everywhere_are_listed() -> None:
    found = compare({"a": plan({"batch/*": ["data"]})}, replicated_above=512)
    assert [one.name for one in found.strategies[0].replicated] == [
        "params['layers'][0]['wq']",
        "params['layers'][1]['wq']",
    ]
    assert not compare({"a": plan({"batch/*": ["data"]})}, replicated_above=513).strategies[0].replicated
    assert not compare({"alone": partition(step())}, replicated_above=1).strategies[0].replicated


def test_the_report_is_the_table_of_the_command() -> None:
    text = compare({"a": plan({}), "b": plan({"batch/*": ["data"]})}).report()
    assert "a: 8 devices" in text and "* the best of its row" in text and "1.4 KiB   * 1.1 KiB" in text


def test_no_plans_are_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="no plans"):
        compare({})
