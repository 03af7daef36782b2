"""The summary of a propagated program: meshes, the number of sharded tensors, arguments and results, conflicts.

It is made from the propagated program; ``sharding_tables`` prints it, ``as_json`` returns the documented JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pyshardy.dialects.main_function import find_main_function
from pyshardy.dialects.sdy import placement
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType, Type, size_in_bytes
from pyshardy.module import Module
from pyshardy.reading.names import argument_symbol, boundary_names, result_symbol
from pyshardy.reading.tensor_names import TensorNames
from pyshardy.reading.tensors import shape_on_device
from pyshardy.report.boundary_row import BoundaryRow
from pyshardy.report.conflicts import Conflict, find_conflicts
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


@dataclass(frozen=True)
class ShardingSummary:
    """The result of propagation. ``sums`` counts the operations that sum over a sharded dimension; these are no
    conflicts, but need a collective for the partial sums."""

    meshes: dict[str, Mesh]
    tensors: int
    sharded: int
    arguments: tuple[BoundaryRow, ...]
    results: tuple[BoundaryRow, ...]
    conflicts: tuple[Conflict, ...]
    sums: int

    def __repr__(self) -> str:
        return (
            f"<ShardingSummary: {self.tensors} tensors, {self.sharded} sharded, {len(self.conflicts)} conflicts, "
            f"{self.sums} sums over sharded dimensions>"
        )

    @property
    def replicated(self) -> int:
        """Tensors that every device holds whole."""
        return self.tensors - self.sharded

    def as_json(self) -> dict[str, object]:
        """The summary as plain values; docs/propagate.md describes the schema."""
        return {
            "meshes": [
                {
                    "name": name,
                    "axes": [{"name": axis.name, "size": axis.size} for axis in mesh.axes],
                    "device_ids": list(mesh.device_ids),
                    "devices": mesh.total_size,
                }
                for name, mesh in self.meshes.items()
            ],
            "tensors": {"total": self.tensors, "sharded": self.sharded, "replicated": self.replicated},
            "arguments": [one.as_json() for one in self.arguments],
            "results": [one.as_json() for one in self.results],
            "conflicts": [
                {
                    "operation": one.operation,
                    "file": one.position.filename,
                    "line": one.position.line,
                    "column": one.position.column,
                    "kind": one.kind,
                    "factor": one.factor,
                    "scope": one.scope,
                    "tensors": [{"tensor": name, "axes": axes} for name, axes in one.tensors],
                }
                for one in self.conflicts
            ],
            "sums_over_sharded_dimensions": self.sums,
        }


def summarize(module: Module) -> ShardingSummary:
    """The summary of a program whose shardings have been propagated."""
    meshes = placement.meshes(module.op)
    tensors = sharded = 0
    for value in _tensor_values(module.op):
        tensors += 1
        sharding = placement.sharding_of(value)
        sharded += sharding is not None and not sharding.is_fully_replicated
    arguments, results = boundaries(module)
    main = find_main_function(module.op)
    names = TensorNames(module.op, main) if main is not None else None
    found = find_conflicts(module.op, module.context, names)
    return ShardingSummary(meshes, tensors, sharded, arguments, results, tuple(found.conflicts), found.sums)


def boundaries(module: Module) -> tuple[tuple[BoundaryRow, ...], tuple[BoundaryRow, ...]]:
    """The arguments and results of the main function; none if there is no such function."""
    main = find_main_function(module.op)
    if main is None or main.regions[0].empty:
        return (), ()
    meshes, names = placement.meshes(module.op), boundary_names(main)
    arguments = [
        _boundary(name, argument_symbol(one.index), one.type, placement.sharding_of(one), meshes)
        for name, one in zip(names.arguments, main.body.arguments, strict=True)
    ]
    results = []
    for index, (name, value) in enumerate(zip(names.results, main.body.terminator.operands, strict=True)):
        sharding = placement.function_result_sharding(main, index) or placement.sharding_of(value)
        results.append(_boundary(name, result_symbol(index), value.type, sharding, meshes))
    return tuple(arguments), tuple(results)


def _tensor_values(module: Operation) -> Iterator[Value]:
    """Every tensor that can have a sharding of its own: results, and arguments of functions and computations."""
    for op in module.walk():
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    if isinstance(argument.type, TensorType) and placement.shardable_value(argument) is argument:
                        yield argument
        for result in op.results:
            if isinstance(result.type, TensorType) and not _is_scalar_body(op):
                yield result


def _is_scalar_body(op: Operation) -> bool:
    """Whether ``op`` is in a reducer or comparator, whose scalars are never sharded."""
    parent = op.parent_op
    if parent is None or not op.parent or not op.parent.arguments:
        return False
    return placement.shardable_value(op.parent.arguments[0]) is None


def _boundary(
    name: str, symbol: str, type: Type, sharding: TensorSharding | None, meshes: Mapping[str, Mesh]
) -> BoundaryRow:
    if not isinstance(type, TensorType):
        return BoundaryRow(name, symbol, str(type), None, (), (), 0, 0)
    local = shape_on_device(type, sharding, meshes)
    return BoundaryRow(
        name,
        symbol,
        str(type),
        sharding.body_text if sharding is not None else None,
        type.shape,
        local,
        size_in_bytes(type),
        size_in_bytes(type.with_shape(local)),
    )
