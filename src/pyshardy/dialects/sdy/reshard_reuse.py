"""Replaces a reshard by an earlier one of the same value, also through reshapes and transposes.

The pattern has no label, so only a plain ``canonicalize`` applies it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.dialects.sdy.placement import meshes, resolve_mesh
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DenseArrayAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.rewriter import Rewriter
from pyshardy.ir.types import TensorType, Type
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding

_RESHAPE = "stablehlo.reshape"
_TRANSPOSE = "stablehlo.transpose"
_TOLERANCE = 1e-6


def reuse_reshard(op: Operation, rewriter: Rewriter) -> bool:
    """Replaces a reshard by an earlier one in its block that lays out the same elements alike.

    Both start at one value, its root, and may come behind reshapes and transposes of it; what stands between the root
    and this reshard is repeated behind the earlier one.
    """
    chain = _chain(op.operands[0])
    root = chain[0].operands[0] if chain else op.operands[0]
    *_, module = op.ancestors()
    earlier = _earlier_reshard(op, root, _sharding_at_root(op, chain), meshes(module))
    if earlier is None:
        return False
    value: Value = earlier.result
    if value.type is not root.type:
        value = _behind(value, rewriting.create(_RESHAPE, [value], [root.type], location=op.location), rewriter)
    for link in chain:
        value = _behind(value, rewriting.clone(link, {link.operands[0]: value}), rewriter)
    rewriter.replace(op, [value])
    return True


def _behind(value: Value, new: Operation, rewriter: Rewriter) -> Value:
    definition = value.defining_op
    assert definition is not None
    rewriter.insert_after(definition, new)
    return new.result


def _chain(value: Value) -> list[Operation]:
    """The reshapes and transposes that make ``value``, the first of them first."""
    chain: list[Operation] = []
    definition = value.defining_op
    while definition is not None and definition.name in (_RESHAPE, _TRANSPOSE):
        chain.append(definition)
        definition = definition.operands[0].defining_op
    chain.reverse()
    return chain


def _sharding_at_root(op: Operation, chain: list[Operation]) -> TensorSharding:
    """The sharding of the reshard ``op`` as it would be before the transposes; a reshape that changes the rank ends the
    search for it."""
    sharding = _sharding(op)
    for link in reversed(chain):
        if link.name == _TRANSPOSE:
            permutation = link.properties.get("permutation")
            assert isinstance(permutation, DenseArrayAttr)
            dims: dict[int, DimSharding] = dict(zip(map(int, permutation.values), sharding.dims, strict=True))
            sharding = sharding.replace(dims=[dims[index] for index in range(len(dims))])
        elif _rank(link.result.type) != _rank(link.operands[0].type):
            break
    return sharding


def _sharding(reshard: Operation) -> TensorSharding:
    found = reshard.properties.get("sharding")
    assert isinstance(found, TensorSharding)
    return found


def _rank(type: Type) -> int | None:
    return len(type.shape) if isinstance(type, TensorType) else None


def _earlier_reshard(
    op: Operation, root: Value, sharding: TensorSharding, known: Mapping[str, Mesh]
) -> Operation | None:
    pending = [root]
    while pending:
        for user in pending.pop().users:
            if user.name == _RESHAPE:
                pending.append(user.result)
            elif (
                user.name == op.name
                and user is not op
                and user.parent is op.parent
                and user.is_before(op)
                and _lay_out_alike(_sharding(user), user.result.type, sharding, op.result.type, known)
            ):
                return user
    return None


def _lay_out_alike(a: TensorSharding, a_type: Type, b: TensorSharding, b_type: Type, known: Mapping[str, Mesh]) -> bool:
    """Whether two tensors with the same elements in row-major order, sharded so, put the same elements on each device.
    Unreduced axes, priorities and openness do not count."""
    if a is b and a_type is b_type:
        return True
    mesh = resolve_mesh(a, known)
    if a.mesh_or_ref != b.mesh_or_ref or a.replicated != b.replicated or mesh is None:
        return False
    if not all(isinstance(one, TensorType) and one.encoding is None for one in (a_type, b_type)):
        return False
    assert isinstance(a_type, TensorType) and isinstance(b_type, TensorType)
    first, second = _strides(a, a_type.shape, mesh), _strides(b, b_type.shape, mesh)
    return len(first) == len(second) and all(
        one[0] is other[0] and abs(one[1] - other[1]) < _TOLERANCE for one, other in zip(first, second, strict=True)
    )


def _strides(sharding: TensorSharding, shape: tuple[int, ...], mesh: Mesh) -> list[tuple[AxisRef, float]]:
    """For each axis how many elements apart two neighbouring shards along it begin, smallest first."""
    found: list[tuple[AxisRef, float]] = []
    inner = 1.0
    for size, dim in zip(reversed(shape), reversed(sharding.dims), strict=True):
        stride = inner * -(-size // dim.sharded_size(mesh))
        for axis in reversed(dim.axes):
            found.append((axis, stride))
            stride *= axis.size(mesh)
        inner *= size
    return sorted(found, key=lambda one: one[1])
