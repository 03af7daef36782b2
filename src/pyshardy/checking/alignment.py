"""Matches the values of a local program that somebody else made with those of our own, so that it can be checked part
by part.

Nothing in such a program says which value of the global program each of its values is. But a program made by similar
rules, or one of ours that was changed, has mostly the same operations in the same order; and if it has locations, these
name the operation of the global program that each comes from. Operations are matched by their kind and location, then
by their operands.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir.locations import Location
from pyshardy.ir.opdef import CONSTANT_LIKE
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.plan import Correspondence

_AHEAD = 48
"""The number of operations that one program may have in one place and the other not."""
_SURE = 2
"""The number of operations that have to match after such a place."""
_MOST_UNMATCHED = 0.1


class Alignment:
    """``copies`` maps values of ``own`` to the matching ones of ``other``, both programs of one device; ``is_sure``
    says whether nearly all operations were matched."""

    def __init__(self, own: Operation, other: Operation, entry: str) -> None:
        self.copies: dict[Value, Value] = {}
        self._matched: dict[Operation, Operation] = {}
        self._total = 0
        self._other = other
        functions = functions_by_name(other)
        for op in own.body:
            if op.name != "func.func":
                continue
            counterpart = functions.get(op.symbol_name or "")
            if counterpart is None and op.symbol_name == entry and len(functions) == 1:
                counterpart = next(iter(functions.values()))
            if counterpart is not None and not op.regions[0].empty and not counterpart.regions[0].empty:
                self._blocks(op.body, counterpart.body)
        self._drop_inconsistent_matches()

    @property
    def is_sure(self) -> bool:
        """Whether nearly all operations were matched."""
        return len(self._matched) >= (1 - _MOST_UNMATCHED) * self._total > 0

    def add_by_location(self, correspondence: Correspondence) -> None:
        """Matches results by location: if just one operation of the global program has the name and location of theirs,
        they are matched with our local results of that operation that have the same type."""
        given, made = _places(correspondence.module.op), _places(self._other)
        known = set(self.copies.values())
        for key, ops in given.items():
            found = made.get(key, [])
            if len(ops) != 1 or len(found) != 1:
                continue
            for value, local in zip(ops[0].results, found[0].results, strict=True):
                form = correspondence.values.get(value)
                fitting = [] if form is None else [one for one in form.versions if one.value.type == local.type]
                if fitting and local not in known and fitting[0].value not in self.copies:
                    self.copies[fitting[0].value] = local

    def _blocks(self, own: Block, other: Block) -> None:
        for argument, counterpart in zip(own.arguments, other.arguments, strict=False):
            if argument.type == counterpart.type:
                self.copies[argument] = counterpart
        first, second = list(own), list(other)
        self._total += len(first)
        for one, equal in _equal_pairs(first, second):
            self._matched[one] = equal
            self.copies.update(zip(one.results, equal.results, strict=True))
            for region, match_region in zip(one.regions, equal.regions, strict=True):
                for block, match in zip(region.blocks, match_region.blocks, strict=False):
                    self._blocks(block, match)

    def _drop_inconsistent_matches(self) -> None:
        """Drops matches of results of operations of which some operands are matched with different values."""
        backward = {copy: one for one, copy in self.copies.items()}
        for one, match_op in self._matched.items():
            for operand, found in zip(one.operands, match_op.operands, strict=True):
                expected = self.copies.get(operand)
                if expected is found or expected is None or found not in backward or _is_constant(operand):
                    continue
                for result in one.results:
                    match = self.copies.pop(result, None)
                    if match is not None:
                        backward.pop(match, None)
                break


def _is_constant(value: Value) -> bool:
    op = value.defining_op
    return op is not None and bool(op.traits & CONSTANT_LIKE)


def _equal_pairs(own: Sequence[Operation], other: Sequence[Operation]) -> Iterator[tuple[Operation, Operation]]:
    """Pairs of equal operations, in order."""
    first, second = _keys(own), _keys(other)
    i = j = 0
    while i < len(own) and j < len(other):
        if first[i] == second[j]:
            yield own[i], other[j]
            i, j = i + 1, j + 1
            continue
        step = _next_match(first, second, i, j)
        if step is None:
            i += 1
        else:
            i, j = i + step[0], j + step[1]


def _next_match(first: Sequence[Hashable], second: Sequence[Hashable], i: int, j: int) -> tuple[int, int] | None:
    """The offsets of the next pair of equal operations in both sequences, with the fewest operations skipped."""
    for together in range(1, _AHEAD):
        for skipped in range(together + 1):
            a, b = i + skipped, j + together - skipped
            if first[a : a + 1] and first[a : a + _SURE] == second[b : b + _SURE]:
                return skipped, together - skipped
    return None


def _keys(operations: Sequence[Operation]) -> list[Hashable]:
    return [
        (
            op.name,
            op.properties.without("channel_handle") if "channel_handle" in op.properties.entries else op.properties,
            tuple(value.type for value in op.operands),
            tuple(value.type for value in op.results),
            len(op.regions),
        )
        for op in operations
    ]


def _places(module: Operation) -> dict[Hashable, list[Operation]]:
    found: dict[Hashable, list[Operation]] = {}
    for op in module.walk():
        if isinstance(op.location, Location) and op.results:
            found.setdefault((op.location, op.name, len(op.results)), []).append(op)
    return found
