"""StableHLO's text: canonical programs come back byte for byte, other spellings become canonical, errors are MLIR's."""

from __future__ import annotations

import pytest

from pyshardy.ir.attributes import DictionaryAttr, IntegerAttr
from pyshardy.ir.printing.program_text import operation_text
from pyshardy.ir.registry import dialect
from pyshardy.ir.types import I64
from tests.dialects.canonical import canonical, first_error, line_printed, printed, read


@pytest.mark.parametrize("source", ["stablehlo", "stablehlo.generic"])
def test_a_canonical_program_prints_pretty_as_mlir_prints_it(source: str) -> None:
    assert printed(canonical(source)) == canonical("stablehlo")


@pytest.mark.parametrize("source", ["stablehlo", "stablehlo.generic"])
def test_a_canonical_program_prints_generic_as_mlir_prints_it(source: str) -> None:
    assert printed(canonical(source), generic=True) == canonical("stablehlo.generic")


def test_the_canonical_program_has_every_operation_but_those_that_jaxlib_does_not_have() -> None:
    stablehlo = dialect("stablehlo")
    assert stablehlo is not None
    used = {op.name for op in read(canonical("stablehlo")).walk()}
    found = set(stablehlo.definitions) - used
    unknown = {"stablehlo.collective_reduce", "stablehlo.uniform_dequantize", "stablehlo.uniform_quantize"}
    missing, present = sorted(found - unknown), sorted(unknown - found)
    assert not missing, (
        f"add {missing} to tests/dialects/programs/stablehlo.mlir and stablehlo.generic.mlir, or, if jaxlib does not "
        "have them, to `unknown` of this test"
    )
    assert not present, f"the canonical program has {present}: take them out of `unknown` of this test"


CANONICALIZED = {
    "a signature of equal types shrinks to the type": (
        "%0 = stablehlo.add %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>",
        "%0 = stablehlo.add %arg0, %arg1 : tensor<4x8xf32>",
    ),
    "the attribute dictionary outdoes what the syntax says": (
        "%0 = stablehlo.slice %a [0:4, 1:8:1] {strides = array<i64: 1, 2>} : (tensor<4x8xf32>) -> tensor<4x4xf32>",
        "%0 = stablehlo.slice %arg0 [0:4, 1:8:2] : (tensor<4x8xf32>) -> tensor<4x4xf32>",
    ),
    "an enumeration may be quoted": (
        '%0 = stablehlo.compare "EQ", %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>',
        "%0 = stablehlo.compare EQ, %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>",
    ),
    "an enumeration in the dictionary moves to its place": (
        "%0 = stablehlo.compare EQ, %a, %b {compare_type = #stablehlo<comparison_type FLOAT>}"
        " : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>",
        "%0 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>",
    ),
    "empty batching dimensions vanish": (
        "%0 = stablehlo.dot_general %a, %b, batching_dims = [] x [], contracting_dims = [1] x [1]"
        " : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>",
        "%0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1]"
        " : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>",
    ),
    "defaults of a custom call vanish": (
        "%0 = stablehlo.custom_call @foo(%a) {api_version = 1 : i32, has_side_effect = false, called_computations = [],"
        ' output_operand_aliases = [], backend_config = ""} : (tensor<4x8xf32>) -> tensor<4x8xf32>',
        '%0 = stablehlo.custom_call @foo(%arg0) {backend_config = ""} : (tensor<4x8xf32>) -> tensor<4x8xf32>',
    ),
    "the target of a custom call may stand in the dictionary": (
        '%0 = stablehlo.custom_call @foo(%a) {call_target_name = "b c"} : (tensor<4x8xf32>) -> tensor<4x8xf32>',
        '%0 = stablehlo.custom_call @"b c"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>',
    ),
    "the default accuracy vanishes": (
        "%0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_accuracy<mode ="
        " #stablehlo.result_accuracy_mode<DEFAULT>>, x} : tensor<4x8xf32>",
        "%0 = stablehlo.sqrt %arg0 {x} : tensor<4x8xf32>",
    ),
    "the old form of a constant is understood": (
        "%0 = stablehlo.constant() {value = dense<1> : tensor<5xi32>, x} : () -> tensor<5xi32>",
        "%c = stablehlo.constant {x} dense<1> : tensor<5xi32>",
    ),
    "a constant of floats suggests another name": (
        "%0 = stablehlo.constant dense<1.0> : tensor<5xf32>",
        "%cst = stablehlo.constant dense<1.000000e+00> : tensor<5xf32>",
    ),
    "the window of a convolution is put in order": (
        "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f] x [o, i] -> [b, f], window = {rhs_dilate = [],"
        " stride = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
        " : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>",
        "%0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f]x[o, i]->[b, f], window = {stride = [],"
        " rhs_dilate = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
        " : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>",
    ),
    "a splat padding is written out": (
        '%0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,'
        " padding = dense<1> : tensor<1x2xi64>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>",
        "%0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window ="
        " {pad = [[1, 1]]} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>",
    ),
    "the mantissa loses its leading zeros": (
        "%0 = stablehlo.reduce_precision %a, format = e05m010 : (tensor<4x8xf32>) -> tensor<4x8xf32>",
        "%0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4x8xf32>",
    ),
    "a dynamic slice of a scalar keeps its stray comma": (
        "%0 = stablehlo.dynamic_slice %s, sizes = [] : (tensor<f32>) -> tensor<f32>",
        "%0 = stablehlo.dynamic_slice %arg2, , sizes = [] : (tensor<f32>) -> tensor<f32>",
    ),
    "the stray comma is read": (
        "%0 = stablehlo.dynamic_slice %s, , sizes = [] : (tensor<f32>) -> tensor<f32>",
        "%0 = stablehlo.dynamic_slice %arg2, , sizes = [] : (tensor<f32>) -> tensor<f32>",
    ),
    "a barrier without operands has brackets": (
        "stablehlo.optimization_barrier {x} ()",
        "stablehlo.optimization_barrier {x}()",
    ),
    "an old tensor encoding becomes bounds": (
        "%0 = stablehlo.custom_call @x() : () -> tensor<?xf32, #stablehlo.type_extensions<bounds = [4]>>",
        "%0 = stablehlo.custom_call @x() : () -> tensor<?xf32, #stablehlo.bounds<4>>",
    ),
}


