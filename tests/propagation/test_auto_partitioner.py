"""The hook for automatic partitioners: one callback at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pyshardy
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_text import nested_pass
from pyshardy.propagation import default_partitioner
from pyshardy.propagation.auto_partitioner import (
    AutoPartitionerError,
    add_auto_partitioner,
    clear_auto_partitioner,
    is_auto_partitioner_registered,
    set_auto_partitioner,
)
from pyshardy.propagation.default_partitioner import set_default_auto_partitioner


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


def test_without_a_callback_there_is_nothing_to_add(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default_partitioner, "_default", None)
    assert not is_auto_partitioner_registered()
    with pytest.raises(AutoPartitionerError, match=r"^auto-partitioner callback wasn't registered$"):
        add_auto_partitioner([])


def test_a_default_stands_in_and_is_not_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default_partitioner, "_default", None)
    set_default_auto_partitioner(lambda items: items.extend(nested_pass("symbol-dce", "")))
    assert not is_auto_partitioner_registered()
    items: list[Pass | Pipeline] = []
    add_auto_partitioner(items)
    set_auto_partitioner(_propagate_again)
    add_auto_partitioner(items)
    assert [item.name for item in items if isinstance(item, Pass)] == ["symbol-dce", "sdy-basic-propagate"]


def test_after_clearing_another_one_may_come() -> None:
    set_auto_partitioner(_propagate_again)
    clear_auto_partitioner()
    assert not is_auto_partitioner_registered()
    set_auto_partitioner(_propagate_again)
    assert is_auto_partitioner_registered()


PROGRAM = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


def test_the_documented_partitioner_shards_what_propagation_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "propagate.md").read_text()
    (example,) = [one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "set_auto_partitioner" in one]
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "mlp.mlir").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(example, "propagate.md", "exec"), names)
    assert "stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}" in str(names["module"])


def test_the_partitioner_runs_behind_a_dump_of_its_own(tmp_path: Path) -> None:
    set_auto_partitioner(_propagate_again)
    module = pyshardy.parse(PROGRAM)
    options = f"enable-auto-partitioning=true dump-directory={tmp_path}"
    pyshardy.run_passes(module, f"sdy-propagation-pipeline{{{options}}}")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "01.before_propagation.mlir",
        "02.propagation_before_auto_partitioning.mlir",
        "03.after_propagation.mlir",
        "04.after_minimal_partitioner_with_global_shapes.mlir",
    ]
