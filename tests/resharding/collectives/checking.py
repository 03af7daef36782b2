"""Runs plans, and programs of collectives, on simulated devices: do they lead where they should?"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.dialects.sdy.placement import meshes, resolve_mesh, sharding_of
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import TensorType
from pyshardy.resharding.axis_alignment import Layout
from pyshardy.resharding.collective_steps import CollectiveStep
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, fully_closed
from tests.resharding.collectives.simulation import Collective, applied, is_laid_out, laid_out, shape_for


def steps_lead_to_target(
    steps: tuple[CollectiveStep, ...], mesh: Mesh, source: Layout, target: Layout, target_mesh: Mesh | None = None
) -> bool:
    """Whether ``steps`` move every number of a tensor to where ``target`` wants it."""
    layouts = [source, target, *(step.layout for step in steps)]
    # Layouts do not depend on sizes once there is a plan: a tensor that divides evenly shows all there is to see.
    shape = shape_for(layouts, mesh, [1] * len(source))
    state = laid_out(mesh, source, (), shape)
    end = target_mesh or mesh
    for step in steps:
        here = end if step.on_target_mesh else mesh
        axes = step.axes[1] if step.axes is not None else None
        state = applied(state, Collective(step.name, axes, here, step.layout))
    return is_laid_out(state, end, target, (), shape)


# --- programs ---------------------------------------------------------------------------------------------------------


def final_sharding(func: Operation) -> TensorSharding | None:
    """The sharding of the first value that ``func`` returns."""
    terminator = func.body.last
    assert terminator is not None
    return sharding_of(terminator.operands[0])


def function_is_right(func: Operation, target: TensorSharding) -> bool:
    """Whether the collectives between the one argument of ``func`` and what it returns lay the argument out as
    ``target``, starting from its own sharding."""
    *_, module = func.ancestors()
    known = meshes(module)
    terminator = func.body.last
    assert terminator is not None
    chain: list[Operation] = []
    value = terminator.operands[0]
    while (op := value.defining_op) is not None:
        chain.insert(0, op)
        value = op.operands[0]
    assert isinstance(value.type, TensorType)
    shardings = [sharding_of(value) or fully_closed(target.rank, target.mesh_or_ref), target]
    shardings += [found for op in chain if (found := sharding_of(op.result)) is not None]
    mesh = _mesh(shardings[0], known)
    shape = shape_for([_layout(one) for one in shardings], mesh, [1] * target.rank)
    state = laid_out(mesh, _layout(shardings[0]), shardings[0].unreduced, shape)
    for op in chain:
        state = applied(state, _collective(op, known))
    # A replicated value need not move: it stays on the mesh where it is.
    end = state.mesh if target.is_fully_replicated else _mesh(target, known)
    return is_laid_out(state, end, _layout(target), target.unreduced, shape)


def _collective(op: Operation, known: Mapping[str, Mesh]) -> Collective:
    sharding = sharding_of(op.result)
    assert sharding is not None
    axes = [value for name, value in op.properties if name not in ("out_sharding", "reduction_op")]
    return Collective(op.name, axes[0] if axes else None, _mesh(sharding, known), _layout(sharding), sharding.unreduced)


def _mesh(sharding: TensorSharding, known: Mapping[str, Mesh]) -> Mesh:
    mesh = resolve_mesh(sharding, known)
    assert mesh is not None
    return mesh


def _layout(sharding: TensorSharding) -> Layout:
    return tuple(dim.axes for dim in sharding.dims)
