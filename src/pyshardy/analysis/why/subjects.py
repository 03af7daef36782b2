"""Resolves ``WHAT`` of a question to the tensors or the collective that it names.

An argument or result is named by its path, a value by its name in MLIR's text, a tensor inside by its source line, its
scope or the operation that makes it, all as in a sharding file (``reading.sharding_files``); a collective of the
partition by its kind and number. A name that means several tensors is answered with the candidates, unless it has a
star in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pyshardy.analysis.why.names import TracedNames, short_name
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import TensorType
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.reading.sharding_files.boundary_tensors import ShardableTensor
from pyshardy.reading.sharding_files.paths import matches, path_of_pattern, path_of_scope
from pyshardy.reading.sharding_files.shardable_tensors import Maker, ShardableTensors, inside_parts
from pyshardy.sharding.plain import did_you_mean, some_of

_MOST_LISTED = 12
_NUMBERED = re.compile(r"(?P<name>[A-Za-z_][\w.]*):(?P<number>\d+|\*)(?:#(?P<result>\d+))?")
_VALUE = re.compile(r"(?:(?:@(?P<function>[^/]+)|(?P<name>[A-Za-z_][\w.]*):(?P<number>\d+))/)?(?P<symbol>%\S+)")
_COPY = re.compile(r"(?P<what>.+)@(?P<copy>\d+)$")
PARTITION = "partition/"
"""The prefix of a collective of the partition, if the program has such operations itself."""


class UnknownSubject(ValueError):
    """A name matches nothing in the program, or several tensors; the message lists candidates."""


@dataclass(frozen=True)
class TensorSubject:
    """A tensor of the source program. ``slot`` holds its sharding during propagation, in copy number ``copy`` of
    ``copies`` that passes made of it; None if it was never sharded. ``question`` is its unambiguous name."""

    given: Value | FunctionResult
    slot: ShardingSlot | None
    question: str
    copy: int = 0
    copies: int = 1


@dataclass(frozen=True)
class CollectiveSubject:
    """Collective number ``number`` among those of its kind in the partition."""

    collective: Collective
    number: int


Subject = TensorSubject | CollectiveSubject


class Subjects:
    """Resolves the names in questions about ``traced``."""

    def __init__(self, traced: TracedProgram, names: TracedNames) -> None:
        self._traced = traced
        self._names = names
        self._shardable = ShardableTensors(traced.source)

    def find(self, what: str) -> list[Subject]:
        """The subject that ``what`` names, or with a star in it all that match.

        Raises:
            UnknownSubject: nothing, or without a star several tensors.
        """
        collectives = self._collectives(what)
        if collectives is not None:
            return list(collectives)
        wanted, copy = what, None
        if (numbered := _COPY.fullmatch(what)) is not None:
            wanted, copy = numbered["what"], int(numbered["copy"])
        found = self._tensors(wanted)
        if not found:
            raise UnknownSubject(f"{what!r}: {self._nothing(wanted)}")
        if len(found) > 1 and "*" not in what:
            raise UnknownSubject(f"{what!r} means {len(found)} tensors: {self._listed(found)}")
        return [subject for one in found for subject in self._subjects(one, copy, what)]

    # --- collectives --------------------------------------------------------------------------------------------------

    def _collectives(self, what: str) -> list[CollectiveSubject] | None:
        """The collectives of the partition that ``what`` names; None if it names none.

        Raises:
            UnknownSubject: there is no such number, or the program has such operations of its own.
        """
        parts = _NUMBERED.fullmatch(what.removeprefix(PARTITION))
        if parts is None:
            return None
        of_kind = [one for one in self._traced.plan.collectives if one.kind == parts["name"]]
        own = [one for one in self._shardable.makers if one.short_name == parts["name"]]
        if not what.startswith(PARTITION):
            if not of_kind:
                return None
            if own:
                raise UnknownSubject(
                    f"{what!r} is an operation of the program and a collective of its partition: write "
                    f"stablehlo.{what} or {PARTITION}{what}"
                )
        if parts["number"] == "*":
            return [CollectiveSubject(one, number) for number, one in enumerate(of_kind)]
        number = int(parts["number"])
        if number >= len(of_kind):
            kinds = ", ".join(f"{count} {kind}" for kind, count in self._kinds().items()) or "none"
            raise UnknownSubject(f"{what!r}: there is no such collective; the partition has {kinds}, counted from 0")
        return [CollectiveSubject(of_kind[number], number)]

    def _kinds(self) -> Counter[str]:
        return Counter(one.kind for one in self._traced.plan.collectives)

    # --- tensors ------------------------------------------------------------------------------------------------------

    def _tensors(self, what: str) -> list[tuple[Value | FunctionResult, str]]:
        """The tensors of the source program that ``what`` names, each with its unambiguous name."""
        value = _VALUE.fullmatch(what)
        if value is not None:
            if value["name"] is not None:
                return self._in_regions(value["name"], int(value["number"]), value["symbol"])
            return self._values(what, value["function"], value["symbol"])
        parts = _NUMBERED.fullmatch(what)
        if parts is not None:
            made = self._numbered(parts)
            if made:
                return made
        tensors = [] if what.startswith("@") else self._shardable.find(what)
        if tensors:
            return self._of_tensors(what, tensors)
        return self._in_scope(what)

    def _values(self, what: str, function: str | None, symbol: str) -> list[tuple[Value | FunctionResult, str]]:
        boundary = [one for one in self._shardable.boundary if symbol in one.names] if function is None else []
        if boundary:
            return [(one.tensor.slot, one.tensor.name) for one in boundary]
        pattern = (symbol,)
        found: list[tuple[Value | FunctionResult, str]] = []
        for given in self._traced.given_values():
            own = self._names.symbol(given)
            if own == what or ("*" in what and _matches(pattern, function, own)):
                found.append((given, own))
        if len(found) > 1 and "*" not in what:
            # Separate regions may use the same symbols: such values are named by the operation that makes them.
            return self._each_once((given, self._by_operation(given) or own) for given, own in found)
        return found

    def _in_regions(self, name: str, number: int, symbol: str) -> list[tuple[Value | FunctionResult, str]]:
        """An argument of a region by the operation that it belongs to: ``while:0/%iterArg_1``."""
        return self._each_once(
            (one, f"{name}:{number}/{symbol}") for own, one in self._arguments_of_regions(name, number) if own == symbol
        )

    def _arguments_of_regions(self, name: str, number: int) -> Iterator[tuple[str, BlockArgument]]:
        """The arguments of the regions of an operation that are tensors, each with its name in MLIR's text."""
        for maker in [one for one in self._shardable.makers if one.is_called((name,))][number : number + 1]:
            for region in maker.op.regions:
                for one in (argument for block in region.blocks for argument in block.arguments):
                    if isinstance(one.type, TensorType):
                        yield self._names.symbol(one).rpartition("/")[2], one

    def _each_once(
        self, found: Iterable[tuple[Value | FunctionResult, str]]
    ) -> list[tuple[Value | FunctionResult, str]]:
        """``found`` without values that share the sharding slot of an earlier one, as the arguments of both regions of
        a loop do."""
        known: dict[object, tuple[Value | FunctionResult, str]] = {}
        for given, question in found:
            slots = tuple(self._traced.slots(given))
            known.setdefault(slots or given, (given, question))
        return list(known.values())

    def _numbered(self, parts: re.Match[str]) -> list[tuple[Value | FunctionResult, str]]:
        """Operations by name and number in the whole program: ``dot_general:7``."""
        makers = [one for one in self._shardable.makers if one.is_called((parts["name"],))]
        if parts["number"] != "*":
            makers = makers[int(parts["number"]) :][:1]
        return [
            (tensor.slot, tensor.name)
            for maker in makers
            for tensor in maker.tensors()
            if parts["result"] is None or int(parts["result"]) == tensor.result_number
        ]

    def _of_tensors(self, what: str, tensors: list[ShardableTensor]) -> list[tuple[Value | FunctionResult, str]]:
        if all(tensor.is_boundary for tensor in tensors):
            return [(tensor.slot, tensor.name) for tensor in tensors]
        # The number counts the tensors that the same pattern matches.
        return [(tensor.slot, self._question(what, number, tensor)) for number, tensor in enumerate(tensors)]

    def _question(self, what: str, number: int, tensor: ShardableTensor) -> str:
        parts = inside_parts(what)
        if parts is None or parts["number"] is not None or "*" in what:
            return self._by_operation(tensor.slot) or tensor.name
        makers = self._shardable.named(parts)
        slot = tensor.slot
        owner = slot.defining_op if not isinstance(slot, FunctionResult) else None
        index = next((index for index, one in enumerate(makers) if one.op is owner), number)
        result = f"#{tensor.result_number}" if owner is not None and len(owner.results) > 1 else ""
        return (
            f"{what}:{index}{result}" if parts["on_line"] or parts["name"] else self._by_operation(slot) or tensor.name
        )

    def _in_scope(self, what: str) -> list[tuple[Value | FunctionResult, str]]:
        """The results of the operations of a scope: ``layer_3/attention``, or with a star of all matching scopes."""
        pattern = path_of_scope(what) if "[" not in what else path_of_pattern(what)
        if not pattern:
            return []
        within = (*pattern, "**")
        anywhere = ("**", *within)
        found = [one for one in self._shardable.makers if _is_in(one, within)]
        found = found or [one for one in self._shardable.makers if _is_in(one, anywhere)]
        return [
            (tensor.slot, self._by_operation(tensor.slot) or tensor.name) for one in found for tensor in one.tensors()
        ]

    def _by_operation(self, given: Value | FunctionResult) -> str:
        """The name of a result by its operation's name and number in the program; for an argument of one of its regions
        followed by its symbol."""
        if isinstance(given, FunctionResult):
            return ""
        if isinstance(given, BlockArgument):
            around = self._number(given.owner.parent_op)
            return f"{around}/{self._names.symbol(given).rpartition('/')[2]}" if around else ""
        assert isinstance(given, OpResult)
        made_by = self._number(given.owner)
        return made_by + (f"#{given.index}" if made_by and len(given.owner.results) > 1 else "")

    def _number(self, op: Operation | None) -> str:
        """``dot_general:7``; empty for operations without tensor results."""
        if op is None:
            return ""
        same = [one for one in self._shardable.makers if one.is_called((short_name(op),))]
        return next((f"{short_name(op)}:{number}" for number, one in enumerate(same) if one.op is op), "")

    def _subjects(self, found: tuple[Value | FunctionResult, str], copy: int | None, what: str) -> list[TensorSubject]:
        """The copies of a tensor that passes made: one for each different final sharding, or the one whose number is
        asked for."""
        given, question = found
        slots = self._traced.slots(given)
        if not slots:
            return [TensorSubject(given, None, question)]
        every = [TensorSubject(given, one, question, number, len(slots)) for number, one in enumerate(slots)]
        if copy is not None:
            if copy >= len(every):
                raise UnknownSubject(f"{what!r}: passes made {len(every)} of it, counted from 0")
            return [every[copy]]
        different = {
            self._traced.final_sharding(one): subject for subject, one in reversed(list(zip(every, slots, strict=True)))
        }
        if len(different) > 1 and "*" not in what:
            shown = "; ".join(
                f"{question}@{one.copy}: {sharding.body_text if sharding is not None else 'no sharding'}"
                for sharding, one in sorted(different.items(), key=lambda row: row[1].copy)
            )
            raise UnknownSubject(f"{what!r} became {len(slots)} tensors with several shardings: {shown}")
        return sorted(different.values(), key=lambda one: one.copy)

    # --- messages about patterns without a match ----------------------------------------------------------------------

    def _listed(self, found: Iterable[tuple[Value | FunctionResult, str]]) -> str:
        rows = [self._candidate(given, question) for given, question in found]
        return some_of(rows, _MOST_LISTED, "; ")

    def _candidate(self, given: Value | FunctionResult, question: str) -> str:
        symbol = self._names.symbol(given)
        where = self._names.location(given)
        place = " ".join(filter(None, (where.place, where.inner_scope)))
        return question + (f" ({symbol}{', ' if place else ''}{place})" if symbol != question or place else "")

    def _nothing(self, what: str) -> str:
        if what.startswith("%"):
            known = [self._names.symbol(one) for one in self._traced.given_values()]
            elsewhere = [one for one in known if one.rpartition("/")[2] == what]
            if elsewhere:
                shown = some_of(list(map(repr, elsewhere)), _MOST_LISTED)
                return f"MLIR prints no value of the main function so; did you mean {shown}?"
            return f"the program has no value that MLIR prints so{did_you_mean(what, known)}"
        value = _VALUE.fullmatch(what)
        if value is not None and value["name"] is not None:
            return self._nothing_in_regions(value["name"], int(value["number"]))
        parts = _NUMBERED.fullmatch(what)
        if parts is not None:
            count = sum(one.is_called((parts["name"],)) for one in self._shardable.makers)
            if count:
                return f"there are {count} of these in the program, counted from 0"
            first, dot, _ = parts["name"].partition(".")
            if dot and first not in {one.op.name.partition(".")[0] for one in self._shardable.makers}:
                # ``model`` is no dialect, so ``model.py:42`` is a file.
                return self._shardable.no_match_text(what)
            known = list(dict.fromkeys(one.short_name for one in self._shardable.makers))
            return f"no operation and no collective is called so{did_you_mean(parts['name'], known)}"
        return self._shardable.no_match_text(what)

    def _nothing_in_regions(self, name: str, number: int) -> str:
        makers = [one for one in self._shardable.makers if one.is_called((name,))]
        if number >= len(makers):
            if not makers:
                return f"no operation of the program is called {name}"
            return f"there are {len(makers)} {name} in the program, counted from 0"
        known = list(dict.fromkeys(own for own, _ in self._arguments_of_regions(name, number)))
        if not known:
            return f"{name}:{number} has no region with arguments"
        return f"no argument of a region of {name}:{number} is called so; there are {some_of(known, _MOST_LISTED)}"


def _is_in(maker: Maker, pattern: tuple[str, ...]) -> bool:
    return matches(pattern, maker.scope) or matches(pattern, maker.plain)


def _matches(pattern: tuple[str, ...], function: str | None, symbol: str) -> bool:
    own_function, _, own = symbol.rpartition("/")
    if function is None and own_function:
        return False
    return matches(pattern, (own,)) and (function is None or matches((f"@{function}",), (own_function,)))
