"""The journal of propagation: it changes nothing, and has what changed."""

from pathlib import Path

import pytest

from pyshardy import Module, load, parse, partition
from pyshardy.propagation.journal import Journal

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))

PROGRAM = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}"""


def partitioned(module: Module, journal: Journal | None) -> tuple[str, str]:
    plan = partition(module, in_place=True, journal=journal)
    return module.text(), plan.local.text()


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_with_a_journal_the_program_becomes_the_same(path: Path) -> None:
    assert partitioned(load(path), Journal()) == partitioned(load(path), None)


def test_each_visit_that_changes_something_is_an_entry() -> None:
    journal = Journal()
    partition(parse(PROGRAM), journal=journal)
    assert [change.op.name for change in journal.changes] == ["stablehlo.tanh", "func.func"]
    first = journal.changes[0]
    assert [(number, new.body_text) for number, new in first.written] == [(1, '<@mesh, [{"x", ?}, {?}]>')]
    assert (first.user_priority, first.op_priority) == (0, 0)


def test_a_context_forgets_its_journal() -> None:
    module = parse(PROGRAM)
    partition(module, in_place=True, journal=Journal())
    assert module.context.propagation_observers == ()
