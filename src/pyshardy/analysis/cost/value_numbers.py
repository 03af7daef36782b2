"""Numbers values so that values with equal numbers are equal, to find operations that are computed twice.

Equal operations on equal values give equal values; so do barriers, calls, slices of what an earlier loop has stacked,
and loops that do the same as an earlier one. The order of a loop's iterations is ignored: two loops that go through all
slices of a tensor go through the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from pyshardy.analysis.cost.step import OperationTime, Step
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.trip_count import trip_count
from pyshardy.dialects.stablehlo.verification.rules import integers
from pyshardy.ir.opdef import PURE, RECURSIVE_EFFECTS
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.printing.program_text import operation_text
from pyshardy.ir.types import IntegerType, TensorType, Type
from pyshardy.partitioning.account.counted import CountedProgram, CountsDiffer

_DEEPEST = 50
"""Of calls nested deeper than that nothing is said."""
_MOST_LOOKED_AT = 3
"""So many earlier loops are tried as the one that is done again."""
_NO_LOOPS: frozenset[int] = frozenset()


def computed_twice(program: CountedProgram, step: Step) -> tuple[float, float]:
    """The floating point operations of ``step``, a run of ``program``, that have been done before, and the seconds that
    a chip at its peak takes for them.

    Raises:
        CountsDiffer: of operations that are counted as alike only some have been done before.
    """
    return _Numbering(program.module, step).of(program)


@dataclass
class _Loop:
    """A loop that is gone through: its number, its iterations, and the indices that depend on its iteration."""

    number: int
    iterations: int | None
    indices: dict[tuple[int, ...], int] = field(default_factory=dict)


@dataclass
class _Done:
    """A numbered loop: the numbers of its operands (``taken``), of the arguments and yielded values of an iteration
    (``arguments``, ``left``), and of its results."""

    loop: _Loop
    taken: list[int]
    arguments: list[int]
    left: list[int]
    results: list[int]


class _Numbering:
    """Numbers values: those with equal numbers are equal, as far as the order of the iterations of a loop does not
    matter."""

    def __init__(self, module: Operation, step: Step) -> None:
        self._functions = functions_by_name(module)
        self._step = step
        self._numbers: dict[tuple[object, ...], int] = {}
        self._keys: list[tuple[object, ...]] = []
        self._loops_of: list[frozenset[int]] = []
        """By number: the loops on whose iteration it depends."""
        self._values: dict[Value, int] = {}
        self._calls: dict[tuple[object, ...], tuple[list[int], float, float]] = {}
        self._loops: list[_Loop] = []
        self._done: list[_Done] = []
        self._flops = self._seconds = 0.0
        self._depth = 0

    def of(self, program: CountedProgram) -> tuple[float, float]:
        """What a run of the program computes twice: operations and seconds."""
        entry = program.entry.body
        self._values.update((argument, self._fresh()) for argument in entry.arguments)
        flops = seconds = 0.0
        found: dict[Operation, float] = {}
        for op in program.operations:
            self._flops = self._seconds = 0.0
            self._values.update(zip(op.results, self._results(op, self._taken(op), 1), strict=True))
            if self._flops:
                found[op] = self._flops
                flops += program.times(op) * self._flops
                seconds += program.times(op) * self._seconds
        if any(found.get(op) != found.get(other) for op, other in program.alike):
            raise CountsDiffer
        return flops, seconds

    # --- numbers ------------------------------------------------------------------------------------------------------

    def _number(self, key: tuple[object, ...], operands: Sequence[int] = ()) -> int:
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._keys)
            self._keys.append(key)
            self._loops_of.append(self._loops_behind(operands))
        return found

    def _loops_behind(self, numbers: Sequence[int]) -> frozenset[int]:
        return _NO_LOOPS.union(*[self._loops_of[one] for one in numbers])

    def _fresh(self, loops: frozenset[int] = _NO_LOOPS) -> int:
        number = self._number(("fresh", len(self._keys)))
        self._loops_of[number] = loops
        return number

    # --- programs -----------------------------------------------------------------------------------------------------

    def _block(self, block: Block, arguments: Sequence[int], times: int) -> list[int]:
        """Numbers what is in ``block``, which runs so many ``times``; what its terminator takes."""
        self._values.update(zip(block.arguments, arguments, strict=True))
        taken: list[int] = []
        for op in block:
            taken = self._taken(op)
            self._values.update(zip(op.results, self._results(op, taken, times), strict=True))
        return taken

    def _taken(self, op: Operation) -> list[int]:
        values = self._values
        for value in op.operands:
            if value not in values:
                # Its producer is not numbered: it belongs to a layer that is skipped, or stands later in the text.
                values[value] = self._fresh()
        return [values[value] for value in op.operands]

    def _results(self, op: Operation, taken: list[int], times: int) -> list[int]:
        name = op.name.removeprefix("stablehlo.")
        if name == "optimization_barrier":
            return taken
        if name == "func.call":
            return self._call(op, taken, times)
        if name == "while":
            return self._while(op, taken, times)
        if name == "dynamic_slice":
            return [self._slice(op, taken)]
        if name == "dynamic_update_slice":
            kind = self._place(taken[2:]), op.operands[1].type
            return [self._number(("update", taken[0], taken[1], *kind), taken)]
        if name == "reshape" or (name == "broadcast_in_dim" and _is_reshape(op)):
            return [self._reshaped(taken[0], op.operands[0].type, op.results[0].type)]
        if not (op.traits & PURE if not op.regions else _is_pure(op) and not _captures(op)):
            return [self._fresh(self._loops_behind(taken)) for _ in op.results]
        return self._plain(op, taken, times)

    def _plain(self, op: Operation, taken: list[int], times: int) -> list[int]:
        kind = (op.name, op.properties, tuple(taken), *[result.type for result in op.results], regions_text(op))
        timed = self._step.timed.get(op)
        if op.results and (*kind, 0) in self._numbers and timed is not None and computes_floats(timed):
            self._count(timed.work.flops, timed.ideal_seconds, times)
        return [self._number((*kind, index), taken) for index in range(len(op.results))]

    def _call(self, op: Operation, taken: list[int], times: int) -> list[int]:
        function = self._functions.get(callee(op))
        if function is None or not function.regions or not function.regions[0].blocks or self._depth >= _DEEPEST:
            return [self._fresh() for _ in op.results]
        key = callee(op), tuple(taken)
        block = function.regions[0].blocks[0]
        known = self._calls.get(key)
        if known is None:
            self._depth += 1
            results = self._block(block, taken, times)
            self._depth -= 1
            own = [timed for timed in map(self._step.timed.get, block) if timed is not None and computes_floats(timed)]
            self._calls[key] = results, sum(one.work.flops for one in own), sum(one.ideal_seconds for one in own)
            return results
        results, flops, seconds = known
        self._count(flops, seconds, times)
        return results

    def _count(self, flops: float, seconds: float, times: int) -> None:
        self._flops += times * flops
        self._seconds += times * seconds

    # --- loops and what they stack ------------------------------------------------------------------------------------

    def _while(self, op: Operation, taken: list[int], times: int) -> list[int]:
        kept = op.regions[1].blocks[0].terminator.operands
        changing = [
            index for index, argument in enumerate(op.regions[1].blocks[0].arguments) if kept[index] is not argument
        ]
        iterations = trip_count(op)
        done = self._done_again(op, taken, times, changing, iterations)
        if done is None:
            loop = _Loop(len(self._keys), iterations)
            arguments = taken.copy()
            for index in changing:
                arguments[index] = self._fresh(frozenset((loop.number,)))
            done = self._gone_through(op, taken, arguments, loop, times)
        self._done.append(done)
        return done.results

    def _gone_through(self, op: Operation, taken: list[int], arguments: list[int], loop: _Loop, times: int) -> _Done:
        self._loops.append(loop)
        self._block(op.regions[0].blocks[0], arguments, times)
        left = self._block(op.regions[1].blocks[0], arguments, times * (loop.iterations or 1))
        self._loops.pop()
        results = [self._left(taken[index], arguments[index], number, loop) for index, number in enumerate(left)]
        return _Done(loop, taken, arguments, left, results)

    def _done_again(
        self, op: Operation, taken: list[int], times: int, changing: list[int], iterations: int | None
    ) -> _Done | None:
        """The loop, if it repeats an earlier one: the values that it carries are assumed equal to those of the earlier
        loop, and must still equal them after one iteration."""
        found = [one for one in self._done if one.loop.iterations == iterations and iterations is not None]
        pairings = [(self._pairs(one, taken, changing), one) for one in found]
        pairings = sorted([one for one in pairings if one[0]], key=lambda one: -len(one[0]))[:_MOST_LOOKED_AT]
        for pairs, before in pairings:
            while pairs:
                mark = self._mark()
                arguments = taken.copy()
                for index in changing:
                    arguments[index] = (
                        before.arguments[pairs[index]]
                        if index in pairs
                        else self._fresh(frozenset((before.loop.number,)))
                    )
                done = self._gone_through(op, taken, arguments, _Loop(before.loop.number, iterations), times)
                same = {index: one for index, one in pairs.items() if done.left[index] == before.left[one]}
                if len(same) == len(pairs):
                    for index, one in pairs.items():
                        done.results[index] = before.results[one]
                    return done
                self._go_back_to(mark)
                pairs = same
        return None

    def _pairs(self, before: _Done, taken: list[int], changing: list[int]) -> dict[int, int]:
        """Which of what changes in a loop began as something that changes in the one before."""
        free = [index for index, one in enumerate(before.arguments) if one != before.taken[index]]
        pairs: dict[int, int] = {}
        for index in changing:
            one = next((one for one in free if before.taken[one] == taken[index]), None)
            if one is not None:
                pairs[index] = one
                free.remove(one)
        return pairs

    def _mark(self) -> tuple[int, int, int, tuple[int, ...], float, float]:
        indices = tuple(len(one.indices) for one in self._loops)
        return len(self._keys), len(self._calls), len(self._done), indices, self._flops, self._seconds

    def _go_back_to(self, mark: tuple[int, int, int, tuple[int, ...], float, float]) -> None:
        """As if nothing had been numbered since ``mark``."""
        keys, calls, done, indices, self._flops, self._seconds = mark
        for key in self._keys[keys:]:
            del self._numbers[key]
        del self._keys[keys:], self._loops_of[keys:], self._done[done:]
        while len(self._calls) > calls:
            self._calls.popitem()
        for loop, count in zip(self._loops, indices, strict=True):
            while len(loop.indices) > count:
                loop.indices.popitem()

    def _left(self, begun: int, argument: int, left: int, loop: _Loop) -> int:
        """What a loop leaves where it began with ``begun`` and each iteration makes ``left`` of ``argument``."""
        if left == argument:
            return begun
        key = self._keys[left]
        if key[0] == "update" and key[1] == argument and loop.iterations is not None:
            return self._number(("stack", *key[2:], loop.iterations))
        return self._fresh()

    def _slice(self, op: Operation, taken: list[int]) -> int:
        place, type = self._place(taken[1:]), op.results[0].type
        key = self._keys[taken[0]]
        if key[0] == "stack" and key[2] == place and key[3] == type:
            of = key[1]
            assert isinstance(of, int)
            return of
        return self._number(("slice", taken[0], place, type), taken)

    def _place(self, indices: Sequence[int]) -> tuple[object, ...]:
        """Where a slice begins. The first place that depends on the iteration of a loop is called like that of other
        loops with as many iterations: all of them go through all places."""
        loop = self._loops[-1] if self._loops else None
        if loop is None or not any(loop.number in self._loops_of[one] for one in indices):
            return tuple(indices)
        there = tuple([one for one in indices if loop.number in self._loops_of[one]])
        still = tuple([-1 if loop.number in self._loops_of[one] else one for one in indices])
        if loop.indices.setdefault(there, len(loop.indices)) == 0:
            return "iteration", loop.iterations, *still
        return "iteration of", *indices

    def _reshaped(self, number: int, before: Type, after: Type) -> int:
        key = self._keys[number]
        if key[0] == "reshape":
            number, before = key[1], key[2]  # type: ignore[assignment]
        if before == after:
            return number
        return self._number(("reshape", number, before, after), [number])


def _is_pure(op: Operation) -> bool:
    """Whether ``op``, and what is in it, does nothing but make its results."""
    return all(one.traits & PURE or (one.regions and one.traits & RECURSIVE_EFFECTS) for one in op.walk())


def _is_reshape(op: Operation) -> bool:
    """Whether a broadcast only adds dimensions of size 1, and keeps the order of the others."""
    before, after = op.operands[0].type, op.results[0].type
    if not isinstance(before, TensorType) or not isinstance(after, TensorType):
        return False
    if list(integers(op, "broadcast_dimensions")) != sorted(integers(op, "broadcast_dimensions")):
        return False
    return prod(before.shape) == prod(after.shape) and before.has_static_shape and bool(before.shape)


def _captures(op: Operation) -> bool:
    """Whether regions of ``op`` read values around it: then it depends on more than its operands."""
    inside = {block for one in op.walk() for region in one.regions for block in region.blocks}
    return any(value.parent_block not in inside for one in op.walk() if one is not op for value in one.operands)


def computes_floats(timed: OperationTime) -> bool:
    """Whether an operation computes more than indices, masks and the like, which nobody counts."""
    return bool(timed.work.flops) and not isinstance(timed.work.element, IntegerType)


def regions_text(op: Operation) -> str:
    """The text of the regions of ``op``, empty if it has none."""
    return operation_text(op, generic=True).partition("({")[2] if op.regions else ""
