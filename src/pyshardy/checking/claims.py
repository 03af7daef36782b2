"""What is to be shown of two programs: claims that a local value is a global one in a layout, and what each rests on.

A claim about a result of the function rests on claims about the labelled values that it is computed of, and so on up to
the arguments. A loop is shown by what its body does with values of which the claims hold, a branch by each side. So a
program that has been taken apart into such ``Part`` is right if every part is; what has the same operations and
labels is shown once. ``proof`` tries the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pyshardy.checking.global_values import is_loop
from pyshardy.checking.homes import Homes
from pyshardy.checking.labels import Label, Labels
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.layout import Layout, replicated
from pyshardy.interpreter.regions import Regions
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value

_MOST_OPERATIONS = 4000
_FEW_EXPANDED = 64
_BRANCHES = frozenset({"stablehlo.if", "stablehlo.case"})


class Claim(NamedTuple):
    """That ``local`` is ``value``, a home of the global program, in ``layout``."""

    local: Value
    value: Value
    layout: Layout


class NotComparable(ValueError):
    """Nothing says what a value that a claim rests on is in the global program."""


@dataclass(frozen=True)
class Part:
    """What shows a claim: local ``operations`` on labelled values ``leaves``, and what makes the value in the global
    program, ``made``; ``is_complete`` if all of that is there, ``is_usual`` if it begins at all values that are known.
    Parts with the same ``key`` are alike."""

    claim: Claim
    operations: tuple[Operation, ...]
    leaves: dict[Value, Label]
    made: tuple[Operation, ...]
    key: Hashable
    is_complete: bool
    is_usual: bool

    @property
    def further(self) -> list[Claim]:
        """What it rests on."""
        return [Claim(local, *label) for local, label in self.leaves.items()]


class Claims:
    """The claims about the local ``module`` with ``labels``, whose regions are ``regions``; a run begins with the
    function ``entry``."""

    def __init__(self, labels: Labels, module: Operation, regions: Regions, entry: Operation) -> None:
        self._labels = labels
        self._entry = entry
        self._functions = functions_by_name(module)
        self._homes: Homes = labels.homes
        self._regions = regions

    # --- loops and branches -------------------------------------------------------------------------------------------

    def structural(self, claim: Claim) -> list[Claim] | None:
        """The claims that one about a loop or a branch, or about what a loop carries, rests on; None if it is not the
        same loop or branch in both programs."""
        local, value = claim.local, claim.value
        if isinstance(local, BlockArgument) and isinstance(value, BlockArgument):
            one, other = local.owner.parent_op, value.owner.parent_op
            if one is not None and other is not None and one.name == other.name == "func.func":
                # What callers give it is claimed of each call; nobody in the program calls the entry.
                is_known = Label(value, claim.layout) in self._labels.of(local) and one is not self._entry
                return [] if is_known and local.index == value.index else None
            if one is None or other is None or not one.name == other.name == "stablehlo.while":
                return None
            found = self._loop(one, other)
            if found is None or (value.index, claim.layout) != found[0].get(local.index):
                return None
            return found[1] if _region_of(local) == _region_of(value) else None
        if isinstance(local, OpResult) and isinstance(value, OpResult):
            one, other = local.owner, value.owner
            if one.name == other.name == "stablehlo.while":
                found = self._loop(one, other)
                return None if found is None or (value.index, claim.layout) != found[0].get(local.index) else found[1]
            if one.name == other.name == "func.call":
                return self._call(one, other, claim)
            if one.name == other.name and one.name in _BRANCHES and len(one.regions) == len(other.regions):
                return list(self._branches(one, other, claim))
        return None

    def _loop(self, local: Operation, given: Operation) -> tuple[dict[int, tuple[int, Layout]], list[Claim]] | None:
        """What is carried as what, and what has to be shown of the loop."""
        condition, body = (region.blocks[0] for region in local.regions)
        given_condition, given_body = (region.blocks[0] for region in given.regions)
        carried: dict[int, tuple[int, Layout]] = {}
        for argument in body.arguments:
            for value, layout in self._labels.of(argument):
                if isinstance(value, BlockArgument) and value.owner is given_body:
                    carried[argument.index] = (value.index, layout)
            if argument.index not in carried:
                continue
            index, layout = carried[argument.index]
            other = Label(given_condition.arguments[index], layout)
            counterpart = condition.arguments[argument.index]
            if counterpart.num_uses and other not in self._labels.of(counterpart):
                return None
        claims = [Claim(condition.terminator.operands[0], self._home(given_condition.terminator.operands[0]), _WHOLE)]
        for place, (index, layout) in carried.items():
            claims.append(Claim(local.operands[place], self._home(given.operands[index]), layout))
            claims.append(
                Claim(body.terminator.operands[place], self._home(given_body.terminator.operands[index]), layout)
            )
        return carried, claims

    def _branches(self, local: Operation, given: Operation, claim: Claim) -> Iterable[Claim]:
        assert isinstance(claim.local, OpResult) and isinstance(claim.value, OpResult)
        yield Claim(local.operands[0], self._home(given.operands[0]), _WHOLE)
        for region, other in zip(local.regions, given.regions, strict=True):
            returned = region.blocks[0].terminator.operands[claim.local.index]
            expected = other.blocks[0].terminator.operands[claim.value.index]
            yield Claim(returned, self._home(expected), claim.layout)

    def _call(self, local: Operation, given: Operation, claim: Claim) -> list[Claim] | None:
        """What the function makes of arguments of which claims hold, and that they do for this call."""
        one, other = self._functions[callee(local)], self._homes.functions[callee(given)]
        assert isinstance(claim.local, OpResult) and isinstance(claim.value, OpResult)
        if one.regions[0].empty or other.regions[0].empty or len(local.operands) != len(given.operands):
            return None
        claims = [
            Claim(
                one.body.terminator.operands[claim.local.index],
                self._home(other.body.terminator.operands[claim.value.index]),
                claim.layout,
            )
        ]
        for argument, expected, operand, its in zip(
            one.body.arguments, other.body.arguments, local.operands, given.operands, strict=True
        ):
            layouts = [layout for value, layout in self._labels.of(argument) if value is expected]
            if not layouts and argument.num_uses:
                return None
            claims.extend(Claim(operand, self._home(its), layout) for layout in layouts)
        return claims

    def _home(self, value: Value) -> Value:
        return self._homes.home(value)

    # --- parts --------------------------------------------------------------------------------------------------------

    def part(self, claim: Claim, ignored: Iterable[Value] = (), *, thorough: bool = False) -> Part:
        """What shows a claim, as if nothing were known of the local values ``ignored``. If not ``thorough``, what the
        local operations do not read is not followed far in the global program.

        Raises:
            NotComparable: it depends on a local argument of which nothing is known.
        """
        ignored = set(ignored)
        operations, leaves = self._local_part(claim, ignored)
        roots = {self._labels.root(label.value) for label in leaves.values()}
        made, is_complete = self._made(claim.value, roots, _MOST_OPERATIONS if thorough else _FEW_EXPANDED)
        key = self._key(claim, operations, leaves, made, roots)
        return Part(claim, operations, leaves, made, key, is_complete, not ignored)

    def _local_part(self, claim: Claim, ignored: set[Value]) -> tuple[tuple[Operation, ...], dict[Value, Label]]:
        leaves: dict[Value, Label] = {}
        order: dict[Operation, None] = {}
        first = self._labels.first(claim.local) if claim.local not in ignored else None
        if first is not None and first != (claim.value, claim.layout):
            return (), {claim.local: first}
        waiting: list[tuple[Value, bool]] = [(claim.local, False)]
        while waiting:
            value, ready = waiting.pop()
            op = value.defining_op
            if ready:
                assert op is not None
                order[op] = None
                continue
            if value in leaves or op in order:
                continue
            label = None if value is claim.local or value in ignored else self._labels.first(value)
            if label is not None:
                leaves[value] = label
                continue
            if op is None:
                raise NotComparable(f"nothing is known of {value!r}")
            if len(order) > _MOST_OPERATIONS:
                raise NotComparable("too many operations lie between values that are known")
            waiting.append((value, True))
            used = list(op.operands)
            for region in op.regions:
                used += self._regions.needs(region).captures
            waiting.extend((one, False) for one in reversed(used) if one not in leaves)
        return tuple(order), leaves

    def _made(self, value: Value, roots: set[Value], most: int) -> tuple[tuple[Operation, ...], bool]:
        """The global operations that make ``value`` of the values with those ``roots``, as far as they do, and whether
        these are all, not just ``most``."""
        if self._labels.root(value) in roots or not isinstance(value, OpResult):
            return (), True
        chosen: dict[Operation, None] = {value.owner: None}
        frontier, is_complete = list(self._homes.sources(value)), True
        while frontier and len(chosen) <= most:
            further: list[Value] = []
            for one in dict.fromkeys(map(self._labels.root, frontier)):
                if one in roots or not isinstance(one, OpResult) or one.owner in chosen:
                    continue
                if self._homes.is_constant(one):
                    continue
                if is_loop(one.owner) and most < _MOST_OPERATIONS:
                    is_complete = False
                    continue
                chosen[one.owner] = None
                further += self._homes.sources(one)
            frontier = further
        return self._in_order(value.owner, chosen), is_complete and not frontier

    def _in_order(self, last: Operation, chosen: dict[Operation, None]) -> tuple[Operation, ...]:
        order: dict[Operation, None] = {}
        waiting = [(last, False)]
        while waiting:
            op, ready = waiting.pop()
            if ready:
                order[op] = None
            elif op not in order:
                waiting.append((op, True))
                for operand in self._homes.operands(op):
                    root = self._labels.root(self._home(operand))
                    if isinstance(root, OpResult) and root.owner in chosen and root.owner not in order:
                        waiting.append((root.owner, False))
        return tuple(order)

    # --- what parts have in common ------------------------------------------------------------------------------------

    def _key(
        self,
        claim: Claim,
        operations: tuple[Operation, ...],
        leaves: dict[Value, Label],
        made: tuple[Operation, ...],
        roots: set[Value],
    ) -> Hashable:
        places: dict[Value, int] = {}
        numbers: dict[Value, Hashable] = {}
        written: list[Hashable] = [claim.layout, claim.value.type]
        for local, (value, layout) in leaves.items():
            place = places.setdefault(self._labels.root(value), len(places))
            numbers[local] = ("leaf", len(numbers))
            written.append((place, layout, value.type))
        written.append(tuple(_written(op, numbers, lambda one: one) for op in operations))
        written.append(numbers.get(claim.local))
        given: dict[Value, Hashable] = {root: ("leaf", place) for root, place in places.items()}

        def root(value: Value) -> Value:
            found = self._labels.root(self._home(value))
            if found not in given and self._homes.is_constant(found):
                given[found] = self._constant(found)
            return found

        written.append(tuple(_written(op, given, root) for op in made))
        written.append(given.get(self._labels.root(claim.value)))
        return tuple(written)

    def _constant(self, value: Value) -> Hashable:
        """What a constant value is, as it is written."""
        order: dict[Operation, None] = {}
        waiting: list[tuple[Value, bool]] = [(value, False)]
        while waiting:
            one, ready = waiting.pop()
            assert isinstance(one, OpResult)
            if ready:
                order[one.owner] = None
            elif one.owner not in order:
                waiting.append((one, True))
                waiting.extend((source, False) for source in self._homes.sources(one))
        numbers: dict[Value, Hashable] = {}
        return tuple(_written(op, numbers, self._home) for op in order)


_WHOLE = replicated(0)


def _region_of(argument: BlockArgument) -> int:
    above = argument.owner.parent_op
    assert above is not None
    return next(place for place, region in enumerate(above.regions) if argument.owner in region.blocks)


_UNSAID = ("sdy.", "mhlo.", "jax.")


def _written(op: Operation, numbers: dict[Value, Hashable], seen_as: Callable[[Value], Value]) -> Hashable:
    """What ``op`` does with the values called ``numbers``, which gets names for its results."""
    properties = op.properties.without("channel_handle") if "channel_handle" in op.properties.entries else op.properties
    said = tuple((name, value) for name, value in op.attributes.entries.items() if not name.startswith(_UNSAID))
    operands = tuple(_name(seen_as(value), numbers) for value in op.operands)
    regions = []
    for region in op.regions:
        for block in region.blocks:
            for argument in block.arguments:
                numbers[argument] = len(numbers)
            types = tuple(argument.type for argument in block.arguments)
            regions.append((types, tuple(_written(inner, numbers, seen_as) for inner in block)))
    for result in op.results:
        numbers.setdefault(seen_as(result), len(numbers))
    return op.name, properties, said, operands, tuple(result.type for result in op.results), tuple(regions)


def _name(value: Value, numbers: dict[Value, Hashable]) -> Hashable:
    found = numbers.get(value)
    if found is None:
        # What is drawn, or made elsewhere: by its type, and by the place where it is first read.
        found = numbers[value] = ("other", len(numbers), value.type)
    return found
