"""Localizes operations that are elementwise although their definition has not that trait.

These are CHLO's operations that broadcast their operands, its functions of two arguments, and ``stablehlo.map``.
"""

from __future__ import annotations

from pyshardy.emitting.sharded import Sharded
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.rule_based import share_along
from pyshardy.partitioning.localizing.site import Site
from pyshardy.rules.builder import pointwise_rule
from pyshardy.rules.chlo import BROADCASTING, POINTWISE, broadcasting_rule


@localizes(*BROADCASTING)
def _broadcasting(site: Site) -> list[Sharded]:
    return share_along(site, broadcasting_rule(site.op))


@localizes(*POINTWISE, "stablehlo.map")
def _pointwise(site: Site) -> list[Sharded]:
    return share_along(site, pointwise_rule(site.op))
