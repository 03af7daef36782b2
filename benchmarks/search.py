"""What ``pyshardy search`` finds against strategies written by hand: ``python -m benchmarks.search [--seconds 60]``.

For each model, hardware and mesh: the best of the strategies that people write for it (data parallel, ZeRO-1, FSDP,
tensor parallel, expert parallel and what they come to together), each applied, partitioned and costed as a whole, and
what a search of so many seconds finds. The ratio of the two expected times, with memory first: a strategy that fits is
better than one that does not. ``docs/search.md`` has the table.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from math import exp, log, prod

from benchmarks.search_models import MODELS
from pyshardy import Module, PyshardyError, ShardingProblem, parse, partition, search
from pyshardy.analysis.cost.targets import Target, target
from pyshardy.reading.sharding_files.paths import Path, path_of_name

CASES = (
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
)
"""Model, hardware, mesh."""
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


def best_expert(module: Module, sizes: Mapping[str, int], where: Target) -> tuple[tuple[float, float], str]:
    """How much too large and how slow the best strategy is that people write, and which it is."""
    best = (float("inf"), float("inf")), "none"
    for name, lines in Strategies(module, sizes).all().items():
        copy = module.copy()
        try:
            copy.apply_shardings({"mesh": dict(sizes), "shardings": lines})
            cost = partition(copy).cost(where.hardware)
        except (ShardingProblem, PyshardyError):
            # Heads that do not divide, for example.
            continue
        over = max(0.0, cost.peak_bytes - where.hardware.chip.capacity)
        best = min(best, ((over, cost.step_seconds.expected), name))
    return best


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", type=int, nargs="*", help="numbers of cases, from 0")
    options = parser.parse_args()
    print("| model | hardware | best by hand | a step | found | a step | ratio | strategies, s |")
    print("| --- | --- | --- | ---: | --- | ---: | ---: | ---: |")
    logs = []
    for number, (name, hardware, sizes) in enumerate(CASES):
        if options.only and number not in options.only:
            continue
        module, where = parse(MODELS[name]()), target(hardware)
        mesh = dict(zip(_NAMES, sizes, strict=False))
        (over, seconds), expert = best_expert(module, mesh, where)
        begun = time.monotonic()
        found = search(module, hardware, mesh=mesh, seconds=options.seconds)
        took = time.monotonic() - begun
        ours = found.cost.step_seconds.expected
        if seconds < float("inf"):
            logs.append(log(ours / seconds))
        fits = ("", " (too large)")
        print(
            f"| {name} | {hardware} {'×'.join(map(str, sizes))} | {expert}{fits[over > 0]} | {1e3 * seconds:.4g} ms "
            f"| {found.name}{fits[not found.fits]} | {1e3 * ours:.4g} ms | {ours / seconds:.3f} "
            f"| {found.evaluations}, {took:.0f} |",
            flush=True,
        )
    print(f"\nThe geometric mean of {len(logs)} ratios is {exp(sum(logs) / len(logs)):.3f}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
