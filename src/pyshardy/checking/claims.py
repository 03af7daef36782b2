"""The claims to be proven about two programs, each that a local value is a global value in a layout, and the claims
that each depends on.

A claim about a result of the function depends on claims about the labelled values that it is computed from, and so on
up to the arguments. A claim about a loop is proven by induction: its body keeps the claims about carried values true. A
claim about a branch is proven on each side. So a program is right if every ``ProofPart`` between labelled values is;
parts with equal operations and labels are proven once. ``proof`` runs the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pyshardy.checking.definitions import Definitions
from pyshardy.checking.global_values import is_loop
from pyshardy.checking.labels import Label, Labels
from pyshardy.dialects.control_flow import BRANCHES
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.layout import Layout, replicated
from pyshardy.interpreter.regions import Regions
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value

_MOST_OPERATIONS = 4000
_FEW_EXPANDED = 64


class Claim(NamedTuple):
    """The claim that ``local`` is ``value``, the definition of a value of the global program, in ``layout``."""

    local: Value
    value: Value
    layout: Layout


class NotComparable(ValueError):
    """A claim depends on a local value without a label."""


@dataclass(frozen=True)
class ProofPart:
    """The part of both programs that proves a claim: local ``operations`` on labelled values ``leaves``, and ``made``,
    the global operations that compute the value; ``is_complete`` if these are all of them, ``is_usual`` if it begins at
    the nearest labelled values. Parts with equal ``key`` are alike."""

    claim: Claim
    operations: tuple[Operation, ...]
    leaves: dict[Value, Label]
    made: tuple[Operation, ...]
    key: Hashable
    is_complete: bool
    is_usual: bool

    @property
    def further(self) -> list[Claim]:
        """The claims that it depends on."""
        return [Claim(local, *label) for local, label in self.leaves.items()]


class Claims:
    """The claims about the local ``module`` with ``labels``, whose regions are ``regions``; a run begins with the
    function ``entry``."""

    def __init__(self, labels: Labels, module: Operation, regions: Regions, entry: Operation) -> None:
        self._labels = labels
        self._entry = entry
        self._functions = functions_by_name(module)
        self._definitions: Definitions = labels.definitions
        self._regions = regions

    # --- loops and branches -------------------------------------------------------------------------------------------

    def structural(self, claim: Claim) -> list[Claim] | None:
        """The claims that a claim about a loop, a branch or a carried value depends on; None if the local and the
        global operation are not the same loop or branch."""
        local, value = claim.local, claim.value
        if isinstance(local, BlockArgument) and isinstance(value, BlockArgument):
            one, other = local.owner.parent_op, value.owner.parent_op
            if one is not None and other is not None and one.name == other.name == "func.func":
                # An argument of a function is claimed for each call; no operation calls the entry.
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
            if one.name == other.name and one.name in BRANCHES and len(one.regions) == len(other.regions):
                return list(self._branches(one, other, claim))
        return None

    def _loop(self, local: Operation, given: Operation) -> tuple[dict[int, tuple[int, Layout]], list[Claim]] | None:
        """The global index and the layout of each carried value of a loop, and the claims that have to be proven about
        it."""
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
        claims = [
            Claim(condition.terminator.operands[0], self._definition(given_condition.terminator.operands[0]), _WHOLE)
        ]
        for place, (index, layout) in carried.items():
            claims.append(Claim(local.operands[place], self._definition(given.operands[index]), layout))
            claims.append(
                Claim(body.terminator.operands[place], self._definition(given_body.terminator.operands[index]), layout)
            )
        return carried, claims

    def _branches(self, local: Operation, given: Operation, claim: Claim) -> Iterable[Claim]:
        assert isinstance(claim.local, OpResult) and isinstance(claim.value, OpResult)
        yield Claim(local.operands[0], self._definition(given.operands[0]), _WHOLE)
        for region, other in zip(local.regions, given.regions, strict=True):
            returned = region.blocks[0].terminator.operands[claim.local.index]
            expected = other.blocks[0].terminator.operands[claim.value.index]
            yield Claim(returned, self._definition(expected), claim.layout)

    def _call(self, local: Operation, given: Operation, claim: Claim) -> list[Claim] | None:
        """The claims about the results of the function for arguments of which the claims hold, and those about the
        arguments of this call."""
        one, other = self._functions[callee(local)], self._definitions.functions[callee(given)]
        assert isinstance(claim.local, OpResult) and isinstance(claim.value, OpResult)
        if one.regions[0].empty or other.regions[0].empty or len(local.operands) != len(given.operands):
            return None
        claims = [
            Claim(
                one.body.terminator.operands[claim.local.index],
                self._definition(other.body.terminator.operands[claim.value.index]),
                claim.layout,
            )
        ]
        for argument, expected, operand, global_operand in zip(
            one.body.arguments, other.body.arguments, local.operands, given.operands, strict=True
        ):
            layouts = [layout for value, layout in self._labels.of(argument) if value is expected]
            if not layouts and argument.num_uses:
                return None
            claims.extend(Claim(operand, self._definition(global_operand), layout) for layout in layouts)
        return claims

    def _definition(self, value: Value) -> Value:
        return self._definitions.definition(value)

    # --- parts --------------------------------------------------------------------------------------------------------

    def part(self, claim: Claim, ignored: Iterable[Value] = (), *, thorough: bool = False) -> ProofPart:
        """The part that proves a claim, without the labels of the local values ``ignored``. Unless ``thorough``, global
        operations whose values the local operations do not read are only included up to a limit.

        Raises:
            NotComparable: it depends on a local argument of which nothing is known.
        """
        ignored = set(ignored)
        operations, leaves = self._local_part(claim, ignored)
        roots = {self._labels.root(label.value) for label in leaves.values()}
        made, is_complete = self._made(claim.value, roots, _MOST_OPERATIONS if thorough else _FEW_EXPANDED)
        key = self._key(claim, operations, leaves, made)
        return ProofPart(claim, operations, leaves, made, key, is_complete, not ignored)

    def _local_part(self, claim: Claim, ignored: set[Value]) -> tuple[tuple[Operation, ...], dict[Value, Label]]:
        leaves: dict[Value, Label] = {}
        order: dict[Operation, None] = {}
        first = self._labels.first(claim.local) if claim.local not in ignored else None
        if (
            first is not None
            and first != (claim.value, claim.layout)
            and not are_results_of_one(first.value, claim.value)
        ):
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
            label = None if value is claim.local or value in ignored else self._label_read(value, claim.value)
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

    def _label_read(self, local: Value, value: Value) -> Label | None:
        """The first label of ``local``; None if it has none. Of several results of one operation that of which the
        computation of ``value`` reads the value; None if it reads several. Manual computations may return one local
        value for several global ones, once sharded and once whole; that these hold what the local operation makes is
        proven together."""
        labels = self._labels.of(local)
        if not any(are_results_of_one(labels[0].value, one.value) for one in labels[1:]):
            return labels[0] if labels else None
        by_root = {self._labels.root(one.value): one for one in reversed(labels)}
        read: dict[Label, None] = {}
        frontier, seen = [value], {value}
        while frontier and len(read) < len(by_root) and len(seen) <= _MOST_OPERATIONS:
            sources = [one for each in frontier for one in self._definitions.sources(each) if one not in seen]
            seen.update(sources)
            found = {one: by_root[root] for one in sources if (root := self._labels.root(one)) in by_root}
            read.update(dict.fromkeys(found.values()))
            frontier = [one for one in dict.fromkeys(sources) if one not in found]
        if len(read) > 1 and local.defining_op is not None:
            return None
        return next(iter(read), labels[0])

    def _made(self, value: Value, roots: set[Value], most: int) -> tuple[tuple[Operation, ...], bool]:
        """The global operations that compute ``value`` from the values with those ``roots``, at most ``most``, and
        whether these are all."""
        if self._labels.root(value) in roots or not isinstance(value, OpResult):
            return (), True
        chosen: dict[Operation, None] = {value.owner: None}
        frontier, is_complete = list(self._definitions.sources(value)), True
        while frontier and len(chosen) <= most:
            further: list[Value] = []
            for one in dict.fromkeys(map(self._labels.root, frontier)):
                if one in roots or not isinstance(one, OpResult) or one.owner in chosen:
                    continue
                if self._definitions.is_constant(one):
                    continue
                if is_loop(one.owner) and most < _MOST_OPERATIONS:
                    is_complete = False
                    continue
                chosen[one.owner] = None
                further += self._definitions.sources(one)
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
                for operand in self._definitions.operands(op):
                    root = self._labels.root(self._definition(operand))
                    if isinstance(root, OpResult) and root.owner in chosen and root.owner not in order:
                        waiting.append((root.owner, False))
        return tuple(order)

    # --- keys of parts ------------------------------------------------------------------------------------------------

    def _key(
        self,
        claim: Claim,
        operations: tuple[Operation, ...],
        leaves: dict[Value, Label],
        made: tuple[Operation, ...],
    ) -> Hashable:
        places: dict[Value, int] = {}
        numbers: dict[Value, Hashable] = {}
        written: list[Hashable] = [claim.layout, claim.value.type]
        for local, (value, layout) in leaves.items():
            place = places.setdefault(self._labels.root(value), len(places))
            numbers[local] = ("leaf", len(numbers))
            # Of other results of the operation that makes the claimed value a wider part may be compared.
            written.append((place, layout, value.type, are_results_of_one(value, claim.value)))
        written.append(tuple(_written(op, numbers, lambda one: one) for op in operations))
        written.append(numbers.get(claim.local))
        given: dict[Value, Hashable] = {root: ("leaf", place) for root, place in places.items()}

        def root(value: Value) -> Value:
            found = self._labels.root(self._definition(value))
            if found not in given and self._definitions.is_constant(found):
                given[found] = self._constant(found)
            return found

        written.append(tuple(_written(op, given, root) for op in made))
        written.append(given.get(self._labels.root(claim.value)))
        return tuple(written)

    def _constant(self, value: Value) -> Hashable:
        """A key for the value of a constant, from its attributes."""
        order: dict[Operation, None] = {}
        waiting: list[tuple[Value, bool]] = [(value, False)]
        while waiting:
            one, ready = waiting.pop()
            assert isinstance(one, OpResult)
            if ready:
                order[one.owner] = None
            elif one.owner not in order:
                waiting.append((one, True))
                waiting.extend((source, False) for source in self._definitions.sources(one))
        numbers: dict[Value, Hashable] = {}
        return tuple(_written(op, numbers, self._definition) for op in order)


def are_results_of_one(one: Value, other: Value) -> bool:
    """Whether the two are different results of one operation."""
    return one is not other and one.defining_op is not None and one.defining_op is other.defining_op


_WHOLE = replicated(0)


def _region_of(argument: BlockArgument) -> int:
    above = argument.owner.parent_op
    assert above is not None
    return next(place for place, region in enumerate(above.regions) if argument.owner in region.blocks)


_UNSAID = ("sdy.", "mhlo.", "jax.")


def _written(op: Operation, numbers: dict[Value, Hashable], seen_as: Callable[[Value], Value]) -> Hashable:
    """A key for ``op`` on operands that are numbered by ``numbers``, to which its results are added."""
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
        # A value that is drawn, or made outside of the part, is named by its type and the position where it is first
        # read.
        found = numbers[value] = ("other", len(numbers), value.type)
    return found
