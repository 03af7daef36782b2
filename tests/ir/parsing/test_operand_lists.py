"""Long lists of operands and types are read at once if they are written as MLIR prints them."""

from __future__ import annotations

import pytest

from pyshardy import PyshardyError, parse

LISTS = (
    ("%a, %a, %b", "tensor<8xf32>, tensor<8xf32>, tensor<4x?xi1>"),
    ("%p#1, %p#0, %p", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%p#1, %p #1, %a", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%p#01, %p#1 , %a", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %b, %c", "tensor<8xf32>, tensor<4x?xi1>, tensor<8xcomplex<f32>>"),
    ("%c, %a, %a", "tensor<8xcomplex<f32>>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %a, %b", "tensor<8xf32>, tensor<8xf32>, tensor<4x ?xi1>"),
)
WRONG = (
    ("%a, %a, %none", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %p#2, %a", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %p#99999999999, %a", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %p#x, %a", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %a, a", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %a,", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %a", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %b, %a", "tensor<8xf32>, tensor<8xf32>, tensor<8xf32>"),
    ("%a, %a, %a", "tensor<8xf32>, tensor<8xf99>, tensor<8xf32>"),
    ("%a, %a, %a", "tensor<8xf32>, tensor<99999999999999999999xf32>, tensor<8xf32>"),
    ("%a, %a, %a", "tensor<8xf32>, tensor<8xf32>, f32 tensor<8xf32>"),
)


def outcome(operands: str, types: str) -> str:
    """The program that hands these operands on, or what is said of it but for columns."""
    text = f"""
    func.func @f(%a: tensor<8xf32>, %b: tensor<4x?xi1>, %c: tensor<8xcomplex<f32>>) -> ({types}) {{
      %p:2 = "test.pair"() : () -> (tensor<8xf32>, tensor<8xf32>)
      "test.use"({operands}) : ({types}) -> ()
      return {operands} : {types}
    }}
    """
    try:
        return str(parse(text, allow_unregistered=True))
    except PyshardyError as error:
        return " ".join(part for part in str(error).split() if not part.startswith("-:"))


@pytest.mark.parametrize(("operands", "types"), [*LISTS, *WRONG])
def test_lists_are_read_as_one_by_one(operands: str, types: str) -> None:
    one_by_one = outcome(operands.replace(", ", ",  "), types.replace(", ", ",  "))
    assert outcome(operands, types) == one_by_one
    assert ("error" in one_by_one) == ((operands, types) not in LISTS)
