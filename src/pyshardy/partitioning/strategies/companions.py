"""Where a sum should be whose terms lie on several devices, if nothing but its users says so.

Combined for all devices it moves twice as much as scattered, and what it is added to may be scattered as well: then the
sum goes there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyshardy.emitting.layout import Axes, Layout, Sharded
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning.layouts.reshard import reshard_bytes
from pyshardy.partitioning.strategies.factor_layouts import dealt, joined
from pyshardy.rules.registry import RuleTable

_MOST_RESHAPES = 3


def companion_layout(value: Value, found: Sharded, env: Mapping[Value, Sharded], rules: RuleTable) -> Layout | None:
    """The layout of a tensor that an elementwise operation, perhaps behind reshapes, takes together with ``value``, as
    one of ``value``; None if there is none to which the terms ``found`` go more cheaply than to all devices."""
    most = reshard_bytes(found, found.layout.reduced())
    for layout in _companions(value, env, rules, _MOST_RESHAPES):
        if layout.mesh is found.layout.mesh and reshard_bytes(found, layout) < most:
            return layout
    return None


def _companions(value: Value, env: Mapping[Value, Sharded], rules: RuleTable, reshapes: int) -> Iterator[Layout]:
    for user in value.users:
        if user.name == "stablehlo.reshape" and reshapes:
            for layout in _companions(user.results[0], env, rules, reshapes - 1):
                before = _before_reshape(user, layout, rules)
                if before is not None:
                    yield before
        elif user.traits & ELEMENTWISE:
            for other in user.operands:
                known = env.get(other)
                if other is not value and known is not None and known.recipe is None and other.type is value.type:
                    yield known.layout


def _before_reshape(op: Operation, layout: Layout, rules: RuleTable) -> Layout | None:
    """The layout of the operand of a reshape from which its result comes in ``layout`` by itself."""
    rule = rules.registered_rule(op)
    if rule is None or layout.mesh is None:
        return None
    axes: list[Axes] = [()] * rule.num_factors
    for factors, along in zip(rule.result_mappings[0], layout.dims, strict=True):
        parts, left = dealt(along, [rule.factor_sizes[factor] for factor in factors], layout.mesh)
        if left:
            return None
        for factor, part in zip(factors, parts, strict=True):
            axes[factor] = part
    dims = [joined(factors, tuple(axes), rule.factor_sizes, layout.mesh) for factors in rule.operand_mappings[0]]
    return None if None in dims else Layout(layout.mesh, [one for one in dims if one is not None])
