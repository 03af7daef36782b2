"""The dialect ``stablehlo``: one row for each operation, with the family that has its rules in ``verification``.

Forms that an ``Assembly`` cannot express are in ``reduce_text``, ``convolution_text`` and ``dialects.constants``.
"""

from __future__ import annotations

from pyshardy.dialects.assembly import Assembly
from pyshardy.dialects.constants import parse_constant_or_old_form, print_constant
from pyshardy.dialects.stablehlo import control, convolution_text, elementwise
from pyshardy.dialects.stablehlo.attribute_text import parse_attribute, parse_type
from pyshardy.dialects.stablehlo.reduce_text import parse_reduce, print_reduce
from pyshardy.dialects.stablehlo.row import family, row
from pyshardy.ir.opdef import (
    CONSTANT_LIKE,
    DATA_MOVEMENT,
    LINEAR,
    NO_SHARDING_RULE,
    OPERAND_VALUES,
    PURE,
    RECURSIVE_EFFECTS,
    SINGLE_BLOCK,
    Dialect,
)
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import IntegerType, ShapedType

_ANY = (0, None)
_SOME = (1, None)
_MOVING = PURE | DATA_MOVEMENT
_UNRELATED = PURE | NO_SHARDING_RULE
_WITH_SHAPE = PURE | OPERAND_VALUES
_WITH_BODY = RECURSIVE_EFFECTS | SINGLE_BLOCK

_WINDOW_PROPERTIES = "lhs_dilation precision_config rhs_dilation window_reversal window_strides"
_CONVOLUTION_PROPERTIES = "dimension_numbers feature_group_count batch_group_count"
_CONVOLUTION = Assembly(
    "(%*) dim_numbers = <dimension_numbers:convolution_dimensions>, window = <window> {} : functional-type",
    notations=convolution_text.NOTATIONS,
    parts=convolution_text.PARTS,
)


def _constant_name(op: Operation) -> list[str]:
    type = op.results[0].type
    element = type.element if isinstance(type, ShapedType) else type
    return ["c" if isinstance(element, IntegerType) else "cst"]


