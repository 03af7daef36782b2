"""What each property of the dialect's operations may hold, in the words of MLIR's verifier.

``stablehlo.operations`` puts these into its rows; the parser of the generic form and the verifier ask them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pyshardy.dialects.enumerations import Enumeration
from pyshardy.dialects.property_kinds import FLAT_SYMBOL, STRING, UNIT
from pyshardy.dialects.stablehlo import attributes as stablehlo
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import (
    ArrayAttr,
    DenseArrayAttr,
    DictionaryAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from pyshardy.ir.elements import DenseElementsAttr, DenseResourceAttr, SparseElementsAttr, StringElementsAttr
from pyshardy.ir.opdef import PropertyKind, property_kind
from pyshardy.ir.types import F32, I1, I32, I64, IndexType, IntegerType, TensorType, Type

# --- numbers ----------------------------------------------------------------------------------------------------------


def _integer(type: Type, summary: str, least: int | None = None) -> PropertyKind:
    def accepts(value: Attribute) -> bool:
        return isinstance(value, IntegerAttr) and value.type is type and (least is None or value.value >= least)

    return PropertyKind(summary, lambda value: isinstance(value, IntegerAttr), accepts)


def _is_boolean(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) and value.type is I1


def _is_api_version(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) and value.type is I32 and 0 <= value.value <= 4


def _dense_array(element: Type) -> PropertyKind:
    def is_one(value: Attribute) -> bool:
        return isinstance(value, DenseArrayAttr) and value.element_type is element

    return PropertyKind(f"{element} dense array attribute", is_one, is_one)


def _is_integer_elements(value: Attribute) -> bool:
    return isinstance(value, DenseElementsAttr) and isinstance(value.type.element, IntegerType | IndexType)


def _is_i64_elements(value: Attribute) -> bool:
    return isinstance(value, DenseElementsAttr) and value.type.element is I64


def _is_replica_groups(value: Attribute) -> bool:
    return isinstance(value, stablehlo.ReplicaGroupMeshAxes) or _is_i64_elements(value)


_I64 = "64-bit signless integer attribute"
_I32 = "32-bit signless integer attribute"
_INTEGER = _integer(I64, _I64)
_NON_NEGATIVE = _integer(I64, f"{_I64} whose value is non-negative", 0)
_POSITIVE = _integer(I64, f"{_I64} whose value is positive", 1)
_BOOLEAN = PropertyKind("bool attribute", _is_boolean, _is_boolean)
_INTEGERS = _dense_array(I64)
_BOOLEANS = _dense_array(I1)
_ELEMENTS = PropertyKind("64-bit signless integer elements attribute", _is_integer_elements, _is_i64_elements)
_GROUPS = PropertyKind(
    f"{_ELEMENTS.summary} or mesh and axes based replica groups representation.", lambda _: True, _is_replica_groups
)

# --- enumerations, structures, lists ----------------------------------------------------------------------------------


def _case(enumeration: Enumeration, summary: str) -> PropertyKind:
    def is_one(value: Attribute) -> bool:
        return (
            isinstance(value, EnumAttr)
            and value.dialect == enumeration.dialect
            and value.mnemonic == enumeration.mnemonic
        )

    return PropertyKind(summary, is_one, is_one)


def _array(summary: str, accepts: Callable[[Attribute], bool]) -> PropertyKind:
    return PropertyKind(
        summary,
        lambda value: isinstance(value, ArrayAttr),
        lambda value: isinstance(value, ArrayAttr) and all(map(accepts, value)),
    )


def _is_symbol(value: Attribute) -> bool:
    return isinstance(value, SymbolRefAttr) and len(value.path) == 1


def _is_layout(value: Attribute) -> bool:
    return (
        isinstance(value, DenseElementsAttr)
        and isinstance(value.type, TensorType)
        and value.type.rank == 1
        and isinstance(value.type.element, IndexType)
    )


def _is_precision(value: Attribute) -> bool:
    return isinstance(value, EnumAttr) and value.dialect == "stablehlo" and value.mnemonic == "precision"


_LAYOUTS = _array("Array of layout (1D tensor of index type) attributes", _is_layout)
_INFORMATION = "Attribute that models the dimension information for"
_CONVOLUTION = property_kind("Structure of dimension information for conv op", stablehlo.ConvDimensionNumbers)
_GATHER = property_kind(f"{_INFORMATION} gather", stablehlo.GatherDimensionNumbers)


def _each(names: str, kind: PropertyKind) -> dict[str, PropertyKind]:
    return dict.fromkeys(names.split(), kind)


_KINDS: dict[str, PropertyKind] = {
    **_each(
        "all_gather_dim concat_dimension dimension feature_index iota_dimension scatter_dimension split_dimension",
        _NON_NEGATIVE,
    ),
    **_each("batch_group_count feature_group_count split_count", _POSITIVE),
    **_each("batch_dims dim", _INTEGER),
    **_each(
        "has_side_effect indices_are_sorted is_host_transfer is_stable left_side lower unique_indices unit_diagonal",
        _BOOLEAN,
    ),
    **_each(
        "base_dilations broadcast_dimensions broadcast_sizes dimensions edge_padding_high edge_padding_low fft_length "
        "interior_padding known_expanding_dimensions known_nonexpanding_dimensions lhs_dilation limit_indices "
        "permutation rhs_dilation slice_sizes start_indices strides window_dilations window_dimensions "
        "window_strides",
        _INTEGERS,
    ),
    **_each("call_target_name einsum_config infeed_config name outfeed_config", STRING),
    "algorithm": property_kind(
        "Attribute that models the algorithm constraints to use for computing dot.", stablehlo.DotAlgorithm
    ),
    "api_version": PropertyKind("Custom call API version", _is_api_version, _is_api_version),
    "backend_config": PropertyKind(
        "string attribute or dictionary of named attribute values",
        lambda _: True,
        lambda value: isinstance(value, StringAttr | DictionaryAttr),
    ),
    "called_computations": _array("flat symbol ref array attribute", _is_symbol),
    "channel_handle": property_kind("two 64-bit integers 'handle' and 'type'", stablehlo.ChannelHandle),
    "compare_type": _case(stablehlo.COMPARISON_TYPE, "Which comparison type to use."),
    "comparison_direction": _case(stablehlo.COMPARISON_DIRECTION, "Which comparison operation to perform."),
    "composite_attributes": property_kind("dictionary of named attribute values", DictionaryAttr),
    "decomposition": FLAT_SYMBOL,
    "dot_dimension_numbers": property_kind(f"{_INFORMATION} dot.", stablehlo.DotDimensionNumbers),
    "epsilon": PropertyKind(
        "32-bit float attribute",
        lambda value: isinstance(value, FloatAttr),
        lambda value: isinstance(value, FloatAttr) and value.type is F32,
    ),
    "exponent_bits": _integer(I32, f"{_I32} whose value is positive", 1),
    "fft_type": _case(stablehlo.FFT_TYPE, "XLA fast fourier transform type."),
    "has_dynamic_root": property_kind("bool attribute", UnitAttr, IntegerAttr),
    "index": _integer(I32, f"{_I32} whose value is non-negative", 0),
    "layout": property_kind("array attribute", ArrayAttr),
    "mantissa_bits": _integer(I32, f"{_I32} whose value is non-negative", 0),
    "operand_layouts": _LAYOUTS,
    "output_operand_aliases": _array(
        "Aliasing attribute for outputs and operands of CustomCall",
        lambda value: isinstance(value, stablehlo.OutputOperandAlias),
    ),
    "padding": _ELEMENTS,
    "precision_config": _array("Precision Config attribute", _is_precision),
    "replica_groups": _GROUPS,
    "result_accuracy": property_kind("The requested accuracy for transcendental unary ops.", stablehlo.ResultAccuracy),
    "result_layouts": _LAYOUTS,
    "rng_algorithm": _case(stablehlo.RNG_ALGORITHM, "XLA PRNG algorithm to be used."),
    "rng_distribution": _case(stablehlo.RNG_DISTRIBUTION, "XLA PRNG distribution to be used."),
    "scatter_dimension_numbers": property_kind(f"{_INFORMATION} scatter", stablehlo.ScatterDimensionNumbers),
    "source_target_pairs": _ELEMENTS,
    "transpose_a": _case(stablehlo.TRANSPOSE, "Transpose options"),
    "use_global_device_ids": UNIT,
    "value": property_kind(
        "constant vector/tensor attribute",
        DenseElementsAttr,
        DenseResourceAttr,
        SparseElementsAttr,
        StringElementsAttr,
    ),
    "version": _integer(I32, _I32),
    "window_reversal": _BOOLEANS,
}
"""By name of the property."""

_EXCEPTIONS: dict[tuple[str, str], PropertyKind] = {
    ("convolution", "dimension_numbers"): _CONVOLUTION,
    ("cross-replica-sum", "replica_groups"): _ELEMENTS,
    ("dynamic_conv", "dimension_numbers"): _CONVOLUTION,
    ("dynamic_gather", "dimension_numbers"): _GATHER,
    ("gather", "dimension_numbers"): _GATHER,
    ("sort", "dimension"): _INTEGER,
}
"""By operation and property, where one name stands for different things."""


_NAMED = {
    "bool": _BOOLEAN,
    "elements": _ELEMENTS,
    "index": _NON_NEGATIVE,
    "integer": _INTEGER,
    "integers": _INTEGERS,
    "size": _POSITIVE,
    "string": STRING,
}
"""Kinds that a row may give its properties by these names, as in ``gather_dim:index``."""


def kinds_of(operation: str, properties: Mapping[str, str]) -> dict[str, PropertyKind]:
    """What the ``properties`` of an operation (named without its dialect) may hold: the kind that its row names, else
    that of this file.

    Raises:
        LookupError: neither says it; the message says what to write.
    """
    found: dict[str, PropertyKind] = {}
    for name, kind in sorted(properties.items()):
        known = _NAMED.get(kind) if kind else _EXCEPTIONS.get((operation, name)) or _KINDS.get(name)
        if known is None:
            said = (
                f"the row says {name}:{kind}, but {kind} is no kind"
                if kind
                else f"it is not known what its property {name} may hold"
            )
            raise LookupError(
                f"stablehlo.{operation}: {said}: write {name}:KIND in the row, where KIND is one of "
                f"{', '.join(_NAMED)}, or write {name} alone, and give it a kind in _KINDS of "
                "dialects/stablehlo/verification/property_kinds.py"
            )
        found[name] = known
    return found
