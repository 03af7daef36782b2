"""Kinds of operations: what was made alike and is so still has one, whatever it reads."""

from __future__ import annotations

from pyshardy import parse
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.types import TensorType

ROW = "tensor<8xf32>"
TEXT = f"""
func.func @main(%x: {ROW}, %n: tensor<i1>) -> {ROW} {{
  %a = stablehlo.add %x, %x : {ROW}
  %b = stablehlo.add %a, %x : {ROW}
  %c = stablehlo.add %b, %a : {ROW}
  %d = "stablehlo.if"(%n) ({{
    %e = stablehlo.add %c, %c : {ROW}
    stablehlo.return %e : {ROW}
  }}, {{
    stablehlo.return %a : {ROW}
  }}) : (tensor<i1>) -> {ROW}
  return %d : {ROW}
}}"""


def kinds_of(root: Operation) -> tuple[list[Operation], list[int], OperationKinds]:
    """The additions of ``root``, their kinds, and all kinds."""
    kinds = OperationKinds(root)
    assert [kinds.examples[number].name for number in kinds.numbers] == [op.name for op in kinds.operations]
    found = [(op, kind) for op, kind in zip(kinds.operations, kinds.numbers, strict=True) if "add" in op.name]
    return [op for op, _ in found], [kind for _, kind in found], kinds


def test_operations_that_were_made_alike_are_of_one_kind() -> None:
    module = parse(TEXT)
    additions, numbers, kinds = kinds_of(module.op)
    assert len(additions) == 4
    assert len(set(numbers)) == 1
    assert kinds.examples[numbers[0]] is additions[0]
    assert kinds.counts[numbers[0]] == 4
    assert kinds.counts.total() == len(kinds.operations)


def test_what_was_changed_is_of_another_kind() -> None:
    module = parse(TEXT)
    first, second, third, fourth = kinds_of(module.op)[0]
    first.attributes = first.attributes.with_("note", StringAttr("first"))
    _, numbers, _ = kinds_of(module.op)
    assert numbers[0] != numbers[1] == numbers[2] == numbers[3]
    fourth.attributes = first.attributes
    _, numbers, _ = kinds_of(module.op)
    assert numbers[0] == numbers[3] != numbers[1] == numbers[2]
    second.properties = second.properties.with_("note", StringAttr("second"))
    _, numbers, _ = kinds_of(module.op)
    assert len(set(numbers)) == 3
    rewriting.set_type(third.results[0], TensorType((8,), third.results[0].type))
    _, numbers, _ = kinds_of(module.op)
    assert len(set(numbers)) == 4


def test_operations_of_a_block_keep_their_kinds() -> None:
    module = parse(TEXT)
    kinds = OperationKinds(module.op)
    main = next(op for op in module.op.body if op.name == "func.func")
    operations, numbers = kinds.within(main.body)
    assert operations == main.body.operations()
    assert [kinds.numbers[kinds.operations.index(op)] for op in operations] == numbers


NESTED = f"""
func.func @main(%x: {ROW}, %n: tensor<i1>) -> {ROW} {{
  %a = "stablehlo.if"(%n) ({{
    %b = "stablehlo.if"(%n) ({{
      stablehlo.return %x : {ROW}
    }}, {{
      %c = stablehlo.add %x, %x : {ROW}
      stablehlo.return %c : {ROW}
    }}) : (tensor<i1>) -> {ROW}
    stablehlo.return %b : {ROW}
  }}, {{
    stablehlo.return %x : {ROW}
  }}) : (tensor<i1>) -> {ROW}
  %d = stablehlo.add %a, %x : {ROW}
  return %d : {ROW}
}}
func.func private @other(%x: {ROW}) -> {ROW}
func.func private @last(%x: {ROW}) -> {ROW} {{
  return %x : {ROW}
}}"""


def test_all_operations_are_gone_through_in_their_order() -> None:
    for text in (TEXT, NESTED):
        root = parse(text).op
        kinds = OperationKinds(root)
        assert kinds.operations == root.operations()
        for op in root.operations():
            for region in op.regions:
                for block in region.blocks:
                    operations, numbers = kinds.within(block)
                    assert operations == block.operations()
                    assert numbers == [kinds.numbers[kinds.operations.index(op)] for op in operations]
            assert OperationKinds(op).operations == op.operations()
