"""Which operations compute partial sums (or partial maxima and minima), and over which axes.

A sharding may declare any result unreduced. Operations that do not compute partial sums compute the whole result, which
becomes unreduced after them. ``explicit_reshards`` asks here if every operation must run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyshardy.dialects.sdy.placement import sharding_of
from pyshardy.ir.opdef import DATA_MOVEMENT, LINEAR
from pyshardy.ir.operation import Operation, Value
from pyshardy.resharding.factor_axes import TensorFactors, mesh_for, on_mesh
from pyshardy.resharding.partitioning_rules import partitioning_rule
from pyshardy.resharding.reduction_kinds import reduction_kind_of
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.axes import AxisRef, difference, overlaps
from pyshardy.sharding.lists import AxisRefList
from pyshardy.sharding.mesh import Mesh


def is_linear(op: Operation) -> bool:
    """Whether ``op`` turns partial sums into partial sums."""
    return bool(op.traits & LINEAR)


def partial_sum_axes(
    op: Operation, mesh: Mesh, kind: str, meshes: Mapping[str, Mesh], rules: RuleTable
) -> list[AxisRef]:
    """The axes of ``mesh`` over which the results of ``op`` are partial, to be combined by ``kind``, given the
    shardings of its operands."""
    shardings = [sharding_of(operand) for operand in op.operands]
    if is_linear(op):
        unreduced = {sharding.unreduced if sharding is not None else () for sharding in shardings}
        kinds = {sharding.reduction_op for sharding in shardings if sharding is not None}
        alike = len(unreduced) == 1 and kinds == {kind} and (kind == "sum" or bool(op.traits & DATA_MOVEMENT))
        return list(unreduced.pop()) if alike else []
    rule = partitioning_rule(op, rules)
    if rule is None or not rule.reduction_factors or reduction_kind_of(op) != kind:
        return []
    shardings += [sharding_of(result) for result in op.results]
    axes: list[AxisRef] = []
    if mesh_for(shardings, meshes) is not None:
        factors = TensorFactors(op, rule, [on_mesh(mesh, one, meshes) for one in shardings], mesh, mesh)
        for tensor in factors.operands:
            for factor in rule.reduction_factors:
                if factor in tensor.factors:
                    axes += difference(tensor.factors[factor].axes, axes, mesh)
    return axes


def combined_axes(value: Value) -> Sequence[AxisRef]:
    """The axes over which the only user of ``value`` reduces it."""
    users = list(value.users)
    if len(users) != 1:
        return ()
    (user,) = users
    introduced = user.properties.get("axes")
    if user.name == "sdy.replicated_to_unreduced" and isinstance(introduced, AxisRefList):
        # The reduction also covers the axes that were introduced after ``value``.
        return [axis for axis in combined_axes(user.result) if not any(overlaps(axis, one) for one in introduced)]
    found = user.properties.get("reduction_axes")
    return found.axes if user.name == "sdy.all_reduce" and isinstance(found, AxisRefList) else ()
