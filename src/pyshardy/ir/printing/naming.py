"""The names that printing gives to values and blocks.

Names of the input are not kept; as in MLIR everything is numbered anew, in the pretty form function by function with
names that operations suggest (``%cst``, ``%iterArg``), in the generic form through the whole tree.
"""

from __future__ import annotations

from pyshardy.ir.operation import Block, Operation, OpResult, Region, Value


class Names:
    """``values[value]`` is the text of a use, ``%name`` or ``%name#1`` in a group of results; ``blocks[block]`` is the
    label. With ``operations`` those without results have a number too, ``operations[op]``; with ``unique`` no two
    regions use the same numbers."""

    __slots__ = (
        "_next_argument",
        "_next_suffix",
        "_next_value",
        "_suggest",
        "_taken",
        "_unique_numbers",
        "_used",
        "blocks",
        "operations",
        "values",
    )

    def __init__(
        self, root: Operation, *, generic: bool = False, unique: bool = False, operations: bool = False
    ) -> None:
        self.values: dict[Value, str] = {}
        self.blocks: dict[Block, str] = {}
        self.operations: dict[Operation, str] | None = {} if operations else None
        self._unique_numbers = unique
        self._suggest = not generic
        self._next_value = self._next_argument = self._next_suffix = 0
        self._used: set[str] = set()
        self._taken: list[str] = []
        self._number_results(root)
        if generic:
            if self.operations is not None and not root.results:
                self.operations[root] = self._next_number()
            self._number_tree(root)
        else:
            self._number_by_region(root)

    def of_results(self, op: Operation) -> str:
        """The results of ``op`` as they are written in front of it: ``%0``, ``%0:2`` for a group."""
        results = op.results
        if len(results) == 1:
            return self.values[results[0]]
        groups: list[str] = []
        sizes: list[int] = []
        for result in results:
            name, _, number = self.values[result].partition("#")
            if number not in ("", "0"):
                sizes[-1] += 1
            else:
                groups.append(name)
                sizes.append(1)
        shown = [name if size == 1 else f"{name}:{size}" for name, size in zip(groups, sizes, strict=True)]
        return ", ".join(shown)

    def _number_tree(self, root: Operation) -> None:
        pending: list[Region] = list(root.regions)
        while pending:
            pending.extend(self._number_region(pending.pop()))

    def _number_by_region(self, root: Operation) -> None:
        """Every nested region continues from the counters and names that its parent region ended with."""
        start = (self._next_value, self._next_argument, self._next_suffix)
        pending = [(region, start, 0) for region in root.regions]
        taken = self._taken
        while pending:
            region, counters, names_before = pending.pop()
            if not self._unique_numbers:
                self._next_value, self._next_argument, self._next_suffix = counters
            for name in taken[names_before:]:
                self._used.discard(name)
            del taken[names_before:]
            nested = self._number_region(region)
            if nested:
                after = (self._next_value, self._next_argument, self._next_suffix)
                names = len(taken)
                pending.extend([(inner, after, names) for inner in nested])

    def _number_region(self, region: Region) -> list[Region]:
        """Names the arguments and results directly in ``region``; the regions nested in it."""
        owner = region.parent
        if self._suggest and owner is not None and owner.definition is not None and region.blocks:
            suggest = owner.definition.argument_names
            if suggest is not None:
                number = next(i for i, one in enumerate(owner.regions) if one is region)
                arguments = region.blocks[0].arguments
                for argument, name in zip(arguments, suggest(owner, number), strict=False):
                    self.values[argument] = "%" + self._unique(name)
        nested: list[Region] = []
        values, suggesting = self.values, self._suggest
        for index, block in enumerate(region.blocks):
            self.blocks[block] = f"^bb{index}"
            for argument in block.arguments:
                if argument in values:
                    continue
                if index == 0:
                    values[argument] = "%" + self._unique(f"arg{self._next_argument}")
                    self._next_argument += 1
                else:
                    values[argument] = self._next_number()
            for op in block:
                results = op.results
                if results:
                    definition = op.definition
                    if len(results) == 1 and (definition is None or definition.result_names is None or not suggesting):
                        values[results[0]] = f"%{self._next_value}"
                        self._next_value += 1
                    else:
                        self._number_results(op)
                elif self.operations is not None:
                    self.operations[op] = self._next_number()
                if op.regions:
                    nested.extend(op.regions)
        return nested

    def _number_results(self, op: Operation) -> None:
        results = op.results
        if not results:
            return
        values = self.values
        definition = op.definition
        suggest = definition.result_names if definition is not None and self._suggest else None
        if suggest is not None:
            for result, name in zip(results, suggest(op), strict=False):
                values[result] = "%" + self._unique(name)
            if results[0] not in values:
                values[results[0]] = self._next_number()
        else:
            values[results[0]] = self._next_number()
        if len(results) > 1:
            self._name_groups(results)

    def _next_number(self) -> str:
        self._next_value += 1
        return f"%{self._next_value - 1}"

    def _name_groups(self, results: list[OpResult]) -> None:
        """A result without a name of its own is a member of the group that the last one with a name began."""
        values = self.values
        starts = [index for index, result in enumerate(results) if result in values]
        for start, end in zip(starts, [*starts[1:], len(results)], strict=True):
            if end > start + 1:
                group = values[results[start]]
                for index in range(start, end):
                    values[results[index]] = f"{group}#{index - start}"

    def _unique(self, name: str) -> str:
        candidate = name
        while candidate in self._used:
            candidate = f"{name}_{self._next_suffix}"
            self._next_suffix += 1
        self._used.add(candidate)
        self._taken.append(candidate)
        return candidate
