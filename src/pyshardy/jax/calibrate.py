"""Measures the devices of this machine, and writes a hardware file with the results.

``python -m pyshardy.jax.calibrate -o mine.toml`` runs matrix products by type, elementwise chains, functions, copies,
small kernels and each collective along each axis of a mesh, on all devices at once, through JAX's public API. Each
figure is the median of repeated runs. ``pyshardy cost``, ``report`` and ``partition`` take the file.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any, NamedTuple, TextIO

from pyshardy.jax.requirement import require_jax

require_jax()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import AxisType, Mesh, NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

from pyshardy.analysis.cost.hardware import Hardware  # noqa: E402
from pyshardy.analysis.cost.hardware_files import hardware  # noqa: E402
from pyshardy.ir.whole_files import check_directory, write_whole  # noqa: E402

ALL = "all"
"""The axis of the mesh that everything but collectives is measured on."""
_TYPES = ("float32", "bfloat16", "float16", "float64", "int8")
_PRODUCTS = (256, 512, 1024, 2048)
_COPIED = 32 << 20
_VECTORS = (128, 1024, 64)
"""How many matrices are multiplied with a vector each, and their sizes."""
_MORE_THAN_MEMORY = 1.25
"""How much longer than their bytes products have to take for their units to be what they wait for."""
_CHAIN, _SMALL_KERNELS = 64, 128
_SIZES = (1 << 14, 1 << 17, 1 << 20, 1 << 23)
_RUNS, _TURNS = 7, 8
_FEWEST, _LEAST_SECONDS = 3, 0.02
_MLIR = {"float32": "f32", "bfloat16": "bf16", "float16": "f16", "float64": "f64", "int8": "i8"}


@dataclass
class Measured:
    """What was found: operations a second of products by type, of vector units, and functions a second; bytes a second;
    seconds of a kernel's launch; which part of the rate of products convolutions reach, and how many rows and columns
    are computed at a time, if products of fewer fall short of the bandwidth of memory, too; for each axis of the mesh
    its size and, by kind of collective, bandwidth and latency; whether collectives and computation go on at the same
    time; and what could not be measured."""

    devices: int
    kind: str
    flops: dict[str, float] = field(default_factory=dict)
    vector: float = 0.0
    transcendental: float = 0.0
    bandwidth: float = 0.0
    launch: float = 0.0
    convolution: float = 0.0
    tile: int = 1
    memory: float | None = None
    links: dict[str, tuple[int, dict[str, tuple[float, float]]]] = field(default_factory=dict)
    overlap: bool = False
    missing: list[str] = field(default_factory=list)


class Calibration:
    """Measures on ``devices``, laid out as ``axes`` say, until ``seconds`` are over; ``say`` is told what is next."""

    def __init__(
        self,
        devices: Sequence[Any],
        axes: Mapping[str, int] | None = None,
        seconds: float = 120.0,
        say: Callable[[str], object] = lambda text: None,
    ) -> None:
        self._devices = list(devices)
        self._axes = dict(axes) if axes else ({"x": len(self._devices)} if len(self._devices) > 1 else {})
        self._end = time.perf_counter() + seconds
        self._say = say
        self._all = _mesh(self._devices, {ALL: len(self._devices)})
        self._besides = 0.0
        self.measured = Measured(len(self._devices), str(self._devices[0].device_kind))

    def run(self) -> Measured:
        """All of it, what matters most first."""
        found = self.measured
        self._try("calls", self._dispatch)
        self._try("bandwidth of memory", self._copy)
        self._try("products of float32", lambda: self._products("float32"))
        self._try("convolutions", self._convolutions)
        self._try("products with vectors", self._vectors)
        self._try("elementwise operations", self._elementwise)
        self._try("exponentials", self._functions)
        self._try("launches of kernels", self._launches)
        self._try("the rest of memory", self._capacity)
        for axis, size in self._axes.items():
            if size > 1:
                kinds: dict[str, tuple[float, float]] = {}
                found.links[axis] = size, kinds
                for kind in _COLLECTIVES:
                    self._try(f"{kind} along {axis}", partial(self._collective, axis, kind, kinds))
        if found.links:
            self._try("communication beside computation", self._overlaps)
        for name in _TYPES[1:]:
            self._try(f"products of {name}", partial(self._products, name))
        return found

    def _try(self, what: str, measure: Callable[[], None]) -> None:
        if time.perf_counter() > self._end:
            self.measured.missing.append(f"{what}: there was no time left")
            return
        self._say(what)
        try:
            measure()
        except Exception as error:
            # A type or a collective that the backend does not have.
            self.measured.missing.append(f"{what}: {str(error).splitlines()[0][:120] if str(error) else type(error)}")

    # --- a device -----------------------------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        """How long a call takes that does hardly anything: what others take besides."""
        self._besides = 0.0
        self._besides = self._each(lambda a: a + 1.0, ((8,), "float32"))

    def _each(self, function: Callable[..., Any], *shapes: tuple[tuple[int, ...], str]) -> float:
        """The seconds of ``function`` on every device at once, each with its own arrays."""
        count = len(self._devices)
        sharding = NamedSharding(self._all, P(ALL))
        arrays = [jax.device_put(_numbers((count * shape[0], *shape[1:]), name), sharding) for shape, name in shapes]
        specs = tuple(P(ALL) for _ in shapes)
        run = jax.jit(jax.shard_map(function, mesh=self._all, in_specs=specs, out_specs=P(ALL)))
        return max(_seconds(run, *arrays) - self._besides, 1e-9)

    def _copy(self) -> None:
        """Sums in a loop: memory that a program has already."""
        length = _COPIED // 4

        def sums(a: Any, b: Any) -> Any:
            return jax.lax.fori_loop(0, _TURNS, lambda _, one: one + b, a)

        seconds = self._each(sums, ((length,), "float32"), ((length,), "float32"))
        self.measured.bandwidth = 3 * _COPIED * _TURNS / seconds

    def _products(self, name: str) -> None:
        best = 0.0
        for size in _PRODUCTS:
            seconds = self._each(_dot, ((size, size), name), ((size, size), name))
            best = max(best, 2.0 * size**3 / seconds)
            if seconds > 0.5:
                break
        self.measured.flops[_MLIR[name]] = best

    def _convolutions(self) -> None:
        """A convolution of images, and its two gradients."""
        batch, size, channels = 8, 32, 64

        def convolved(a: Any, b: Any) -> Any:
            numbers = ("NHWC", "HWIO", "NHWC")
            return jax.lax.conv_general_dilated(a, b, (1, 1), "SAME", dimension_numbers=numbers)

        def all_three(a: Any, b: Any) -> Any:
            made, back = jax.vjp(convolved, a, b)
            return made, *back(made)

        shapes = ((batch, size, size, channels), "float32"), ((3, 3, channels, channels), "float32")
        seconds = self._each(all_three, *shapes)
        flops = 3 * 2.0 * batch * size * size * channels * channels * 9
        self.measured.convolution = flops / seconds / self.measured.flops["f32"]

    def _vectors(self) -> None:
        """Products of many matrices with a vector each, as in attention of a single position."""
        count, rows, inner = _VECTORS

        def multiplied(a: Any, b: Any) -> Any:
            return jnp.einsum("bsk,bk->bs", a, b)

        seconds = self._each(multiplied, (_VECTORS, "float32"), ((count, inner), "float32"))
        self.measured.tile = _tile(seconds, count * rows * inner, self.measured)

    def _elementwise(self) -> None:
        def chain(a: Any) -> Any:
            for _ in range(_CHAIN):
                a = a * 0.999 + 0.001
            return a

        elements = 1 << 18
        seconds = self._each(chain, ((elements,), "float32"))
        self.measured.vector = 2 * _CHAIN * elements / seconds

    def _functions(self) -> None:
        rounds = _CHAIN // 8

        def chain(a: Any) -> Any:
            for _ in range(rounds):
                a = jnp.tanh(jnp.exp(-a))
            return a

        elements = 1 << 18
        seconds = self._each(chain, ((elements,), "float32"))
        self.measured.transcendental = 2 * rounds * elements / seconds

    def _launches(self) -> None:
        def chain(count: int) -> Callable[[Any], Any]:
            def run(a: Any) -> Any:
                for _ in range(count):
                    a = a @ a
                return a

            return run

        few, many = (self._each(chain(count), ((16, 16), "float32")) for count in (1, _SMALL_KERNELS + 1))
        self.measured.launch = max(0.0, (many - few) / _SMALL_KERNELS - 2 * 16**3 / self.measured.flops["f32"])

    def _capacity(self) -> None:
        stats = self._devices[0].memory_stats()
        if stats and "bytes_limit" in stats:
            self.measured.memory = float(stats["bytes_limit"])
            return
        import os

        # Virtual devices share what the machine has.
        self.measured.memory = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) / len(self._devices)

    # --- between devices ----------------------------------------------------------------------------------------------

    def _collective(self, axis: str, kind: str, kinds: dict[str, tuple[float, float]]) -> None:
        mesh, size = _mesh(self._devices, self._axes), self._axes[axis]
        one, names = _COLLECTIVES[kind], tuple(self._axes)
        rows = []
        for bytes in _SIZES:
            elements = max(size * size, bytes // 4 // (size * size) * size * size)
            array = jax.device_put(_numbers((elements * len(self._devices),), "float32"), NamedSharding(mesh, P(names)))

            def turns(a: Any) -> Any:
                return jax.lax.fori_loop(0, _TURNS, lambda _, held: one.run(held, axis, size), a)

            mapped = jax.shard_map(turns, mesh=mesh, in_specs=P(names), out_specs=P(names), check_vma=False)
            seconds = max(_seconds(jax.jit(mapped), array) - self._besides, 1e-9) / _TURNS
            own = 4.0 * elements
            # What makes the result as large as the operand again has its own time.
            besides = one.copied(own, size) / self.measured.bandwidth
            rows.append((one.moved(own, size), float(one.rounds(size)), max(seconds - besides, seconds / 4)))
        kinds[kind] = _fitted(rows)

    def _overlaps(self) -> None:
        """Whether a product and a collective that do not need each other take about as long as the longer one."""
        mesh, axis = _mesh(self._devices, self._axes), next(iter(self.measured.links))
        names = tuple(self._axes)
        size = 1024
        count = len(self._devices)
        left = jax.device_put(_numbers((count * size, size), "float32"), NamedSharding(mesh, P(names)))
        right = jax.device_put(_numbers((count * (4 << 20),), "float32"), NamedSharding(mesh, P(names)))

        def both(a: Any, b: Any) -> Any:
            return a @ a, jax.lax.psum(b, axis)

        def made(function: Callable[..., Any], *arguments: Any) -> float:
            specs = tuple(P(names) for _ in arguments)
            out = specs if len(arguments) > 1 else P(names)
            mapped = jax.shard_map(function, mesh=mesh, in_specs=specs, out_specs=out, check_vma=False)
            return _seconds(jax.jit(mapped), *arguments)

        apart = made(lambda a: a @ a, left), made(lambda b: jax.lax.psum(b, axis), right)
        self.measured.overlap = made(both, left, right) < sum(apart) - 0.5 * min(apart)


def _tile(seconds: float, elements: int, found: Measured) -> int:
    """How many rows and columns are computed at a time: a power of two, if ``seconds`` are those of matrices of so many
    ``elements`` of float32 multiplied with a vector each."""
    flops = 2.0 * elements
    if seconds <= _MORE_THAN_MEMORY * 4.0 * elements / found.bandwidth:
        return 1
    return int(2 ** max(0, round(np.log2(seconds * found.flops["f32"] / flops))))


def _dot(a: Any, b: Any) -> Any:
    wanted = jnp.int32 if a.dtype == jnp.int8 else a.dtype
    return jax.lax.dot(a, b, preferred_element_type=wanted)


def _reduced(a: Any, axis: str, size: int) -> Any:
    return jax.lax.psum(a, axis)


def _gathered(a: Any, axis: str, size: int) -> Any:
    whole = jax.lax.all_gather(a, axis, tiled=True)
    return jax.lax.dynamic_slice_in_dim(whole, jax.lax.axis_index(axis) * a.shape[0], a.shape[0])


def _scattered(a: Any, axis: str, size: int) -> Any:
    part = jax.lax.psum_scatter(a, axis, tiled=True)
    return jnp.concatenate([part] * size)


def _dealt(a: Any, axis: str, size: int) -> Any:
    return jax.lax.all_to_all(a, axis, 0, 0, tiled=True)


def _permuted(a: Any, axis: str, size: int) -> Any:
    return jax.lax.ppermute(a, axis, [(one, (one + 1) % size) for one in range(size)])


class _Kind(NamedTuple):
    """How a collective is measured: ``run`` gives as much as it is given; for so many bytes on a device the bytes
    ``moved`` on its busiest link, and those ``copied`` besides; its ``rounds``."""

    run: Callable[[Any, str, int], Any]
    moved: Callable[[float, int], float]
    copied: Callable[[float, int], float]
    rounds: Callable[[int], int]


def _doublings(size: int) -> int:
    return (size - 1).bit_length()


_COLLECTIVES = {
    "all_reduce": _Kind(
        _reduced,
        lambda own, size: own if size == 2 else 2 * own * (size - 1) / size,
        lambda own, size: 0.0,
        lambda size: 1 if size == 2 else 2 * _doublings(size),
    ),
    "all_gather": _Kind(_gathered, lambda own, size: own * (size - 1), lambda own, size: 2 * own, _doublings),
    "reduce_scatter": _Kind(
        _scattered, lambda own, size: own * (size - 1) / size, lambda own, size: own + own / size, _doublings
    ),
    "all_to_all": _Kind(_dealt, lambda own, size: own * (size - 1) / size, lambda own, size: 0.0, lambda size: 1),
    "collective_permute": _Kind(_permuted, lambda own, size: own, lambda own, size: 0.0, lambda size: 1),
}
"""Bytes and rounds are those of ``analysis.cost.collective_times`` through a switch."""


def _mesh(devices: Sequence[Any], axes: Mapping[str, int]) -> Mesh:
    shape = tuple(axes.values())
    return Mesh(np.array(devices).reshape(shape), tuple(axes), axis_types=(AxisType.Auto,) * len(shape))


def _numbers(shape: tuple[int, ...], name: str) -> Any:
    random = np.random.default_rng(0)
    if name == "int8":
        return random.integers(-8, 8, shape, dtype=np.int8)
    if name == "float64" and not jax.config.jax_enable_x64:
        raise ValueError("float64 is off in JAX")
    return random.random(shape, dtype=np.float32).astype(jnp.dtype(name)) / 8


def _seconds(run: Callable[..., Any], *arguments: Any) -> float:
    """The median seconds of a call, its result awaited."""
    jax.block_until_ready(run(*arguments))
    jax.block_until_ready(run(*arguments))
    found: list[float] = []
    begun = time.perf_counter()
    while len(found) < _FEWEST or (len(found) < _RUNS and time.perf_counter() - begun < _LEAST_SECONDS * _RUNS):
        since = time.perf_counter()
        jax.block_until_ready(run(*arguments))
        found.append(time.perf_counter() - since)
    return median(found)


def _fitted(rows: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Bandwidth and latency for ``rows`` of bytes, rounds and seconds, so that relative errors are least."""
    bytes, rounds, seconds = (np.array(column) for column in zip(*rows, strict=True))
    matrix = np.stack([bytes / seconds, rounds / seconds], axis=1)
    (inverse, latency), *_ = np.linalg.lstsq(matrix, np.ones(len(rows)), rcond=None)
    if latency < 0:
        inverse, latency = float((bytes / seconds).sum() / ((bytes / seconds) ** 2).sum()), 0.0
    if inverse <= 0:
        inverse = float((seconds / bytes).min())
    return 1.0 / float(inverse), float(latency)


