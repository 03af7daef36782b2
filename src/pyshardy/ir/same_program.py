"""Whether two programs are the same, operation by operation.

A shortcut: of programs that are the same one is enough, without a look at what each of them costs.
"""

from __future__ import annotations

from pyshardy.ir.operation import Block, Operation, Value


def is_same_program(one: Operation, other: Operation, *, locations: bool = True) -> bool:
    """Whether ``one`` and ``other`` are the same, with all that is in them: equal operations in the same order, which
    read the same values; and the same ``locations``, if these count. Equal properties and attributes that are not one
    object count as different."""
    operations, others = one.operations(), other.operations()
    if len(operations) != len(others):
        return False
    values: dict[Value, Value] = {}
    blocks: dict[Block | None, Block | None] = {one.parent: other.parent}
    for op, its in zip(operations, others, strict=True):
        if op.name != its.name or op.properties is not its.properties or op.attributes is not its.attributes:
            return False
        if (locations and op.location != its.location) or blocks.get(op.parent) is not its.parent:
            return False
        if op.successors or its.successors:
            return False
        if [values.get(value) for value in op.operands] != its.operands:
            return False
        if [value.type for value in op.results] != [value.type for value in its.results]:
            return False
        values.update(zip(op.results, its.results, strict=True))
        if not (op.regions or its.regions):
            continue
        if [len(region.blocks) for region in op.regions] != [len(region.blocks) for region in its.regions]:
            return False
        inside, its_inside = (
            [block for one in regions for block in one.blocks] for regions in (op.regions, its.regions)
        )
        for block, alike in zip(inside, its_inside, strict=True):
            if [value.type for value in block.arguments] != [value.type for value in alike.arguments]:
                return False
            values.update(zip(block.arguments, alike.arguments, strict=True))
            blocks[block] = alike
    return True
