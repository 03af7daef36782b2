"""The whole program: meshes, functions, `main`; and which families fill a body how often."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.generator import (
    collectives,
    contractions,
    custom_calls,
    elementwise,
    indexing,
    indexing_by_iota,
    linear_algebra,
    reductions,
    shape_changes,
    sharding_collectives,
    sharding_operations,
    structure,
)
from tests.generator.body import Body, Scope
from tests.generator.families import MAKERS, make_something
from tests.generator.features import Features
from tests.generator.shardings import ShardingMaker, random_meshes
from tests.generator.types import Tensor, Value

_FAMILY_FILES = (
    collectives,
    contractions,
    custom_calls,
    elementwise,
    indexing,
    indexing_by_iota,
    linear_algebra,
    reductions,
    shape_changes,
    sharding_collectives,
    sharding_operations,
    structure,
)
_SIZES = (1, 2, 2, 3, 4, 4, 4, 5, 6, 8, 8, 8, 12, 16, 16)
_ELEMENTS = ("f32", "f32", "f32", "f32", "bf16", "f64", "i32", "i8", "ui32", "complex<f32>", "i1")
_MAX_FUNCTIONS = 4
_MAX_RESULTS = 6


@dataclass(frozen=True)
class Function:
    """A finished private function that may be called where its `taken` axes cover those of the caller."""

    name: str
    operands: tuple[Tensor, ...]
    results: tuple[Tensor, ...]
    taken: tuple[str, ...]
    text: str


class ProgramMaker:
    """Everything that one program shares: randomness, meshes, sizes, and the functions so far."""

    def __init__(self, seed: int, features: Features) -> None:
        self.rng = Random(seed)
        self.features = features
        self.shardings = ShardingMaker(self.rng, features, random_meshes(self.rng, features))
        self.palette = [self.rng.choice(_SIZES) for _ in range(self.rng.randrange(2, 5))]
        self.elements = [self.rng.choice(_ELEMENTS) for _ in range(self.rng.randrange(1, 4))]
        self.functions: list[Function] = []
        self.group_shapes: dict[tuple[int, ...], int] = {}
        self.group_kinds: dict[tuple[tuple[int, ...], Scope | None], int] = {}
        self.grouped: list[tuple[str, Scope]] = []
        self._families = {name: float(getattr(features, name)) for name in MAKERS}
        self._open_functions = 0

    def fill(self, body: Body, operations: int) -> None:
        """Emits about as many operations into `body` as told."""
        for _ in range(operations):
            make_something(body, self._families)

    # --- functions ---

    def may_add_function(self) -> bool:
        """Tells whether another private function fits into the program."""
        return len(self.functions) + self._open_functions < _MAX_FUNCTIONS

    def add_function(self, taken: tuple[str, ...]) -> Function:
        """Makes a private function that uses none of the `taken` axes."""
        self._open_functions += 1
        name = f"{self.rng.choice(('f', 'g', 'layer'))}_{len(self.functions) + self._open_functions}"
        function = self._function(name, "private ", taken, self.rng.randrange(1, 6))
        self._open_functions -= 1
        self.functions.append(function)
        return function

    def _function(self, name: str, visibility: str, taken: tuple[str, ...], operations: int) -> Function:
        scope = Scope(self, taken)
        body = Body(scope, 2)
        for _ in range(self.rng.randrange(1, 4)):
            scope.add_argument(body.random_type(0))
        self.fill(body, operations)
        results = self._results(body)
        body.line(f"return {', '.join(map(str, results))} : {', '.join(str(value.type) for value in results)}")
        types = tuple(value.type for value in results)
        arguments = ", ".join(
            f"{value}: {value.type}{self._attribute(value.type, self.features.argument_shardings, taken)}"
            for value in scope.arguments
        )
        returned = ", ".join(f"{type}{self._attribute(type, self.features.result_shardings, taken)}" for type in types)
        attributes = self._function_attributes()
        head = f"  func.func {visibility}@{name}({arguments}) -> ({returned}){attributes} {{"
        text = "\n".join([head, *body.lines, "  }"])
        return Function(name, tuple(value.type for value in scope.arguments), types, taken, text)

    def _results(self, body: Body) -> list[Value]:
        loose = body.unused() or [body.pick_shaped()]
        results = loose[:_MAX_RESULTS]
        body.use(results)
        for value in loose[_MAX_RESULTS:]:
            results[-1] = body.fold_into(results[-1], value)
            body.use(results)
        if self.rng.random() < 0.15:
            results.append(self.rng.choice([*results, *body.scope.arguments]))
        return results

    def _function_attributes(self) -> str:
        wanted = self.features.copied_functions
        if not wanted or self.rng.random() >= wanted:
            return ""
        possible = (
            'execution_thread = "host"',
            f'sdy.original_func_name = "{self.rng.choice("fg")}"',
            'sdy.func_manual_axes = #sdy<manual_axes{"a"}>',
        )
        chosen = [one for one in possible if self.rng.random() < 0.6]
        return f" attributes {{{', '.join(chosen)}}}" if chosen else ""

    def _attribute(self, type: Tensor, probability: float, taken: tuple[str, ...]) -> str:
        attributes = []
        if self.rng.random() < self.features.decorations:
            attributes.append(self.rng.choice(('jax.result_info = "result[0]"', "tf.aliasing_output = 0 : i32")))
        if self.rng.random() < probability:
            attributes.append(f"sdy.sharding = #sdy.sharding{self.shardings.sharding(type.shape, taken)}")
        return Body.attribute_dictionary(attributes)

    # --- the module ---

    def module(self) -> str:
        """Makes `main` and what it calls, and returns the module."""
        operations = max(1, round(self.rng.triangular(0.3, 2.0, 0.8) * self.features.operations))
        main = self._function("main", self.rng.choice(("", "public ")), (), operations)
        if self.rng.random() < self.features.uncalled_functions:
            self.add_function(())
        functions = [function.text for function in self.functions]
        functions.insert(self.rng.choice((0, 0, len(functions))), main.text)
        shuffled = self.features.shuffled_functions
        if shuffled and self.rng.random() < shuffled:
            self.rng.shuffle(functions)
        decorated = self.rng.random() < self.features.decorations
        head = "module @jit_main attributes {mhlo.num_partitions = 8 : i32} {" if decorated else "module {"
        named = [f"  {mesh}" for mesh in self.shardings.meshes if mesh.name]
        members = [*named, *functions]
        if self.features.equal_meshes:
            for mesh in named:
                members.remove(mesh)
                members.insert(self.rng.randrange(len(members) + 1), mesh)
        return "\n".join([head, *members, "}", ""])


def random_program(seed: int, features: Features | None = None) -> str:
    """Returns a valid module with a public function `main`; the same seed and features give the same text."""
    return ProgramMaker(seed, features or Features()).module()
