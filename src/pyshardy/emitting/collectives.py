"""Emits StableHLO collectives along mesh axes, and keeps the ledger of them: what each one moves, and for which
operation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pyshardy.emitting import collective_operations
from pyshardy.emitting.attribution import Attribution
from pyshardy.emitting.builder import Builder, Properties, tensor_type
from pyshardy.emitting.devices import compact_replica_groups, dense_replica_groups
from pyshardy.emitting.layout import Axes
from pyshardy.emitting.reducers import combines_in_collectives, neutral_elements, reduced
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import UnitAttr
from pyshardy.ir.limits import limit
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType, size_in_bytes
from pyshardy.resharding.byte_model import received_about
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.mesh import Mesh


class Collective(NamedTuple):
    """An entry of the ledger, one collective of the local program: its operation, the axes that it communicates along
    (none for a permute between neighbours or a collective of the source program), the size of its groups, and the bytes
    that each device receives.

    ``cause`` is the operation of the global program that needed it first, ``tensor`` the global value that it moves, if
    known. ``turns`` is the trip count of the enclosing loops, None if it is not known.
    """

    op: Operation
    kind: str
    axes: Axes
    group_size: int
    bytes: float
    cause: Operation | None = None
    tensor: Value | None = None
    turns: int | None = 1

    @property
    def counted_turns(self) -> int:
        """The trip count of the enclosing loops; 1 if it is not known."""
        return 1 if self.turns is None else self.turns

    @property
    def run_bytes(self) -> float:
        """The bytes that each device receives in ``counted_turns`` iterations."""
        return self.bytes * self.counted_turns


def numbers_of_collectives(collectives: Iterable[Collective]) -> dict[Collective, int]:
    """The number of each of ``collectives`` among those of its kind, from 0."""
    counts: dict[str, int] = {}
    found: dict[Collective, int] = {}
    for one in collectives:
        number = counts.get(one.kind, 0)
        counts[one.kind] = number + 1
        found.setdefault(one, number)
    return found


def bytes_of(values: Iterable[Value]) -> int:
    """The bytes of those of ``values`` that are tensors."""
    return sum([size_in_bytes(value.type) for value in values if isinstance(value.type, TensorType)])


_SAME_ON_ALL_DEVICES = frozenset(
    f"stablehlo.{name}"
    for name in ("broadcast_in_dim", "convert", "negate", "reshape", "reverse", "slice", "transpose")
)
"""Operations with one operand that do the same on every device and turn zeros into zeros, so that a permute may run
after them instead of before."""


class Collectives:
    """Emits collectives through ``builder``, and lists them in ``emitted``. ``mesh_names`` has the symbol of each mesh;
    with ``compact`` replica groups are written as mesh axes. Collectives are attributed by ``attribution``, and to
    ``resharded``, the tensor that is being resharded."""

    def __init__(self, builder: Builder, mesh_names: dict[Mesh, str], compact: bool) -> None:
        self._builder = builder
        self._mesh_names = mesh_names
        self._compact = compact
        self.emitted: list[Collective] = []
        self.attribution: Attribution | None = None
        self.resharded: Sharded | None = None
        self._devices = max((mesh.total_size for mesh in mesh_names), default=1)
        self._pairs: dict[Operation, list[tuple[int, int]]] = {}

    def all_gather(self, value: Value, dim: int, mesh: Mesh, axes: Axes) -> Value:
        """Joins the shards along ``axes`` in dimension ``dim``."""
        count = shard_count(axes, mesh)
        op = collective_operations.all_gather(self._builder, value, dim, count, self._global_groups(mesh, axes))
        return self._recorded(op, "all_gather", axes, count)

    def all_reduce(self, value: Value, mesh: Mesh, axes: Axes, kind: str) -> Value:
        """Combines the values of the devices along ``axes``; all get the result."""
        type = tensor_type(value)
        if not combines_in_collectives(kind, type.element):
            stacked = self._builder.reshape(value, (1, *type.shape))
            return self._combined(self.all_gather(stacked, 0, mesh, axes), kind)
        op = collective_operations.all_reduce(self._builder, value, kind, self._global_groups(mesh, axes))
        return self._recorded(op, "all_reduce", axes, shard_count(axes, mesh))

    def reduce_scatter(self, value: Value, dim: int, mesh: Mesh, axes: Axes, kind: str) -> Value:
        """Combines the values of the devices along ``axes``; each gets its shard of dimension ``dim``, which
        divides."""
        type = tensor_type(value)
        count = shard_count(axes, mesh)
        if not combines_in_collectives(kind, type.element):
            stacked = self._builder.reshape(value, (1, *type.shape))
            return self._combined(self.all_to_all(stacked, dim + 1, 0, mesh, axes), kind)
        groups = self._global_groups(mesh, axes)
        op = collective_operations.reduce_scatter(self._builder, value, dim, count, kind, groups)
        return self._recorded(op, "reduce_scatter", axes, count)

    def all_to_all(self, value: Value, split: int, concat: int, mesh: Mesh, axes: Axes) -> Value:
        """Splits dimension ``split`` (which divides) among the devices along ``axes``, and concatenates the parts
        received along dimension ``concat``."""
        count = shard_count(axes, mesh)
        groups: Properties = {
            "replica_groups": self._groups(mesh, axes),
            "channel_handle": self._builder.channel(),
        }
        op = collective_operations.all_to_all(self._builder, value, split, concat, count, groups)
        return self._recorded(op, "all_to_all", axes, count)

    def collective_permute(self, value: Value, pairs: list[tuple[int, int]], axes: Axes = ()) -> Value:
        """Sends ``value`` from the first to the second device of each pair; devices that receive nothing get zeros. If
        ``value`` comes from another permute, both are combined into one that sends directly."""
        before = self._preceding_permute(value)
        if before is not None:
            earlier, between = before
            senders = {target: source for source, target in self._pairs[earlier]}
            direct = [(senders[source], target) for source, target in pairs if source in senders]
            if direct:
                value, pairs = self._emit_again(between, earlier.operands[0]), direct
            if len(direct) == self._devices and all(source == target for source, target in direct):
                return value
        op = collective_operations.collective_permute(self._builder, value, pairs)
        self._pairs[op] = pairs
        return self._recorded(op, "collective_permute", axes, 2)

    def _preceding_permute(self, value: Value) -> tuple[Operation, list[Operation]] | None:
        """The permute in the current block from which ``value`` comes, and the operations in between, the last one
        first; None if there is no permute, or an operation in between depends on the device."""
        between: list[Operation] = []
        producer = value.defining_op
        while producer is not None and producer.name in _SAME_ON_ALL_DEVICES and producer.parent is self._builder.block:
            between.append(producer)
            producer = producer.operands[0].defining_op
        return (producer, between) if producer in self._pairs and self._builder.sees(producer.results[0]) else None

    def _emit_again(self, between: list[Operation], value: Value) -> Value:
        for op in reversed(between):
            types = [result.type for result in op.results]
            value = self._builder.create(op.name, [value], types, op.properties, op.attributes).results[0]
        return value

    def _combined(self, stacked: Value, kind: str) -> Value:
        """Combines the tensors that are stacked along dimension 0."""
        neutral = neutral_elements(kind, TensorType((), tensor_type(stacked).element))
        assert neutral is not None
        return reduced(self._builder, stacked, self._builder.splat_of(neutral), [0], kind)

    def _groups(self, mesh: Mesh, axes: Axes) -> Attribute:
        if mesh in self._mesh_names and (self._compact or mesh.total_size > limit("listed-devices")):
            return compact_replica_groups(self._mesh_names[mesh], axes)
        return dense_replica_groups(mesh, axes)

    def _global_groups(self, mesh: Mesh, axes: Axes) -> Properties:
        return {
            "replica_groups": self._groups(mesh, axes),
            "channel_handle": self._builder.channel(),
            "use_global_device_ids": UnitAttr(),
        }

    def _recorded(self, op: Operation, kind: str, axes: Axes, group: int) -> Value:
        self.record(op, kind, axes, group)
        return op.results[0]

    def record(self, op: Operation, kind: str, axes: Axes, group: int) -> None:
        """Adds ``op``, a collective of that ``kind`` in the local program, to the ledger; ``group`` is the number of
        devices in a group."""
        attribution = self.attribution
        tensor = attribution.tensor(self.resharded, op.operands[0]) if attribution is not None else None
        cause = attribution.op if attribution is not None else None
        received = received_about(kind, bytes_of(op.operands), bytes_of(op.results), max(group, 1))
        self.emitted.append(Collective(op, kind, axes, group, received, cause, tensor))
