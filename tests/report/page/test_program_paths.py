"""Where operations stand in the tree of a page, of a program as JAX writes it: loops, functions of its own, einsums."""

from __future__ import annotations

from pyshardy import parse
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.report.page.program_paths import ProgramPaths

_TYPE = "tensor<4x4xf32>"
_PROGRAM = f"""
#scan = loc("jit(step)/jvp()/while"("m.py":1:1))
#cond = loc("jit(step)/jvp()/while/cond/lt"("m.py":1:1))
#call = loc("jit(step)/jvp()/while/body/closed_call"("m.py":2:1))
#next = loc("jit(step)/jvp()/while/body/add"("m.py":1:1))
#gate = loc("layer/mlp/bd,df->bf/dot_general"("m.py":3:1))
#norm = loc("layer/rsqrt"("m.py":4:1))
#back = loc("jit(step)/transpose(jvp(loss))/mul"("m.py":5:1))
#adam = loc("jit(step)/adam/add"("m.py":6:1))
func.func @main(%a: {_TYPE}) -> {_TYPE} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, {_TYPE} cond {{
    %many = stablehlo.constant dense<80> : tensor<i32> loc(#cond)
    %c = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#cond)
    stablehlo.return %c : tensor<i1>
  }} do {{
    %y = func.call @closed_call_6(%x) : ({_TYPE}) -> {_TYPE} loc(#call)
    %one = stablehlo.constant dense<1> : tensor<i32> loc(#next)
    %n = stablehlo.add %i, %one : tensor<i32> loc(#next)
    stablehlo.return %n, %y : tensor<i32>, {_TYPE}
  }} loc(#scan)
  %1 = stablehlo.multiply %0#1, %0#1 : {_TYPE} loc(#back)
  %2 = stablehlo.add %1, %1 : {_TYPE} loc(#adam)
  return %2 : {_TYPE}
}}
func.func private @closed_call_6(%x: {_TYPE}) -> {_TYPE} {{
  %0 = stablehlo.dot %x, %x : ({_TYPE}, {_TYPE}) -> {_TYPE} loc(#gate)
  %1 = stablehlo.rsqrt %0 : {_TYPE} loc(#norm)
  %2 = stablehlo.rsqrt %1 : {_TYPE} loc(#norm)
  %3 = stablehlo.rsqrt %2 : {_TYPE} loc(#norm)
  %4 = stablehlo.rsqrt %3 : {_TYPE} loc(#norm)
  %5 = stablehlo.rsqrt %4 : {_TYPE} loc(#norm)
  %6 = stablehlo.rsqrt %5 : {_TYPE} loc(#norm)
  return %6 : {_TYPE}
}}
"""


def test_bodies_stand_where_they_are_called_and_loops_say_their_turns() -> None:
    explainer = Explainer(parse(_PROGRAM))
    paths = ProgramPaths(explainer)
    found = {
        op.name: paths.of(op)
        for op in explainer.traced.source.op.operations()
        if op.parent_op and op.name != "func.func"
    }
    dot, root = found["stablehlo.dot"], found["stablehlo.rsqrt"]
    assert dot == (("forward", "layer ×80", "mlp"), "bd,df->bf")
    assert root == (("forward", "layer ×80"), "")
    assert found["stablehlo.multiply"].path == ("backward", "loss")
    assert not any("call" in step for path, _ in found.values() for step in path)


def test_a_function_that_is_called_under_a_transformation_stands_in_its_pass() -> None:
    text = f"""
#there = loc("jit(step)/jvp(jit(silu))"("m.py":1:1))
#back = loc("jit(step)/transpose(jvp())"("m.py":2:1))
#inside = loc("mul"("m.py":3:1))
func.func @main(%a: {_TYPE}) -> {_TYPE} {{
  %0 = call @silu(%a) : ({_TYPE}) -> {_TYPE} loc(#there)
  %1 = call @other(%0) : ({_TYPE}) -> {_TYPE} loc(#back)
  return %1 : {_TYPE}
}}
func.func private @silu(%x: {_TYPE}) -> {_TYPE} {{
  %0 = stablehlo.multiply %x, %x : {_TYPE} loc(#inside)
  return %0 : {_TYPE}
}}
func.func private @other(%x: {_TYPE}) -> {_TYPE} {{
  %0 = stablehlo.tanh %x : {_TYPE} loc(#inside)
  return %0 : {_TYPE}
}}
"""
    explainer = Explainer(parse(text))
    paths = ProgramPaths(explainer)
    operations = explainer.traced.source.op.operations()
    found = [(op.name, *paths.of(op).path) for op in operations if op.parent_op and op.name != "func.func"]
    assert [one for one in found if one[0] != "func.return"] == [
        ("func.call", "forward"),
        ("func.call", "backward"),
        ("stablehlo.multiply", "forward"),
        ("stablehlo.tanh", "backward"),
    ]
