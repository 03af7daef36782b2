"""Diagnostics that quote the operation they are about."""

from __future__ import annotations

import pyshardy
from pyshardy.ir.verifying.operation_diagnostics import emit_at

PROGRAM = """func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
"""


def test_an_error_quotes_its_operation_in_generic_form() -> None:
    module = pyshardy.parse(PROGRAM)
    call = module.op.body.first.body.first  # type: ignore[union-attr]
    assert call is not None
    diagnostic = emit_at(module.context, "error", call, "is wrong")
    assert [str(note) for note in diagnostic.notes] == [
        '-:2:8: note: see current operation: %0 = "func.call"(%arg0) <{callee = @f}> : (tensor<8xf32>) -> tensor<8xf32>'
    ]


def test_a_warning_quotes_it_in_pretty_form_with_its_whole_name_and_longer_ones_on_lines_of_their_own() -> None:
    module = pyshardy.parse(PROGRAM)
    func = module.op.body.last
    assert func is not None
    call = module.op.body.first.body.first  # type: ignore[union-attr]
    assert call is not None
    short, long = (emit_at(module.context, "warning", op, "is odd").notes[0].message for op in (call, func))
    assert short == "see current operation: %0 = func.call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>"
    assert long == (
        "see current operation: \nfunc.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {\n"
        "  return %arg0 : tensor<8xf32>\n}"
    )