# --- the file ---------------------------------------------------------------------------------------------------------


def tables_of(found: Measured) -> dict[str, Any]:
    """What was measured as the tables of a hardware file.

    Raises:
        ValueError: too little could be measured.
    """
    if not found.flops or not found.bandwidth:
        raise ValueError("neither products nor memory could be measured: " + "; ".join(found.missing))
    chip: dict[str, Any] = {"memory": found.memory or 16e9, "bandwidth": found.bandwidth}
    if found.launch:
        chip["launch"] = found.launch
    if found.convolution:
        chip["convolution"] = found.convolution
    chip["flops"] = dict(found.flops)
    if found.tile > 1:
        chip["matrix"] = {"tile": [found.tile, 1, found.tile]}
    vector = {"f32": found.vector, "transcendental": found.transcendental}
    if found.vector:
        chip["vector"] = {key: rate for key, rate in vector.items() if rate}
    links, axes = [], {}
    for axis, (size, kinds) in reversed(found.links.items()):
        if not kinds:
            continue
        fallback = kinds.get("all_gather") or next(iter(kinds.values()))
        measured = {kind: {"bandwidth": one[0], "latency": one[1]} for kind, one in kinds.items()}
        links.append(
            {
                "name": f"along {axis}",
                "topology": "switched",
                "devices": size,
                "bandwidth": fallback[0],
                "latency": fallback[1],
                "measured": measured,
            }
        )
        axes[axis] = f"along {axis}"
    name = f"{found.devices} x {found.kind}"
    return {"name": name, "overlap": found.overlap, "chip": chip, "links": links}


