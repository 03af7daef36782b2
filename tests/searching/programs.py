"""Programs that strategies are searched for: perceptrons with momentum, of any number of layers, and small ones."""

from __future__ import annotations

from pyshardy import Module, parse

CHAIN = """
func.func @main(%x: tensor<{rows}x{width}xf32> loc("x"), %a: tensor<{width}x{hidden}xf32> loc("w['up']"),
                %b: tensor<{hidden}x{width}xf32> loc("w['down']"))
    -> (tensor<{rows}x{width}xf32> {{jax.result_info = "result"}}) {{
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0]
      : (tensor<{rows}x{width}xf32>, tensor<{width}x{hidden}xf32>) -> tensor<{rows}x{hidden}xf32>
  %1 = stablehlo.tanh %0 : tensor<{rows}x{hidden}xf32>
  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0]
      : (tensor<{rows}x{hidden}xf32>, tensor<{hidden}x{width}xf32>) -> tensor<{rows}x{width}xf32>
  return %2 : tensor<{rows}x{width}xf32>
}}
"""


def chain(rows: int = 64, width: int = 32, hidden: int = 128) -> Module:
    """Two matrix products, as a model runs them for inference."""
    return parse(CHAIN.format(rows=rows, width=width, hidden=hidden))


def training(layers: int, rows: int = 256, width: int = 128, hidden: int = 512) -> Module:
    """A step of gradient descent with momentum of residual perceptrons; arguments and results are named as JAX does."""
    y, up = f"tensor<{rows}x{width}xf32>", f"tensor<{width}x{hidden}xf32>"
    down, wide = f"tensor<{hidden}x{width}xf32>", f"tensor<{rows}x{hidden}xf32>"
    arguments = [f'%x: {y} loc("x")']
    for kind in ("params", "momentum"):
        for n in range(layers):
            arguments += [
                f"%{kind}_u{n}: {up} loc(\"{kind}['layers'][{n}]['up']\")",
                f"%{kind}_d{n}: {down} loc(\"{kind}['layers'][{n}]['down']\")",
            ]
    body = [f"  %rate = stablehlo.constant dense<0.1> : {up}", f"  %rate2 = stablehlo.constant dense<0.1> : {down}"]
    body.append(f"  %y0 = stablehlo.tanh %x : {y}")
    for n in range(layers):
        body += [
            f"  %h{n} = {product(f'%y{n}', f'%params_u{n}', y, up, wide, 1, 0)}",
            f"  %t{n} = stablehlo.tanh %h{n} : {wide}",
            f"  %o{n} = {product(f'%t{n}', f'%params_d{n}', wide, down, y, 1, 0)}",
            f"  %y{n + 1} = stablehlo.add %y{n}, %o{n} : {y}",
        ]
    body.append(f"  %g{layers} = stablehlo.subtract %y{layers}, %x : {y}")
    for n in reversed(range(layers)):
        body += [
            f"  %e{n} = {product(f'%t{n}', f'%g{n + 1}', wide, y, down, 0, 0)}",
            f"  %a{n} = {product(f'%g{n + 1}', f'%params_d{n}', y, down, wide, 1, 1)}",
            f"  %b{n} = stablehlo.multiply %a{n}, %t{n} : {wide}",
            f"  %c{n} = {product(f'%y{n}', f'%b{n}', y, wide, up, 0, 0)}",
            f"  %f{n} = {product(f'%b{n}', f'%params_u{n}', wide, up, y, 1, 1)}",
            f"  %g{n} = stablehlo.add %g{n + 1}, %f{n} : {y}",
        ]
    for n in range(layers):
        for letter, gradient, type, rate in (("u", f"%c{n}", up, "%rate"), ("d", f"%e{n}", down, "%rate2")):
            new = f"%new_{letter}{n}"
            body += [
                f"  {new}_m = stablehlo.add %momentum_{letter}{n}, {gradient} : {type}",
                f"  {new}_s = stablehlo.multiply {new}_m, {rate} : {type}",
                f"  {new}_p = stablehlo.subtract %params_{letter}{n}, {new}_s : {type}",
            ]
    returned, types = [], []
    for place, kind in enumerate(("params", "momentum")):
        for n in range(layers):
            for letter, name, type in (("u", "up", up), ("d", "down", down)):
                returned.append((f"%new_{letter}{n}_{kind[0]}", type))
                info = f"result[{place}]['layers'][{n}]['{name}']"
                types.append(f'{type} {{jax.result_info = "{info}"}}')
    values, plain = ", ".join(one for one, _ in returned), ", ".join(type for _, type in returned)
    return parse(
        f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n"
        + "\n".join(body)
        + f"\n  return {values} : {plain}\n}}"
    )


def product(left: str, right: str, left_type: str, right_type: str, type: str, one: int, other: int) -> str:
    """A product that sums over dimension ``one`` of the left and ``other`` of the right."""
    return (
        f"stablehlo.dot_general {left}, {right}, contracting_dims = [{one}] x [{other}]"
        f" : ({left_type}, {right_type}) -> {type}"
    )


LOOP = """
func.func @main(%x: tensor<8x16xf32> loc("x"), %w: tensor<4x16x16xf32> loc("layers['w']")) -> tensor<8x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x16xf32>
    cond {
      %four = stablehlo.constant dense<4> : tensor<i32>
      %less = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %none = stablehlo.constant dense<0> : tensor<i32>
      %s = stablehlo.dynamic_slice %w, %i, %none, %none, sizes = [1, 16, 16]
          : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
      %r = stablehlo.reshape %s : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
      %d = stablehlo.dot_general %y, %r, contracting_dims = [1] x [0]
          : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %d : tensor<i32>, tensor<8x16xf32>
    }
  return %0#1 : tensor<8x16xf32>
}
"""
