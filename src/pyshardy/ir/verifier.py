"""Is this a legal program? Structure here, the rest by the verifiers that definitions and dialects bring.

Verification is incremental: an operation that has been checked is marked with the dictionaries it had then, and is
looked at again only when these, its operands or its place have changed. The pass manager verifies after every pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.opdef import (
    GRAPH_REGION,
    ISOLATED,
    NO_TERMINATOR,
    OPERAND_VALUES,
    SAME_TYPE,
    SINGLE_BLOCK,
    SYMBOL,
    SYMBOL_TABLE,
    TERMINATOR,
    OpDef,
)
from pyshardy.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Signature, Value
from pyshardy.ir.operation_diagnostics import quoting_note
from pyshardy.ir.program_text import quoted_operation
from pyshardy.ir.registry import dialect


class VerificationError(Exception):
    """One operation is wrong."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(str(diagnostics[0]))
        self.diagnostics = diagnostics


_Stamp = tuple[DictionaryAttr, ...]
_Mark = tuple[DictionaryAttr, DictionaryAttr, object]
_one_stamp: dict[_Stamp, _Stamp] = {}
"""Equal stamps are one object, so that they compare fast."""


class _Accepted:
    """What was accepted in one isolated operation, in this verification and those before it in one run: signatures with
    the mark of operations that are as they were made (see ``Operation.checked``), and discardable attributes by where
    they stood: signature, attributes, the operation around. It holds for one ``stamp``."""

    __slots__ = ("attributes", "signatures", "stamp")

    def __init__(self, stamp: object) -> None:
        self.stamp = stamp
        self.signatures: dict[Signature | None, _Mark] = {}
        self.attributes: dict[tuple[Signature | None, DictionaryAttr, Operation | None], _Mark] = {}


class _Looked:
    """What has been looked at in one isolated operation: the operations that are new or changed (``fresh``), those that
    only have other discardable attributes (``relabelled``), the isolated ones inside, and what was ``accepted``."""

    __slots__ = ("accepted", "fresh", "isolated", "relabelled", "stamp")

    def __init__(self, accepted: _Accepted) -> None:
        self.accepted = accepted
        self.stamp = accepted.stamp
        self.fresh: list[Operation] = []
        self.relabelled: list[Operation] = []
        self.isolated: list[Operation] = []

    def withdraw(self) -> None:
        """Takes back the marks: something was wrong."""
        for op in (*self.fresh, *self.relabelled):
            op.checked = None


