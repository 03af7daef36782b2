"""Removes all shardings of a program, for a strategy with ``clear = true``."""

from __future__ import annotations

from pyshardy.dialects.func import set_argument_attributes, set_result_attributes
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING, manual_axes
from pyshardy.dialects.sdy.every_sharding import visit_shardings
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation
from pyshardy.module import Module
from pyshardy.reading.tensors import main_of
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, fully_open

_CONSTRAINT, _RESHARD = "sdy.sharding_constraint", "sdy.reshard"
_KEPT = frozenset({"sdy.manual_computation", "func.func", "sdy.mesh"})


def clear_shardings(module: Module) -> bool:
    """Removes all shardings of ``module``, in every function, except those of manual computations and of collectives.

    Constraints become open, reshards are removed, and so are meshes without a use, except the first.

    Returns:
        Whether there were any, besides those of arguments and results of the main function.
    """
    found = False
    main = main_of(module)
    for op in list(module.op.walk()):
        if op.name == "func.func":
            found |= _clear_function(op) and op is not main
        elif op.name == _CONSTRAINT:
            _set_open(op)
            found = True
        elif op.name == _RESHARD:
            rewriting.replace_op(op, op.operands)
            found = True
        elif op.name not in _KEPT:
            found |= _clear_operation(op)
    _clear_meshes(module)
    return found


def _clear_function(func: Operation) -> bool:
    arguments, results = (
        [index for index, sharding in enumerate(shardings) if sharding is not None]
        for shardings in (placement.function_arguments_as_stored(func), placement.function_results_as_stored(func))
    )
    set_argument_attributes(func, SHARDING, dict.fromkeys(arguments))
    set_result_attributes(func, SHARDING, dict.fromkeys(results))
    return bool(arguments or results)


def _set_open(op: Operation, mesh: str | None = None) -> None:
    found = op.properties.get("sharding")
    if isinstance(found, TensorSharding):
        new = fully_open(found.rank, found.mesh_or_ref if mesh is None else mesh)
        rewriting.set_properties(op, op.properties.with_("sharding", new))


def _clear_operation(op: Operation) -> bool:
    found = op.attributes.get(SHARDING) is not None
    if found:
        rewriting.set_attributes(op, op.attributes.without(SHARDING))
    for name in ("in_shardings", "out_shardings"):
        if isinstance(op.properties.get(name), TensorShardingPerValue):
            rewriting.set_properties(op, op.properties.without(name))
            found = True
    return found


def _clear_meshes(module: Module) -> None:
    """Keeps the first mesh with axes, and those that are still used; constraints are moved to a mesh that is kept."""
    meshes = {name: mesh for name, mesh in placement.meshes(module.op).items() if mesh.axes}
    if len(meshes) < 2:
        return
    named: set[str] = set()

    def look(sharding: TensorSharding, slot: placement.ShardingSlot) -> None:
        if sharding.has_axes and isinstance(sharding.mesh_or_ref, str):
            named.add(sharding.mesh_or_ref)

    visit_shardings(module.op, look)
    for op in module.op.walk():
        if manual_axes(op):
            _name_meshes(op, named)
    kept = [name for name in meshes if name in named] or [next(iter(meshes))]
    for op in list(module.op.walk()):
        if op.name == _CONSTRAINT:
            found = op.properties.get("sharding")
            if isinstance(found, TensorSharding) and found.mesh_or_ref not in kept:
                _set_open(op, kept[0])
        elif op.name == "sdy.mesh" and op.symbol_name in meshes and op.symbol_name not in kept:
            rewriting.erase(op)


def _name_meshes(op: Operation, named: set[str]) -> None:
    for name in ("in_shardings", "out_shardings"):
        found = op.properties.get(name)
        if isinstance(found, TensorShardingPerValue):
            named.update(one.mesh_or_ref for one in found if isinstance(one.mesh_or_ref, str))