@pytest.mark.parametrize(("written", "expected"), CANONICALIZED.values(), ids=CANONICALIZED.keys())
def test_other_spellings_become_canonical(written: str, expected: str) -> None:
    assert line_printed(written) == expected


REDUCTION = (
    "%0 = stablehlo.reduce(%a init: %s) across dimensions = [0] {y} : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>"
)


def reduction(body: str) -> str:
    """A reduction of %a with this body."""
    return f"{REDUCTION}\n reducer(%x: tensor<f32>, %z: tensor<f32>) {{\n{body}\n}}"


def test_a_reduction_by_one_commutative_operation_is_compact_and_forgets_its_attributes() -> None:
    written = reduction("%1 = stablehlo.add %x, %z {bar} : tensor<f32>\nstablehlo.return %1 : tensor<f32>")
    assert line_printed(written) == (
        "%0 = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.add across dimensions = [0] {y}"
        " : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>"
    )


@pytest.mark.parametrize(
    "operation", ["stablehlo.add %arg8, %arg7", "stablehlo.subtract %arg7, %arg8", "stablehlo.add %arg7, %arg7"]
)
def test_a_reduction_that_the_compact_form_cannot_say_is_long(operation: str) -> None:
    body = operation.replace("%arg7", "%x").replace("%arg8", "%z")
    written = reduction(f"%1 = {body} : tensor<f32>\nstablehlo.return %1 : tensor<f32>")
    assert line_printed(written) == (
        "%0 = stablehlo.reduce(%arg0 init: %arg2) across dimensions = [0] {y}"
        " : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>\n"
        " reducer(%arg7: tensor<f32>, %arg8: tensor<f32>)  {\n"
        f"  %1 = {operation} : tensor<f32>\n"
        "  stablehlo.return %1 : tensor<f32>\n"
        "}"
    )


def test_the_compact_form_builds_a_body() -> None:
    written = (
        "%0 = stablehlo.reduce(%a init: %s) applies stablehlo.maximum across dimensions = [0]"
        " : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>"
    )
    assert line_printed(written, generic=True) == (
        '%0 = "stablehlo.reduce"(%arg0, %arg2) <{dimensions = array<i64: 0>}> ({\n'
        "^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):\n"
        '  %1 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n'
        '  "stablehlo.return"(%1) : (tensor<f32>) -> ()\n'
        "}) : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>"
    )


