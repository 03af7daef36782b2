"""What the chain of Shardy's passes makes of a propagated program, as a plan that can be checked on random inputs."""

from __future__ import annotations

from pyshardy import Module, Plan
from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding, meshes
from pyshardy.emitting.layout import layout_of, local_shape
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import TensorType, Type
from pyshardy.module import run_passes
from pyshardy.partitioning.boundary import Boundary
from pyshardy.partitioning.plan import Correspondence, PlanDetails
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

CHAIN = "sdy-partitioner"


class SeveralDeviceCounts(ValueError):
    """The meshes of a program have different numbers of devices."""


def chain_plan(module: Module, passes: str = CHAIN, entry: str = "main") -> Plan:
    """Runs ``passes`` on a copy of ``module``, a propagated program.

    Raises:
        PyshardyError: a pass refuses the program.
        SeveralDeviceCounts: on how many devices it should run is not defined.
    """
    known = meshes(module.op)
    mesh = _only_mesh(known)
    context = Context(module.context.source, allow_unregistered=module.context.allow_unregistered)
    local = Module(rewriting.clone(module.op), context, module.resources)
    run_passes(local, passes)
    given = _function(module.op, entry)
    type = function_type(given)
    return Plan(
        module=local,
        source=module,
        local=local,
        form="local",
        entry=entry,
        mesh=mesh,
        mesh_name=None,
        arguments=tuple(
            _boundary(one, function_argument_sharding(given, index), known) for index, one in enumerate(type.inputs)
        ),
        results=tuple(
            _boundary(one, function_result_sharding(given, index), known) for index, one in enumerate(type.results)
        ),
        details=lambda: PlanDetails((), Correspondence(module, {}, {})),
        seconds=0.0,
    )


def _function(module: Operation, name: str) -> Operation:
    return next(op for op in module.body if op.name == "func.func" and op.symbol_name == name)


def _only_mesh(known: dict[str, Mesh]) -> Mesh | None:
    found = [mesh for mesh in known.values() if mesh.axes]
    if len({mesh.total_size for mesh in found}) > 1:
        raise SeveralDeviceCounts
    return found[0] if found else None


def _boundary(type: Type, sharding: TensorSharding | None, known: dict[str, Mesh]) -> Boundary:
    shape = type.shape if isinstance(type, TensorType) else ()
    layout = layout_of(sharding, type, known)
    return Boundary(type, layout, local_shape(shape, layout), 0)
