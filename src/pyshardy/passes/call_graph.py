"""The call graph of a module: callers and callees, the order in which passes visit functions, fresh symbol names, and
copies of a function together with all that it calls.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NoReturn

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.main_function import functions
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import StringAttr, SymbolRefAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Region
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.verifying.operation_diagnostics import emit_at

ORIGINAL_FUNC_NAME = "sdy.original_func_name"
"""On a copy of a function: the name of the function that the user wrote."""

EXECUTION_THREAD = "execution_thread"
"""On a function, and on the named computation made of it: where XLA runs it."""


def calls_in(root: Operation, context: Context | None = None) -> list[Operation]:
    """Every ``func.call`` in ``root`` in the order of the text, nested regions in place; from the index of the run, if
    ``context`` is given."""
    if context is not None:
        return operation_index(root, context).named("func.call")
    return [op for op in root.operations() if op.name == "func.call"]


def original_name(func: Operation) -> str:
    """The name that the user gave to ``func``, or to the function that it is a copy of."""
    recorded = func.attributes.entries.get(ORIGINAL_FUNC_NAME)
    return recorded.value if isinstance(recorded, StringAttr) else func.symbol_name or ""


def set_callee(call: Operation, name: str) -> None:
    """Makes ``call`` call the function ``name``."""
    rewriting.set_properties(call, call.properties.with_("callee", SymbolRefAttr(name)))


def take_body(target: Region, source: Region, terminator: str) -> None:
    """Moves the only block of ``source`` to ``target``; its terminator becomes an operation called ``terminator``."""
    rewriting.take_region(target, source)
    old = target.blocks[0].terminator
    rewriting.insert_before(old, rewriting.create(terminator, old.operands, location=old.location))
    rewriting.erase(old)


class SymbolTable:
    """The symbols directly in ``module`` during one pass.

    The number that makes a taken name unique only grows: it is shared by all names, as in MLIR.
    """

    __slots__ = ("_counter", "_symbols", "module")

    def __init__(self, module: Operation) -> None:
        self.module = module
        self._counter = 0
        self._symbols: dict[str, Operation] = {}
        for op in module.body:
            name = op.symbol_name
            if name is not None:
                self._symbols.setdefault(name, op)

    def names(self) -> Iterable[str]:
        """Those of all symbols."""
        return self._symbols.keys()

    def lookup(self, name: str) -> Operation | None:
        """The symbol called ``name``."""
        return self._symbols.get(name)

    def called_function(self, call: Operation) -> Operation | None:
        """The function that ``call`` names, or None if the module has no such function."""
        found = self._symbols.get(callee(call))
        return found if found is not None and found.name == "func.func" else None

    def insert(self, op: Operation) -> str:
        """Registers the symbol ``op`` under its name, or under ``name_<number>`` if that is taken; returns the name.

        An operation that is in no block is put at the end of the module.
        """
        name = op.symbol_name or ""
        if self._symbols.get(name, op) is not op:
            name, self._counter = free_name(name, self._counter, self._symbols)
            rewriting.set_properties(op, op.properties.with_("sym_name", StringAttr(name)))
        self._symbols[name] = op
        if op.parent is None:
            rewriting.append(self.module.body, op)
        return name

    def erase(self, op: Operation) -> None:
        """Deletes the symbol ``op``; its name becomes free."""
        if self._symbols.get(op.symbol_name or "") is op:
            del self._symbols[op.symbol_name or ""]
        rewriting.erase(op)


def free_name(name: str, number: int, taken: Container[str]) -> tuple[str, int]:
    """``name_<number>`` with the first number from there on with which it is not ``taken``, and the next number."""
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}", number + 1


class CallGraph:
    """The functions with a body that a module has now, and their calls; not those that a pass adds later.

    ``order`` has callees before callers and, among independent functions, keeps the order of the module. ``cycle`` is a
    call by which a function calls itself, directly or through others; None if there is none.
    """

    __slots__ = ("_calls", "cycle", "order")

    def __init__(self, symbols: SymbolTable, context: Context | None = None) -> None:
        self._calls = {func: calls_in(func, context) for func in functions(symbols.module) if not is_declaration(func)}
        self.order: list[Operation] = []
        self.cycle: Operation | None = None
        seen: set[Operation] = set()
        for func in self._calls:
            if func not in seen:
                self._visit(func, symbols, seen)

    def calls(self) -> list[Operation]:
        """Every call of the module: functions in ``order``, in each the order of the text."""
        return [call for func in self.order for call in self._calls[func]]

    def _visit(self, root: Operation, symbols: SymbolTable, seen: set[Operation]) -> None:
        seen.add(root)
        unfinished = {root: iter(self._calls[root])}
        while unfinished:
            func, calls = next(reversed(unfinished.items()))
            call = next(calls, None)
            if call is None:
                del unfinished[func]
                self.order.append(func)
                continue
            target = symbols.called_function(call)
            if target in unfinished:
                self.cycle = self.cycle or call
            elif target in self._calls and target not in seen:
                seen.add(target)
                unfinished[target] = iter(self._calls[target])


def clone_with_callees(func: Operation, symbols: SymbolTable, context: Context) -> Operation:
    """A copy of ``func``, in no block, that calls copies of all that ``func`` calls.

    The inner copies are put into the module, innermost first, before ``func`` itself can be.

    Raises:
        PassFailure: ``func`` calls itself, directly or through others.
    """
    copy = _copy(func)
    unfinished = {func: (copy, iter(calls_in(copy)))}
    redirected: list[Operation] = []
    while True:
        source, (copy, calls) = next(reversed(unfinished.items()))
        call = next(calls, None)
        if call is None:
            del unfinished[source]
            if not unfinished:
                return copy
            set_callee(redirected.pop(), symbols.insert(copy))
            continue
        target = symbols.called_function(call)
        if target in unfinished:
            fail_on_cycle(call, context)
        if target is not None:
            copy = _copy(target)
            unfinished[target] = (copy, iter(calls_in(copy)))
            redirected.append(call)


def _copy(func: Operation) -> Operation:
    copy = rewriting.clone(func)
    rewriting.set_attributes(copy, copy.attributes.with_(ORIGINAL_FUNC_NAME, StringAttr(original_name(func))))
    return copy


def fail_on_cycle(call: Operation, context: Context) -> NoReturn:
    """Reports that ``call`` closes a cycle of calls, so that its function cannot have a body of its own for each call.

    Raises:
        PassFailure: always.
    """
    message = (
        f"function @{callee(call)} calls itself, directly or through others, so its body cannot be copied to each call"
    )
    emit_at(context, "error", call, message)
    raise PassFailure
