"""Wraps the program of one device into a manual computation, so that it has the signature of the global program.

``@main`` gets its global signature back, and its body becomes the body of one ``sdy.manual_computation`` over all axes
of the mesh. Dimensions that do not divide are padded before it and sliced after it. A user chooses between this form
and the plain local one.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.emitting.builder import Builder
from pyshardy.emitting.layout import Layout, local_shape
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Block, Operation, Region, Value
from pyshardy.ir.types import FunctionType, TensorType, Type
from pyshardy.sharding.lists import ManualAxes
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue


def make_manual(
    function: Operation,
    inputs: Sequence[Type],
    outputs: Sequence[Type],
    arguments: Sequence[Layout],
    results: Sequence[Layout],
    mesh_name: str,
    mesh: Mesh,
) -> None:
    """Turns ``function``, whose body is local, into one with the global types ``inputs`` and ``outputs``."""
    body = function.body
    returned = body.terminator
    local_results = list(returned.operands)
    rewriting.erase(returned)
    region = Region()
    rewriting.take_region(region, function.regions[0])
    rewriting.append(body, rewriting.create("sdy.return", local_results, location=returned.location))
    block = Block()
    for type, old in zip(inputs, body.arguments, strict=True):
        block.add_argument(type, old.location)
    function.regions[0].add_block(block)
    builder = Builder()
    builder.location = function.location
    with builder.in_function(block):
        padded = [
            _resized(builder, value, _divisible_type(type, layout))
            for value, type, layout in zip(block.arguments, inputs, arguments, strict=True)
        ]
        properties = {
            "in_shardings": _shardings(arguments, mesh_name),
            "out_shardings": _shardings(results, mesh_name),
            "manual_axes": ManualAxes([axis.name for axis in mesh.axes]),
        }
        types = [_divisible_type(type, layout) for type, layout in zip(outputs, results, strict=True)]
        made = builder.create("sdy.manual_computation", padded, types, DictionaryAttr(properties), regions=(region,))
        cut = [_resized(builder, value, type) for value, type in zip(made.results, outputs, strict=True)]
        builder.create("func.return", cut, ())
    rewriting.set_properties(function, function.properties.with_("function_type", FunctionType(inputs, outputs)))


def _divisible_type(type: Type, layout: Layout) -> Type:
    """``type`` with every dimension rounded up to a multiple of its number of shards."""
    if not isinstance(type, TensorType):
        return type
    local = local_shape(type.shape, layout)
    return type.with_shape(size * count for size, count in zip(local, layout.counts, strict=True))


def _resized(builder: Builder, value: Value, type: Type) -> Value:
    return builder.resize(value, type.shape) if isinstance(type, TensorType) else value


def _shardings(layouts: Sequence[Layout], mesh_name: str) -> TensorShardingPerValue:
    return TensorShardingPerValue(
        TensorSharding(mesh_name, map(DimSharding, layout.dims), (), layout.unreduced, layout.reduction)
        for layout in layouts
    )
