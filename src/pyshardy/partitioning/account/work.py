"""How much one device computes: the multiplications of contractions and convolutions, the elements of all other
results.

A coarse measure, good enough to compare two partitionings of one program. A loop body counts once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import prod

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import element_count
from pyshardy.rules.registry import RuleTable


def work_of(module: Operation, entry: Operation, rules: RuleTable) -> int:
    """The work of one device in a run of ``entry``, a function of ``module``: the number of multiplications of
    contractions and convolutions plus the number of elements of all other results. ``rules`` says over which factors
    operations contract."""
    return Work(module, rules).of(entry)


class Work:
    """The work of the functions of ``module``, for candidate plans."""

    def __init__(self, module: Operation, rules: RuleTable) -> None:
        self._functions = functions_by_name(module)
        self._rules = rules
        self._known: dict[Operation, int] = {}

    def of(self, function: Operation) -> int:
        """The work of a call of ``function``."""
        found = self._known.get(function)
        if found is None:
            found = self._known[function] = sum(map(self._of_operation, function.operations()))
        return found

    def of_all(self, operations: Iterable[Operation]) -> int:
        """The work of ``operations`` and of the operations in their regions."""
        return sum(
            self._of_operation(inner) for op in operations for inner in (op.operations() if op.regions else (op,))
        )

    def _of_operation(self, op: Operation) -> int:
        if op.name == "func.call":
            function = self._functions.get(callee(op))
            return 0 if function is None else self.of(function)
        if op.name in CONTRACTIONS:
            rule = self._rules.registered_rule(op)
            if rule is not None:
                return prod(rule.factor_sizes)
        results = op.results
        return _elements(results[0].type) if len(results) == 1 else sum([_elements(result.type) for result in results])


CONTRACTIONS = frozenset({"stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general"})
"""Matrix products and convolutions."""


_elements = lru_cache(maxsize=1 << 14)(element_count)
