"""Which values of a program never stand in memory: those that any compiler makes where they are read.

An elementwise operation, or one that spreads what it is given, needs no memory for its result if all who read it work
element by element, too, or reduce. What is cheap is made again for each reader; what is not (an exponential) must have
one. So must what takes elements from other places (a slice, a transpose, padding), which reads element by element, too.
Products read what is transposed as it was before.
Functions count as if they stood where they are called. Reshapes, and what a loop only carries along, are other names of
the same memory.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import prod
from typing import NamedTuple

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy.region_flow import runs_tensors
from pyshardy.dialects.sdy.shared_constants import is_foreign_constant
from pyshardy.ir.opdef import DATA_MOVEMENT, ELEMENTWISE, EXPENSIVE, TERMINATOR
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import TensorType

_CALL, _MODULE, _WHILE = "func.call", "builtin.module", "stablehlo.while"

_WITH_TENSORS_INSIDE = frozenset({"stablehlo.case", "stablehlo.if", _WHILE})
"""Our operations whose regions work on tensors; those of the others on scalars."""


def has_tensors_inside(op: Operation) -> bool:
    """Whether the regions of ``op`` work on tensors, not on scalars."""
    return bool(op.regions) and (op.name in _WITH_TENSORS_INSIDE or runs_tensors(op))


_IN_THE_SAME_MEMORY = frozenset({"stablehlo.reshape", "stablehlo.get_tuple_element"})
"""Operations whose result is the memory of their operand."""

_FAR = 256
"""Operations that are looked at to find out what something is made of."""
_TRANSPOSE, _PRODUCT = "stablehlo.transpose", "stablehlo.dot_general"
_SPREADING = frozenset(f"stablehlo.{name}" for name in ("broadcast", "broadcast_in_dim", "iota"))
_MOVING = frozenset(
    f"stablehlo.{name}" for name in ("concatenate", "dynamic_slice", "pad", "reverse", "slice", "transpose")
)
"""What makes each element of one that it reads at another place."""
_READING = _SPREADING | _MOVING | {"stablehlo.reduce"}
"""What reads element by element, besides elementwise operations."""


def carried_along(op: Operation) -> list[int]:
    """The numbers of the values that a loop hands from turn to turn as they are; none for other operations."""
    if op.name != _WHILE:
        return []
    body = op.regions[1].blocks[0]
    returned = body.terminator.operands
    return [index for index, argument in enumerate(body.arguments) if returned[index] is argument]


def value_in_memory(value: Value) -> Value:
    """The value whose memory ``value`` is another name of; itself if it is none."""
    while isinstance(value, OpResult):
        made = value.owner
        name = made.name
        if name not in _IN_THE_SAME_MEMORY and (name != _WHILE or value.index not in carried_along(made)):
            break
        value = made.operands[value.index]
    return value


def out_of_memory(operations: Sequence[Operation], passing: Set[Value]) -> set[Value]:
    """Which values that ``operations``, those of one block, read or make do not stand in memory if the values
    ``passing`` do not: these, and other names of theirs, but no other names of what stands there."""
    found = set(passing)
    for op in operations:
        if op.name in _IN_THE_SAME_MEMORY or op.name == _WHILE:
            for result in op.results:
                if value_in_memory(result) in passing:
                    found.add(result)
                else:
                    found.discard(result)
    return found


def values_in_passing(operations: Sequence[Operation]) -> set[Value]:
    """The results of ``operations``, those of one block in order, that never stand in memory. Functions that are called
    count as if they stood in the place of their calls."""
    return _Passing(operations, InlinedCalls(operations)).values


class InlinedCall(NamedTuple):
    """What a function does with what it is given, and what it returns: which arguments are read element by element
    (``reads``), by one kernel (``alone``); which results are made so (``makes``), and again for each reader
    (``cheap``), of which arguments and other results (``made_of``, ``beside``)."""

    reads: tuple[bool, ...]
    alone: tuple[bool, ...]
    makes: tuple[bool, ...]
    cheap: tuple[bool, ...]
    made_of: tuple[frozenset[int], ...]
    beside: tuple[frozenset[int], ...]


class _Made(NamedTuple):
    """How a function makes a result where it is read."""

    is_cheap: bool
    has_one_reader: bool
    arguments: set[int]
    results: set[int]


_NONE: frozenset[int] = frozenset()


class InlinedCalls:
    """The functions that ``operations`` call, and these in turn: compilers put them in the place of their calls."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        call = next((op for op in operations if op.name == _CALL), None)
        module = None if call is None else next((one for one in call.ancestors() if one.name == _MODULE), None)
        self.functions = {} if module is None else functions_by_name(module)
        self._known: dict[str, InlinedCall | None] = {}

    def of(self, call: Operation) -> InlinedCall | None:
        """What ``call`` runs; None if it is no call, or not known."""
        if not self.functions or call.name != _CALL:
            return None
        name = callee(call)
        if name not in self._known:
            # What calls itself is not known.
            self._known[name] = None
            function = self.functions.get(name)
            if function is not None and not is_declaration(function):
                self._known[name] = self._looked_at(function)
        return self._known[name]

    def _looked_at(self, function: Operation) -> InlinedCall:
        operations, arguments = list(function.body), function.body.arguments
        passing = _Passing(operations, self)
        returned = operations[-1].operands
        made = [self._made(value, passing, returned) for value in returned]
        return InlinedCall(
            tuple([passing.readers.get(one) is not _STANDS for one in arguments]),
            tuple([passing.readers.get(one) is not _MANY for one in arguments]),
            tuple([one is not None and (one.is_cheap or one.has_one_reader) for one in made]),
            tuple([one is not None and one.is_cheap for one in made]),
            tuple([_NONE if one is None else frozenset(one.arguments) for one in made]),
            tuple([_NONE if one is None else frozenset(one.results) for one in made]),
        )

    def _made(self, value: Value, passing: _Passing, returned: Sequence[Value]) -> _Made | None:
        """How a value that is ``returned`` is made where it is read: of arguments, of others that are returned, and of
        what is smaller than it; None if it is not."""
        is_cheap, waiting, size = True, [value], _elements(value)
        arguments: set[int] = set()
        results: set[int] = set()
        # What is read on many ways, as in a generator of random numbers, is looked at once.
        seen: set[Value] = set()
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            made = one.defining_op
            if isinstance(one, BlockArgument):
                if one is value:
                    return None
                arguments.add(one.index)
            if made is None:
                continue
            if one is not value and one not in passing.values:
                if one in returned:
                    results.add(returned.index(one))
                elif 2 * _elements(one) > size:
                    return None
                continue
            inlined = self.of(made)
            if inlined is not None and isinstance(one, OpResult):
                makes, cheap = inlined.makes[one.index], inlined.cheap[one.index]
            else:
                makes, cheap = _makes_elements(made, one_reader=True), _is_cheap(made)
                if made.name in _IN_THE_SAME_MEMORY:
                    makes = cheap = True
            if not makes:
                return None
            is_cheap = is_cheap and cheap
            waiting += made.operands
        return _Made(is_cheap, value.has_one_use, arguments, results)


