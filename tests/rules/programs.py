"""Small programs for the tests of sharding rules."""

from __future__ import annotations

import pyshardy
from pyshardy.ir.operation import Operation
from pyshardy.rules.registry import RuleTable


def operations(arguments: str, *lines: str) -> list[Operation]:
    """The operations ``lines`` in a function of ``arguments``, without its return."""
    body = "\n  ".join(lines)
    module = pyshardy.parse(f"func.func @main({arguments}) {{\n  {body}\n  return\n}}\n", allow_unregistered=True)
    return list(module.op.body.terminator.body)[:-1]


def rule_texts(arguments: str, *lines: str, conservative: bool = False) -> list[str | None]:
    """The rule of each of the operations ``lines``, as text."""
    table = RuleTable(conservative=conservative)
    rules = [table.rule(op) for op in operations(arguments, *lines)]
    return [rule.body_text if rule is not None else None for rule in rules]


def rule_text(arguments: str, line: str, *, conservative: bool = False) -> str | None:
    """The rule of the operation ``line``, as text."""
    return rule_texts(arguments, line, conservative=conservative)[0]