def toml_of(tables: Mapping[str, Any], notes: Sequence[str] = ()) -> str:
    """The file as text, with ``notes`` as remarks above."""
    lines = [*(f"# {note}" for note in notes), f"name = {json.dumps(tables['name'])}"]
    lines.append(f"overlap = {str(tables['overlap']).lower()}")
    chip = tables["chip"]
    for section in ("chip", "chip.flops", "chip.matrix", "chip.vector"):
        values = chip if section == "chip" else chip.get(section.removeprefix("chip."), {})
        plain = {key: value for key, value in values.items() if not isinstance(value, dict)}
        if plain:
            lines += ["", f"[{section}]", *(f"{key} = {_written(value)}" for key, value in plain.items())]
    for one in tables["links"]:
        lines += ["", "[[links]]"]
        for key, value in one.items():
            if key != "measured":
                lines.append(f"{key} = {json.dumps(value) if isinstance(value, str | int) else f'{value:.4g}'}")
        for kind, rates in one["measured"].items():
            lines.append(
                f"measured.{kind} = {{ bandwidth = {rates['bandwidth']:.4g}, latency = {rates['latency']:.4g} }}"
            )
    return "\n".join(lines) + "\n"


def _written(value: float | Sequence[int]) -> str:
    return f"{value:.4g}" if isinstance(value, float | int) else json.dumps(value)


