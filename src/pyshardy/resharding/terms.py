"""Which operations make terms: results that are still to be summed (or compared) over some axes.

A sharding may call any result unreduced. Those that make whole results make them whole, and they become unreduced
behind. Asked by ``explicit_reshards`` where every operation must run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyshardy.dialects.sdy.placement import sharding_of
from pyshardy.ir.opdef import DATA_MOVEMENT, LINEAR
from pyshardy.ir.operation import Operation, Value
from pyshardy.resharding.factor_axes import TensorFactors, mesh_for, on_mesh
from pyshardy.resharding.own_rules import own_rule
from pyshardy.resharding.reduction_kinds import reduction_kind_of
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.axes import AxisRef, difference, overlaps
from pyshardy.sharding.lists import AxisRefList
from pyshardy.sharding.mesh import Mesh


def is_linear(op: Operation) -> bool:
    """Whether ``op`` makes terms of a sum of terms."""
    return bool(op.traits & LINEAR)


def term_axes(op: Operation, mesh: Mesh, kind: str, meshes: Mapping[str, Mesh], rules: RuleTable) -> list[AxisRef]:
    """The axes of ``mesh`` along which devices have terms, combined by ``kind``, of what ``op`` computes from its
    operands as they are sharded."""
    shardings = [sharding_of(operand) for operand in op.operands]
    if is_linear(op):
        terms = {sharding.unreduced if sharding is not None else () for sharding in shardings}
        kinds = {sharding.reduction_op for sharding in shardings if sharding is not None}
        alike = len(terms) == 1 and kinds == {kind} and (kind == "sum" or bool(op.traits & DATA_MOVEMENT))
        return list(terms.pop()) if alike else []
    rule = own_rule(op, rules)
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
    """The axes over which ``value`` is combined already, by the only one who reads it."""
    users = list(value.users)
    if len(users) != 1:
        return ()
    (user,) = users
    introduced = user.properties.get("axes")
    if user.name == "sdy.replicated_to_unreduced" and isinstance(introduced, AxisRefList):
        # What has been introduced there is combined, but is no term of the value.
        return [axis for axis in combined_axes(user.result) if not any(overlaps(axis, one) for one in introduced)]
    found = user.properties.get("reduction_axes")
    return found.axes if user.name == "sdy.all_reduce" and isinstance(found, AxisRefList) else ()
