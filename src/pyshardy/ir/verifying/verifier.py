"""Verifies a program: walks over all of it, and checks each operation with ``operation_checks``.

Verification is incremental: an operation that has been checked is marked with the dictionaries it had then, and is
checked again only when these, its operands or its place have changed. The pass manager verifies after every pass.
"""

from __future__ import annotations

from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.opdef import ISOLATED, OPERAND_VALUES, SYMBOL, SYMBOL_TABLE, TERMINATOR
from pyshardy.ir.operation import Operation, Region, Signature
from pyshardy.ir.registry import foreign_rows
from pyshardy.ir.verifying.dominance import Dominance, reads_earlier_values
from pyshardy.ir.verifying.operation_checks import check_attributes, check_block, check_operation, not_last
from pyshardy.ir.verifying.verification import Verification, VerificationError

_Symbols = tuple[DictionaryAttr, ...]
_Mark = tuple[DictionaryAttr, DictionaryAttr, object]
_interned: dict[_Symbols, _Symbols] = {}
"""Equal tuples of symbols are one object, so that they compare fast."""


class _AcceptedMarks:
    """What was accepted in one isolated operation, in this verification and those before it in one run: signatures with
    the mark of operations that are as they were made (see ``Operation.checked``), and discardable attributes by where
    they stood: signature, attributes, the operation around. It holds as long as the module has these ``symbols``
    (``Verifier._symbols_of``). Signatures are ``plain``, too, if they are no terminators and refer to no symbols: of
    such an operation nothing else is asked. What was accepted ``before`` holds as well: marks that were made when the
    module had ``earlier_symbols``."""

    __slots__ = ("attributes", "earlier_symbols", "plain", "signatures", "symbols")

    def __init__(self, symbols: object, before: _AcceptedMarks | None = None) -> None:
        self.symbols = symbols
        self.earlier_symbols: tuple[object, ...] = (
            (*before.earlier_symbols, before.symbols) if before is not None else ()
        )
        self.signatures: dict[Signature | None, _Mark] = before.signatures if before is not None else {}
        self.plain: dict[Signature | None, _Mark] = before.plain if before is not None else {}
        self.attributes: dict[tuple[Signature | None, DictionaryAttr, Operation | None], _Mark]
        self.attributes = before.attributes if before is not None else {}


class Visited:
    """What has been visited in one isolated operation: the operations that are ``new_or_changed``, those that only have
    other discardable attributes (``with_other_attributes``), the isolated ones inside, and what was ``accepted``."""

    __slots__ = ("accepted", "isolated", "new_or_changed", "symbols", "with_other_attributes")

    def __init__(self, accepted: _AcceptedMarks) -> None:
        self.accepted = accepted
        self.symbols = accepted.symbols
        self.new_or_changed: list[Operation] = []
        self.with_other_attributes: list[Operation] = []
        self.isolated: list[Operation] = []

    def remove_marks(self) -> None:
        """Takes back the marks: something was wrong."""
        for op in (*self.new_or_changed, *self.with_other_attributes):
            op.checked = None


