"""Finds the axes that a propagation step moved, and their source tensors, from the factor shardings before and after
it.

Only the debug options use this; ``trace`` records the movements. Source: Shardy's documentation, propagation edges.
"""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.propagation.factor_strategies import Projection, is_strict_prefix
from pyshardy.propagation.projection import FactorSharding, TensorProjection
from pyshardy.sharding.axes import AxisRef, can_merge, merge
from pyshardy.sharding.rule import OpShardingRule, TensorMapping


class Movement(NamedTuple):
    """``axis`` came to tensor number ``target`` from tensor number ``source`` (operands first, then results)."""

    axis: AxisRef
    source: int
    target: int


def movements(rule: OpShardingRule, before: Projection, after: Projection) -> list[Movement]:
    """The axes that each tensor of an operation gained in one step, tensor by tensor.

    An axis that no tensor had whole before the step has no source and is left out.
    """
    mappings = rule.operand_mappings + rule.result_mappings
    sources = before.tensors
    found: list[Movement] = []
    for target, mapping in enumerate(mappings):
        gained = _gained(mapping, sources, sources[target], after.tensors[target], after)
        found += [Movement(axis, source, target) for axis, source in gained.items()]
    return found


def _gained(
    mapping: TensorMapping,
    sources: list[TensorProjection],
    old: TensorProjection,
    new: TensorProjection,
    all: Projection,
) -> dict[AxisRef, int]:
    """New axis → the tensor it came from. Sub-axes that continue from one factor of a dimension to the next are
    merged."""
    gained: dict[AxisRef, int] = {}
    for factors in mapping:
        previous: AxisRef | None = None
        for factor in factors:
            if factor not in new.factors or new.factors[factor].axes == old.factors[factor].axes:
                continue
            had, has = old.factors[factor].axes, list(new.factors[factor].axes)
            last = has[-1]
            if previous is not None and can_merge(previous, last):
                gained.pop(previous, None)
                has[-1] = merge(previous, last, all.mesh)
            previous = last
            source = _first_with(new.factors[factor], factor, sources)
            if source is None:
                continue
            start = len(had)
            if had and has[start - 1] is not had[-1]:
                start -= 1
            for axis in has[start:]:
                gained.setdefault(axis, source)
    return gained


def _first_with(sharding: FactorSharding, factor: int, tensors: list[TensorProjection]) -> int | None:
    """The first tensor that had all these axes along ``factor``."""
    for number, tensor in enumerate(tensors):
        own = tensor.factors.get(factor)
        if own is not None and (own.axes == sharding.axes or is_strict_prefix(sharding.axes, own.axes)):
            return number
    return None
