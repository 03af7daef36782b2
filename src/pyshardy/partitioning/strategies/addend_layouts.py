"""Where to reduce partial sums that no sharding requests anywhere: in the layout of the tensor that they are added to.

An all-reduce moves twice as much as a reduce-scatter. If an elementwise operation combines the sum with a tensor that
is sharded, the sum is reduce-scattered to the layout of that tensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyshardy.emitting.layout import Axes, Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning.layouts.reshard import reshard_bytes
from pyshardy.partitioning.strategies.factor_layouts import distribute_axes, merge_axes
from pyshardy.rules.registry import RuleTable

_MOST_RESHAPES = 3
"""How many reshapes are followed from the sum to the elementwise operation."""


def companion_layout(value: Value, found: Sharded, env: Mapping[Value, Sharded], rules: RuleTable) -> Layout | None:
    """The layout of a tensor that an elementwise operation combines with ``value``, possibly after reshapes, as a
    layout of ``value``. None if there is none to which the partial sums ``found`` are reduced with fewer bytes than to
    all devices."""
    most = reshard_bytes(found, found.layout.reduced())
    for layout in _companions(value, env, rules, _MOST_RESHAPES):
        if layout.mesh is found.layout.mesh and reshard_bytes(found, layout) < most:
            return layout
    return None


def _companions(value: Value, env: Mapping[Value, Sharded], rules: RuleTable, reshapes: int) -> Iterator[Layout]:
    """Layouts of ``value`` in which a tensor is that an elementwise operation combines with it, possibly after
    ``reshapes``."""
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
    """The layout of the operand of a reshape with which its result comes out in ``layout`` without communication."""
    rule = rules.registered_rule(op)
    if rule is None or layout.mesh is None:
        return None
    axes: list[Axes] = [()] * rule.num_factors
    for factors, along in zip(rule.result_mappings[0], layout.dims, strict=True):
        parts, left = distribute_axes(along, [rule.factor_sizes[factor] for factor in factors], layout.mesh)
        if left:
            return None
        for factor, part in zip(factors, parts, strict=True):
            axes[factor] = part
    dims = [merge_axes(factors, tuple(axes), rule.factor_sizes, layout.mesh) for factors in rule.operand_mappings[0]]
    return None if None in dims else Layout(layout.mesh, [one for one in dims if one is not None])
