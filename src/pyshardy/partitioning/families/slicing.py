"""Localizes ``slice``, ``pad`` and ``reverse``: devices exchange the elements that belong to another shard afterwards.

Along a sharded dimension each device receives the range of the operand that its results come from, and then runs the
operation on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.known_sizes import has_fixed_elements
from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.partitioning.localizing.recipes import with_recipe_if_replicated
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor
from pyshardy.partitioning.windows.contributions import contribution, position_type, reduction_of, slice_plan
from pyshardy.partitioning.windows.routing import WindowAccess
from pyshardy.partitioning.windows.window_strategy import chosen_strategy, emit_windows
from pyshardy.rules.builder import result_shape
from pyshardy.rules.properties import integers


def _preferred_layout(site: Site) -> Layout | None:
    """The layout requested for result 0, or else that of the operand, without axes that would leave shards empty; None
    if there is neither a request nor such an axis."""
    requested, result = site.requested[0], result_shape(site.op)
    layout = site.operands[0].layout.reduced() if requested is None else requested
    scarce = [dim for dim, (size, count) in enumerate(zip(result, layout.counts, strict=True)) if size < count]
    return layout.without(scarce) if scarce else requested


@localizes("stablehlo.slice")
@with_recipe_if_replicated
def _slice(site: Site) -> list[Sharded]:
    starts, strides = integers(site.op, "start_indices"), integers(site.op, "strides")
    if not has_fixed_elements(site.operands[0].shape, result_shape(site.op)):
        return site.fall_back()
    cut = _slice_of_pad(site, starts, strides)
    return (
        [cut]
        if cut is not None
        else sliced(site, [WindowAccess(start, stride) for start, stride in zip(starts, strides, strict=True)])
    )


def _slice_of_pad(site: Site, starts: Sequence[int], strides: Sequence[int]) -> Sharded | None:
    """The slice of a padded tensor that has no other users but slices, as one pad with less padding; None if it is
    none."""
    value = site.op.operands[0]
    source = site.origin(value)
    producer = source.defining_op
    if producer is None or producer.name != "stablehlo.pad" or any(stride != 1 for stride in strides):
        return None
    users = {user.name for user in value.users}
    if source is not value:
        # The pad is in an inlined function, which returns it.
        users |= {user.name for user in source.users} - {"func.return"}
    if any(integers(producer, "interior_padding")) or users != {site.op.name}:
        return None
    env = site.run.env
    operand, fill = (env[one] for one in producer.operands)
    if not has_fixed_elements(operand.shape):
        return None
    low = [below - start for below, start in zip(integers(producer, "edge_padding_low"), starts, strict=True)]
    high = [
        result - size - below for result, size, below in zip(result_shape(site.op), operand.shape, low, strict=True)
    ]
    # If the slice lies in the padding alone, the negative padding would remove more elements than there are.
    if any(
        size + min(below, 0) + min(above, 0) <= 0 for size, below, above in zip(operand.shape, low, high, strict=True)
    ):
        return None
    return padded(site, operand, fill, low, high, [0] * len(low))


def sliced(site: Site, accesses: Sequence[WindowAccess]) -> list[Sharded]:
    """Operand 0 sliced as ``accesses`` says, as result 0."""
    requested = _preferred_layout(site)
    strategy = chosen_strategy(site, accesses, filled=False, requested=requested)
    summed = _by_contributions(site, accesses, requested, strategy.elements)
    if summed is not None:
        return [summed]
    value = emit_windows(site, site.operands[0], strategy, accesses)
    result = result_shape(site.op)
    starts, limits, strides = [], [], []
    for dim, (access, size) in enumerate(zip(accesses, tensor_type(value).shape, strict=True)):
        here = strategy.target.counts[dim] == 1
        starts.append(access.first if here else 0)
        limits.append(access.first + (result[dim] - 1) * access.step + 1 if here else size)
        strides.append(access.step)
    return [site.result(0, site.builder.slice(value, starts, limits, strides), strategy.target)]


def _by_contributions(
    site: Site, accesses: Sequence[WindowAccess], requested: Layout | None, most: float
) -> Sharded | None:
    """The slice as a sum of contributions, if that moves fewer than ``most`` elements, as it does for a few rows that
    all devices need; None otherwise."""
    operand, result = site.operands[0], result_shape(site.op)
    reduction = reduction_of(operand.element)
    taken = tuple(dim for dim, (a, b) in enumerate(zip(operand.shape, result, strict=True)) if a != b)
    if reduction is None or not most or any(access.step != 1 for access in accesses):
        return None
    plan = slice_plan(OperandTensor(operand.shape, operand.layout, False), result, requested, taken, reduction)
    if plan.elements >= most or not any(operand.layout.counts[dim] > 1 for dim in taken):
        return None
    element = position_type([operand.shape])
    places = {dim: site.builder.scalar(accesses[dim].first, element) for dim in taken}
    return site.result(0, contribution(site, site.reshard(operand, plan.operand), result, places), plan.result)


@localizes("stablehlo.pad")
@with_recipe_if_replicated
def _pad(site: Site) -> list[Sharded]:
    operand, fill = site.operands
    low, high, interior = (
        integers(site.op, name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    if not has_fixed_elements(operand.shape, result_shape(site.op)):
        return site.fall_back()
    shifted = _pad_of_slice(site, low, high, interior)
    return [padded(site, operand, fill, low, high, interior) if shifted is None else shifted]


def _pad_of_slice(site: Site, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Sharded | None:
    """The pad of a slice of a tensor that is sharded along the sliced dimension, as one pad of that tensor with
    negative padding; None if it is none. The slice alone often has fewer elements than there are devices, and would
    have to be replicated."""
    value = site.op.operands[0]
    producer = value.defining_op
    if producer is None or producer.name != "stablehlo.slice" or any(interior):
        return None
    if any(stride != 1 for stride in integers(producer, "strides")):
        return None
    if any(user.name != site.op.name for user in value.users):
        return None
    source = site.run.env[producer.operands[0]]
    starts, limits = (integers(producer, name) for name in ("start_indices", "limit_indices"))
    before, behind, sharded = [], [], False
    for dim, (size, count) in enumerate(zip(source.shape, source.layout.counts, strict=True)):
        cut_before, cut_behind = starts[dim], size - limits[dim]
        # Elements that the slice removes would reappear where the pad requests padding.
        if (cut_before and low[dim] > 0) or (cut_behind and high[dim] > 0):
            return None
        before.append(low[dim] - cut_before)
        behind.append(high[dim] - cut_behind)
        sharded |= count > 1 and bool(cut_before or cut_behind)
        if size + min(before[dim], 0) + min(behind[dim], 0) <= 0:
            return None
    return padded(site, source, site.operands[1], before, behind, interior) if sharded else None


def padded(
    site: Site, operand: Sharded, fill: Sharded, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> Sharded:
    """``operand`` padded with the scalar ``fill`` at its edges and between its elements, as result 0."""
    amounts = [list(one) for one in (low, high, interior)]
    accesses = [
        WindowAccess() if not (below or above or between) else WindowAccess(-below, 1, 1, between + 1)
        for below, above, between in zip(*amounts, strict=True)
    ]
    strategy = chosen_strategy(site, accesses, filled=True, operand=operand)
    filling = site.replicate(fill).value
    value = emit_windows(site, operand, strategy, accesses, filling)
    for dim, route in enumerate(strategy.routes):
        if route is not None:
            for one in amounts:
                one[dim] = 0
    return site.result(0, site.builder.pad(value, filling, *amounts), strategy.target)


@localizes("stablehlo.reverse")
@with_recipe_if_replicated
def _reverse(site: Site) -> list[Sharded]:
    operand = site.operands[0]
    dims = integers(site.op, "dimensions")
    if not has_fixed_elements(operand.shape):
        return site.fall_back()
    accesses = [WindowAccess(size - 1, -1) if dim in dims else WindowAccess() for dim, size in enumerate(operand.shape)]
    strategy = chosen_strategy(site, accesses, filled=False)
    value = emit_windows(site, operand, strategy, accesses)
    return site.emit([Sharded(value, operand.type, strategy.target)], [strategy.target])
