"""The reshards or collectives of a program as rows.

Each row has the axes, the bytes that a device receives by the byte model of ``resharding``, and the operation of the
source program that needs it. ``communication_tables`` prints the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pyshardy.dialects.main_function import find_main_function
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.names import COLLECTIVES
from pyshardy.dialects.stablehlo.trip_count import function_runs, turns_around, turns_product
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.context import Context
from pyshardy.ir.json_fields import fields_as_json
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation
from pyshardy.ir.source_location import source_location
from pyshardy.ir.source_text import Position
from pyshardy.ir.types import TensorType, element_width, shape_in_memory
from pyshardy.reading.tensor_names import TensorNames
from pyshardy.resharding.reshard_steps import ReshardStep, bytes_of_steps, reshard_steps
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, fully_closed


@dataclass(frozen=True)
class Transfer:
    """One reshard or collective: its name without the dialect, its axes, the type of the whole tensor and its sharding
    afterwards, the bytes that each device receives, its location, and the name of the operation that needs it.
    ``becomes`` are the collectives that a reshard is lowered to. ``tensor`` is the name of the tensor, if it has one,
    ``turns`` how often it runs in its loops and calls, None if that is not known."""

    name: str
    axes: str
    type: str
    sharding: str
    bytes: float
    position: Position
    cause: str
    becomes: tuple[str, ...] = ()
    tensor: str = ""
    scope: str = ""
    turns: int | None = 1

    def as_json(self) -> dict[str, object]:
        """The row as plain values; docs/propagate.md describes the schema."""
        return fields_as_json(self, spread=("position",), name="operation", filename="file")


class Origins:
    """The operations of a program by location, before passes changed it."""

    __slots__ = ("_names",)

    def __init__(self, module: Operation) -> None:
        self._names: dict[int | Location, str] = {}
        for op in module.walk():
            if op.location is not None:
                self._names.setdefault(op.location, op.name)

    def cause(self, op: Operation) -> str:
        """The name of the operation for which ``op`` was inserted: the one that makes its operand or uses its result,
        if it has the location of ``op``; otherwise the operation that had this location before."""
        producer, users = _producer(op), list(_users(op))
        for one in (*users, *([producer] if producer is not None else [])):
            if one.location == op.location:
                return one.name
        if op.location is not None and op.location in self._names:
            return self._names[op.location]
        return users[0].name if users else ""


def find_transfers(module: Operation, context: Context, origins: Origins, strategy: str) -> list[Transfer]:
    """All reshards and collectives of ``module`` in program order; a reshard costs the bytes of the collectives that
    ``strategy`` lowers it to."""
    meshes = placement.meshes(module)
    main = find_main_function(module)
    names = TensorNames(module, main) if main is not None else None
    runs = function_runs(module, main) if main is not None else {}
    found = []
    for op in module.walk():
        if op.name in _MOVING:
            steps = _steps(op, meshes, strategy)
            sharding = placement.sharding_of(op.result)
            found.append(
                Transfer(
                    name=_short_name(op),
                    axes=_axes(op),
                    type=str(op.result.type),
                    sharding=sharding.body_text if sharding is not None else "",
                    bytes=_bytes(op, steps, meshes),
                    position=context.position(op.location),
                    cause=origins.cause(op),
                    becomes=tuple(map(_short_name, steps)) if op.name == "sdy.reshard" else (),
                    tensor=names.name(op.operands[0]) if names is not None else "",
                    scope=source_location(op.location, context).inner_scope,
                    turns=_turns(op, runs),
                )
            )
    return found


def _turns(op: Operation, runs: Mapping[Operation, int | None]) -> int | None:
    """How often ``op`` runs; an operation that is never reached counts once."""
    function = next((above for above in op.ancestors() if above.name == "func.func"), None)
    times = runs.get(function, 1) if function is not None else 1
    return turns_product(turns_around(op), times)


_MOVING = COLLECTIVES | {"sdy.reshard"}


def _short_name(named: Operation | ReshardStep) -> str:
    return named.name.removeprefix("sdy.")


def _axes(op: Operation) -> str:
    named = _named_axes(op)
    text = getattr(named[1], "body_text", "") if named is not None else ""
    return str(text)


def _named_axes(op: Operation) -> tuple[str, Attribute] | None:
    others = ("out_sharding", "reduction_op", "sharding")
    return next(((name, value) for name, value in op.properties if name not in others), None)


# --- bytes ------------------------------------------------------------------------------------------------------------


def _steps(op: Operation, meshes: Mapping[str, Mesh], strategy: str) -> tuple[ReshardStep, ...]:
    """The collectives that ``op`` is, or that a reshard becomes (none if it stays one)."""
    target = placement.sharding_of(op.result)
    if target is None:
        return ()
    if op.name != "sdy.reshard":
        return (ReshardStep(op.name, _named_axes(op), target),)
    source = _source(op, target)
    old, new = (placement.resolve_mesh(one, meshes) for one in (source, target))
    if old is None or new is None or source.rank != target.rank or old.is_maximal or new.is_maximal:
        return ()
    if not old.equals(new, ignore_device_ids=True):
        return ()
    return reshard_steps(source, target, old, shape_in_memory(op.result.type), target_mesh=new, strategy=strategy)


def _source(op: Operation, target: TensorSharding) -> TensorSharding:
    return placement.sharding_before_barriers(op.operands[0]) or fully_closed(target.rank, target.mesh_or_ref)


def _bytes(op: Operation, steps: tuple[ReshardStep, ...], meshes: Mapping[str, Mesh]) -> float:
    if not steps or not isinstance(op.result.type, TensorType):
        return 0.0
    target = steps[-1].out_sharding
    source = _source(op, target)
    old, new = (placement.resolve_mesh(one, meshes) for one in (source, target))
    if old is None or new is None or source.rank != target.rank:
        return 0.0
    width = element_width(op.result.type.element) / 8
    other = new if new is not old else None
    return sum(bytes_of_steps(steps, source, old, shape_in_memory(op.result.type), width, target_mesh=other))


# --- causes -----------------------------------------------------------------------------------------------------------


def _producer(op: Operation) -> Operation | None:
    """The operation that made the value which reaches ``op`` through other transfers."""
    before = op.operands[0].defining_op
    while before is not None and before.name in _MOVING:
        before = before.operands[0].defining_op
    return before


def _users(op: Operation) -> Iterator[Operation]:
    """The operations that use the result of ``op``, directly or through other transfers."""
    seen: set[Operation] = set()
    open_ops = [op]
    while open_ops:
        for user in open_ops.pop().result.users:
            if user in seen:
                continue
            seen.add(user)
            if user.name in _MOVING:
                open_ops.append(user)
            else:
                yield user
