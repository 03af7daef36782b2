"""Values, operations, blocks and regions: the program itself.

These classes hold the structure and answer questions about it. Everything that changes operands, uses or the place of
an operation is in ``ir.rewriting``, because the order of a value's uses is part of the program: results depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import EMPTY_DICTIONARY, DictionaryAttr, StringAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.opdef import OpDef
from pyshardy.ir.types import Type

Use = tuple["Operation", int]

ORDER_STEP = 1 << 10
"""What lies between the order numbers of neighbours in a block at first, so that operations can be put in between."""


class Value:
    """Something an operation can take as operand: a result of an operation or an argument of a block.

    ``_uses`` holds (operation, operand number) from the oldest use to the newest.
    """

    __slots__ = ("_uses", "type")

    def __init__(self, type: Type) -> None:
        self.type = type
        self._uses: dict[Use, None] = {}

    @property
    def uses(self) -> Iterator[Use]:
        """The uses in MLIR's order, newest first. Take a list before changing any of them."""
        return reversed(self._uses)

    @property
    def users(self) -> Iterator[Operation]:
        """The using operations, newest use first, one entry a use."""
        return (user for user, _ in reversed(self._uses))

    @property
    def num_uses(self) -> int:
        return len(self._uses)

    @property
    def has_one_use(self) -> bool:
        return len(self._uses) == 1

    @property
    def defining_op(self) -> Operation | None:
        """The operation whose result this is; None for a block argument."""
        return None

    @property
    def parent_block(self) -> Block | None:
        """The block that holds the definition."""
        return None


class OpResult(Value):
    """Result ``index`` of ``owner``."""

    __slots__ = ("index", "owner")

    def __init__(self, type: Type, owner: Operation, index: int) -> None:
        self.type = type
        self._uses = {}
        self.owner = owner
        self.index = index

    def __repr__(self) -> str:
        return f"<result {self.index} of {self.owner.name}: {self.type}>"

    @property
    def defining_op(self) -> Operation:
        return self.owner

    @property
    def parent_block(self) -> Block | None:
        return self.owner.parent


class BlockArgument(Value):
    """Argument ``index`` of the block ``owner``."""

    __slots__ = ("index", "location", "owner")

    def __init__(self, type: Type, owner: Block, index: int, location: int | Location | None = None) -> None:
        self.type = type
        self._uses = {}
        self.owner = owner
        self.index = index
        self.location = location

    def __repr__(self) -> str:
        op = self.owner.parent_op
        where = "a block" if op is None else f"{op.name} @{op.symbol_name}" if op.symbol_name else op.name
        return f"<argument {self.index} of {where}: {self.type}>"

    @property
    def parent_block(self) -> Block:
        return self.owner


class Signature:
    """What operations that were made alike have in common; ``properties`` and ``attributes`` are those they began with,
    definition and types are the same for all."""

    __slots__ = ("attributes", "properties")
    properties: DictionaryAttr
    attributes: DictionaryAttr


