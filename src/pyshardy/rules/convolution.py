"""The rule of convolutions.

Groups and spatial dimensions split into several factors: a spatial dimension of the input is windows (a permutation:
neighbours exchange halos) times window size (a reduction).
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers
from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import (
    NULL,
    PERMUTATION,
    REDUCTION,
    RuleBuilder,
    operand_shape,
    result_shape,
)
from pyshardy.rules.properties import integer
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule


@sharding_rule("stablehlo.convolution")
def _convolution(op: Operation, conservative: bool) -> OpShardingRule | None:
    """Stride, padding, dilation and reversal matter only through the result's shape."""
    numbers = op.properties.get("dimension_numbers")
    if not isinstance(numbers, ConvDimensionNumbers):
        return None
    kernel, result = operand_shape(op, 1), result_shape(op)
    batch_groups = integer(op, "batch_group_count", 1)
    feature_groups = integer(op, "feature_group_count", 1)
    input_features, output_features = numbers.kernel_input_feature, numbers.kernel_output_feature
    builder = RuleBuilder(op)
    if batch_groups > 1:
        builder.add([numbers.input_batch, output_features], [numbers.output_feature], batch_groups)
    builder.add([numbers.input_batch, NULL], [numbers.output_batch], result[numbers.output_batch])
    if not conservative:
        _add_spatial_factors(builder, op, numbers)
    if feature_groups > 1:
        builder.add([numbers.input_feature, output_features], [numbers.output_feature], feature_groups)
    builder.add([numbers.input_feature, input_features], [NULL], kernel[input_features], REDUCTION)
    features_per_group = result[numbers.output_feature] // (batch_groups * feature_groups)
    if features_per_group > 1:
        builder.add([NULL, output_features], [numbers.output_feature], features_per_group)
    return builder.build()


def _add_spatial_factors(builder: RuleBuilder, op: Operation, numbers: ConvDimensionNumbers) -> None:
    lhs, kernel, result = operand_shape(op, 0), operand_shape(op, 1), result_shape(op)
    spatial = zip(numbers.input_spatial, numbers.kernel_spatial, numbers.output_spatial, strict=True)
    for input_dim, kernel_dim, output_dim in spatial:
        windows = (result[output_dim], [input_dim, NULL], [output_dim], PERMUTATION)
        window_size = (kernel[kernel_dim], [input_dim, kernel_dim], [NULL], REDUCTION)
        rest = lhs[input_dim]
        # The larger one is the major factor.
        for size, operands, results, kind in sorted((windows, window_size), key=lambda row: -row[0]):
            factor = min(rest, size)
            if factor > 1:
                builder.add(operands, results, factor, kind)
                rest //= factor
