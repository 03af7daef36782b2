"""StableHLO's attributes: fields in, text out, one object for equal ones, MLIR's words where the text is wrong."""

from __future__ import annotations

import pytest

import pyshardy
from pyshardy.dialects.stablehlo.attributes import (
    PRECISION,
    RESULT_ACCURACY_MODE,
    AxisRef,
    Bounds,
    ChannelHandle,
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    Mesh,
    MeshAxis,
    OutputOperandAlias,
    ReplicaGroupMeshAxes,
    ResultAccuracy,
    ScatterDimensionNumbers,
    SubAxisInfo,
)
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, EnumAttr, SymbolRefAttr
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.types import F32, FloatType
from tests.dialects.canonical import read

TF32 = FloatType("tf32")

VALUES: dict[str, Attribute] = {
    "#stablehlo.dot<>": DotDimensionNumbers(),
    "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],"
    " lhs_contracting_dimensions = [2, 3]>": (DotDimensionNumbers((0,), (1,), (2, 3))),
    "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [2],"
    " start_indices_batching_dims = [3], start_index_map = [4], index_vector_dim = 1>": (
        GatherDimensionNumbers((1,), (0,), (2,), (3,), (4,), 1)
    ),
    "#stablehlo.gather<>": GatherDimensionNumbers(),
    "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [2],"
    " scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [4], index_vector_dim = 1>": (
        ScatterDimensionNumbers((1,), (0,), (2,), (3,), (4,), 1)
    ),
    "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, f, 1, 0]>": (
        ConvDimensionNumbers(0, 3, (1, 2), 2, 3, (0, 1), 0, 1, (3, 2))
    ),
    "#stablehlo.channel_handle<handle = -2, type = 1>": ChannelHandle(-2, 1),
    "#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 2, operand_tuple_indices = []>": (
        OutputOperandAlias((0,), 2, ())
    ),
    "#stablehlo.bounds<?, 8>": Bounds((None, 8)),
    "#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,"
    " lhs_component_count = 1, rhs_component_count = 2, num_primitive_operations = 3,"
    " allow_imprecise_accumulation = true>": DotAlgorithm(TF32, TF32, F32, 1, 2, 3, True),
    "#stablehlo.result_accuracy<atol = 1.000000e+00, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>": (
        ResultAccuracy(0x3FF0000000000000, 0, 2, RESULT_ACCURACY_MODE.of("TOLERANCE"))
    ),
    '#stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>]>': Mesh(
        (MeshAxis("x", 2), MeshAxis("y", 4))
    ),
    '#stablehlo.mesh_axis<name = "x", size = 2>': MeshAxis("x", 2),
    "#stablehlo<sub_axis_info(1)2>": SubAxisInfo(1, 2),
    '#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>': AxisRef("x", SubAxisInfo(1, 2)),
    '#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>': (
        ReplicaGroupMeshAxes(SymbolRefAttr("mesh"), ArrayAttr([AxisRef("x")]))
    ),
    "#stablehlo<precision HIGHEST>": PRECISION.of("HIGHEST"),
    "#stablehlo.result_accuracy_mode<DEFAULT>": RESULT_ACCURACY_MODE.of("DEFAULT"),
    "#stablehlo<comparison_direction EQ>": EnumAttr("stablehlo", "comparison_direction", "EQ"),
    "#stablehlo<comparison_type TOTALORDER>": EnumAttr("stablehlo", "comparison_type", "TOTALORDER"),
    "#stablehlo<fft_type IRFFT>": EnumAttr("stablehlo", "fft_type", "IRFFT"),
    "#stablehlo<rng_algorithm THREE_FRY>": EnumAttr("stablehlo", "rng_algorithm", "THREE_FRY"),
    "#stablehlo<rng_distribution NORMAL>": EnumAttr("stablehlo", "rng_distribution", "NORMAL"),
    "#stablehlo<transpose ADJOINT>": EnumAttr("stablehlo", "transpose", "ADJOINT"),
}


def attribute(text: str) -> Attribute:
    """What `text` reads as."""
    value = read(f"module attributes {{x.a = {text}}} {{}}").attributes.get("x.a")
    assert value is not None
    return value


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_canonical_text_and_fields_say_the_same(text: str, value: Attribute) -> None:
    assert str(value) == text
    assert attribute(text) is value


OTHER_SPELLINGS = {
    "#stablehlo<dot<rhs_contracting_dimensions = [0x10], lhs_batching_dimensions = []>>": (
        "#stablehlo.dot<rhs_contracting_dimensions = [16]>"
    ),
    "#stablehlo.gather<index_vector_dim = 0>": "#stablehlo.gather<>",
    "#stablehlo.gather<index_vector_dim = 1, offset_dims = [1]>": (
        "#stablehlo.gather<offset_dims = [1], index_vector_dim = 1>"
    ),
    "#stablehlo.channel_handle<type = 1, handle=2>": "#stablehlo.channel_handle<handle = 2, type = 1>",
    "#stablehlo.conv<[b, 0, f] x [0, i, o] -> [b, 0, f]>": "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
    "#stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],"
    " kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [2],"
    " output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [2]>": (
        "#stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>"
    ),
    "#stablehlo.type_extensions<bounds = [?, 8]>": "#stablehlo.bounds<?, 8>",
    "#stablehlo.result_accuracy<rtol = 0.0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>": (
        "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>"
    ),
    '#stablehlo.axis_ref<name = "x", sub_axis_info = #stablehlo<sub_axis_info(1)2>>': (
        '#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>'
    ),
    '#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, <name = "y", size = 4>]>': (
        '#stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>]>'
    ),
    '#stablehlo.mesh_axis<size = 2, name = "x">': '#stablehlo.mesh_axis<name = "x", size = 2>',
}


