"""Programs whose layers have functions of their own, with names as passes and the partitioner would make them."""

from __future__ import annotations

from collections.abc import Callable

TYPE = "tensor<8x16xf32>"
WEIGHT = "tensor<16x16xf32>"


def named_functions(layers: int, first: Callable[[int, str], list[str]], functions: list[str]) -> str:
    """``layers`` that each begin with the lines of ``first(layer, x)``, which make ``%f<layer>`` of ``%<x>``. The
    program has ``functions`` of these names."""
    lines, x = [], "x"
    for layer in range(layers):
        lines += first(layer, x)
        lines.append(
            f"%d{layer} = stablehlo.dot_general %f{layer}, %w{layer}, contracting_dims = [1] x [0] "
            f": ({TYPE}, {WEIGHT}) -> {TYPE}"
        )
        x = f"d{layer}"
        for number in range(8):
            lines.append(f"%t{layer}_{number} = stablehlo.tanh %{x} : {TYPE}")
            x = f"t{layer}_{number}"
    weights = "".join(
        f', %w{layer}: {WEIGHT} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"y"}}]>}}' for layer in range(layers)
    )
    body = "\n  ".join(lines)
    sharded = f'%x: {TYPE} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}'
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=2]>',
            f"func.func @main({sharded}{weights}) -> {TYPE} {{",
            f"  {body}\n  return %{x} : {TYPE}\n}}",
            *(
                f"func.func private @{name}(%a: {TYPE}) -> {TYPE} {{\n"
                f"  %0 = stablehlo.tanh %a : {TYPE}\n  return %0 : {TYPE}\n}}"
                for name in functions
            ),
        ]
    )


def composite(name: str, operand: str, function: str) -> str:
    return f'%{name} = stablehlo.composite "a.b" %{operand} {{decomposition = @{function}}} : ({TYPE}) -> {TYPE}'


def call(name: str, operand: str, function: str) -> str:
    return f"%{name} = func.call @{function}(%{operand}) : ({TYPE}) -> {TYPE}"
