"""Random training steps with kernels that have no sharding rule.

Of each kernel a warning is given once, which quotes an operation by the numbers of its values.

Where a kernel is called first is random: in front of the layers, in one of the passes through them, behind them, or in
a function that any of these may call. Tables of constants, of which passes give each reader a copy, stand in front.
"""

from __future__ import annotations

from random import Random

from tests.folding.programs import SQUARE, dot, on_four_devices

_KERNELS = ("one", "two", "three")
_FUNCTION = f"""func.func private @{{kernel}}(%x: {SQUARE}) -> {SQUARE} {{{{
  %t = stablehlo.tanh %x : {SQUARE}
  %s = stablehlo.custom_call @{{kernel}}(%t) : ({SQUARE}) -> {SQUARE}
  %r = stablehlo.add %s, %t : {SQUARE}
  return %r : {SQUARE}
}}}}"""


class _WarnedLayers:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = self.random.randrange(20, 40)
        self.values = 0
        self.has_table = self.random.random() < 0.5
        # What the same place of each layer does.
        self.forward, self.backward, self.update = ([self._step() for _ in range(3)] for _ in range(3))
        order = list(range(self.count))
        self.order = sorted(order, key=str) if self.random.random() < 0.4 else order

    def _step(self) -> str:
        """An operation: a kernel, a function with one, or one that needs no rule of its own."""
        kernel = self.random.choice(_KERNELS)
        weights = {"tanh": 4, "cosine": 4, "half": 2, f"call {kernel}": 2, f"kernel {kernel}": 1}
        weights["table"] = 2 if self.has_table else 0
        (step,) = self.random.choices(list(weights), list(weights.values()))
        return step

    def _new(self) -> str:
        self.values += 1
        return f"%v{self.values}"

    def _made(self, step: str, value: str) -> tuple[list[str], str]:
        """The lines that do ``step`` with ``value``, and what they make."""
        made, (what, _, kernel) = self._new(), step.partition(" ")
        if what == "half":
            half = self._new()
            constant = f"{half} = stablehlo.constant dense<0.5> : {SQUARE}"
            return [constant, f"{made} = stablehlo.multiply {value}, {half} : {SQUARE}"], made
        line = {
            "call": f"func.call @{kernel}({value}) : ({SQUARE}) -> {SQUARE}",
            "kernel": f"stablehlo.custom_call @{kernel}({value}) : ({SQUARE}) -> {SQUARE}",
            "table": f"stablehlo.multiply {value}, %table : {SQUARE}",
        }.get(what, f"stablehlo.{what} {value} : {SQUARE}")
        return [f"{made} = {line}"], made

    def _chain(self, steps: list[str], value: str) -> tuple[list[str], str]:
        body: list[str] = []
        for step in steps:
            lines, value = self._made(step, value)
            body += lines
        return body, value

    def __str__(self) -> str:
        body: list[str] = []
        front, value = self._chain([self._step() for _ in range(self.random.randrange(3))], "%y0")
        if self.has_table:
            body += [f"%i = stablehlo.iota dim = 0 : {SQUARE}", f"%table = stablehlo.tanh %i : {SQUARE}"]
        body += front
        saved: list[str] = []
        for n in range(self.count):
            saved.append(value)
            lines, value = self._chain(self.forward, value)
            body += [*lines, dot(f"%h{n}", value, f"%w{n}")]
            value = f"%h{n}"
        gradients: dict[int, str] = {}
        for n in reversed(range(self.count)):
            lines, value = self._chain(self.backward, value)
            gradients[n] = f"%d{n}"
            body += [*lines, dot(f"%d{n}", saved[n], value, "[0] x [0]"), dot(f"%g{n}", value, f"%w{n}", "[1] x [1]")]
            value = f"%g{n}"
        returned: list[str] = []
        for n in self.order:
            lines, changed = self._chain(self.update, gradients[n])
            body += [*lines, f"%u{n} = stablehlo.subtract %w{n}, {changed} : {SQUARE}"]
            returned.append(f"%u{n}")
        behind, value = self._chain([self._step() for _ in range(self.random.randrange(3))], value)
        body += behind
        sharded = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
        arguments = [f"%y0: {SQUARE}", *(f"%w{n}: {SQUARE} {sharded}" for n in self.order)]
        types = [f"{SQUARE} {sharded}"] * self.count + [SQUARE]
        functions = "\n".join(_FUNCTION.format(kernel=kernel) for kernel in _KERNELS)
        return f"{on_four_devices(arguments, types, body, [*returned, value])}\n{functions}"


def random_warned(seed: int) -> str:
    """Such a program; the same for the same ``seed``."""
    return str(_WarnedLayers(seed))
