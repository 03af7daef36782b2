"""One small program in every form that a file can have, made by JAX: what the tests of reading read."""

from __future__ import annotations

import gzip
import io
import struct
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from tests.differential.jax_lowering import array, mesh


def _step(params: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    return jnp.tanh(x @ params["w"])


def lowered() -> Any:
    """A ``jax.stages.Lowered`` on a mesh of four devices."""
    over = mesh(a=2, b=2)
    named = jax.sharding.NamedSharding
    shardings = ({"w": named(over, P(None, "b"))}, named(over, P("a")))
    jitted = jax.jit(_step, in_shardings=shardings)
    return jitted.trace({"w": array(8, 4)}, array(4, 8)).lower(lowering_platforms=("cpu",))


def exported() -> Any:
    """The same program as a ``jax.export.Exported``."""
    from jax import export

    over = mesh(a=2, b=2)
    named = jax.sharding.NamedSharding
    shardings = ({"w": named(over, P(None, "b"))}, named(over, P("a")))
    return export.export(jax.jit(_step, in_shardings=shardings), platforms=["cpu"])({"w": array(8, 4)}, array(4, 8))


def export_blob(program: bytes) -> bytes:
    """A FlatBuffer whose root table has ``program`` as its second field, as ``Exported.serialize`` lays it out."""
    table = struct.pack("<HHHH", 8, 12, 0, 8)  # sizes of this and of the table, no first field, the second at 8
    root = 4 + len(table)
    body = struct.pack("<iii", root - 4, 0, 4) + struct.pack("<I", len(program)) + program
    return struct.pack("<I", root) + table + body


@cache
def forms() -> dict[str, bytes]:
    """Name of the form → the program in it."""
    from jax.extend.mlir.dialects import stablehlo

    low = lowered()
    text = low.as_text(debug_info=True).encode()
    module = low.compiler_ir()
    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    with module.context:
        # Serializing changes a module, and JAX keeps this one.
        module = type(module).parse(text.decode())
        artifact = stablehlo.serialize_portable_artifact(module, stablehlo.get_current_version(), True)
    found = {"text": text, "bytecode": stream.getvalue(), "artifact": artifact, "export": export_blob(artifact)}
    return found | {f"{name} in gzip": gzip.compress(data) for name, data in found.items()}