def calibrated(
    devices: Sequence[Any] | None = None, axes: Mapping[str, int] | None = None, seconds: float = 120.0
) -> Hardware:
    """The hardware that is here, as ``pyshardy.hardware`` reads it: of ``devices``, or all that JAX has, laid out as
    ``axes`` say, measured in at most about so many ``seconds``.

    Raises:
        ValueError: too little could be measured.
    """
    return hardware(tables_of(Calibration(devices or jax.devices(), axes, seconds).run()))


# --- the command ------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """Measures, writes the file, and compares if that is asked for; the exit code."""
    out = out if out is not None else sys.stdout
    parser = argparse.ArgumentParser(
        prog="python -m pyshardy.jax.calibrate",
        description="Measures the devices that JAX finds here and writes a hardware file for pyshardy.",
    )
    parser.add_argument("-o", "--output", metavar="H.toml", help="write the file there, otherwise it is printed")
    parser.add_argument("--mesh", metavar="AXIS=SIZE,…", help="how the devices are laid out: data=2,model=4")
    parser.add_argument("--seconds", type=float, default=120.0, help="when to stop (%(default)s)")
    parser.add_argument("--compare", metavar="PRESET", help="set what was measured beside this preset, or file")
    parser.add_argument("--quiet", action="store_true", help="do not say what is measured")
    options = parser.parse_args(arguments)
    try:
        if options.output is not None:
            check_directory(options.output)
        axes = _axes(options.mesh, len(jax.devices()))
        published = hardware(options.compare) if options.compare is not None else None

        def say(text: str) -> None:
            if not options.quiet:
                print(f"measuring {text}", file=sys.stderr, flush=True)

        found = Calibration(jax.devices(), axes, options.seconds, say).run()
        tables = tables_of(found)
        text = toml_of(tables, [f"measured on {found.devices} x {found.kind} with JAX {jax.__version__}"])
        if options.output is not None:
            write_whole(options.output, text.encode())
        else:
            out.write(text)
    except OSError as error:
        # Of a disk that is full no name is said.
        name = error.filename or options.output
        print(f"calibrate: cannot open file '{name}': {error.strerror or error}", file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"calibrate: {error}", file=sys.stderr)
        return 1
    for one in found.missing:
        print(f"not measured: {one}", file=sys.stderr)
    if published is not None:
        _compare(hardware(tables), published, out)
    return 0


