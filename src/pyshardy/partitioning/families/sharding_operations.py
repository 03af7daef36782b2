"""Localizes Shardy's own operations, which only request a layout.

In a global program a reshard, a constraint and every ``sdy`` collective are the identity.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.names import IDENTITIES
from pyshardy.dialects.sdy.placement import sharding_of
from pyshardy.emitting.layout import layout_of
from pyshardy.emitting.sharded import Sharded
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site

_UNPLACED = ("sdy.propagation_barrier", "sdy.func_data_flow_edge")


@localizes(*IDENTITIES.difference(_UNPLACED))
def _placed(site: Site) -> list[Sharded]:
    result = site.op.results[0]
    sharding = sharding_of(result)
    if sharding is None:
        return list(site.operands)
    return [site.reshard(site.operands[0], layout_of(sharding, result.type, site.run.meshes))]


@localizes(*_UNPLACED)
def _identity(site: Site) -> list[Sharded]:
    return list(site.operands)


@localizes("sdy.sharding_group")
def _nothing(site: Site) -> list[Sharded]:
    return []
