"""``--emit-bytecode``: writes a program as MLIR bytecode, with jaxlib."""

from __future__ import annotations

import io
import sys

from pyshardy.api.module import Module
from pyshardy.cli.files import InputProblem
from pyshardy.reading.jaxlib_process import mlir_context


def bytecode_of(module: Module, output: str) -> bytes:
    """``module`` with its locations as MLIR bytecode; ``output`` is where it is going.

    Raises:
        InputProblem: there is no jaxlib, it cannot read the program, or ``output`` is a terminal.
    """
    if output == "-" and sys.stdout.isatty():
        raise InputProblem("--emit-bytecode: bytecode is nothing for a terminal; give a file with -o")
    try:
        from jaxlib.mlir import ir
    except ImportError:
        raise InputProblem(
            "--emit-bytecode: jaxlib writes bytecode, and it is not installed: pip install jax"
        ) from None
    code = io.BytesIO()
    with mlir_context(module.context.allow_unregistered) as context, ir.Location.unknown(context):
        try:
            ir.Module.parse(module.text(generic=True, debug_info=True)).operation.write_bytecode(code)
        except ir.MLIRError as error:
            raise InputProblem(f"--emit-bytecode: jaxlib does not take this program: {error}") from None
    return code.getvalue()
