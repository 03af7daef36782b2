"""Every collective of StableHLO has a kind, and everybody who asks for it finds it there."""

from __future__ import annotations

import pytest

from pyshardy.analysis.cost.collective_times import collective_seconds
from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.hardware_files import hardware
from pyshardy.dialects.sdy.names import COLLECTIVES
from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS, PERMUTES, adds_up
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.ir.opdef import COLLECTIVE
from pyshardy.resharding.byte_model import received
from pyshardy.sharding.mesh import Mesh

_FREE = {"all_slice", "replicated_to_unreduced", "sharded_to_unreduced"}
"""What reshards become that moves nothing."""
_SENT = {"recv", "send", "cross-replica-sum"}
"""What talks to the host or to one other device, and the old name of a sum over replicas."""


def test_every_collective_has_a_kind() -> None:
    rows = {one.name.removeprefix("stablehlo.") for one in DIALECT.definitions.values() if one.traits & COLLECTIVE}
    assert rows - _SENT == set(COLLECTIVE_KINDS)
    assert {one.removeprefix("sdy.") for one in COLLECTIVES} - _FREE <= set(COLLECTIVE_KINDS)


@pytest.mark.parametrize("kind", COLLECTIVE_KINDS)
def test_every_kind_has_bytes_and_a_time(kind: str) -> None:
    assert received(kind, 8, 8, 4) > 0
    fabric = Fabric(hardware("h100"), Mesh({"x": 4}))
    if COLLECTIVE_KINDS[kind].route != PERMUTES:
        assert collective_seconds(kind, fabric.reaches([0, 1, 2, 3]), 1 << 20).after > 0


def test_what_is_no_collective_moves_nothing() -> None:
    assert received("all_slice", 8, 8, 4) == 0
    assert not adds_up("all_slice")
