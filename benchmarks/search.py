"""What ``pyshardy search`` finds against strategies written by hand: ``python -m benchmarks.search [--seconds 60]``.

For each model, hardware and mesh: the best of the strategies that people write for it (data parallel, ZeRO-1, FSDP,
tensor parallel, expert parallel and what they come to together), each applied, partitioned and costed as a whole, and
what a search of so many seconds finds. Candidate plans are chosen by seconds for both. The ratio of the two expected
times, with memory first: a strategy that fits is better than one that does not. Where a search finds the shape of the
mesh, too, strategies are written for each mesh of up to three axes. No strategy written by hand meets the limits of
memory: they lie between the least that one of these needs and an equal share of what the whole program needs, which is
about the least that there can be. ``docs/search.md`` has the table.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from math import exp, inf, log, prod
from typing import NamedTuple

from benchmarks.search_models import MODELS
from pyshardy import Module, PyshardyError, ShardingProblem, parse, partition, search
from pyshardy.analysis.cost.targets import Target, target
from pyshardy.reading.sharding_files.paths import Path, path_of_name
from pyshardy.searching.meshes import meshes_for


class Case(NamedTuple):
    """A model on hardware, on a mesh of ``sizes`` or one that is found; ``memory`` is how far from an equal share of
    what the whole program needs to the least that a strategy written by hand needs the limit lies."""

    model: str
    hardware: str
    sizes: tuple[int, ...] | None
    memory: float | None = None

    @property
    def place(self) -> str:
        """Hardware and mesh, as the table has them."""
        return f"{self.hardware} {'×'.join(map(str, self.sizes)) if self.sizes else 'auto'}"


_CASES = (
    ("GPT, 2 layers", "h100", (8,)),
    ("GPT, 2 layers", "v5e", (4, 2)),
    ("GPT, 32 layers", "h100", (4, 2)),
    ("GPT, 32 in a loop", "v5p", (16, 8)),
    ("Llama, 2 layers", "v5e", (2, 2, 2)),
    ("Llama, 32 layers", "h100", (4, 2)),
    ("Llama, 32 in a loop", "v5p", (16, 8)),
    ("experts, 2 layers", "h100", (2, 2, 2)),
    ("64 experts, 8 layers", "h100", (8,)),
    ("mixer, 4 layers", "v5e", (4, 2)),
    ("graph network, 3 layers", "v5p", (8,)),
    ("UNet, 3 levels", "h100", (4, 2)),
    ("decode, 2 layers", "v5e", (8,)),
    ("decode, 32 layers", "h100", (4, 2)),
    ("GPT, 2 layers", "h100x8", None),
    ("Llama, 2 layers", "v5p:4x4x4", None),
    ("experts, 2 layers", "h100x64", None),
    ("GPT, 32 layers", "v5e:8x8", None),
    ("GPT, 32 layers", "h100", (8,), 0.5),
    ("Llama, 32 in a loop", "v5e", (16, 8), 0.5),
    ("experts, 2 layers", "h100", (2, 2, 2), 0.5),
)
CASES = [Case(*one) for one in _CASES]
_NAMES = ("data", "model", "third")
_HEADS = {"wqkv": 2, "bqkv": 1, "wq": 1, "wk": 1, "wv": 1, "wo": 0, "keys": 2, "values": 2}
_WIDE = {"up": 1, "gate": 1, "b_up": 0, "down": 0}
_WORDS = {"embed": 0, "head": 1}
_EXPERTS = {"up": 0, "gate": 0, "down": 0, "router": 1}

Places = Mapping[str, int]
Lines = dict[str, object]


def _arguments(module: Module) -> Iterator[tuple[Path, tuple[int, ...]]]:
    for one in module.arguments():
        path = path_of_name(one.name)
        if one.shape:
            yield path, one.shape


class Strategies:
    """Strategies for ``module`` on a mesh of ``sizes`` as people write them."""

    def __init__(self, module: Module, sizes: Mapping[str, int]) -> None:
        self._sizes = sizes
        self._arguments = list(_arguments(module))
        names = {path[0] for path, _ in self._arguments}
        self._trains = "m" in names
        self._has_experts = any(path[-1] == "router" for path, _ in self._arguments)

    def all(self) -> dict[str, Lines]:
        """The strategies by name."""
        axes = list(self._sizes)
        found = {"data parallel": self._lines(axes, (), (), {})}
        found["FSDP"] = self._lines(axes, axes, axes, {})
        if self._trains:
            found["ZeRO-1"] = self._lines(axes, (), axes, {})
        for name, places in self._parallel():
            found[name] = self._lines([], (), (), dict.fromkeys(places, axes), places)
            outer, inner = axes[:1], axes[1:]
            if inner:
                along = dict.fromkeys(places, inner)
                found[f"data and {name}"] = self._lines(outer, (), (), along, places)
                found[f"FSDP and {name}"] = self._lines(outer, outer, outer, along, places)
                if self._trains:
                    found[f"ZeRO-1 and {name}"] = self._lines(outer, (), outer, along, places)
        return found

    def _parallel(self) -> Iterator[tuple[str, Places]]:
        yield "tensor parallel", {**_HEADS, **_WIDE, **_WORDS}
        yield "tensor parallel without the vocabulary", {**_HEADS, **_WIDE}
        if self._has_experts:
            yield "expert parallel", {**_HEADS, **_WORDS, **_EXPERTS}
            yield "experts alone", _EXPERTS

    def _lines(
        self,
        batch: list[str],
        parameters: list[str] | tuple[()],
        moments: list[str] | tuple[()],
        along: Mapping[str, list[str]],
        places: Places | None = None,
    ) -> Lines:
        """The lines of a file: the batch along ``batch``, parameters and moments stored along axes, the names ``along``
        axes in the dimensions ``places``."""
        found: Lines = {"**": []}
        for path, shape in self._arguments:
            kind = path[0]
            spec: list[object] = [[] for _ in shape]
            if kind not in ("params", "m", "v"):
                spec[0] = list(batch) if not kind.startswith("place") else []
            loop = 1 if len(path) == 3 and path[1] == "layers" else 0
            leaf = path[-1]
            if places and leaf in places and leaf in along:
                place = places[leaf] + (loop if kind != "cache" else 0)
                if place < len(shape) and spec[place] == []:
                    spec[place] = list(along[leaf])
            stored = {"params": parameters, "m": moments, "v": moments}.get(kind, ())
            count = prod(self._sizes[axis] for axis in stored)
            free = [d for d in range(loop, len(shape)) if spec[d] == [] and shape[d] % count == 0]
            if stored and free:
                largest = max(free, key=lambda d: shape[d])
                spec[largest] = {"axes": list(stored), "priority": 1}
            self._add(found, path, spec)
        return found

    def _add(self, found: Lines, path: Path, spec: list[object]) -> None:
        """A line for an argument, and one for the result that takes its place."""
        if not any(spec):
            return
        found["/".join(path)] = spec
        results = {"params": "0", "m": "1", "v": "2"} if self._trains else {"cache": "1"}
        if path[0] in results:
            found["/".join(("result", results[path[0]], *path[1:]))] = spec


class ByHand(NamedTuple):
    """The best strategy that people write: by how many bytes it is too large for ``limit``, how long a step takes,
    which it is, and how many there are."""

    over: float
    seconds: float
    name: str
    limit: float
    strategies: int


def best_by_hand(module: Module, case: Case, where: Target) -> ByHand:
    """The best strategy that people write for ``case``."""
    if case.sizes is not None:
        meshes = [dict(zip(_NAMES, case.sizes, strict=False))]
    else:
        listed = meshes_for(where.devices or 1, where.hardware)
        meshes = [dict(zip(_NAMES, one.sizes.values(), strict=False)) for one in listed]
    found: list[tuple[float, float, str]] = []
    for sizes in meshes:
        for name, lines in Strategies(module, sizes).all().items():
            copy = module.copy()
            try:
                copy.apply_shardings({"mesh": sizes, "shardings": lines})
                cost = partition(copy, hardware=where.hardware).cost(where.hardware)
            except (ShardingProblem, PyshardyError):
                # Heads that do not divide, for example.
                continue
            on = "" if case.sizes is not None else f" on {'×'.join(map(str, sizes.values()))}"
            found.append((cost.peak_bytes, cost.step_seconds.expected, name + on))
    least = min(peak for peak, *_ in found)
    limit = where.hardware.chip.capacity
    if case.memory is not None:
        share = _share(module, meshes[0], where)
        limit = share + case.memory * (least - share)
    over, seconds, name = min((max(0.0, peak - limit), seconds, name) for peak, seconds, name in found)
    return ByHand(over, seconds, name, limit, len(found))


def _share(module: Module, sizes: Mapping[str, int], where: Target) -> float:
    """An equal share of what ``module`` needs on one device."""
    copy = module.copy()
    copy.apply_shardings({"mesh": sizes, "shardings": {"**": []}})
    return partition(copy, hardware=where.hardware).cost(where.hardware).peak_bytes / prod(sizes.values())


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", type=int, nargs="*", help="numbers of cases, from 0")
    options = parser.parse_args()
    print("| model | hardware | best by hand | a step | found | a step | ratio | strategies, s |")
    print("| --- | --- | --- | ---: | --- | ---: | ---: | ---: |")
    logs = []
    for number, case in enumerate(CASES):
        if options.only and number not in options.only:
            continue
        module, where = parse(MODELS[case.model]()), target(case.hardware)
        hand = best_by_hand(module, case, where)
        mesh = dict(zip(_NAMES, case.sizes, strict=False)) if case.sizes else None
        memory = hand.limit if case.memory is not None else None
        begun = time.monotonic()
        found = search(module, case.hardware, mesh=mesh, seconds=options.seconds, memory=memory)
        took = time.monotonic() - begun
        ours = found.cost.step_seconds.expected
        if hand.seconds < inf and not hand.over:
            logs.append(log(ours / hand.seconds))
        fits = ("", " (too large)")
        limit = f", {memory / 1e9:.3g} GB" if memory is not None else ""
        print(
            f"| {case.model} | {case.place}{limit} | {hand.name}{fits[hand.over > 0]} | {1e3 * hand.seconds:.4g} ms "
            f"| {found.name}{fits[not found.fits]} | {1e3 * ours:.4g} ms | {ours / hand.seconds:.3f} "
            f"| {found.evaluations}, {took:.0f} |",
            flush=True,
        )
    if logs:
        print(f"\nThe geometric mean of {len(logs)} ratios where both fit is {exp(sum(logs) / len(logs)):.3f}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
