"""Checks of the discardable ``sdy.…`` attributes on operations and on arguments and results of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import common_mesh_ref, sharding_of
from pyshardy.dialects.sdy.sharding_verification import check_sharding, check_shardings
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.verifying.verification import Verification
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.propagation_edges import AxisToPropagationDetails, EdgeValueRef, PropagationEdges
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule, check_rule
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

PROPAGATION_EDGES = "sdy.propagation_edges"
RESULT_PROPAGATION_EDGES = "sdy.result_propagation_edges"
BLOCK_ARGUMENT_PROPAGATION_EDGES = "sdy.block_arg_propagation_edges"


def verify_attribute(verification: Verification, op: Operation, name: str, value: Attribute) -> None:
    """Checks the attribute ``name`` of ``op``; names that mean nothing to this dialect pass."""
    check = _CHECKS.get(name)
    if check is not None:
        check(verification, op, value)


def verify_argument_attribute(
    verification: Verification, op: Operation, what: str, index: int, name: str, value: Attribute
) -> None:
    """Checks the attribute ``name`` of argument or result ``index`` (``what`` is ``arg`` or ``result``) of a
    function."""
    if name != SHARDING:
        return
    prefix = f"{what} {index} - "
    if not isinstance(value, TensorSharding):
        verification.error(op, f"{prefix}should have a sharding attribute of type TensorShardingAttr")
    signature = function_type(op)
    types = signature.inputs if what == "arg" else signature.results
    check_sharding(verification, op, value, types[index], prefix)


def _check_shardings(verification: Verification, op: Operation, value: Attribute) -> None:
    if not isinstance(value, TensorShardingPerValue):
        verification.error(op, "should have a sharding attribute of type TensorShardingPerValueAttr")
    check_shardings(verification, op, value.shardings, [result.type for result in op.results], "result ")


def _check_rule(verification: Verification, op: Operation, value: Attribute) -> None:
    if not isinstance(value, OpShardingRule):
        what = "should have a sharding rule attribute of type OpShardingRuleAttr"
        verification.error(op, f"{what} for attr named '{SHARDING_RULE}'")
    operands = tuple(operand.type for operand in op.operands)
    results = tuple(result.type for result in op.results)
    key = (value, operands, results)
    if key not in verification.memo:
        verification.memo[key] = check_rule(value, operands, results)
    problem = verification.memo[key]
    if problem is not None:
        verification.error(op, str(problem))


def _check_list_of_edges(verification: Verification, op: Operation, value: Attribute) -> None:
    if not (isinstance(value, ArrayAttr) and all(isinstance(one, PropagationEdges) for one in value)):
        what = "should have a propagation edges attribute of type ArrayAttr<PropagationEdgesAttr>"
        names = f"'{RESULT_PROPAGATION_EDGES}' or '{BLOCK_ARGUMENT_PROPAGATION_EDGES}'"
        verification.error(op, f"{what} for attr named {names}")


def _check_edges(verification: Verification, op: Operation, value: Attribute) -> None:
    if not isinstance(value, PropagationEdges):
        what = "should have a propagation edges attribute of type PropagationEdgesAttr"
        verification.error(op, f"{what} for attr named '{PROPAGATION_EDGES}'")
    entries = [entry for step in value for entry in step.entries]
    shardings = [sharding for sharding in _edge_shardings(op, entries) if sharding is not None]
    if not shardings:
        verification.error(op, "expected propagation edges attr to reference a sharding.")
    meshes = _meshes(verification, op)
    reference = common_mesh_ref(shardings, meshes)
    if reference is None:
        verification.error(op, "expected a common mesh for propagation edges attr.")
    mesh = meshes[reference] if isinstance(reference, str) else reference
    for entry in entries:
        if entry.axis.name not in mesh.sizes:
            verification.error(op, "expected axis ref to be in one of the meshes")
        for value_ref in (entry.source, *entry.targets):
            _check_in_range(verification, op, value_ref)


def _edge_shardings(op: Operation, entries: Iterable[AxisToPropagationDetails]) -> Iterable[TensorSharding | None]:
    for entry in entries:
        for value_ref in (entry.source, *entry.targets):
            values = _values(op, value_ref)
            if 0 <= value_ref.index < len(values):
                yield sharding_of(values[value_ref.index])


def _values(op: Operation, value_ref: EdgeValueRef) -> list[Value]:
    return op.operands if value_ref.kind == "operand" else list(op.results)


def _check_in_range(verification: Verification, op: Operation, value_ref: EdgeValueRef) -> None:
    count = len(_values(op, value_ref))
    if not 0 <= value_ref.index < count:
        what = "an operand" if value_ref.kind == "operand" else "a result"
        verification.error(
            op, f"expected a value ref to have {what} index in range [0, {count}), got: {value_ref.index}"
        )


def _meshes(verification: Verification, op: Operation) -> dict[str, Mesh]:
    found = {}
    for name, definition in verification.symbols(op).items():
        mesh = definition.properties.get("mesh")
        if isinstance(mesh, Mesh):
            found[name] = mesh
    return found


_CHECKS: dict[str, Callable[[Verification, Operation, Attribute], None]] = {
    SHARDING: _check_shardings,
    SHARDING_RULE: _check_rule,
    PROPAGATION_EDGES: _check_edges,
    RESULT_PROPAGATION_EDGES: _check_list_of_edges,
    BLOCK_ARGUMENT_PROPAGATION_EDGES: _check_list_of_edges,
}
