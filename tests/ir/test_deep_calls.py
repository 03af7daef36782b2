"""Functions may call each other as deep as they like."""

from __future__ import annotations

from pyshardy import parse, run_passes

_DEPTH = 1_100


def test_calls_nest_deeper_than_python_recurses() -> None:
    row = "tensor<8xf32>"
    functions = [
        f"func.func private @f{depth}(%a: {row}) -> {row} {{\n"
        f"  %0 = call @f{depth + 1}(%a) : ({row}) -> {row}\n  return %0 : {row}\n}}"
        for depth in range(_DEPTH)
    ]
    mesh = 'sdy.mesh @mesh = <["x"=2]>'
    main = f'func.func @main(%a: {row} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}) -> {row} {{\n'
    main += f"  %0 = call @f0(%a) : ({row}) -> {row}\n  return %0 : {row}\n}}"
    last = f"func.func private @f{_DEPTH}(%a: {row}) -> {row} {{\n"
    last += f"  %0 = stablehlo.tanh %a : {row}\n  return %0 : {row}\n}}"
    module = parse("\n".join([mesh, main, *functions, last]))
    run_passes(module, "builtin.module(sdy-propagation-pipeline)")
    text = str(module)
    assert f'@f{_DEPTH}(%arg0: {row} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}})' in text
    assert 'stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}' in text
