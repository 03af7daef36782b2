"""Every way to change a program: create, insert, move, clone and erase operations, redirect uses, change types.

The order of a value's uses is observable (propagation visits users in that order), so only this file edits use lists,
and each function keeps MLIR's order: a new use comes first, replacing all uses reverses them, setting an operand makes
it the newest use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pyshardy.ir.attributes import EMPTY_DICTIONARY, DictionaryAttr
from pyshardy.ir.change_log import MODIFICATIONS, STRUCTURAL_CHANGES
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import (
    ORDER_STEP,
    Block,
    Operation,
    OpResult,
    Region,
    Signature,
    Use,
    Value,
    detached_operation,
)
from pyshardy.ir.registry import op_definition
from pyshardy.ir.types import Type


def _change(op: Operation) -> None:
    """``op`` reads or makes something else now, and is to be verified again."""
    op.checked = None
    MODIFICATIONS.add(op)


def make_anew(op: Operation) -> None:
    """``op`` has become another operation, not by the functions of this file: it is verified again, and no more like
    those that it was made alike."""
    op.checked = op.signature = None
    MODIFICATIONS.add(op)


def set_attributes(op: Operation, attributes: DictionaryAttr) -> None:
    """Gives ``op`` these discardable attributes."""
    op.attributes = attributes
    MODIFICATIONS.add(op)


def set_properties(op: Operation, properties: DictionaryAttr) -> None:
    """Gives ``op`` these properties."""
    op.properties = properties
    MODIFICATIONS.add(op)


def create(
    name: str,
    operands: Iterable[Value] = (),
    result_types: Iterable[Type] = (),
    properties: DictionaryAttr = EMPTY_DICTIONARY,
    attributes: DictionaryAttr = EMPTY_DICTIONARY,
    regions: tuple[Region, ...] = (),
    successors: tuple[Block, ...] = (),
    location: int | Location | None = None,
) -> Operation:
    """A new operation, not yet in a block; operand 0's use is made first."""
    op = detached_operation(
        name, op_definition(name), operands, result_types, properties, attributes, regions, successors, location
    )
    for index, value in enumerate(op.operands):
        value._uses[(op, index)] = None
    return op


def append_alike(
    block: Block,
    alike: Operation,
    operands: list[Value],
    location: int | Location | None,
    regions: tuple[Region, ...] = (),
) -> OpResult:
    """The result of a new operation at the end of ``block``: what ``alike``, which has one result, is, but on other
    operands and with ``regions``."""
    op = made_alike(alike, operands, location, regions)
    append(block, op)
    return op.results[0]


def made_alike(
    alike: Operation, operands: list[Value], location: int | Location | None, regions: tuple[Region, ...] = ()
) -> Operation:
    """A new operation, not yet in a block: what ``alike``, which has no successors, is, but on other operands and with
    ``regions``; operand 0's use is made first."""
    op = Operation(
        alike.name, alike.definition, operands, alike.properties, alike.attributes, location, alike.signature
    )
    results = alike.results
    if len(results) == 1:
        op.results = [OpResult(results[0].type, op, 0)]
    else:
        op.results = [OpResult(result.type, op, result.index) for result in results]
    if regions:
        op.regions = regions
        for region in regions:
            region.parent = op
    for index, value in enumerate(operands):
        value._uses[(op, index)] = None
    return op


def rename(op: Operation, name: str, signatures: dict[Signature, Signature]) -> None:
    """Makes ``op`` an operation called ``name`` with all that it has, as if a new one had taken its place: the uses of
    its results are reversed. ``signatures`` is the caller's memory, from that of ``op`` to that of the new operation:
    what was made alike becomes alike."""
    STRUCTURAL_CHANGES.add(op)
    old = op.signature
    op.name, op.definition = name, op_definition(name)
    op.checked = op.signature = None
    if old is not None and old.properties is op.properties and old.attributes is op.attributes:
        signature = signatures.get(old)
        if signature is None:
            signature = signatures[old] = Signature()
            signature.properties, signature.attributes = op.properties, op.attributes
        op.signature = signature
    renew_operands(op)
    for result in op.results:
        uses = result._uses
        for user, _ in uses:
            _change(user)
        if len(uses) > 1:
            result._uses = dict.fromkeys(reversed(uses))


