"""Programs to search strategies for, of any size: only their types are large, so that they cost nothing to write.

``perceptrons`` is a training step of residual perceptrons with momentum, ``experts`` one of a layer in which each token
goes to one of many experts. ``docs/search.md`` uses them; no device and no JAX is needed.
"""

from __future__ import annotations


def perceptrons(layers: int, tokens: int, width: int, hidden: int) -> str:
    """A step of gradient descent with momentum, in bf16."""
    rows, wide = f"tensor<{tokens}x{width}xbf16>", f"tensor<{tokens}x{hidden}xbf16>"
    up, down = f"tensor<{width}x{hidden}xbf16>", f"tensor<{hidden}x{width}xbf16>"
    program = _Program()
    x = program.argument("batch", rows)
    weights = [
        (program.argument(f"params[{n}]['up']", up), program.argument(f"params[{n}]['down']", down))
        for n in range(layers)
    ]
    moments = [
        (program.argument(f"momentum[{n}]['up']", up), program.argument(f"momentum[{n}]['down']", down))
        for n in range(layers)
    ]
    states, opened = [x], []
    for one, other in weights:
        y = program.apply("tanh", wide, program.product(states[-1], one, 1, 0, rows, up, wide))
        opened.append(y)
        states.append(program.apply("add", rows, states[-1], program.product(y, other, 1, 0, wide, down, rows)))
    gradient = program.apply("subtract", rows, states[-1], x)
    gradients = []
    for (one, other), y, before in reversed(list(zip(weights, opened, states, strict=False))):
        of_down = program.product(y, gradient, 0, 0, wide, rows, down)
        back = program.apply("multiply", wide, program.product(gradient, other, 1, 1, rows, down, wide), y)
        of_up = program.product(before, back, 0, 0, rows, wide, up)
        gradient = program.apply("add", rows, gradient, program.product(back, one, 1, 1, wide, up, rows))
        gradients.append((of_up, of_down))
    for n, (weight, moment, found) in enumerate(zip(weights, moments, reversed(gradients), strict=True)):
        for name, type, one, old, new in zip(("up", "down"), (up, down), weight, moment, found, strict=True):
            kept = program.apply("add", type, old, new)
            program.result(f"result[0][{n}]['{name}']", type, program.apply("subtract", type, one, kept))
            program.result(f"result[1][{n}]['{name}']", type, kept)
    return program.text()


def experts(count: int, tokens: int, width: int, hidden: int) -> str:
    """A step of gradient descent of one layer of ``count`` experts. Which token goes where is given."""
    each = tokens // count
    rows, sent = f"tensor<{tokens}x{width}xbf16>", f"tensor<{count}x{each}x{width}xbf16>"
    where = f"tensor<{tokens}x{count}x{each}xbf16>"
    wide = f"tensor<{count}x{each}x{hidden}xbf16>"
    up, down = f"tensor<{count}x{width}x{hidden}xbf16>", f"tensor<{count}x{hidden}x{width}xbf16>"
    program = _Program()
    x, routes = program.argument("batch['tokens']", rows), program.argument("batch['routes']", where)
    one, other = program.argument("params['experts']['up']", up), program.argument("params['experts']['down']", down)
    given = program.product(routes, x, 0, 0, where, rows, sent)
    y = program.apply("tanh", wide, program.product(given, one, 2, 1, sent, up, wide, batch=True))
    made = program.product(y, other, 2, 1, wide, down, sent, batch=True)
    gradient = program.apply("subtract", sent, made, given)
    of_down = program.product(y, gradient, 1, 1, wide, sent, down, batch=True)
    back = program.apply("multiply", wide, program.product(gradient, other, 2, 2, sent, down, wide, batch=True), y)
    of_up = program.product(given, back, 1, 1, sent, wide, up, batch=True)
    for name, type, weight, found in (("up", up, one, of_up), ("down", down, other, of_down)):
        program.result(f"result['experts']['{name}']", type, program.apply("subtract", type, weight, found))
    return program.text()


class _Program:
    """The text of a program, written from above."""

    def __init__(self) -> None:
        self._arguments: list[str] = []
        self._lines: list[str] = []
        self._results: list[tuple[str, str, str]] = []

    def argument(self, name: str, type: str) -> str:
        """An argument called ``name``."""
        value = f"%arg{len(self._arguments)}"
        self._arguments.append(f'{value}: {type} loc("{name}")')
        return value

    def apply(self, operation: str, type: str, *operands: str) -> str:
        """An elementwise operation."""
        return self._add(f"stablehlo.{operation} {', '.join(operands)} : {type}")

    def product(
        self,
        left: str,
        right: str,
        one: int,
        other: int,
        left_type: str,
        right_type: str,
        type: str,
        *,
        batch: bool = False,
    ) -> str:
        """A product that sums over dimension ``one`` of the left and ``other`` of the right."""
        batching = "batching_dims = [0] x [0], " if batch else ""
        return self._add(
            f"stablehlo.dot_general {left}, {right}, {batching}contracting_dims = [{one}] x [{other}]"
            f" : ({left_type}, {right_type}) -> {type}"
        )

    def result(self, name: str, type: str, value: str) -> None:
        """What is returned, called ``name``."""
        self._results.append((name, type, value))

    def text(self) -> str:
        """The program."""
        types = ", ".join(f'{type} {{jax.result_info = "{name}"}}' for name, type, _ in self._results)
        values = ", ".join(value for _, _, value in self._results)
        plain = ", ".join(type for _, type, _ in self._results)
        head = f"func.func @main({', '.join(self._arguments)}) -> ({types}) {{"
        return "\n".join([head, *self._lines, f"  return {values} : {plain}", "}", ""])

    def _add(self, text: str) -> str:
        value = f"%{len(self._lines)}"
        self._lines.append(f"  {value} = {text}")
        return value
