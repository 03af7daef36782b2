"""Every collective of StableHLO has a kind, and everybody who asks for it finds it there."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import parse
from pyshardy.analysis.cost.collective_times import collective_seconds
from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.hardware_files import hardware
from pyshardy.dialects.sdy.collective_verification import gathers
from pyshardy.dialects.sdy.names import COLLECTIVES
from pyshardy.dialects.sdy.operand_text import GROUP_ID
from pyshardy.dialects.sdy.operations import _collective
from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS, PERMUTES, CollectiveKind, reduces
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.interpreter.registry import evaluator
from pyshardy.ir.opdef import COLLECTIVE
from pyshardy.ir.registry import dialect
from pyshardy.resharding.byte_model import received, received_about
from pyshardy.rules.collectives import _others
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.mesh import Mesh

ROOT = Path(__file__).resolve().parents[2]
_FREE = {"all_slice", "replicated_to_unreduced", "sharded_to_unreduced"}
"""What reshards become that moves nothing."""
_SENT = {"recv", "send", "cross-replica-sum"}
"""What talks to the host or to one other device, and the old name of a sum over replicas."""


def test_every_collective_has_a_kind() -> None:
    rows = {one.name.removeprefix("stablehlo.") for one in DIALECT.definitions.values() if one.traits & COLLECTIVE}
    moving = {one.removeprefix("sdy.") for one in COLLECTIVES} - _FREE
    missing = (rows - _SENT | moving) - COLLECTIVE_KINDS.keys()
    assert not missing, (
        f"give {sorted(missing)} a kind in COLLECTIVE_KINDS of dialects/stablehlo/collective_kinds.py, or list what "
        "moves nothing in _FREE, and what has no groups in _SENT, of this file"
    )
    unknown = COLLECTIVE_KINDS.keys() - (rows - _SENT | moving)
    assert not unknown, (
        f"{sorted(unknown)} have a kind, but no row with the trait COLLECTIVE: give them one in "
        "dialects/stablehlo/control.py, or take the kind away"
    )


def test_what_has_groups_is_a_collective() -> None:
    grouped = {name for name, one in DIALECT.definitions.items() if "replica_groups" in one.properties}
    without = {name for name in grouped if not DIALECT.definitions[name].traits & COLLECTIVE}
    assert not without, f"give the rows of {sorted(without)} in dialects/stablehlo/control.py the trait COLLECTIVE"


def test_every_collective_has_an_evaluator() -> None:
    collectives = [name for name, one in DIALECT.definitions.items() if one.traits & COLLECTIVE]
    missing = [name for name in collectives if evaluator(name) is None]
    assert not missing, (
        f"write evaluators of {missing} in interpreter/operations/group_collectives.py: `check` and `interpret` refuse "
        "an operation without one"
    )


def test_the_sdy_collectives_are_those_with_an_out_sharding() -> None:
    found = dialect("sdy")
    assert found is not None
    rows = {one.name for one in found.definitions.values() if "out_sharding" in one.properties}
    assert rows == COLLECTIVES, "add the name to COLLECTIVES in dialects/sdy/names.py"


def test_the_page_for_dialects_names_every_kind() -> None:
    page = (ROOT / "docs" / "dialects.md").read_text()
    named = [name for name in COLLECTIVE_KINDS if f"stablehlo.{name}" in DIALECT.definitions]
    missing = [name for name in named if f"`{name}`" not in page]
    assert not missing, f"name {missing} in the section Collectives of docs/dialects.md"


def test_a_collective_without_a_rule_of_its_own_keeps_whole_the_dimension_that_it_changes() -> None:
    program = """
func.func @main(%a: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>)
    -> tensor<4x8xf32>
  %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
    : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %1, %0 : tensor<8x8xf32>, tensor<4x8xf32>
}"""
    same, changed = (op for op in parse(program).op.walk() if op.name.startswith("stablehlo."))
    assert str(_others(same, False)) == "#sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>"
    assert str(_others(changed, False)) == str(RuleTable().rule(changed))


def test_bytes_are_those_of_operand_and_result() -> None:
    assert received("all_gather", 8, 32, 4) == 24 and received_about("all_gather", 8, 32, 4) == 24
    assert received("reduce_scatter", 32, 8, 4) == 24 and received_about("reduce_scatter", 32, 8, 4) == 24


@pytest.mark.parametrize("kind", COLLECTIVE_KINDS)
def test_every_kind_has_bytes_and_a_time(kind: str) -> None:
    assert received(kind, 8, 8, 4) > 0
    fabric = Fabric(hardware("h100"), Mesh({"x": 4}))
    if COLLECTIVE_KINDS[kind].route != PERMUTES:
        assert collective_seconds(kind, fabric.reaches([0, 1, 2, 3]), 1 << 20).after > 0


def test_a_collective_without_a_kind_or_a_schedule_says_where_to_give_it_one(monkeypatch: pytest.MonkeyPatch) -> None:
    reaches = Fabric(hardware("h100"), Mesh({"x": 4})).reaches([0, 1, 2, 3])
    with pytest.raises(LookupError, match=r"say in COLLECTIVE_KINDS .* what collective_scatter moves"):
        collective_seconds("collective_scatter", reaches, 1 << 20)
    new = CollectiveKind("collective_scatter", "hands out", lambda operand, result, group: (result, 1))
    monkeypatch.setitem(COLLECTIVE_KINDS, new.name, new)
    with pytest.raises(LookupError, match=r"say in _SCHEDULES .* how collective_scatter, which hands out, is run"):
        collective_seconds("collective_scatter", reaches, 1 << 20)


def test_a_collective_of_groups_that_permutes_is_told_that_it_has_no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    reaches = Fabric(hardware("h100"), Mesh({"x": 4})).reaches([0, 1, 2, 3])
    new = CollectiveKind("collective_scatter", PERMUTES, lambda operand, result, group: (result, 1))
    monkeypatch.setitem(COLLECTIVE_KINDS, new.name, new)
    said = r"timed from its property source_target_pairs, which it does not have: .* another route in COLLECTIVE_KINDS"
    with pytest.raises(LookupError, match=said):
        collective_seconds("collective_scatter", reaches, 1 << 20)


def test_an_sdy_collective_has_a_property_that_holds_axes() -> None:
    with pytest.raises(ValueError, match="the property of a collective holds axes, which group_id does not"):
        _collective("numbered_gather", GROUP_ID, gathers("gathering_axes", "gathering"))


def test_what_is_no_collective_moves_nothing() -> None:
    assert received("all_slice", 8, 8, 4) == 0
    assert not reduces("all_slice")
