"""Localizes the collectives that a program brings along, in its manual computations.

Their groups name devices, so they stay; dimensions that they split or join must be whole with respect to the axes
that the partitioner uses, all others may be sharded further. Registers with ``registry``.
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.attributes import ChannelHandle
from pyshardy.emitting.layout import Sharded
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.types import TensorType, size_in_bytes
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site


@localizes(
    "stablehlo.all_gather",
    "stablehlo.all_reduce",
    "stablehlo.all_to_all",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.collective_reduce",
    "stablehlo.reduce_scatter",
)
def _collective(site: Site) -> list[Sharded]:
    rule = site.rule()
    strategy = site.strategy(rule) if rule is not None else None
    properties = _with_own_channel(site)
    if strategy is None:
        operands = [site.replicate(operand) for operand in site.operands]
        results = site.emit(operands, [operand.layout for operand in operands[: len(site.op.results)]], properties)
    else:
        operands = list(map(site.reshard, site.operands, strategy.operands))
        results = site.emit(operands, strategy.results, properties)
    _record(site, results)
    return results


def _with_own_channel(site: Site) -> DictionaryAttr:
    """The properties, with another channel if an earlier copy of the operation has this one."""
    handle = site.op.properties.get("channel_handle")
    if not isinstance(handle, ChannelHandle) or handle.handle not in site.run.taken_channels:
        if isinstance(handle, ChannelHandle):
            site.run.taken_channels.add(handle.handle)
        return site.op.properties
    return site.op.properties.with_("channel_handle", site.builder.channel())


def _record(site: Site, results: list[Sharded]) -> None:
    op = results[0].value.defining_op
    assert op is not None
    kind = op.name.removeprefix("stablehlo.")
    groups = op.properties.get("replica_groups")
    group = groups.type.shape[1] if isinstance(groups, DenseElementsAttr) and len(groups.type.shape) == 2 else 2
    types = [value.type for value in (*op.operands, *op.results) if isinstance(value.type, TensorType)]
    larger = max(map(size_in_bytes, types), default=0)
    site.collectives.account(op, kind, (), group, larger)