class Operation:
    """One operation. ``properties`` are the attributes that its definition names, ``attributes`` all others.

    Both dictionaries are values: assign a new one to change them. ``location`` is the offset of the operation in the
    source text of the run, or an explicit location. Make operations with ``rewriting.create``: ``Operation(…)`` stands
    nowhere, its operands do not know of it, and whoever makes it gives it its ``results``.

    ``checked`` is what the verifier saw when it last accepted the operation; ``signature`` is one object for operations
    that were made alike (same definition, dictionaries and types), so that they need to be verified only once.
    """

    __slots__ = (
        "_next",
        "_order",
        "_previous",
        "attributes",
        "checked",
        "definition",
        "location",
        "name",
        "operands",
        "parent",
        "properties",
        "regions",
        "results",
        "signature",
        "successors",
    )
    name: str
    definition: OpDef | None
    operands: list[Value]
    results: list[OpResult]
    properties: DictionaryAttr
    attributes: DictionaryAttr
    regions: tuple[Region, ...]
    successors: tuple[Block, ...]
    location: int | Location | None
    parent: Block | None
    checked: tuple[DictionaryAttr, DictionaryAttr, object] | None
    signature: Signature | None
    _previous: Operation | None
    _next: Operation | None
    _order: int

    def __init__(
        self,
        name: str,
        definition: OpDef | None,
        operands: list[Value],
        properties: DictionaryAttr,
        attributes: DictionaryAttr,
        location: int | Location | None,
        signature: Signature | None = None,
    ) -> None:
        self.name = name
        self.definition = definition
        self.operands = operands
        self.properties = properties
        self.attributes = attributes
        self.location = location
        self.signature = signature
        self.regions = ()
        self.successors = ()
        self.parent = None
        self.checked = None
        self._previous = None
        self._next = None
        self._order = 0

    @property
    def result(self) -> OpResult:
        """The only result."""
        (result,) = self.results
        return result

    @property
    def traits(self) -> int:
        """The traits of the definition (``ir.opdef``), 0 for an unregistered operation."""
        return self.definition.traits if self.definition is not None else 0

    @property
    def parent_op(self) -> Operation | None:
        """The operation whose region holds this one."""
        block = self.parent
        return block.parent.parent if block is not None and block.parent is not None else None

    @property
    def next_op(self) -> Operation | None:
        return self._next

    @property
    def previous_op(self) -> Operation | None:
        return self._previous

    @property
    def body(self) -> Block:
        """The first block of the first region."""
        return self.regions[0].blocks[0]

    def get(self, name: str) -> Attribute | None:
        """The property or attribute called ``name``."""
        value = self.properties.entries.get(name)
        return value if value is not None else self.attributes.entries.get(name)

    @property
    def symbol_name(self) -> str | None:
        """The name of a symbol operation."""
        value = self.properties.get("sym_name")
        return value.value if isinstance(value, StringAttr) else None

    def is_before(self, other: Operation) -> bool:
        """Whether this operation stands before ``other`` in their common block."""
        block = self.parent
        if block is None or block is not other.parent:
            raise ValueError("the operations are not in one block")
        if not block._ordered:
            block._number()
        return self._order < other._order

    def is_proper_ancestor_of(self, other: Operation) -> bool:
        """Whether ``other`` is nested in a region of this operation."""
        above = other.parent_op
        while above is not None:
            if above is self:
                return True
            above = above.parent_op
        return False

    def ancestor_in(self, block: Block) -> Operation:
        """The operation of ``block``, in which this one is or is nested, that is this one or is around it."""
        found = self
        while found.parent is not block:
            above = found.parent_op
            assert above is not None
            found = above
        return found

    def ancestors(self) -> Iterator[Operation]:
        """The operations around this one, innermost first."""
        above = self.parent_op
        while above is not None:
            yield above
            above = above.parent_op

    def walk(self) -> Iterator[Operation]:
        """This operation and all nested ones in pre-order. The operation just visited may be erased or moved, if it
        has no regions or its nested operations are not wanted any more."""
        yield self
        # Blocks still to visit and operations to go on from, the next one last.
        pending: list[Block | Operation | None] = _blocks_reversed(self)
        while pending:
            top = pending.pop()
            op = top.first if isinstance(top, Block) else top
            while op is not None:
                following = op._next
                yield op
                if op.regions:
                    pending.append(following)
                    pending += _blocks_reversed(op)
                    break
                op = following

    def operations(self) -> list[Operation]:
        """What ``walk`` yields, as a list, several times faster."""
        found = [self]
        pending: list[Block | Operation | None] = _blocks_reversed(self)
        while pending:
            top = pending.pop()
            op = top.first if isinstance(top, Block) else top
            while op is not None:
                found.append(op)
                if op.regions:
                    pending.append(op._next)
                    pending += _blocks_reversed(op)
                    break
                op = op._next
        return found

    def block_arguments(self) -> list[BlockArgument]:
        """The arguments of all blocks in its regions, those of operations inside not counted."""
        return [argument for region in self.regions for block in region.blocks for argument in block.arguments]

    def walk_postorder(self) -> Iterator[Operation]:
        """All nested operations, then this one; an operation comes after those in its regions and may be erased."""
        stack: list[tuple[Operation, Iterator[Operation]]] = [(self, _region_operations(self))]
        while stack:
            owner, nested = stack[-1]
            op = next(nested, None)
            if op is None:
                stack.pop()
                yield owner
            elif op.regions:
                stack.append((op, _region_operations(op)))
            else:
                yield op

    def __repr__(self) -> str:
        if self.symbol_name is not None:
            return f"<operation {self.name} @{self.symbol_name}>"
        operands, results = ([str(value.type) for value in values] for values in (self.operands, self.results))
        return f"<operation {self.name}: ({', '.join(operands)}) -> ({', '.join(results)})>"


