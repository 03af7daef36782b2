"""A script: converts MLIR bytecode on standard input to text on standard output, with the MLIR inside jaxlib.

``reading.binary`` runs this file in a process of its own, because a damaged file may crash jaxlib. It imports nothing
of pyshardy. The first line of its output is ``text``, or ``error`` followed by the message.
"""

from __future__ import annotations

import re
import sys
from typing import Any

_PLACED = re.compile(r"loc\((?!#loc\)|unknown\))")


def mlir_context(allow_unregistered: bool) -> Any:
    """A context of jaxlib's MLIR that knows the dialects of StableHLO programs."""
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, sdy, stablehlo

    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(context)
    context.allow_unregistered_dialects = allow_unregistered
    return context


def operation_text(operation: Any, *, generic: bool = False) -> str:
    """The text of an operation of jaxlib, with its locations if it has any."""
    text: str = operation.get_asm(enable_debug_info=True, print_generic_op_form=generic)
    return text if _PLACED.search(text) else str(operation.get_asm(print_generic_op_form=generic))


def _read(data: bytes, is_artifact: bool, allow_unregistered: bool) -> str:
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    context = mlir_context(allow_unregistered)
    problems: list[str] = []

    def take(diagnostic: Any) -> bool:
        problems.append(str(diagnostic.message))
        return True

    with context, context.attach_diagnostic_handler(take):
        try:
            if is_artifact:
                module = stablehlo.deserialize_portable_artifact(context, data)
            else:
                module = ir.Module.parse(data, context)
        except Exception as error:
            raise ValueError("; ".join(problems) or _without_place(error)) from None
    return operation_text(module.operation)


def _without_place(error: Exception) -> str:
    """The message of an error of MLIR, without its file and line, which are meaningless."""
    lines = [line.strip() for line in str(error).splitlines()]
    found = [re.sub(r'^error: "[^"]*":\d+:\d+: ', "", line) for line in lines if line.startswith("error: ")]
    return "; ".join(found) or str(error)


def main() -> None:
    """Reads standard input; the arguments are ``artifact`` or ``bytecode``, and ``unregistered`` to admit those."""
    output = sys.stdout.buffer
    try:
        text = _read(sys.stdin.buffer.read(), "artifact" in sys.argv, "unregistered" in sys.argv)
    except Exception as error:
        output.write(f"error\n{error}".encode("utf-8", "surrogateescape"))
    else:
        output.write(b"text\n" + text.encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    main()
