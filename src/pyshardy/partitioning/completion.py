"""The program of one device of a model of which few layers were partitioned: all layers are put in.

``written_layers`` says what became of the layers near the seam; what those became that were left out is written like
it, and the account that a plan shows is completed: collectives with their channels and causes, the forms of values.
``few_layers`` and ``seam`` stand left of this file, ``ways`` right of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import repeat

from pyshardy.dialects.func import function_type, with_entry_attributes
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.attributes import ChannelHandle
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.account.work import Work
from pyshardy.partitioning.few_layers import FewLayers
from pyshardy.partitioning.layer_records import CHANNEL
from pyshardy.partitioning.layers_put_in import LayersPutIn, values_inside
from pyshardy.partitioning.peak_of_layers import peak_with_all_layers
from pyshardy.partitioning.seam import Seam, Unlike
from pyshardy.partitioning.written_layers import Became, LayeredPartitioner

_FREE = frozenset({CHANNEL})


class Completion:
    """What ``partitioner`` lacks, which has gone through the ``few`` layers of a program.

    Raises:
        Unlike: what the layers near the seam became is not alike.
    """

    def __init__(self, few: FewLayers, partitioner: LayeredPartitioner) -> None:
        self._few = few
        self._partitioner = partitioner
        ((name, special),) = partitioner.entries.items()
        self._name = name
        function = functions_by_name(partitioner.local)[special.name]
        body = function.body
        kept = {key: _kept(found, body) for key, found in partitioner.became.items()}
        tails = {few.short.returned[place]: _kept(found, body) for place, found in enumerate(partitioner.returned)}
        self._function = function
        self._seam = Seam(few.short, function, kept, tails, _FREE, few.seam.boundary)
        self._below = few.short.first - 1
        self._arguments = few.watched.block.arguments
        self._emitted = partitioner.emitted_collectives
        self._put_in: LayersPutIn | None = None
        self.type = function_type(few.short.repetition.function)
        """That of the function of the program with all layers."""
        self._became = self._all_became()
        self._look_at_account()

    def _all_became(self) -> dict[tuple[int, int], Became]:
        """What became of the layers near the seam, and of their results."""
        partitioner, short = self._partitioner, self._few.short
        found = dict(partitioner.became)
        for place, became in enumerate(partitioner.returned):
            family = self._few.seam.result_family(short.returned[place])
            series = None if family is None else self._seam.series_of_results.get(family[0])
            if family is not None and series is not None and (series, family[1]) in self._seam.parts:
                found[series, family[1]] = became
        return found

    def _look_at_account(self) -> None:
        """Looks whether collectives and channels grow by the same in each layer."""
        partitioner = self._partitioner
        if partitioner.taken_channels or partitioner.program.largest_channel:
            raise Unlike
        for (series, layer), became in self._became.items():
            template = self._became[series, self._below]
            if not self._seam.is_compared(layer):
                continue
            if _length(became.emitted) != _length(template.emitted):
                raise Unlike
            if _length(became.channels) != _length(template.channels):
                raise Unlike
            if layer == self._below:
                alive = [one.op for one in self._emitted[slice(*became.emitted)] if one.op.parent is not None]
                if not all(map(self._seam.is_below, alive)):
                    raise Unlike
        if any(self._few.seam.is_in_layer(value) for value in partitioner.origins):
            raise Unlike
        # A stretch that goes through all layers ends somewhere else if there are more of them.
        self._few.seam.look_at_links(partitioner.beginnings)

    def bytes_left_out(self, received: Received) -> float:
        """What each device receives in the layers that are to be put in."""
        return self._few.layers * sum(map(received.by_operations, self._seam.template), 0.0)

    def work_left_out(self) -> int:
        """What each device computes in the layers that are to be put in."""
        work = Work(self._partitioner.local, self._partitioner.rules)
        return self._few.layers * sum(map(work.of_all, self._seam.template))

    def peak(self) -> int | None:
        """The most memory that each device needs if the layers are put in; None if that cannot be said before."""
        return peak_with_all_layers(self._seam, self._partitioner.local, self._function)

    def complete(self) -> None:
        """Puts the layers into the program of one device."""
        few, partitioner = self._few, self._partitioner
        self._put_in = LayersPutIn(self._seam, few.locations)
        attributes = with_entry_attributes(self._function.properties, "res_attrs", few.results_attributes)
        rewriting.set_properties(self._function, attributes)
        special = partitioner.entries[self._name]
        results = tuple(special.results[place] for place in self._places_of_results())
        partitioner.entries[self._name] = special._replace(results=results)
        self._give_channels()

    def _local(self) -> LayersPutIn:
        """The layers of the program of one device, once they are put in."""
        assert self._put_in is not None
        return self._put_in

    def _places_of_results(self) -> list[int]:
        """For each result of the program the one of the few that is it, or is like it."""
        short, seam = self._few.short, self._few.seam
        places = {index: place for place, index in enumerate(short.returned)}
        found = []
        for index, family in enumerate(seam.boundary.results):
            found.append(places[index if index in places or family is None else family[0]])
        return found

    # --- collectives --------------------------------------------------------------------------------------------------

    def _in_order(self) -> Iterator[tuple[Collective, int | None, int]]:
        """Those of all layers, in the order in which they would have been emitted: the one that was emitted, the layer
        for which it stands if that is put in, and by how much its channel would be higher."""
        emitted = self._emitted
        done = shift = 0
        for position, channel, series, layer in self._insertions():
            yield from ((one, None, shift) for one in emitted[done:position])
            done = position
            template = self._became[series, self._below]
            further = channel - template.channels[0] + shift
            yield from ((one, layer, further) for one in emitted[slice(*template.emitted)] if one.op.parent is not None)
            shift += _length(template.channels)
        yield from ((one, None, shift) for one in emitted[done:])

    def _insertions(self) -> Iterator[tuple[int, int, int, int]]:
        """The layers that are put in, by series, in order: before which collective theirs belong, and which channel
        would have been the next to be given there."""
        short = self._few.short
        found = []
        layers = range(short.first, short.end)
        for series, one in enumerate(short.repetition.series):
            template, side = self._became[series, self._below], 1 if one.direction > 0 else 0
            position, channel = template.emitted[side], template.channels[side]
            found += [(position, channel, series, layer) for layer in (layers if side else reversed(layers))]
        for index, series, layer in self._seam.results_put_in():
            before = next((place for place, other in enumerate(short.returned) if other > index), None)
            became, side = self._partitioner.returned[-1 if before is None else before], int(before is None)
            found.append((became.emitted[side], became.channels[side], series, layer))
        return iter(sorted(found, key=lambda one: one[0]))

    def _give_channels(self) -> None:
        """Gives collectives the channels that they would have."""
        channels = {one.op: _channel(one.op) for one in self._emitted}
        for one, layer, shift in self._in_order():
            handle = channels[one.op]
            if handle is not None and (layer is not None or shift):
                op = one.op if layer is None else self._local().counterpart_of(one.op, layer)
                further = ChannelHandle(handle.handle + shift, handle.type)
                rewriting.set_properties(op, op.properties.with_(CHANNEL, further))
                op.signature = None

    def emitted(self) -> list[Collective]:
        """Those of all layers, each on behalf of the layer that it was emitted for."""
        return [
            one if layer is None else replace(one, op=self._local().counterpart_of(one.op, layer))
            for one, layer, _ in self._in_order()
        ]

    def collectives(self) -> list[Collective]:
        """Those of all layers, each on behalf of its own."""
        seam, whole = self._few.seam, self._few.whole()
        found = []
        for one, layer, _ in self._in_order():
            if layer is None:
                home = None if one.cause is None or one.tensor is None else seam.home(one.cause)
                tensor = one.tensor if home is None or one.tensor is None else whole.counterpart(one.tensor, home)
                found.append(one if tensor is one.tensor else replace(one, tensor=tensor))
                continue
            op = self._local().counterpart_of(one.op, layer)
            cause = None if one.cause is None else whole.counterpart_of(one.cause, layer)
            tensor = None if one.tensor is None else whole.counterpart(one.tensor, layer)
            found.append(replace(one, op=op, cause=cause, tensor=tensor))
        return found

    # --- values -------------------------------------------------------------------------------------------------------

    def _pairs(self) -> Iterator[tuple[Value, Value, int]]:
        """Values of the layer below the seam, what is to another layer what they are to it, and that layer."""
        short = self._few.short
        for layer in range(short.first, short.end):
            yield from zip(self._values(self._below), self._values(layer), repeat(layer))
        for family, index, layer in self._few.seam.arguments_put_in():
            yield self._arguments[family], self._arguments[index], layer

    def _values(self, layer: int) -> Iterator[Value]:
        """Those that a layer makes, and in it."""
        for series in range(len(self._few.short.repetition.series)):
            for op in self._few.whole().rows[series, layer]:
                if not op.regions:
                    yield from op.results
                    continue
                for inner in op.operations():
                    yield from values_inside(inner)

    def _values_near(self) -> Iterator[tuple[Value, int]]:
        """Values of the layers beside those that were put in, of which users may have made forms that are now made
        there, and from where to see them."""
        short, arguments = self._few.short, self._few.seam.arguments_near()
        reach = max(self._seam.reach, self._few.seam.reach)
        for layer in (*range(short.first - reach, short.first), *range(short.end, short.end + reach)):
            home = self._few.seam.home_of_layer(layer)
            yield from zip(self._values(layer), repeat(home))
            yield from ((self._arguments[index], home) for index in arguments.get(layer, ()))

    def left(self) -> dict[Value, Layout]:
        """With free results: where each value came to be."""
        left = dict(self._partitioner.left)
        for value, its, _ in self._pairs():
            layout = left.get(value)
            if layout is not None:
                left[its] = layout
        return left

    def forms(self) -> dict[Value, Sharded]:
        """What each value has become."""
        found = dict(self._partitioner.env)
        known: dict[tuple[Sharded, int], Sharded] = {}
        # What layers make of the same values is made once, for all of them.
        values = zip(self._values(self._below), self._values(self._few.short.end), strict=True)
        of_all = {found[value] for value, its in values if value in found and found[value] is found.get(its)}
        for value, its, layer in self._pairs():
            form = found.get(value)
            if form is not None:
                found[its] = form if form in of_all else self._moved_form(form, layer, known)
        near = [(value, layer) for value, layer in self._values_near() if value in found]
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
                value = self._local().counterpart(one.value, layer)
                known[one, layer] = Sharded(value, one.type, one.layout, one.recipe, versions)
            made = known[form, layer]
        return made


def _kept(became: Became, block: Block) -> list[Operation]:
    """What has not been taken out again."""
    return [op for op in became.operations if op.parent is block]


def _length(numbers: tuple[int, int]) -> int:
    return numbers[1] - numbers[0]


def _channel(op: Operation) -> ChannelHandle | None:
    handle = op.properties.entries.get(CHANNEL)
    return handle if isinstance(handle, ChannelHandle) else None
