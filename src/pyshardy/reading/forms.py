"""Recognises the form of a program by its first bytes.

There is a table of the forms that can be read, and of files that are often mistaken for programs, with the right
alternative. ``reading.binary`` converts binary forms to text.
"""

from __future__ import annotations

import re
from enum import Enum

MLIR_MAGIC = b"ML\xefR"
_GZIP_MAGIC = b"\x1f\x8b"
_ARTIFACT_PRODUCER = b"StableHLO_v"
_BEGINNING = 64
_NO_TEXT = re.compile(rb"[\0-\x08\x0b\x0e-\x1f]")


class Form(Enum):
    """The forms of a program; the value is the name in messages."""

    TEXT = "text"
    GZIP = "a gzip file"
    BYTECODE = "MLIR bytecode"
    ARTIFACT = "a StableHLO portable artifact"
    EXPORT = "a program of jax.export"


NOT_PROGRAMS: dict[bytes, str] = {
    b"HloModule": "HLO text; pyshardy reads StableHLO, which jax.jit(f).lower(…).as_text() gives",
    b"PK\x03\x04": "a zip archive; unpack it and give the program in it",
    b"BZh": "compressed by bzip2; unpack it first (bunzip2)",
    b"\xfd7zXZ": "compressed by xz; unpack it first (unxz)",
    b"\x28\xb5\x2f\xfd": "compressed by zstd; unpack it first (unzstd)",
    b"\x80\x04\x95": "a Python pickle (a compiled executable?), not a program; pyshardy reads what jax.export or "
    "jax.jit(f).lower(…).as_text() gives",
    b"\xff\xfe": "text in UTF-16; save it in UTF-8",
    b"\xfe\xff": "text in UTF-16; save it in UTF-8",
    b"\x7fELF": "a compiled library or executable, not a program in MLIR",
}
"""First bytes → the kind of file, and the right alternative."""

_LOWERED = "pyshardy reads what jax.jit(f).lower(…).as_text(debug_info=True) gives"
_OTHER_TEXTS = {
    rb"\{ ?lambda\b": f"a jaxpr; {_LOWERED}",
    rb"\{\s*[\"}]|\[\s*[\"{\d\]]": f"JSON, not a program; {_LOWERED}",
    rb"\[[\w.\"-]+\][ \t]*(?:[#\r\n]|$)": "TOML, not a program; a sharding file goes behind the program "
    "or behind --shardings",
    rb"(?:import|from|def|class|async def) +\w|@\w+[\w.]*[(\r\n]|\"\"\"(?!\")": "Python source, which is not run; "
    + _LOWERED,
}
"""The beginnings of other texts, after their comments → the kind of text, and the right alternative. No MLIR text
begins like these."""
_THEY_BEGIN = (b"{", b"[", b"@", b'"""', b"import ", b"from ", b"def ", b"class ", b"async def ")
_COMMENTS = rb"(?:\s+|#(?:[ \t!#][^\n]*)?(?:\n|$))*"
"""Empty lines, and comments of Python or TOML; in MLIR a name follows ``#`` immediately."""


def form_of(data: bytes) -> Form | None:
    """The form of ``data``; None if it holds control characters early on and begins like no known form.

    An export begins with the offset of its table and has no magic number: any NUL makes one likely.
    """
    if data.startswith(_GZIP_MAGIC):
        return Form.GZIP
    if data.startswith(MLIR_MAGIC):
        # After the magic number come the version, of variable length and one byte today, and the name of the producer.
        return Form.ARTIFACT if data[5:].startswith(_ARTIFACT_PRODUCER) else Form.BYTECODE
    if not _NO_TEXT.search(data[:_BEGINNING]):
        return Form.TEXT
    return Form.EXPORT if MLIR_MAGIC in data else None


def not_a_program(data: bytes) -> str | None:
    """A message that says what ``data`` is and what to use instead, if it is often mistaken for a program; else
    None."""
    for magic, message in NOT_PROGRAMS.items():
        if data.startswith(magic):
            return message
    begin = 0
    if data[:1].isspace() or (data[:1] == b"#" and not data[1:2].isalnum()):
        comments = re.match(_COMMENTS, data)
        assert comments is not None
        begin = comments.end()
    # Programs begin otherwise: nothing is compiled for them.
    if data.startswith(_THEY_BEGIN, begin):
        for pattern, message in _OTHER_TEXTS.items():
            if re.compile(pattern).match(data, begin):
                return message
    return None
