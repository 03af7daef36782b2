"""Count: the collectives of all layers, from those that the partitioner has emitted for a folded program.

The partitioner emits the collectives of a layer one after the other. ``LayerCollectives`` certifies that the layers at
the splice point asked for the same ones, and says where those of the layers that were left out belong between the
emitted ones. From this order come their channels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pyshardy.dialects.stablehlo.attributes import ChannelHandle
from pyshardy.emitting.collectives import Collective
from pyshardy.folding.certifying.likeness import NeedsMoreLayers
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.detecting.series import Home
from pyshardy.folding.folded import NoCertificate
from pyshardy.folding.unfolding import Unfolding
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation

CHANNEL = "channel_handle"
"""The property with the channel of a collective, which differs between layers."""


class _TemplateCollectives(NamedTuple):
    """The collectives that the template asked for in ``series``: number ``begin`` up to (excluding) ``end`` of those
    that were emitted."""

    begin: int
    end: int
    series: int


class LayerCollectives:
    """The collectives of all layers: those that were ``emitted`` for the folded program with this ``splice`` point, in
    their order, and the counterparts of the template's in the layers that were left out. ``largest_source_channel`` is
    the largest channel of the source program, 0 if it has none.

    Raises:
        NeedsMoreLayers: there is no certificate, but there might be one if more layers were kept.
        NoCertificate: there is no certificate.
    """

    def __init__(self, splice: Splice, emitted: Sequence[Collective], largest_source_channel: int) -> None:
        self._splice = splice
        self._folded = splice.folded
        self.emitted = emitted
        self._largest_source_channel = largest_source_channel
        homes = list(map(self._home, emitted))
        self._homes = [(number, home) for number, home in enumerate(homes) if home is not None]
        self._of_template = self._collectives_of_template(homes)
        self._numbers_in_template = {number for one in self._of_template for number in range(one.begin, one.end)}
        """The numbers of the emitted collectives that the template asked for."""
        self._check_channels()

    # --- whether layers are alike -------------------------------------------------------------------------------------

    def _home(self, one: Collective) -> Home | None:
        """The home of the operation for which ``one`` was emitted; None if it is in no layer. A collective
        that is not in the program any more is placed by its location.

        Raises:
            NoCertificate: it is not known, or the collective stands apart from its layer.
        """
        position = self._splice.position_if_alike(one.op)
        if position is not None:
            return Home(position.series, self._folded.full_number(position.layer))
        if one.op.parent is None and one.op.location == self._splice.block.terminator.location:
            # It was emitted for some result of the function; for which one is no longer known.
            raise NoCertificate("it is not known for which result a collective was emitted")
        home = self._folded.home(one.op.location)
        if home is None:
            return None
        if one.op.parent is self._splice.block and home.layer in self._splice.layers_compared():
            if home.layer in (self._folded.below, self._folded.end):
                raise NoCertificate("a collective stands apart from its layer")
            raise NeedsMoreLayers(self._folded)
        return home

    def _collectives_of_template(self, homes: Sequence[Home | None]) -> list[_TemplateCollectives]:
        """The collectives that the template asked for, by series (those of epilogues included), where it asked for any.
        ``homes`` are those of all emitted ones.

        Raises:
            NoCertificate: the layer above the splice point asked for others, or those of a layer were not emitted one
                after the other.
        """
        folded = self._folded
        found = []
        for series in range(len(self._splice.template)):
            expected: list[tuple[object, ...]] | None = None
            for layer in (folded.below, folded.end):
                numbers = [number for number, home in enumerate(homes) if home == (series, layer)]
                if numbers and numbers != list(range(numbers[0], numbers[-1] + 1)):
                    raise NoCertificate("collectives of a layer were not emitted one after the other")
                keys = [_key(self.emitted[number]) for number in numbers]
                if expected is not None and keys != expected:
                    raise NoCertificate("the layers at the splice point asked for other collectives")
                expected = keys
                if layer == folded.below and numbers:
                    found.append(_TemplateCollectives(numbers[0], numbers[-1] + 1, series))
        return found

    def _check_channels(self) -> None:
        """Tests that ``give_channels`` can number the channels of all layers. Most collectives have a new channel, the
        next number. The first one of a channel of the source program keeps it. With all layers the same ones
        must be the first: none of the template, and none behind a layer that was left out and might have the channel.

        Raises:
            NoCertificate: it cannot.
        """
        handles = [_channel(one.op) for one in self.emitted]
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

    # --- those of all layers ------------------------------------------------------------------------------------------

    def times(self) -> Iterator[tuple[Collective, int]]:
        """Each emitted collective with how often it counts with all layers."""
        for number, one in enumerate(self.emitted):
            yield one, self._folded.multiplicity if number in self._numbers_in_template else 1

    def of_template(self) -> Iterator[Collective]:
        """The collectives that the template asked for."""
        return (self.emitted[number] for number in self._numbers_in_template)

    def in_order(self) -> Iterator[tuple[Collective, int | None]]:
        """The collectives of all layers in the order in which they would have been emitted: (collective, None) for one
        that was emitted, (collective of the template, layer) for its counterpart in a layer that was left out."""
        done = 0
        for position, one, layer in self._insertions():
            yield from ((found, None) for found in self.emitted[done:position])
            done = position
            yield from ((found, layer) for found in self.emitted[one.begin : one.end])
        yield from ((found, None) for found in self.emitted[done:])

    def _insertions(self) -> list[tuple[int, _TemplateCollectives, int]]:
        """The places of collectives of layers that were left out, in order: the number of the emitted collective that
        they come before, their counterparts in the template, and the layer."""
        repeated = {one.series: one for one in self._of_template}
        found = [
            (self._number_behind_layer(one, layer), one, layer)
            for one in self._of_template
            if one.series < len(self._folded.series)
            for layer in self._splice.insertions.left_out(one.series)
        ]
        found += [
            (self._number_behind(index), repeated[series], layer)
            for index, series, layer in self._splice.insertions.results_left_out()
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
        behind = {op for other, own in self._splice.series.epilogues.items() if other > index for op in own}
        return next((number for number, one in enumerate(self.emitted) if one.op in behind), len(self.emitted))

    def give_channels(self, unfolding: Unfolding) -> None:
        """Gives the collectives of all layers, which ``unfolding`` has written, the channels that they would have had:
        numbers in the order in which they would have been emitted, behind those of the source program."""
        handles = {one.op: _channel(one.op) for one in self.emitted}
        number = self._largest_source_channel
        for one, layer in self.in_order():
            handle = handles[one.op]
            if handle is None or handle.handle <= self._largest_source_channel:
                continue
            number += 1
            op = one.op
            if layer is not None:
                if op.parent is None:
                    continue
                op = unfolding.counterpart_of(op, layer)
            if (op.parent is not None and handle.handle != number) or layer is not None:
                rewriting.set_properties(op, op.properties.with_(CHANNEL, ChannelHandle(number, handle.type)))
                op.signature = None


def _key(one: Collective) -> tuple[object, ...]:
    """What has to be equal for collectives of layers that are alike."""
    return one.kind, one.axes, one.group_size, one.bytes, _channel(one.op) is None, one.op.parent is None


def _channel(op: Operation) -> ChannelHandle | None:
    handle = op.properties.entries.get(CHANNEL)
    return handle if isinstance(handle, ChannelHandle) else None