_MANY, _STANDS = object(), object()
"""What several kernels read element by element; what somebody reads in another way."""


class _Passing:
    """What of ``operations``, those of one block in order, never stands in memory (``values``); and for each value the
    operation in which the one kernel ends that reads it element by element, or ``_MANY`` or ``_STANDS`` (``readers``).
    """

    def __init__(self, operations: Sequence[Operation], calls: InlinedCalls) -> None:
        self.values: set[Value] = set()
        self.readers: dict[Value, object] = {}
        self._operations = operations
        self._numbers: dict[Operation, int] | None = None
        self._look_at_all(operations, calls)

    def _look_at_all(self, operations: Sequence[Operation], calls: InlinedCalls) -> None:
        passing, readers, by_name = self.values, self.readers, dict[str, tuple[bool, bool, bool]]()
        for op in reversed(operations):
            name, results = op.name, op.results
            if name == _CALL:
                inlined = calls.of(op)
                if inlined is not None:
                    self._look_at_call(op, inlined)
                    continue
            known = by_name.get(name)
            if known is None:
                known = by_name[name] = _reads_elements(op), _makes_elements(op, one_reader=True), _is_cheap(op)
            reads, makes, is_cheap = known
            sink: object = op
            if len(results) == 1:
                result = results[0]
                reader = readers.get(result, _STANDS)
                if name == _TRANSPOSE and result._uses and all(user.name == _PRODUCT for user in result.users):
                    passing.add(result)
                    reads = False
                elif name in _IN_THE_SAME_MEMORY:
                    sink = reader
                    reads = reader is not _STANDS
                    passing.add(result)
                elif (
                    makes
                    and reader is not _STANDS
                    and (reader is not _MANY or (is_cheap and not self._is_waited_for(result, op.operands)))
                ):
                    sink = reader
                    passing.add(result)
            if not reads:
                for value in op.operands:
                    readers[value] = _STANDS
            else:
                for value in op.operands:
                    other = readers.setdefault(value, sink)
                    if other is not sink and other is not _STANDS:
                        readers[value] = _MANY
            if op.regions and has_tensors_inside(op):
                # Regions read from memory.
                passing.update(results[index] for index in carried_along(op))
                for inner in op.walk():
                    for value in inner.operands:
                        readers[value] = _STANDS

    def _is_waited_for(self, result: OpResult, made_of: Sequence[Value]) -> bool:
        """Whether ``result`` joins several values, those of ``made_of``, and one of its readers also reads what stands
        in memory and is made of it, as what is normed and its mean: then it stands, too, and what it joins need not."""
        if sum([not _is_spread(value) for value in dict.fromkeys(made_of)]) < 2:
            return False
        return any(
            value is not result and self._is_made_of(value, result) for user in result.users for value in user.operands
        )

    def _is_made_of(self, value: Value, other: Value) -> bool:
        """Whether ``value`` is made of ``other`` by what stands in memory; taken for so if that is far to seek."""
        if self._numbers is None:
            self._numbers = {op: number for number, op in enumerate(self._operations)}
        begin = self._numbers[other.owner] if isinstance(other, OpResult) else -1
        waiting, seen = [(value, False)], set[tuple[Value, bool]]()
        while waiting:
            one, stands = waiting.pop()
            made = one.defining_op
            if made is None or (one, stands) in seen or self._numbers.get(made, -1) <= begin:
                continue
            seen.add((one, stands))
            if len(seen) > _FAR:
                return True
            stands = stands or one not in self.values
            if stands and other in made.operands:
                return True
            waiting += [(operand, stands) for operand in made.operands if operand is not other]
        return False

    def _look_at_call(self, op: Operation, inlined: InlinedCall) -> None:
        readers = self.readers
        sink: object = op
        for result in op.results:
            reader = readers.get(result, _STANDS)
            makes = inlined.makes[result.index] and reader is not _STANDS
            if makes and reader is _MANY:
                made_of = [op.operands[number] for number in inlined.made_of[result.index]]
                makes = inlined.cheap[result.index] and not self._is_waited_for(result, made_of)
            if makes:
                sink = reader if len(op.results) == 1 else _MANY
                self.values.add(result)
        for value, reads, alone in zip(op.operands, inlined.reads, inlined.alone, strict=True):
            its = sink if alone else _MANY
            other = readers.get(value, its)
            readers[value] = _STANDS if not reads or other is _STANDS else its if other is its else _MANY


