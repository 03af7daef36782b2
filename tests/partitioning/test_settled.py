"""Layouts that one way found become shardings, and spread to what it left whole; the boundary stays as it is."""

from __future__ import annotations

from pyshardy import parse
from pyshardy.dialects.sdy import placement
from pyshardy.emitting.layout import Layout, layout_of, replicated
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.pipeline_text import expanded
from pyshardy.module import Module
from pyshardy.partitioning.plan import without_reshards
from pyshardy.partitioning.settled import settled
from pyshardy.passes.propagation_pipeline import PropagationPipeline
from tests.partitioning.random_layouts import MESHES

_X = "tensor<8x8xf32>"
_ROWS = '{sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}'
_COLUMNS = '{sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>}'


def _main(module: Module) -> Operation:
    return next(op for op in module.op.body if op.symbol_name == "main")


def _settled(text: str) -> Module:
    """The program settled where a way has left the results of additions as the first argument is, those of sines by
    columns, and all others whole."""
    module = parse(f"sdy.mesh @m = {MESHES['m']}\n{text}")
    rows = placement.function_argument_sharding(_main(module), 0)
    layouts: dict[Value, Layout] = {}
    for op in module.op.walk():
        for value in op.results:
            by_rows = layout_of(rows, value.type, placement.meshes(module.op))
            known = {"stablehlo.add": by_rows, "stablehlo.sine": by_rows.with_dims(reversed(by_rows.dims))}
            layouts[value] = known.get(op.name, replicated(placement.rank_of(value.type)))
    return settled(module, layouts, without_reshards(expanded(PropagationPipeline())))


def _sharding(module: Module, name: str) -> str:
    op = next(op for op in module.op.walk() if op.name == name)
    sharding = placement.sharding_of(op.results[0])
    return "" if sharding is None else sharding.body_text


def test_what_is_made_of_nothing_is_shared_as_its_user_is() -> None:
    module = _settled(f"""
func.func @main(%a: {_X} {_ROWS}) -> {_X} {{
  %0 = stablehlo.iota dim = 0 : {_X}
  %1 = stablehlo.sine %0 {_COLUMNS} : {_X}
  %2 = stablehlo.add %a, %1 {_COLUMNS} : {_X}
  return %2 : {_X}
}}""")
    assert _sharding(module, "stablehlo.add") == _sharding(module, "stablehlo.sine") == '<@m, [{"x"}, {}]>'


def test_what_functions_and_loops_make_of_nothing_is_so_too() -> None:
    module = _settled(f"""
func.func @main(%a: {_X} {_ROWS}) -> {_X} {{
  %0 = call @noise() {_COLUMNS} : () -> {_X}
  %1 = stablehlo.add %a, %0 {_COLUMNS} : {_X}
  return %1 : {_X}
}}
func.func private @noise() -> ({_X} {{sdy.sharding = #sdy.sharding<@m, [{{}}, {{"x"}}]>}}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : {_X}
  %1:2 = stablehlo.while(%i = %zero, %x = %0) : tensor<i32>, {_X}
  attributes {{sdy.sharding = #sdy.sharding_per_value<[<@m, []>, <@m, [{{}}, {{"x"}}]>]>}}
  cond {{
    %c = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.sine %x {_COLUMNS} : {_X}
    stablehlo.return %2, %3 : tensor<i32>, {_X}
  }}
  return %1#1 : {_X}
}}""")
    assert _sharding(module, "stablehlo.sine") == '<@m, [{"x"}, {}]>'


def test_arguments_and_results_that_nothing_is_said_of_stay_whole() -> None:
    module = _settled(f"""
func.func @main(%a: {_X} {_ROWS}, %b: {_X}) -> {_X} {{
  %0 = stablehlo.add %a, %b {_COLUMNS} : {_X}
  return %0 : {_X}
}}""")
    main = _main(module)
    for sharding in (placement.function_argument_sharding(main, 1), placement.function_result_sharding(main, 0)):
        assert sharding is None or not sharding.has_axes


def test_a_function_that_nobody_calls_may_call_itself() -> None:
    module = _settled(f"""
func.func @main(%a: {_X} {_ROWS}) -> {_X} {{
  %0 = stablehlo.add %a, %a {_COLUMNS} : {_X}
  return %0 : {_X}
}}
func.func private @endless(%a: {_X}) -> {_X} {{
  %0 = call @endless(%a) : ({_X}) -> {_X}
  return %0 : {_X}
}}""")
    assert _sharding(module, "stablehlo.add") == '<@m, [{"x"}, {}]>'
