"""Localizes ``convolution``: sharded along batch, features, groups and spatial dimensions, whatever moves the fewest
bytes.

Along a spatial dimension of input and output, shards exchange the rows that windows overlap. If the kernel is sharded
along a spatial dimension, as in gradients of weights, each device applies its shard of the kernel to the range of the
input that this shard meets, and partial sums are reduced, as they are for sharded input features.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import NamedTuple

from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers
from pyshardy.emitting.builder import i64, i64_array
from pyshardy.emitting.known_sizes import has_fixed_elements
from pyshardy.emitting.layout import Layout, Shape, local_shape
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import I64, TensorType, element_width
from pyshardy.partitioning.families.contractions import zero_of
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor
from pyshardy.partitioning.strategies.cost_weights import BYTES_PER_MULTIPLICATION
from pyshardy.partitioning.strategies.strategy_problem import ExchangeCost, Strategy
from pyshardy.partitioning.windows.routing import WindowAccess
from pyshardy.partitioning.windows.several_windows import cheapest_windows, windows_along
from pyshardy.partitioning.windows.window_exchange import WindowRoute, window_route
from pyshardy.rules.builder import result_shape
from pyshardy.rules.properties import integer, integer_elements, integers
from pyshardy.sharding.rule import OpShardingRule


class _Spatial(NamedTuple):
    """One spatial dimension of a convolution: its dimension in input, kernel and output, and how the kernel slides
    along it."""

    input: int
    kernel: int
    output: int
    stride: int
    low: int
    input_dilation: int
    kernel_dilation: int
    reversed: bool


class _Convolution:
    """The properties of a convolution by dimension, and its factors if the kernel is sharded along the spatial
    dimensions ``by_kernel``, and input and output along the others."""

    def __init__(self, op: Operation, shapes: Sequence[Shape], by_kernel: frozenset[int]) -> None:
        numbers = op.properties.get("dimension_numbers")
        assert isinstance(numbers, ConvDimensionNumbers)
        self.numbers = numbers
        self.input, self.kernel, self.output = shapes
        self.by_kernel = by_kernel
        self.feature_groups = integer(op, "feature_group_count", 1)
        self.batch_groups = integer(op, "batch_group_count", 1)
        rank = len(numbers.input_spatial)
        padding = integer_elements(op, "padding") or (0,) * (2 * rank)
        ones, zeros = (1,) * rank, (0,) * rank
        self.spatial = [
            _Spatial(*row)
            for row in zip(
                numbers.input_spatial,
                numbers.kernel_spatial,
                numbers.output_spatial,
                integers(op, "window_strides") or ones,
                padding[::2],
                integers(op, "lhs_dilation") or ones,
                integers(op, "rhs_dilation") or ones,
                map(bool, integers(op, "window_reversal") or zeros),
                strict=True,
            )
        ]

    def reach(self, index: int) -> WindowAccess:
        """The positions of the input that each output reads along a spatial dimension; if the kernel is sharded there,
        the positions that each element of the kernel meets."""
        one = self.spatial[index]
        size = self.kernel[one.kernel]
        if index not in self.by_kernel:
            return WindowAccess(-one.low, one.stride, (size - 1) * one.kernel_dilation + 1, one.input_dilation)
        met = (self.output[one.output] - 1) * one.stride + 1
        if one.reversed:
            first = (size - 1) * one.kernel_dilation - one.low
            return WindowAccess(first, -one.kernel_dilation, met, one.input_dilation)
        return WindowAccess(-one.low, one.kernel_dilation, met, one.input_dilation)

    def route(self, index: int, count: int, shared: bool) -> WindowRoute:
        """The route of the input to its windows along spatial dimension ``index``, in ``count`` shards."""
        one = self.spatial[index]
        results = self.output[one.output]
        if index in self.by_kernel:
            # Fill windows for the padding of the kernel, too: its zeros would turn infinities in unset elements into
            # NaN.
            results = -(-self.kernel[one.kernel] // count) * count
        return window_route(self.input[one.input], results, count, shared, self.reach(index), True)

    @cached_property
    def factors(self) -> tuple[OpShardingRule, frozenset[int]]:
        """The sharding rule, and which of its factors are spatial. Factors of size 1 are left out, so that groups of
        single features can be sharded in any number."""
        numbers = self.numbers
        sizes: list[int] = []
        mappings: list[list[list[int]]] = [[[] for _ in shape] for shape in (self.input, self.kernel, self.output)]
        reductions: list[int] = []

        def add(size: int, input: int | None, kernel: int | None, output: int | None, least: int = 2) -> None:
            if size < least:
                return
            for mapping, dim in zip(mappings, (input, kernel, output), strict=True):
                if dim is not None:
                    mapping[dim].append(len(sizes))
            if output is None:
                reductions.append(len(sizes))
            sizes.append(size)

        features = self.output[numbers.output_feature] // (self.feature_groups * self.batch_groups)
        add(self.batch_groups, numbers.input_batch, numbers.kernel_output_feature, numbers.output_feature)
        add(self.output[numbers.output_batch], numbers.input_batch, None, numbers.output_batch)
        add(self.feature_groups, numbers.input_feature, numbers.kernel_output_feature, numbers.output_feature)
        add(self.kernel[numbers.kernel_input_feature], numbers.input_feature, numbers.kernel_input_feature, None)
        add(features, None, numbers.kernel_output_feature, numbers.output_feature)
        spatial = []
        for index, one in enumerate(self.spatial):
            spatial.append(len(sizes))
            if index in self.by_kernel:
                add(self.kernel[one.kernel], one.input, one.kernel, None, 0)
            else:
                add(self.output[one.output], one.input, None, one.output, 0)
        input, kernel, output = (tuple(tuple(dim) for dim in mapping) for mapping in mappings)
        return OpShardingRule(sizes, [input, kernel], [output], reduction_factors=reductions), frozenset(spatial)

    def route_of(self, dim: int, count: int, shared: bool) -> WindowRoute:
        """``route`` for a spatial dimension that is given as dimension ``dim`` of the input."""
        return self.route([one.input for one in self.spatial].index(dim), count, shared)

    def least_received(self, given: OperandTensor, layout: Layout) -> float:
        """The elements that each device receives to get the windows of ``given``, the input, in ``layout``."""
        return cheapest_windows(given, layout, [one.input for one in self.spatial], self.route_of)[0]


@localizes("stablehlo.convolution")
def _convolution(site: Site) -> list[Sharded]:
    """Takes the cheaper of two variants: input and output are sharded along all spatial dimensions, or the kernel along
    those in which it is sharded now."""
    shapes = [site.operands[0].shape, site.operands[1].shape, result_shape(site.op)]
    if not has_fixed_elements(*shapes):
        return site.fall_back()
    kernel = site.operands[1].layout
    by_output = _Convolution(site.op, shapes, frozenset())
    variants = [by_output]
    sharded = frozenset(index for index, one in enumerate(by_output.spatial) if kernel.counts[one.kernel] > 1)
    if sharded:
        variants.append(_Convolution(site.op, shapes, sharded))
    best: tuple[_Convolution, Strategy] | None = None
    for variant in variants:
        strategy = _strategy(site, variant)
        if strategy is not None and (best is None or strategy.bytes < best[1].bytes):
            best = variant, strategy
    return site.fall_back() if best is None else _emitted(site, *best)


def _strategy(site: Site, variant: _Convolution) -> Strategy | None:
    lhs = site.operands[0]
    given = OperandTensor.of(lhs)
    width = element_width(lhs.element) / 8

    def received(operands: Sequence[Layout], results: Sequence[Layout]) -> float:
        return (variant.least_received(given, operands[0]) - given.reshard_elements(operands[0])) * width

    rule, spatial = variant.factors
    moving = ExchangeCost(spatial, received, (site.op.name, site.op.properties, variant.by_kernel, given))
    window_size = prod(variant.kernel[one.kernel] for one in variant.spatial)
    return site.strategy(rule, reduction="sum", work=BYTES_PER_MULTIPLICATION * window_size, moving=moving)


def _emitted(site: Site, variant: _Convolution, strategy: Strategy) -> list[Sharded]:
    numbers, layout = variant.numbers, strategy.operands[0]
    lhs, kernel = site.operands[:2]
    dilations = {one.input: one.input_dilation for one in variant.spatial}
    left = windows_along(site, lhs, layout, dilations, variant.route_of, zero_of(lhs), [numbers.input_feature])
    right = site.mask(
        site.reshard(kernel, strategy.operands[1]),
        zero_of(kernel),
        [numbers.kernel_input_feature, *(variant.spatial[index].kernel for index in variant.by_kernel)],
    )
    shared = {index for index, one in enumerate(variant.spatial) if layout.counts[one.input] > 1}
    properties = _properties(site.op, variant, strategy, shared)
    return site.emit([left, right], strategy.results, properties)


def _properties(op: Operation, variant: _Convolution, strategy: Strategy, shared: set[int]) -> DictionaryAttr:
    """The properties of the local convolution: fewer groups if these are sharded; no padding and input dilation along
    ``shared`` spatial dimensions, whose windows contain them already."""
    properties = op.properties
    numbers = variant.numbers
    input = local_shape(variant.input, strategy.operands[0])
    kernel = local_shape(variant.kernel, strategy.operands[1])
    if variant.feature_groups > 1:
        groups = input[numbers.input_feature] // kernel[numbers.kernel_input_feature]
        properties = properties.with_("feature_group_count", i64(groups))
    if variant.batch_groups > 1:
        output = local_shape(variant.output, strategy.results[0])
        groups = input[numbers.input_batch] // output[numbers.output_batch]
        properties = properties.with_("batch_group_count", i64(groups))
    if shared:
        rank = len(variant.spatial)
        padding = list(integer_elements(op, "padding") or (0,) * (2 * rank))
        dilations = [1 if index in shared else one.input_dilation for index, one in enumerate(variant.spatial)]
        for index in shared:
            padding[2 * index] = padding[2 * index + 1] = 0
        properties = properties.with_("padding", DenseElementsAttr.of(TensorType((rank, 2), I64), padding))
        properties = properties.with_("lhs_dilation", i64_array(dilations))
    return properties
