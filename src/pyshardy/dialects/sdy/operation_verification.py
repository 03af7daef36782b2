"""Checks of operations other than collectives: types, bodies of computations, edges, manual axes.

Some check one operation, others run once the whole module is known; ``operations`` names them in its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.placement import common_mesh_ref
from pyshardy.dialects.sdy.sharding_verification import already_bound, check_sharding, check_shardings, mesh_of
from pyshardy.ir.attribute import quoted
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.types import DYNAMIC, OtherShapedType, ShapedType, TensorType, Type
from pyshardy.ir.verifying.verification import Verification
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

Verifier = Callable[[Verification, Operation], None]

# --- types ------------------------------------------------------------------------------------------------------------


def _is_ranked(type: Type) -> bool:
    return isinstance(type, TensorType)


def _is_shaped(type: Type) -> bool:
    return isinstance(type, ShapedType)


def _is_static(type: Type) -> bool:
    return isinstance(type, TensorType) and type.has_static_shape


def _type_verifier(what: str, accepts: Callable[[Type], bool], name: str, values: str) -> Verifier:
    def verify(verification: Verification, op: Operation) -> None:
        for index, value in enumerate(getattr(op, values)):
            if not accepts(value.type):
                verification.error(
                    op, f"{what} #{index} must be {name} of any non-token type values, but got '{value.type}'"
                )

    return verify


ranked_operand = _type_verifier("operand", _is_ranked, "ranked tensor", "operands")
shaped_operand = _type_verifier("operand", _is_shaped, "shaped", "operands")
static_result = _type_verifier("result", _is_static, "statically shaped tensor", "results")


def inferred_result(verification: Verification, op: Operation) -> None:
    """``sdy.constant``: the result has the type of the value."""
    _check_inferred(verification, op, [getattr(op.properties.get("value"), "type", None)])


def inferred_results(verification: Verification, op: Operation) -> None:
    """``sdy.named_computation``: the results have the types of the body's terminator."""
    _check_inferred(verification, op, [value.type for value in op.body.terminator.operands])


def _check_inferred(verification: Verification, op: Operation, inferred: Sequence[Type | None]) -> None:
    found = [result.type for result in op.results]
    if len(inferred) != len(found) or any(a is not b for a, b in zip(inferred, found, strict=True)):
        expected, actual = (", ".join(f"'{type}'" for type in types) for types in (inferred, found))
        verification.error(
            op,
            f"inferred type(s) {expected} are incompatible with return type(s) of operation {actual}",
            "failed to infer returned types",
        )


# --- structure --------------------------------------------------------------------------------------------------------


def in_module(verification: Verification, op: Operation) -> None:
    """``sdy.mesh`` stands directly in a module."""
    parent = op.parent_op
    if parent is None or parent.name != "builtin.module":
        verification.error(op, "expects parent op 'builtin.module'")


def body_ends_with_return(verification: Verification, op: Operation) -> None:
    """The body of a computation is one block that ends with ``sdy.return``."""
    blocks = op.regions[0].blocks
    if len(blocks) != 1:
        verification.error(op, "region #0 ('body') failed to verify constraint: region with 1 blocks")
    last = blocks[0].last
    if last is None:
        verification.error(op, "expects a non-empty block")
    if last.name != "sdy.return":
        note = verification.note(op, "in custom textual format, the absence of terminator implies 'sdy.return'")
        verification.error(op, f"expects regions to end with 'sdy.return', found '{last.name}'", notes=[note])


def not_both_directions(verification: Verification, op: Operation) -> None:
    """``sdy.propagation_barrier`` blocks something."""
    direction = op.properties.get("allowed_direction")
    if isinstance(direction, IntegerAttr) and direction.value == 3:
        what = "cannot specify `BOTH` as the direction."
        verification.error(op, f"{what} Not blocking propagation direction makes the op redundant.")


# --- shardings of single operations -----------------------------------------------------------------------------------


