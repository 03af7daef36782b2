"""Converts bytes in any form to the text of a program: unpacks gzip, opens exports, and passes bytecode through jaxlib.

``forms`` recognises the form. jaxlib runs in a process of its own (``jaxlib_process``), since it is large, and a
damaged file may crash it.
"""

from __future__ import annotations

import os
import re
import sys

from pyshardy.reading.forms import Form, form_of, not_a_program
from pyshardy.reading.unreadable import UnreadableInput

_LARGEST_UNPACKED = 4 << 30
_DEEPEST_PACKING = 4
_BEGINNING = 1 << 16
_PATH = r"[\w./\\:~-]+\.(?:mlir|mlirbc|bc|txt|hlo|bin|gz|py)"
_WITHOUT_JAXLIB = (
    "is {form}, which is read through jaxlib, and that is not installed here: install it "
    "(pip install 'pyshardy[jax]'), or save the program as text (jax.jit(f).lower(…).as_text(), or str(module))"
)


def program_text(data: bytes, filename: str, *, allow_unregistered: bool = False) -> str:
    """The text of the program in ``data``; ``filename`` is its name in messages. Bytes of a text that are not UTF-8
    become surrogates.

    Raises:
        UnreadableInput: it is no program, damaged, or jaxlib is needed and missing.
    """
    for _ in range(_DEEPEST_PACKING):
        message = not_a_program(data)
        if message is not None:
            raise UnreadableInput(f"{filename} is {message}")
        form = form_of(data)
        if form is not Form.GZIP:
            break
        data = _unpacked(data, filename)
    if form is Form.TEXT:
        return data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if form is None or form is Form.GZIP:
        raise UnreadableInput(
            f"{filename} is no program, or it is cut off: it is neither MLIR text nor bytecode, nor a StableHLO "
            "artifact, nor of jax.export"
        )
    # Imported only for binary forms.
    from importlib.util import find_spec

    if find_spec("jaxlib") is None:
        raise UnreadableInput(f"{filename} {_WITHOUT_JAXLIB.format(form=form.value)}")
    name = form.value
    if form is Form.EXPORT:
        from pyshardy.reading.exported_blob import program_in_export

        inner = program_in_export(data)
        if inner is None:
            raise UnreadableInput(f"{filename} is no program, or {name} that is damaged")
        data, form = inner, form_of(inner)
    return _through_jaxlib(data, f"{filename} is {name}", form is Form.ARTIFACT, allow_unregistered)


def refuse_other_text(text: str, filename: str) -> None:
    """Refuses a ``text`` that is often mistaken for a program: HLO text, Python source, a path.

    Raises:
        UnreadableInput: it is.
    """
    if " " not in text and re.fullmatch(_PATH, text):
        raise UnreadableInput(f"pyshardy.parse was given {text!r}, a path: pyshardy.load(path) reads files")
    message = not_a_program(text[:_BEGINNING].encode("utf-8", "replace"))
    if message is not None:
        raise UnreadableInput(f"{filename} is {message}")


def _unpacked(data: bytes, filename: str) -> bytes:
    import zlib

    pieces: list[bytes] = []
    size = 0
    while data:
        # A gzip file may consist of several members.
        unpacker = zlib.decompressobj(wbits=31)
        try:
            pieces.append(unpacker.decompress(data, _LARGEST_UNPACKED - size))
        except zlib.error as error:
            raise UnreadableInput(f"{filename} is a gzip file that is damaged: {error}") from None
        size += len(pieces[-1])
        if size >= _LARGEST_UNPACKED:
            raise UnreadableInput(f"{filename} unpacks to more than {_LARGEST_UNPACKED >> 30} GiB, which is not read")
        if not unpacker.eof:
            raise UnreadableInput(f"{filename} is a gzip file that is cut off: {len(data)} bytes are not all of it")
        data = unpacker.unused_data.lstrip(b"\0")
    return b"".join(pieces)


def _through_jaxlib(data: bytes, subject: str, is_artifact: bool, allow_unregistered: bool) -> str:
    """The text of MLIR bytecode; ``subject``, which begins every message, names the file and its form."""
    import subprocess
    from pathlib import Path

    flags = ["artifact" if is_artifact else "bytecode", *(["unregistered"] if allow_unregistered else [])]
    # -P and no empty entry in the path, so that no module in the current directory is imported.
    command = [sys.executable, "-P", str(Path(__file__).with_name("jaxlib_process.py")), *flags]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    done = subprocess.run(command, input=data, capture_output=True, env=environment, check=False)
    if done.returncode < 0:
        raise UnreadableInput(f"{subject} that is damaged: jaxlib broke down over it (signal {-done.returncode})")
    outcome, _, rest = done.stdout.decode("utf-8", "surrogateescape").partition("\n")
    if done.returncode or outcome not in ("text", "error"):
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise UnreadableInput(f"{subject}, and jaxlib could not be started to read it: {last}")
    if outcome == "error":
        raise UnreadableInput(f"{subject} that jaxlib cannot read: {rest.strip()}")
    return rest