def test_nested_loops_name_their_arguments_apart() -> None:
    written = (
        "%0 = stablehlo.while(%x = %a) : tensor<4x8xf32> attributes {z} cond {\n"
        "%t = stablehlo.constant dense<true> : tensor<i1>\nstablehlo.return %t : tensor<i1>\n} do {\n"
        "%1 = stablehlo.while(%x2 = %x) : tensor<4x8xf32> cond {\n"
        "%t = stablehlo.constant dense<true> : tensor<i1>\nstablehlo.return %t : tensor<i1>\n} do {\n"
        "stablehlo.return %x2 : tensor<4x8xf32>\n}\nstablehlo.return %1 : tensor<4x8xf32>\n}"
    )
    assert line_printed(written) == (
        "%0 = stablehlo.while(%iterArg = %arg0) : tensor<4x8xf32> attributes {z}\n"
        "cond {\n"
        "  %c = stablehlo.constant dense<true> : tensor<i1>\n"
        "  stablehlo.return %c : tensor<i1>\n"
        "} do {\n"
        "  %1 = stablehlo.while(%iterArg_0 = %iterArg) : tensor<4x8xf32>\n"
        "  cond {\n"
        "    %c = stablehlo.constant dense<true> : tensor<i1>\n"
        "    stablehlo.return %c : tensor<i1>\n"
        "  } do {\n"
        "    stablehlo.return %iterArg_0 : tensor<4x8xf32>\n"
        "  }\n"
        "  stablehlo.return %1 : tensor<4x8xf32>\n"
        "}"
    )


