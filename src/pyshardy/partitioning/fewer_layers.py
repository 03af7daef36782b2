"""What a way to partition a model would move, found out on one with fewer layers.

Of ways that are tried beside the first, most are dropped again because they move more. Where layers repeat, that can
be seen without going all the way: the program is copied without most of its layers, partitioned, and what a layer moves
is added as often as there are layers left out. That is exact: layers are left out of the midst of those that are alike
(``repetition``: what they are made of, what they read, who reads them), and only if those on either side of the gap
have become the same, operation by operation: what was emitted, what moves and is still there, how results lie, in
which other forms they exist. What becomes of a layer depends on those beside it alone: the first one left out gets what
the one above the gap has got, so it becomes the same, and so does the next. Where any of this is not so there is no
answer, and ``ways``, right of this file, goes all the way; as it does for a way that turns out to move less.
"""

from __future__ import annotations

from collections.abc import Hashable

from pyshardy.dialects.func import function_type, result_attributes, with_entry_attributes
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Sharded
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Block, Operation, Region, Use, Value
from pyshardy.ir.types import FunctionType
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.inner_layers import InnerLayers
from pyshardy.partitioning.localizing.free_results import chain_of
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner


class FewerLayers:
    """A copy of ``program``, which is propagated, without its inner ``layers``; none if there is nothing to leave
    out."""

    def __init__(self, program: Program, layers: InnerLayers) -> None:
        self._module = program.module
        self._copies: dict[Operation, Operation] = {}
        self._mapping: dict[Value, Value] = {}
        self._first, self._end = layers.first, layers.end
        self._copy: Program | None = None
        if not len(layers):
            return
        self._repetition = repetition = layers.repetition
        self._left_out = bytearray(len(repetition.operations))
        for one in repetition.series:
            begin, other = sorted((one.begin_of(self._first), one.begin_of(self._end - 1)))
            self._left_out[begin : other + one.period] = b"\1" * (other + one.period - begin)
        copy = self._copied()
        self._copy = Program(copy, program.rules) if copy is not None else None

    def bytes_of_way(self, context: Context, options: RunOptions) -> float | None:
        """What each device receives in a run, with all layers, on the way with these ``options``; None if that cannot
        be said."""
        if self._copy is None:
            return None
        partitioner = _Tracing(self._copy, context, options, set(self._copies.values()))
        try:
            partitioner.run()
        except PyshardyError:
            return None
        return self._with_all_layers(partitioner)

    # --- the copy -----------------------------------------------------------------------------------------------------

    def _copied(self) -> Operation | None:
        """The program with fewer layers; None if what is kept needs one that is left out."""
        module, original = self._module, self._repetition.function
        copy = rewriting.create(
            module.name, (), (), module.properties, module.attributes, (Region([Block()]),), (), module.location
        )
        for op in module.body:
            made = rewriting.clone(op) if op is not original else self._copied_function(op)
            if made is None:
                return None
            rewriting.append(copy.body, made)
        return copy

    def _copied_function(self, original: Operation) -> Operation | None:
        repetition, mapping = self._repetition, self._mapping
        block = Block()
        for argument in original.body.arguments:
            made, home = block.add_argument(argument.type, argument.location), repetition.home(argument)
            if home is None or not self._left_out[repetition.numbers[home[0]]]:
                mapping[argument] = made
        *operations, terminator = repetition.operations
        for number, op in enumerate(operations):
            if self._left_out[number]:
                continue
            substitutes = self._substitutes(op, repetition.layer(number))
            if substitutes is None:
                return None
            mapping.update(substitutes)
            self._copies[op] = copy = rewriting.clone(op, mapping)
            rewriting.append(block, copy)
            for value in substitutes:
                del mapping[value]
        returned = [index for index, value in enumerate(terminator.operands) if value in mapping]
        end = rewriting.create(
            terminator.name,
            [mapping[terminator.operands[index]] for index in returned],
            (),
            terminator.properties,
            terminator.attributes,
            location=terminator.location,
        )
        rewriting.append(block, end)
        self._copies[terminator] = end
        type = function_type(original)
        results = [type.results[index] for index in returned]
        attributes = [result_attributes(original, index) for index in returned]
        properties = original.properties.with_("function_type", FunctionType(type.inputs, results))
        properties = with_entry_attributes(properties, "res_attrs", attributes)
        function = rewriting.create(
            original.name, (), (), properties, original.attributes, (Region([block]),), (), original.location
        )
        places = {index: place for place, index in enumerate(returned)}
        return function if all(self._order_uses(*one, places) for one in mapping.items()) else None

    def _substitutes(self, op: Operation, layer: int | None) -> dict[Value, Value] | None:
        """What takes the place of the operands of ``op`` that are left out: what is to the layer beyond the gap what
        they are to theirs. None if there is no such thing."""
        mapping = self._mapping
        found: dict[Value, Value] = {}
        for value in op.operands:
            if value not in mapping:
                # What is left out is moved to the layers at hand.
                beyond = (
                    self._first - self._end if layer is not None and layer >= self._end else self._end - self._first
                )
                substitute = None if layer is None else self._repetition.moved_value(value, beyond)
                if substitute is None or substitute not in mapping:
                    return None
                found[value] = mapping[substitute]
        if op.regions:
            own = self._repetition.function.body
            read = (value for one in op.walk() if one is not op for value in one.operands)
            if any(value.parent_block is own and value not in mapping for value in read):
                return None
        return found

    def _order_uses(self, value: Value, copy: Value, places: dict[int, int]) -> bool:
        """Brings the uses of ``copy`` into the order of those of ``value``: whether that is possible."""
        if len(copy._uses) < 2 or value.parent_block is not self._repetition.function.body:
            return True
        uses: list[Use] = []
        for user, index in value._uses:
            number = self._repetition.numbers.get(user)
            if number is None:
                return False
            if user is self._repetition.operations[-1]:
                uses.append((self._copies[user], places[index]))
                continue
            if not self._left_out[number]:
                uses.append((self._copies[user], index))
                continue
            # What is left out is read by the layer beyond the gap instead.
            for distance in (self._first - self._end, self._end - self._first):
                other = self._repetition.moved(number, distance)
                made = None if other is None else self._copies.get(other)
                if other is None or made is None or other.operands[index] is value:
                    continue
                if made.operands[index] is copy:
                    uses.append((made, index))
        if len(uses) != len(copy._uses) or any(use not in copy._uses for use in uses):
            return False
        rewriting.order_uses(copy, uses)
        return True

    # --- what it would move with all layers ---------------------------------------------------------------------------

    def _with_all_layers(self, partitioner: _Tracing) -> float | None:
        received = Received(partitioner.local, partitioner.emitted_collectives)
        (special,) = partitioner.entries.values()
        entry = received.functions[special.name]
        known = {local for trace in partitioner.traces.values() for local in trace.local}
        if any(received.by_operations([op]) for op in entry.body if op not in known):
            return None
        a_layer = 0.0
        for one in self._repetition.series:
            begin = one.begin_of(self._first - 1)
            for number in range(begin, begin + one.period):
                below, above = (self._trace(partitioner, number, layers) for layers in (0, self._end - self._first + 1))
                if below != above:
                    return None
                made = partitioner.traces[self._copies[self._repetition.operations[number]]]
                a_layer += received.by_operations(op for op in made.local if op.parent is not None)
        return received.by_function(entry) + (self._end - self._first) * a_layer

    def _trace(self, partitioner: _Tracing, number: int, layers: int) -> Hashable:
        """All that the layers beside it can see of what operation ``number``, moved by so many layers, has become."""
        original = self._repetition.moved(number, layers)
        assert original is not None
        op = self._copies[original]
        trace = partitioner.traces[op]
        local = tuple(
            [(one.name, tuple([result.type for result in one.results]), one.parent is not None) for one in trace.local]
        )
        moved = tuple(
            [(one.kind, one.axes, one.group_size, one.bytes, one.op.parent is not None) for one in trace.collectives]
        )
        return local, moved, tuple([_form(partitioner.env[result]) for result in op.results])


def _form(sharded: Sharded) -> Hashable:
    layouts = tuple([one.layout for one in sharded.versions])
    return sharded.layout, chain_of(sharded), layouts, len(sharded.masked or ())


class _Trace:
    """What one operation has become: local operations, and the collectives among them."""

    __slots__ = ("collectives", "local")

    def __init__(self, local: list[Operation], collectives: list[Collective]) -> None:
        self.local = local
        self.collectives = collectives


class _Tracing(Partitioner):
    """Partitions, and keeps traces of the operations that are ``watched``."""

    def __init__(self, program: Program, context: Context, options: RunOptions, watched: set[Operation]) -> None:
        super().__init__(program, context, options)
        self.traces: dict[Operation, _Trace] = {}
        self._watched = watched

    def _emit(self, op: Operation) -> None:
        if op not in self._watched:
            super()._emit(op)
            return
        block, emitted = self.builder.block, self.collectives.emitted
        last, mark = block.last, len(emitted)
        super()._emit(op)
        self.traces[op] = _Trace(block.behind(last), emitted[mark:])