def append(block: Block, op: Operation) -> None:
    """Puts ``op``, which is in no block, at the end of ``block``."""
    STRUCTURAL_CHANGES.add(op)
    last = block.last
    op.parent = block
    op._previous = last
    op._next = None
    if last is None:
        block.first = op
    else:
        last._next = op
        op._order = last._order + ORDER_STEP
    block.last = op


def insert_before(anchor: Operation, op: Operation) -> None:
    """Puts ``op``, which is in no block, directly before ``anchor``."""
    STRUCTURAL_CHANGES.add(op)
    block = _block_of(anchor)
    previous = anchor._previous
    op.parent = block
    op._previous, op._next = previous, anchor
    anchor._previous = op
    if previous is None:
        block.first = op
        op._order = anchor._order - ORDER_STEP
    else:
        previous._next = op
        # While there is a number left in between, nobody needs another one.
        op._order = (previous._order + anchor._order) >> 1
        if op._order == previous._order:
            block._ordered = False


def insert_all_before(anchor: Operation, operations: Sequence[Operation]) -> None:
    """Puts ``operations``, which are in no block, directly before ``anchor``, in their order."""
    block = _block_of(anchor)
    previous = anchor._previous
    for op in operations:
        op.parent = block
        op._previous = previous
        if previous is None:
            block.first = op
        else:
            previous._next = op
        previous = op
    if previous is not None:
        previous._next = anchor
        anchor._previous = previous
        block._ordered = False
    STRUCTURAL_CHANGES.extend(operations)


def insert_after(anchor: Operation, op: Operation) -> None:
    """Puts ``op``, which is in no block, directly after ``anchor``."""
    if anchor._next is None:
        append(_block_of(anchor), op)
    else:
        insert_before(anchor._next, op)


def prepend(block: Block, op: Operation) -> None:
    """Puts ``op``, which is in no block, at the start of ``block``."""
    if block.first is None:
        append(block, op)
    else:
        insert_before(block.first, op)


def insert_after_definition(value: Value, op: Operation) -> None:
    """Puts ``op`` right after the operation that defines ``value``, or at the start of the block it is an argument
    of."""
    definition = value.defining_op
    if definition is not None:
        insert_after(definition, op)
    else:
        block = value.parent_block
        if block is None:
            raise ValueError("the value has no definition")
        prepend(block, op)


def _block_of(op: Operation) -> Block:
    if op.parent is None:
        raise ValueError(f"{op.name} is in no block")
    return op.parent


def detach(op: Operation) -> None:
    """Takes ``op`` out of its block and keeps it alive, operands included."""
    block = op.parent
    if block is None:
        return
    STRUCTURAL_CHANGES.add(op)
    op.checked = None
    if op._previous is None:
        block.first = op._next
    else:
        op._previous._next = op._next
    if op._next is None:
        block.last = op._previous
    else:
        op._next._previous = op._previous
    if op._next is None and block.parent is not None and block.parent.parent is not None:
        MODIFICATIONS.add(block.parent.parent)
    op.parent = op._previous = op._next = None


def _displace(op: Operation) -> None:
    """Takes ``op`` out of its block to put it elsewhere: whoever reads it, and what is in it, is verified again."""
    detach(op)
    for result in op.results:
        for user, _ in result._uses:
            _change(user)
    for nested in op.operations() if op.regions else ():
        nested.checked = None


def move_before(op: Operation, anchor: Operation) -> None:
    """Moves ``op`` directly before ``anchor``."""
    _displace(op)
    insert_before(anchor, op)


def move_to_end(op: Operation, block: Block) -> None:
    """Moves ``op`` to the end of ``block``."""
    _displace(op)
    append(block, op)


def drop_operands(op: Operation) -> None:
    """Removes all uses that ``op`` and the operations in its regions make."""
    for nested in op.operations() if op.regions else (op,):
        if nested.operands:
            for index, value in enumerate(nested.operands):
                value._uses.pop((nested, index), None)
            nested.operands = []


