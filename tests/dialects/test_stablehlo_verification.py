"""What is wrong with an illegal StableHLO operation is said in MLIR's words, and what is legal passes."""

from __future__ import annotations

import pytest

import pyshardy

_SUM = (
    "^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> stablehlo.return %s : tensor<f32>"
)


def _function(arguments: str, body: str) -> str:
    return f"func.func @f({arguments}) {{ {body} return }}"


def _messages(program: str) -> list[str]:
    with pytest.raises(pyshardy.PyshardyError) as caught:
        pyshardy.parse(program)
    return [diagnostic.message for diagnostic in caught.value.diagnostics]


def test_an_operand_of_the_wrong_element_type_is_named_with_what_it_must_be() -> None:
    program = _function("%a: tensor<4xi32>", "%0 = stablehlo.floor %a : tensor<4xi32>")
    assert _messages(program) == [
        "'stablehlo.floor' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or per-tensor integer "
        "quantized values, but got 'tensor<4xi32>'"
    ]


def test_a_result_of_the_wrong_shape_is_compared_with_the_inferred_one() -> None:
    program = _function(
        "%a: tensor<4x8xf32>", "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>"
    )
    assert _messages(program) == [
        "'stablehlo.transpose' op inferred type(s) 'tensor<8x4xf32>' are incompatible with return type(s) of operation "
        "'tensor<4x8xf32>'",
        "'stablehlo.transpose' op failed to infer returned types",
    ]


def test_a_reason_found_while_inferring_stands_without_the_name_before_the_second_message() -> None:
    program = _function("%a: tensor<4xf32>", "%0 = stablehlo.slice %a [1:9] : (tensor<4xf32>) -> tensor<8xf32>")
    assert _messages(program) == [
        "limit index 9 is larger than dimension size 4 in dimension 0",
        "'stablehlo.slice' op failed to infer returned types",
    ]


def test_a_check_of_the_whole_operation_stands_alone() -> None:
    program = _function("%a: tensor<4xf32>", "%0 = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<2x3xf32>")
    assert _messages(program) == ["number of output elements (6) doesn't match expected number of elements (4)"]


def test_an_attribute_of_the_wrong_kind_does_not_get_into_the_properties() -> None:
    program = _function(
        "%a: tensor<4xf32>",
        '%0 = "stablehlo.reverse"(%a) <{dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>',
    )
    assert _messages(program) == [
        "invalid properties {dimensions = dense<0> : tensor<1xi64>} for op stablehlo.reverse: Invalid attribute "
        "`dimensions` in property conversion: dense<0> : tensor<1xi64>"
    ]


def test_an_attribute_that_is_out_of_range_fails_its_constraint() -> None:
    program = _function("", '%0 = "stablehlo.iota"() <{iota_dimension = -1 : i64}> : () -> tensor<4xf32>')
    assert _messages(program) == [
        "'stablehlo.iota' op attribute 'iota_dimension' failed to satisfy constraint: 64-bit signless integer "
        "attribute whose value is non-negative"
    ]


@pytest.mark.parametrize(
    ("regions", "message"),
    [
        ("{}", "'stablehlo.reduce' op region #0 ('body') failed to verify constraint: region with 1 blocks"),
        (
            "{ ^bb0(%x: tensor<f32>): stablehlo.return %x : tensor<f32> }",
            "Reduction-region must take 2 parameters, but takes 1 parameter(s)",
        ),
        (
            "{ ^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x, %y : tensor<f32>, tensor<f32> }",
            "Reduction-region here must produce 1 tensors, but produces 2 instead",
        ),
        (
            "{ ^bb0(%x: tensor<i32>, %y: tensor<f32>): stablehlo.return %y : tensor<f32> }",
            "The type of reduction-region's parameter at index 0 is different than the corresponding result type: "
            "'tensor<i32>' vs 'tensor<f32>'",
        ),
    ],
)
def test_the_body_of_a_reduction_has_to_fit_what_it_reduces(regions: str, message: str) -> None:
    program = _function(
        "%a: tensor<4x8xf32>, %i: tensor<f32>",
        f'%0 = "stablehlo.reduce"(%a, %i) <{{dimensions = array<i64: 1>}}> ({regions}) : '
        "(tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>",
    )
    assert _messages(program)[0] == message


def test_a_composite_has_the_types_of_its_decomposition() -> None:
    program = """
        func.func @f(%a: tensor<4xf32>) {
          %0 = stablehlo.composite "my.op" %a {decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>
          return
        }
        func.func private @g(tensor<4xf32>) -> tensor<8xf32>
    """
    assert _messages(program) == [
        "result at index 0 has type 'tensor<4xf32>', but decomposition has type 'tensor<8xf32>'"
    ]


def test_a_constant_shape_is_compared_with_the_result() -> None:
    body = """
        %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
        %0 = stablehlo.dynamic_reshape %a, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<3x2xf32>
    """
    assert _messages(_function("%a: tensor<6xf32>", body)) == [
        "output shape [2, 3] is incompatible with return type of operation 'tensor<3x2xf32>'"
    ]


@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        (
            "%a: tensor<?x8xf32>, %b: tensor<4x?xf32>",
            "%0 = stablehlo.multiply %a, %b : (tensor<?x8xf32>, tensor<4x?xf32>) -> tensor<4x8xf32>",
        ),
        (
            "%a: tensor<?xf32, #stablehlo.bounds<5>>",
            "%0 = stablehlo.abs %a : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<3xf32>",
        ),
        (
            "%a: tensor<0x4xf32>, %i: tensor<f32>",
            '%0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({ ' + _SUM + " }) : "
            "(tensor<0x4xf32>, tensor<f32>) -> tensor<4xf32>",
        ),
        ("%t: !stablehlo.token", "%0 = stablehlo.after_all %t, %t : !stablehlo.token"),
        (
            "%a: tuple<tensor<4xf32>, tuple<>>",
            "%0 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<4xf32>, tuple<>>) -> tuple<>",
        ),
    ],
    ids=["dynamic sizes that complete each other", "bounds", "no elements", "tokens", "tuples"],
)
def test_legal_operations_pass(arguments: str, body: str) -> None:
    pyshardy.parse(_function(arguments, body))


_NO_PADDING = "padding = dense<> : tensor<0x2xi64>"


@pytest.mark.parametrize(
    "body",
    [
        f'%0 = "stablehlo.reduce_window"(%a, %a) <{{window_dimensions = array<i64>, {_NO_PADDING}}}> ({{{_SUM}}})'
        " : (tensor<f32>, tensor<f32>) -> tensor<f32>",
        "%0 = stablehlo.convolution(%m, %m) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [], pad = []} "
        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x3xf32>, tensor<3x3xf32>) -> "
        "tensor<3x3xf32>",
    ],
)
def test_a_window_without_dimensions_has_an_empty_padding(body: str) -> None:
    program = _function("%a: tensor<f32>, %m: tensor<3x3xf32>", body)
    assert pyshardy.partition(pyshardy.parse(program)).check().agrees


def test_operations_of_one_signature_are_all_right_or_the_first_is_reported() -> None:
    wrong = "stablehlo.floor %a : (tensor<4xf32>) -> tensor<8xf32>"
    program = f"func.func @f(%a: tensor<4xf32>) {{\n%0 = {wrong}\n%1 = {wrong}\nreturn\n}}"
    with pytest.raises(pyshardy.PyshardyError) as caught:
        pyshardy.parse(program)
    assert [diagnostic.position.line for diagnostic in caught.value.diagnostics] == [2]