def own_sharding(verification: Verification, op: Operation) -> None:
    """``sdy.sharding_constraint`` and ``sdy.reshard``: the sharding suits the result."""
    sharding = op.properties.get("sharding")
    assert isinstance(sharding, TensorSharding)
    check_sharding(verification, op, sharding, op.results[0].type)


def data_flow_edge(verification: Verification, op: Operation) -> None:
    """``sdy.data_flow_edge`` is the only user of a value of a program's own operation."""
    type = op.results[0].type
    if not (isinstance(type, ShapedType) and type.has_static_shape):
        verification.error(op, f"expected sdy.data_flow_edge to have a static-shaped result. type: '{type}'")
    value = op.operands[0]
    if not value.has_one_use:
        verification.error(op, "expected input of sdy.data_flow_edge to have a single user")
    definition = value.defining_op
    if definition is not None and definition.name.startswith("sdy.") and not definition.regions:
        what = "expected input of sdy.data_flow_edge to not be defined by an SdyDialect op"
        note = verification.note(definition, "sdy op defining the input of the sdy.data_flow_edge")
        verification.error(op, f"{what} (other than an sdy.named_computation).", notes=[note])
    sharding = op.properties.get("sharding")
    if isinstance(sharding, TensorSharding):
        check_sharding(verification, op, sharding, type)


def func_data_flow_edge(verification: Verification, op: Operation) -> None:
    """``sdy.func_data_flow_edge`` is the only user of a function's argument or of a call's result."""
    type = op.results[0].type
    if not (isinstance(type, ShapedType) and type.has_static_shape):
        verification.error(op, f"expected sdy.func_data_flow_edge to have a static-shaped result. type: '{type}'")
    value = op.operands[0]
    if not value.has_one_use:
        verification.error(op, "expected operand of sdy.func_data_flow_edge to have a single user")
    if isinstance(value, BlockArgument):
        owner = value.owner.parent_op
        if owner is None or owner.name != "func.func":
            verification.error(op, "expected operand of sdy.func_data_flow_edge to be a block argument of a func op.")
        return
    definition = value.defining_op
    if definition is None or definition.name != "func.call":
        verification.error(op, "expected operand of sdy.func_data_flow_edge to be a result of call op.")


# --- computations -----------------------------------------------------------------------------------------------------


def named_computation(verification: Verification, op: Operation) -> None:
    """The block arguments are the operands, the shardings suit operands and results."""
    arguments = op.body.arguments
    if len(arguments) != len(op.operands):
        what = "number of block arguments must match the number of operands"
        verification.error(op, f"{what}: {len(arguments)} != {len(op.operands)}", prefix=False)
    for index, (argument, operand) in enumerate(zip(arguments, op.operands, strict=True)):
        if argument.type is not operand.type:
            what = f"expected the type of the {index}'th block argument to match the type of the corresponding operand"
            verification.error(op, f"{what}: '{argument.type}' vs '{operand.type}'", prefix=False)
    for name, values in (("in_shardings", op.operands), ("out_shardings", op.results)):
        shardings = op.properties.get(name)
        if isinstance(shardings, TensorShardingPerValue):
            check_shardings(verification, op, shardings.shardings, [one.type for one in values], f"{name} ")


def axes_not_manual_outside(verification: Verification, op: Operation) -> None:
    """No axis of a ``sdy.manual_computation`` is manual in one around it."""
    above = [one for one in op.ancestors() if one.name == "sdy.manual_computation"]
    for name in manual_axes(op) if above else ():
        for one in above:
            if name in manual_axes(one):
                already_bound(verification, op, name, one)


class _Side(NamedTuple):
    """Operands or results of a manual computation, from outside and from inside."""

    name: str
    outside: Sequence[Value]
    inside: Sequence[Value]
    shardings: Sequence[TensorSharding]


