"""Count: a candidate plan of a folded program, and what it costs with all layers.

A ``FoldedPlan`` is made of what the partitioner has made of a folded program. It certifies that layers near the splice
point are alike there, too: their operations (``Splice``), the versions of their values, the collectives they asked for.
Then it answers as the plan of the whole program would. Bytes and work are those of the folded program plus those of
the template times the number of layers left out; memory is worked out by ``peak``. What needs the operations of all
layers (the text, collectives with their channels and causes, the versions of values) unfolds the program of one device
first, and the propagated program if need be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.attributes import ChannelHandle
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.folding.certifying.constant_copies import add_free_constants
from pyshardy.folding.certifying.fused_alike import are_fused_alike
from pyshardy.folding.certifying.likeness import NeedsMoreLayers
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.certifying.versions import compare_versions
from pyshardy.folding.counting.counted_programs import counted_program
from pyshardy.folding.counting.peak import PeakOfLayers, peak_with_all_layers
from pyshardy.folding.detecting.free_constants import splat_in
from pyshardy.folding.detecting.series import Home
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.folding.program import FoldedProgram
from pyshardy.folding.unfolding import Unfolding, values_inside
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import FunctionType, Type
from pyshardy.partitioning.account.counted import (
    CountedMemory,
    CountedPlan,
    CountedProgram,
    CountsDiffer,
    counted_collectives,
)
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.memory_model import IN_PROGRAM_ORDER, MemoryModel
from pyshardy.partitioning.account.work import Work
from pyshardy.partitioning.candidate_plan import (
    CandidatePlan,
    CannotPrice,
    kinds_of_collectives,
    kinds_of_operations,
)
from pyshardy.partitioning.localizing.run import Specialization
from pyshardy.partitioning.partitioner import Partitioner

_CHANNEL = "channel_handle"
_IGNORED = frozenset({_CHANNEL})
_ROUNDED = 1e-9
"""Bytes of two plans that differ by no more than this share may be equal but for rounding."""


class _TemplateCollectives(NamedTuple):
    """The collectives that the template asked for in ``series``: number ``begin`` up to (excluding) ``end`` of those
    that were emitted."""

    begin: int
    end: int
    series: int


class FoldedPlan(CandidatePlan):
    """The plan that ``partitioner`` has made of ``program``, which is folded. ``_source`` is this propagated program,
    and ``_splice`` the splice point in the program of one device.

    Raises:
        NeedsMoreLayers: there is no certificate, but there might be one if more layers were kept.
        NoCertificate: there is no certificate.
    """

    def __init__(self, program: FoldedProgram, partitioner: Partitioner) -> None:
        super().__init__(partitioner)
        self._source = program
        ((self._name, special),) = partitioner.entries.items()
        self._function = functions_by_name(partitioner.local)[special.name]
        self._folded = folded = program.folded.of(partitioner.local, self._function)
        if not folded.free_splats_left_out().isdisjoint(map(splat_in, partitioner.builder.splats)):
            # With all layers this would be one constant with that of a layer, and stand where it was made first.
            raise NoCertificate("the partitioner has made a constant equal to one of a layer that was left out")
        add_free_constants(folded, self._function.body)
        self._emitted = partitioner.emitted_collectives
        epilogues = _epilogues(folded, self._function)
        self._splice = Splice(folded, epilogues, _IGNORED)
        self._arguments = program.function.body.arguments
        self._unfolding: Unfolding | None = None
        compare_versions(program.splice, partitioner.env)
        # A cluster that goes on through all layers would end elsewhere if there were more of them.
        program.splice.check_links(partitioner.cluster_starts)
        self._of_template = self._collectives_of_template()
        self._numbers_in_template = {number for one in self._of_template for number in range(one.begin, one.end)}
        """The numbers of the emitted collectives that the template asked for."""
        self._largest_source_channel = partitioner.program.largest_channel
        """The largest channel of the source program; 0 if it has none."""
        self._check_channels()

    # --- whether layers are alike for the partitioner -----------------------------------------------------------------

    def _check_channels(self) -> None:
        """Tests that ``_give_channels`` can number the channels of all layers. Most collectives have a new channel, the
        next number. The first one of a channel of the source program keeps it. With all layers the same ones
        must be the first: none of the template, and none behind a layer that was left out and might have the channel.

        Raises:
            NoCertificate: it cannot.
        """
        handles = [_channel(one.op) for one in self._emitted]
        kept = [
            number
            for number, one in enumerate(handles)
            if one is not None and one.handle <= self._largest_source_channel
        ]
        new = [one.handle for one in handles if one is not None and one.handle > self._largest_source_channel]
        if new != list(range(self._largest_source_channel + 1, self._largest_source_channel + 1 + len(new))):
            raise NoCertificate("new channels are not numbered in the order of collectives")
        if not self._numbers_in_template.isdisjoint(kept):
            raise NoCertificate("the template has a channel of the source program")
        series = self._folded.series
        for position, one, _ in self._insertions() if kept else ():
            # In other series a layer that was kept comes before those that were left out.
            if one.series < len(series) and series[one.series].order and position <= kept[-1]:
                raise NoCertificate("a layer that was left out may have the first collective of a channel")

    def _collectives_of_template(self) -> list[_TemplateCollectives]:
        """The collectives that the template asked for, by series (those of epilogues included), where it asked for any.

        Raises:
            NoCertificate: the layer above the splice point asked for others, or those of a layer were not emitted one
                after the other.
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
                    raise NoCertificate("collectives of a layer were not emitted one after the other")
                keys = [self._key(self._emitted[number]) for number in numbers]
                if expected is not None and keys != expected:
                    raise NoCertificate("the layers at the splice point asked for other collectives")
                expected = keys
                if layer == folded.below and numbers:
                    found.append(_TemplateCollectives(numbers[0], numbers[-1] + 1, series))
        return found

    def _home_of_collective(self, one: Collective) -> Home | None:
        """The home of the operation for which ``one`` was emitted; None if it is in no layer. A collective
        that is not in the program any more is placed by its location.

        Raises:
            NoCertificate: it is not known, or the collective stands apart from its layer.
        """
        position = self._splice.position_if_alike(one.op)
        if position is not None:
            return Home(position.series, self._folded.full_number(position.layer))
        if one.op.parent is None and one.op.location == self._function.body.terminator.location:
            # It was emitted for some result of the function; for which one is no longer known.
            raise NoCertificate("it is not known for which result a collective was emitted")
        home = self._folded.home(one.op.location)
        if home is None:
            return None
        if one.op.parent is self._function.body and home.layer in self._splice.layers_compared():
            if home.layer in (self._folded.below, self._folded.end):
                raise NoCertificate("a collective stands apart from its layer")
            raise NeedsMoreLayers(self._folded)
        return home

    def _key(self, one: Collective) -> tuple[object, ...]:
        """What has to be equal for collectives of layers that are alike."""
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
        found = self._peak_of_layers if self._unfolding is None and self._are_fused_alike else None
        return memory_of(self.local(), self._entry, IN_PROGRAM_ORDER).peak if found is None else found.bytes

    @cached_property
    def _peak_of_layers(self) -> PeakOfLayers | None:
        types = self._result_types()
        return peak_with_all_layers(self._splice, self.partitioner.local, self._function, types, IN_PROGRAM_ORDER)

    def counted_plan(self) -> CountedPlan:
        if self._unfolding is not None:
            return super().counted_plan()
        module = self.partitioner.module
        found = self.counted(lambda: CountedProgram(module, functions_by_name(module)[self._name]))
        if found is None:
            raise CannotPrice
        return found

    def counted(self, source: Callable[[], CountedProgram]) -> CountedPlan | None:
        """The plan in the form in which costs are added up without unfolding it; ``source`` gives the program before
        propagation in this form. None if the plan is unfolded already, or if collectives in the program of one device
        do not count as often as those that were emitted."""
        if self._unfolding is not None or not self._are_fused_alike:
            return None
        splice, partitioner = self._splice, self.partitioner
        series = [*range(len(self._folded.series)), *splice.epilogue_series.values()]
        local = counted_program(self._folded, partitioner.local, self._function, splice.parts, series, splice)
        times = {
            one.op: self._folded.multiplicity
            for number, one in enumerate(self._emitted)
            if number in self._numbers_in_template
        }
        if any(local.times(op) != number for op, number in times.items() if op.parent is self._function.body):
            return None
        collectives = counted_collectives(local, self._emitted)
        return CountedPlan(source, local, collectives, self._memory_by, self._result_types())

    @cached_property
    def _are_fused_alike(self) -> bool:
        """Whether values are fused as they would be with all layers."""
        return are_fused_alike(self._splice)

    def _memory_by(self, model: MemoryModel) -> CountedMemory:
        """The memory that the program of one device needs with all layers, by ``model``.

        Raises:
            CountsDiffer: that is not known.
        """
        if self._unfolding is not None:
            raise CountsDiffer
        types, size = self._result_types(), model.boundary_bytes_of
        peak = peak_with_all_layers(self._splice, self.partitioner.local, self._function, types, model)
        parts = None if peak is None else peak.parts
        if peak is None or parts is None:
            raise CountsDiffer
        arguments = sum(size(argument.type) for argument in self._function.body.arguments)
        return CountedMemory(arguments, sum(map(size, types)), peak.bytes, parts)

    def _result_types(self) -> list[Type]:
        """The types of the results that the function has with all layers."""
        returned = [value.type for value in self._function.body.terminator.operands]
        return [returned[self._folded.place_of_result(index)] for index in range(len(self._folded.results))]

    def _moved(self) -> Iterable[tuple[Collective, int]]:
        for number, one in enumerate(self._emitted):
            if one.op.parent is not None:
                yield one, self._folded.multiplicity if number in self._numbers_in_template else 1

    def is_better_than(self, other: CandidatePlan) -> bool:
        if not (self.bytes.is_integer() and other.bytes.is_integer()):
            for one in (self, other):
                if isinstance(one, FoldedPlan):
                    one._add_up_all_layers()
        return super().is_better_than(other)

    def _add_up_all_layers(self) -> None:
        """Computes ``bytes`` from all layers: products of floats are rounded otherwise than sums."""
        if self._unfolding is None:
            self.local()
            self.__dict__.pop("bytes", None)

    @cached_property
    def _kinds(self) -> tuple[Counter[Hashable], Counter[Hashable]]:
        """Those with all layers: another plan may have been made with other layers kept."""
        operations, collectives = super()._kinds
        if self._unfolding is None:
            (returned,) = kinds_of_operations([self._function.body.terminator])
            template = kinds_of_operations(
                nested for series in self._splice.template for op in series for nested in op.operations()
            )
            repeated = kinds_of_collectives(self._emitted[number] for number in self._numbers_in_template)
            operations.update({kind: self._folded.count * times for kind, times in template.items()})
            collectives.update({kind: self._folded.count * times for kind, times in repeated.items()})
            # With all layers there are all results.
            operations.subtract([returned])
            operations.update([("func.return", *self._result_types())])
        return +operations, +collectives

    def moves_less_than(self, other: CandidatePlan) -> bool:
        """Whether each device receives less than with ``other``.

        Raises:
            NoCertificate: the two are equal but for rounding, so that the answer may be another one with all layers.
        """
        mine, its = self.bytes, other.bytes
        if not (mine.is_integer() and its.is_integer()) and abs(mine - its) <= _ROUNDED * its:
            raise NoCertificate("two plans move equal bytes but for rounding")
        return mine < its

    # --- with all layers ----------------------------------------------------------------------------------------------

    def local(self) -> Operation:
        if self._unfolding is None:
            channels = [(one, _channel(one.op)) for one in self._emitted]
            attributes = self._source.results_attributes
            self._unfolding = Unfolding(self._splice, self.partitioner.local, None, attributes)
            self._give_channels(channels)
        return self.partitioner.local

    def _whole(self) -> Unfolding:
        """The program of one device, unfolded."""
        self.local()
        assert self._unfolding is not None
        return self._unfolding

    def program(self) -> Operation:
        self._source.unfold()
        return self.partitioner.module

    def entries(self) -> Mapping[str, tuple[FunctionType, Specialization]]:
        special = self.partitioner.entries[self._name]
        places = map(self._folded.place_of_result, range(len(self._folded.results)))
        whole = special._replace(results=tuple(special.results[place] for place in places))
        return {self._name: (function_type(self._folded.layers.function), whole)}

    # --- collectives --------------------------------------------------------------------------------------------------

    def _in_order(self) -> Iterator[tuple[Collective, int | None]]:
        """The collectives of all layers in the order in which they would have been emitted: (collective, None) for one
        that was emitted, (collective of the template, layer) for its counterpart in a layer that was left out."""
        done = 0
        for position, one, layer in self._insertions():
            yield from ((found, None) for found in self._emitted[done:position])
            done = position
            yield from ((found, layer) for found in self._emitted[one.begin : one.end])
        yield from ((found, None) for found in self._emitted[done:])

    def _insertions(self) -> list[tuple[int, _TemplateCollectives, int]]:
        """The places of collectives of layers that were left out, in order: the number of the emitted collective that
        they come before, their counterparts in the template, and the layer."""
        repeated = {one.series: one for one in self._of_template}
        found = [
            (self._number_behind_layer(one, layer), one, layer)
            for one in self._of_template
            if one.series < len(self._folded.series)
            for layer in self._splice.left_out(one.series)
        ]
        found += [
            (self._number_behind(index), repeated[series], layer)
            for index, series, layer in self._splice.results_left_out()
            if series in repeated
        ]
        return sorted(found, key=lambda one: one[0])

    def _number_behind_layer(self, one: _TemplateCollectives, layer: int) -> int:
        """The number of the emitted collective that those of ``layer``, one that is left out, come before in the series
        of ``one``."""
        series = self._folded.series[one.series]
        if not series.order:
            return one.end if series.direction > 0 else one.begin
        position = series.begin_of(layer)
        homes = [(number, its) for number, (which, its) in self._homes if which == one.series]
        later = (number for number, its in homes if series.begin_of(its) > position)
        return next(later, homes[-1][0] + 1)

    def _number_behind(self, index: int) -> int:
        """The number of the first collective that was emitted for the epilogue of a result later than ``index``."""
        behind = {op for other, own in self._splice.epilogues.items() if other > index for op in own}
        return next((number for number, one in enumerate(self._emitted) if one.op in behind), len(self._emitted))

    def _give_channels(self, channels: list[tuple[Collective, ChannelHandle | None]]) -> None:
        """Gives the collectives of all layers the ``channels`` that they would have had: numbers in the order in which
        they would have been emitted, behind those of the source program."""
        handles = {one.op: handle for one, handle in channels}
        number = self._largest_source_channel
        for one, layer in self._in_order():
            handle = handles[one.op]
            if handle is None or handle.handle <= self._largest_source_channel:
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

    def emitted(self) -> list[Collective]:
        """The collectives that were emitted; once the program is unfolded those of all layers. Their operations are
        those in the program of one device; cause and tensor are those of the collective that was emitted."""
        unfolding = self._unfolding
        if unfolding is None:
            return self.partitioner.emitted_collectives
        return [
            one if layer is None else one._replace(op=unfolding.counterpart_of(one.op, layer))
            for one, layer in self._in_order()
            if layer is None or one.op.parent is not None
        ]

    def collectives(self) -> list[Collective]:
        """The collectives of all layers, with their operations in the program of one device, and with their causes and
        tensors in the propagated program."""
        whole, unfolding = self._source.unfold(), self._whole()
        found = []
        for one, layer in self._in_order():
            if layer is None:
                tensor = one.tensor
                if one.cause is not None and tensor is not None:
                    reference = self._reference_layer_of_cause(one, one.cause)
                    tensor = tensor if reference is None else whole.counterpart(tensor, reference)
                found.append(one if tensor is one.tensor else one._replace(tensor=tensor))
            elif one.op.parent is not None:
                op = unfolding.counterpart_of(one.op, layer)
                cause = None if one.cause is None else whole.counterpart_of(one.cause, layer)
                tensor = None if one.tensor is None else whole.counterpart(one.tensor, layer)
                found.append(one._replace(op=op, cause=cause, tensor=tensor))
        return found

    def _reference_layer_of_cause(self, one: Collective, cause: Operation) -> int | None:
        """The reference layer (``Splice.reference_layer``) for the tensor of ``one``, which was emitted for ``cause``;
        None if it is in no layer near the splice point."""
        if cause is self._source.function.body.terminator:
            # All results have one cause, the terminator. The layer is that of the epilogue the collective is in.
            return self._splice.reference_layer(one.op)
        return self._source.splice.reference_layer(cause)

    # --- values -------------------------------------------------------------------------------------------------------

    def _pairs(self) -> Iterator[tuple[Value, Value, int]]:
        """For each layer that was left out, and each value of it: (counterpart in the template, value, layer)."""
        folded = self._folded
        for layer in range(folded.first, folded.end):
            yield from zip(self._made_by(self._folded.below), self._made_by(layer), repeat(layer))
        for family, index, layer in self._source.splice.arguments_left_out():
            yield self._arguments[family], self._arguments[index], layer

    def _made_by(self, layer: int) -> Iterator[Value]:
        """The values of ``layer`` in the propagated program, which is unfolded: results, arguments of regions, and
        results in regions."""
        for series in range(len(self._source.splice.template)):
            for op in self._source.unfold().rows[series, layer]:
                if not op.regions:
                    yield from op.results
                    continue
                for inner in op.operations():
                    yield from values_inside(inner)

    def _near(self) -> Iterator[tuple[Value, int]]:
        """The values of layers near the splice point, with their reference layers. Their readers may have brought them
        into other layouts; where a reader was on the other side of the splice point, the version belongs now to a layer
        that was left out. Versions made of versions may be farther away than readers are."""
        folded, arguments = self._folded, self._source.splice.arguments_kept()
        reach = max(self._splice.reach, self._source.splice.reach)
        near = sorted({layer for _, layer in self._source.splice.parts})
        for layers in (
            [layer for layer in reversed(near) if layer < folded.first],
            [layer for layer in near if layer >= folded.end],
        ):
            reference = self._source.splice.reference_layer_at(layers[0])
            for distance, layer in enumerate(layers):
                values = [*self._made_by(layer), *(self._arguments[index] for index in arguments.get(layer, ()))]
                if distance >= reach and not any(map(self._has_version_across, values)):
                    break
                yield from zip(values, repeat(reference))

    def _has_version_across(self, value: Value) -> bool:
        """Whether versions of ``value`` are on both sides of the splice point."""
        tensor, below = self.partitioner.env.get(value), self._splice.below
        if tensor is None or len(tensor.versions) < 2:
            return False
        made = [one.value.defining_op for one in tensor.versions]
        found = [self._splice.position_if_alike(op) for op in made if op is not None]
        layers = [position.layer for position in found if position is not None]
        return bool(layers) and min(layers) <= below < max(layers)

    def origins(self) -> Mapping[Value, Value]:
        found, whole = dict(self.partitioner.origins), self._source.unfold()
        for value, its, layer in self._pairs():
            origin = self.partitioner.origins.get(value)
            if origin is not None:
                found[its] = whole.counterpart(origin, layer)
        # Layers near the splice point have origins in layers on the other side, and now in layers that were left out.
        for value, origin in self.partitioner.origins.items():
            reference = self._source.splice.reference_layer_of_value(value)
            if reference is not None:
                found[value] = whole.counterpart(origin, reference)
        return found

    def chosen_layouts(self) -> dict[Value, Layout]:
        """The layout in which each value came to be, of a plan whose results are free."""
        left = dict(self.partitioner.chosen_layouts)
        for value, its, _ in self._pairs():
            layout = left.get(value)
            if layout is not None:
                left[its] = layout
        return left

    def values(self) -> Mapping[Value, Sharded]:
        """What each value has become in the program of one device, in all its versions."""
        found = dict(self.partitioner.env)
        known: dict[tuple[Sharded, int], Sharded] = {}
        # A tensor that the template and its counterpart above share is one for all layers. A value that is in versions
        # of both is one for all, too.
        made = zip(self._made_by(self._folded.below), self._made_by(self._folded.end), strict=True)
        pairs = [(found[value], found[its]) for value, its in made if value in found and its in found]
        of_all = {tensor for tensor, other in pairs if tensor is other}
        shared = {
            one.value
            for tensor, other in pairs
            for one, its in zip(tensor.versions, other.versions, strict=False)
            if one.value is its.value
        }
        for value, its, layer in self._pairs():
            tensor = found.get(value)
            if tensor is not None:
                found[its] = tensor if tensor in of_all else self._counterpart_of_tensor(tensor, layer, known, shared)
        near = [(value, layer) for value, layer in self._near() if value in found]
        found.update(
            [
                (value, self._counterpart_of_tensor(found[value], layer, known, shared))
                for value, layer in near
                if found[value] not in of_all
            ]
        )
        return found

    def _counterpart_of_tensor(
        self, tensor: Sharded, layer: int, known: dict[tuple[Sharded, int], Sharded], shared: Set[Value]
    ) -> Sharded:
        """The counterpart of ``tensor`` if ``layer`` were in the place of the template; ``shared`` values are those of
        all layers, and ``known`` the tensors that have been made."""
        made = known.get((tensor, layer))
        if made is None:
            versions: list[Sharded] = []
            for one in tensor.versions:
                value = one.value if one.value in shared else self._whole().counterpart(one.value, layer)
                known[one, layer] = Sharded(value, one.type, one.layout, one.recipe, versions)
            made = known[tensor, layer]
        return made


def _epilogues(folded: Folded, function: Operation) -> dict[int, Sequence[Operation]]:
    """The epilogue of each result that ``function`` returns, by the number of the result in the program: the operations
    that bring it into the layout in which it is returned. They have the location of the terminator. An operation that
    several results need belongs to the first of these."""
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