ERRORS = {
    "%0 = stablehlo.add %a : tensor<4x8xf32>": "22: expected ','",
    "%0 = stablehlo.add %a, %b": "26: expected ':'",
    "%0 = stablehlo.add %a, 1 : tensor<4x8xf32>": "23: expected SSA operand",
    "%0 = stablehlo.add %a, %b : (tensor<4x8xf32>) -> ()": (
        "29: custom op 'stablehlo.add' 2 operands present, but expected 1"
    ),
    "%0 = stablehlo.add %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> ()": (
        "29: custom op 'stablehlo.add' expected single output"
    ),
    "%0 = stablehlo.broadcast_in_dim %s, dims = [a] : (tensor<f32>) -> tensor<4xf32>": (
        "45: custom op 'stablehlo.broadcast_in_dim' expected integer value"
    ),
    "%0 = stablehlo.broadcast_in_dim %s, foo = [] : (tensor<f32>) -> tensor<4xf32>": (
        "37: custom op 'stablehlo.broadcast_in_dim' expected 'dims'"
    ),
    "%0 = stablehlo.broadcast_in_dim %s, dims = [] : tensor<4xf32>": (
        "49: custom op 'stablehlo.broadcast_in_dim' invalid kind of type specified: expected builtin.function, but"
        " found 'tensor<4xf32>'"
    ),
    "%0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>, tensor<f32>) -> tensor<4xf32>": (
        "6: custom op 'stablehlo.broadcast_in_dim' number of operands and types do not match: got 1 operands and 2"
        " types"
    ),
    "%0 = stablehlo.dynamic_update_slice %a : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>": (
        "37: custom op 'stablehlo.dynamic_update_slice' number of operands and types do not match: got 1 operands and 2"
        " types"
    ),
    "%0 = stablehlo.compare FOO, %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>": (
        "24: custom op 'stablehlo.compare' expected ::mlir::stablehlo::ComparisonDirection to be one of: EQ, NE, GE,"
        " GT, LE, LT"
    ),
    "%0 = stablehlo.concatenate %a, %b, dim = [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>": (
        "42: custom op 'stablehlo.concatenate' invalid kind of attribute specified"
    ),
    "%0 = stablehlo.custom_call foo(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>": (
        "28: custom op 'stablehlo.custom_call' expected valid '@'-identifier for symbol name"
    ),
    "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1], foo = [] : (i1, i1) -> i1": (
        "66: custom op 'stablehlo.dot_general' expected 'precision'"
    ),
    "%0 = stablehlo.reduce_precision %a, format = f5m10 : tensor<4x8xf32>": (
        "46: custom op 'stablehlo.reduce_precision' expected exponent mantissa in format e#m#, saw f5m10"
    ),
    "%0 = stablehlo.reduce_precision %a, format = e5m99999999999 : tensor<4x8xf32>": (
        "46: custom op 'stablehlo.reduce_precision' unable to parse mantissa '99999999999'"
    ),
    "%0 = stablehlo.select %p, %a, %b : tensor<4x8xf32>": (
        "36: custom op 'stablehlo.select' expected functional type or list of two types"
    ),
    "%0 = stablehlo.complex %a, %b : tensor<4x8xf32>": (
        "33: custom op 'stablehlo.complex' expected tensor with complex element type"
    ),
    "%0 = stablehlo.tuple %a, %b : tensor<4x8xf32>": "31: custom op 'stablehlo.tuple' expected tuple type",
    "%0 = stablehlo.iota dim = 0 : i32": (
        "31: custom op 'stablehlo.iota' invalid kind of type specified: expected builtin.tensor, but found 'i32'"
    ),
    "%0 = stablehlo.constant 5 : i32": "25: custom op 'stablehlo.constant' invalid kind of attribute specified",
    "%0 = stablehlo.slice %a [0:4, 1] : (tensor<4x8xf32>) -> tensor<4x4xf32>": "32: expected ':'",
    "%0 = stablehlo.case %i : tensor<i32>": "6: custom op 'stablehlo.case' has no custom assembly form",
    "%0 = stablehlo.foo %i : tensor<i32>": "6: custom op 'stablehlo.foo' is unknown",
    "%0 = stablehlo.while(%x = %a) : tensor<4x8xf32> {foo} cond {} do {}": (
        "49: custom op 'stablehlo.while' expected 'cond'"
    ),
    "%0:2 = stablehlo.while(%x = %a, %k = %i) : tensor<4x8xf32> cond {} do {}": (
        "23: custom op 'stablehlo.while' number of operands and types do not match: got 2 operands and 1 types"
    ),
    "%0 = stablehlo.reduce(%a init: %s) applies stablehlo.subtract across dimensions = [0] : (i1, i1) -> i1": (
        "22: custom op 'stablehlo.reduce' expected the inner-op to be a commutative binary-op from the stablehlo"
        " dialect, with zero region, producing single result"
    ),
    "%0 = stablehlo.reduce(%a %s) applies stablehlo.add across dimensions = [0] : (i1, i1) -> i1": (
        "26: custom op 'stablehlo.reduce' expected 'init'"
    ),
    "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[o, i]->[b, f], window = {foo = 1} : (i1, i1) -> i1": (
        "87: custom op 'stablehlo.convolution' Unexpected keyword foo"
    ),
    "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[o, i]->[b, f], window = {pad = [[1]]} : (i1, i1) -> i1": (
        "93: custom op 'stablehlo.convolution' Expected array with 2 elements, got 1 elements instead"
    ),
}


@pytest.mark.parametrize(("written", "expected"), ERRORS.items())
def test_an_error_has_the_words_and_the_place_that_mlir_gives(written: str, expected: str) -> None:
    assert first_error(written) == expected


@pytest.mark.parametrize("op", ["transpose", "pad", "reduce_precision", "dot_general", "compare", "slice", "while"])
def test_printing_survives_properties_that_are_missing_or_of_another_kind(op: str) -> None:
    types = "(tensor<4x8xf32>, tensor<4x8xf32>)"
    regions = "({^bb0(%x: tensor<4x8xf32>):}, {^bb0(%x: tensor<4x8xf32>):})" if op == "while" else ""
    line = f'%0 = "stablehlo.{op}"(%a, %b){regions} : {types} -> tensor<4x8xf32>'
    module = read(f"func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {{ {line} return }}")
    (made,) = (one for one in module.walk() if one.name == f"stablehlo.{op}")
    for names in ((), ("comparison_direction", "permutation", "strides")):
        made.properties = DictionaryAttr(dict.fromkeys(names, IntegerAttr(1, I64)))
        assert f"stablehlo.{op}" in operation_text(module)
