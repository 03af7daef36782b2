"""The table of shardings tells whoever listens what changed, and writes it when it is asked to."""

from __future__ import annotations

from pyshardy import parse
from pyshardy.dialects.sdy.placement import sharding_of
from pyshardy.ir.operation import Value
from pyshardy.propagation.sharding_table import ShardingTable
from pyshardy.sharding.tensor import DimSharding, TensorSharding

PROGRAM = """
sdy.mesh @m = <["p"=2]>
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "two"}> : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
"""
ALONG_P = TensorSharding("m", [DimSharding(["p"])])


def test_who_watches_a_slot_is_told_and_siblings_change_silently() -> None:
    func = list(parse(PROGRAM).op.body)[1]
    first, second = next(iter(func.body)).results
    silent: list[Value] = []
    heard: list[str] = []
    table = ShardingTable(silent.append)
    for result in (first, second):
        assert table.slot_of(result) is result
    table.watch([first], lambda: heard.append("first"))
    table.watch([second], lambda: heard.append("second"))
    table.set(first, ALONG_P)
    assert heard == ["second", "first"]
    assert silent == [second]
    table.set_silently(second, ALONG_P)
    assert heard == ["second", "first", "second"]
    assert silent == [second, second]
    assert sharding_of(first) is None
    table.flush()
    assert sharding_of(first) is ALONG_P
    assert sharding_of(second) is ALONG_P
