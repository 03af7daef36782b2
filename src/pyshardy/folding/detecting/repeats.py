"""Detection: ranges of a function in which the same operations repeat.

Each operation gets a number that says its kind: name, properties, attributes, types, regions, but not which values it
reads. In this sequence of numbers periods are found by samples: a sample of operations occurs again one period later.
A range that repeats often enough is returned as ``RepeatedRange``. ``linked_series`` sees which of them are layers, and
``comparison`` compares what operations read.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Operation, Signature, Value

UNLIKE_AT_ENDS = 3
"""So many of the first and last layers of a model may be unlike the others: they may lack operations (the first has no
input gradient, say), or read others."""
FEWEST_REPEATS = 6
"""Ranges with fewer repeats are passed over: too little could be left out of them."""
_MOST_PERIODS = 32
"""At most this many periods are tried, those that most samples suggest."""
_DEEPEST = 32
"""Operations in regions that are nested deeper, or in functions behind a longer chain of calls, are like no others.
It bounds the recursion."""
_SAMPLES = 512
"""About this many samples are taken of a function, evenly spread."""
_SAMPLE = 16
"""A sample has this many operations."""
_LONGER_SAMPLES = (64, 256)
"""Samples of these lengths are taken, too. A short sample may occur again within its own layer, as in a layer of four
equal matrix products, and then suggests a period that is too short."""
_LONGEST_SAMPLES = (1024,)
"""These are taken where no others have found anything. If every sixth layer has a constant of its own, samples that are
shorter than a few layers occur again in the next layer."""


class RepeatedRange(NamedTuple):
    """A range that repeats, from operation number ``begin`` up to ``end_of_rest``: each operation, but for those of the
    first repeat, is of the same kind as the one a ``period`` before it. What is left over at the end is the *rest*."""

    begin: int
    period: int
    end_of_rest: int

    @property
    def times(self) -> int:
        """How many repeats these are, from ``begin`` on."""
        return (self.end_of_rest - self.begin) // self.period

    @property
    def end(self) -> int:
        """The end of the last repeat."""
        return self.begin + self.times * self.period

    def without(self, taken: Iterable[RepeatedRange]) -> RepeatedRange | None:
        """The range without repeats of those ``taken``, which are longer; None if too few repeats are left. Where one
        stack follows another, both may begin with the same operations. Then the last repeat of this range takes them,
        if the taken one keeps as many repeats without them."""
        begin, period, end = self
        for one in sorted(taken):
            if one.begin <= begin < one.end:
                begin = one.end
            elif one.begin < end <= one.end:
                later = one._replace(begin=max(one.begin, RepeatedRange(begin, period, end).end))
                end = later.begin if later.times == one.times else one.begin
            elif begin <= one.begin < end:
                return None
        run = RepeatedRange(begin, period, end)
        return run if run.times >= FEWEST_REPEATS else None

    def beside(self, other: RepeatedRange) -> RepeatedRange:
        """This range without what ``other`` takes: its first repeats, or operations of its rest."""
        if other.begin < self.begin:
            return self._replace(begin=max(self.begin, other.end))
        return self._replace(end_of_rest=min(self.end_of_rest, other.begin))


class _Kinds:
    """Numbers the kinds of operations: two operations have the same number if they differ at most in what they read, or
    both are ``free`` (``free_operations``).

    ``functions`` are those with a single call, by name. Calls of these are of one kind if the functions are the same
    but for their names: ``jax.checkpoint`` around a layer makes a function ``checkpoint_N`` for each layer."""

    def __init__(self, functions: Mapping[str, Operation], free: Container[Operation]) -> None:
        self._functions = functions
        self._free = free
        self._kinds_of_functions: dict[str, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._known: dict[tuple[Signature, DictionaryAttr], int] = {}
        self._calls_around = 0
        """The number of calls that lead to the function which is being looked at."""

    def of_all(
        self, operations: Sequence[Operation], numbers: Sequence[int], examples: Sequence[Operation]
    ) -> list[int]:
        """The kind of each of ``operations``. They have these ``numbers`` of kinds in the program, of which there are
        ``examples`` (``ir.operation_kinds``): only operations with regions have to be looked at themselves."""
        known = {number: None if examples[number].regions else self._of(examples[number]) for number in set(numbers)}
        return [
            self._with_regions(operations[place], {}) if kind is None else kind
            for place, kind in enumerate(map(known.__getitem__, numbers))
        ]

    def _of(self, op: Operation) -> int:
        """The kind of ``op``, its regions left aside."""
        signature = op.signature
        if signature is None or signature.properties is not op.properties or op.name == "func.call":
            return self._computed(op)
        key = (signature, op.attributes)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._computed(op)
        return known

    def _computed(self, op: Operation) -> int:
        operands, results = (tuple([value.type for value in values]) for values in (op.operands, op.results))
        properties: Hashable = None if op in self._free else op.properties
        if op.name == "func.call" and callee(op) in self._functions:
            properties = self._of_function(callee(op))
        return self._number((op.name, properties, op.attributes, operands, results))

    def _of_function(self, name: str) -> int:
        """The kind of the function ``name``, one of those with a single call."""
        found = self._kinds_of_functions.get(name)
        if found is None:
            function = self._functions[name]
            # This holds for functions that call themselves, or that are too many calls away: they are like no others.
            found = self._kinds_of_functions[name] = self._number(function)
            if self._calls_around < _DEEPEST:
                self._calls_around += 1
                found = self._kinds_of_functions[name] = self._with_regions(function, {})
                self._calls_around -= 1
        return found

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _with_regions(self, op: Operation, inside: dict[Value, int], depth: int = 0) -> int:
        """The kind of ``op`` and of all in its regions; ``inside`` numbers the values that regions define, and
        ``depth`` regions are around ``op``. In a region values count, too: those defined in it by their number, others
        by themselves."""
        if depth == _DEEPEST:
            return self._number(op)
        parts: list[Hashable] = [
            self._of(op) if op.name != "func.func" else (op.properties.without("sym_name"), op.attributes)
        ]
        for region in op.regions:
            for block in region.blocks:
                arguments = block.arguments
                for argument in arguments:
                    inside[argument] = len(inside)
                parts.append(tuple([argument.type for argument in arguments]))
                nested = block.first
                while nested is not None:
                    parts.append(self._with_regions(nested, inside, depth + 1) if nested.regions else self._of(nested))
                    parts.append(tuple([inside.get(value, value) for value in nested.operands]))
                    for result in nested.results:
                        inside[result] = len(inside)
                    nested = nested.next_op
        return self._number(tuple(parts))


def repeats_of(
    operations: Sequence[Operation],
    numbers: Sequence[int],
    examples: Sequence[Operation],
    functions: Mapping[str, Operation],
    free: Container[Operation],
) -> list[RepeatedRange]:
    """The ranges of ``operations`` that repeat often enough, in their order. They do not overlap; of those that would
    the longest is taken. ``numbers`` are those of their kinds in the program, of which there are ``examples``;
    ``functions`` are those with a single call, by name, and ``free`` those in whose properties layers may
    differ."""
    kinds = _Kinds(functions, free).of_all(operations, numbers, examples)
    found: list[RepeatedRange] = []
    pending = [(0, len(kinds))]
    for begin, end in pending:
        inside = _repeats_in(kinds, begin, end)
        found += inside
        # The operations between ranges are searched again: there samples are closer to each other.
        ends = [begin, *[bound for one in inside for bound in (one.begin, one.end)], end] if inside else []
        pending += [(one, other) for one, other in zip(ends[::2], ends[1::2], strict=True) if one < other]
    found.sort()
    # The rest of a range may have become part of the next one.
    begins = [*(one.begin for one in found[1:]), len(kinds)]
    return [one._replace(end_of_rest=min(one.end_of_rest, begin)) for one, begin in zip(found, begins, strict=False)]


def _repeats_in(kinds: Sequence[int], begin: int, end: int) -> list[RepeatedRange]:
    """The ranges that one search finds from number ``begin`` up to ``end``, in their order. None overlap."""
    if end - begin < _SAMPLE + FEWEST_REPEATS:
        return []
    row = _Row(kinds[begin:end])
    found = row.all_runs((_SAMPLE, *_LONGER_SAMPLES)) or row.all_runs(_LONGEST_SAMPLES)
    taken: list[RepeatedRange] = []
    for run in sorted(found, key=lambda run: (run.begin - run.end_of_rest, run.period)):
        one = run.without(taken)
        if one is not None:
            taken = [*(other.beside(one) for other in taken), one]
    return [RepeatedRange(begin + one.begin, one.period, begin + one.end_of_rest) for one in sorted(taken)]


class _Row:
    """A sequence of kinds as bytes, so that many are compared at once."""

    def __init__(self, kinds: Sequence[int]) -> None:
        numbers = array("I", kinds)
        self._text = numbers.tobytes()
        self._width = numbers.itemsize
        self._count = len(kinds)

    def all_runs(self, lengths: Iterable[int]) -> list[RepeatedRange]:
        """The runs around samples of these ``lengths``, of the periods that they suggest."""
        found: dict[int, list[int]] = {}
        for length in lengths:
            for period, begins in self._periods(length).items():
                known = found.get(period)
                found[period] = begins if known is None else sorted({*known, *begins})
        return [run for period, seeds in found.items() for run in self.runs(period, seeds)]

    def _periods(self, length: int) -> dict[int, list[int]]:
        """Periods that samples of ``length`` operations suggest: the distance to where a sample occurs next."""
        text, width, count = self._text, self._width, self._count
        step = count // _SAMPLES + 1
        farthest = count // FEWEST_REPEATS + length
        seeds: dict[int, list[int]] = {}
        for begin in range(0, count - length, step):
            sample = text[begin * width : (begin + length) * width]
            end = (begin + farthest) * width
            found = text.find(sample, (begin + 1) * width, end)
            while found > 0 and found % width:
                found = text.find(sample, found + 1, end)
            if found > 0:
                seeds.setdefault(found // width - begin, []).append(begin)
        # In a range that repeats often enough most samples suggest its period: at least half of them are asked for.
        often = [(period, at) for period, at in seeds.items() if 2 * step * len(at) > period * FEWEST_REPEATS]
        return dict(sorted(often, key=lambda one: -len(one[1]))[:_MOST_PERIODS])

    def runs(self, period: int, seeds: Iterable[int]) -> Iterator[RepeatedRange]:
        """The runs of that ``period`` which are long enough, each around one of ``seeds``, which ascend."""
        end = 0
        for seed in seeds:
            if seed >= end:
                begin = seed - self._alike(seed, period, -1)
                end = seed + self._alike(seed, period, 1)
                if end - begin >= period * (FEWEST_REPEATS - 1):
                    yield RepeatedRange(begin, period, end + period)

    def _alike(self, begin: int, period: int, direction: int) -> int:
        """How many operations in a row, from number ``begin`` on (``direction`` 1) or before it (-1), are of the kind
        of those a ``period`` later. The steps double while they succeed and are halved when they fail."""
        text, width, last = self._text, self._width, self._count - period
        length, step = 0, _SAMPLE
        while step:
            one = begin + length if direction > 0 else begin - length - step
            here, there, size = one * width, (one + period) * width, step * width
            if one >= 0 and one + step <= last and text[here : here + size] == text[there : there + size]:
                length += step
                step *= 2
            else:
                step //= 2
        return length
