"""The pass ``inline``: replaces calls by the bodies of functions, and erases private functions that became unused.

MLIR's inliner: callees come before their callers, each function is canonicalized before and after it takes in others,
and the location of an inlined operation says where it was called. Functions that call themselves, or have several
blocks, stay; so do calls and functions that carry ``no_inline``.
"""

from __future__ import annotations

from collections import Counter

from pyshardy.dialects.func import callee, is_declaration, is_private
from pyshardy.dialects.inlining import copied_body
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.locations import Location, call_site
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, option, register_pass
from pyshardy.ir.printing.aliases import Aliases
from pyshardy.ir.symbol_references import named_symbols
from pyshardy.passes.call_graph import CallGraph, SymbolTable, calls_in
from pyshardy.passes.exporting.canonicalize import Canonicalize


@register_pass("inline", on="builtin.module", class_name="InlinerPass")
class Inline(Pass):
    """Puts functions in the place of their calls."""

    max_iterations: int = option(4, "how often a function takes in what it calls, and is canonicalized")

    def apply(self, op: Operation, context: Context) -> None:
        _Inliner(op, context, self.max_iterations).run()


class _Inliner:
    def __init__(self, module: Operation, context: Context, most: int) -> None:
        self._context = context
        self._most = most
        self._symbols = SymbolTable(module)
        self._uses = Counter(name for op in module.walk() for name in named_symbols(op))
        self._locations = Aliases(context.source)

    def run(self) -> None:
        for function in CallGraph(self._symbols).order:
            if self._symbols.lookup(function.symbol_name or "") is function:
                self._visit(function)

    def _visit(self, function: Operation) -> None:
        for _ in range(self._most):
            before = Counter(name for op in function.walk() for name in named_symbols(op))
            Canonicalize().apply(function, self._context)
            self._uses += Counter(name for op in function.walk() for name in named_symbols(op))
            self._uses -= before
            if self._is_dead(function):
                self._symbols.erase(function)
                return
            inlined = [call for call in calls_in(function) if self._take_in(call, function)]
            if not inlined:
                return

    def _is_dead(self, function: Operation) -> bool:
        return is_private(function) and not self._uses[function.symbol_name or ""]

    def _take_in(self, call: Operation, caller: Operation) -> bool:
        """Puts the callee in the place of ``call``, if that may be."""
        function = self._symbols.called_function(call)
        if function is None or function is caller or is_declaration(function) or len(function.regions[0].blocks) > 1:
            return False
        called = {callee(one) for one in calls_in(function)}
        stays = any(one.get("no_inline") is not None for one in (call, function))
        if stays or called & {function.symbol_name, caller.symbol_name}:
            return False
        place = self._locations.location(call.location)
        copies, results = copied_body(call, function)
        for copy in copies:
            for one in copy.walk():
                one.location = _called_at(self._locations.location(one.location), place)
                for region in one.regions:
                    for block in region.blocks:
                        for argument in block.arguments:
                            argument.location = _called_at(self._locations.location(argument.location), place)
                self._uses.update(named_symbols(one))
        self._uses.subtract(named_symbols(call))
        rewriting.replace_op(call, results)
        if self._is_dead(function):
            self._symbols.erase(function)
        return True


def _called_at(location: Location, caller: Location) -> Location:
    """``location`` of an operation that was called at ``caller``, at the end of the calls that it knows already."""
    outer = []
    while location.pieces[0] == "callsite(":
        inner, around = location.parts
        assert isinstance(inner, Location) and isinstance(around, Location)
        outer.append(inner)
        location = around
    found = call_site(location, caller)
    for one in reversed(outer):
        found = call_site(one, found)
    return found
