"""Gathers and scatters whose indices along dimension 0 count 0, 1, 2, …, and some that only look like it."""

from __future__ import annotations

from tests.generator.body import Body
from tests.generator.families import makes
from tests.generator.indexing import Plan, emit_gather, emit_scatter
from tests.generator.types import Tensor, Value, is_complex


class _CountedPlan(Plan):
    """Dimension 0 is indexed and collapsed, and places of the indices begin with one for each element along it."""

    def __init__(self, body: Body, shape: tuple[int, ...]) -> None:
        rng = body.rng
        others = [dim for dim in range(1, len(shape)) if rng.random() < 0.8]
        self.batching = []
        self.indexed = rng.sample([0, *others], len(others) + 1)
        self.collapsed = [dim for dim in range(len(shape)) if dim in self.indexed and rng.random() < 0.85]
        self.window = [dim for dim in range(len(shape)) if dim not in self.collapsed]
        self.sizes = [1 if dim in self.collapsed else size for dim, size in enumerate(shape)]
        self.index_batching = []
        first = shape[0] if rng.random() < 0.9 else rng.choice(body.program.palette)
        self.places = [first, *(rng.choice(body.program.palette) for _ in range(rng.choice((0, 0, 1))))]
        implicit = len(self.indexed) == 1 and rng.random() < 0.5
        self.vector_dim = rng.randrange(1, len(self.places) + 1)
        if implicit:
            self.vector_dim = len(self.places)
        self.indices_shape = list(self.places)
        if not implicit:
            self.indices_shape.insert(self.vector_dim, len(self.indexed))
        total = len(self.places) + len(self.window)
        self.offsets = list(range(len(self.places), total))
        windows, places = iter([self.sizes[dim] for dim in self.window]), iter(self.places)
        self.result = [next(windows) if dim in self.offsets else next(places) for dim in range(total)]

    def indices(self, body: Body) -> Value:
        """Emits the indices: a concatenation with a counting part, or something that counts in all components."""
        shape = tuple(self.indices_shape)
        if self.vector_dim == len(shape) or shape[self.vector_dim] == 1 or body.chance(0.35):
            return _counting(body, shape)
        place = self.indexed.index(0)
        parts, axis, position = [], self.vector_dim, 0
        while position < shape[axis]:
            size = 2 if shape[axis] - position > 1 and body.chance(0.1) else 1
            part = (*shape[:axis], size, *shape[axis + 1 :])
            counts = position == place or body.chance(0.2)
            parts.append(_counting(body, part) if counts else body.value_of(Tensor(part, "i32")))
            position += size
        listed = ", ".join(map(str, parts))
        return body.functional(f"stablehlo.concatenate {listed}, dim = {axis}", parts, [Tensor(shape, "i32")])[0]


def _iota(body: Body, shape: tuple[int, ...], dim: int) -> Value:
    type = Tensor(shape, "i32")
    return body.pretty(f"stablehlo.iota dim = {dim}", [], [type], str(type))[0]


def _counting(body: Body, shape: tuple[int, ...], depth: int = 0) -> Value:
    """Returns a value of this shape that counts along dimension 0, or seldom another."""
    type = Tensor(shape, "i32")
    step = body.rng.choice(("iota", "iota", "reshape", "broadcast", "clamp", "select", "negate"))
    if depth > 2 or step == "iota":
        return _iota(body, shape, 0 if body.chance(0.9) else body.rng.randrange(len(shape)))
    if step == "reshape":
        flat = _counting(body, (type.size,) if body.chance(0.5) else (*shape, 1), depth + 1)
        return body.functional(f"stablehlo.reshape {flat}", [flat], [type])[0]
    if step == "broadcast":
        count = _counting(body, shape[:1], depth + 1)
        return body.functional(f"stablehlo.broadcast_in_dim {count}, dims = [0]", [count], [type])[0]
    count = _counting(body, shape, depth + 1)
    if step == "clamp":
        low, high = body.constant(type.scalar), body.constant(type.scalar)
        return body.functional(f"stablehlo.clamp {low}, {count}, {high}", [low, count, high], [type])[0]
    if step == "select":
        choice, other = body.value_of(Tensor(shape, "i1")), body.value_of(type)
        branches = [count, other] if body.chance(0.5) else [other, count]
        tail = f"{choice.type}, {type}"
        head = f"stablehlo.select {choice}, {branches[0]}, {branches[1]}"
        return body.pretty(head, [choice, *branches], [type], tail)[0]
    return body.either("stablehlo.negate", str(count), [count], [type], str(type))[0]


@makes("iota_indexing")
def counted_gather(body: Body) -> None:
    x = body.pick_shaped(1)
    plan = _CountedPlan(body, x.type.shape)
    if plan.fits():
        emit_gather(body, x, plan, plan.indices(body))


@makes("iota_indexing")
def counted_scatter(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: not is_complex(element))
    plan = _CountedPlan(body, x.type.shape)
    if plan.fits():
        inputs = [x] if body.chance(0.8) else [x, body.value_of(x.type)]
        emit_scatter(body, inputs, plan, plan.indices(body))
