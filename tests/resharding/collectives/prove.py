"""Reshards proved on simulated devices, by both strategies: `python -m tests.resharding.collectives.prove [N]`.

Every pair of layouts of every mesh with up to 8 devices in up to 3 dimensions, and N random pairs on meshes of up to 64
devices. Says, too, how much cheaper the optimal sequences are than the reference's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.resharding.collective_plan import collective_plan
from pyshardy.resharding.collective_steps import CollectiveStep, elements_moved
from pyshardy.resharding.options import COMPLETE_STRATEGIES
from pyshardy.sharding.mesh import Mesh
from tests.resharding.collectives.checking import steps_lead_to_target
from tests.resharding.collectives.layouts import all_layouts, random_layout, random_mesh, shuffled

_DEVICES = 8
_LARGE = 48
_MAX_RANK = 3
_SIZES = ((2, 4, 8), (2, 3, 4, 6), (1, 2, 3, 5, 12))
_SHAPES = (4096, 64, 48, 24, 16, 5, 4, 3, 2)


@dataclass
class Tally:
    """What was tried: pairs, those with a wrong plan, those where the optimal plan is dearer than the reference's or
    strictly cheaper, and the sum of what the latter save, each as a part of the reference's bytes."""

    pairs: int = 0
    wrong: int = 0
    dearer: int = 0
    cheaper: int = 0
    saved: Fraction = Fraction(0)

    @property
    def failures(self) -> int:
        return self.wrong + self.dearer

    def add(self, other: Tally) -> None:
        self.pairs += other.pairs
        self.wrong += other.wrong
        self.dearer += other.dearer
        self.cheaper += other.cheaper
        self.saved += other.saved

    def __str__(self) -> str:
        saving = float(self.saved / self.cheaper) if self.cheaper else 0.0
        return (
            f"{self.pairs} pairs by two strategies, {self.wrong} wrong, {self.dearer} dearer than the reference's, "
            f"{self.cheaper} cheaper ({self.cheaper / max(self.pairs, 1):.1%}), by {saving:.1%} on average"
        )


def try_pair(
    mesh: Mesh, source: Layout, target: Layout, shape: tuple[int, ...], target_mesh: Mesh | None = None
) -> Tally:
    """Plans one reshard by both strategies and runs the plans."""
    plans: list[tuple[CollectiveStep, ...]] = []
    tally = Tally(pairs=1)
    for strategy in COMPLETE_STRATEGIES:
        plans.append(collective_plan(mesh, source, target, shape, target_mesh, strategy=strategy))
        if not steps_lead_to_target(plans[-1], mesh, source, target, target_mesh):
            tally.wrong = 1
            print("wrong:", strategy, mesh, source, target, shape, target_mesh)
    reference, optimal = (elements_moved(plan, source, shape, mesh, target_mesh) for plan in plans)
    if optimal > reference:
        tally.dearer = 1
        print("dearer:", mesh, source, target, shape, target_mesh)
    if optimal < reference:
        tally.cheaper, tally.saved = 1, 1 - optimal / reference
    return tally


def small_meshes(devices: int = _DEVICES) -> Iterator[Mesh]:
    """All meshes with axes above size 1 of up to ``devices`` devices, and two with an axis of size 1."""

    def sizes(left: int) -> Iterator[tuple[int, ...]]:
        yield ()
        for size in range(2, left + 1):
            for rest in sizes(left // size):
                yield (size, *rest)

    for one in (*(found for found in sizes(devices) if found), (1,), (1, 2)):
        yield Mesh(zip("abcdefgh", one, strict=False))


def try_all(mesh: Mesh, rank: int) -> Tally:
    """All pairs of layouts, for a large tensor and for one of odd sizes."""
    tally = Tally()
    layouts = all_layouts(mesh, rank)
    for shape in ((_LARGE,) * rank, (3, 5, 7)[:rank]):
        for source, target in product(layouts, layouts):
            tally.add(try_pair(mesh, source, target, shape))
    return tally


def try_random(seed: int, pairs: int) -> Tally:
    """Random pairs: mixed axis sizes, sub-axes, indivisible dimensions, meshes with another order of devices."""
    random = Random(seed)
    tally = Tally()
    for _ in range(pairs):
        mesh = random_mesh(random, random.choice(_SIZES), 64)
        rank = random.randint(1, _MAX_RANK)
        source, target = (random_layout(random, mesh, rank, sub_axes=0.4) for _ in range(2))
        shape = tuple(random.choice(_SHAPES) for _ in range(rank))
        end = shuffled(random, mesh) if random.random() < 0.3 else mesh
        tally.add(try_pair(mesh, source, target, shape, end if end is not mesh else None))
    return tally


def main() -> int:
    """Prints a line a mesh and rank, and one for the random pairs; the exit status says whether all is well."""
    parser = argparse.ArgumentParser(prog="python -m tests.resharding.collectives.prove", description=__doc__)
    parser.add_argument("pairs", type=int, nargs="?", default=20000, help="number of random pairs")
    parser.add_argument("--seed", type=int, default=0, help="of the random pairs")
    parser.add_argument("--random-only", action="store_true", help="leave the small meshes out")
    options = parser.parse_args()
    total = Tally()
    for mesh, rank in product(() if options.random_only else small_meshes(), range(1, _MAX_RANK + 1)):
        tally = try_all(mesh, rank)
        total.add(tally)
        print(f"{mesh.body_text} rank {rank}: {tally}", flush=True)
    tally = try_random(options.seed, options.pairs)
    total.add(tally)
    print(f"random: {tally}\nall: {total}")
    return int(total.failures > 0)


if __name__ == "__main__":
    sys.exit(main())