class Verifier(Verification):
    """Walks a program; ``change_verifier`` looks only at what has changed. ``in_order`` says that every operation is
    known to stand behind the definitions of its operands."""

    def __init__(self, context: Context, *, in_order: bool = False) -> None:
        super().__init__(context)
        self._in_order = in_order
        self._dominance = Dominance(self)
        self._symbols_without_regions: dict[Operation, object] = {}
        self._failures: list[VerificationError] = []
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

    # --- the walk -------------------------------------------------------------------------------------------------

    def _isolated(self, root: Operation) -> None:
        """Checks what is in ``root``, which is isolated, then in each isolated operation inside, on a stack of its own:
        functions that call each other nest as deep as the calls, once they are imported."""
        visited = self._operations_in(root)
        entered = [(visited, iter(visited.isolated), len(self._failures))] if visited is not None else []
        while entered:
            visited, inside, failures_before = entered[-1]
            op = next(inside, None)
            if op is None:
                entered.pop()
                self._check_order(visited, failures_before)
                continue
            nested = self._operations_in(op)
            if nested is not None:
                entered.append((nested, iter(nested.isolated), len(self._failures)))

    def _operations_in(self, root: Operation) -> Visited | None:
        """Checks ``root`` and the operations in it, down to isolated ones; None if one is wrong."""
        visited = Visited(self._accepted_in(root))
        try:
            if root.checked != (root.properties, root.attributes, visited.symbols):
                check_operation(self, root)
                visited.with_other_attributes.append(root)
            for region in root.regions:
                self._region_operations(region, visited)
            root.checked = (root.properties, root.attributes, visited.symbols)
        except VerificationError as error:
            visited.remove_marks()
            self._failures.append(error)
            return None
        return visited

    def _check_order(self, visited: Visited, failures_before: int) -> None:
        """Checks that values are there where they are read, if nothing else is wrong."""
        if len(self._failures) > failures_before:
            visited.remove_marks()
            return
        try:
            for op in () if self._in_order else visited.new_or_changed:
                if not reads_earlier_values(op):
                    self._dominance.check(op)
        except VerificationError as error:
            visited.remove_marks()
            self._failures.append(error)

    def _accepted_in(self, root: Operation) -> _AcceptedMarks:
        symbols = self._symbols_of(root)
        known = self.context.accepted.get(root)
        if not isinstance(known, _AcceptedMarks):
            known = self.context.accepted[root] = _AcceptedMarks(symbols)
        elif known.symbols is not symbols:
            known = self.context.accepted[root] = _AcceptedMarks(
                symbols, known if _has_grown(known.symbols, symbols) else None
            )
        return known

    def _region_operations(self, region: Region, visited: Visited) -> None:
        """Checks the operations of ``region`` and of the regions in it, and marks them. Of those made alike, only the
        first is checked: what its verifiers see beside it is the isolated operation around, the same for all in
        ``visited``."""
        symbols, signatures, new_or_changed = (
            visited.symbols,
            visited.accepted.signatures,
            visited.new_or_changed.append,
        )
        marks, around, with_other_attributes = (
            visited.accepted.attributes,
            region.parent,
            visited.with_other_attributes.append,
        )
        plain, earlier_symbols = visited.accepted.plain, visited.accepted.earlier_symbols
        for block in region.blocks:
            check_block(self, block)
            op = block.first
            while op is not None:
                if op.checked is None:
                    mark = plain.get(op.signature)
                    if mark is not None and mark[0] is op.properties and mark[1] is op.attributes and not op.regions:
                        op.checked = mark
                        new_or_changed(op)
                        op = op._next
                        continue
                definition = op.definition
                if definition is not None and definition.symbol_verifiers:
                    self._symbol_users.append(op)
                checked, properties, attributes = op.checked, op.properties, op.attributes
                if (
                    checked is None
                    or checked[0] is not properties
                    or (checked[2] is not symbols and checked[2] not in earlier_symbols)
                ):
                    mark = signatures.get(op.signature)
                    if mark is not None and mark[0] is properties and mark[1] is attributes and not op.regions:
                        op.checked = mark
                        new_or_changed(op)
                        if op.next_op is not None and op.traits & TERMINATOR:
                            not_last(self, op)
                    else:
                        self._new_operation(op, visited)
                elif op.regions:
                    self._known_operation(op, visited, attributes is checked[1])
                elif checked[1] is not attributes:
                    mark = marks.get((op.signature, attributes, around))
                    if mark is not None and mark[0] is properties:
                        op.checked = mark
                        with_other_attributes(op)
                    else:
                        self._known_operation(op, visited, is_same=False)
                op = op._next

    def _new_operation(self, op: Operation, visited: Visited) -> None:
        if op.regions and op.traits & ISOLATED:
            self._enter_isolated(op, visited)
            return
        visited.new_or_changed.append(op)
        signature, known = op.signature, visited.accepted.signatures
        if signature is None or op.properties is not signature.properties:
            check_operation(self, op)
            op.checked = (op.properties, op.attributes, visited.symbols)
        elif signature in known:
            if op.next_op is not None and op.traits & TERMINATOR:
                not_last(self, op)
            op.checked = self._attributes_mark(op, signature, visited)
        else:
            check_operation(self, op)
            op.checked = (op.properties, op.attributes, visited.symbols)
            if not op.traits & OPERAND_VALUES:
                known[signature] = mark = (signature.properties, op.attributes, visited.symbols)
                definition = op.definition
                if definition is None or not (definition.traits & TERMINATOR or definition.symbol_verifiers):
                    visited.accepted.plain[signature] = mark
        for nested in op.regions:
            self._region_operations(nested, visited)

    def _known_operation(self, op: Operation, visited: Visited, is_same: bool) -> None:
        if op.regions and op.traits & ISOLATED:
            self._enter_isolated(op, visited)
            return
        if not is_same:
            self._operation_with_other_attributes(op, visited)
        for nested in op.regions:
            self._region_operations(nested, visited)

    def _operation_with_other_attributes(self, op: Operation, visited: Visited) -> None:
        visited.with_other_attributes.append(op)
        if op.signature is not None:
            op.checked = self._attributes_mark(op, op.signature, visited)
        else:
            check_attributes(self, op)
            op.checked = (op.properties, op.attributes, visited.symbols)

    def _attributes_mark(self, op: Operation, signature: Signature, visited: Visited) -> _Mark:
        """The mark for ``op``, of which only the discardable attributes are to be checked."""
        known, key = visited.accepted.attributes, (signature, op.attributes, op.parent_op)
        mark = known.get(key)
        if mark is None or mark[0] is not op.properties:
            check_attributes(self, op)
            mark = known[key] = (op.properties, op.attributes, visited.symbols)
        return mark

    def _enter_isolated(self, op: Operation, visited: Visited) -> None:
        visited.isolated.append(op)
        if op.traits & SYMBOL_TABLE:
            self._tables_are_nested = True

    def _symbols_of(self, op: Operation) -> object:
        """What local checks take from the module: its symbols without regions (meshes)."""
        table: Operation | None = op
        while table is not None and not table.traits & SYMBOL_TABLE:
            table = table.parent_op
        if table is None:
            return None
        if table not in self._symbols_without_regions:
            symbols = tuple(one.properties for one in self.table_symbols(table).without_regions)
            self._symbols_without_regions[table] = _interned.setdefault(symbols, symbols)
        return self._symbols_without_regions[table]

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


