"""The pass ``symbol-dce``: deletes private symbols (functions, say) that are not used.

MLIR's pass of that name. The pipelines run it wherever functions may have lost their last call.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from operator import attrgetter

from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import SYMBOL_TABLE
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, PassFailure, register_pass
from pyshardy.ir.registry import op_definition
from pyshardy.ir.symbol_references import symbol_references
from pyshardy.ir.verifying.operation_diagnostics import emit_at

_UNKNOWN_SYMBOL_TABLE = (
    "operation contains potentially unknown symbol table, meaning that we can't reliable compute symbol uses"
)


_PROPERTIES: Callable[[Operation], DictionaryAttr] = attrgetter("properties")
_ATTRIBUTES: Callable[[Operation], DictionaryAttr] = attrgetter("attributes")


class _Liveness:
    """Which symbols of a module, and of the modules in it, are alive."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.live: set[Operation] = set()
        self._tables: dict[Operation, dict[str, Operation]] = {}

    def mark(self, root: Operation, *, hidden: bool) -> None:
        """Marks what is alive in the symbol table ``root``; nobody outside sees it if ``hidden``."""
        pending = [(root, hidden)]
        while pending:
            table, table_hidden = pending.pop()
            worklist = [op for op in _operations(table) if not _discardable(op, table_hidden)]
            self.live.update(worklist)
            while worklist:
                op = worklist.pop()
                if op.traits & SYMBOL_TABLE:
                    pending.append((op, table_hidden or visibility(op) in (None, "private")))
                scope = op.parent_op
                assert scope is not None
                for reference in self._used_by(op):
                    for symbol in self._resolve(scope, reference):
                        if symbol not in self.live:
                            self.live.add(symbol)
                            worklist.append(symbol)

    def dead(self, root: Operation) -> list[Operation]:
        """The symbols in ``root``, and in what is alive in it, that are not alive."""
        found: list[Operation] = []
        tables = [root]
        while tables:
            for op in _operations(tables.pop()):
                if op.symbol_name is not None and op not in self.live:
                    found.append(op)
                elif op.traits & SYMBOL_TABLE:
                    tables.append(op)
        return found

    def _used_by(self, op: Operation) -> list[SymbolRefAttr]:
        """The references that ``op`` makes, and the operations in it down to nested symbol tables."""
        users, names = _down_to_symbol_tables(op, self.context) if op.regions else ([op], {op.name})
        unknown = {name for name in names if op_definition(name) is None}
        if unknown and any(user.name in unknown and len(user.regions) == 1 for user in users):
            emit_at(self.context, "error", op, _UNKNOWN_SYMBOL_TABLE)
            raise PassFailure
        # Few dictionaries serve many operations.
        dictionaries = set(map(_PROPERTIES, users))
        dictionaries.update(map(_ATTRIBUTES, users))
        return symbol_references(dictionaries)

    def _resolve(self, table: Operation, reference: SymbolRefAttr) -> list[Operation]:
        """The symbols along the path of ``reference``, or nothing if it leads nowhere."""
        found: list[Operation] = []
        for name in reference.path:
            symbol = self._symbols(table).get(name)
            # A path cannot reach what is private in a nested module.
            if symbol is None or (found and visibility(symbol) == "private"):
                return []
            found.append(symbol)
            table = symbol
        return found

    def _symbols(self, table: Operation) -> dict[str, Operation]:
        known = self._tables.get(table)
        if known is None:
            operations = _operations(table) if table.traits & SYMBOL_TABLE else ()
            known = {op.symbol_name: op for op in operations if op.symbol_name is not None}
            self._tables[table] = known
        return known


def _down_to_symbol_tables(op: Operation, context: Context) -> tuple[list[Operation], Collection[str]]:
    """``op`` and the operations in it, without those in symbol tables, in any order; the names that they may have."""
    found = operation_index(op, context)
    definitions = map(op_definition, found.counts)
    if not any(definition is not None and definition.traits & SYMBOL_TABLE for definition in definitions):
        return found.in_any_order(), found.counts
    users: list[Operation] = []
    pending = [op]
    while pending:
        user = pending.pop()
        users.append(user)
        if user.regions and not user.traits & SYMBOL_TABLE:
            for region in user.regions:
                for block in region.blocks:
                    for nested in block:
                        (pending if nested.regions else users).append(nested)
    return users, found.counts


def _operations(op: Operation) -> Iterator[Operation]:
    return (nested for region in op.regions for block in region.blocks for nested in block)


def visibility(op: Operation) -> str | None:
    """``public``, ``private`` or ``nested``; None if ``op`` is no symbol."""
    if op.symbol_name is None:
        return None
    written = op.get("sym_visibility")
    return written.value if isinstance(written, StringAttr) else "public"


def _discardable(op: Operation, hidden: bool) -> bool:
    written = visibility(op)
    return written == "private" or (written == "nested" and hidden)


def _calls_keep_all(root: Operation, context: Context) -> bool:
    """Whether calls alone show that all symbols of the program ``root`` are alive: what is not called may still be used
    in other ways, but those are found only by looking at every attribute of every operation."""
    if root.parent_op is not None:
        return False
    found = operation_index(root, context)
    for name in found.counts:
        definition = op_definition(name)
        if definition is None or (definition.traits & SYMBOL_TABLE and name != root.name):
            return False
    if found.counts[root.name] > 1:
        return False
    symbols = {op.symbol_name: op for op in reversed(list(_operations(root))) if op.symbol_name is not None}
    alive = [op for op in _operations(root) if not _discardable(op, hidden=True)]
    seen = set(alive)
    while alive:
        for call in operation_index(alive.pop(), context).named("func.call"):
            callee = call.properties.get("callee")
            symbol = symbols.get(callee.root) if isinstance(callee, SymbolRefAttr) and len(callee.path) == 1 else None
            if symbol is not None and symbol not in seen:
                seen.add(symbol)
                alive.append(symbol)
    return all(op in seen for op in _operations(root))


def remove_dead_symbols(root: Operation, context: Context) -> bool:
    """Erases the symbols in ``root`` and in nested modules that are not public and are not used.

    Returns:
        Whether there were any.

    Raises:
        PassFailure: ``root`` holds no symbols, or an unregistered operation hides which symbols are used.
    """
    if not root.traits & SYMBOL_TABLE:
        message = f"'{root.name}' op  was scheduled to run under SymbolDCE, but does not define a symbol table"
        emit_at(context, "error", root, message)
        raise PassFailure
    if _calls_keep_all(root, context):
        return False
    liveness = _Liveness(context)
    liveness.mark(root, hidden=root.parent_op is None or visibility(root) in (None, "private"))
    dead = liveness.dead(root)
    for op in dead:
        rewriting.erase(op)
    return bool(dead)


@register_pass("symbol-dce", on="any", class_name="SymbolDCEPass", notes_changes=True)
class SymbolDce(Pass):
    """Deletes symbols that are not public and not used."""

    def apply(self, op: Operation, context: Context) -> bool:
        return remove_dead_symbols(op, context)
