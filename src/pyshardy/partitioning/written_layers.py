"""Layers that are written as the layer before them was, operation by operation.

Of the inner layers of a model (``inner_layers``) the first ones, in the order of the program, are partitioned as all
else. What one of their operations became is kept: the local operations at the end of the function, which forms of its
operands they take, which forms its operands have got, and those of its results. Once two layers on end agree in that,
the operation becomes the same in the layers that follow, and is written there, as long as it finds its operands in the
same forms. That is exact, since what it becomes depends on nothing else: it was made alike, what is around it is alike
and has become the same so far. What does more than that (makes something for the whole function, belongs to a stretch,
has a result that can be made anew, or a region that reads from outside) is partitioned as all else in each layer.
``partitioner`` stands left of this file, ``ways`` right of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from operator import is_
from typing import NamedTuple

from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Axes, Layout, Sharded
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.change_log import edition
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Block, Operation, OpResult, Region, Value
from pyshardy.partitioning.inner_layers import InnerLayers
from pyshardy.partitioning.localizing.free_results import chain_of
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import SHARED, Partitioner, identity_of
from pyshardy.partitioning.stretches import BEGINNINGS

_CHANNEL = "channel_handle"
_MOST_TRIES = 4
"""What does not agree in so many layers is not looked at in the others."""
_AT_HAND = -1

_Ref = tuple[int, int] | Value
"""A local value that an operation takes: form ``b`` of operand ``a`` (the one at hand for ``_AT_HAND``); for ``a``
below 0 result ``b`` of its own local operation -1 - ``a``; a value that is the same in every layer."""


class _Form(NamedTuple):
    """How an operand lies, and in how many forms it exists. If those are several, or it can be made anew: by how many
    recipes that is, the layouts of the forms, and which of them can be seen."""

    layout: Layout
    number: int
    more: tuple[int | None, tuple[tuple[Layout, bool], ...]] | None


class _Moved(NamedTuple):
    """What is entered in the account of collectives; ``tensor`` is an operand, for -1 - n result n, None if unknown."""

    kind: str
    axes: Axes
    group_size: int
    bytes: float
    tensor: int | None


class _Local(NamedTuple):
    """A local operation, which others are made like: on which values."""

    op: Operation
    refs: tuple[_Ref, ...]
    moved: _Moved | None


class _Found(NamedTuple):
    """A result that is form ``form`` of operand ``operand``."""

    operand: int
    form: int


class _New(NamedTuple):
    """A result in forms of its own, of which number ``at_hand`` is the one at hand."""

    forms: tuple[tuple[_Ref, Layout], ...]
    at_hand: int


class _Begun(NamedTuple):
    """Stretches that an operation began, all of which leave their tensors where they are: with which operands, and how
    far it is from it to the operations that belong to them."""

    operands: tuple[int, ...]
    distances: tuple[int, ...]


class _Record:
    """What an operation became, which found its operands in ``forms`` and gave them ``new_forms``. ``wanted`` is where
    a result is wanted that others may share; ``is_shared`` says that it has one of theirs. If all that it became is one
    operation with one result on operands that have one form, ``layouts`` say how these lie, and by how many recipes
    they can be made anew, and ``layout`` how that lies."""

    __slots__ = ("begun", "forms", "is_shared", "layout", "layouts", "local", "new_forms", "results", "wanted")

    def __init__(
        self,
        forms: tuple[_Form, ...],
        local: tuple[_Local, ...],
        new_forms: tuple[tuple[int, _Ref, Layout], ...],
        results: tuple[_Found | _New, ...],
        wanted: tuple[Layout | None, ...] | None,
        begun: _Begun | None,
        *,
        is_shared: bool,
    ) -> None:
        self.forms = forms
        self.local = local
        self.new_forms = new_forms
        self.results = results
        self.wanted = wanted
        self.begun = begun
        self.is_shared = is_shared
        self.layout: Layout | None = None
        self.layouts: list[tuple[Layout, int | None]] | None = None

    def note_one_operation(self, operands: Sequence[Sharded]) -> None:
        """Sets ``layouts`` and ``layout``, if that is so: ``operands`` are those of the operation."""
        if self.new_forms or self.wanted is not None or self.begun is not None:
            return
        if len(self.local) != 1 or len(self.results) != 1:
            return
        ((op, _, moved),), (result,) = self.local, self.results
        if op.regions or len(op.results) != 1 or moved is not None or any(one.number > 1 for one in self.forms):
            return
        if len(op.operands) != len(operands) or not all(map(is_, op.operands, [one.value for one in operands])):
            return
        if isinstance(result, _New) and [ref for ref, _ in result.forms] == [(-1, 0)]:
            self.layouts = [(one.layout, one.more[0] if one.more is not None else None) for one in self.forms]
            self.layout = result.forms[0][1]

    def key(self) -> Hashable:
        """The same for what became the same."""
        local = tuple([(_likeness(one.op), one.refs, one.moved) for one in self.local])
        return self.forms, local, self.new_forms, self.results, self.wanted, self.begun, self.is_shared


def _likeness(op: Operation) -> Hashable:
    """The same for local operations that are alike but for their operands and channels."""
    types = tuple([result.type for result in op.results])
    inside = tuple([one.name for one in op.operations()]) if op.regions else ()
    return op.name, op.properties.without(_CHANNEL), op.attributes, types, inside


class _Place:
    """An operation of each layer of a series: what it became in the last one that was looked at, as what it is
    ``written`` from now on, and how many more layers are looked at if it is not."""

    __slots__ = ("last", "tries", "written")

    def __init__(self) -> None:
        self.last: _Record | None = None
        self.written: _Record | None = None
        self.tries = _MOST_TRIES


class LayeredPartitioner(Partitioner):
    """Partitions, and writes those of the ``layers`` of the module that become what the ones before them became."""

    def __init__(self, program: Program, layers: InnerLayers, context: Context, options: RunOptions) -> None:
        super().__init__(program, context, options)
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
        if not self._begins or self._layers.repetition.function.body is not block:
            return super().emit_operations(block)
        operations, begins = self._operations, self._begins
        number, end = 0, len(operations) - 1
        while number < end:
            places = begins.get(number)
            if places is None:
                self._emit(operations[number])
                number += 1
            else:
                self._emit_layer(places, operations[number : number + len(places)])
                number += len(places)
        self._begin(operations[end])
        return operations[end]

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
                values = []
                for operand, (layout, recipes) in zip(op.operands, record.layouts, strict=True):
                    form = env[operand]
                    if form.layout is not layout or len(form.versions) > 1 or form.masked is not None:
                        break
                    if (form.recipe is not None or recipes is not None) and chain_of(form) != recipes:
                        break
                    values.append(form.value)
                else:
                    made = rewriting.append_alike(block, record.local[0].op, values, op.location)
                    (result,) = op.results
                    env[result] = Sharded(made, result.type, record.layout)
                    if is_noted:
                        self._note(result)
                    self._count()
                    continue
            if op in brought or not self._written(op, record):
                self._emit(op)

    # --- looking at what becomes of operations ------------------------------------------------------------------------

    def _look(self, place: _Place, op: Operation) -> None:
        """Emits ``op`` as any other, and looks whether it became what it became in the layer before."""
        before = place.last
        place.last = found = self._recorded(op)
        place.tries -= 1
        if found is not None and before is not None and found.key() == before.key():
            place.written = found

    def _recorded(self, op: Operation) -> _Record | None:
        """Emits ``op``, and returns what it became; None if that is more than a record can say."""
        env, block, emitted = self.env, self.builder.block, self.collectives.emitted
        operands = [env[value] for value in op.operands]
        forms = tuple([_form(one, self) for one in operands])
        counts = [len(one.versions) for one in operands]
        stretches = self._stretches
        stretches.begun.clear()
        stretches.decided.clear()
        wanted = tuple(self.wishes.for_results(op)) if op.name in SHARED else None
        identity = identity_of(op, operands, wanted) if wanted is not None else None
        known = self._known_form(identity)
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
            begun = _Begun(tuple(stretches.begun), distances)
        if known is not None:
            return _Record(forms, (), (), (), wanted, begun, is_shared=True)
        local: list[Operation] = []
        made = block.first if last is None else last.next_op
        while made is not None:
            local.append(made)
            made = made.next_op
        all_made = sum(len(one.operations()) if one.regions else 1 for one in local)
        grown = tuple(after - before for before, after in zip(marks, self._marks(), strict=True))
        if edition() - moves != all_made or grown != (len(op.results), *[0] * (len(grown) - 1)):
            return None
        refs = _References(operands, counts, local)
        moved = {one.op: one for one in emitted[mark:]}
        if not all(map(refs.is_tellable, local)) or len(moved) != len(emitted) - mark:
            return None
        locals_ = []
        for one in local:
            collective = moved.pop(one, None)
            entry = None
            if collective is not None:
                tensor = _number_of(collective.tensor, op)
                if collective.cause is not op or (tensor is None and collective.tensor is not None):
                    return None
                entry = _Moved(collective.kind, collective.axes, collective.group_size, collective.bytes, tensor)
            if (_CHANNEL in one.properties) != (entry is not None):
                return None
            locals_.append(_Local(one, tuple(map(refs.ref, one.operands)), entry))
        if moved:
            return None
        new_forms = refs.new_forms()
        results = [refs.result(env[result], result) for result in op.results]
        if new_forms is None or any(one is None for one in results):
            return None
        found = tuple([one for one in results if one is not None])
        record = _Record(forms, tuple(locals_), new_forms, found, wanted, begun, is_shared=False)
        record.note_one_operation(operands)
        return record

    def _known_form(self, identity: Hashable) -> Sharded | None:
        known = self._emitted.get(identity) if identity is not None else None
        return known if known is not None and self.builder.sees(known.value) else None

    def _marks(self) -> tuple[int, ...]:
        """Numbers that grow if an operation does more than a record can say; the first, by its results."""
        return (
            len(self.env),
            len(self.origins),
            len(self.taken_channels),
            len(self.specializations),
            len(self.builder.function.known),
            self.collectives.permutes,
        )

    # --- writing ------------------------------------------------------------------------------------------------------

    def _written(self, op: Operation, record: _Record) -> bool:
        """Whether ``op`` could be written as its ``record`` says."""
        env, builder = self.env, self.builder
        operands = [env[value] for value in op.operands]
        if not _are_in_forms(record.forms, operands, self):
            return False
        identity = identity_of(op, operands, record.wanted) if record.wanted is not None else None
        known = self._known_form(identity)
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

        def value_of(ref: _Ref) -> Value:
            if isinstance(ref, Value):
                return ref
            which, number = ref
            if which < 0:
                return made[-1 - which][number]
            operand = operands[which]
            return operand.value if number == _AT_HAND else operand.versions[number].value

        for alike, refs, moved in record.local:
            values = list(map(value_of, refs))
            if moved is None and len(alike.results) == 1:
                regions = _copies(alike.regions)
                made.append((rewriting.append_alike(builder.block, alike, values, op.location, regions),))
                continue
            properties = alike.properties
            if moved is not None:
                properties = DictionaryAttr({**properties.entries, _CHANNEL: builder.channel()})
            types = [result.type for result in alike.results]
            local = builder.create(alike.name, values, types, properties, alike.attributes, _copies(alike.regions))
            made.append(local.results)
            if moved is not None:
                tensor = moved.tensor
                value = None if tensor is None else op.operands[tensor] if tensor >= 0 else op.results[-1 - tensor]
                self.collectives.emitted.append(
                    Collective(local, moved.kind, moved.axes, moved.group_size, moved.bytes, op, value)
                )
        for index, ref, layout in record.new_forms:
            operand = operands[index]
            Sharded(value_of(ref), operand.type, layout, versions=operand.versions)
        for result, found in zip(op.results, record.results, strict=True):
            if isinstance(found, _Found):
                self._leave_at(result, operands[found.operand].versions[found.form])
                continue
            forms: list[Sharded] = []
            for ref, layout in found.forms:
                Sharded(value_of(ref), result.type, layout, versions=forms)
            self._leave_at(result, forms[found.at_hand])
        if identity is not None:
            self._emitted[identity] = env[op.results[0]]
        self._count()
        return True

    def _leave_at(self, result: Value, form: Sharded) -> None:
        self.env[result] = form
        if self.wishes.free_results:
            self._note(result)


class _References:
    """Says which values ``local`` operations take, and in which forms results are, by the ``operands`` of the global
    one, which had so many forms (``counts``) before."""

    def __init__(self, operands: Sequence[Sharded], counts: Sequence[int], local: Sequence[Operation]) -> None:
        self._operands = operands
        self._counts = counts
        self._known: dict[Value, tuple[int, int]] = {}
        for index, operand in enumerate(operands):
            self._known.setdefault(operand.value, (index, _AT_HAND))
            for number, form in enumerate(operand.versions[: counts[index]]):
                self._known.setdefault(form.value, (index, number))
        for number, op in enumerate(local):
            for index, value in enumerate(op.results):
                self._known[value] = -1 - number, index

    def is_tellable(self, op: Operation) -> bool:
        """Whether a copy of ``op`` is the same on other operands."""
        if op.successors:
            return False
        if not op.regions:
            return True
        inside: set[Value] = set()
        for nested in op.operations():
            inside.update(nested.results)
            inside.update(value for region in nested.regions for block in region.blocks for value in block.arguments)
        return all(value in inside for nested in op.operations()[1:] for value in nested.operands)

    def ref(self, value: Value) -> _Ref:
        return self._known.get(value, value)

    def new_forms(self) -> tuple[tuple[int, _Ref, Layout], ...] | None:
        """The forms that operands have got; None if one of them can be made anew."""
        found = []
        seen: set[int] = set()
        for index, (operand, count) in enumerate(zip(self._operands, self._counts, strict=True)):
            if id(operand.versions) in seen:
                continue
            seen.add(id(operand.versions))
            for form in operand.versions[count:]:
                if not _is_plain(form) or operand.recipe is not None:
                    return None
                found.append((index, self.ref(form.value), form.layout))
        return tuple(found)

    def result(self, form: Sharded, result: Value) -> _Found | _New | None:
        """In which form ``result`` is; None if it can be made anew, or stands beside other tensors."""
        for index, operand in enumerate(self._operands):
            if form.versions is operand.versions:
                return _Found(index, _place_of(form, operand.versions)) if operand.recipe is None else None
        if not all(_is_plain(one) and one.type is result.type for one in form.versions):
            return None
        refs = [(self.ref(one.value), one.layout) for one in form.versions]
        if any(not isinstance(ref, tuple) for ref, _ in refs):
            return None
        return _New(tuple(refs), _place_of(form, form.versions))


def _place_of(form: Sharded, forms: Iterable[Sharded]) -> int:
    return next(number for number, one in enumerate(forms) if one is form)


def _is_plain(form: Sharded) -> bool:
    return form.recipe is None and form.masked is None


def _number_of(value: Value | None, op: Operation) -> int | None:
    """Which operand or (-1 - n) result of ``op`` ``value`` is; None if it is none."""
    for number, operand in enumerate(op.operands):
        if operand is value:
            return number
    return next((-1 - number for number, result in enumerate(op.results) if result is value), None)


def _form(operand: Sharded, run: Partitioner) -> _Form:
    return _Form(operand.layout, len(operand.versions), _more(operand, run))


def _more(operand: Sharded, run: Partitioner) -> tuple[int | None, tuple[tuple[Layout, bool], ...]] | None:
    if len(operand.versions) == 1 and operand.recipe is None:
        return None
    sees = run.builder.sees
    return chain_of(operand), tuple([(one.layout, sees(one.value)) for one in operand.versions])


def _are_in_forms(forms: tuple[_Form, ...], operands: list[Sharded], run: Partitioner) -> bool:
    for (layout, count, more), one in zip(forms, operands, strict=True):
        if one.layout is not layout or len(one.versions) != count or one.masked is not None:
            return False
        if more is None:
            if one.recipe is not None:
                return False
        elif _more(one, run) != more:
            return False
    return True


def _copies(regions: tuple[Region, ...]) -> tuple[Region, ...]:
    copies = []
    for region in regions:
        copy = Region()
        rewriting.clone_region(region, copy)
        copies.append(copy)
    return tuple(copies)
