"""Exact numbers through operations from outside: what an evaluator that is asked for a part may do."""

from types import SimpleNamespace
from typing import Any, NoReturn, cast

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter.exact.by_rule import _works_by_pieces
from pyshardy.interpreter.frame import Frame, OutOfTime
from pyshardy.ir.operation import Operation
from pyshardy.rules.registry import rule_for

TANH = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
VALUES = np.arange(4.0)[None]


def asked(native: Any) -> bool:
    """Whether ``native``, as the evaluator of a tanh, is believed to work piece by piece."""
    op = next(one for one in parse(TANH).op.walk() if one.name == "stablehlo.tanh")
    rule = rule_for(op)
    assert rule is not None
    frame = cast(Frame, SimpleNamespace(counting_in=lambda numbers: None))
    return _works_by_pieces(frame, op, native, rule, 0, [VALUES], [np.tanh(VALUES)])


def test_what_does_the_same_with_a_part_is_believed() -> None:
    assert asked(lambda frame, op, operands: [np.tanh(operands[0])])
    assert not asked(lambda frame, op, operands: [np.tanh(operands[0]) + operands[0].shape[1]])


def test_what_cannot_do_with_a_part_is_not_believed() -> None:
    def fails(frame: Frame, op: Operation, operands: list[Any]) -> NoReturn:
        raise ZeroDivisionError

    assert not asked(fails)


def test_a_run_that_is_given_up_ends() -> None:
    def is_out_of_time(frame: Frame, op: Operation, operands: list[Any]) -> NoReturn:
        raise OutOfTime

    with pytest.raises(OutOfTime):
        asked(is_out_of_time)
