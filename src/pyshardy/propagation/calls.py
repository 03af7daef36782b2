"""The calls in a module: the calls of a function, the callee of a call, the values that it returns.

Shardings pass calls along function edges (``actions``), and a change on one side puts operations of the other on the
worklist (``neighbours``).
"""

from __future__ import annotations

from pyshardy.ir.attributes import SymbolRefAttr
from pyshardy.ir.operation import Operation, Value


class Calls:
    """The calls in ``module``, collected at the first use."""

    __slots__ = ("_by_name", "_module")

    def __init__(self, module: Operation) -> None:
        self._module = module
        self._by_name: dict[str, list[Operation]] | None = None

    def of(self, func: Operation) -> list[Operation]:
        """The calls of ``func``, in the order in which MLIR finds the users of a symbol: the operations of the module
        in order; in each its body in order, then nested regions, last in first out."""
        if self._by_name is None:
            self._by_name = {}
            for op in _symbol_user_order(self._module):
                callee = op.properties.get("callee") if op.name == "func.call" else None
                if isinstance(callee, SymbolRefAttr):
                    self._by_name.setdefault(callee.root, []).append(op)
        return self._by_name.get(func.symbol_name or "", [])

    def returned_values(self, result: Value) -> list[Value]:
        """The values that the callee returns for ``result``."""
        call = result.defining_op
        callee = self.callee(call) if call is not None else None
        if callee is None or not callee.regions[0].blocks:
            return []
        return [callee.body.terminator.operands[getattr(result, "index", 0)]]

    def callee(self, call: Operation) -> Operation | None:
        """The function that ``call`` calls; None if there is none."""
        name = call.properties.get("callee")
        if not isinstance(name, SymbolRefAttr):
            return None
        for op in self._module.body:
            if op.symbol_name == name.root:
                return op
        return None


def _symbol_user_order(module: Operation) -> list[Operation]:
    found: list[Operation] = []
    for top in module.body:
        found.append(top)
        pending = list(top.regions)
        while pending:
            region = pending.pop()
            for block in region.blocks:
                for op in block:
                    found.append(op)
                    pending.extend(op.regions)
    return found
