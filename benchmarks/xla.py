# mypy: allow-untyped-calls, no-warn-return-any
"""XLA's CPU backend as a reference: compiles the text of a module for virtual devices, runs it, counts its collectives.

Benchmarks hold bytes and costs against what XLA makes of the same program, and tests run the program of one device, in
its manual form, on several devices. Virtual devices are there if ``XLA_FLAGS`` has
``--xla_force_host_platform_device_count=N`` before jax is imported; ``force_devices`` sets that.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyshardy.resharding.byte_model import received_about

Array = np.ndarray[Any, Any]


def force_devices(count: int, *flags: str) -> None:
    """Gives this process ``count`` virtual CPU devices, and XLA more ``flags``; only before jax is imported."""
    given = os.environ.get("XLA_FLAGS", "")
    os.environ["XLA_FLAGS"] = " ".join((given, f"--xla_force_host_platform_device_count={count}", *flags))


class Executable:
    """A compiled program for the first ``devices`` devices."""

    def __init__(self, text: str, devices: int) -> None:
        import jax
        from jax._src import xla_bridge
        from jax._src.compiler import get_compile_options
        from jax._src.interpreters import mlir
        from jax._src.lib import xla_client

        self.devices = jax.devices("cpu")[:devices]
        assignment = np.arange(devices).reshape(1, devices)
        options = get_compile_options(num_replicas=1, num_partitions=devices, device_assignment=assignment)
        # Results without a sharding are whole, as they are in our program, whatever XLA would rather do.
        options.executable_build_options.allow_spmd_sharding_propagation_to_output = [False]
        backend = xla_bridge.get_backend("cpu")
        with mlir.make_ir_context():
            module = mlir.ir.Module.parse(text)
            self._loaded = backend.compile_and_load(module, xla_client.DeviceList(tuple(self.devices)), options, [])

    @property
    def hlo(self) -> str:
        """The optimised program."""
        return str(self._loaded.hlo_modules()[0].to_string())

    @property
    def memory(self) -> int:
        """The bytes that a device needs: arguments, results and what is in between."""
        return sum(self.memory_parts)

    @property
    def memory_parts(self) -> tuple[int, int, int]:
        """The bytes of arguments, of results that are not in their place, and of what is in between."""
        stats = self._loaded.get_compiled_memory_stats()
        results = stats.output_size_in_bytes - stats.alias_size_in_bytes
        return int(stats.argument_size_in_bytes), int(results), int(stats.temp_size_in_bytes)

    @property
    def donated(self) -> int:
        """The bytes of results that are in the place of arguments."""
        return int(self._loaded.get_compiled_memory_stats().alias_size_in_bytes)

    @property
    def flops(self) -> float:
        """The operations that XLA counts in the optimised program, functions of one element among them; loops once."""
        counted = self._loaded.cost_analysis()
        found = counted[0] if isinstance(counted, list) else counted
        return float(found.get("flops", 0.0)) + float(found.get("transcendentals", 0.0))

    def run(self, shards: Sequence[Array]) -> list[Array]:
        """The results on each device, stacked, of arguments that are stacked likewise (one entry is for all)."""
        import jax

        mesh = jax.sharding.Mesh(np.array(self.devices), ("d",))
        arguments = []
        for value in shards:
            pieces = [value[index if len(value) > 1 else 0] for index in range(len(self.devices))]
            whole = (len(pieces), *pieces[0].shape)
            sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("d"))
            placed = [jax.device_put(piece, device) for piece, device in zip(pieces, self.devices, strict=True)]
            shape = (whole[0] * whole[1], *whole[2:]) if len(whole) > 1 else ()
            if not shape:
                sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
            arguments.append(jax.make_array_from_single_device_arrays(shape, sharding, placed))
        results = self._loaded.execute_sharded(arguments)
        return [
            np.stack([np.asarray(one) for one in arrays]) for arrays in results.disassemble_into_single_device_arrays()
        ]


# --- counting ---------------------------------------------------------------------------------------------------------

_COLLECTIVE = re.compile(
    r"= (?P<type>\(.*?\)|\S+) (?P<kind>all-gather|all-reduce|reduce-scatter|all-to-all|collective-permute)(?:-start)?\("
    r"(?P<operands>.*?)\)(?P<rest>.*)"
)
_ARRAY = re.compile(r"(?P<element>[a-z]+[0-9]*[a-z0-9]*)\[(?P<shape>[0-9,]*)\]")
_CALLED = re.compile(
    r"(?:calls|to_apply|body|condition|branch_computations|true_computation|false_computation)=\{?([^,)}]+)"
)
_BITS = {"pred": 8, "c64": 64, "c128": 128}


@dataclass(frozen=True)
class HloCollective:
    """One collective of a compiled program, and the bytes that each device receives in it."""

    kind: str
    group_size: int
    bytes: float
    text: str


def collectives_of(hlo: str, devices: int) -> list[HloCollective]:
    """The collectives of an optimised program, those of loops once."""
    found = []
    for line in hlo.splitlines():
        match = _COLLECTIVE.search(line)
        if match is None:
            continue
        kind = match["kind"].replace("-", "_")
        group = _group_size(match["rest"], devices)
        result = _bytes_of(match["type"])
        operand = result * group if kind == "reduce_scatter" else result
        found.append(HloCollective(kind, group, received_about(kind, operand, result, group), line.strip()))
    return found


def _bytes_of(text: str) -> int:
    bits_in_all = 0
    for match in _ARRAY.finditer(re.sub(r"\{[^}]*\}", "", text)):
        element = match["element"]
        bits = _BITS.get(element) or int(re.sub(r"^[a-z]+", "", element.split("e")[0]) or 0)
        size = 1
        for dim in match["shape"].split(","):
            size *= int(dim) if dim else 1
        bits_in_all += size * bits
    return -(-bits_in_all // 8)


def _group_size(rest: str, devices: int) -> int:
    listed = re.search(r"replica_groups=\{\{([0-9,]*)\}", rest)
    if listed is not None:
        return len(listed[1].split(","))
    iota = re.search(r"replica_groups=\[([0-9]+),([0-9]+)\]", rest)
    if iota is not None:
        return int(iota[2])
    axes = re.search(r"replica_groups=mesh\[(.*?)\]\s*\{(.*?)\}", rest)
    if axes is not None:
        sizes = dict(re.findall(r"'([^']+)'=([0-9]+)", axes[1]))
        group = 1
        for name, size in re.findall(r"'?([\w.]+)'?(?::\([0-9]+\)([0-9]+))?", axes[2]):
            group *= int(size or sizes.get(name, 1))
        return group
    return devices
