"""Operations of the dialect `sdy` as text: what is read prints alike, and what is wrong is said."""

from __future__ import annotations

import pytest

import pyshardy
from pyshardy.ir.diagnostics import PyshardyError

MESHES = """  sdy.mesh @mesh = <["a"=2, "b"=4, "c"=8]>
  sdy.mesh @maximal = <[], device_ids=[3]> {foo = 1 : i32}
"""

BODIES = [
    '%0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {"b":(1)2, ?}p1], replicated={"c"}> {foo} : tensor<8x8xf32>',
    "%0 = sdy.reshard %arg0 <@mesh, [{}, {?}]> : tensor<8x8xf32>",
    "sdy.sharding_group %arg0 group_id=-3 : tensor<8x8xf32>",
    "%0 = sdy.propagation_barrier %arg0 allowed_direction=BACKWARD : tensor<8x8xf32>",
    '%0 = sdy.data_flow_edge %arg0 sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>',
    "%0 = sdy.data_flow_edge %arg0 : tensor<8x8xf32>",
    "%0 = sdy.func_data_flow_edge %arg0 : tensor<8x8xf32>",
    "%0 = sdy.constant {foo} dense<1.000000e+00> : tensor<8xf32>",
    '%0 = sdy.all_slice [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"b"}, {}]> {foo} : tensor<8x8xf32>',
    '%0 = sdy.all_reduce {"b", "c"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>',
    '%0 = sdy.all_reduce max {"b"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>',
    '%0 = sdy.reduce_scatter min [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>',
    """%0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] \
manual_axes={"a"} (%arg1: tensor<4x8xf32>) {
      sdy.return %arg1 : tensor<4x8xf32>
    } {foo = 1 : i32} : (tensor<8x8xf32>) -> tensor<8x8xf32>""",
    """sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
      sdy.return
    } : () -> ()""",
    """%0:2 = sdy.named_computation<"fo\\22o">(%arg0, %arg0) out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{?}, {?}]>] \
(%arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) {
      sdy.return {bar} %arg2, %arg1 : tensor<8x8xf32>, tensor<8x8xf32>
    } : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)""",
]


def program(body: str) -> str:
    return f"module {{\n{MESHES}  func.func @f(%arg0: tensor<8x8xf32>) {{\n    {body}\n    return\n  }}\n}}\n"


def messages(text: str) -> list[str]:
    with pytest.raises(PyshardyError) as error:
        pyshardy.parse(text)
    return [diagnostic.message for diagnostic in error.value.diagnostics]


@pytest.mark.parametrize("body", BODIES)
def test_the_pretty_form_prints_as_it_was_written(body: str) -> None:
    assert str(pyshardy.parse(program(body))) == program(body)


@pytest.mark.parametrize("body", BODIES)
def test_the_generic_form_reads_as_the_same_program(body: str) -> None:
    module = pyshardy.parse(program(body))
    generic = module.text(generic=True)
    again = pyshardy.parse(generic)
    assert again.text(generic=True) == generic
    assert str(again) == str(module)


def test_a_sum_need_not_be_named() -> None:
    body = '%0 = sdy.all_reduce {0}{{"b"}} %arg0 out_sharding=<@mesh, [{{}}, {{}}]> : tensor<8x8xf32>'
    assert str(pyshardy.parse(program(body.format("sum ")))) == program(body.format(""))


def test_properties_stand_in_angle_brackets_in_the_generic_form() -> None:
    generic = pyshardy.parse(program(BODIES[3])).text(generic=True)
    assert '"sdy.propagation_barrier"(%arg0) <{allowed_direction = 2 : i32}>' in generic


def test_the_dictionary_of_the_pretty_form_has_the_last_word() -> None:
    written = program("sdy.sharding_group %arg0 group_id=3 {group_id = 4} : tensor<8x8xf32>")
    assert "group_id=4 :" in str(pyshardy.parse(written))


def test_attributes_of_block_arguments_are_dropped() -> None:
    argument = "(%arg1: tensor<4x8xf32>)"
    written = BODIES[12].replace(argument, "(%arg1: tensor<4x8xf32> {foo = 1 : i32})")
    assert str(pyshardy.parse(program(written))) == program(BODIES[12])


def test_a_constant_reads_in_the_generic_tail_too() -> None:
    body = "%0 = sdy.constant() <{value = dense<1> : tensor<8xi32>}> {foo} : () -> tensor<8xi32>"
    assert "sdy.constant {foo} dense<1> : tensor<8xi32>" in str(pyshardy.parse(program(body)))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%0 = sdy.reshard %arg0 : tensor<8x8xf32>", "expected '<'"),
        (
            "%0 = sdy.reshard %arg0 #sdy.sharding<@mesh, [{}, {}]> : tensor<8x8xf32>",
            "invalid SSA value result number",
        ),
        (
            "sdy.sharding_group %arg0 group_id=3 : i32",
            "custom op 'sdy.sharding_group' invalid kind of type specified: expected builtin.tensor, but found 'i32'",
        ),
        ("%0 = sdy.data_flow_edge %arg0 : i32", "custom op 'sdy.data_flow_edge' invalid kind of type specified"),
        (
            "%0 = sdy.propagation_barrier %arg0 allowed_direction=UP : tensor<8x8xf32>",
            "custom op 'sdy.propagation_barrier' expected string or keyword containing one of the following enum "
            "values for attribute 'allowed_direction' [NONE, FORWARD, BACKWARD, BOTH]",
        ),
        (
            '%0 = sdy.all_slice [{"b"}, {}] %arg0 <@mesh, [{"b"}, {}]> : tensor<8x8xf32>',
            "custom op 'sdy.all_slice' expected 'out_sharding'",
        ),
        (
            "sdy.manual_computation() in_shardings=[] manual_axes={} () { sdy.return } : () -> ()",
            "custom op 'sdy.manual_computation' expected 'out_shardings'",
        ),
        (
            "sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} { }",
            "expected '(' in argument list",
        ),
        (
            '%0 = "sdy.reshard"(%arg0) <{sharding = 1 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>',
            "invalid properties {sharding = 1 : i32} for op sdy.reshard: Invalid attribute `sharding` in property "
            "conversion: 1 : i32",
        ),
    ],
)
def test_wrong_syntax_is_refused(body: str, message: str) -> None:
    assert messages(program(body))[0] == message


def test_a_short_name_means_nothing_in_the_body_of_a_computation() -> None:
    body = BODIES[12].replace("sdy.return", "return")
    assert messages(program(body)) == ["Dialect `' not found for custom op 'return'  (tried '.return' as well)"]