def _is_spread(value: Value) -> bool:
    made = value.defining_op
    return made is not None and (made.name in _SPREADING or made.name == "stablehlo.constant")


def _elements(value: Value) -> int:
    return prod(value.type.shape) if isinstance(value.type, TensorType) and value.type.has_static_shape else 0


def done_with_readers(operations: Sequence[Operation]) -> set[Operation]:
    """Those of ``operations``, of one block in order, that compilers put into the kernel of one that reads them,
    whether their results stand in memory or not: what works element by element, reduces or moves elements, for others
    such."""
    found: set[Operation] = set()
    readable: set[Value] = set()
    by_name: dict[str, bool] = {}
    for op in reversed(operations):
        joins = by_name.get(op.name)
        if joins is None:
            joins = by_name[op.name] = _joins_kernels(op)
        if not joins:
            continue
        results = op.results
        if results[0] in readable if len(results) == 1 else not readable.isdisjoint(results):
            found.add(op)
        readable.update(op.operands)
    return found


def _joins_kernels(op: Operation) -> bool:
    if op.traits & TERMINATOR or has_tensors_inside(op):
        return False
    return bool(op.traits & (ELEMENTWISE | DATA_MOVEMENT)) or op.name in _READING or op.name in _IN_THE_SAME_MEMORY


def _reads_elements(op: Operation) -> bool:
    return bool(op.traits & ELEMENTWISE or op.name in _READING) and not op.traits & TERMINATOR


def _makes_elements(op: Operation, *, one_reader: bool) -> bool:
    if op.name in _SPREADING or op.name == "stablehlo.constant" or is_foreign_constant(op):
        return True
    if op.name in _MOVING:
        return one_reader
    return bool(op.traits & ELEMENTWISE) and (one_reader or not op.traits & EXPENSIVE)


def _is_cheap(op: Operation) -> bool:
    return _makes_elements(op, one_reader=False)
