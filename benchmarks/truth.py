"""The expected time of a step against a run, on two virtual CPU devices that were measured first.

``make truth`` calibrates (``pyshardy.jax.calibrate``), then for each of five programs and a dozen strategies sets the
expected time of the plan beside the median of runs through ``pyshardy.jax``, each step's result awaited. The strategies
of a program run in turns, since a machine's speed changes within minutes. Printed are the rank correlation over the
strategies of a program, that of two halves of the runs with each other, and expected by measured time. Let nothing else
run.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from pyshardy.jax.calibrate import Calibration, tables_of

X = "x"
_STORED = Path(__file__).parent / "truth.json"
_MALLOC = ("hugetlb=1", "arena_max=1", "mmap_max=0", "trim_threshold=1000000000000", "top_pad=4000000000")
_KEPT_MEMORY = ":".join(f"glibc.malloc.{one}" for one in _MALLOC)
"""Makes glibc keep memory that is freed. As it is, every large result of XLA's CPU backend is new memory from the
kernel, and a write to a new page takes ten times as long as to one that was there. Devices keep their memory."""

_TURNS, _RUNS = 10, 3
"""How often the strategies have their turn, and the steps of a turn, of which the first is not counted."""


class Program(NamedTuple):
    """A step with its arguments, and strategies: the specs of the arguments by name. The argument ``state`` is donated;
    the first result takes its place in the next step."""

    name: str
    step: Callable[..., Any]
    arguments: tuple[Any, ...]
    strategies: dict[str, tuple[Any, ...]]
    state: int = 0


def random(*shape: int, scale: float = 0.05) -> Any:
    return np.random.default_rng(len(shape)).standard_normal(shape, dtype=np.float32) * scale


def trained(loss: Callable[..., Any]) -> Callable[..., Any]:
    """A step of gradient descent."""

    def step(params: Any, *batch: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(params, *batch)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient), value

    return step


# --- programs ---------------------------------------------------------------------------------------------------------


def perceptron() -> Program:
    width, hidden, batch = 512, 2048, 512
    params = [{"up": random(width, hidden), "down": random(hidden, width)} for _ in range(2)]

    def loss(params: Any, x: Any, y: Any) -> Any:
        for layer in params:
            x = x + jax.nn.relu(x @ layer["up"]) @ layer["down"]
        return jnp.mean((x - y) ** 2)

    def specs(up: Any, down: Any, x: Any) -> tuple[Any, ...]:
        return [{"up": up, "down": down}] * 2, x, x

    none, rows, columns = P(), P(X), P(None, X)
    strategies = {
        "replicated": specs(none, none, none),
        "data": specs(none, none, rows),
        "megatron": specs(columns, rows, none),
        "fsdp rows": specs(rows, rows, rows),
        "fsdp columns": specs(columns, columns, rows),
        "fsdp mixed": specs(columns, rows, rows),
        "up columns": specs(columns, none, none),
        "up rows": specs(rows, none, none),
        "down rows": specs(none, rows, none),
        "down columns": specs(none, columns, none),
        "crossed": specs(rows, columns, none),
        "columns": specs(columns, columns, none),
        "features": specs(none, none, columns),
        "megatron, features": specs(columns, rows, columns),
    }
    return Program("MLP", trained(loss), (params, random(batch, width), random(batch, width)), strategies)


def transformer() -> Program:
    width, heads, size, hidden, words, batch, length = 256, 4, 64, 1024, 1024, 8, 256
    layer = {
        "qkv": random(3, width, heads, size),
        "out": random(heads, size, width),
        "up": random(width, hidden),
        "down": random(hidden, width),
    }
    params = {"embed": random(words, width), "layers": [layer, layer]}
    tokens = np.random.default_rng(0).integers(0, words, (batch, length), dtype=np.int32)

    def loss(params: Any, tokens: Any) -> Any:
        x = params["embed"][tokens]
        for one in params["layers"]:
            q, k, v = jnp.einsum("bsd,tdhk->tbhsk", x, one["qkv"])
            scores = jax.nn.softmax(jnp.einsum("bhsk,bhtk->bhst", q, k) / 8.0)
            x = x + jnp.einsum("bhst,bhtk,hkd->bsd", scores, v, one["out"])
            x = x + jax.nn.relu(x @ one["up"]) @ one["down"]
        logits = x @ params["embed"].T
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[..., None], -1))

    def specs(embed: Any, qkv: Any, out: Any, up: Any, down: Any, tokens: Any) -> tuple[Any, ...]:
        return {"embed": embed, "layers": [{"qkv": qkv, "out": out, "up": up, "down": down}] * 2}, tokens

    none, rows, columns, heads_of_qkv, rows_of_qkv = P(), P(X), P(None, X), P(None, None, X), P(None, X)
    strategies = {
        "replicated": specs(none, none, none, none, none, none),
        "data": specs(none, none, none, none, none, rows),
        "megatron": specs(none, heads_of_qkv, rows, columns, rows, none),
        "megatron, vocabulary": specs(rows, heads_of_qkv, rows, columns, rows, none),
        "fsdp": specs(rows, rows_of_qkv, rows, rows, rows, rows),
        "fsdp columns": specs(columns, rows_of_qkv, P(None, None, X), rows, columns, rows),
        "attention": specs(none, heads_of_qkv, rows, none, none, none),
        "feed forward": specs(none, none, none, columns, rows, none),
        "vocabulary": specs(rows, none, none, none, none, none),
        "sequence": specs(none, none, none, none, none, columns),
        "heads alone": specs(none, heads_of_qkv, none, none, none, none),
        "features": specs(columns, none, none, none, none, none),
        "up rows": specs(none, none, none, rows, columns, none),
        "data, megatron's feed forward": specs(none, none, none, columns, rows, rows),
    }
    return Program("transformer", trained(loss), (params, tokens), strategies)


def experts() -> Program:
    count, width, hidden, tokens = 4, 256, 1024, 2048
    params = {"gate": random(width, count), "up": random(count, width, hidden), "down": random(count, hidden, width)}

    def loss(params: Any, x: Any) -> Any:
        weights = jax.nn.softmax(x @ params["gate"])
        best = jax.nn.one_hot(jnp.argmax(weights, -1), count) * weights
        given = jnp.einsum("td,te->etd", x, best)
        made = jax.nn.relu(jnp.einsum("etd,edf->etf", given, params["up"]))
        return jnp.mean((jnp.einsum("etf,efd->td", made, params["down"]) - x) ** 2)

    def specs(gate: Any, up: Any, down: Any, x: Any) -> tuple[Any, ...]:
        return {"gate": gate, "up": up, "down": down}, x

    none, first, second, third = P(), P(X), P(None, X), P(None, None, X)
    strategies = {
        "replicated": specs(none, none, none, none),
        "data": specs(none, none, none, first),
        "experts": specs(none, first, first, none),
        "experts, gate": specs(second, first, first, none),
        "experts and data": specs(none, first, first, first),
        "hidden": specs(none, third, second, none),
        "hidden and data": specs(none, third, second, first),
        "fsdp": specs(first, second, second, first),
        "up alone": specs(none, first, none, none),
        "down alone": specs(none, none, first, none),
        "features": specs(none, second, third, second),
        "up hidden alone": specs(none, third, none, none),
    }
    return Program("mixture of experts", trained(loss), (params, random(tokens, width)), strategies)


def convolutions() -> Program:
    channels, batch, size = (8, 64, 64, 64), 16, 32
    kernels = [random(3, 3, one, other) for one, other in itertools.pairwise(channels)]
    params = {"kernels": kernels, "head": random(channels[-1], 16)}

    def loss(params: Any, x: Any) -> Any:
        for kernel in params["kernels"]:
            x = jax.nn.relu(
                jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            )
        return jnp.mean((x.mean((1, 2)) @ params["head"]) ** 2)

    def specs(kernels: Sequence[Any], head: Any, x: Any) -> tuple[Any, ...]:
        return {"kernels": list(kernels), "head": head}, x

    none, into, out = P(), P(None, None, X), P(None, None, None, X)
    strategies = {
        "replicated": specs([none] * 3, none, none),
        "data": specs([none] * 3, none, P(X)),
        "height": specs([none] * 3, none, P(None, X)),
        "width": specs([none] * 3, none, P(None, None, X)),
        "output channels": specs([out] * 3, none, none),
        "input channels": specs([into] * 3, none, none),
        "in turns": specs([out, into, out], none, none),
        "fsdp": specs([out] * 3, P(X), P(X)),
        "fsdp inputs": specs([into] * 3, P(X), P(X)),
        "first alone": specs([out, none, none], none, none),
        "last alone": specs([none, none, out], none, none),
        "head alone": specs([none] * 3, P(X), none),
    }
    return Program(
        "convolutions", trained(loss), (params, random(batch, size, size, channels[0], scale=1.0)), strategies
    )


def decode() -> Program:
    width, heads, size, length, batch, hidden = 512, 8, 64, 2048, 16, 2048
    params = {
        "qkv": random(3, width, heads, size),
        "out": random(heads, size, width),
        "up": random(width, hidden),
        "down": random(hidden, width),
    }
    cache = {"k": random(batch, heads, length, size), "v": random(batch, heads, length, size)}

    def step(params: Any, cache: Any, x: Any, place: Any) -> Any:
        q, k, v = jnp.einsum("bd,tdhk->tbhk", x, params["qkv"])
        keys = jax.lax.dynamic_update_slice(cache["k"], k[:, :, None], (0, 0, place, 0))
        values = jax.lax.dynamic_update_slice(cache["v"], v[:, :, None], (0, 0, place, 0))
        scores = jax.nn.softmax(jnp.einsum("bhk,bhsk->bhs", q, keys) / 8.0)
        x = x + jnp.einsum("bhs,bhsk,hkd->bd", scores, values, params["out"])
        return {"k": keys, "v": values}, x + jax.nn.relu(x @ params["up"]) @ params["down"]

    def specs(qkv: Any, out: Any, up: Any, down: Any, cache: Any, x: Any) -> tuple[Any, ...]:
        return {"qkv": qkv, "out": out, "up": up, "down": down}, {"k": cache, "v": cache}, x, P()

    none, rows, columns = P(), P(X), P(None, X)
    heads_of_qkv, of_heads, of_length = P(None, None, X), P(None, X), P(None, None, X)
    strategies = {
        "replicated": specs(none, none, none, none, none, none),
        "data": specs(none, none, none, none, rows, rows),
        "megatron": specs(heads_of_qkv, rows, columns, rows, of_heads, none),
        "heads": specs(heads_of_qkv, rows, none, none, of_heads, none),
        "cache by heads": specs(none, none, none, none, of_heads, none),
        "cache by length": specs(none, none, none, none, of_length, none),
        "cache by batch": specs(none, none, none, none, rows, none),
        "weights alone": specs(heads_of_qkv, rows, columns, rows, none, none),
        "weights by rows": specs(P(None, X), rows, rows, rows, of_heads, none),
        "weights, cache by batch": specs(heads_of_qkv, rows, columns, rows, rows, none),
        "feed forward alone": specs(none, none, columns, rows, none, none),
        "feed forward, cache by length": specs(none, none, columns, rows, of_length, none),
    }
    return Program("decode", step, (params, cache, random(batch, width), np.int32(7)), strategies, state=1)


PROGRAMS = {one.__name__: one for one in (perceptron, transformer, experts, convolutions, decode)}


# --- measuring --------------------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """A strategy: seconds as expected, by bounds, and as measured: the median, and those of every other turn."""

    strategy: str
    expected: float
    full_overlap: float
    no_overlap: float
    measured: float
    halves: tuple[float, float]


class Running:
    """A strategy of ``program`` with its arguments on the devices of ``mesh``."""

    def __init__(self, program: Program, strategy: str, mesh: Any, hardware: Any) -> None:
        specs, state = program.strategies[strategy], program.state
        outs = jax.eval_shape(program.step, *program.arguments)
        # The state comes back as it went in, as in a loop of training; the rest as it likes.
        plan = pyshardy.jax.partition(
            program.step,
            *program.arguments,
            mesh=mesh,
            in_shardings=specs,
            out_shardings=(specs[state], *[None] * (len(outs) - 1)),
            donate_argnums=state,
        )
        self._strategy, self._state = strategy, state
        self._cost = plan.cost(hardware).step_seconds
        self._run = plan.compile()
        shardings = jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs, is_leaf=lambda one: isinstance(one, P))
        self._arguments = list(jax.device_put(program.arguments, shardings))
        self._turns: list[list[float]] = []

    def turn(self) -> None:
        """Some steps, each timed."""
        times = []
        for _ in range(_RUNS):
            since = time.perf_counter()
            result = jax.block_until_ready(self._run(*self._arguments))
            times.append(time.perf_counter() - since)
            self._arguments[self._state] = result[0]
        self._turns.append(times[1:])

    def row(self) -> Row:
        """What was found, without the first turn."""
        turns, cost = self._turns[1:], self._cost
        every, even, odd = (median(itertools.chain(*one)) for one in (turns, turns[::2], turns[1::2]))
        return Row(self._strategy, cost.expected, cost.full_overlap, cost.no_overlap, every, (even, odd))


def rows_of(program: Program, hardware: Any) -> list[Row]:
    """Each strategy of ``program``."""
    mesh = jax.make_mesh((2,), (X,), axis_types=(AxisType.Auto,))
    strategies = [Running(program, name, mesh, hardware) for name in program.strategies]
    for _ in range(_TURNS):
        for one in strategies:
            one.turn()
    return [one.row() for one in strategies]


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's, equal values with their mean rank."""

    def ranks(values: Sequence[float]) -> Any:
        # Times that differ by less than a hundredth are equal.
        array = np.array([float(f"{one:.3g}") for one in values])
        return np.array([(array < one).sum() + ((array == one).sum() - 1) / 2 for one in array])

    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures everything and prints a table; the exit code says whether it is good enough."""
    parser = argparse.ArgumentParser(description="expected times against runs on two virtual CPU devices")
    parser.add_argument("--only", choices=PROGRAMS, action="append", help="this program")
    parser.add_argument("--all", action="store_true", help="print every strategy")
    parser.add_argument("--store", action="store_true", help="keep the figures in benchmarks/results")
    options = parser.parse_args(arguments)
    found = Calibration(jax.devices(), {X: 2}, 60.0).run()
    tables = tables_of(found)
    hardware = pyshardy.hardware(tables)
    found_rows: dict[str, list[Row]] = {}
    correlations, middles = [], []
    print(f"{'':20} strategies  rank correlation  of halves  expected / measured: least  median    most")
    for name in options.only or PROGRAMS:
        program = PROGRAMS[name]()
        rows = found_rows[program.name] = rows_of(program, hardware)
        correlations.append(rank_correlation([one.expected for one in rows], [one.measured for one in rows]))
        halves = rank_correlation(*zip(*(one.halves for one in rows), strict=True))
        ratios = sorted(one.expected / one.measured for one in rows)
        middles.append(median(ratios))
        ranked = f"{len(rows):10}  {correlations[-1]:16.2f}  {halves:9.2f}"
        print(f"{program.name:20} {ranked}  {ratios[0]:26.2f}  {middles[-1]:6.2f}  {ratios[-1]:6.2f}", flush=True)
        for one in sorted(rows, key=lambda row: row.measured) if options.all else ():
            bounds = f"{one.full_overlap * 1e3:8.2f} to {one.no_overlap * 1e3:8.2f} ms"
            times = f"expected {one.expected * 1e3:8.2f} ms ({bounds}), measured {one.measured * 1e3:8.2f} ms"
            print(f"    {one.strategy:32} {times}")
    print(f"median of the rank correlations {median(correlations):.2f}")
    if options.store:
        programs = {name: [one._asdict() for one in rows] for name, rows in found_rows.items()}
        _STORED.write_text(json.dumps({"hardware": tables, "programs": programs}, indent=1) + "\n")
    return 0 if median(correlations) >= 0.8 and all(0.5 <= one <= 2 for one in middles) else 1


if __name__ == "__main__":
    if "GLIBC_TUNABLES" not in os.environ:
        # They are read when a process starts.
        os.environ["GLIBC_TUNABLES"] = _KEPT_MEMORY
        os.execv(sys.executable, [sys.executable, "-m", "benchmarks.truth", *sys.argv[1:]])
    sys.exit(main())
