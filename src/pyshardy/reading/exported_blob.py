"""The program inside the bytes of ``jax.export.Exported.serialize()``: a FlatBuffer whose root table has it as a field.

Only that field is read: the trees of arguments, which may name classes that are not registered here, are not built, and
nothing in the file is executed. Layout: https://flatbuffers.dev/internals. ``reading.binary`` uses it.
"""

from __future__ import annotations

import struct

from pyshardy.reading.forms import MLIR_MAGIC

_LONGEST_TABLE = 4096


def program_in_export(data: bytes) -> bytes | None:
    """The MLIR bytes that the root table of ``data`` holds; None if there are none, or the table is damaged."""
    try:
        (root,) = struct.unpack_from("<I", data, 0)
        (back,) = struct.unpack_from("<i", data, root)
        fields = root - back
        if fields < 0:
            return None
        (length,) = struct.unpack_from("<H", data, fields)
        for place in range(fields + 4, fields + min(length, _LONGEST_TABLE), 2):
            (offset,) = struct.unpack_from("<H", data, place)
            found = _vector(data, root + offset) if offset else None
            if found is not None:
                return found
    except struct.error:
        pass
    return None


def _vector(data: bytes, field: int) -> bytes | None:
    """The vector of bytes that ``field`` refers to, if it is MLIR and complete."""
    if field + 4 > len(data):
        return None
    (offset,) = struct.unpack_from("<I", data, field)
    start = field + offset + 4
    if offset == 0 or data[start : start + len(MLIR_MAGIC)] != MLIR_MAGIC:
        return None
    (size,) = struct.unpack_from("<I", data, start - 4)
    return data[start : start + size] if start + size <= len(data) else None
