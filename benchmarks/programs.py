"""What the benchmark is run on: models of many layers, programs in which nothing repeats, series that grow, long texts.

Models come from ``examples/make_examples.py``, the others from the tests: a random program, and JAX programs whose text
is lowered here. Functions write programs into a directory and give their paths; `make bench` times passes on these.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
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


def large_texts(directory: Path) -> Iterator[tuple[str, Path]]:
    """Texts that are read and printed: as long as those of the largest models, and such in which no line repeats."""
    square, scalar = "tensor<64x64xf32>", "tensor<f32>"
    text = layered(128, "transformer_megatron", directory).read_text()
    yield "transformer, 100 MB", _written(_repeated_body(text, 19), directory / "large_transformer.mlir")
    chain = (f"%{n + 1} = stablehlo.tanh %{n} : {square}" for n in range(1_000_000))
    yield "1,000,000 operations", _written(_main(chain, square), directory / "large_chain.mlir")
    functions = "".join(
        _main(
            (f"%{n + 1} = stablehlo.tanh %{n} : {square}" for n in range(10)),
            square,
            f"f{number}" if number else "main",
        )
        for number in range(20_000)
    )
    yield "20,000 functions", _written(functions, directory / "large_functions.mlir")
    constants = (f"%c{n} = stablehlo.constant dense<{n}.5> : {scalar}" for n in range(180_000))
    yield "180,000 constants", _written(_main(constants, scalar), directory / "large_constants.mlir")
    shapes = (
        f"%a{n} = stablehlo.broadcast_in_dim %0, dims = [] : ({scalar}) -> tensor<{n // 400 + 1}x{n % 400 + 1}xf32>"
        for n in range(100_000)
    )
    yield "100,000 shapes", _written(_main(shapes, scalar), directory / "large_shapes.mlir")
    values = "3FC00000" * 12_000_000
    blob = [f'%c = stablehlo.constant dense<"0x{values}3FC00001"> : tensor<12000001xf32>']
    yield "a constant of 100 MB", _written(_main(blob, scalar), directory / "large_constant.mlir")


def _main(lines: Iterable[str], argument: str, name: str = "main") -> str:
    return "\n".join([f"func.func @{name}(%0: {argument}) {{", *(f"  {line}" for line in lines), "  return", "}", ""])


def _repeated_body(text: str, times: int) -> str:
    """``text`` with what its main function computes so many times, under other names each time."""
    head, begin, rest = text.partition("func.func public @main")
    first, _, body = rest.partition("\n")
    body, end, tail = body.partition("\n    return ")
    copies = (re.sub(r"%(?!arg)(\w+)", rf"%r{number}_\1", body) for number in range(1, times))
    return "\n".join([head + begin + first, body, *copies]) + end + tail


def _written(text: str, path: Path) -> Path:
    path.write_text(text)
    return path
