"""The source location of an operation; inside of functions that a framework made, that of the call.

JAX writes functions of its own (``_where``, ``closed_call_7``) whose operations have no source line, so tables show the
line that calls them. ``tensor_names`` has the names of tensors.
"""

from __future__ import annotations

from pyshardy.dialects.func import callee
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.source_location import NOWHERE, SourceLocation, source_location

_MOST_CALLS = 64


class CallSites:
    """The calls of the functions of ``module``."""

    def __init__(self, module: Operation, context: Context) -> None:
        self._context = context
        self._calls: dict[str, Operation] = {}
        for op in module.operations():
            if op.name == "func.call":
                self._calls.setdefault(callee(op), op)

    def location(self, op: Operation | None) -> SourceLocation:
        """The location of ``op``; if it has none, that of the first call of its function."""
        found = own = NOWHERE if op is None else source_location(op.location, self._context)
        for _ in range(_MOST_CALLS):
            function = op
            while function is not None and function.name != "func.func":
                function = function.parent_op
            op = None if function is None else self._calls.get(function.symbol_name or "")
            if found.place or op is None:
                break
            found = source_location(op.location, self._context)
        return found if found.place else own
