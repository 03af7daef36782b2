"""Random programs of many things that are alike, but no plain stack of layers: chains and trees that are not connected,
updates of many parameters, layers of several kinds in turns, that skip back, share weights, call functions, compute
again what they have computed, or hold a loop; training steps of stacks of different depth, or whose parameters are
sorted."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.propagation.layered_programs import AXES, LayeredProgram, Recipe, Value, random_shape, type_text
from tests.propagation.repeated_things import REPEATED_THINGS
from tests.propagation.training_steps import TRAINING_STEPS

_KINDS = {**REPEATED_THINGS, **TRAINING_STEPS}
KINDS: Sequence[str] = sorted(_KINDS)
"""What kinds of programs there are."""


class AlikeProgram(LayeredProgram):
    """A program with ``layers`` things that are alike, of the kind ``kind``, drawn if it is None; the same for the same
    ``seed``."""

    def __init__(self, seed: int, layers: int, kind: str | None = None) -> None:
        self.kind = KINDS[Random(seed).randrange(len(KINDS))] if kind is None else kind
        self.functions: list[str] = []
        super().__init__(seed, layers)

    def __str__(self) -> str:
        return super().__str__() + "".join(f"{one}\n" for one in self.functions)

    def _build(self) -> None:
        random = self.random
        self.sizes = random.sample((12, 24, 36), random.randrange(1, 3))
        self.rows = random_shape(random, self.sizes)
        self.carried = self._carried(self.rows)
        self.result = self._carried(self.rows)
        self.shared = [
            self._argument(f"s{n}", random_shape(random, self.sizes), "") for n in range(random.randrange(3))
        ]
        _KINDS[self.kind](self)

    # --- parts --------------------------------------------------------------------------------------------------------

    def given(self, name: str, often: float = 0.15) -> Value:
        """An argument like all others, but ``often`` one that lies elsewhere."""
        odd = self.has_priorities and self.random.random() < often
        return self._argument(name, self.rows, self._carried(self.rows) if odd else self.carried)

    def returns(self, value: Value) -> None:
        """Lets the program return ``value``."""
        self.returned.append((*value, self.result if value[1] == self.rows else ""))

    def step(self, recipe: Recipe, name: str, given: Sequence[Value]) -> Value:
        """What ``recipe`` makes of what it is ``given``, in the shape of the rows."""
        return self._carry(recipe.written(self, name, [*given, *self.shared]), self.rows, f"{name}e")[0]

    def called(
        self, recipe: Recipe, function: str, given: Sequence[Value], name: str, *, is_composite: bool = False
    ) -> Value:
        """A call of a function that does what ``recipe`` does, or a composite that it decomposes."""
        values = [*given, *self.shared]
        types = ", ".join(type_text(shape) for _, shape in values)
        if not any(f"@{function}(" in one for one in self.functions):
            outside, self.lines = self.lines, []
            inside = [(f"%p{number}", shape) for number, (_, shape) in enumerate(values)]
            made = self._carry(recipe.written(self, "c", inside), self.rows, "ce")[0]
            body, self.lines = self.lines, outside
            arguments = ", ".join(f"{one}: {type_text(shape)}" for one, shape in inside)
            result = type_text(self.rows)
            head = f"func.func private @{function}({arguments}) -> {result} {{"
            self.functions.append("\n".join([head, *body, f"  return {made[0]} : {result}", "}"]))
        names = ", ".join(one for one, _ in values)
        call = f"func.call @{function}({names})"
        if is_composite:
            call = f'stablehlo.composite "test.{function}" {names} {{decomposition = @{function}}}'
        self.lines.append(f"  %{name} = {call} : ({types}) -> {type_text(self.rows)}")
        return f"%{name}", self.rows

    def looped(self, recipe: Recipe, given: Sequence[Value], name: str) -> Value:
        """A loop whose turns do what ``recipe`` does."""
        values = [*given, *self.shared]
        inside = [(f"%{name}i{number}", shape) for number, (_, shape) in enumerate(values)]
        outside, self.lines = self.lines, []
        made = self._carry(recipe.written(self, f"{name}b", inside), self.rows, f"{name}be")[0]
        body, self.lines = self.lines, outside
        carried = ", ".join(f"{mine} = {one}" for (mine, _), (one, _) in zip(inside, values, strict=True))
        types = ", ".join(["tensor<i32>", *(type_text(shape) for _, shape in values)])
        kept = ", ".join([f"%{name}n", made[0], *(one for one, _ in inside[1:])])
        self.lines += [
            f"  %{name}z = stablehlo.constant dense<0> : tensor<i32>",
            f"  %{name}:{len(values) + 1} = stablehlo.while(%{name}c = %{name}z, {carried}) : {types}",
            "  cond {",
            f"    %{name}l = stablehlo.constant dense<2> : tensor<i32>",
            f"    %{name}t = stablehlo.compare LT, %{name}c, %{name}l : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            f"    stablehlo.return %{name}t : tensor<i1>",
            "  } do {",
            *body,
            f"    %{name}o = stablehlo.constant dense<1> : tensor<i32>",
            f"    %{name}n = stablehlo.add %{name}c, %{name}o : tensor<i32>",
            f"    stablehlo.return {kept} : {types}",
            "  }",
        ]
        return f"%{name}#1", self.rows

    def summed(self, name: str, value: Value, channel: int) -> Value:
        """What the devices along axis ``x`` have of a value, added up in a manual computation, on this channel."""
        given, type = value[0], type_text(value[1])
        near = AXES["y"] * AXES["z"]
        groups = str([[device, device + near] for device in range(near)])
        replicated = '[<@mesh, [{}, {}], replicated={"x"}>]'
        self.lines += [
            f"  %{name} = sdy.manual_computation({given}) in_shardings={replicated} out_shardings={replicated}"
            f' manual_axes={{"x"}} (%{name}i: {type}) {{',
            f'    %{name}s = "stablehlo.all_reduce"(%{name}i) <{{'
            f"channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>, "
            f"replica_groups = dense<{groups}> : tensor<{near}x2xi64>, use_global_device_ids}}> ({{",
            f"    ^bb0(%{name}l: tensor<f32>, %{name}r: tensor<f32>):",
            f"      %{name}t = stablehlo.add %{name}l, %{name}r : tensor<f32>",
            f"      stablehlo.return %{name}t : tensor<f32>",
            f"    }}) : ({type}) -> {type}",
            f"    sdy.return %{name}s : {type}",
            f"  }} : ({type}) -> {type}",
        ]
        return f"%{name}", value[1]

    def added(self, name: str, one: Value, other: Value) -> Value:
        """The sum of two values of the shape of the rows."""
        self.lines.append(f"  %{name} = stablehlo.add {one[0]}, {other[0]} : {type_text(self.rows)}")
        return f"%{name}", self.rows

    def barrier(self, name: str, one: Value, other: Value) -> tuple[Value, Value]:
        """Both values behind an optimization barrier."""
        types = ", ".join(type_text(shape) for _, shape in (one, other))
        self.lines.append(f"  %{name}:2 = stablehlo.optimization_barrier {one[0]}, {other[0]} : {types}")
        return (f"%{name}#0", one[1]), (f"%{name}#1", other[1])

    def finish(self, ends: Sequence[Value], adds: bool) -> None:
        """Lets the program return ``ends``, or what they are added up to."""
        if not adds:
            for value in ends:
                self.returns(value)
            return
        total = ends[0]
        for number, value in enumerate(ends[1:]):
            total = self.added(f"t{number}", total, value)
        self.returns(total)