def erase(op: Operation) -> None:
    """Deletes ``op`` with everything in it. Its results must have no uses left.

    Raises:
        ValueError: a result is still used.
    """
    for result in op.results:
        if result._uses:
            raise ValueError(f"{op.name} cannot be erased: a result is still used")
    drop_operands(op)
    detach(op)


def set_operand(op: Operation, index: int, value: Value) -> None:
    """Makes ``value`` operand ``index`` of ``op``; the use becomes the newest of ``value``."""
    use = (op, index)
    old = op.operands[index]
    old._uses.pop(use, None)
    op.operands[index] = value
    value._uses[use] = None
    _change(op)
    if old.type is not value.type:
        op.signature = None


def renew_operands(op: Operation) -> None:
    """Makes each use that ``op`` itself makes the newest of its value, operand 0's first."""
    for index, value in enumerate(op.operands):
        uses = value._uses
        if len(uses) > 1:
            use = (op, index)
            del uses[use]
            uses[use] = None


def set_operands(op: Operation, values: Iterable[Value]) -> None:
    """Replaces all operands of ``op``."""
    for index, value in enumerate(op.operands):
        value._uses.pop((op, index), None)
    op.operands = list(values)
    for index, value in enumerate(op.operands):
        value._uses[(op, index)] = None
    op.signature = None
    _change(op)


def set_type(value: Value, type: Type) -> None:
    """Gives ``value`` another type, and has its maker and its users verified again."""
    if value.type is not type:
        value.type = type
        made = value.defining_op
        for op in (*value.users, *((made,) if made is not None else ())):
            op.signature = None
            _change(op)


def order_uses(value: Value, uses: Iterable[Use]) -> None:
    """Brings the uses of ``value``, which are ``uses``, into their order, the oldest first."""
    value._uses = dict.fromkeys(uses)


def renew_uses(operations: Iterable[Operation]) -> None:
    """Makes all uses that ``operations`` make anew, one after the other: those of a program in the order of the text,
    as a copy of it would. Nothing else changes."""
    for op in operations:
        operands = op.operands
        if len(operands) == 1:
            uses = operands[0]._uses
            if len(uses) > 1:
                use = (op, 0)
                del uses[use]
                uses[use] = None
        elif operands:
            renew_operands(op)


def replace_all_uses(value: Value, replacement: Value) -> None:
    """Every use of ``value`` becomes one of ``replacement``, in reversed order and in front of what it had."""
    if value is replacement:
        return
    moved = list(reversed(value._uses))
    value._uses.clear()
    uses = replacement._uses
    alike = value.type is replacement.type
    MODIFICATIONS.extend([op for op, _ in moved])
    for use in moved:
        op, index = use
        op.operands[index] = replacement
        op.checked = None
        if not alike:
            op.signature = None
        uses[use] = None


def replace_uses_if(value: Value, replacement: Value, wanted: Callable[[Operation, int], bool]) -> None:
    """Like ``replace_all_uses`` for the uses for which ``wanted(operation, operand number)`` holds."""
    moved: list[Use] = [use for use in reversed(value._uses) if wanted(*use)]
    for use in moved:
        op, index = use
        del value._uses[use]
        op.operands[index] = replacement
        _change(op)
        if value.type is not replacement.type:
            op.signature = None
        replacement._uses[use] = None


def replace_all_uses_except(value: Value, replacement: Value, except_op: Operation) -> None:
    """Like ``replace_all_uses`` for the uses that ``except_op`` does not make."""
    replace_uses_if(value, replacement, lambda op, _: op is not except_op)


def replace_op(op: Operation, replacements: Iterable[Value]) -> None:
    """Replaces the results of ``op`` by ``replacements``, one each, and erases it."""
    for result, replacement in zip(op.results, replacements, strict=True):
        replace_all_uses(result, replacement)
    erase(op)


def clone(op: Operation, mapping: dict[Value, Value] | None = None) -> Operation:
    """A deep copy of ``op``, in no block; ``mapping`` (old value → new value) redirects operands and receives the
    copies of results and block arguments. The use of an operand is made before those in the regions."""
    values = {} if mapping is None else mapping
    blocks: dict[Block, Block] = {}
    copy = _clone_shallow(op, values, blocks)
    _clone_contents(_region_pairs(op.regions, copy.regions, values, blocks), values, blocks)
    return copy


