"""``no_inline`` is a property of functions and calls, as in MLIR."""

from __future__ import annotations

from pyshardy import parse


def test_it_stands_among_the_properties_of_functions_and_calls() -> None:
    module = parse(
        "func.func private @f() attributes {no_inline, x.y} { call @g() {no_inline} : () -> () return }\n"
        "func.func private @g() attributes {no_inline}"
    )
    generic = module.text(generic=True)
    assert (
        '"func.func"() <{function_type = () -> (), no_inline, sym_name = "f", sym_visibility = "private"}>' in generic
    )
    assert '"func.call"() <{callee = @g, no_inline}>' in generic
    assert "func.func private @f() attributes {no_inline, x.y} {" in str(module)
    assert "func.func private @g() attributes {no_inline}" in str(module)
