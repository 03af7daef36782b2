"""Localizes ``slice``, ``pad`` and ``reverse``: neighbours exchange the few elements that move between shards.

Along a sharded dimension each device gets the stretch of the operand that its results come from, then does locally what
the operation does.

Registers with ``registry``.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.known_sizes import has_fixed_elements
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.partitioning.localizing.free_results import free_from_whole
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor
from pyshardy.partitioning.windows.contributions import contribution, place_type, reduction_of, slice_plan
from pyshardy.partitioning.windows.routing import Reach
from pyshardy.partitioning.windows.window_strategy import chosen_strategy, windows_made
from pyshardy.rules.builder import result_shape
from pyshardy.rules.properties import integers


def sensible_layout(site: Site) -> Layout | None:
    """Where result 0 should be, if anywhere: it is wanted, or lies as the operand does, but with fewer elements along a
    dimension than devices it is better off whole."""
    wanted, result = site.wanted[0], result_shape(site.op)
    layout = site.operands[0].layout.reduced() if wanted is None else wanted
    scarce = [dim for dim, (size, count) in enumerate(zip(result, layout.counts, strict=True)) if size < count]
    return layout.without(scarce) if scarce else wanted


@localizes("stablehlo.slice")
@free_from_whole
def _slice(site: Site) -> list[Sharded]:
    starts, strides = integers(site.op, "start_indices"), integers(site.op, "strides")
    if not has_fixed_elements(site.operands[0].shape, result_shape(site.op)):
        return site.fall_back()
    cut = _cut_of_padded(site, starts, strides)
    return (
        [cut]
        if cut is not None
        else sliced(site, [Reach(start, stride) for start, stride in zip(starts, strides, strict=True)])
    )


def _cut_of_padded(site: Site, starts: Sequence[int], strides: Sequence[int]) -> Sharded | None:
    """The slice of a padded tensor that is only sliced: that tensor, padded less."""
    given = site.op.operands[0]
    source = site.origin(given)
    producer = source.defining_op
    if producer is None or producer.name != "stablehlo.pad" or any(stride != 1 for stride in strides):
        return None
    users = {user.name for user in given.users}
    if source is not given:
        # A function that stands in the place of its call returns it.
        users |= {user.name for user in source.users} - {"func.return"}
    if any(integers(producer, "interior_padding")) or users != {site.op.name}:
        return None
    env = site.run.env
    operand, fill = (env[value] for value in producer.operands)
    if not has_fixed_elements(operand.shape):
        return None
    low = [below - start for below, start in zip(integers(producer, "edge_padding_low"), starts, strict=True)]
    high = [
        result - size - below for result, size, below in zip(result_shape(site.op), operand.shape, low, strict=True)
    ]
    # A slice that lies in the padding alone would cut off more than there is.
    if any(
        size + min(below, 0) + min(above, 0) <= 0 for size, below, above in zip(operand.shape, low, high, strict=True)
    ):
        return None
    return padded(site, operand, fill, low, high, [0] * len(low))


def sliced(site: Site, reaches: Sequence[Reach]) -> list[Sharded]:
    """Operand 0 cut as ``reaches`` says, as result 0."""
    wanted = sensible_layout(site)
    strategy = chosen_strategy(site, reaches, filled=False, wanted=wanted)
    summed = _as_sum(site, reaches, wanted, strategy.elements)
    if summed is not None:
        return [summed]
    value = windows_made(site, site.operands[0], strategy, reaches)
    result = result_shape(site.op)
    starts, limits, strides = [], [], []
    for dim, (reach, size) in enumerate(zip(reaches, tensor_type(value).shape, strict=True)):
        here = strategy.target.counts[dim] == 1
        starts.append(reach.first if here else 0)
        limits.append(reach.first + (result[dim] - 1) * reach.step + 1 if here else size)
        strides.append(reach.step)
    return [site.result(0, site.builder.slice(value, starts, limits, strides), strategy.target)]


def _as_sum(site: Site, reaches: Sequence[Reach], wanted: Layout | None, most: float) -> Sharded | None:
    """The slice as a sum of what each device has of it, if that moves fewer than ``most`` elements: a few rows that all
    devices need."""
    operand, result = site.operands[0], result_shape(site.op)
    reduction = reduction_of(operand.element)
    taken = tuple(dim for dim, (a, b) in enumerate(zip(operand.shape, result, strict=True)) if a != b)
    if reduction is None or not most or any(reach.step != 1 for reach in reaches):
        return None
    plan = slice_plan(OperandTensor(operand.shape, operand.layout, False), result, wanted, taken, reduction)
    if plan.elements >= most or not any(operand.layout.counts[dim] > 1 for dim in taken):
        return None
    element = place_type([operand.shape])
    places = {dim: site.builder.scalar(reaches[dim].first, element) for dim in taken}
    return site.result(0, contribution(site, site.reshard(operand, plan.operand), result, places), plan.result)


@localizes("stablehlo.pad")
@free_from_whole
def _pad(site: Site) -> list[Sharded]:
    operand, fill = site.operands
    low, high, interior = (
        integers(site.op, name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    if not has_fixed_elements(operand.shape, result_shape(site.op)):
        return site.fall_back()
    shifted = _shifted(site, low, high, interior)
    return [padded(site, operand, fill, low, high, interior) if shifted is None else shifted]


def _shifted(site: Site, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Sharded | None:
    """The padded slice of a tensor that is sharded along a cut dimension: that tensor, moved by what was cut off and
    padded on. The slice alone often has fewer elements than there are devices, and would be whole on each."""
    given = site.op.operands[0]
    producer = given.defining_op
    if producer is None or producer.name != "stablehlo.slice" or any(interior):
        return None
    if any(stride != 1 for stride in integers(producer, "strides")):
        return None
    if any(user.name != site.op.name for user in given.users):
        return None
    source = site.run.env[producer.operands[0]]
    starts, limits = (integers(producer, name) for name in ("start_indices", "limit_indices"))
    before, behind, sharded = [], [], False
    for dim, (size, count) in enumerate(zip(source.shape, source.layout.counts, strict=True)):
        cut_before, cut_behind = starts[dim], size - limits[dim]
        # Elements that were cut off would come back where padding is wanted.
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
    """``operand`` with the scalar ``fill`` around it and between its elements, as result 0."""
    amounts = [list(one) for one in (low, high, interior)]
    reaches = [
        Reach() if not (below or above or between) else Reach(-below, 1, 1, between + 1)
        for below, above, between in zip(*amounts, strict=True)
    ]
    strategy = chosen_strategy(site, reaches, filled=True, operand=operand)
    filling = site.replicate(fill).value
    value = windows_made(site, operand, strategy, reaches, filling)
    for dim, route in enumerate(strategy.routes):
        if route is not None:
            for one in amounts:
                one[dim] = 0
    return site.result(0, site.builder.pad(value, filling, *amounts), strategy.target)


@localizes("stablehlo.reverse")
@free_from_whole
def _reverse(site: Site) -> list[Sharded]:
    operand = site.operands[0]
    dims = integers(site.op, "dimensions")
    if not has_fixed_elements(operand.shape):
        return site.fall_back()
    reaches = [Reach(size - 1, -1) if dim in dims else Reach() for dim, size in enumerate(operand.shape)]
    strategy = chosen_strategy(site, reaches, filled=False)
    value = windows_made(site, operand, strategy, reaches)
    return site.emit([Sharded(value, operand.type, strategy.target)], [strategy.target])