def clone_region(source: Region, target: Region, mapping: dict[Value, Value] | None = None) -> None:
    """Adds a deep copy of the blocks of ``source`` to ``target``; ``mapping`` redirects values from outside and
    receives the copies, as in ``clone``."""
    values = {} if mapping is None else mapping
    blocks: dict[Block, Block] = {}
    _clone_contents(_region_pairs((source,), (target,), values, blocks), values, blocks)


def copied_region(source: Region, mapping: dict[Value, Value] | None = None) -> Region:
    """A deep copy of ``source``, of no operation; ``mapping`` as in ``clone``."""
    copy = Region()
    if len(source.blocks) > 1 or any(op.regions or op.successors for block in source.blocks for op in block):
        clone_region(source, copy, mapping)
        return copy
    values = {} if mapping is None else mapping
    for block in source.blocks:
        target = Block()
        copy.add_block(target)
        for argument in block.arguments:
            values[argument] = target.add_argument(argument.type, argument.location)
        for op in block:
            made = made_alike(op, [values.get(value, value) for value in op.operands], op.location)
            for old, new in zip(op.results, made.results, strict=True):
                values[old] = new
            append(target, made)
    return copy


def _clone_contents(pending: list[tuple[Block, Block]], values: dict[Value, Value], blocks: dict[Block, Block]) -> None:
    # The earliest block is on top of the stack, so that uses are made in the order of the text.
    while pending:
        source, target = pending.pop()
        for nested in source:
            copy = _clone_shallow(nested, values, blocks)
            append(target, copy)
            if nested.regions:
                pending.append((_Tail(source, nested.next_op), target))
                pending.extend(_region_pairs(nested.regions, copy.regions, values, blocks))
                break


class _Tail(Block):
    """The operations of a block from one of them on."""

    __slots__ = ()

    def __init__(self, block: Block, first: Operation | None) -> None:
        self.first = first
        self.last = block.last


def _clone_shallow(op: Operation, values: dict[Value, Value], blocks: dict[Block, Block]) -> Operation:
    operands = [values.get(value, value) for value in op.operands]
    copy = Operation(op.name, op.definition, operands, op.properties, op.attributes, op.location, op.signature)
    copy.results = results = []
    if op.successors:
        copy.successors = tuple([blocks.get(block, block) for block in op.successors])
    if op.regions:
        copy.regions = tuple([Region() for _ in op.regions])
        for region in copy.regions:
            region.parent = copy
    for index, value in enumerate(operands):
        value._uses[(copy, index)] = None
    for old in op.results:
        values[old] = new = OpResult(old.type, copy, old.index)
        results.append(new)
    return copy


def _region_pairs(
    regions: tuple[Region, ...], copies: tuple[Region, ...], values: dict[Value, Value], blocks: dict[Block, Block]
) -> list[tuple[Block, Block]]:
    pairs = []
    for region, region_copy in zip(regions, copies, strict=True):
        for block in region.blocks:
            block_copy = Block()
            region_copy.add_block(block_copy)
            blocks[block] = block_copy
            for argument in block.arguments:
                values[argument] = block_copy.add_argument(argument.type, argument.location)
            pairs.append((block, block_copy))
    pairs.reverse()
    return pairs


def take_region(target: Region, source: Region) -> None:
    """Moves all blocks of ``source`` to the end of ``target``."""
    for block in source.blocks:
        for op in block:
            STRUCTURAL_CHANGES.add(op)
        target.add_block(block)
    source.blocks = []
    if source.parent is not None:
        MODIFICATIONS.add(source.parent)
    if target.parent is not None:
        make_anew(target.parent)


def erase_block_argument(block: Block, index: int) -> None:
    """Removes argument ``index``, which must have no uses."""
    if block.arguments[index]._uses:
        raise ValueError(f"block argument {index} cannot be erased: it is still used")
    del block.arguments[index]
    for number, argument in enumerate(block.arguments):
        argument.index = number
