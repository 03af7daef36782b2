"""Side effects of operations: whether one may be erased if its results are unused."""

from __future__ import annotations

from pyshardy.ir.opdef import PURE, RECURSIVE_EFFECTS, SYMBOL, TERMINATOR
from pyshardy.ir.operation import Operation


def is_effect_free(op: Operation) -> bool:
    """Whether neither ``op`` nor anything in its regions has a side effect. Terminators have none; operations that
    nobody defined may do anything."""
    pending = [op]
    while pending:
        one = pending.pop()
        definition = one.definition
        if definition is None:
            return False
        traits = definition.traits
        if traits & RECURSIVE_EFFECTS:
            pending.extend(nested for region in one.regions for block in region.blocks for nested in block)
        elif not traits & (PURE | TERMINATOR) and not (definition.is_pure is not None and definition.is_pure(one)):
            return False
    return True


def is_trivially_dead(op: Operation) -> bool:
    """Whether ``op`` can be erased as it stands: no result is used, it is no terminator, no symbol, free of effects."""
    for result in op.results:
        if result._uses:
            return False
    return not op.traits & (TERMINATOR | SYMBOL) and is_effect_free(op)


def dead_operations(root: Operation) -> list[Operation]:
    """The operations in ``root`` that could go one after the other because nobody uses them, each after its users; what
    stands in a dead operation is not listed by itself."""
    dead: dict[Operation, None] = {}
    walk = root.walk()
    next(walk)
    for op in reversed(list(walk)):
        if op.traits & (TERMINATOR | SYMBOL) or not is_effect_free(op):
            continue
        if all(_is_in(user, dead) for result in op.results for user in result.users):
            dead[op] = None
    return [op for op in dead if not any(above in dead for above in op.ancestors())]


def _is_in(op: Operation, dead: dict[Operation, None]) -> bool:
    return op in dead or any(above in dead for above in op.ancestors())
