"""The dialect ``stablehlo``: one row an operation, with its text form, counts, attributes and traits.

``ir.registry`` loads this file; parser, printer and verifier read the rows. Forms that no string can say stand in
``reduce_text``, ``while_text``, ``convolution_text`` and ``dialects.constants``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import Assembly
from pyshardy.dialects.constants import parse_constant_or_old_form, print_constant
from pyshardy.dialects.stablehlo import convolution_text, notations
from pyshardy.dialects.stablehlo.attribute_text import parse_attribute, parse_type
from pyshardy.dialects.stablehlo.attributes import ResultAccuracy
from pyshardy.dialects.stablehlo.barrier_text import parse_optimization_barrier, print_optimization_barrier
from pyshardy.dialects.stablehlo.reduce_text import parse_reduce, print_reduce
from pyshardy.dialects.stablehlo.verification import verify, verify_composite
from pyshardy.dialects.stablehlo.verification.property_kinds import kinds_of
from pyshardy.dialects.stablehlo.while_text import argument_names, parse_while, print_while
from pyshardy.ir.attributes import ArrayAttr, DictionaryAttr, IntegerAttr
from pyshardy.ir.opdef import (
    COMMUTATIVE,
    CONSTANT_LIKE,
    DATA_FLOW,
    ELEMENTWISE,
    ISOLATED,
    OPERAND_VALUES,
    PURE,
    RECURSIVE_EFFECTS,
    SINGLE_BLOCK,
    TERMINATOR,
    Dialect,
    OpDef,
)
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import I32, IntegerType, ShapedType

if TYPE_CHECKING:
    from pyshardy.ir.verification import Verification

_ANY = (0, None)
_SOME = (1, None)
_PURE_ELEMENTWISE = PURE | ELEMENTWISE
_PURE_WITH_SHAPE = PURE | OPERAND_VALUES
_WITH_BODY = RECURSIVE_EFFECTS | SINGLE_BLOCK

_UNARY = Assembly("%0 {} : same-type")
_BINARY = Assembly("%0, %1 {} : same-type")
_TERNARY = Assembly("%0, %1, %2 {} : same-type")


def _form(text: str) -> Assembly:
    return Assembly(text, notations=notations.NOTATIONS, parts=notations.PARTS)


def _op(
    name: str,
    form: Assembly | str | None,
    operands: int | tuple[int, int | None] = 1,
    results: int | tuple[int, int | None] = 1,
    *,
    required: str = "",
    optional: str = "",
    traits: int = PURE,
    regions: int | tuple[int, int | None] = 0,
    result_names: str = "",
    symbol_verifiers: tuple[Callable[[Verification, Operation], None], ...] = (),
) -> OpDef:
    """A row: operations whose form needs no code of their own. Names of attributes are separated by spaces."""
    assembly = _form(form) if isinstance(form, str) else form
    names = result_names.split()
    properties = (required + " " + optional).split()
    return OpDef(
        f"stablehlo.{name}",
        operands=operands,
        results=results,
        regions=regions,
        properties=properties,
        required=required.split(),
        traits=traits,
        parse=assembly.parse if assembly is not None else None,
        print_=assembly.print_ if assembly is not None else None,
        elides=_ELIDED.get(name),
        result_names=(lambda _: names) if names else None,
        kinds=kinds_of(name, properties),
        verifiers=(verify,),
        symbol_verifiers=symbol_verifiers,
    )


# --- defaults that the pretty form leaves out -------------------------------------------------------------------------


def _elided_accuracy(op: Operation) -> Iterable[str]:
    value = op.properties.get("result_accuracy")
    return ("result_accuracy",) if isinstance(value, ResultAccuracy) and value.is_default else ()


def _elided_in_cholesky(op: Operation) -> Iterable[str]:
    value = op.properties.get("lower")
    return ("lower",) if isinstance(value, IntegerAttr) and not value.value else ()


def _elided_in_custom_call(op: Operation) -> Iterable[str]:
    defaults = {
        "api_version": IntegerAttr(1, I32),
        "called_computations": ArrayAttr(),
        "has_side_effect": IntegerAttr(0, IntegerType(1)),
        "output_operand_aliases": ArrayAttr(),
    }
    return [name for name, default in defaults.items() if op.properties.get(name) is default]


def _elided_in_composite(op: Operation) -> Iterable[str]:
    defaults = {"composite_attributes": DictionaryAttr(), "version": IntegerAttr(0, I32)}
    return [name for name, default in defaults.items() if op.properties.get(name) is default]


_WITH_ACCURACY = "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh"
_ELIDED = {
    "cholesky": _elided_in_cholesky,
    "composite": _elided_in_composite,
    "custom_call": _elided_in_custom_call,
} | dict.fromkeys(_WITH_ACCURACY.split(), _elided_accuracy)


# --- what depends on the operation ------------------------------------------------------------------------------------


def _constant_name(op: Operation) -> list[str]:
    type = op.results[0].type
    element = type.element if isinstance(type, ShapedType) else type
    return ["c" if isinstance(element, IntegerType) else "cst"]


def _has_no_side_effect(op: Operation) -> bool:
    value = op.properties.get("has_side_effect")
    return not (isinstance(value, IntegerAttr) and value.value)


# --- the rows ---------------------------------------------------------------------------------------------------------

_UNARY_NAMES = (
    "abs ceil convert count_leading_zeros floor imag is_finite negate not popcnt real round_nearest_afz "
    "round_nearest_even sign uniform_dequantize uniform_quantize"
)
_COMMUTATIVE_NAMES = "add and maximum minimum multiply or xor"
_BINARY_NAMES = "atan2 divide power remainder shift_left shift_right_arithmetic shift_right_logical subtract"

_ELEMENTWISE_ROWS = [
    *(_op(name, _UNARY, optional="result_accuracy", traits=_PURE_ELEMENTWISE) for name in _WITH_ACCURACY.split()),
    *(_op(name, _UNARY, traits=_PURE_ELEMENTWISE) for name in _UNARY_NAMES.split()),
    *(_op(name, _BINARY, 2, traits=_PURE_ELEMENTWISE | COMMUTATIVE) for name in _COMMUTATIVE_NAMES.split()),
    *(_op(name, _BINARY, 2, traits=_PURE_ELEMENTWISE) for name in _BINARY_NAMES.split()),
    _op("clamp", _TERNARY, 3, traits=_PURE_ELEMENTWISE),
    _op(
        "compare",
        "<comparison_direction:comparison_direction>, %0, %1(?, <compare_type:comparison_type>?) {} : functional-type",
        2,
        required="comparison_direction",
        optional="compare_type",
        traits=_PURE_ELEMENTWISE,
    ),
    _op("complex", "%0, %1 {} : complex-type", 2, traits=_PURE_ELEMENTWISE),
    _op(
        "reduce_precision",
        "%0, format = <format> {} : same-type",
        required="exponent_bits mantissa_bits",
        traits=_PURE_ELEMENTWISE,
    ),
    _op("select", "%0, %1, %2 {} : select-types", 3, traits=_PURE_ELEMENTWISE),
]

_SHAPE_ROWS = [
    _op("bitcast_convert", "%0 {} : functional-type"),
    _op("broadcast", "%0, sizes = <broadcast_sizes:integers> {} : functional-type", required="broadcast_sizes"),
    _op(
        "broadcast_in_dim",
        "%0, dims = <broadcast_dimensions:integers> {} : functional-type",
        required="broadcast_dimensions",
    ),
    _op("concatenate", "%..., dim = <dimension:i64> {} : functional-type", _SOME, required="dimension"),
    _op(
        "dynamic_broadcast_in_dim",
        "%0, %1, dims = <broadcast_dimensions:integers> {} : functional-type",
        2,
        required="broadcast_dimensions",
        optional="known_expanding_dimensions known_nonexpanding_dimensions",
        traits=_PURE_WITH_SHAPE,
    ),
    _op("dynamic_pad", "%0, %1, %2, %3, %4 {} : functional-type", 5, traits=_PURE_WITH_SHAPE),
    _op("dynamic_reshape", "%0, %1 {} : functional-type", 2, traits=_PURE_WITH_SHAPE),
    _op(
        "dynamic_slice", "%0, %..., sizes = <slice_sizes:integers> {} : functional-type", _SOME, required="slice_sizes"
    ),
    _op("dynamic_update_slice", "%* {} : functional-type", (2, None)),
    _op("get_dimension_size", "%0, dim = <dimension:i64> {} : functional-type", required="dimension"),
    _op(
        "pad",
        "%0, %1, low = <edge_padding_low:integers>, high = <edge_padding_high:integers>, "
        "interior = <interior_padding:integers> {} : functional-type",
        2,
        required="edge_padding_low edge_padding_high interior_padding",
    ),
    _op("real_dynamic_slice", "%0, %1, %2, %3 {} : functional-type", 4),
    _op("reshape", "%0 {} : functional-type"),
    _op("reverse", "%0, dims = <dimensions:integers> {} : same-type", required="dimensions"),
    _op(
        "set_dimension_size",
        "%0, %1, dim = <dimension:i64> {} : functional-type",
        2,
        required="dimension",
        traits=_PURE_WITH_SHAPE,
    ),
    _op("slice", "%0 <ranges> {} : functional-type", required="start_indices limit_indices strides"),
    _op("transpose", "%0, dims = <permutation:integers> {} : functional-type", required="permutation"),
]

_SOURCE_ROWS = [
    _op("create_token", "{} : result-type", 0),
    _op(
        "dynamic_iota",
        "%0, dim = <iota_dimension:i64> {} : functional-type",
        required="iota_dimension",
        traits=_PURE_WITH_SHAPE,
    ),
    _op("iota", "dim = <iota_dimension:i64> {} : tensor-result", 0, required="iota_dimension"),
    _op("partition_id", "{} : result-type", 0),
    _op("replica_id", "{} : result-type", 0),
    _op(
        "rng",
        "%0, %1, %2, distribution = <rng_distribution:rng_distribution> {} : functional-type",
        3,
        required="rng_distribution",
        traits=OPERAND_VALUES,
    ),
    _op(
        "rng_bit_generator",
        "%0, algorithm = <rng_algorithm:rng_algorithm> {} : functional-type",
        1,
        2,
        required="rng_algorithm",
        result_names="output_state output",
    ),
    OpDef(
        "stablehlo.constant",
        operands=0,
        results=1,
        properties=("value",),
        required=("value",),
        kinds=kinds_of("constant", ("value",)),
        verifiers=(verify,),
        traits=PURE | CONSTANT_LIKE,
        parse=parse_constant_or_old_form,
        print_=print_constant,
        result_names=_constant_name,
    ),
]

_WINDOW_PROPERTIES = "lhs_dilation precision_config rhs_dilation window_reversal window_strides"
_CONVOLUTION_PROPERTIES = "dimension_numbers feature_group_count batch_group_count"
_CONVOLUTION = Assembly(
    "(%*) dim_numbers = <dimension_numbers:convolution_dimensions>, window = <window> {} : functional-type",
    notations=convolution_text.NOTATIONS,
    parts=convolution_text.PARTS,
)

_CONTRACTION_ROWS = [
    _op("convolution", _CONVOLUTION, 2, required=_CONVOLUTION_PROPERTIES, optional=f"padding {_WINDOW_PROPERTIES}"),
    _op(
        "dot",
        "%0, %1(?, precision = <precision_config:precisions>?) {} : functional-type",
        2,
        optional="precision_config",
    ),
    _op(
        "dot_general",
        "%0, %1, <dot_dimensions><precision_and_algorithm> {} : functional-type",
        2,
        required="dot_dimension_numbers",
        optional="precision_config algorithm",
    ),
    _op("dynamic_conv", None, 3, required=_CONVOLUTION_PROPERTIES, optional=_WINDOW_PROPERTIES),
    _op("einsum", "%0, %1, config = <einsum_config:string> {} : functional-type", 2, required="einsum_config"),
    _op("unary_einsum", "%0, config = <einsum_config:string> {} : functional-type", required="einsum_config"),
]

_NUMERIC_ROWS = [
    _op(
        "batch_norm_grad",
        None,
        5,
        3,
        required="epsilon feature_index",
        result_names="grad_operand grad_scale grad_offset",
    ),
    _op("batch_norm_inference", None, 5, required="epsilon feature_index"),
    _op(
        "batch_norm_training",
        None,
        3,
        3,
        required="epsilon feature_index",
        result_names="output batch_mean batch_var",
    ),
    _op("cholesky", "%0(?, lower = <lower:boolean>?) {} : same-type", optional="lower"),
    _op(
        "fft",
        "%0, type = <fft_type:fft_type>, length = <fft_length:integers> {} : functional-type",
        required="fft_type fft_length",
    ),
    _op("triangular_solve", None, 2, required="left_side lower unit_diagonal transpose_a"),
]

_INDEXING_ROWS = [
    _op(
        "dynamic_gather", None, 3, required="dimension_numbers", optional="indices_are_sorted", traits=_PURE_WITH_SHAPE
    ),
    _op("gather", None, 2, required="dimension_numbers slice_sizes", optional="indices_are_sorted"),
    _op(
        "scatter",
        None,
        _SOME,
        _ANY,
        required="scatter_dimension_numbers",
        optional="indices_are_sorted unique_indices",
        regions=1,
        traits=RECURSIVE_EFFECTS,
    ),
    _op("torch_index_select", None, 2, required="dim batch_dims"),
]

_REDUCTION_ROWS = [
    _op("map", None, _ANY, required="dimensions", regions=1, traits=_WITH_BODY),
    OpDef(
        "stablehlo.reduce",
        operands=_ANY,
        results=_ANY,
        regions=1,
        properties=("dimensions",),
        required=("dimensions",),
        kinds=kinds_of("reduce", ("dimensions",)),
        verifiers=(verify,),
        traits=_WITH_BODY,
        parse=parse_reduce,
        print_=print_reduce,
    ),
    _op(
        "reduce_window",
        None,
        _ANY,
        _ANY,
        required="window_dimensions",
        optional="window_strides base_dilations window_dilations padding",
        regions=1,
        traits=_WITH_BODY,
    ),
    _op(
        "select_and_scatter",
        None,
        3,
        optional="window_dimensions window_strides padding",
        regions=2,
        traits=RECURSIVE_EFFECTS,
    ),
    _op("sort", None, _SOME, _SOME, optional="dimension is_stable", regions=1, traits=RECURSIVE_EFFECTS),
]

_COLLECTIVE_ROWS = [
    _op(
        "all_gather",
        None,
        _ANY,
        _ANY,
        required="all_gather_dim replica_groups",
        optional="channel_handle use_global_device_ids",
        traits=0,
    ),
    _op(
        "all_reduce",
        None,
        _ANY,
        _ANY,
        required="replica_groups",
        optional="channel_handle use_global_device_ids",
        regions=1,
        traits=SINGLE_BLOCK,
    ),
    _op(
        "all_to_all",
        None,
        _ANY,
        _ANY,
        required="split_dimension concat_dimension split_count replica_groups",
        optional="channel_handle",
        traits=0,
    ),
    _op("async_done", None, traits=0),
    _op("async_start", None, _ANY, 1, regions=1, traits=ISOLATED | SINGLE_BLOCK),
    _op(
        "collective_broadcast",
        None,
        _ANY,
        _ANY,
        required="replica_groups",
        optional="channel_handle has_dynamic_root",
        traits=0,
    ),
    _op(
        "collective_reduce",
        None,
        _ANY,
        _ANY,
        required="replica_groups",
        optional="channel_handle has_dynamic_root use_global_device_ids",
        regions=1,
        traits=SINGLE_BLOCK,
    ),
    _op("collective_permute", None, required="source_target_pairs", optional="channel_handle", traits=0),
    _op("cross-replica-sum", None, required="replica_groups"),
    _op(
        "reduce_scatter",
        None,
        required="scatter_dimension replica_groups",
        optional="channel_handle use_global_device_ids",
        regions=1,
        traits=0,
    ),
]

_CUSTOM_CALL_PROPERTIES = (
    "api_version",
    "backend_config",
    "call_target_name",
    "called_computations",
    "has_side_effect",
    "operand_layouts",
    "output_operand_aliases",
    "result_layouts",
)

_CONTROL_ROWS = [
    _op("after_all", "%* {} : same-type", _ANY),
    _op("case", None, 1, _ANY, regions=_ANY, traits=_WITH_BODY | DATA_FLOW),
    _op(
        "composite",
        "<name:string> %* {} : functional-type",
        _ANY,
        _ANY,
        required="name decomposition",
        optional="composite_attributes version",
        regions=_ANY,
        traits=0,
        symbol_verifiers=(verify_composite,),
    ),
    _op("get_tuple_element", "%0[<index:i32>] {} : functional-type", required="index"),
    _op("if", None, 1, _ANY, regions=2, traits=_WITH_BODY),
    _op("infeed", None, 1, _ANY, optional="infeed_config layout", traits=0),
    _op("outfeed", None, _SOME, optional="outfeed_config", traits=0),
    _op("recv", None, 1, _ANY, required="channel_handle", optional="is_host_transfer source_target_pairs", traits=0),
    _op("return", "%* {} : operand-types", _ANY, 0, traits=PURE | TERMINATOR),
    _op("send", None, _SOME, required="channel_handle", optional="is_host_transfer source_target_pairs", traits=0),
    _op("tuple", "%* {} : tuple-result", _ANY),
    OpDef(
        "stablehlo.custom_call",
        operands=_ANY,
        results=_ANY,
        properties=_CUSTOM_CALL_PROPERTIES,
        required=("call_target_name",),
        kinds=kinds_of("custom_call", _CUSTOM_CALL_PROPERTIES),
        verifiers=(verify,),
        parse=(_CUSTOM_CALL := _form("<call_target_name:symbol>(%...) {} : functional-type")).parse,
        print_=_CUSTOM_CALL.print_,
        elides=_elided_in_custom_call,
        is_pure=_has_no_side_effect,
    ),
    OpDef(
        "stablehlo.optimization_barrier",
        operands=_ANY,
        results=_ANY,
        traits=PURE | DATA_FLOW,
        verifiers=(verify,),
        parse=parse_optimization_barrier,
        print_=print_optimization_barrier,
    ),
    OpDef(
        "stablehlo.while",
        operands=_ANY,
        results=_ANY,
        regions=2,
        traits=_WITH_BODY | DATA_FLOW,
        verifiers=(verify,),
        parse=parse_while,
        print_=print_while,
        argument_names=argument_names,
    ),
]

DIALECT = Dialect(
    "stablehlo",
    [
        *_ELEMENTWISE_ROWS,
        *_SHAPE_ROWS,
        *_SOURCE_ROWS,
        *_CONTRACTION_ROWS,
        *_NUMERIC_ROWS,
        *_INDEXING_ROWS,
        *_REDUCTION_ROWS,
        *_COLLECTIVE_ROWS,
        *_CONTROL_ROWS,
    ],
    parse_attribute=parse_attribute,
    parse_type=parse_type,
)
