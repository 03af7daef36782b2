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
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import FunctionType
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.few_layers import FewLayers
from pyshardy.partitioning.layer_records import CHANNEL
from pyshardy.partitioning.seam import Parts, Seam, Unlike, values_inside
from pyshardy.partitioning.written_layers import LayeredPartitioner

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
        self._parts: Parts = {
            key: [op for op in found.operations if op.parent is body] for key, found in partitioner.became.items()
        }
        self._function = function
        self._seam = Seam(few.short, function, self._parts, _FREE)
        self._below = few.short.first - 1
        self._arguments = few.watched.block.arguments
        self._emitted = partitioner.emitted_collectives
        self._local: Parts = {}
        self._look_at_account()

    def _look_at_account(self) -> None:
        """Looks whether collectives and channels grow by the same in each layer."""
        partitioner, series = self._partitioner, self._few.short.repetition.series
        if partitioner.taken_channels or partitioner.program.largest_channel:
            raise Unlike
        for number in range(len(series)):
            template = partitioner.became[number, self._below]
            for (other, _), became in partitioner.became.items():
                if other == number and (
                    _length(became.emitted) != _length(template.emitted)
                    or _length(became.channels) != _length(template.channels)
                ):
                    raise Unlike
            for one in partitioner.emitted_collectives[slice(*template.emitted)]:
                if one.op.parent is not None and not self._seam.is_below(one.op):
                    raise Unlike
        if any(self._few.seam.is_in_layer(value) for value in partitioner.origins):
            raise Unlike

    def bytes_left_out(self, received: Received) -> float:
        """What each device receives in the layers that are to be put in."""
        series = range(len(self._few.short.repetition.series))
        return self._few.layers * sum(received.by_operations(self._parts[number, self._below]) for number in series)

    def complete(self) -> None:
        """Puts the layers into the program of one device."""
        few, partitioner = self._few, self._partitioner
        self._local = self._seam.put_in(few.locations)
        attributes = with_entry_attributes(self._function.properties, "res_attrs", few.results_attributes)
        rewriting.set_properties(self._function, attributes)
        special = partitioner.entries[self._name]
        results = tuple(special.results[place] for place in self._places_of_results())
        partitioner.entries[self._name] = special._replace(results=results)
        self._give_channels()

    @property
    def type(self) -> FunctionType:
        """That of the function of the program with all layers."""
        return function_type(self._few.short.repetition.function)

    def _places_of_results(self) -> list[int]:
        """For each result of the program the one of the few that is it, or is like it."""
        short, seam = self._few.short, self._few.seam
        places = {index: place for place, index in enumerate(short.returned)}
        found = []
        for index in range(len(short.repetition.operations[-1].operands)):
            family = None if index in places else seam.result_family(index)
            found.append(places[index if family is None else family[0]])
        return found

    # --- collectives --------------------------------------------------------------------------------------------------

    def _in_order(self) -> Iterator[tuple[Collective, int | None, int]]:
        """Those of all layers, in the order in which they would have been emitted: the one that was emitted, the layer
        for which it stands if that is put in, and how many channels more would have been given before."""
        short, emitted = self._few.short, self._emitted
        done = shift = 0
        for position, number in sorted((self._insertion(one), one) for one in range(len(short.repetition.series))):
            yield from ((one, None, shift) for one in emitted[done:position])
            done = position
            template = self._partitioner.became[number, self._below]
            each, forward = _length(template.channels), short.repetition.series[number].direction > 0
            layers = range(short.first, short.end)
            alike = [one for one in emitted[slice(*template.emitted)] if one.op.parent is not None]
            for turn, layer in enumerate(layers if forward else reversed(layers)):
                yield from ((one, layer, shift + (turn + forward) * each) for one in alike)
            shift += len(layers) * each
        yield from ((one, None, shift) for one in emitted[done:])

    def _give_channels(self) -> None:
        """Gives collectives the channels that they would have."""
        channels = {one.op: _channel(one.op) for one in self._emitted}
        for one, layer, shift in self._in_order():
            handle = channels[one.op]
            if handle is not None and (layer is not None or shift):
                op = one.op if layer is None else self._seam.counterpart_of(one.op, layer, self._local)
                further = ChannelHandle(handle.handle + shift, handle.type)
                rewriting.set_properties(op, op.properties.with_(CHANNEL, further))
                op.signature = None

    def collectives(self) -> list[Collective]:
        """Those of all layers."""
        seam, rows = self._few.seam, self._few.rows
        found = []
        for one, layer, _ in self._in_order():
            if layer is None:
                found.append(one)
                continue
            op = self._seam.counterpart_of(one.op, layer, self._local)
            cause = None if one.cause is None else seam.counterpart_of(one.cause, layer, rows)
            tensor = None if one.tensor is None else seam.counterpart(one.tensor, layer, rows)
            found.append(replace(one, op=op, cause=cause, tensor=tensor))
        return found

    def _insertion(self, number: int) -> int:
        """Before which collective those of the layers of that series belong that are put in."""
        begin, end = self._partitioner.became[number, self._below].emitted
        return end if self._few.short.repetition.series[number].direction > 0 else begin

    # --- values -------------------------------------------------------------------------------------------------------

    def _pairs(self, rows: Parts) -> Iterator[tuple[Value, Value, int]]:
        """Values of the layer below the seam, what is to another layer what they are to it, and that layer."""
        short = self._few.short
        for number in range(len(short.repetition.series)):
            template = rows[number, self._below]
            for layer in range(short.first, short.end):
                for op, made in zip(template, rows[number, layer], strict=True):
                    if not op.regions:
                        yield from zip(op.results, made.results, repeat(layer))
                        continue
                    for inner, copy in zip(op.operations(), made.operations(), strict=True):
                        yield from zip(values_inside(inner), values_inside(copy), repeat(layer))
        for family, index, layer in self._few.seam.arguments_put_in():
            arguments = self._arguments
            yield arguments[family], arguments[index], layer

    def left(self) -> dict[Value, Layout]:
        """With free results: where each value came to be."""
        left = dict(self._partitioner.left)
        for value, its, _ in self._pairs(self._few.rows):
            layout = left.get(value)
            if layout is not None:
                left[its] = layout
        return left

    def forms(self) -> dict[Value, Sharded]:
        """What each value has become."""
        found = dict(self._partitioner.env)
        known: dict[tuple[Sharded, int], Sharded] = {}
        for value, its, layer in self._pairs(self._few.rows):
            form = found.get(value)
            if form is not None:
                found[its] = self._moved_form(form, layer, known)
        return found

    def _moved_form(self, form: Sharded, layer: int, known: dict[tuple[Sharded, int], Sharded]) -> Sharded:
        made = known.get((form, layer))
        if made is None:
            versions: list[Sharded] = []
            for one in form.versions:
                value = self._seam.counterpart(one.value, layer, self._local)
                known[one, layer] = Sharded(value, one.type, one.layout, one.recipe, versions)
            made = known[form, layer]
        return made


def _length(numbers: tuple[int, int]) -> int:
    return numbers[1] - numbers[0]


def _channel(op: Operation) -> ChannelHandle | None:
    handle = op.properties.entries.get(CHANNEL)
    return handle if isinstance(handle, ChannelHandle) else None
