"""Data-flow edges where no data-flow operation is."""

from __future__ import annotations

import pytest

import pyshardy


def test_an_edge_on_a_value_that_owns_none_is_an_error_at_the_edge() -> None:
    module = pyshardy.parse(
        "func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
        "  %0 = sdy.data_flow_edge %a : tensor<8x8xf32>\n"
        "  return %0 : tensor<8x8xf32>\n"
        "}\n"
    )
    with pytest.raises(pyshardy.PyshardyError) as caught:
        pyshardy.run_passes(module, "builtin.module(sdy-basic-propagate)")
    (error,) = caught.value.diagnostics
    assert (error.position.line, error.position.column) == (2, 8)
    assert error.message.startswith(
        "'sdy.data_flow_edge' op expects as input a result or block argument of a data-flow"
    )
