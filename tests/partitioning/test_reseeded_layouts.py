"""Layouts that one way of partitioning found, spread to a copy of the program."""

from __future__ import annotations

import pytest

from pyshardy import PyshardyError, parse, propagate
from pyshardy.dialects.sdy.placement import meshes
from pyshardy.emitting.layout import Layout
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.pipeline_text import parse_pipeline
from pyshardy.ir.verifying.verifier import is_legal
from pyshardy.partitioning.localizing.program import SourceProgram
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.reseeded_layouts import reseeded, with_layouts
from pyshardy.partitioning.verified_once import verified_once
from pyshardy.sharding.axes import AxisRef


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
    partitioner = Partitioner(SourceProgram(module.op), module.context, RunOptions(ignore_requested=True))
    partitioner.run()
    given = {result for op in module.op.walk() for result in op.results}
    assert any(value not in given for value in partitioner.chosen_layouts)
    copy = reseeded(module, partitioner.chosen_layouts, Pipeline("builtin.module", ()))
    assert "batch_norm_inference" in str(copy)


STEP = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  %0 = stablehlo.tanh %a : tensor<4x4xf32>
  %1 = stablehlo.add %0, %0 : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}"""


def test_layouts_become_shardings_however_passes_are_verified() -> None:
    def copy() -> str:
        module = propagate(parse(STEP))
        tanh = next(op for op in module.op.walk() if op.name == "stablehlo.tanh")
        layout = Layout(meshes(module.op)["mesh"], [(), (AxisRef("x"),)])
        return str(reseeded(module, {tanh.results[0]: layout}, parse_pipeline("builtin.module(sdy-basic-propagate)")))

    once = copy()
    lines = [line for line in once.splitlines() if "stablehlo." in line and "mesh" in line and " = " in line]
    assert ['<@mesh, [{}, {"x"}]>' in line for line in lines if "%" in line] == [True, False]
    assert '<@mesh, [{"x", ?}, {?}]>' in lines[-1]
    with shortcuts.without_shortcuts():
        assert copy() == once


def test_what_is_illegal_behind_the_passes_is_seen_and_said() -> None:
    module = parse(STEP)
    passes = parse_pipeline("builtin.module(sdy-basic-propagate)")
    assert verified_once(module, passes)
    tanh, add = (op for op in module.op.walk() if op.name in ("stablehlo.tanh", "stablehlo.add"))
    rewriting.move_before(tanh, next(iter(add.result.users)))
    assert not verified_once(module, passes)
    with pytest.raises(PyshardyError, match=r"'stablehlo\.add' op"):
        reseeded(module, {}, passes)


def test_constants_stand_where_they_are_used() -> None:
    module = parse("""
        sdy.mesh @mesh = <["x"=2]>
        func.func @main(%a: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
          %s = stablehlo.constant dense<1.0> : tensor<f32>
          %c = stablehlo.constant dense<2.0> : tensor<4xf32>
          %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
          %0 = stablehlo.add %a, %c : tensor<4xf32>
          %1 = stablehlo.multiply %0, %b : tensor<4xf32>
          %2 = "stablehlo.if"(%p) ({
            %3 = stablehlo.subtract %1, %c : tensor<4xf32>
            stablehlo.return %3 : tensor<4xf32>
          }, {
            stablehlo.return %1 : tensor<4xf32>
          }) : (tensor<i1>) -> tensor<4xf32>
          %4 = stablehlo.divide %2, %b : tensor<4xf32>
          return %4 : tensor<4xf32>
        }""")
    main = next(op for op in with_layouts(module, {}).op.body if op.name == "func.func")
    names = [op.name.removeprefix("stablehlo.") for op in main.body]
    assert names == [
        *[
            "constant",
            "constant",
            "add",
            "broadcast_in_dim",
            "multiply",
            "constant",
            "if",
            "broadcast_in_dim",
            "divide",
        ],
        "func.return",
    ]
    assert is_legal(main.parent_op or main, module.context)
    assert all(len(op.result._uses) == 1 for op in main.body if op.name.endswith("dim"))
