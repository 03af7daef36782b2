"""The pass ``sdy-resolve-single-device-sharding``: runs operations with a single-device sharding on that device only.

The operation goes into a branch that only that device takes. The others contribute zeros to an all-reduce, after which
all devices have the result. The pass runs before ``sdy-convert-global-to-local``, which would run such operations on
every device.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import meshes, resolve_mesh, sharding_of
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import DATA_FLOW
from pyshardy.ir.operation import Block, Operation, Region, Value
from pyshardy.ir.passes import Pass, PassFailure, register_pass
from pyshardy.ir.types import I64, TensorType
from pyshardy.passes.partitioning.emitter import Emitter
from pyshardy.passes.partitioning.legalization import NotConvertible, refuse, report
from pyshardy.passes.partitioning.options import DeviceOptions
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.lists import AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, fully_closed


@register_pass("sdy-resolve-single-device-sharding", on="func.func")
class ResolveSingleDeviceSharding(DeviceOptions, Pass):
    """Computes what is on one device there, and gives the result to all."""

    def apply(self, op: Operation, context: Context) -> None:
        by_replica = self.devices_are_replicas(op, context, "resolve_single_device_sharding")
        *_, module = op.ancestors()
        known = meshes(module)
        everyone = next((name for name, mesh in known.items() if mesh.axes), None)
        if everyone is None:
            return
        resolution = _Resolution(known, everyone, Emitter(1, by_replica=by_replica))
        for one in op.operations():
            try:
                resolution.resolve(one)
            except NotConvertible as failure:
                report(context, one, failure)
                raise PassFailure from None


class _Resolution:
    """Resolves operations of a module with the meshes ``known``; ``everyone`` is the name of the mesh of all
    devices."""

    def __init__(self, known: dict[str, Mesh], everyone: str, emit: Emitter) -> None:
        self._known = known
        self._everyone = everyone
        self._emit = emit

    def resolve(self, op: Operation) -> None:
        """Runs ``op`` on a single device, if its sharding says so."""
        device = None if op.name.startswith("sdy.") else self._device(op)
        if device is None:
            return
        emit = self._emit
        emit.at(op)
        operands = [self._before_reshard(value) for value in op.operands]
        chosen = emit.compare(emit.device_id(), "EQ", emit.scalar(device, I64))
        regions = (self._computing(op, operands), self._waiting(op))
        types = [result.type for result in op.results]
        branches = emit.create("stablehlo.if", (chosen,), types, regions=regions)
        for old, new in zip(op.results, branches.results, strict=True):
            everywhere = self._for_all(new)
            rewriting.replace_all_uses(old, everywhere)
            self._drop_reshards(everywhere)
        reshards = [value.defining_op for value in op.operands]
        rewriting.erase(op)
        for made in dict.fromkeys(reshards):
            if made is not None and made.name == "sdy.reshard" and not made.results[0].num_uses:
                rewriting.erase(made)

    def _device(self, op: Operation) -> int | None:
        """The single device that has to compute ``op``; None if there is none."""
        devices: set[int] = set()
        elsewhere = False
        for result in op.results:
            sharding = sharding_of(result)
            mesh = resolve_mesh(sharding, self._known) if sharding is not None else None
            if mesh is not None and mesh.is_maximal:
                devices.update(mesh.device_ids)
            elsewhere = elsewhere or (sharding is not None and not sharding.is_fully_replicated)
        if not devices:
            return None
        if (op.traits & DATA_FLOW or op.name == "stablehlo.if") and (
            len(devices) > 1 or elsewhere or _holds_shards(op)
        ):
            # The operation computes nothing itself, and its values may be on every device. A single device could not
            # gather sharded values in its regions.
            return None
        if len(devices) > 1 or elsewhere:
            refuse("all results of an operation on a single device must be on that device or replicated")
        (device,) = devices
        mesh = self._known[self._everyone]
        if device not in (mesh.device_ids or range(mesh.total_size)):
            refuse(f"the operation is on device {device}, which is not on mesh @{self._everyone}")
        return device

    def _before_reshard(self, value: Value) -> Value:
        """``value`` before a reshard to a single device, gathered for all devices."""
        made = value.defining_op
        wanted = made.properties.get("sharding") if made is not None and made.name == "sdy.reshard" else None
        source = value
        if made is not None and isinstance(wanted, TensorSharding):
            mesh = resolve_mesh(wanted, self._known)
            source = made.operands[0] if mesh is not None and mesh.is_maximal else value
        sharding = sharding_of(source)
        if sharding is None or sharding.is_fully_replicated:
            return source
        whole = fully_closed(sharding.rank, sharding.mesh_or_ref)
        axes = ListOfAxisRefLists(dim.axes for dim in sharding.dims)
        properties: dict[str, Attribute] = {"gathering_axes": axes, "out_sharding": whole}
        return self._emit.create("sdy.all_gather", (source,), (source.type,), properties).results[0]

    def _computing(self, op: Operation, operands: list[Value]) -> Region:
        """The branch of the single device: a copy of ``op``."""
        copy = rewriting.clone(op, dict(zip(op.operands, operands, strict=True)))
        rewriting.set_attributes(copy, copy.attributes.without(SHARDING))
        block = Block()
        rewriting.append(block, copy)
        rewriting.append(block, rewriting.create("stablehlo.return", copy.results, location=op.location))
        return Region([block])

    def _waiting(self, op: Operation) -> Region:
        """The branch of all other devices: zeros."""
        block = Block()
        returned = rewriting.create("stablehlo.return", location=op.location)
        rewriting.append(block, returned)
        emit = self._emit
        emit.at(returned)
        values = [
            emit.splat(0, result.type)
            if isinstance(result.type, TensorType)
            else emit.emit("create_token", (), result.type)
            for result in op.results
        ]
        rewriting.set_operands(returned, values)
        emit.at(op)
        return Region([block])

    def _for_all(self, value: Value) -> Value:
        """The sum of ``value`` over all devices."""
        if not isinstance(value.type, TensorType):
            return value
        sharding = fully_closed(value.type.rank, self._everyone)
        axes = AxisRefList(AxisRef(axis.name) for axis in self._known[self._everyone].axes)
        properties: dict[str, Attribute] = {"out_sharding": sharding, "reduction_axes": axes}
        return self._emit.create("sdy.all_reduce", (value,), (value.type,), properties).results[0]

    def _drop_reshards(self, value: Value) -> None:
        """Removes reshards of ``value`` to the sharding that it has."""
        made = value.defining_op
        sharding = made.properties.get("out_sharding") if made is not None else None
        for user in list(value.users):
            if user.name == "sdy.reshard" and user.properties.get("sharding") is sharding:
                rewriting.replace_op(user, [value])


def _holds_shards(op: Operation) -> bool:
    """Whether values in the regions of ``op`` are sharded."""
    for nested in op.walk():
        for value in (*nested.operands, *nested.results) if nested is not op else ():
            sharding = sharding_of(value)
            if sharding is not None and not sharding.is_fully_replicated:
                return True
    return False
