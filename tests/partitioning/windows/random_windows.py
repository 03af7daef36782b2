"""Random dimension numbers for gathers and scatters: which dimensions are batched, indexed, taken whole or in part."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Windows:
    """Windows of ``sizes`` in a tensor of shape ``operand``, whose dimensions are of ``kinds``: whole, part, one,
    dropped (of size 1, not in the result) or batching. ``batching`` pairs dimensions of the operand with batch
    dimensions, ``mapped`` are those that the vectors at ``vector_dim`` of ``indices`` index. ``combined`` is the shape
    of batches and windows together, ``window_dims`` are the windows' dimensions in it."""

    operand: list[int]
    kinds: list[str]
    sizes: list[int]
    batching: list[tuple[int, int]]
    mapped: list[int]
    indices: list[int]
    vector_dim: int
    combined: list[int]
    window_dims: list[int]

    @property
    def dropped(self) -> list[int]:
        """The dimensions of the operand that the result lacks."""
        return [dim for dim, kind in enumerate(self.kinds) if kind == "dropped"]

    @property
    def operand_batching(self) -> list[int]:
        """The batching dimensions of the operand, in order."""
        return [dim for dim, _ in self.batching]

    @property
    def indices_batching(self) -> list[int]:
        """The dimensions of the indices that go with them."""
        return [dim + (dim >= self.vector_dim) for _, dim in self.batching]


def random_windows(rng: random.Random, indexed: float, indexed_if_whole: float) -> Windows:
    """``indexed`` is how often a dimension is indexed, ``indexed_if_whole`` how often one that is taken whole is."""
    operand = [rng.choice([1, 2, 3, 4, 5, 6, 8, 9]) for _ in range(rng.randint(1, 4))]
    batch = [rng.choice([1, 2, 3, 4, 5, 8]) for _ in range(rng.randint(0, 2))]
    kinds = [rng.choice(["dropped", "dropped", "whole", "whole", "part", "one", "batching"]) for _ in operand]
    free = list(range(len(batch)))
    batching: list[tuple[int, int]] = []
    for dim, kind in enumerate(kinds):
        if kind == "batching":
            if not free:
                kinds[dim] = "dropped"
                continue
            batch_dim = free.pop(rng.randrange(len(free)))
            batch[batch_dim] = operand[dim]
            batching.append((dim, batch_dim))
    sizes = [
        size if kind == "whole" else rng.randint(1, size) if kind == "part" else 1
        for size, kind in zip(operand, kinds, strict=True)
    ]
    mapped = [
        dim
        for dim, kind in enumerate(kinds)
        if kind != "batching" and rng.random() < (indexed_if_whole if kind == "whole" else indexed)
    ]
    rng.shuffle(mapped)
    vector_dim = rng.randint(0, len(batch))
    indices = [*batch[:vector_dim], len(mapped), *batch[vector_dim:]]
    if len(mapped) == 1 and rng.random() < 0.4:
        vector_dim, indices = len(batch), list(batch)
    windows = [size for size, kind in zip(sizes, kinds, strict=True) if kind not in ("dropped", "batching")]
    total = len(batch) + len(windows)
    window_dims = sorted(rng.sample(range(total), len(windows)))
    sources, parts = iter(batch), iter(windows)
    combined = [next(parts) if dim in window_dims else next(sources) for dim in range(total)]
    return Windows(operand, kinds, sizes, sorted(batching), mapped, indices, vector_dim, combined, window_dims)
