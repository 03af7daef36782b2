"""Random meshes, and random shardings that obey the verifier: all that stands between `<` and `>`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from random import Random
from typing import NamedTuple

from tests.generator.features import Features

AXIS_SIZES = (1, 2, 2, 2, 2, 3, 4, 4, 6, 8)
BINARY_AXIS_SIZES = (2, 2, 2, 4, 4, 8)
AXIS_NAMES = ("a", "b", "c", "d", "e")
OTHER_AXIS_NAMES = ("x", "y", "z", "w", "v")
MAX_DEVICES = 64


class AxisRef(NamedTuple):
    """A full axis (`pre` is 0) or the sub-axis `"name":(pre)size` of it; `size` is the number of shards either way."""

    name: str
    pre: int
    size: int

    def __str__(self) -> str:
        return f'"{self.name}":({self.pre}){self.size}' if self.pre else f'"{self.name}"'


@dataclass(frozen=True)
class Mesh:
    """A mesh symbol, or a mesh without a name; `axes` pairs names with sizes."""

    name: str
    axes: tuple[tuple[str, int], ...]
    device_ids: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"sdy.mesh @{self.name} = {self.body}"

    @property
    def body(self) -> str:
        """Returns what stands behind the name."""
        axes = ", ".join(f'"{name}"={size}' for name, size in self.axes)
        ids = f", device_ids=[{', '.join(map(str, self.device_ids))}]" if self.device_ids else ""
        return f"<[{axes}]{ids}>"

    def equals(self, other: Mesh) -> bool:
        """Tells whether both are the same but for the name."""
        return self.axes == other.axes and self.device_ids == other.device_ids

    def sizes(self, names: Sequence[str]) -> int:
        """Returns the product of the sizes of the axes called `names`."""
        return prod(size for name, size in self.axes if name in names)


@dataclass(frozen=True)
class Sharding:
    """A tensor sharding in parts: the mesh as text, one list of axes per dimension, and how each dimension ends."""

    mesh: str
    axes: tuple[tuple[AxisRef, ...], ...]
    endings: tuple[tuple[bool, str], ...]
    replicated: tuple[AxisRef, ...] = ()
    unreduced: tuple[AxisRef, ...] = ()

    def __str__(self) -> str:
        dims = ", ".join(_dimension(refs, *ending) for refs, ending in zip(self.axes, self.endings, strict=True))
        lists = (("replicated", self.replicated), ("unreduced", self.unreduced))
        named = "".join(f", {word}={{{', '.join(map(str, refs))}}}" for word, refs in lists if refs)
        return f"<{self.mesh}, [{dims}]{named}>"


def _dimension(refs: Sequence[AxisRef], is_open: bool, priority: str) -> str:
    return "{" + ", ".join([*map(str, refs), *(["?"] if is_open else [])]) + "}" + priority


def random_meshes(rng: Random, features: Features) -> list[Mesh]:
    """Returns the meshes of a program: the main one first, then perhaps a second and perhaps an odd one."""
    meshes = [_random_mesh(rng, features, "mesh", AXIS_NAMES)]
    if rng.random() < features.second_mesh:
        first = meshes[0]
        if rng.random() < 0.5 and first.axes:
            ids = list(range(prod(size for _, size in first.axes)))
            rng.shuffle(ids)
            permuted = () if ids == sorted(ids) else tuple(ids)
            meshes.append(Mesh("mesh_other", first.axes, permuted))
        else:
            meshes.append(_random_mesh(rng, features, "mesh_other", OTHER_AXIS_NAMES))
    if rng.random() < features.odd_meshes:
        meshes.append(rng.choice((Mesh("empty_mesh", ()), Mesh("maximal_mesh", (), (rng.randrange(8),)))))
    if _has(rng, features.equal_meshes):
        meshes.append(Mesh("twin", meshes[0].axes, meshes[0].device_ids))
    if _has(rng, features.inlined_meshes):
        meshes += _meshes_without_name(rng, features, meshes[0])
    return meshes


def _has(rng: Random, probability: float) -> bool:
    """Draws only for what is not switched off, so that programs without it stay what they were."""
    return bool(probability) and rng.random() < probability


def _meshes_without_name(rng: Random, features: Features, main: Mesh) -> list[Mesh]:
    kinds = (
        _random_mesh(rng, features, "", OTHER_AXIS_NAMES),
        Mesh("", main.axes, _reversed_devices(main)),
        Mesh("", ()),
        Mesh("", (), (rng.randrange(8),)),
    )
    weights = (1.0, 1.0, features.odd_meshes, features.odd_meshes)
    return [kind for kind, weight in zip(kinds, weights, strict=True) if rng.random() < weight]


def _random_mesh(rng: Random, features: Features, name: str, names: Sequence[str]) -> Mesh:
    count = rng.choice((1, 2, 2, 2, 3, 3, 4))
    possible: Sequence[int] = AXIS_SIZES
    if _has(rng, features.binary_meshes):
        count, possible = rng.choice((1, 2, 2, 3, 3, 4, 5)), BINARY_AXIS_SIZES
    sizes = [rng.choice(possible) for _ in range(count)]
    while prod(sizes) > MAX_DEVICES:
        sizes[sizes.index(max(sizes))] = 2
    if _has(rng, features.size_one_axes):
        sizes.insert(rng.randrange(count + 1), 1)
        count += 1
    chosen = list(names[:count])
    if rng.random() < 0.2:
        rng.shuffle(chosen)
    ids: tuple[int, ...] = ()
    if rng.random() < features.device_ids:
        order = list(range(prod(sizes)))
        rng.shuffle(order)
        ids = tuple(order)
    return Mesh(name, tuple(zip(chosen, sizes, strict=True)), ids)


def split_axis(rng: Random, name: str, size: int) -> list[AxisRef]:
    """Cuts an axis into sub-axes of sizes greater than 1 that follow one another; some are thrown away."""
    cuts, pre = [], 1
    while pre < size:
        rest = size // pre
        part = rng.choice([d for d in range(2, rest + 1) if rest % d == 0])
        cuts.append(AxisRef(name, pre, part))
        pre *= part
    if len(cuts) == 1:
        return [AxisRef(name, 0, size)]
    return [cut for cut in cuts if rng.random() < 0.7]


def mergeable(first: AxisRef, second: AxisRef) -> bool:
    return first.name == second.name and first.pre > 0 and first.pre * first.size == second.pre


def _reversed_devices(mesh: Mesh) -> tuple[int, ...]:
    count = prod(size for _, size in mesh.axes)
    return tuple(reversed(range(count))) if count > 1 else ()


class ShardingMaker:
    """Makes random shardings for the meshes of one program."""

    def __init__(self, rng: Random, features: Features, meshes: Sequence[Mesh]) -> None:
        self._rng = rng
        self._features = features
        self.meshes = list(meshes)
        self._uses_priorities = rng.random() < features.priorities

    def manual_order(self, names: Sequence[str]) -> list[str]:
        """Returns manual axes in the order in which the computation lists them."""
        listed = list(names)
        if _has(self._rng, self._features.shuffled_manual_axes):
            self._rng.shuffle(listed)
        return listed

    def choose_mesh(self) -> Mesh:
        """Returns the main mesh, or seldom another one."""
        others = self.meshes[1:]
        return self._rng.choice(others) if others and self._rng.random() < 0.25 else self.meshes[0]

    def sharding(self, shape: Sequence[int], taken: Sequence[str] = (), mesh: Mesh | None = None) -> Sharding:
        """Returns a sharding of a tensor of the given shape that does not use the axes called `taken`."""
        rng, features = self._rng, self._features
        mesh = mesh or self.choose_mesh()
        if mesh.device_ids and not mesh.axes:
            return Sharding(self.written(mesh), (), ())
        dims: list[list[AxisRef]] = [[] for _ in shape]
        replicated: list[AxisRef] = []
        unreduced: list[AxisRef] = []
        for ref in self._axes_to_place(mesh, taken):
            if rng.random() < features.replicated_axes:
                replicated.append(ref)
            elif rng.random() < features.unreduced_axes:
                unreduced.append(ref)
            elif rng.random() < 0.7:
                self._place(ref, dims, shape)
        endings = tuple(self._ending(bool(refs)) for refs in dims)
        lists = (_in_mesh_order(mesh, refs) for refs in (replicated, unreduced))
        return Sharding(self.written(mesh), tuple(map(tuple, dims)), endings, *map(_without_merges, lists))

    def written(self, mesh: Mesh) -> str:
        """Returns a name of the mesh, or the mesh itself."""
        if not mesh.name or _has(self._rng, self._features.inlined_meshes):
            return f"mesh{mesh.body}"
        names = [other.name for other in self.meshes if other.name and other.equals(mesh)]
        return f"@{self._rng.choice(names) if self._features.equal_meshes else mesh.name}"

    def _axes_to_place(self, mesh: Mesh, taken: Sequence[str]) -> list[AxisRef]:
        rng = self._rng
        refs: list[AxisRef] = []
        for name, size in mesh.axes:
            if name in taken:
                continue
            split = size > 3 and rng.random() < self._features.sub_axes
            refs += split_axis(rng, name, size) if split else [AxisRef(name, 0, size)]
        rng.shuffle(refs)
        return refs

    def _place(self, ref: AxisRef, dims: list[list[AxisRef]], shape: Sequence[int]) -> None:
        if not shape:
            return
        dim = self._rng.randrange(len(shape))
        if _has(self._rng, self._features.crowded_dimensions):
            dim = 0
        used = prod(other.size for other in dims[dim])
        if shape[dim] % (used * ref.size) and self._rng.random() < self._features.divisible:
            return
        if dims[dim] and mergeable(dims[dim][-1], ref):
            return
        dims[dim].append(ref)

    def _ending(self, has_axes: bool) -> tuple[bool, str]:
        is_open = self._rng.random() < 0.6
        allowed = self._uses_priorities and (has_axes or is_open)
        priority = f"p{self._rng.randrange(4)}" if allowed and self._rng.random() < 0.4 else ""
        return is_open, priority

    def manual_sharding(
        self, mesh: Mesh, shape: Sequence[int], manual: Sequence[str], taken: Sequence[str]
    ) -> tuple[Sharding, tuple[int, ...]]:
        """Returns a sharding of a global shape whose manual axes come first in each dimension, and the local shape."""
        local = list(shape)
        placed: list[tuple[str, int]] = []
        for name in manual:
            size = mesh.sizes([name])
            fitting = [dim for dim, extent in enumerate(local) if extent % size == 0]
            if fitting and self._rng.random() < 0.75:
                placed.append((name, self._rng.choice(fitting)))
                local[placed[-1][1]] //= size
        return self.spread_sharding(mesh, shape, placed, manual, taken), tuple(local)

    def spread_sharding(
        self,
        mesh: Mesh,
        shape: Sequence[int],
        placed: Sequence[tuple[str, int]],
        manual: Sequence[str],
        taken: Sequence[str],
    ) -> Sharding:
        """Returns a sharding of a global shape with manual axes where `placed` says, pairs of axis and dimension."""
        free = self.sharding(shape, [*taken, *manual], mesh)
        dims = [list(refs) for refs in free.axes]
        for place, (name, dim) in enumerate(placed):
            before = sum(other == dim for _, other in placed[:place])
            dims[dim].insert(before, AxisRef(name, 0, mesh.sizes([name])))
        named = {name for name, _ in placed}
        # An axis that is nowhere mentioned could be added by propagation, which the verifier then rejects.
        extra = [
            name for name in manual if name not in named and self._rng.random() >= self._features.forgotten_manual_axes
        ]
        added = [AxisRef(name, 0, mesh.sizes([name])) for name in extra]
        replicated = tuple(_in_mesh_order(mesh, [*free.replicated, *added]))
        return Sharding(free.mesh, tuple(map(tuple, dims)), free.endings, replicated, free.unreduced)


def _in_mesh_order(mesh: Mesh, refs: Sequence[AxisRef]) -> list[AxisRef]:
    order = [name for name, _ in mesh.axes]
    return sorted(refs, key=lambda ref: (order.index(ref.name), ref.pre))


def _without_merges(refs: Sequence[AxisRef]) -> tuple[AxisRef, ...]:
    kept: list[AxisRef] = []
    for ref in refs:
        if not (kept and mergeable(kept[-1], ref)):
            kept.append(ref)
    return tuple(kept)
