"""The pass ``sdy-save-module``: writes the program to a file and leaves it as it is.

Pipelines put it between their passes when asked for dumps; it cannot be named in a pipeline's text.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.ir.printer import operation_text


def save_module(module: Operation, directory: str, name: str, index: int | None = None) -> None:
    """Writes ``module`` to ``directory/<index>.<name>.mlir``, the index with at least two digits, or without one.

    An empty directory writes nothing. A directory is not made; what goes wrong is said on standard error.
    """
    if not directory:
        return
    prefix = "" if index is None else f"{index:02}."
    path = f"{directory.removesuffix('/')}/{prefix}{name}.mlir"
    text = operation_text(module, generic=False) + "\n"
    try:
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        print(f"error when writing file {path}: {reason}", file=sys.stderr)


@register_pass(
    "sdy-save-module",
    on="builtin.module",
    class_name="mlir::sdy::(anonymous namespace)::SaveModuleOpPass",
    summary="Writes the program to a file.",
)
@dataclass(frozen=True)
class SaveModule(Pass):
    """Writes the program to ``directory/<index>.<file_name>.mlir``; nothing if ``directory`` is empty."""

    directory: str
    file_name: str
    index: int | None = None

    def apply(self, op: Operation, context: Context) -> None:
        save_module(op, self.directory, self.file_name, self.index)
