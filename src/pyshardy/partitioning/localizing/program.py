"""What a run needs to know of the module as a whole, computed once for all candidate plans."""

from __future__ import annotations

from collections import Counter

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.stablehlo.attributes import ChannelHandle
from pyshardy.ir.operation import Operation
from pyshardy.ir.symbol_references import named_symbols, symbol_references
from pyshardy.rules.registry import RuleTable


class SourceProgram:
    """The ``meshes`` and ``functions`` of ``module`` by name; how many operations call each function (``calls``), which
    functions are referred to at all (``referenced``), the largest channel of a collective (``largest_channel``), and
    the ``rules`` of operations, a table that may be shared with other programs."""

    def __init__(self, module: Operation, rules: RuleTable | None = None) -> None:
        self.module = module
        self.rules = RuleTable() if rules is None else rules
        self.meshes = placement.meshes(module)
        self.functions = functions_by_name(module)
        self.calls: Counter[str] = Counter()
        self.largest_channel = 0
        # Operations share few dictionaries: each is searched once.
        dictionaries = set()
        for op in module.operations():
            if op.name == "func.call":
                self.calls[callee(op)] += 1
                dictionaries.add(op.attributes)
            else:
                dictionaries.add(op.properties)
                dictionaries.add(op.attributes)
                if op.name == "stablehlo.composite":
                    self.calls.update(named_symbols(op))
        self.referenced = {reference.root for reference in symbol_references(dictionaries)} & self.functions.keys()
        for properties in dictionaries:
            handle = properties.get("channel_handle")
            if isinstance(handle, ChannelHandle):
                self.largest_channel = max(self.largest_channel, handle.handle)