@pytest.mark.parametrize(("written", "expected"), OTHER_SPELLINGS.items())
def test_other_spellings_become_canonical(written: str, expected: str) -> None:
    assert str(attribute(written)) == expected


def test_an_alias_may_be_an_axis_of_a_mesh() -> None:
    axis = '#axis = #stablehlo.mesh_axis<name = "x", size = 2>'
    module = pyshardy.parse(f"{axis}\nmodule attributes {{x.a = #stablehlo.mesh<axes = [#axis]>}} {{}}")
    assert 'x.a = #stablehlo.mesh<axes=[<name = "x", size = 2>]>' in str(module)


ERRORS = {
    "#stablehlo.dot<lhs_contracting_dimensions = [1], lhs_contracting_dimensions = [2]>": (
        "77: duplicated `lhs_contracting_dimensions` entry",
        "77: failed parsing dot dimension numbers attribute",
    ),
    "#stablehlo.dot<foo = [1]>": (
        "16: expected one of: `lhs_batching_dimensions`, `rhs_batching_dimensions`, `lhs_contracting_dimensions`,"
        " `rhs_contracting_dimensions`",
        "16: failed parsing dot dimension numbers attribute",
    ),
    "#stablehlo.dot<lhs_contracting_dimensions = [1] rhs_contracting_dimensions = [1]>": (
        "48: expected '>'",
        "49: failed parsing dot dimension numbers attribute",
    ),
    "#stablehlo.gather<offset_dims = 1>": (
        "32: expected '['",
        "33: failed parsing gather dimension numbers attribute",
    ),
    "#stablehlo.foo<1>": ("12: unknown StableHLO attribute",),
    "#stablehlo<precision FOO>": (
        "22: expected ::mlir::stablehlo::Precision to be one of: DEFAULT, HIGH, HIGHEST",
        "25: failed to parse StableHLO_PrecisionAttr parameter 'value' which is to be a `::mlir::stablehlo::Precision`",
    ),
    "#stablehlo.precision<HIGHEST>": (
        "21: expected valid keyword or string",
        "21: failed to parse StableHLO_PrecisionAttr parameter 'value' which is to be a `::mlir::stablehlo::Precision`",
    ),
    "#stablehlo.channel_handle<type = 1, foo = 2>": ("43: duplicate or unknown struct parameter name: foo",),
    "#stablehlo.channel_handle<type = a, foo = 2>": (
        "34: expected integer value",
        "34: failed to parse StableHLO_ChannelHandle parameter 'type' which is to be a `int64_t`",
    ),
    "#stablehlo.output_operand_alias<operand_index = 0>": ("33: expected 'output_tuple_indices'",),
    "#stablehlo.result_accuracy<>": ("28: expected 'mode'",),
    "#stablehlo.conv<[b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f]>": ("29: Expected spatial dimensions 1 not specified",),
    "#stablehlo.conv<[b, 0, 0, f]x[0, 1, i, o]->[b, 0, 1, f]>": ("24: Duplicate entries for spatial dimension 0",),
    "#stablehlo.conv<[b, b, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>": ("21: Unexpected dimension b, expecting f",),
    "#stablehlo.conv<[b, 0, 1]x[0, 1, i, o]->[b, 0, 1, f]>": ("25: Expected dimensions f not specified",),
    "#stablehlo.conv<[b, 0, 1, f]y[0, 1, i, o]->[b, 0, 1, f]>": ("29: expected 'x'",),
    '#stablehlo.mesh<axes = [#stablehlo.axis_ref<name = "x">]>': (
        "25: invalid kind of attribute specified",
        "56: failed to parse StableHLO_Mesh parameter 'axes' which is to be a "
        "`::llvm::ArrayRef<stablehlo::MeshAxisAttr>`",
    ),
    "#stablehlo.mesh_axis<name = 2, size = 2>": (
        "29: expected string",
        "29: failed to parse StableHLO_MeshAxis parameter 'name' which is to be a `::llvm::StringRef`",
    ),
    '#stablehlo.axis_ref<name = "x", sub_axis_info = (a)2>': (
        "50: expected integer value",
        "50: failed to parse StableHLO_SubAxisInfo parameter 'pre_size' which is to be a `int64_t`",
        "50: failed to parse StableHLO_AxisRef parameter 'sub_axis_info' which is to be a `SubAxisInfoAttr`",
    ),
    '#stablehlo.replica_group_mesh_axes<mesh = "m", axes = []>': ("35: mesh must be a FlatSymbolRefAttr or MeshAttr",),
    "#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [1 : i32]>": ("35: expected AxisRefAttr in axes list",),
    "!stablehlo.foo": ("12: unknown stablehlo type: foo",),
    "!stablehlo.future<!stablehlo.token>": (
        "18: future element type must be a ranked tensor, but got '!stablehlo.token'",
    ),
}


@pytest.mark.parametrize(("text", "expected"), ERRORS.items())
def test_an_error_has_the_words_and_the_place_that_mlir_gives(text: str, expected: tuple[str, ...]) -> None:
    before = len("module attributes {x.a = ")
    with pytest.raises(PyshardyError) as caught:
        attribute(text)
    found = [f"{one.position.column - before}: {one.message}" for one in caught.value.diagnostics]
    assert found == list(expected)


def test_a_wild_spatial_dimension_costs_nothing() -> None:
    with pytest.raises(PyshardyError, match="Expected spatial dimensions 0"):
        attribute("#stablehlo.conv<[b, 4611686018427387904, f]x[0, i, o]->[b, 0, f]>")


def test_an_enumeration_refuses_a_case_it_does_not_have() -> None:
    with pytest.raises(ValueError, match="precision has no case 'LOW'"):
        PRECISION.of("LOW")
