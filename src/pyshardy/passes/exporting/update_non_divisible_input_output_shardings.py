"""The pass ``sdy-update-non-divisible-input-output-shardings``: makes shardings of inputs and outputs divide.

Propagation may shard an input or output by axes that do not divide it; each dimension keeps the longest prefix of its
axes that does. In the export pipeline ``remove_sub_axes_in_input_output_shardings`` runs after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import gcd

from pyshardy.dialects.func import function_type, set_argument_attributes, set_result_attributes
from pyshardy.dialects.main_function import functions
from pyshardy.dialects.sdy.dataflow import SHARDING, DataFlow, data_flow, have_data_flow
from pyshardy.dialects.sdy.placement import (
    Side,
    function_arguments_as_stored,
    function_results_as_stored,
    meshes,
    owner_shardings,
    resolve_mesh,
    set_owner_shardings,
)
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.ir.types import OtherShapedType, TensorType, Type
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue


def evenly_sharded(sharding: TensorSharding, type: Type, mesh: Mesh) -> TensorSharding:
    """``sharding`` with the dimensions that its axes do not divide cut to a prefix that does, without priority; the
    same sharding for a type without a static shape."""
    if not (isinstance(type, TensorType | OtherShapedType) and type.has_static_shape):
        return sharding
    # The sharding of a single device says nothing about dimensions.
    return sharding.replace(dims=[_even_dim(*row, mesh) for row in zip(sharding.dims, type.shape, strict=False)])


def _even_dim(dim: DimSharding, size: int, mesh: Mesh) -> DimSharding:
    if size % dim.sharded_size(mesh) == 0:
        return dim
    axes: list[AxisRef] = []
    for axis in dim.axes:
        axis_size = axis.size(mesh)
        common = gcd(axis_size, size)
        if common == axis_size and common > 1:
            axes.append(axis)
            size //= common
            continue
        if common > 1:
            axes.append(AxisRef(axis.name, axis.pre, common))
        break
    return DimSharding(axes, dim.is_closed)


def transform_boundary(func: Operation, function: Callable[[TensorSharding, Type], TensorSharding]) -> bool:
    """Replaces the sharding of each argument, then of each result of ``func`` by ``function`` of it and of its type;
    whether any became another one."""
    before = func.properties
    signature = function_type(func)
    rows = (
        (signature.inputs, function_arguments_as_stored, set_argument_attributes),
        (signature.results, function_results_as_stored, set_result_attributes),
    )
    for types, read, write in rows:
        changed: dict[int, Attribute | None] = {}
        for index, (old, type) in enumerate(zip(read(func), types, strict=True)):
            new = function(old, type) if old is not None else None
            if new is not old:
                changed[index] = new
        if changed:
            write(func, SHARDING, changed)
    return func.properties is not before


class _Update:
    """One run of the pass."""

    def __init__(self, module: Operation) -> None:
        self.meshes: Mapping[str, Mesh] = meshes(module)
        self._known: dict[tuple[TensorSharding, Type], TensorSharding] = {}

    def even(self, sharding: TensorSharding, type: Type) -> TensorSharding:
        found = self._known.get((sharding, type))
        if found is None:
            mesh = resolve_mesh(sharding, self.meshes)
            found = evenly_sharded(sharding, type, mesh) if mesh is not None else sharding
            self._known[sharding, type] = found
        return found

    def call(self, call: Operation) -> None:
        found = call.attributes.get(SHARDING)
        if isinstance(found, TensorShardingPerValue):
            new = [self.even(one, result.type) for one, result in zip(found, call.results, strict=True)]
            rewriting.set_attributes(call, call.attributes.with_(SHARDING, TensorShardingPerValue(new)))

    def data_flow(self, op: Operation, flow: DataFlow) -> None:
        sides: tuple[tuple[Side, Sequence[Value]], ...] = (
            ("block_arg", flow.block_argument_owners(op)),
            ("result", flow.result_owners(op)),
        )
        for side, owners in sides:
            shardings = owner_shardings(op, side)
            new = [self.even(one, owner.type) for one, owner in zip(shardings, owners, strict=False)]
            set_owner_shardings(op, side, new)


def update_non_divisible_shardings(module: Operation, context: Context) -> bool:
    """Cuts the shardings of arguments and results of functions, of results of calls, and of the data-flow operations
    whose owners must stay divisible (manual computations), to what divides their dimensions.

    Returns:
        Whether there were any to cut.
    """
    update = _Update(module)
    changed = False
    for func in functions(module):
        changed = transform_boundary(func, update.even) or changed
    found = operation_index(module, context)
    for op in found.named("func.call", *(name for name in found.counts if have_data_flow([name]))):
        before = op.properties, op.attributes
        flow = data_flow(op)
        if op.name == "func.call":
            update.call(op)
        elif flow is not None and flow.owners_stay_divisible:
            update.data_flow(op, flow)
        changed = changed or before != (op.properties, op.attributes)
    return changed


@register_pass("sdy-update-non-divisible-input-output-shardings", on="builtin.module")
class UpdateNonDivisibleInputOutputShardings(Pass):
    """Cuts the shardings of inputs and outputs to the axes that divide their dimensions."""

    def apply(self, op: Operation, context: Context) -> bool:
        return update_non_divisible_shardings(op, context)