def _has_grown(before: object, now: object) -> bool:
    """Whether symbols without regions have only been added: what was legal stays so, as a verifier of ours looks up
    those alone that its operation names, and does not accept an operation that names what is not there. Of rows from
    outside that is not known."""
    return isinstance(before, tuple) and isinstance(now, tuple) and set(before) < set(now) and not foreign_rows()


def verify(root: Operation, context: Context, *, in_order: bool = False) -> bool:
    """Checks ``root`` and reports what is wrong to ``context``; True if it is legal. ``in_order`` spares the check that
    operands are defined before they are used, where that is known."""
    return _report(Verifier(context, in_order=in_order).verify(root), context)


def is_legal(root: Operation, context: Context) -> bool:
    """Whether ``root`` is legal; nothing is reported."""
    return not Verifier(context).verify(root)


def verify_symbol_uses(root: Operation, context: Context) -> bool:
    """Checks only what refers to symbols of ``root``, for a module whose functions have been checked one by one."""
    return _report(Verifier(context).verify_symbol_uses(root), context)


def _report(diagnostics: list[Diagnostic], context: Context) -> bool:
    for diagnostic in diagnostics:
        context.emit(diagnostic.severity, diagnostic.position, diagnostic.message, diagnostic.notes)
    return not diagnostics
