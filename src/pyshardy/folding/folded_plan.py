"""A candidate plan of a folded program: what it costs with all layers, before and after it is unfolded.

What became of the layers beside the splice point is what would have become of those between them, so bytes, work and
memory are those of the folded program and as often those of a layer as there are layers left out. Collectives with
their channels and causes, and the forms of values, are worked out when somebody asks for them; then the program of one
device is unfolded, and the propagated one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

from pyshardy.dialects.func import function_type, with_entry_attributes
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.attributes import ChannelHandle
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.folding.counting import counted_program
from pyshardy.folding.folded import Folded, NotAlike
from pyshardy.folding.peak import PeakOfLayers, peak_with_all_layers
from pyshardy.folding.program import FoldedProgram
from pyshardy.folding.splice import Splice
from pyshardy.folding.unfolding import Unfolding, values_inside
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.same_program import is_same_program
from pyshardy.ir.types import FunctionType, Type
from pyshardy.partitioning.account.counted import (
    CountedMemory,
    CountedPlan,
    CountedProgram,
    CountsDiffer,
    counted_collectives,
)
from pyshardy.partitioning.account.liveness import IN_ITS_ORDER, MemoryModel
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.account.work import Work
from pyshardy.partitioning.candidate_plan import CandidatePlan, CannotPrice
from pyshardy.partitioning.localizing.free_results import chain_of
from pyshardy.partitioning.localizing.run import Specialization
from pyshardy.partitioning.partitioner import Partitioner

_CHANNEL = "channel_handle"
_FREE = frozenset({_CHANNEL})
_ROUNDED = 1e-9


class _Repeat(NamedTuple):
    """Collectives from number ``begin`` up to (excluding) ``end`` of those emitted, which a layer of ``series`` asked
    for."""

    begin: int
    end: int
    series: int


class FoldedPlan(CandidatePlan):
    """What ``partitioner`` has made of ``program``, which is folded.

    Raises:
        NotAlike: what the layers near the splice point became is not alike.
    """

    def __init__(self, program: FoldedProgram, partitioner: Partitioner) -> None:
        super().__init__(partitioner)
        self._source = program
        self._folded = folded = program.folded
        ((self._name, special),) = partitioner.entries.items()
        self._function = functions_by_name(partitioner.local)[special.name]
        self._emitted = partitioner.emitted_collectives
        epilogues = _epilogues(folded, self._function)
        self._splice = Splice(folded, self._function, epilogues, _FREE)
        self._arguments = program.function.body.arguments
        self._unfolding: Unfolding | None = None
        self._look_at_account()
        self._repeats = self._repeated_collectives()

    # --- whether all grows by the same in each layer ------------------------------------------------------------------

    def _look_at_account(self) -> None:
        partitioner = self.partitioner
        if partitioner.taken_channels or partitioner.program.largest_channel:
            raise NotAlike
        handles = [one.handle for found in self._emitted if (one := _channel(found.op)) is not None]
        if handles != list(range(1, len(handles) + 1)):
            # Channels are given to others, too.
            raise NotAlike
        self._compare_forms()
        # A cluster that goes through all layers ends somewhere else if there are more of them.
        self._source.splice.look_at_links(partitioner.beginnings)

    def _compare_forms(self) -> None:
        """Compares the forms that values of the layers near the splice point have: what may be made anew, and of what,
        is not seen in operations, but matters to those that follow."""
        env, splice = self.partitioner.env, self._source.splice
        series = range(len(self._folded.layers.series))
        expected: list[object] | None = None
        for layer in splice.layers_compared():
            results = [result for one in series for op in splice.parts[one, layer] for result in op.results]
            found = [_form(env[result]) for result in results]
            if expected is not None and found != expected:
                raise NotAlike
            expected = found

    def _repeated_collectives(self) -> list[_Repeat]:
        """For each series, and what is made of results, the collectives that the layer below the splice point asked
        for: in the order in which they were emitted.

        Raises:
            NotAlike: the layers beside it asked for others.
        """
        folded, splice = self._folded, self._splice
        homes = [self._home_of_collective(one) for one in self._emitted]
        self._homes = [(number, home) for number, home in enumerate(homes) if home is not None]
        found = []
        for series in range(len(splice.template)):
            expected: list[tuple[object, ...]] | None = None
            for layer in (folded.below, folded.end):
                numbers = [number for number, home in enumerate(homes) if home == (series, layer)]
                if numbers and numbers != list(range(numbers[0], numbers[-1] + 1)):
                    raise NotAlike
                seen = [self._seen(self._emitted[number]) for number in numbers]
                if expected is not None and seen != expected:
                    raise NotAlike
                expected = seen
                if layer == folded.below and numbers:
                    found.append(_Repeat(numbers[0], numbers[-1] + 1, series))
        return found

    def _home_of_collective(self, one: Collective) -> tuple[int, int] | None:
        """Of which series and layer is what asked for it: in the program of one device it may be gone."""
        place = self._splice.places.get(one.op)
        if place is not None:
            return place.series, self._folded.full(place.layer)
        if one.op.parent is None and one.op.location == self._function.body.terminator.location:
            # Of which result it was is not known any more.
            raise NotAlike
        number = self._folded.number_of_origin(one.op.location)
        layers = self._folded.layers
        series = -1 if number is None else layers.series_of(number)
        layer = None if number is None or series < 0 else layers.layer(number)
        if layer is None:
            return None
        if one.op.parent is self._function.body and (series, layer) in self._splice.parts:
            # It stands apart from its layer.
            raise NotAlike
        return series, layer

    def _seen(self, one: Collective) -> tuple[object, ...]:
        return one.kind, one.axes, one.group_size, one.bytes, _channel(one.op) is None, one.op.parent is None

    # --- what it costs ------------------------------------------------------------------------------------------------

    @cached_property
    def bytes(self) -> float:
        received = self._received()
        if self._unfolding is not None:
            return received.by_function(self._entry)
        layers = self._folded.count * sum(map(received.by_operations, self._splice.template), 0.0)
        return received.by_function(self._entry) + layers

    @cached_property
    def work(self) -> int:
        found = super().work
        if self._unfolding is None:
            work = Work(self.partitioner.local, self.partitioner.rules)
            found += self._folded.count * sum(map(work.of_all, self._splice.template))
        return found

    @cached_property
    def peak(self) -> int:
        found = self._peak_of_layers if self._unfolding is None else None
        return memory_of(self.local(), self._entry, IN_ITS_ORDER).peak if found is None else found.bytes

    @cached_property
    def _peak_of_layers(self) -> PeakOfLayers | None:
        types = self._result_types()
        return peak_with_all_layers(self._splice, self.partitioner.local, self._function, types, IN_ITS_ORDER)

    def counted_plan(self) -> CountedPlan:
        if self._unfolding is not None:
            return super().counted_plan()
        module = self.partitioner.module
        found = self.counted(lambda: CountedProgram(module, functions_by_name(module)[self._name]))
        if found is None:
            raise CannotPrice
        return found

    def counted(self, source: Callable[[], CountedProgram]) -> CountedPlan | None:
        """The plan as its costs are added up while it is folded, ``source`` telling the program as it is given; None if
        it is not folded any more, or that cannot be said."""
        if self._unfolding is not None:
            return None
        splice, partitioner = self._splice, self.partitioner
        layers = range(len(splice.template) - len(splice.series_of_results) - len(splice.series_of_functions))
        series = [*layers, *splice.series_of_results.values()]
        local = counted_program(self._folded, partitioner.local, self._function, splice.parts, series, splice)
        below = {number for one in self._repeats for number in range(one.begin, one.end)}
        times = {one.op: self._folded.multiplicity for number, one in enumerate(self._emitted) if number in below}
        if any(local.times(op) != number for op, number in times.items() if op.parent is self._function.body):
            return None
        collectives = counted_collectives(local, self._emitted)
        return CountedPlan(source, local, collectives, self._memory_by, self._result_types())

    def _memory_by(self, model: MemoryModel) -> CountedMemory:
        if self._unfolding is not None:
            raise CountsDiffer
        types, size = self._result_types(), model.boundary_bytes_of
        peak = peak_with_all_layers(self._splice, self.partitioner.local, self._function, types, model)
        if peak is None or peak.parts is None:
            raise CountsDiffer
        arguments = sum(size(argument.type) for argument in self._function.body.arguments)
        return CountedMemory(arguments, sum(map(size, types)), peak.bytes, peak.parts)

    def _result_types(self) -> list[Type]:
        """The types of what the function returns with all layers."""
        places = {index: place for place, index in enumerate(self._folded.returned)}
        returned = [value.type for value in self._function.body.terminator.operands]
        return [
            returned[places[index if index in places or family is None else family[0]]]
            for index, family in enumerate(self._folded.results)
        ]

    def _received(self) -> Received:
        emitted = self.partitioner.emitted_collectives if self._unfolding is None else self._emitted_with_all()
        return Received(self.partitioner.local, emitted)

    def _moved(self) -> Iterable[tuple[Collective, int]]:
        below = {number for one in self._repeats for number in range(one.begin, one.end)}
        for number, one in enumerate(self._emitted):
            if one.op.parent is not None:
                yield one, self._folded.multiplicity if number in below else 1

    def exact(self) -> CandidatePlan:
        if self._unfolding is None:
            self.local()
            # Where they were multiplied, they may be rounded another way.
            self.__dict__.pop("bytes", None)
        return self

    def is_same_as(self, other: CandidatePlan) -> bool:
        mine, its = self.partitioner, other.partitioner
        if self._unfolding is not None or mine.module is not its.module or not shortcuts.taken():
            return False
        # Locations say of which layer something is.
        return is_same_program(mine.local, its.local)

    def moves_less_than(self, other: CandidatePlan) -> bool:
        """Whether each device receives less than with ``other``.

        Raises:
            NotAlike: with all layers it might not be so, because of rounding.
        """
        mine, its = self.bytes, other.bytes
        if not (mine.is_integer() and its.is_integer()) and abs(mine - its) <= _ROUNDED * its:
            raise NotAlike
        return mine < its

    # --- with all layers ----------------------------------------------------------------------------------------------

    def local(self) -> Operation:
        if self._unfolding is None:
            channels = [(one, _channel(one.op)) for one in self._emitted]
            self._unfolding = Unfolding(self._splice, self.partitioner.local)
            properties = with_entry_attributes(self._function.properties, "res_attrs", self._source.results_attributes)
            rewriting.set_properties(self._function, properties)
            self._give_channels(channels)
        return self.partitioner.local

    def _whole(self) -> Unfolding:
        """The program of one device, unfolded."""
        self.local()
        assert self._unfolding is not None
        return self._unfolding

    def program(self) -> Operation:
        self._source.unfolded()
        return self.partitioner.module

    def entries(self) -> Mapping[str, tuple[FunctionType, Specialization]]:
        special = self.partitioner.entries[self._name]
        places = {index: place for place, index in enumerate(self._folded.returned)}
        results = []
        for index, family in enumerate(self._folded.results):
            results.append(places[index if index in places or family is None else family[0]])
        whole = special._replace(results=tuple(special.results[place] for place in results))
        return {self._name: (function_type(self._folded.layers.function), whole)}

    # --- collectives --------------------------------------------------------------------------------------------------

    def _in_order(self) -> Iterator[tuple[Collective, int | None]]:
        """Those of all layers, in the order in which they would have been emitted: the one that was emitted, and the
        layer for which it stands if that was left out."""
        done = 0
        for position, (series, layer) in self._insertions():
            one = next(one for one in self._repeats if one.series == series)
            yield from ((found, None) for found in self._emitted[done:position])
            done = position
            yield from ((found, layer) for found in self._emitted[one.begin : one.end])
        yield from ((found, None) for found in self._emitted[done:])

    def _insertions(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """The layers that were left out and ask for collectives, by series, in order, and before which collective those
        belong."""
        count = len(self._folded.layers.series)
        found = []
        for one in self._repeats:
            if one.series < count:
                found += [
                    (self._number_behind_layer(one, layer), (one.series, layer))
                    for layer in self._splice.left_out(one.series)
                ]
        repeated = {one.series: one for one in self._repeats}
        for index, series, layer in self._splice.results_left_out():
            if series in repeated:
                found.append((self._number_behind(index), (series, layer)))
        return iter(sorted(found, key=lambda one: one[0]))

    def _number_behind_layer(self, one: _Repeat, layer: int) -> int:
        """The number of the first collective that is emitted behind those of ``layer``, one that is left out, for the
        series of ``one``."""
        series = self._folded.layers.series[one.series]
        if not series.order:
            return one.end if series.direction > 0 else one.begin
        position = series.begin_of(layer)
        homes = [(number, its) for number, (which, its) in self._homes if which == one.series]
        later = (number for number, its in homes if series.begin_of(its) > position)
        return next(later, homes[-1][0] + 1)

    def _number_behind(self, index: int) -> int:
        """The number of the first collective that is emitted for a result behind result ``index``."""
        behind = {op for other, own in self._splice.epilogues.items() if other > index for op in own}
        return next((number for number, one in enumerate(self._emitted) if one.op in behind), len(self._emitted))

    def _give_channels(self, channels: list[tuple[Collective, ChannelHandle | None]]) -> None:
        """Gives collectives the channels that they would have."""
        handles = {one.op: handle for one, handle in channels}
        number = 0
        for one, layer in self._in_order():
            handle = handles[one.op]
            if handle is None:
                continue
            number += 1
            op = one.op
            if layer is not None:
                if op.parent is None:
                    continue
                op = self._whole().counterpart_of(op, layer)
            if (op.parent is not None and handle.handle != number) or layer is not None:
                rewriting.set_properties(op, op.properties.with_(_CHANNEL, ChannelHandle(number, handle.type)))
                op.signature = None

    def _emitted_with_all(self) -> list[Collective]:
        """Those of all layers, each on behalf of the layer that it was emitted for."""
        unfolding = self._whole()
        return [
            one if layer is None else replace(one, op=unfolding.counterpart_of(one.op, layer))
            for one, layer in self._in_order()
            if layer is None or one.op.parent is not None
        ]

    def collectives(self) -> list[Collective]:
        """Those of all layers, each on behalf of its own."""
        whole, unfolding = self._source.unfolded(), self._whole()
        found = []
        for one, layer in self._in_order():
            if layer is None:
                home = None if one.cause is None or one.tensor is None else self._home_of_cause(one, one.cause)
                tensor = one.tensor if home is None or one.tensor is None else whole.counterpart(one.tensor, home)
                found.append(one if tensor is one.tensor else replace(one, tensor=tensor))
            elif one.op.parent is not None:
                op = unfolding.counterpart_of(one.op, layer)
                cause = None if one.cause is None else whole.counterpart_of(one.cause, layer)
                tensor = None if one.tensor is None else whole.counterpart(one.tensor, layer)
                found.append(replace(one, op=op, cause=cause, tensor=tensor))
        return found

    def _home_of_cause(self, one: Collective, cause: Operation) -> int | None:
        """From where to see what ``one`` moves, which was emitted for ``cause``; None if that is in no layer near the
        splice point."""
        if cause is self._source.function.body.terminator:
            # The function asks for what it returns; which layer made that is seen behind it.
            return self._splice.home(one.op)
        return self._source.splice.home(cause)

    # --- values -------------------------------------------------------------------------------------------------------

    def _pairs(self) -> Iterator[tuple[Value, Value, int]]:
        """Values of the layer below the splice point, each with its counterpart in another layer, and that layer."""
        folded = self._folded
        for layer in range(folded.first, folded.end):
            yield from zip(self._made_by(self._folded.below), self._made_by(layer), repeat(layer))
        for family, index, layer in self._source.splice.arguments_left_out():
            yield self._arguments[family], self._arguments[index], layer

    def _made_by(self, layer: int) -> Iterator[Value]:
        """Those that a layer makes, and in it."""
        for series in range(len(self._source.splice.template)):
            for op in self._source.unfolded().rows[series, layer]:
                if not op.regions:
                    yield from op.results
                    continue
                for inner in op.operations():
                    yield from values_inside(inner)

    def _near(self) -> Iterator[tuple[Value, int]]:
        """Values of the layers beside those that were left out, of which users may have made forms that are now made
        there, and from where to see them."""
        folded, arguments = self._folded, self._source.splice.arguments_near()
        reach = max(self._splice.reach, self._source.splice.reach)
        for layer in (*range(folded.first - reach, folded.first), *range(folded.end, folded.end + reach)):
            home = self._source.splice.home_of_layer(layer)
            yield from zip(self._made_by(layer), repeat(home))
            yield from ((self._arguments[index], home) for index in arguments.get(layer, ()))

    def origins(self) -> Mapping[Value, Value]:
        found, whole = dict(self.partitioner.origins), self._source.unfolded()
        for value, its, layer in self._pairs():
            origin = self.partitioner.origins.get(value)
            if origin is not None:
                found[its] = whole.counterpart(origin, layer)
        # What the layers beside those that were left out read of them.
        for value, origin in self.partitioner.origins.items():
            home = self._source.splice.home_of(value)
            if home is not None:
                found[value] = whole.counterpart(origin, home)
        return found

    def left(self) -> dict[Value, Layout]:
        """With free results: where each value came to be."""
        left = dict(self.partitioner.left)
        for value, its, _ in self._pairs():
            layout = left.get(value)
            if layout is not None:
                left[its] = layout
        return left

    def values(self) -> Mapping[Value, Sharded]:
        """What each value has become."""
        found = dict(self.partitioner.env)
        known: dict[tuple[Sharded, int], Sharded] = {}
        # What layers make of the same values is made once, for all of them.
        values = zip(self._made_by(self._folded.below), self._made_by(self._folded.end), strict=True)
        of_all = {found[value] for value, its in values if value in found and found[value] is found.get(its)}
        for value, its, layer in self._pairs():
            form = found.get(value)
            if form is not None:
                found[its] = form if form in of_all else self._moved_form(form, layer, known)
        near = [(value, layer) for value, layer in self._near() if value in found]
        found.update(
            [
                (value, self._moved_form(found[value], layer, known))
                for value, layer in near
                if found[value] not in of_all
            ]
        )
        return found

    def _moved_form(self, form: Sharded, layer: int, known: dict[tuple[Sharded, int], Sharded]) -> Sharded:
        made = known.get((form, layer))
        if made is None:
            versions: list[Sharded] = []
            for one in form.versions:
                value = self._whole().counterpart(one.value, layer)
                known[one, layer] = Sharded(value, one.type, one.layout, one.recipe, versions)
            made = known[form, layer]
        return made


def _form(sharded: Sharded) -> object:
    layouts = tuple([one.layout for one in sharded.versions])
    return sharded.layout, chain_of(sharded), layouts, len(sharded.masked or ())


def _epilogues(folded: Folded, function: Operation) -> dict[int, Sequence[Operation]]:
    """What is made of each result of the program before ``function`` returns it, by its number."""
    terminator = function.body.terminator
    made = [op for op in function.body if op.location == terminator.location and op is not terminator]
    numbers = {op: number for number, op in enumerate(made)}
    found: dict[int, Sequence[Operation]] = {}
    for index, value in zip(folded.returned, terminator.operands, strict=True):
        pending, own = [value.defining_op], []
        for op in pending:
            number = numbers.pop(op, None) if op is not None else None
            if op is not None and number is not None:
                own.append(number)
                pending += [operand.defining_op for nested in op.operations() for operand in nested.operands]
        found[index] = [made[number] for number in sorted(own)]
    return found


def _channel(op: Operation) -> ChannelHandle | None:
    handle = op.properties.entries.get(_CHANNEL)
    return handle if isinstance(handle, ChannelHandle) else None
