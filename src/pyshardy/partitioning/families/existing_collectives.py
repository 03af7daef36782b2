"""Localizes collectives that the program contains already, in its manual computations.

Their groups name devices, and stay as they are. Dimensions that they split or join must not be sharded by axes of the
partitioner; all others may be.
"""

from __future__ import annotations

from math import prod

from pyshardy.dialects.stablehlo.attributes import AxisRef, ChannelHandle, ReplicaGroupMeshAxes
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, SymbolRefAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import COLLECTIVE
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site

_NOT_SHARED = frozenset(f"stablehlo.{name}" for name in ("cross-replica-sum", "recv", "send"))
"""Collectives of which every device does the whole."""


@localizes(*(name for name, row in DIALECT.definitions.items() if row.traits & COLLECTIVE and name not in _NOT_SHARED))
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
    """The properties, with a new channel if an earlier copy of the operation has the same."""
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
    group = _group_size(site, op.properties.get("replica_groups"))
    site.collectives.record(op, kind, (), group)


def _group_size(site: Site, groups: Attribute | None) -> int:
    """The number of devices in a group; 2 if there are no groups."""
    if isinstance(groups, DenseElementsAttr) and len(groups.type.shape) == 2:
        return groups.type.shape[1]
    if not isinstance(groups, ReplicaGroupMeshAxes):
        return 2
    mesh = site.run.meshes.get(groups.mesh.root) if isinstance(groups.mesh, SymbolRefAttr) else groups.mesh
    sizes = {axis.name: axis.size for axis in mesh.axes} if mesh is not None else {}
    parts = [axis for axis in groups.axes if isinstance(axis, AxisRef)]
    return prod(sizes.get(axis.name, 1) if axis.sub_axis is None else axis.sub_axis.size for axis in parts)
