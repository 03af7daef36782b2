"""What an operation of a layer became, in words that fit any other layer.

A record says which local operations it became, on which forms of its operands, which forms these have got by it, and in
which forms its results are: as numbers of operands, results and forms. ``written_layers``, right of this file, takes
records, and writes by them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from operator import is_
from typing import NamedTuple

from pyshardy.emitting.builder import Builder
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Axes, Layout, Sharded
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning.localizing.free_results import chain_of

CHANNEL = "channel_handle"
AT_HAND = -1

Ref = tuple[int, int] | Value
"""A local value that an operation takes: form ``b`` of operand ``a`` (the one at hand for ``AT_HAND``); for ``a``
below 0 result ``b`` of its own local operation -1 - ``a``; a value that is the same in every layer."""


class Form(NamedTuple):
    """How an operand lies, and in how many forms it exists. If those are several, or it can be made anew: of what that
    is (``chain_of``), the layouts of the forms, and which of them can be seen."""

    layout: Layout
    number: int
    more: tuple[Hashable, tuple[tuple[Layout, bool], ...]] | None


class Moved(NamedTuple):
    """What is entered in the account of collectives; ``tensor`` is an operand, for -1 - n result n, None if unknown."""

    kind: str
    axes: Axes
    group_size: int
    bytes: float
    tensor: int | None


class Local(NamedTuple):
    """A local operation, which others are made like: on which values."""

    op: Operation
    refs: tuple[Ref, ...]
    moved: Moved | None


class Found(NamedTuple):
    """A result that is form ``form`` of operand ``operand``."""

    operand: int
    form: int


class New(NamedTuple):
    """A result in forms of its own, of which number ``at_hand`` is the one at hand."""

    forms: tuple[tuple[Ref, Layout], ...]
    at_hand: int


class Begun(NamedTuple):
    """Stretches that an operation began, all of which leave their tensors where they are: with which operands, and how
    far it is from it to the operations that belong to them."""

    operands: tuple[int, ...]
    distances: tuple[int, ...]


class Record:
    """What ``source``, an operation, became, which found its operands in ``forms`` and gave them ``new_forms``.
    ``wanted`` is where a result is wanted that others may share; ``is_shared`` says that it has one of theirs. If all
    that it became is one operation with one result on operands that have one form, ``layouts`` say how these lie, and
    of what they can be made anew, and ``layout`` how that lies."""

    __slots__ = (
        "begun",
        "forms",
        "is_shared",
        "layout",
        "layouts",
        "local",
        "new_forms",
        "results",
        "source",
        "wanted",
    )

    def __init__(
        self,
        source: Operation,
        forms: tuple[Form, ...],
        local: tuple[Local, ...],
        new_forms: tuple[tuple[int, Ref, Layout], ...],
        results: tuple[Found | New, ...],
        wanted: tuple[Layout | None, ...] | None,
        begun: Begun | None,
        *,
        is_shared: bool,
    ) -> None:
        self.source = source
        self.forms = forms
        self.local = local
        self.new_forms = new_forms
        self.results = results
        self.wanted = wanted
        self.begun = begun
        self.is_shared = is_shared
        self.layout: Layout | None = None
        self.layouts: list[tuple[Layout, Hashable]] | None = None

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
        if isinstance(result, New) and [ref for ref, _ in result.forms] == [(-1, 0)]:
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
    return op.name, op.properties.without(CHANNEL), op.attributes, types, inside


class References:
    """Tells what became of a global operation by its ``operands``, which had so many forms (``counts``) before, and the
    ``local`` operations that were made."""

    def __init__(self, operands: Sequence[Sharded], counts: Sequence[int], local: Sequence[Operation]) -> None:
        self._operands = operands
        self._counts = counts
        self._local = local
        self._known: dict[Value, tuple[int, int]] = {}
        for index, operand in enumerate(operands):
            self._known.setdefault(operand.value, (index, AT_HAND))
            for number, form in enumerate(operand.versions[: counts[index]]):
                self._known.setdefault(form.value, (index, number))
        for number, op in enumerate(local):
            for index, value in enumerate(op.results):
                self._known[value] = -1 - number, index

    def local(self, emitted: Sequence[Collective], behalf: Operation) -> tuple[Local, ...] | None:
        """The local operations, of which some are the collectives ``emitted`` on ``behalf`` of the global one; None if
        what else there is cannot be told."""
        account = {one.op: one for one in emitted}
        if len(account) != len(emitted) or not all(map(_is_alike_on_other_operands, self._local)):
            return None
        found = []
        for op in self._local:
            collective, moved = account.pop(op, None), None
            if collective is not None:
                tensor = _number_of(collective.tensor, behalf)
                if collective.cause is not behalf or (tensor is None and collective.tensor is not None):
                    return None
                moved = Moved(collective.kind, collective.axes, collective.group_size, collective.bytes, tensor)
            if (CHANNEL in op.properties) != (moved is not None):
                return None
            found.append(Local(op, tuple(map(self._ref, op.operands)), moved))
        return None if account else tuple(found)

    def _ref(self, value: Value) -> Ref:
        return self._known.get(value, value)

    def new_forms(self) -> tuple[tuple[int, Ref, Layout], ...] | None:
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
                found.append((index, self._ref(form.value), form.layout))
        return tuple(found)

    def result(self, form: Sharded, result: Value) -> Found | New | None:
        """In which form ``result`` is; None if it can be made anew, or stands beside other tensors."""
        for index, operand in enumerate(self._operands):
            if form.versions is operand.versions:
                return Found(index, _place_of(form, operand.versions)) if operand.recipe is None else None
        if not all(_is_plain(one) and one.type is result.type for one in form.versions):
            return None
        refs = [(self._ref(one.value), one.layout) for one in form.versions]
        if any(not isinstance(ref, tuple) for ref, _ in refs):
            return None
        return New(tuple(refs), _place_of(form, form.versions))


def _is_alike_on_other_operands(op: Operation) -> bool:
    """Whether a copy of ``op`` is the same on other operands: nothing in it reads from outside."""
    if op.successors or not op.regions:
        return not op.successors
    inside: set[Value] = set()
    for nested in op.operations():
        inside.update(nested.results)
        inside.update(value for region in nested.regions for block in region.blocks for value in block.arguments)
    return all(value in inside for nested in op.operations()[1:] for value in nested.operands)


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


def form_of(operand: Sharded, builder: Builder) -> Form:
    """How ``operand`` is found."""
    return Form(operand.layout, len(operand.versions), _more(operand, builder))


def _more(operand: Sharded, builder: Builder) -> tuple[Hashable, tuple[tuple[Layout, bool], ...]] | None:
    if len(operand.versions) == 1 and operand.recipe is None and operand.remake is None:
        return None
    return chain_of(operand), tuple([(one.layout, builder.sees(one.value)) for one in operand.versions])


def are_in_forms(forms: tuple[Form, ...], operands: list[Sharded], builder: Builder) -> bool:
    """Whether ``operands`` are found as others were."""
    for (layout, count, more), one in zip(forms, operands, strict=True):
        if one.layout is not layout or len(one.versions) != count or one.masked is not None:
            return False
        if more is None:
            if one.recipe is not None or one.remake is not None:
                return False
        elif _more(one, builder) != more:
            return False
    return True
