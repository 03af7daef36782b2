"""How a pass of the partitioner gives up on an operation: errors with its own messages, then the one of MLIR's
conversions.

Rules raise ``NotConvertible`` (or call ``refuse``); the walk that called them emits the errors.
"""

from __future__ import annotations

from typing import NoReturn

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.printing.program_text import quoted_operation
from pyshardy.ir.verifying.operation_diagnostics import emit_at


class NotConvertible(Exception):
    """An operation cannot be converted. Each of ``messages`` becomes an error at the operation."""

    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = messages


def refuse(message: str) -> NoReturn:
    """Gives up on the current operation.

    Raises:
        NotConvertible: always.
    """
    raise NotConvertible(message)


def report(context: Context, op: Operation, failure: NotConvertible) -> None:
    """Emits the errors about ``op``."""
    for message in failure.messages:
        emit_at(context, "error", op, message)
    text = f"failed to legalize operation '{op.name}' that was explicitly marked illegal: "
    emit_at(context, "error", op, text + quoted_operation(op, regions=False))