_ROWS = [
    *elementwise.ROWS,
    *control.ROWS,
    *family(
        "shapes",
        row("bitcast_convert", "%0 {} : functional-type"),
        row(
            "broadcast",
            "%0, sizes = <broadcast_sizes:integers> {} : functional-type",
            required="broadcast_sizes",
            traits=_MOVING | NO_SHARDING_RULE,
        ),
        row(
            "broadcast_in_dim",
            "%0, dims = <broadcast_dimensions:integers> {} : functional-type",
            required="broadcast_dimensions",
            traits=_MOVING,
        ),
        row(
            "concatenate",
            "%..., dim = <dimension:i64> {} : functional-type",
            _SOME,
            required="dimension",
            traits=_MOVING,
        ),
        row(
            "get_dimension_size",
            "%0, dim = <dimension:i64> {} : functional-type",
            required="dimension",
            traits=_MOVING,
        ),
        row("iota", "dim = <iota_dimension:i64> {} : tensor-result", 0, required="iota_dimension"),
        row(
            "pad",
            "%0, %1, low = <edge_padding_low:integers>, high = <edge_padding_high:integers>, "
            "interior = <interior_padding:integers> {} : functional-type",
            2,
            required="edge_padding_low edge_padding_high interior_padding",
            traits=_MOVING,
        ),
        row("reshape", "%0 {} : functional-type", traits=_MOVING | LINEAR),
        row(
            "reverse",
            "%0, dims = <dimensions:integers> {} : same-type",
            required="dimensions",
            traits=_MOVING | LINEAR,
        ),
        row(
            "set_dimension_size",
            "%0, %1, dim = <dimension:i64> {} : functional-type",
            2,
            required="dimension",
            traits=_WITH_SHAPE,
        ),
        row(
            "slice",
            "%0 <ranges> {} : functional-type",
            required="start_indices limit_indices strides",
            traits=_MOVING | LINEAR,
        ),
        row(
            "transpose",
            "%0, dims = <permutation:integers> {} : functional-type",
            required="permutation",
            traits=_MOVING | LINEAR,
        ),
    ),
    *family(
        "dynamic_shapes",
        row(
            "dynamic_broadcast_in_dim",
            "%0, %1, dims = <broadcast_dimensions:integers> {} : functional-type",
            2,
            required="broadcast_dimensions",
            optional="known_expanding_dimensions known_nonexpanding_dimensions",
            traits=_WITH_SHAPE | DATA_MOVEMENT | NO_SHARDING_RULE,
        ),
        row(
            "dynamic_iota",
            "%0, dim = <iota_dimension:i64> {} : functional-type",
            required="iota_dimension",
            traits=_WITH_SHAPE | NO_SHARDING_RULE,
        ),
        row(
            "dynamic_pad",
            "%0, %1, %2, %3, %4 {} : functional-type",
            5,
            traits=_WITH_SHAPE | DATA_MOVEMENT | NO_SHARDING_RULE,
        ),
        row("dynamic_reshape", "%0, %1 {} : functional-type", 2, traits=_WITH_SHAPE | DATA_MOVEMENT | NO_SHARDING_RULE),
        row(
            "dynamic_slice",
            "%0, %..., sizes = <slice_sizes:integers> {} : functional-type",
            _SOME,
            required="slice_sizes",
            traits=_MOVING,
        ),
        row("dynamic_update_slice", "%* {} : functional-type", (2, None), traits=_MOVING),
        row("real_dynamic_slice", "%0, %1, %2, %3 {} : functional-type", 4, traits=_MOVING | NO_SHARDING_RULE),
    ),
    *family(
        "sources",
        row(
            "constant",
            (parse_constant_or_old_form, print_constant),
            0,
            required="value",
            traits=PURE | CONSTANT_LIKE,
            result_names=_constant_name,
        ),
        row("create_token", "{} : result-type", 0),
        row("partition_id", "{} : result-type", 0),
        row("replica_id", "{} : result-type", 0),
        row(
            "rng",
            "%0, %1, %2, distribution = <rng_distribution:rng_distribution> {} : functional-type",
            3,
            required="rng_distribution",
            traits=OPERAND_VALUES,
        ),
        row(
            "rng_bit_generator",
            "%0, algorithm = <rng_algorithm:rng_algorithm> {} : functional-type",
            1,
            2,
            required="rng_algorithm",
            result_names="output_state output",
        ),
    ),
    *family(
        "contractions",
        row(
            "dot",
            "%0, %1(?, precision = <precision_config:precisions>?) {} : functional-type",
            2,
            optional="precision_config",
        ),
        row(
            "dot_general",
            "%0, %1, <dot_dimensions><precision_and_algorithm> {} : functional-type",
            2,
            required="dot_dimension_numbers",
            optional="precision_config algorithm",
        ),
        row(
            "einsum",
            "%0, %1, config = <einsum_config:string> {} : functional-type",
            2,
            required="einsum_config",
            traits=_UNRELATED,
        ),
        row(
            "unary_einsum",
            "%0, config = <einsum_config:string> {} : functional-type",
            required="einsum_config",
            traits=_UNRELATED,
        ),
    ),
    *family(
        "convolutions",
        row("convolution", _CONVOLUTION, 2, required=_CONVOLUTION_PROPERTIES, optional=f"padding {_WINDOW_PROPERTIES}"),
        row(
            "dynamic_conv",
            None,
            3,
            required=_CONVOLUTION_PROPERTIES,
            optional=_WINDOW_PROPERTIES,
            traits=_UNRELATED,
        ),
    ),
    *family(
        "linear_algebra",
        row(
            "batch_norm_grad",
            None,
            5,
            3,
            required="epsilon feature_index",
            result_names="grad_operand grad_scale grad_offset",
            traits=_UNRELATED,
        ),
        row("batch_norm_inference", None, 5, required="epsilon feature_index"),
        row(
            "batch_norm_training",
            None,
            3,
            3,
            required="epsilon feature_index",
            result_names="output batch_mean batch_var",
            traits=_UNRELATED,
        ),
        row("cholesky", "%0(?, lower = <lower:boolean>?) {} : same-type", optional="lower"),
        row(
            "fft",
            "%0, type = <fft_type:fft_type>, length = <fft_length:integers> {} : functional-type",
            required="fft_type fft_length",
        ),
        row("triangular_solve", None, 2, required="left_side lower unit_diagonal transpose_a"),
    ),
    *family(
        "gathering",
        row(
            "dynamic_gather",
            None,
            3,
            required="dimension_numbers",
            optional="indices_are_sorted",
            traits=_WITH_SHAPE | DATA_MOVEMENT | NO_SHARDING_RULE,
        ),
        row(
            "gather",
            None,
            2,
            required="dimension_numbers slice_sizes",
            optional="indices_are_sorted",
            traits=_MOVING,
        ),
        row("torch_index_select", None, 2, required="dim batch_dims", traits=_MOVING | NO_SHARDING_RULE),
    ),
    *family(
        "scattering",
        row(
            "scatter",
            None,
            _SOME,
            _ANY,
            required="scatter_dimension_numbers",
            optional="indices_are_sorted unique_indices",
            regions=1,
            traits=RECURSIVE_EFFECTS,
        ),
    ),
    *family(
        "reductions",
        row("map", None, _ANY, required="dimensions", regions=1, traits=_WITH_BODY | NO_SHARDING_RULE),
        row("reduce", (parse_reduce, print_reduce), _ANY, _ANY, required="dimensions", regions=1, traits=_WITH_BODY),
        row("sort", None, _SOME, _SOME, optional="dimension is_stable", regions=1, traits=RECURSIVE_EFFECTS),
    ),
    *family(
        "windowed_reductions",
        row(
            "reduce_window",
            None,
            _ANY,
            _ANY,
            required="window_dimensions",
            optional="window_strides base_dilations window_dilations padding",
            regions=1,
            traits=_WITH_BODY,
        ),
        row(
            "select_and_scatter",
            None,
            3,
            optional="window_dimensions window_strides padding",
            regions=2,
            traits=RECURSIVE_EFFECTS,
        ),
    ),
]

DIALECT = Dialect("stablehlo", _ROWS, parse_attribute=parse_attribute, parse_type=parse_type)
