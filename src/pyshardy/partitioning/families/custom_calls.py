"""Localizes custom calls by what is known of their targets, or by a sharding rule.

Markers for XLA's partitioner are dropped. Elementwise targets are sharded like elementwise operations, targets that
work on matrices along the batch dimensions. A call of an unknown target is sharded along the pass-through factors of a
rule that it carries (``sdy.sharding_rule``) or that somebody has registered (``custom_call_rule``). Otherwise every
device runs the whole call, and a remark says so. ``@localizes_target`` registers a localizer for a target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.dialects.stablehlo.custom_call_targets import TargetKind, num_batch_dims, targets
from pyshardy.emitting.sharded import Sharded
from pyshardy.partitioning.families.top_k import top_k
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.rule_based import share_along
from pyshardy.partitioning.localizing.site import Site
from pyshardy.plugins import claim
from pyshardy.resharding.custom_call_rules import batch_rule
from pyshardy.rules.builder import operand_shape, pointwise_rule
from pyshardy.rules.properties import string

_Localize = Callable[[Site], Sequence[Sharded]]

_targets: dict[str, _Localize] = {}


def localizes_target(*names: str) -> Callable[[_Localize], _Localize]:
    """Registers the decorated function as the localizer of custom calls of the targets with these ``names``."""

    def register(function: _Localize) -> _Localize:
        for name in names:
            claim("localizer of custom call", name)
            _targets[name] = function
        return function

    return register


@localizes("stablehlo.custom_call")
def _custom_call(site: Site) -> Sequence[Sharded]:
    target = string(site.op, "call_target_name") or ""
    known = _targets.get(target)
    if known is not None:
        return known(site)
    declared = site.declared_rule()
    if declared is not None:
        return share_along(site, declared)
    if num_batch_dims(site.op):
        return _batched(site)
    if _costs(site):
        _remark(site, target)
    return site.fall_back()


# --- targets ----------------------------------------------------------------------------------------------------------


@localizes_target(*targets(TargetKind.PLACEMENT))
def _marker(site: Site) -> Sequence[Sharded]:
    """A marker only tells a partitioner the sharding of a value, which has been read already."""
    if [one.type for one in site.op.operands] != [one.type for one in site.op.results]:
        return site.fall_back()
    return site.operands


@localizes_target("xla.sdy.ShardingGroup")
def _sharding_group(site: Site) -> Sequence[Sharded]:
    return [] if not site.op.results else site.fall_back()


@localizes_target(*targets(TargetKind.ELEMENTWISE))
def _elementwise(site: Site) -> Sequence[Sharded]:
    return share_along(site, pointwise_rule(site.op))


@localizes_target(*targets(TargetKind.TOP_K))
def _top_k(site: Site) -> Sequence[Sharded]:
    if len(site.op.operands) != 1 or len(site.op.results) != 2:
        return site.fall_back()
    return top_k(site)


@localizes_target(*targets(TargetKind.APPROXIMATE_TOP_K))
def _approximate_top_k(site: Site) -> Sequence[Sharded]:
    """Sharded along all dimensions but the one that shrinks."""
    return share_along(site, site.rule())


@localizes_target(*targets(TargetKind.ON_MATRICES))
def _matrices(site: Site) -> Sequence[Sharded]:
    """Sharded along the dimensions before the two of the matrices."""
    return _along_batch(site, len(operand_shape(site.op)) - 2)


# --- how --------------------------------------------------------------------------------------------------------------


def _batched(site: Site) -> Sequence[Sharded]:
    return _along_batch(site, num_batch_dims(site.op))


def _along_batch(site: Site, count: int) -> Sequence[Sharded]:
    return share_along(site, batch_rule(site.op, count))


def _costs(site: Site) -> bool:
    """Whether an operand or result is sharded, so that running the whole call on every device costs something."""
    layouts = (*(operand.layout for operand in site.operands), *site.requested)
    return any(layout is not None and not layout.is_replicated for layout in layouts)


def _remark(site: Site, target: str) -> None:
    context = site.run.context
    if context.first_time(f"whole custom call @{target}"):
        context.emit(
            "remark",
            site.op.location,
            f"every device runs custom call @{target} whole, because nothing says how to share it; give it the "
            "attribute sdy.sharding_rule, as in #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>, or "
            f'register a rule for all of them with the decorator pyshardy.custom_call_rule("{target}")',
        )