class Verification:
    """One verification of a module. ``memo`` serves verifiers whose answer depends only on immutable values;
    ``in_order`` says that every operation is known to stand behind the definitions of its operands."""

    def __init__(self, context: Context, *, in_order: bool = False) -> None:
        self.context = context
        self._in_order = in_order
        self.memo: dict[object, object] = {}
        self._symbols: dict[Operation, dict[str, Operation]] = {}
        self._stamps: dict[Operation, object] = {}
        self._failures: list[VerificationError] = []
        self._dominators: dict[Region, dict[Block, set[Block]]] = {}
        self._symbol_users: list[Operation] = []
        self._tables_are_nested = False

    def verify(self, root: Operation) -> list[Diagnostic]:
        """All errors of ``root`` (empty if it is legal): every isolated operation reports at most one."""
        self._isolated(root)
        if not self._failures and root.traits & SYMBOL_TABLE and not self._symbols_are_fine(root):
            return self.verify_symbol_uses(root)
        return self._reported()

    def _symbols_are_fine(self, root: Operation) -> bool:
        """Whether what refers to symbols, of all that was seen, is legal; if not, or if tables are nested,
        ``verify_symbol_uses`` says what comes first."""
        if self._tables_are_nested:
            return False
        try:
            self._check_unique_symbols(root)
            for op in self._symbol_users:
                for verifier in op.definition.symbol_verifiers if op.definition is not None else ():
                    verifier(self, op)
        except VerificationError:
            return False
        return True

    def verify_symbol_uses(self, root: Operation) -> list[Diagnostic]:
        """The errors of what refers to symbols of the symbol table ``root``, everything else being legal."""
        if root.traits & SYMBOL_TABLE:
            try:
                self._symbol_uses(root)
            except VerificationError as error:
                self._failures.append(error)
        return self._reported()

    def _reported(self) -> list[Diagnostic]:
        return [diagnostic for failure in self._failures for diagnostic in failure.diagnostics]

    # --- what verifiers use ---------------------------------------------------------------------------------------

    def error(self, op: Operation, *messages: str, prefix: bool = True, notes: Iterable[Diagnostic] = ()) -> NoReturn:
        """Rejects ``op``: ``'op.name' op message``, or the bare message, with the operation quoted in a note.

        Of several messages each is an error, and the last has the notes.
        """
        position = self.context.position(op.location)
        current = quoting_note(self.context, op)
        start = f"'{op.name}' op " if prefix else ""
        errors = [Diagnostic("error", position, start + message) for message in messages]
        errors[-1].notes += [current, *notes]
        raise VerificationError(*errors)

    def note(self, op: Operation, message: str) -> Diagnostic:
        """A note at ``op``, to hand to ``error``."""
        return Diagnostic("note", self.context.position(op.location), message)

    def symbols(self, op: Operation) -> dict[str, Operation]:
        """The symbols of the nearest symbol table around ``op`` (or of ``op``, if it is one)."""
        table: Operation | None = op
        while table is not None and not table.traits & SYMBOL_TABLE:
            table = table.parent_op
        if table is None:
            return {}
        known = self._symbols.get(table)
        if known is None:
            known = self._symbols[table] = {}
            for region in table.regions:
                for block in region.blocks:
                    for one in block:
                        if one.symbol_name is not None:
                            known.setdefault(one.symbol_name, one)
        return known

    # --- the walk -------------------------------------------------------------------------------------------------

    def _isolated(self, root: Operation) -> None:
        looked = _Looked(self._accepted_in(root))
        try:
            if root.checked != (root.properties, root.attributes, looked.stamp):
                self._entrance(root)
                looked.relabelled.append(root)
            for region in root.regions:
                self._region_operations(region, looked)
            root.checked = (root.properties, root.attributes, looked.stamp)
        except VerificationError as error:
            looked.withdraw()
            self._failures.append(error)
            return
        before = len(self._failures)
        for op in looked.isolated:
            self._isolated(op)
        if len(self._failures) > before:
            looked.withdraw()
            return
        try:
            for op in () if self._in_order else looked.fresh:
                if not _reads_earlier_values(op):
                    self._check_dominance(op)
        except VerificationError as error:
            looked.withdraw()
            self._failures.append(error)

    def _accepted_in(self, root: Operation) -> _Accepted:
        stamp = self._stamp(root)
        known = self.context.accepted.get(root)
        if not isinstance(known, _Accepted) or known.stamp is not stamp:
            known = self.context.accepted[root] = _Accepted(stamp)
        return known

    def _region_operations(self, region: Region, looked: _Looked) -> None:
        """Checks the operations of ``region`` and of the regions in it, and marks them. Of those made alike, only the
        first is looked at: what its verifiers see beside it is the isolated operation around, the same for all in
        ``looked``."""
        stamp, signatures, fresh = looked.stamp, looked.accepted.signatures, looked.fresh.append
        marks, around, relabelled = looked.accepted.attributes, region.parent, looked.relabelled.append
        for block in region.blocks:
            self._check_block(block)
            op = block.first
            while op is not None:
                definition = op.definition
                if definition is not None and definition.symbol_verifiers:
                    self._symbol_users.append(op)
                checked, properties, attributes = op.checked, op.properties, op.attributes
                if checked is None or checked[0] is not properties or checked[2] is not stamp:
                    mark = signatures.get(op.signature)
                    if mark is not None and mark[0] is properties and mark[1] is attributes and not op.regions:
                        op.checked = mark
                        fresh(op)
                        if op.next_op is not None and op.traits & TERMINATOR:
                            self.error(op, "must be the last operation in the parent block")
                    else:
                        self._new_operation(op, looked)
                elif op.regions:
                    self._known_operation(op, looked, attributes is checked[1])
                elif checked[1] is not attributes:
                    mark = marks.get((op.signature, attributes, around))
                    if mark is not None and mark[0] is properties:
                        op.checked = mark
                        relabelled(op)
                    else:
                        self._known_operation(op, looked, is_same=False)
                op = op._next

    def _new_operation(self, op: Operation, looked: _Looked) -> None:
        if op.regions and op.traits & ISOLATED:
            self._enter_isolated(op, looked)
            return
        looked.fresh.append(op)
        signature, known = op.signature, looked.accepted.signatures
        if signature is None or op.properties is not signature.properties:
            self._entrance(op)
            op.checked = (op.properties, op.attributes, looked.stamp)
        elif signature in known:
            if op.next_op is not None and op.traits & TERMINATOR:
                self.error(op, "must be the last operation in the parent block")
            op.checked = self._attributes_mark(op, signature, looked)
        else:
            self._entrance(op)
            op.checked = (op.properties, op.attributes, looked.stamp)
            if not op.traits & OPERAND_VALUES:
                known[signature] = (signature.properties, op.attributes, looked.stamp)
        for nested in op.regions:
            self._region_operations(nested, looked)

    def _known_operation(self, op: Operation, looked: _Looked, is_same: bool) -> None:
        if op.regions and op.traits & ISOLATED:
            self._enter_isolated(op, looked)
            return
        if not is_same:
            looked.relabelled.append(op)
            if op.signature is not None:
                op.checked = self._attributes_mark(op, op.signature, looked)
            else:
                self._check_attributes(op)
                op.checked = (op.properties, op.attributes, looked.stamp)
        for nested in op.regions:
            self._region_operations(nested, looked)

    def _attributes_mark(self, op: Operation, signature: Signature, looked: _Looked) -> _Mark:
        """The mark for ``op``, of which only the discardable attributes are to be checked."""
        known, key = looked.accepted.attributes, (signature, op.attributes, op.parent_op)
        mark = known.get(key)
        if mark is None or mark[0] is not op.properties:
            self._check_attributes(op)
            mark = known[key] = (op.properties, op.attributes, looked.stamp)
        return mark

    def _enter_isolated(self, op: Operation, looked: _Looked) -> None:
        looked.isolated.append(op)
        if op.traits & SYMBOL_TABLE:
            self._tables_are_nested = True

    def _stamp(self, op: Operation) -> object:
        """What local checks take from the module: its symbols without regions (meshes)."""
        table: Operation | None = op
        while table is not None and not table.traits & SYMBOL_TABLE:
            table = table.parent_op
        if table is None:
            return None
        if table not in self._stamps:
            stamp = tuple(one.properties for one in self.symbols(table).values() if not one.regions)
            self._stamps[table] = _one_stamp.setdefault(stamp, stamp)
        return self._stamps[table]

    def _check_attributes(self, op: Operation) -> None:
        for name, value in op.attributes.entries.items():
            namespace, dot, _ = name.partition(".")
            if dot:
                home = dialect(namespace)
                if home is not None and home.verify_attribute is not None:
                    home.verify_attribute(self, op, name, value)

    def _entrance(self, op: Operation) -> None:
        self._check_attributes(op)
        definition = op.definition
        if definition is None:
            self._check_unregistered(op)
        else:
            self._check_counts(op, definition)
            for verifier in definition.verifiers:
                verifier(self, op)
        if op.successors and not op.traits & TERMINATOR and definition is not None:
            self.error(op, "successors in non-terminator", prefix=False)

    def _check_unregistered(self, op: Operation) -> None:
        namespace, dot, _ = op.name.partition(".")
        home = dialect(namespace) if dot else None
        if home is not None and not home.partial:
            found = f"unregistered operation '{op.name}' found in dialect ('{namespace}')"
            self.error(op, f"{found} that does not allow unknown operations", prefix=False)

    def _check_counts(self, op: Operation, definition: OpDef) -> None:
        self._check_count(op, "region", len(op.regions), definition.regions)
        self._check_count(op, "result", len(op.results), definition.results)
        self._check_count(op, "operand", len(op.operands), definition.operands)
        for name in definition.required:
            if name not in op.properties.entries:
                self.error(op, f"requires attribute '{name}'")
        for name, kind in definition.kinds.items():
            value = op.properties.entries.get(name)
            if value is not None and not kind.accepts(value):
                self.error(op, f"attribute '{name}' failed to satisfy constraint: {kind.summary}")
        traits = definition.traits
        if traits & TERMINATOR and op.parent is not None and op.parent.last is not op:
            self.error(op, "must be the last operation in the parent block")
        if traits & SYMBOL:
            self._check_symbol(op)
        if traits & SAME_TYPE:
            types = {value.type for value in (*op.operands, *op.results)}
            if len(types) > 1:
                self.error(op, "requires the same type for all operands and results")
        if traits & SINGLE_BLOCK:
            for index, region in enumerate(op.regions):
                if len(region.blocks) > 1:
                    self.error(op, f"expects region #{index} to have 0 or 1 blocks")

    def _check_symbol(self, op: Operation) -> None:
        visibility = op.properties.entries.get("sym_visibility")
        if visibility is not None and str(visibility) not in ('"public"', '"private"', '"nested"'):
            choice = '["public", "private", "nested"]'
            self.error(op, f"visibility expected to be one of {choice}, but got {visibility}")
        parent = op.parent_op
        if parent is not None and op.symbol_name is not None and not parent.traits & SYMBOL_TABLE:
            self.error(op, "symbol's parent must have the SymbolTable trait")

    def _check_count(self, op: Operation, what: str, found: int, bounds: int | tuple[int, int | None]) -> None:
        if isinstance(bounds, int):
            if found == bounds:
                return
            if what == "operand" and bounds > 1:
                self.error(op, f"expected {bounds} operands, but found {found}")
            if bounds == 0:
                self.error(op, f"requires zero {what}s")
            if bounds == 1:
                self.error(op, "requires a single operand" if what == "operand" else f"requires one {what}")
            self.error(op, f"expected {bounds} {what}s")
        least, most = bounds
        if found < least or (most is not None and found > most):
            if most is None or found < least:
                counted = f", but found {found}" if what == "operand" else ""
                self.error(op, f"expected {least} or more {what}s{counted}")
            self.error(op, f"expected at most {most} {what}s, but found {found}")

    def _check_block(self, block: Block) -> None:
        owner = block.parent_op
        if owner is None or owner.definition is None or owner.definition.traits & NO_TERMINATOR:
            return
        last = block.last
        if last is None:
            position = self.context.position(owner.location)
            raise VerificationError(Diagnostic("error", position, "empty block: expect at least a terminator"))
        if last.definition is not None and not last.traits & TERMINATOR:
            self.error(last, f"block with no terminator, has {quoted_operation(last)}", prefix=False)

    # --- dominance ------------------------------------------------------------------------------------------------

    def _check_dominance(self, op: Operation) -> None:
        for index, value in enumerate(op.operands):
            home = value.parent_block
            if home is None:
                self.error(op, f"operand #{index} is not defined")
            if home is op.parent:
                if isinstance(value, BlockArgument) or self._stands_before(value, op):
                    continue
            elif self._visible(op, value, home):
                continue
            definition = value.defining_op
            notes = []
            if definition is not None:
                same = "op in the same block" if definition.parent is op.parent else "op in a parent region"
                notes = [self.note(definition, f"operand defined here ({same})")]
            self.error(op, f"operand #{index} does not dominate this use", prefix=False, notes=notes)

    def _stands_before(self, value: Value, op: Operation) -> bool:
        assert isinstance(value, OpResult)
        owner = value.owner
        parent = op.parent_op
        if parent is not None and parent.traits & GRAPH_REGION:
            return True
        return owner is not op and owner.is_before(op)

    def _visible(self, op: Operation, value: Value, home: Block) -> bool:
        inside: Operation | None = op
        while inside is not None and inside.parent is not home:
            above = inside.parent_op
            if inside.parent is not None and home.parent is inside.parent.parent:
                return home in self._dominating_blocks(inside.parent)
            if above is not None and above.traits & ISOLATED:
                note = self.note(above, "required by region isolation constraints")
                self.error(op, "using value defined outside the region", notes=[note])
            inside = above
        if inside is None:
            return False
        return isinstance(value, BlockArgument) or self._stands_before(value, inside)

    def _dominating_blocks(self, block: Block) -> set[Block]:
        region = block.parent
        assert region is not None
        known = self._dominators.get(region)
        if known is None:
            known = self._dominators[region] = _dominators(region)
        return known[block]

    # --- symbols --------------------------------------------------------------------------------------------------

    def _symbol_uses(self, table: Operation) -> None:
        self._check_unique_symbols(table)
        pending = list(table.regions)
        while pending:
            region = pending.pop()
            for block in region.blocks:
                for op in block:
                    definition = op.definition
                    if definition is not None:
                        if definition.traits & SYMBOL_TABLE:
                            self._symbol_uses(op)
                            continue
                        for verifier in definition.symbol_verifiers:
                            verifier(self, op)
                    if op.regions:
                        pending.extend(op.regions)

    def _check_unique_symbols(self, table: Operation) -> None:
        seen: dict[str, Operation] = {}
        for region in table.regions:
            for block in region.blocks:
                for op in block:
                    name = op.symbol_name if op.traits & SYMBOL else None
                    if name is None:
                        continue
                    if name in seen:
                        note = self.note(seen[name], "see existing symbol definition here")
                        self.error(op, f"redefinition of symbol named '{name}'", prefix=False, notes=[note])
                    seen[name] = op


