"""Programs of one operation."""

from __future__ import annotations


def main(operation: str, arguments: str, result: str, *, results: int = 1) -> str:
    """A program of one operation with the arguments ``a``, ``b``, …, whose types are separated by spaces."""
    types = arguments.split()
    listed = ", ".join(f"%{name}: tensor<{type}>" for name, type in zip("abcdefgh", types, strict=False))
    outputs = ", ".join(f"tensor<{one}>" for one in result.split())
    names = "%0" if results == 1 else ", ".join(f"%0#{n}" for n in range(results))
    bound = "%0" if results == 1 else f"%0:{results}"
    return f"func.func @main({listed}) -> ({outputs}) {{\n  {bound} = {operation}\n  return {names} : {outputs}\n}}"


def quoted(name: str, properties: str, arguments: str, result: str, body: str = "", *, results: int = 1) -> str:
    """The same for an operation in generic form that takes all arguments."""
    types = arguments.split()
    operands = ", ".join(f"%{letter}" for letter, _ in zip("abcdefgh", types, strict=False))
    inputs, outputs = (", ".join(f"tensor<{one}>" for one in listed.split()) for listed in (arguments, result))
    written = f"<{{{properties}}}>" if properties else ""
    operation = f'"stablehlo.{name}"({operands}) {written} {body} : ({inputs}) -> ({outputs})'
    return main(operation, arguments, result, results=results)


def reducer(operation: str, element: str = "f32") -> str:
    return f"""({{ ^bb0(%p: tensor<{element}>, %q: tensor<{element}>):
      %s = stablehlo.{operation} %p, %q : tensor<{element}>
      stablehlo.return %s : tensor<{element}> }})"""
