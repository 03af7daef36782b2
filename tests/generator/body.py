"""The body of a function or region while it is being written: what is in scope, the lines so far, and how to add one.

Operation makers (`elementwise.py` and its siblings) ask a `Body` for operands and emit operations into it;
`structure.py` opens bodies inside bodies; `program.py` closes the outermost ones into functions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from tests.generator.features import Features
from tests.generator.types import (
    Siblings,
    Tensor,
    Value,
    function_type,
    int_list,
    is_complex,
    is_integer,
    literal,
    splat,
)

if TYPE_CHECKING:
    from tests.generator.program import ProgramMaker

_DECORATIONS = (
    'mhlo.frontend_attributes = {note = "kept"}',
    'xla.name = "here"',
    "foreign.flag",
    "foreign.numbers = array<i64: 1, 2>",
    "foreign.nested = [1 : i32, {deep = @mesh}, dense<[1, 2]> : tensor<2xi32>]",
)

MAX_ELEMENTS = 20_000
MAX_RANK = 5
_MAX_ARGUMENTS = 8


class Scope:
    """An isolated region: its own names, and arguments that can be added on demand if it is a function."""

    def __init__(self, program: ProgramMaker, taken: Sequence[str], within: Scope | None = None) -> None:
        self.program = program
        self.taken = tuple(taken)
        """Mesh axes that an enclosing manual computation has taken."""
        self.can_grow = within is None
        """Whether arguments may still be added: to a function, not to a region inside one."""
        self.arguments: list[Value] = []
        self.computation: Scope | None = None if within is None else within.computation
        """The body of the nearest manual computation that this is in."""
        self._numbers: Iterator[int] = itertools.count() if within is None else within._numbers
        self._argument_numbers: Iterator[int] = itertools.count() if within is None else within._argument_numbers

    def fresh(self, stem: str = "") -> str:
        """Returns a new SSA name."""
        return f"%{stem}_{next(self._numbers)}" if stem else f"%{next(self._numbers)}"

    def add_argument(self, type: Tensor) -> Value:
        """Appends an argument and returns it."""
        value = Value(f"%arg{next(self._argument_numbers)}", type, Siblings())
        value.siblings.used = True  # an argument that nobody uses is nothing unusual
        self.arguments.append(value)
        return value


class Body:
    """One block that is being written."""

    def __init__(self, scope: Scope, depth: int, visible: Iterable[Value] = ()) -> None:
        self.scope = scope
        self.depth = depth
        self.lines: list[str] = []
        self.values = list(visible)
        """Everything in scope except the arguments of the function."""
        self.own: list[Value] = []
        """What this block itself defines."""

    @property
    def program(self) -> ProgramMaker:
        """The program that this is part of."""
        return self.scope.program

    @property
    def rng(self) -> Random:
        """The program's source of randomness."""
        return self.program.rng

    @property
    def features(self) -> Features:
        """What the program may contain."""
        return self.program.features

    def chance(self, probability: float) -> bool:
        """Returns True with the given probability."""
        return self.rng.random() < probability

    # --- operands ---

    def pick(self, fits: Callable[[Tensor], bool] = lambda _: True) -> Value | None:
        """Returns a visible value whose type fits, preferring unused and recent ones."""
        fitting = [value for value in (*self.scope.arguments, *self.values) if fits(value.type)]
        if not fitting:
            return None
        unused = [value for value in fitting if not value.siblings.used]
        if unused and self.chance(0.6):
            return self.rng.choice(unused)
        return self.rng.choice(fitting[-4:] if self.chance(0.4) else fitting)

    def pick_or_make(self, fits: Callable[[Tensor], bool], make: Callable[[], Tensor]) -> Value:
        """Returns a visible value whose type fits, else a new one of the type that `make` returns."""
        return self.pick(fits) or self.value_of(make())

    def pick_shaped(self, min_rank: int = 0, element: Callable[[str], bool] = lambda _: True) -> Value:
        """Returns a value of at least the given rank whose element type fits."""

        def fits(type: Tensor) -> bool:
            return type.rank >= min_rank and element(type.element)

        return self.pick_or_make(fits, lambda: self.random_type(min_rank, element))

    def random_type(self, min_rank: int = 0, element: Callable[[str], bool] = lambda _: True) -> Tensor:
        """Returns a type whose dimensions come from the program's palette."""
        program = self.program
        rank = max(min_rank, self.rng.choice((1, 2, 2, 2, 3, 3, 4)))
        shape = tuple(self.rng.choice(program.palette) for _ in range(rank))
        fitting = [candidate for candidate in program.elements if element(candidate)]
        return Tensor(shape, self.rng.choice(fitting or [e for e in _ALL_ELEMENTS if element(e)]))

    def value_of(self, type: Tensor) -> Value:
        """Returns a value of exactly the given type: a visible one, a new function argument, or a constant."""
        same = self.pick(lambda other: other == type)
        if same is not None and self.chance(0.75):
            return same
        grows = self.scope.can_grow and len(self.scope.arguments) < _MAX_ARGUMENTS
        if grows and self.chance(0.7):
            return self.scope.add_argument(type)
        return self.constant(type)

    def constant(self, type: Tensor, number: int | None = None) -> Value:
        """Emits a constant-like operation of the given type: constant, iota, or a broadcast scalar."""
        kind = self.rng.randrange(5) if number is None and type.rank else 0
        chosen = self.rng.randrange(4) if number is None else number
        if kind == 1 and (is_integer(type.element) or type.element in ("f32", "bf16", "f16", "f64")):
            dim = self.rng.randrange(type.rank)
            return self.pretty(f"stablehlo.iota dim = {dim}", [], [type], str(type))[0]
        if kind == 2:
            scalar = self.constant(type.scalar, chosen)
            tail = function_type([type.scalar], [type])
            return self.pretty(f"stablehlo.broadcast_in_dim {scalar}, dims = []", [scalar], [type], tail)[0]
        if kind == 3 and type.rank == 1 and 1 < type.size <= 16 and not is_complex(type.element):
            listed = ", ".join(literal(type.element, self.rng.randrange(5)) for _ in range(type.size))
            return self.emit(f"stablehlo.constant dense<[{listed}]> : {type}", [], [type], "cst")[0]
        stem = "cst" if type.element.startswith(("f", "b")) else "c"
        return self.emit(f"stablehlo.constant {splat(type, chosen)}", [], [type], stem)[0]

    # --- shardings ---

    def sharding(self, type: Tensor) -> str:
        """Returns the text `<@mesh, [...]>` of a random sharding that is valid here."""
        return str(self.program.shardings.sharding(type.shape, self.scope.taken))

    def operation_sharding(self, results: Sequence[Tensor]) -> list[str]:
        """Returns the attribute `sdy.sharding` for an operation with these results, more often nothing."""
        if not results or not self.chance(self.features.operation_shardings):
            return []
        listed = ", ".join(map(self.sharding, results))
        return [f"sdy.sharding = #sdy.sharding_per_value<[{listed}]>"]

    def decoration(self) -> list[str]:
        """Returns an attribute that means nothing to a partitioner, more often nothing."""
        if not self.chance(self.features.decorations):
            return []
        return [self.rng.choice(_DECORATIONS)]

    # --- emitting ---

    def pretty(
        self, head: str, operands: Sequence[Value], results: Sequence[Tensor], tail: str, attributes: Sequence[str] = ()
    ) -> list[Value]:
        """Emits `results = head {attributes} : tail`; a random sharding may join the attributes."""
        text = self.attribute_dictionary([*attributes, *self.decoration(), *self.operation_sharding(results)])
        return self.emit(f"{head}{text} : {tail}", operands, results)

    def functional(
        self, head: str, operands: Sequence[Value], results: Sequence[Tensor], attributes: Sequence[str] = ()
    ) -> list[Value]:
        """Emits an operation whose type is written as a function type."""
        tail = function_type([operand.type for operand in operands], results)
        return self.pretty(head, operands, results, tail, attributes)

    def generic(
        self,
        name: str,
        operands: Sequence[Value],
        results: Sequence[Tensor],
        properties: Sequence[str] = (),
        regions: Sequence[Sequence[str]] = (),
        attributes: Sequence[str] = (),
    ) -> list[Value]:
        """Emits `"name"(operands) <{properties}> (regions) {attributes} : type`; regions are given as their lines."""
        extra = [*attributes, *self.decoration(), *self.operation_sharding(results)]
        inherent = f" <{{{', '.join(properties)}}}>" if properties else ""
        if properties and self.chance(0.05):  # the older spelling, which MLIR still reads
            inherent, extra = "", [*properties, *extra]
        blocks = ""
        if regions:
            indent = "  " * self.depth
            blocks = " (" + ", ".join("{\n" + "\n".join(lines) + f"\n{indent}}}" for lines in regions) + ")"
        tail = function_type([operand.type for operand in operands], results if results else [])
        text = f'"{name}"({", ".join(map(str, operands))}){inherent}{blocks}{self.attribute_dictionary(extra)} : {tail}'
        return self.emit(text, operands, results)

    def either(
        self,
        name: str,
        arguments: str,
        operands: Sequence[Value],
        results: Sequence[Tensor],
        tail: str | None = None,
        properties: Sequence[str] = (),
        attributes: Sequence[str] = (),
    ) -> list[Value]:
        """Emits `name arguments : tail`, or seldom the generic form of the same operation.

        `tail` defaults to the function type; `properties` matter in the generic form only.
        """
        if self.chance(self.features.generic_form):
            return self.generic(name, operands, results, properties, (), attributes)
        tail = function_type([operand.type for operand in operands], results) if tail is None else tail
        return self.pretty(f"{name} {arguments}", operands, results, tail, attributes)

    def emit(
        self, text: str, operands: Sequence[Value], results: Sequence[Tensor], stem: str = "", hidden: int = 0
    ) -> list[Value]:
        """Emits `text` as it is; `hidden` counts further results (tokens) that nobody will see."""
        siblings = Siblings()
        name = self.scope.fresh(stem)
        count = len(results) + hidden
        names = [name] if count == 1 else [f"{name}#{index}" for index in range(len(results))]
        target = "" if not count else f"{name} = " if count == 1 else f"{name}:{count} = "
        self.line(target + text)
        self.use(operands)
        made = [Value(each, type, siblings) for each, type in zip(names, results, strict=True)]
        self.values += made
        self.own += made
        return made

    def line(self, text: str) -> None:
        """Appends a line of text at the depth of this block."""
        self.lines.append("  " * self.depth + text)

    def use(self, operands: Iterable[Value]) -> None:
        """Marks values as used."""
        for operand in operands:
            operand.siblings.used = True

    @staticmethod
    def attribute_dictionary(attributes: Sequence[str]) -> str:
        """Returns ` {a, b}`, or nothing for no attributes."""
        return f" {{{', '.join(attributes)}}}" if attributes else ""

    # --- scalar regions and the end of a block ---

    def scalar_region(
        self, types: Sequence[Tensor], results: Callable[[list[str]], tuple[list[str], str]]
    ) -> list[str]:
        """Returns the lines of a region over scalars.

        `results` gets the argument names and returns the lines in between and the text after `stablehlo.return`.
        """
        names = [self.scope.fresh("x") for _ in types]
        indent = "  " * (self.depth + 1)
        inner, returned = results(names)
        label = ", ".join(f"{name}: {type}" for name, type in zip(names, types, strict=True))
        return [f"{indent}^bb0({label}):", *(indent + line for line in inner), f"{indent}stablehlo.return {returned}"]

    def unused(self) -> list[Value]:
        """Returns values of this block whose operation nobody uses yet, one per operation."""
        found: list[Value] = []
        for value in self.own:
            if not value.siblings.used and all(value.siblings is not other.siblings for other in found):
                found.append(value)
        return [value for value in found if not self.chance(self.features.dead_operations)]

    def fold_into(self, target: Value, loose: Value) -> Value:
        """Emits operations that make `loose` contribute to a value of the type of `target`; returns that value."""
        wanted = target.type
        if loose.type.shape != wanted.shape:
            total = self._sum(loose) if loose.type.rank else loose
            total = self._convert(total, wanted.element)
            tail = function_type([total.type], [wanted])
            loose = self.pretty(f"stablehlo.broadcast_in_dim {total}, dims = []", [total], [wanted], tail)[0]
        loose = self._convert(loose, wanted.element)
        return self.either("stablehlo.add", f"{target}, {loose}", [target, loose], [wanted], str(wanted))[0]

    def _convert(self, value: Value, element: str) -> Value:
        if value.type.element == element:
            return value
        if is_complex(value.type.element) and not is_complex(element):
            part = value.type.with_element(value.type.element[len("complex<") : -1])
            value = self.functional(f"stablehlo.real {value}", [value], [part], [])[0]
            return self._convert(value, element)
        return self.functional(f"stablehlo.convert {value}", [value], [value.type.with_element(element)])[0]

    def _sum(self, value: Value) -> Value:
        zero = self.constant(value.type.scalar, 0)
        operation = "or" if value.type.element == "i1" else "add"
        dims = int_list(range(value.type.rank))
        head = f"stablehlo.reduce({value} init: {zero}) applies stablehlo.{operation} across dimensions = {dims}"
        return self.functional(head, [value, zero], [value.type.scalar])[0]


_ALL_ELEMENTS = ("f32", "bf16", "f16", "f64", "i32", "i64", "i8", "ui32", "i1", "complex<f32>")
