"""Functions and calls: prefixes, and the attributes of arguments and results."""

from pyshardy.api import programs as api
from pyshardy.dialects import func
from pyshardy.ir.attributes import UnitAttr
from tests.ir.tables import printed


def test_a_call_keeps_its_prefix_where_functions_are_not_the_default() -> None:
    call = "call @f() : () -> ()"
    text = f'func.func @f() {{\n "foo.a"() ({{\n {call}\n }}) : () -> ()\n {call}\n return\n}}'
    assert "    func.call @f() : () -> ()\n" in printed(text)
    assert "\n    call @f() : () -> ()\n" in printed(text)


def test_attributes_of_arguments_and_results_come_and_go() -> None:
    module = api.parse("func.func private @f(i32, i64 {foo.a}) -> (i32, i64)")
    op = module.op.body.first
    assert op is not None
    assert func.arguments_attributes(op, 1).get("foo.a") is UnitAttr()
    func.set_argument_attribute(op, 0, "foo.b", UnitAttr())
    func.set_argument_attribute(op, 1, "foo.a", None)
    func.set_result_attribute(op, 1, "foo.c", UnitAttr())
    assert func.result_attributes(op, 1).get("foo.c") is UnitAttr()
    assert "@f(i32 {foo.b}, i64) -> (i32, i64 {foo.c})" in str(module)
    func.set_argument_attribute(op, 0, "foo.b", None)
    func.set_result_attribute(op, 1, "foo.c", None)
    assert "arg_attrs" not in op.properties
    assert "res_attrs" not in op.properties


def test_questions_about_functions_have_answers() -> None:
    module = api.parse("func.func private @g(i32)\nfunc.func @f(%a: i32) {\n  call @g(%a) : (i32) -> ()\n  return\n}")
    declaration, definition = module.op.body
    assert func.is_declaration(declaration)
    assert not func.is_declaration(definition)
    assert str(func.function_type(definition)) == "(i32) -> ()"
    call = definition.body.first
    assert call is not None
    assert func.callee(call) == "g"
