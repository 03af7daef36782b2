"""Random training steps whose optimizer goes through the weights in the order of their names.

Memory may be highest in the optimizer, in a layer that stands between others there: weights are of
two sizes, their gradients die early or late, updates may need much memory at work, and values of no layer may be read
by all updates.
"""

from __future__ import annotations

from random import Random

from tests.folding.programs import ROWS, SQUARE, on_four_devices

SCALAR = "tensor<f32>"


class UpdatedLayers:
    """The program that comes of ``seed``."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = self.random.randrange(24, 50)
        self.types = {"a": SQUARE, "b": f"tensor<32x{self.random.choice((8, 32, 256, 1024))}xf32>"}
        self.order = sorted(range(self.count), key=str)
        self.keeps_moments = self.random.random() < 0.7
        self.has_norm = self.random.random() < 0.3
        self.wide = self.random.choice((0, 0, 256, 4096))
        self.shared = self.random.choice(("", "", "moment", "update"))
        """In which statement values of no layer are read, if there are any."""
        self.works_in = self.random.choice(("moment", "update"))
        """In which statement much memory is needed at work, if ``wide`` is given."""
        self.by_statement = self.random.random() < 0.5
        self.body: list[str] = []

    def _line(self, result: str, name: str, type: str, *operands: str) -> None:
        self.body.append(f"%{result} = stablehlo.{name} {', '.join(f'%{one}' for one in operands)} : {type}")

    def _dot(self, result: str, one: str, other: str, dims: str, types: tuple[str, str, str]) -> None:
        self.body.append(
            f"%{result} = stablehlo.dot_general %{one}, %{other}, contracting_dims = {dims} : "
            f"({types[0]}, {types[1]}) -> {types[2]}"
        )

    def _filled(self, result: str, scalar: str, type: str) -> None:
        self.body.append(f"%{result} = stablehlo.broadcast_in_dim %{scalar}, dims = [] : ({SCALAR}) -> {type}")

    def _layers(self) -> None:
        b = self.types["b"]
        inner = b.replace("tensor<32x", "tensor<64x")
        for n in range(self.count):
            self._dot(f"h{n}", f"x{n}", f"a{n}", "[1] x [0]", (ROWS, SQUARE, ROWS))
            self._line(f"t{n}", "tanh", ROWS, f"h{n}")
            self._dot(f"u{n}", f"t{n}", f"b{n}", "[1] x [0]", (ROWS, b, inner))
            self._dot(f"x{n + 1}", f"u{n}", f"b{n}", "[1] x [1]", (inner, b, ROWS))
        for n in reversed(range(self.count)):
            self._dot(f"db{n}", f"g{n + 1}", f"u{n}", "[0] x [0]", (ROWS, inner, b))
            self._line(f"v{n}", "multiply", ROWS, f"g{n + 1}", f"t{n}")
            self._dot(f"da{n}", f"x{n}", f"v{n}", "[0] x [0]", (ROWS, ROWS, SQUARE))
            self._dot(f"g{n}", f"v{n}", f"a{n}", "[1] x [1]", (ROWS, SQUARE, ROWS))

    def _norm(self) -> None:
        total = "zero"
        for family, type in self.types.items():
            for n in self.order:
                name = f"{family}{n}"
                self._line(f"s{name}", "multiply", type, f"d{name}", f"d{name}")
                self.body.append(
                    f"%r{name} = stablehlo.reduce(%s{name} init: %zero) applies stablehlo.add across dimensions ="
                    f" [0, 1] : ({type}, {SCALAR}) -> {SCALAR}"
                )
                self._line(f"n{name}", "add", SCALAR, total, f"r{name}")
                total = f"n{name}"
        self._line("norm", "sqrt", SCALAR, total)

    def _moment(self, name: str, type: str) -> None:
        self._filled(f"k{name}", "zero", type)
        self._line(f"c{name}", "multiply", type, f"m{name}", f"k{name}")
        self._line(f"e{name}", "add", type, f"c{name}", self._worked_on(name, type, f"d{name}", "moment"))

    def _update(self, name: str, type: str) -> None:
        value = f"e{name}" if self.keeps_moments else f"d{name}"
        if self.has_norm:
            self._filled(f"f{name}", "norm", type)
            self._line(f"i{name}", "divide", type, value, f"f{name}")
            value = f"i{name}"
        self._line(f"q{name}", "subtract", type, name, self._worked_on(name, type, value, "update"))

    def _worked_on(self, name: str, type: str, value: str, statement: str) -> str:
        """What ``statement`` makes of ``value`` first."""
        if self.shared == statement:
            self._line(f"j{name}", "multiply", type, value, f"shared_{name[0]}")
            value = f"j{name}"
        if self.wide and type == SQUARE and self.works_in == statement:
            wide = f"tensor<32x{self.wide}xf32>"
            self._dot(f"l{name}", value, "wide", "[1] x [0]", (SQUARE, wide, wide))
            self._dot(f"o{name}", f"l{name}", "wide", "[1] x [1]", (wide, wide, SQUARE))
            value = f"o{name}"
        return value

    def __str__(self) -> str:
        names = [(f"{family}{n}", type) for family, type in self.types.items() for n in self.order]
        self.body = [f"%zero = stablehlo.constant dense<0.5> : {SCALAR}"]
        if self.shared:
            for family, type in self.types.items():
                self._line(f"shared_{family}", "exponential", type, f"given_{family}")
        self._layers()
        if self.has_norm:
            self._norm()
        statements = [self._moment, self._update] if self.keeps_moments else [self._update]
        for rows in [[one] for one in statements] if self.by_statement else [statements]:
            for name, type in names:
                for statement in rows:
                    statement(name, type)
        specs = {family: self.random.choice(('[{"x"}, {}]', '[{}, {"y"}]', "[{}, {}]")) for family in self.types}
        moments = [(f"m{name}", type) for name, type in names] if self.keeps_moments else []
        arguments = [
            f"%{name}: {type} {{sdy.sharding = #sdy.sharding<@mesh, {specs[name.lstrip('m')[0]]}>}}"
            for name, type in (*names, *moments)
        ]
        arguments += [
            f'%x0: {ROWS} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}',
            f"%g{self.count}: {ROWS}",
        ]
        arguments += [f"%given_{family}: {type}" for family, type in self.types.items()]
        arguments += [f"%wide: tensor<32x{self.wide}xf32>"] if self.wide else []
        returned = [(f"q{name}", type) for name, type in names]
        returned += [(f"e{name}", type) for name, type in names] if self.keeps_moments else []
        types = [type for _, type in (*returned, ("", ROWS))]
        return on_four_devices(arguments, types, self.body, [*(f"%{name}" for name, _ in returned), "%g0"])