def _reads_earlier_values(op: Operation) -> bool:
    """Whether all operands of ``op`` are defined before it in its own block, as most are."""
    block = op.parent
    if block is not None and not block._ordered:
        block._number()
    for value in op.operands:
        if type(value) is OpResult:
            owner = value.owner
            if owner.parent is not block or owner._order >= op._order:
                return False
        elif value.parent_block is not block:
            return False
    return block is not None


def _dominators(region: Region) -> dict[Block, set[Block]]:
    """For each block, the blocks that every path from the entry to it passes."""
    blocks = region.blocks
    predecessors: dict[Block, list[Block]] = {block: [] for block in blocks}
    for block in blocks:
        for successor in block.last.successors if block.last is not None else ():
            predecessors[successor].append(block)
    everything = set(blocks)
    found = {block: set(everything) for block in blocks}
    found[blocks[0]] = {blocks[0]}
    changed = True
    while changed:
        changed = False
        for block in blocks[1:]:
            sets = [found[one] for one in predecessors[block]]
            new = (set.intersection(*sets) if sets else everything) | {block}
            if new != found[block]:
                found[block], changed = new, True
    return found


def verify(root: Operation, context: Context, *, in_order: bool = False) -> bool:
    """Checks ``root`` and reports what is wrong to ``context``; True if it is legal. ``in_order`` spares the check that
    operands are defined before they are used, where that is known."""
    return _report(Verification(context, in_order=in_order).verify(root), context)


def verify_symbol_uses(root: Operation, context: Context) -> bool:
    """Checks only what refers to symbols of ``root``, for a module whose functions have been checked one by one."""
    return _report(Verification(context).verify_symbol_uses(root), context)


def _report(diagnostics: list[Diagnostic], context: Context) -> bool:
    for diagnostic in diagnostics:
        context.emit(diagnostic.severity, diagnostic.position, diagnostic.message, diagnostic.notes)
    return not diagnostics
