"""Every pair of layouts of every mesh with up to 8 devices, rank up to 3: `python -m
tests.resharding.collectives.exhaustive` (minutes)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product

from pyshardy.sharding.mesh import Mesh
from tests.resharding.collectives.checking import leads_to_target
from tests.resharding.collectives.layouts import all_layouts

_DEVICES = 8
_LARGE = 48
_MAX_RANK = 3


def small_meshes(devices: int = _DEVICES) -> Iterator[Mesh]:
    """All meshes with axes above size 1 of up to ``devices`` devices, and two with an axis of size 1."""

    def sizes(left: int) -> Iterator[tuple[int, ...]]:
        yield ()
        for size in range(2, left + 1):
            for rest in sizes(left // size):
                yield (size, *rest)

    for one in (*(found for found in sizes(devices) if found), (1,), (1, 2)):
        yield Mesh(zip("abcdefgh", one, strict=False))


def check(mesh: Mesh, rank: int) -> tuple[int, int]:
    """Number of pairs of layouts, and of those whose plan fails; for a large tensor and for one of odd sizes."""
    layouts = all_layouts(mesh, rank)
    failures = 0
    for source, target in product(layouts, layouts):
        for shape in ((_LARGE,) * rank, (3, 5, 7)[:rank]):
            if not leads_to_target(mesh, source, target, shape):
                failures += 1
                print(mesh, source, target, shape)
    return len(layouts) ** 2, failures


def main() -> int:
    """Prints a line a mesh and rank; the exit status says whether all is well."""
    failed = pairs = 0
    for mesh, rank in product(small_meshes(), range(1, _MAX_RANK + 1)):
        count, failures = check(mesh, rank)
        pairs += count
        failed += failures
        print(f"{mesh.body_text} rank {rank}: {count} pairs, {failures} failures", flush=True)
    print(f"{pairs} pairs, {failed} failures")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