def _axes(text: str | None, devices: int) -> dict[str, int] | None:
    if text is None:
        return None
    axes: dict[str, int] = {}
    for one in text.split(","):
        name, equals, size = one.partition("=")
        if not equals or not name.strip() or not size.strip().isdigit() or int(size) < 1:
            raise ValueError(f"--mesh {text}: an axis is written as NAME=SIZE, data=2,model=4")
        axes[name.strip()] = int(size)
    if np.prod(list(axes.values())) != devices:
        raise ValueError(f"--mesh {text} has {np.prod(list(axes.values()))} devices, there are {devices}")
    return axes


def _compare(found: Hardware, published: Hardware, out: TextIO) -> None:
    """What was measured beside what a preset says."""
    rows = [
        (f"{key}, TFLOP/s", rate / 1e12, published.chip.flops.get(key, 0.0) / 1e12)
        for key, rate in found.chip.flops.items()
    ]
    rows.append(("memory, GB/s", found.chip.bandwidth / 1e9, published.chip.bandwidth / 1e9))
    if found.links and published.links:
        rows.append(("links, GB/s", found.links[0].bandwidth / 1e9, published.links[0].bandwidth / 1e9))
    print(f"{'':20} {'measured':>12} {published.name:>20} {'ratio':>8}", file=out)
    for name, mine, theirs in rows:
        published_and_ratio = f"{theirs:20.4g} {mine / theirs:8.2f}" if theirs else f"{'not said':>20} {'':>8}".rstrip()
        print(f"{name:20} {mine:12.4g} {published_and_ratio}", file=out)


if __name__ == "__main__":
    sys.exit(main())
