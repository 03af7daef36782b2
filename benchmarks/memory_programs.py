"""The programs whose memory is held against XLA's: models, each sharded in the ways that people shard such a one.

``memory_programs`` yields them by name: each model of ``memory_models`` and ``search_models`` with each strategy that
suits it. Some are held out: the memory model was made without a look at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any
from zlib import crc32

from pyshardy import Module, parse
from pyshardy.reading.sharding_files.paths import path_of_name

Lines = dict[str, object]
_KEPT = ("params", "m", "v")
_NEW, _UNSEEN = "new: ", "unseen: "
_RESULTS = {"params": "0", "m": "1", "v": "2", "cache": "1"}
"""Which result takes the place of an argument, by its name."""
_LAST_DIMENSION = frozenset({"wq", "wk", "wv", "up", "gate", "b_up", "wx", "one", "stem", "wqkv", "bqkv"})
"""Parameters that tensor parallelism splits where they make something wide, by name."""
_FIRST_DIMENSION = frozenset({"wo", "down", "two", "embed"})
"""Those that it splits where they read that."""


def sharded(
    text: str, mesh: Mapping[str, int], batch: Sequence[str], stored: Sequence[str], along: Sequence[str]
) -> Module:
    """The program ``text`` on a mesh: data split along the axes ``batch``, parameters stored along ``stored`` (their
    largest dimension), and wide ones split ``along`` axes."""
    module = parse(text)
    lines: Lines = {"**": "?"}
    for one in module.arguments():
        path = path_of_name(one.name)
        spec = _spec(path, one.shape, mesh, batch, stored, along)
        lines["/".join(path)] = spec
        if path[0] in _RESULTS:
            result = _RESULTS[path[0]]
            lines["/".join(("result", result, *path[1:]))] = {"spec": spec, "optional": True}
    module.apply_shardings({"mesh": dict(mesh), "shardings": lines})
    return module


def is_held_out(name: str) -> bool:
    """Whether the memory model was not looked at with the model of the program ``name`` while it was made: half are."""
    return crc32(name.split(",")[0].encode()) % 2 == 1 and is_known(name)


def is_known(name: str) -> bool:
    """Whether the model of the program ``name`` was there before the memory model."""
    return not (is_new(name) or is_unseen(name))


def is_new(name: str) -> bool:
    """Whether the model of the program ``name`` was written when the memory model was there."""
    return name.startswith(_NEW)


def is_unseen(name: str) -> bool:
    """Whether the model of the program ``name`` was written last (``memory_models_unseen``)."""
    return name.startswith(_UNSEEN)


def _spec(
    path: Sequence[str],
    shape: Sequence[int],
    mesh: Mapping[str, int],
    batch: Sequence[str],
    stored: Sequence[str],
    along: Sequence[str],
) -> list[object]:
    spec: list[list[str]] = [[] for _ in shape]

    def put(dim: int, axes: Sequence[str]) -> None:
        taken = {axis for dim in spec for axis in dim}
        axes = [axis for axis in axes if axis not in taken]
        if axes and shape[dim] % prod(mesh[axis] for axis in (*spec[dim], *axes)) == 0:
            spec[dim] += axes

    if not shape:
        return []
    if path[0] not in (*_KEPT, "frozen"):
        dim = next(
            (dim for dim in range(len(shape)) if batch and shape[dim] % prod(mesh[axis] for axis in batch) == 0), 0
        )
        put(dim, batch)
        return list(spec)
    if path[-1] in _LAST_DIMENSION:
        put(len(shape) - 1 if len(shape) < 3 or path[-1] in ("one", "stem") else len(shape) - 2, along)
    elif path[-1] in _FIRST_DIMENSION:
        put(len(shape) - 3 if path[-1] == "wo" else max(0, len(shape) - 2), along)
    if stored:
        put(max(range(len(shape)), key=lambda dim: (not spec[dim], shape[dim])), stored)
    return list(spec)


STRATEGIES: dict[str, Callable[[str], Module]] = {
    "data": lambda text: sharded(text, {"data": 4}, ["data"], [], []),
    "FSDP": lambda text: sharded(text, {"data": 4}, ["data"], ["data"], []),
    "tensor": lambda text: sharded(text, {"data": 2, "model": 2}, ["data"], [], ["model"]),
    "both": lambda text: sharded(text, {"data": 2, "model": 2}, ["data"], ["data"], ["model"]),
}
"""Ways of sharding a model, by name."""


def _models() -> dict[str, Callable[[], str]]:
    from benchmarks import search_models
    from benchmarks.memory_models_not_looked_at import NOT_LOOKED_AT
    from benchmarks.memory_models_of_sequences import MEMORY_MODELS
    from benchmarks.memory_models_unseen import UNSEEN

    small: dict[str, Any] = {"width": 256, "batch": 8, "length": 128, "words": 2048}
    return {
        **MEMORY_MODELS,
        "gpt": lambda: search_models.gpt(2, **small),
        "gpt in a loop": lambda: search_models.gpt(4, scan=True, **small),
        "llama": lambda: search_models.llama(2, **small),
        "llama in a loop": lambda: search_models.llama(4, scan=True, **small),
        "experts": lambda: search_models.experts(2, count=8, **small),
        "mixer": lambda: search_models.mixer(2, width=128, batch=16),
        "graph network": lambda: search_models.graph(2, nodes=1024, edges=8192, width=64),
        "unet": lambda: search_models.unet(2, channels=16, batch=8, size=32),
        "decode": lambda: search_models.decode(2, width=512, batch=16, length=256, words=4096),
        **{f"{_NEW}{name}": make for name, make in NOT_LOOKED_AT.items()},
        **{f"{_UNSEEN}{name}": make for name, make in UNSEEN.items()},
    }


def memory_programs(dtype: str = "float32") -> Iterator[tuple[str, Callable[[], Module]]]:
    """Each program by name, made when it is asked for: each model, of ``dtype``, in two of the strategies."""
    from benchmarks.search_models import elements

    names = list(STRATEGIES)
    for number, (name, make) in enumerate(_models().items()):
        for way in (names[number % 4], names[(number + 1 + number // 4 % 3) % 4]):

            def program(make: Callable[[], str] = make, way: str = way) -> Module:
                with elements(dtype):
                    return STRATEGIES[way](make())

            yield f"{name}, {way}", program
