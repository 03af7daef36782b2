"""What the benchmark is run on: models of many layers, programs in which nothing repeats, and series that grow.

Models come from ``examples/make_examples.py``, the others from the tests: a random program, and JAX programs whose text
is lowered here. ``__main__`` stands right of this file.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_RANDOM_SEED = 3
"""One of few programs of this size that neither side refuses."""
_OPERATIONS = (1_000, 10_000, 100_000)
_DEVICES = (8, 64, 512, 4_096, 65_536)


def layered(layers: int, name: str, directory: Path) -> Path:
    """The model ``name`` with that many layers, as a file in ``directory``."""
    path = directory / f"{name}_{layers}.mlir"
    if not path.exists():
        script = ROOT / "examples" / "make_examples.py"
        arguments = [sys.executable, str(script), "--layers", str(layers), "--out", str(directory)]
        subprocess.run(arguments, check=True, cwd=ROOT, capture_output=True)
    return path


def without_repetition(directory: Path) -> Iterator[tuple[str, str, Path]]:
    """Programs in which next to nothing repeats: the name, the passes to time, the file. Random shardings are refused
    by full explicit reshards, on both sides."""
    from tests.differential.jax_programs import PROGRAMS
    from tests.differential.pipelines import PIPELINES
    from tests.generator import random_program

    features = replace(PIPELINES["whole"].features, operations=1_200, sharding_groups=0.0, priorities=0.0)
    features = replace(features, manual_computations=0.0)
    made = (
        ("random", "pipeline", random_program(_RANDOM_SEED, features)),
        ("mixture of experts", "whole", PROGRAMS["mixture_of_experts_backward_with_capacity"]()),
        ("decode loop", "whole", PROGRAMS["decoding_with_a_cache"]()),
    )
    for name, passes, text in made:
        yield name, passes, _written(text, directory / f"{name.replace(' ', '_')}.mlir")


def growing_programs(directory: Path) -> Iterator[tuple[int, Path]]:
    """Chains of ever more operations, by their number."""
    square = "tensor<64x64xf32>"
    sharded = f'{square} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}'
    kinds = (
        f"tanh %x : {square}",
        f"add %x, %0 : {square}",
        f"dot_general %x, %0, contracting_dims = [1] x [0] : ({square}, {square}) -> {square}",
        f"negate %x : {square}",
    )
    for count in _OPERATIONS:
        lines = [f"  %{n + 1} = stablehlo.{kinds[n % 4]}".replace("%x", f"%{n}") for n in range(count)]
        begin = f'sdy.mesh @mesh = <["x"=2, "y"=2]>\nfunc.func @main(%0: {sharded}) -> {square} {{'
        text = "\n".join([begin, *lines, f"  return %{count} : {square}", "}", ""])
        yield count, _written(text, directory / f"chain_{count}.mlir")


def growing_meshes(directory: Path) -> Iterator[tuple[int, Path]]:
    """A perceptron on ever more devices, by their number."""
    rows, weights = "tensor<131072x512xf32>", "tensor<512x512xf32>"
    for devices in _DEVICES:
        text = f"""
sdy.mesh @mesh = <["data"={devices // 4}, "model"=4]>
func.func @main(%a: {rows} {{sdy.sharding = #sdy.sharding<@mesh, [{{"data"}}, {{}}]>}},
                %b: {weights} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"model"}}]>}}, %c: {weights}) -> {rows} {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({rows}, {weights}) -> {rows}
  %1 = stablehlo.tanh %0 : {rows}
  %2 = stablehlo.dot_general %1, %c, contracting_dims = [1] x [0] : ({rows}, {weights}) -> {rows}
  return %2 : {rows}
}}
"""
        yield devices, _written(text, directory / f"mesh_{devices}.mlir")


def _written(text: str, path: Path) -> Path:
    path.write_text(text)
    return path
