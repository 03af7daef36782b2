"""A program is propagated by few of its layers.

Most layers of a model are left out of a copy (``short_copy``), which goes through the passes, and are put into what
comes out (``seam``). That is exact where propagation knows that layers put in would become what those beside them have
become (``propagation.alike_layers``), and where these are alike afterwards: the other passes look at an operation, at
what it reads and who reads it, and at nothing farther. Where that does not hold there is no answer, and ``plan``, right
of this file, sends the whole program through the passes.
"""

from __future__ import annotations

from pyshardy.dialects.func import (
    is_private,
    result_attributes,
    set_argument_attributes,
    with_entry_attributes,
)
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pipeline
from pyshardy.module import Module
from pyshardy.partitioning.seam import Parts, Seam, Unlike
from pyshardy.partitioning.short_copy import ShortCopy
from pyshardy.partitioning.verified_once import verified_once
from pyshardy.propagation.alike_layers import layers_beside
from pyshardy.propagation.repetition import Repetition

_FEWEST_OPERATIONS = 500
"""In smaller programs there is nothing to gain."""
_FEWEST_LEFT_OUT = 4


def shortened(module: Operation) -> ShortCopy | None:
    """A copy of ``module``, which is not propagated, with few of its layers; None if it has no more."""
    public = [op for op in module.body if op.name == "func.func" and not is_private(op)]
    if not shortcuts.taken() or len(public) != 1 or len(public[0].regions[0].blocks) != 1:
        return None
    if len(public[0].body) < _FEWEST_OPERATIONS:
        return None
    repetition = Repetition(public[0])
    if not repetition.series:
        return None
    beside = layers_beside(repetition) + 1
    first, end = repetition.first + beside, repetition.end - beside
    if end - first < _FEWEST_LEFT_OUT:
        return None
    short = ShortCopy(module, repetition, first, end)
    return short if short.module is not None else None


def propagated(short: ShortCopy, source: Module, propagation: Pipeline) -> Module | None:
    """``source``, of which ``short`` is a copy, with all its layers behind ``propagation``; None if that cannot be said
    by few of them."""
    assert short.module is not None and short.function is not None
    work = Module(short.module, source.context.like(), source.resources)
    names = {op.symbol_name for op in work.op.body}
    work.context.chlo_rules = source.context.chlo_rules
    work.context.layers_to_come = True
    if not verified_once(work, propagation) or work.context.diagnostics:
        return None
    work.context.layers_to_come = False
    if any(op.symbol_name not in names for op in work.op.body):
        # Others would have other numbers in the whole program.
        return None
    try:
        seam = Seam(short, short.function, _parts_of_copy(short))
    except Unlike:
        return None
    seam.put_in(_Locations(short).moved)
    _complete_function(short, seam)
    return work


def _parts_of_copy(short: ShortCopy) -> Parts:
    """The layers near the seam, in what the copy has become: what passes have made belongs to what stands behind it."""
    repetition = short.repetition
    depth = Seam.depth(repetition.reach)
    layers = (*range(short.first - depth, short.first), *range(short.end, short.end + depth))
    parts: dict[tuple[int, int], list[Operation]] = {
        (series, layer): [] for series in range(len(repetition.series)) for layer in layers
    }
    numbers = {copy: repetition.numbers[op] for op, copy in short.copies.items()}
    made: list[Operation] = []
    assert short.function is not None
    for op in short.function.body:
        number = numbers.get(op)
        made.append(op)
        if number is None:
            continue
        series = repetition.series_of(number)
        part = parts.get((series, repetition.series[series].layer(number))) if series >= 0 else None
        if part is not None:
            part += made
        made.clear()
    return parts


class _Locations:
    """Where in the layers that are put in stands what stands somewhere in the layer below the seam."""

    def __init__(self, short: ShortCopy) -> None:
        self._short = short
        self._of_layer: dict[int, dict[int | Location | None, int | Location | None]] = {}

    def moved(self, location: int | Location | None, layer: int) -> int | Location | None:
        found = self._of_layer.get(layer)
        if found is None:
            found = self._of_layer[layer] = self._locations(layer)
        return found.get(location, location)

    def _locations(self, layer: int) -> dict[int | Location | None, int | Location | None]:
        repetition, below = self._short.repetition, self._short.first - 1
        found: dict[int | Location | None, int | Location | None] = {}
        for one in repetition.series:
            here, there = one.begin_of(below), one.begin_of(layer)
            for number in range(one.period):
                op, other = repetition.operations[here + number], repetition.operations[there + number]
                found[op.location] = other.location
                if op.regions:
                    nested = zip(op.operations(), other.operations(), strict=True)
                    found.update((mine.location, its.location) for mine, its in nested)
        return found


def _complete_function(short: ShortCopy, seam: Seam) -> None:
    """Gives the arguments and results of the function that belong to the layers that were put in what those of the
    layer below them have."""
    function = short.function
    assert function is not None
    repetition, original = short.repetition, short.repetition.function
    arguments: dict[int, Attribute | None] = {}
    for index, argument in enumerate(original.body.arguments):
        layer = repetition.layer_of(argument)
        if layer is not None and short.first <= layer < short.end:
            alike = seam.family_of_argument(index)
            arguments[index] = function_argument_sharding(function, alike)
    places = {index: place for place, index in enumerate(short.returned)}
    entries = []
    for index in range(len(repetition.operations[-1].operands)):
        place = places.get(index)
        if place is not None:
            entries.append(result_attributes(function, place))
            continue
        family = seam.result_family(index)
        assert family is not None
        got = function_result_sharding(function, places[family[0]])
        own = result_attributes(original, index)
        entries.append(own.without(SHARDING) if got is None else own.with_(SHARDING, got))
    rewriting.set_properties(function, with_entry_attributes(function.properties, "res_attrs", entries))
    if arguments:
        set_argument_attributes(function, SHARDING, arguments)
