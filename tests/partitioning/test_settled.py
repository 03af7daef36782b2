"""Layouts that one way of partitioning found, spread to a copy of the program."""

from __future__ import annotations

from pyshardy import parse, propagate
from pyshardy.ir.passes import Pipeline
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.settled import settled


def test_what_an_operation_is_expanded_to_has_no_counterpart_in_the_copy() -> None:
    module = propagate(
        parse("""
        sdy.mesh @mesh = <["x"=2]>
        func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                        %b: tensor<4xf32>) -> tensor<4x4xf32> {
          %0 = "stablehlo.batch_norm_inference"(%a, %b, %b, %b, %b) <{epsilon = 1.0e-03 : f32,
               feature_index = 1 : i64}>
               : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
          return %0 : tensor<4x4xf32>
        }""")
    )
    partitioner = Partitioner(Program(module.op), module.context, RunOptions(free_results=True))
    partitioner.run()
    given = {result for op in module.op.walk() for result in op.results}
    assert any(value not in given for value in partitioner.left)
    copy = settled(module, partitioner.left, Pipeline("builtin.module", ()))
    assert "batch_norm_inference" in str(copy)