def manual_computation(verification: Verification, op: Operation) -> None:
    """Inside, every value is the part that its sharding on the manual axes leaves to one device."""
    operands = _Side("operand", op.operands, op.body.arguments, _shardings(op, "in_shardings"))
    results = _Side("result", op.results, op.body.terminator.operands, _shardings(op, "out_shardings"))
    for side in (operands, results):
        _check_side(verification, op, side)
    shardings = [*operands.shardings, *results.shardings]
    if shardings:
        _check_manual_mesh(verification, op, shardings)


def _shardings(op: Operation, name: str) -> tuple[TensorSharding, ...]:
    found = op.properties.get(name)
    assert isinstance(found, TensorShardingPerValue)
    return found.shardings


def _check_side(verification: Verification, op: Operation, side: _Side) -> None:
    if not (side.outside or side.inside or side.shardings):
        return
    check_shardings(verification, op, side.shardings, [value.type for value in side.outside], f"{side.name} ")
    if len(side.outside) != len(side.inside):
        verification.error(
            op,
            f"number of op {side.name}s and region {side.name}s must match. Op has {len(side.outside)} op "
            f"{side.name}s and {len(side.inside)} region {side.name}s",
        )
    names = manual_axes(op)
    for index, (outer, inner, sharding) in enumerate(zip(side.outside, side.inside, side.shardings, strict=False)):
        mesh = mesh_of(verification, op, sharding)
        key = ("manual", side.name, index, outer.type, inner.type, sharding, mesh, names)
        if key not in verification.memo:
            assert mesh is not None
            verification.memo[key] = _value_problem(side.name, index, outer.type, inner.type, sharding, mesh, names)
        problem = verification.memo[key]
        if problem is not None:
            verification.error(op, str(problem))


def _value_problem(
    what: str, index: int, outer: Type, inner: Type, sharding: TensorSharding, mesh: Mesh, names: Sequence[str]
) -> str | None:
    problem = _order_problem(what, index, sharding, names)
    if problem is None and isinstance(outer, TensorType | OtherShapedType):
        problem = _shape_problem(what, index, outer, inner, sharding, mesh, names)
    return problem


def _order_problem(what: str, index: int, sharding: TensorSharding, names: Sequence[str]) -> str | None:
    for number, dim in enumerate(sharding.dims):
        free = None
        for axis in dim.axes:
            if axis.name not in names:
                free = axis
            elif free is not None:
                return (
                    f"{what} sharding at index {index} must have all manual axes come before free axes in its "
                    f"dimension sharding at index {number}. "
                    f"Saw manual axis {quoted(axis.name)} after free axis {quoted(free.name)}"
                )
    return None


def _shape_problem(
    what: str,
    index: int,
    outer: TensorType | OtherShapedType,
    inner: Type,
    sharding: TensorSharding,
    mesh: Mesh,
    names: Sequence[str],
) -> str | None:
    local = []
    for size, dim in zip(outer.shape, sharding.dims, strict=False):
        manual_size = prod(axis.size(mesh) for axis in dim.axes if axis.name in names)
        if size != DYNAMIC and size % manual_size:
            return f"{what} dimension size {size} is not divisible by the manual axes size {manual_size}"
        local.append(size if size == DYNAMIC else size // manual_size)
    expected = TensorType(local, outer.element)
    if expected is inner:
        return None
    return (
        f"{what} shape, corresponding sharding, and region {what} shape at index {index} must match. "
        f"Expected local shape '{expected}', actual local shape '{inner}'"
    )


def _check_manual_mesh(verification: Verification, op: Operation, shardings: Sequence[TensorSharding]) -> None:
    names = manual_axes(op)
    meshes = {one.mesh_or_ref: mesh_of(verification, op, one) for one in shardings}
    known = {name: mesh for name, mesh in meshes.items() if isinstance(name, str) and mesh is not None}
    reference = common_mesh_ref(shardings, known)
    if not names:
        return
    if reference is None:
        verification.error(op, "all in and out shardings must be bound to the same mesh or an empty mesh.")
    mesh = known[reference] if isinstance(reference, str) else reference
    for name in names:
        if name not in mesh.sizes:
            verification.error(op, f"unknown manual axis: {quoted(name)}")