def detached_operation(
    name: str,
    definition: OpDef | None,
    operands: Iterable[Value],
    result_types: Iterable[Type],
    properties: DictionaryAttr = EMPTY_DICTIONARY,
    attributes: DictionaryAttr = EMPTY_DICTIONARY,
    regions: tuple[Region, ...] = (),
    successors: tuple[Block, ...] = (),
    location: int | Location | None = None,
) -> Operation:
    """A new operation that stands nowhere; its operands do not know of it."""
    op = Operation(name, definition, list(operands), properties, attributes, location)
    op.results = [OpResult(type, op, index) for index, type in enumerate(result_types)]
    op.regions = regions
    op.successors = successors
    for region in regions:
        region.parent = op
    return op


def _blocks_reversed(op: Operation) -> list[Block | Operation | None]:
    return [block for region in reversed(op.regions) for block in reversed(region.blocks)]


def _region_operations(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in region.blocks:
            yield from block


class Block:
    """A list of operations with arguments. Inserting and erasing are O(1); order numbers are made on demand."""

    __slots__ = ("_ordered", "arguments", "first", "last", "parent")

    def __init__(self, argument_types: Iterable[Type] = ()) -> None:
        self.parent: Region | None = None
        self.first: Operation | None = None
        self.last: Operation | None = None
        self._ordered = True
        self.arguments: list[BlockArgument] = []
        for type in argument_types:
            self.add_argument(type)

    def add_argument(self, type: Type, location: int | Location | None = None) -> BlockArgument:
        argument = BlockArgument(type, self, len(self.arguments), location)
        self.arguments.append(argument)
        return argument

    @property
    def parent_op(self) -> Operation | None:
        return self.parent.parent if self.parent is not None else None

    @property
    def terminator(self) -> Operation:
        """The last operation; raises ValueError in an empty block."""
        if self.last is None:
            raise ValueError("the block is empty")
        return self.last

    def __iter__(self) -> Iterator[Operation]:
        """The operations in order; the one just yielded may be erased or moved."""
        op = self.first
        while op is not None:
            following = op._next
            yield op
            op = following

    def operations(self) -> list[Operation]:
        """The operations in order: what ``list`` gives, which counts them first."""
        found = []
        op = self.first
        while op is not None:
            found.append(op)
            op = op._next
        return found

    def __reversed__(self) -> Iterator[Operation]:
        op = self.last
        while op is not None:
            previous = op._previous
            yield op
            op = previous

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return True

    def _number(self) -> None:
        number = 0
        for op in self:
            op._order = number
            number += ORDER_STEP
        self._ordered = True


class Region:
    """A list of blocks, owned by an operation."""

    __slots__ = ("blocks", "parent")

    def __init__(self, blocks: Iterable[Block] = ()) -> None:
        self.parent: Operation | None = None
        self.blocks: list[Block] = []
        for block in blocks:
            self.add_block(block)

    def add_block(self, block: Block) -> None:
        block.parent = self
        self.blocks.append(block)

    @property
    def empty(self) -> bool:
        return not self.blocks
