"""Operations that read or write at computed places: gather, scatter, dynamic slices."""

from __future__ import annotations

from math import prod

from tests.generator.body import MAX_ELEMENTS, MAX_RANK, Body
from tests.generator.families import makes
from tests.generator.types import Tensor, Value, int_array, int_list, is_complex


def _start_indices(body: Body, rank: int) -> list[Value]:
    type = Tensor((), "i32")
    shared = body.value_of(type)
    return [shared if body.chance(0.5) else body.value_of(type) for _ in range(rank)]


@makes("indexing", 1.5)
def dynamic_slice(body: Body) -> None:
    x = body.pick_shaped(1)
    indices = _start_indices(body, x.type.rank)
    sizes = [size if body.chance(0.55) else body.rng.randrange(1, size + 1) for size in x.type.shape]
    head = f"stablehlo.dynamic_slice {x}, {', '.join(map(str, indices))}, sizes = {int_list(sizes)}"
    body.functional(head, [x, *indices], [x.type.with_shape(sizes)])


@makes("indexing", 1.5)
def dynamic_update_slice(body: Body) -> None:
    x = body.pick_shaped(1)

    def fits(type: Tensor) -> bool:
        same = type.element == x.type.element and type.rank == x.type.rank
        return same and all(a <= b for a, b in zip(type.shape, x.type.shape, strict=True))

    update = body.pick(fits)
    if update is None or update is x or body.chance(0.3):
        sizes = [size if body.chance(0.6) else body.rng.randrange(1, size + 1) for size in x.type.shape]
        update = body.value_of(x.type.with_shape(sizes))
    indices = _start_indices(body, x.type.rank)
    operands = [x, update, *indices]
    body.functional(f"stablehlo.dynamic_update_slice {', '.join(map(str, operands))}", operands, [x.type])


class Plan:
    """How a gather or scatter relates its operand, its indices, and the windows at these places."""

    def __init__(self, body: Body, shape: tuple[int, ...]) -> None:
        rng, rank = body.rng, len(shape)
        dims = list(range(rank))
        self.batching = [rng.choice(dims)] if rank > 1 and rng.random() < 0.25 else []
        rest = [d for d in dims if d not in self.batching]
        self.indexed = rng.sample(rest, rng.randrange(1, min(2, len(rest)) + 1))
        if rng.random() < 0.6:
            self.indexed.sort()
        self.collapsed = sorted(d for d in rest if rng.random() < (0.6 if d in self.indexed else 0.05))
        self.window = [d for d in rest if d not in self.collapsed]
        self.sizes = [
            1 if d in self.collapsed or d in self.batching
            else size if d not in self.indexed or rng.random() < 0.4
            else rng.randrange(1, size + 1)
            for d, size in enumerate(shape)
        ]  # fmt: skip
        palette = body.program.palette
        self.places = [rng.choice(palette) for _ in range(rng.choice((0, 1, 1, 2)))]
        self.index_batching: list[int] = []
        for dim in self.batching:
            self.index_batching.append(len(self.places))
            self.places.append(shape[dim])
        implicit = len(self.indexed) == 1 and rng.random() < 0.4
        self.vector_dim = len(self.places) if implicit else rng.randrange(len(self.places) + 1)
        indices = list(self.places)
        if not implicit:
            indices.insert(self.vector_dim, len(self.indexed))
            self.index_batching = [d + (d >= self.vector_dim) for d in self.index_batching]
        self.indices_shape = indices
        total = len(self.places) + len(self.window)
        offsets = rng.sample(range(total), len(self.window)) if rng.random() < 0.3 else range(len(self.places), total)
        self.offsets = sorted(offsets)
        windows, places = iter([self.sizes[d] for d in self.window]), iter(self.places)
        self.result = [next(windows) if d in self.offsets else next(places) for d in range(total)]

    def fits(self) -> bool:
        return len(self.result) <= MAX_RANK and prod(self.result) <= MAX_ELEMENTS

    def dimension_numbers(self, kind: str, names: tuple[str, str, str, str, str]) -> str:
        lists = zip(
            names, (self.offsets, self.collapsed, self.batching, self.index_batching, self.indexed), strict=True
        )
        parts = [f"{name} = {int_list(values)}" for name, values in lists if values]
        if self.vector_dim:
            parts.append(f"index_vector_dim = {self.vector_dim}")
        return f"#stablehlo.{kind}<{', '.join(parts)}>"


_GATHER_NAMES = (
    "offset_dims",
    "collapsed_slice_dims",
    "operand_batching_dims",
    "start_indices_batching_dims",
    "start_index_map",
)
_SCATTER_NAMES = (
    "update_window_dims",
    "inserted_window_dims",
    "input_batching_dims",
    "scatter_indices_batching_dims",
    "scatter_dims_to_operand_dims",
)


def _flag(body: Body, name: str) -> list[str]:
    return [f"{name} = {body.rng.choice(('true', 'false'))}"] if body.chance(0.7) else []


@makes("indexing", 1.2)
def gather(body: Body) -> None:
    x = body.pick_shaped(1)
    plan = Plan(body, x.type.shape)
    if plan.fits():
        emit_gather(body, x, plan, body.value_of(Tensor(tuple(plan.indices_shape), "i32")))


def emit_gather(body: Body, x: Value, plan: Plan, indices: Value) -> None:
    """Emits the gather that `plan` describes."""
    properties = [f"dimension_numbers = {plan.dimension_numbers('gather', _GATHER_NAMES)}"]
    properties += _flag(body, "indices_are_sorted")
    properties.append(f"slice_sizes = {int_array(plan.sizes)}")
    body.generic("stablehlo.gather", [x, indices], [x.type.with_shape(plan.result)], properties)


@makes("indexing", 1.2)
def scatter(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: not is_complex(element))
    plan = Plan(body, x.type.shape)
    if plan.fits():
        inputs = [x] if body.chance(0.85) else [x, body.value_of(x.type)]
        emit_scatter(body, inputs, plan, body.value_of(Tensor(tuple(plan.indices_shape), "i32")))


def emit_scatter(body: Body, inputs: list[Value], plan: Plan, indices: Value) -> None:
    """Emits the scatter that `plan` describes, with updates of its own."""
    x = inputs[0]
    updates = [body.value_of(x.type.with_shape(plan.result)) for _ in inputs]
    scalars = [x.type.scalar] * (2 * len(inputs))
    operation = "or" if x.type.element == "i1" else body.rng.choice(("add", "maximum", ""))

    def update(names: list[str]) -> tuple[list[str], str]:
        count, lines, made = len(inputs), [], []
        for index in range(count):
            if not operation:
                made.append(names[index + count])
                continue
            made.append(body.scope.fresh("y"))
            arguments = f"{names[index]}, {names[index + count]}"
            lines.append(f"{made[-1]} = stablehlo.{operation} {arguments} : {x.type.scalar}")
        return lines, f"{', '.join(made)} : {', '.join([str(x.type.scalar)] * count)}"

    properties = _flag(body, "indices_are_sorted")
    properties.append(f"scatter_dimension_numbers = {plan.dimension_numbers('scatter', _SCATTER_NAMES)}")
    properties += _flag(body, "unique_indices")
    operands = [*inputs, indices, *updates]
    region = body.scalar_region(scalars, update)
    body.generic("stablehlo.scatter", operands, [x.type] * len(inputs), properties, [region])
