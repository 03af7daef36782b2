"""Layers that are written as the layer before them was, operation by operation.

Of the inner layers of a model (``inner_layers``) the first ones, in the order of the program, are partitioned as all
else. What one of their operations became is kept: the local operations at the end of the function, which forms of its
operands they take, which forms its operands have got, and those of its results. Once two layers on end agree in that,
the operation becomes the same in the layers that follow, and is written there, as long as it finds its operands in the
same forms. That is exact, since what it becomes depends on nothing else: it was made alike, what is around it is alike
and has become the same so far. What does more than that (makes something for the whole function, belongs to a stretch,
gives forms to what is no operand of it, or has a region that reads from outside) is partitioned as all else in each
layer. ``layer_records`` and ``partitioner`` stand left of this file, ``ways`` right of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.change_log import edition
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Block, Operation, OpResult, Region, Value
from pyshardy.partitioning.inner_layers import InnerLayers
from pyshardy.partitioning.layer_records import (
    AT_HAND,
    CHANNEL,
    Begun,
    Found,
    Record,
    Ref,
    References,
    are_in_forms,
    form_of,
)
from pyshardy.partitioning.localizing.free_results import chain_of
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.remaking import remade
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import SHARED, Partitioner, identity_of
from pyshardy.partitioning.stretches import BEGINNINGS

_MOST_TRIES = 4
"""What does not agree in so many layers is not looked at in the others."""


class _Place:
    """An operation of each layer of a series: the key of what it became in the last one that was looked at, as what it
    is ``written`` from now on, and how many more layers are looked at if it is not."""

    __slots__ = ("last", "tries", "written")

    def __init__(self) -> None:
        self.last: Hashable = None
        self.written: Record | None = None
        self.tries = _MOST_TRIES


class Watched(NamedTuple):
    """Stretches of the operations of ``block`` that the partitioner is to keep apart what becomes of: from which number
    up to (excluding) which, by what they are called."""

    block: Block
    stretches: dict[tuple[int, int], tuple[int, int]]


class Became(NamedTuple):
    """What became of a stretch: its local ``operations``, and from which number up to (excluding) which collectives
    were ``emitted`` and ``channels`` were given."""

    operations: list[Operation]
    emitted: tuple[int, int]
    channels: tuple[int, int]


class _Mark(NamedTuple):
    """How far a run was: the last operation it had emitted, how many collectives, and the channel to be given next."""

    last: Operation | None
    emitted: int
    channel: int


def _between(block: Block, first: Operation | None, last: Operation | None) -> list[Operation]:
    """The operations of ``block`` behind ``first`` up to ``last``."""
    found: list[Operation] = []
    op = first
    while op is not last:
        op = block.first if op is None else op.next_op
        assert op is not None
        found.append(op)
    return found


def _locate(regions: tuple[Region, ...], source: Operation, op: Operation) -> None:
    """Says of what is in ``regions``, copies of what ``source`` became, where that stands for ``op``."""
    where = {one.location: other.location for one, other in zip(source.operations(), op.operations(), strict=True)}
    for region in regions:
        for block in region.blocks:
            for first in block:
                for nested in first.operations() if first.regions else (first,):
                    nested.location = where.get(nested.location, nested.location)


class LayeredPartitioner(Partitioner):
    """Partitions, and writes those of the ``layers`` of the module that become what the ones before them became. What
    stretches that are ``watched`` became stands in ``became`` then, what was made of each result in ``returned``."""

    def __init__(
        self,
        program: Program,
        layers: InnerLayers,
        context: Context,
        options: RunOptions,
        watched: Watched | None = None,
    ) -> None:
        super().__init__(program, context, options)
        self.became: dict[tuple[int, int], Became] = {}
        self.returned: list[Became] = []
        self._watched = watched
        self._rest: list[_Place] = []
        self._begins: dict[int, list[_Place]] = {}
        """By the number of the first operation of a layer its places, which are one list for each series."""
        self._operations: list[Operation] = []
        self._layers = layers
        if len(layers):
            self._operations = layers.repetition.operations
            for one in layers.repetition.series:
                places = [_Place() for _ in range(one.period)]
                for layer in range(layers.first, layers.end):
                    self._begins[one.begin_of(layer)] = places

    def emit_operations(self, block: Block) -> Operation:
        """Emits every operation of ``block`` but the terminator, which is returned."""
        watched = self._watched
        if watched is not None and watched.block is block:
            return self._emit_watched(watched)
        if not self._begins or self._layers.repetition.function.body is not block:
            return super().emit_operations(block)
        end = len(self._operations) - 1
        self._emit_from(0, end)
        self._begin(self._operations[end])
        return self._operations[end]

    def _emit_from(self, number: int, end: int) -> None:
        """Emits the operations from ``number`` up to (excluding) ``end``; a layer may end behind it."""
        operations, begins, rest = self._operations, self._begins, self._rest
        while number < end:
            places = rest or begins.get(number)
            if places is None:
                self._emit(operations[number])
                number += 1
            else:
                now = places[: end - number]
                self._emit_layer(now, operations[number : number + len(now)])
                rest = places[len(now) :]
                number += len(now)
        self._rest = rest

    def _emit_watched(self, watched: Watched) -> Operation:
        """Emits a block of which some stretches are watched."""
        operations = self._operations = self._operations or list(watched.block)
        marks: dict[int, _Mark] = {}
        number = 0
        for stop in sorted({number for stretch in watched.stretches.values() for number in stretch}):
            self._emit_from(number, stop)
            marks[stop] = self._mark()
            number = stop
        end = len(operations) - 1
        self._emit_from(number, end)
        for key, (begin, stop) in watched.stretches.items():
            self.became[key] = self._between(marks[begin], marks[stop])
        self._begin(operations[end])
        return operations[end]

    def _returned(self, value: Value, layout: Layout) -> Sharded:
        if self._watched is None or len(self._open) > 1:
            return super()._returned(value, layout)
        begin = self._mark()
        found = super()._returned(value, layout)
        self.returned.append(self._between(begin, self._mark()))
        return found

    def _mark(self) -> _Mark:
        return _Mark(self.builder.block.last, len(self.collectives.emitted), self.builder.next_channel)

    def _between(self, begin: _Mark, end: _Mark) -> Became:
        made = _between(self.builder.block, begin.last, end.last)
        return Became(made, (begin.emitted, end.emitted), (begin.channel, end.channel))

    def _emit_layer(self, places: list[_Place], operations: list[Operation]) -> None:
        env, brought, block = self.env, self._stretches.brought, self.builder.block
        is_noted = self.wishes.free_results
        for place, op in zip(places, operations, strict=True):
            record = place.written
            if record is None:
                if place.tries:
                    self._look(place, op)
                else:
                    self._emit(op)
                continue
            if record.layout is not None and record.layouts is not None and op not in brought:
                operands = []
                for operand, (layout, recipes) in zip(op.operands, record.layouts, strict=True):
                    form = env[operand]
                    if form.layout is not layout or len(form.versions) > 1 or form.masked is not None:
                        break
                    if chain_of(form) != recipes:
                        break
                    operands.append(form)
                else:
                    values = [form.value for form in operands]
                    made = rewriting.append_alike(block, record.local[0].op, values, op.location)
                    (result,) = op.results
                    env[result] = Sharded(made, result.type, record.layout)
                    env[result].remake = remade(self, op, operands, env[result])
                    if is_noted:
                        self._note(result)
                    self._count()
                    continue
            if op in brought or not self._written(op, record):
                self._emit(op)

    # --- looking at what becomes of operations ------------------------------------------------------------------------

    def _look(self, place: _Place, op: Operation) -> None:
        """Emits ``op`` as any other, and looks whether it became what it became in the layer before."""
        before, found = place.last, self._recorded(op)
        place.last = found.key() if found is not None else None
        place.tries -= 1
        if before is not None and before == place.last:
            place.written = found

    def _recorded(self, op: Operation) -> Record | None:
        """Emits ``op``, and returns what it became; None if that is more than a record can say."""
        env, block, emitted = self.env, self.builder.block, self.collectives.emitted
        operands = [env[value] for value in op.operands]
        forms = tuple([form_of(one, self.builder) for one in operands])
        counts = [len(one.versions) for one in operands]
        stretches = self._stretches
        stretches.begun.clear()
        stretches.decided.clear()
        wanted = tuple(self.wishes.for_results(op)) if op.name in SHARED else None
        identity = identity_of(op, operands, wanted) if wanted is not None else None
        known = self._shared(identity)
        last, mark, moves, marks = block.last, len(emitted), edition(), self._marks()
        self._emit(op)
        if op in stretches.brought or any(one.masked is not None for one in operands):
            return None
        numbers = self._layers.repetition.numbers
        if any(one not in numbers for one in stretches.decided):
            return None
        begun = None
        if op.name in BEGINNINGS:
            distances = tuple([numbers[one] - numbers[op] for one in stretches.decided])
            begun = Begun(tuple(stretches.begun), distances)
        if known is not None:
            return Record(op, forms, (), (), (), wanted, begun, is_shared=True)
        made = block.behind(last)
        all_made = sum(len(one.operations()) if one.regions else 1 for one in made)
        if edition() - moves != all_made or self._marks() != (marks[0] + len(op.results), *marks[1:]):
            return None
        references = References(operands, counts, made)
        local, new_forms = references.local(emitted[mark:], op), references.new_forms()
        results = [references.result(env[result], result) for result in op.results]
        if local is None or new_forms is None or None in results:
            return None
        found = tuple([one for one in results if one is not None])
        record = Record(op, forms, local, new_forms, found, wanted, begun, is_shared=False)
        record.note_one_operation(operands)
        return record

    def _marks(self) -> tuple[int, ...]:
        """Numbers that grow if an operation does more than a record can say; the first, by its results."""
        return (
            len(self.env),
            len(self.origins),
            len(self.taken_channels),
            len(self.specializations),
            len(self.builder.function.known),
            self.collectives.permutes,
            self.forms_behind,
        )

    # --- writing ------------------------------------------------------------------------------------------------------

    def _written(self, op: Operation, record: Record) -> bool:
        """Whether ``op`` could be written as its ``record`` says."""
        env, builder = self.env, self.builder
        operands = [env[value] for value in op.operands]
        if not are_in_forms(record.forms, operands, builder):
            return False
        identity = identity_of(op, operands, record.wanted) if record.wanted is not None else None
        known = self._shared(identity)
        if (known is not None) != record.is_shared:
            return False
        begun = record.begun
        if begun is not None:
            if tuple(self._stretches.would_begin(op)) != begun.operands:
                return False
            number = self._layers.repetition.numbers[op]
            decided = [self._operations[number + distance] for distance in begun.distances]
            self._stretches.begin_alike(op, begun.operands, decided)
        if known is not None:
            self._leave_at(op.results[0], known)
            self._count()
            return True
        builder.location = op.location
        made: list[Sequence[OpResult]] = []

        def value_of(ref: Ref) -> Value:
            if isinstance(ref, Value):
                return ref
            which, number = ref
            if which < 0:
                return made[-1 - which][number]
            operand = operands[which]
            return operand.value if number == AT_HAND else operand.versions[number].value

        for alike, refs, moved in record.local:
            values = list(map(value_of, refs))
            regions = tuple([rewriting.copied_region(region) for region in alike.regions])
            if regions:
                _locate(regions, record.source, op)
            if moved is None and len(alike.results) == 1:
                made.append((rewriting.append_alike(builder.block, alike, values, op.location, regions),))
                continue
            properties = alike.properties
            if moved is not None:
                properties = DictionaryAttr({**properties.entries, CHANNEL: builder.channel()})
            types = [result.type for result in alike.results]
            local = builder.create(alike.name, values, types, properties, alike.attributes, regions)
            made.append(local.results)
            if moved is not None:
                tensor = moved.tensor
                value = None if tensor is None else op.operands[tensor] if tensor >= 0 else op.results[-1 - tensor]
                self.collectives.emitted.append(
                    Collective(local, moved.kind, moved.axes, moved.group_size, moved.bytes, op, value)
                )
        for index, ref, layout in record.new_forms:
            operand = operands[index]
            Sharded(value_of(ref), operand.type, layout, versions=operand.versions).remake = operand.remake
        for result, found in zip(op.results, record.results, strict=True):
            if isinstance(found, Found):
                self._leave_at(result, operands[found.operand].versions[found.form])
                continue
            forms: list[Sharded] = []
            for ref, layout in found.forms:
                Sharded(value_of(ref), result.type, layout, versions=forms)
            if len(op.results) == 1:
                remake = remade(self, op, operands, forms[found.at_hand])
                for form in forms:
                    form.remake = remake
            self._leave_at(result, forms[found.at_hand])
        if identity is not None:
            self._emitted[identity] = env[op.results[0]]
        self._count()
        return True

    def _leave_at(self, result: Value, form: Sharded) -> None:
        self.env[result] = form
        if self.wishes.free_results:
            self._note(result)
