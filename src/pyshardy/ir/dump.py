"""Dumps a module at a point of a pipeline, as a numbered file in a directory.

Passes that dump call ``dump_module`` with the directory that they were given as an option.
"""

from __future__ import annotations

import os

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.parsing.resources import resources_text
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.printing.program_text import operation_text
from pyshardy.ir.verifying.verifier import is_legal


def dump_module(module: Operation, context: Context, directory: str, name: str, index: int | None = None) -> None:
    """Writes ``module`` as text to ``<directory>/<index>.<name>.mlir``, the index with at least two digits, or without
    one if it is None. An empty directory means that nothing is dumped.

    A file that cannot be opened is warned about; the directory is not created.

    Raises:
        PassFailure: there is no place for the file; nothing of it is left.
    """
    if not directory:
        return
    # Loads modules for temporary files and paths, which a run without dumps does not need.
    from pyshardy.ir.whole_files import DISK_FULL, write_whole

    number = "" if index is None else f"{index:02}."
    path = os.path.join(directory, f"{number}{name}.mlir")
    # In the middle of a pass the program need not be legal, and then it may not fit its pretty form.
    generic = not is_legal(module, context)
    text = operation_text(module, generic=generic) + "\n" + resources_text(module, context.resources)
    try:
        write_whole(path, text.encode("utf-8", "surrogateescape"))
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else None
        is_full = isinstance(problem, OSError) and problem.errno in DISK_FULL
        if is_full:
            context.emit("error", None, f"cannot write file {path}: {reason}")
            raise PassFailure from None
        context.emit("warning", None, f"error when writing file {path}: {reason or problem}")
