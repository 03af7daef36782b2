"""Chains of Shardy's collectives: a value is resharded to something known, then gathered, sliced, permuted, reduced.

Every step obeys the verifier; some undo the step before, so that simplifications have something to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from tests.generator.body import Body
from tests.generator.families import makes
from tests.generator.shardings import AxisRef, Mesh, mergeable, split_axis
from tests.generator.types import Value

_MAX_STEPS = 5


class _Chain:
    """The value so far, the axes of its dimensions, and those over which it is unreduced."""

    def __init__(self, body: Body, value: Value, mesh: Mesh, atoms: list[AxisRef]) -> None:
        self.body = body
        self.rng = body.rng
        self.value = value
        self.mesh = mesh
        self.atoms = atoms
        self.rank = value.type.rank
        self.dims: list[list[AxisRef]] = [[] for _ in range(self.rank)]
        self.open = [False] * self.rank
        self.unreduced: list[AxisRef] = []
        self.last: tuple[str, list[list[AxisRef]]] = ("", [])

    @property
    def free(self) -> list[AxisRef]:
        used = [*self.unreduced, *(ref for dim in self.dims for ref in dim)]
        free = [ref for ref in self.atoms if ref not in used]
        self.rng.shuffle(free)
        return free

    def emit(self, name: str, what: str) -> None:
        order = [axis for axis, _ in self.mesh.axes]
        self.unreduced.sort(key=lambda ref: (order.index(ref.name), ref.pre))
        # Becoming unreduced leaves the dimensions as they are, openness included.
        if name != "replicated_to_unreduced":
            self.open = [self.rng.random() < 0.1 for _ in self.dims]
        dims = ", ".join(map(_dimension, self.dims, self.open))
        unreduced = f", unreduced={_braces(self.unreduced)}" if self.unreduced else ""
        sharding = f"<@{self.mesh.name}, [{dims}]{unreduced}>"
        word = "" if name == "reshard" else "out_sharding="
        text = f"sdy.{name} {what}{self.value} {word}{sharding} : {self.value.type}"
        (self.value,) = self.body.emit(text, [self.value], [self.value.type])

    def slice_axes(self) -> list[list[AxisRef]] | None:
        """Puts some free axes behind those of some dimensions."""
        added: list[list[AxisRef]] = [[] for _ in self.dims]
        for ref in self.free[: self.rng.randrange(1, 4)]:
            dim = self.rng.randrange(self.rank)
            whole = [*self.dims[dim], *added[dim]]
            if not whole or not mergeable(whole[-1], ref):
                added[dim].append(ref)
        for dim, refs in enumerate(added):
            self.dims[dim] += refs
        return added if any(added) or self.rng.random() < 0.3 else None


def _braces(refs: Sequence[AxisRef]) -> str:
    return "{" + ", ".join(map(str, refs)) + "}"


def _dimension(refs: Sequence[AxisRef], is_open: bool) -> str:
    return "{" + ", ".join([*map(str, refs), *(["?"] if is_open else [])]) + "}"


def _lists(lists: Sequence[Sequence[AxisRef]]) -> str:
    return "[" + ", ".join(map(_braces, lists)) + "] "


def _would_merge(refs: Sequence[AxisRef]) -> bool:
    return any(mergeable(first, second) for first, second in pairwise(refs))


def _all_gather(chain: _Chain) -> None:
    taken: list[list[AxisRef]] = []
    for dim in chain.dims:
        count = chain.rng.randrange(len(dim) + 1)
        taken.append(dim[len(dim) - count :])
        del dim[len(dim) - count :]
    chain.emit("all_gather", _lists(taken))
    chain.last = ("all_gather", taken)


def _all_slice(chain: _Chain) -> None:
    name, lists = chain.last
    chain.last = ("", [])
    if name == "all_gather" and chain.rng.random() < 0.6:
        for dim, refs in zip(chain.dims, lists, strict=True):
            dim += refs
        chain.emit("all_slice", _lists(lists))
        return
    added = chain.slice_axes()
    if added is not None:
        chain.emit("all_slice", _lists(added))


def _reduce_scatter(chain: _Chain) -> None:
    added = chain.slice_axes()
    if added is not None:
        chain.emit("reduce_scatter", _lists(added))


def _all_reduce(chain: _Chain) -> None:
    count = chain.rng.randrange(len(chain.unreduced) + 1)
    reduced = chain.unreduced[:count]
    if not reduced and chain.rng.random() < 0.7:
        reduced = chain.free[: chain.rng.randrange(1, 3)]
        order = [axis for axis, _ in chain.mesh.axes]
        reduced.sort(key=lambda ref: (order.index(ref.name), ref.pre))
    if _would_merge(reduced):
        return
    chain.unreduced = [ref for ref in chain.unreduced if ref not in reduced]
    chain.emit("all_reduce", _braces(reduced) + " ")
    if reduced and chain.rng.random() < 0.6:
        _slice_reduced(chain, reduced)


def _slice_reduced(chain: _Chain, reduced: list[AxisRef]) -> None:
    """Several slices of one all-reduce, over its axes and perhaps others."""
    chain.rng.shuffle(reduced)
    added: list[list[AxisRef]] = [[] for _ in chain.dims]
    for ref in [*reduced, *[ref for ref in chain.free if ref not in reduced][: chain.rng.randrange(2)]]:
        dim = chain.rng.randrange(chain.rank)
        whole = [*chain.dims[dim], *added[dim]]
        if whole and mergeable(whole[-1], ref):
            return
        added[dim].append(ref)
    for axes, refs in zip(chain.dims, added, strict=True):
        axes += refs
    source = chain.value
    for _ in range(chain.rng.choice((1, 1, 2))):
        chain.value = source
        chain.emit("all_slice", _lists(added))


def _all_to_all(chain: _Chain) -> None:
    free_dims = list(range(chain.rank))
    chain.rng.shuffle(free_dims)
    params: list[tuple[int, int, list[AxisRef]]] = []
    while len(free_dims) > 1:
        source, target = free_dims.pop(), free_dims.pop()
        if chain.dims[source] and (not params or chain.rng.random() < 0.4):
            count = chain.rng.randrange(1, len(chain.dims[source]) + 1)
            moved = chain.dims[source][-count:]
            if chain.dims[target] and mergeable(chain.dims[target][-1], moved[0]):
                continue
            del chain.dims[source][-count:]
            chain.dims[target] += moved
            params.append((source, target, moved))
    if params:
        listed = ", ".join(f"{_braces(moved)}: {source}->{target}" for source, target, moved in sorted(params))
        chain.emit("all_to_all", f"[{listed}] ")


def _collective_permute(chain: _Chain) -> None:
    for dim in chain.dims:
        for place, ref in enumerate(dim):
            others = [other for other in chain.free if other.size == ref.size]
            before = dim[place - 1] if place else None
            behind = dim[place + 1] if place + 1 < len(dim) else None
            for other in others:
                joins = (before and mergeable(before, other)) or (behind and mergeable(other, behind))
                if not joins and chain.rng.random() < 0.6:
                    dim[place] = other
                    break
    chain.emit("collective_permute", "")


def _to_unreduced(chain: _Chain) -> None:
    axes = chain.free[: chain.rng.randrange(1, 3)]
    order = [axis for axis, _ in chain.mesh.axes]
    axes.sort(key=lambda ref: (order.index(ref.name), ref.pre))
    whole = sorted([*chain.unreduced, *axes], key=lambda ref: (order.index(ref.name), ref.pre))
    if not axes or _would_merge(whole):
        return
    chain.unreduced = whole
    chain.emit("replicated_to_unreduced", _braces(axes) + " ")


def _shards_to_unreduced(chain: _Chain) -> None:
    taken: list[list[AxisRef]] = []
    for dim in chain.dims:
        count = chain.rng.randrange(len(dim) + 1)
        taken.append(dim[len(dim) - count :])
    order = [axis for axis, _ in chain.mesh.axes]
    flat = [ref for refs in taken for ref in refs]
    whole = sorted([*chain.unreduced, *flat], key=lambda ref: (order.index(ref.name), ref.pre))
    if not flat or _would_merge(whole):
        return
    for dim, refs in zip(chain.dims, taken, strict=True):
        del dim[len(dim) - len(refs) :]
    chain.unreduced = whole
    chain.emit("sharded_to_unreduced", _lists(taken))


_STEPS: Sequence[tuple[Callable[[_Chain], None], float]] = (
    (_all_gather, 2.0),
    (_all_slice, 2.0),
    (_all_to_all, 2.5),
    (_collective_permute, 0.7),
    (_all_reduce, 2.0),
    (_reduce_scatter, 0.5),
    (_to_unreduced, 0.7),
    (_shards_to_unreduced, 0.7),
)


@makes("sharding_collectives")
def chain_of_collectives(body: Body) -> None:
    """A reshard and a few collectives behind it, some of them to the sharding that the chain began with."""
    x = body.pick_shaped(1)
    mesh = body.program.shardings.meshes[0]
    atoms = []
    for name, size in mesh.axes:
        if name not in body.scope.taken:
            atoms += split_axis(body.rng, name, size) if size > 3 and body.chance(0.3) else [AxisRef(name, 0, size)]
    chain = _Chain(body, x, mesh, atoms)
    chain.slice_axes()
    chain.emit("reshard", "")
    steps, weights = zip(*_STEPS, strict=True)
    for step in body.rng.choices(steps, weights, k=body.rng.randrange(1, _MAX_STEPS + 1)):
        if step is not _all_slice:
            chain.last = ("", [])
        step(chain)
