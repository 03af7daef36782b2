"""A program is propagated and partitioned by few of its layers.

Most layers of a model are left out of a copy (``short_copy``), which goes through the passes and is partitioned; they
are put into what comes out (``seam``, ``completion``). That is exact where propagation knows that layers put in would
become what those beside them have become (``propagation.alike_layers``), and where these are alike afterwards: the
other passes, and the partitioner, look at an operation, at what it reads and who reads it, and at what is near it.
Where that does not hold there is no answer, and ``plan``, right of this file, goes through the whole program.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.dialects.func import is_private, result_attributes, set_argument_attributes, with_entry_attributes
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.every_sharding import has_shardings_of_operations
from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.layers_to_come import LayersToCome
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pipeline
from pyshardy.module import Module
from pyshardy.partitioning.function_names import full_names, rename_functions
from pyshardy.partitioning.inner_layers import InnerLayers, is_known_what_becomes_of_layers, layers_seen
from pyshardy.partitioning.layers_put_in import LayersPutIn, Where
from pyshardy.partitioning.seam import Parts, Seam, Unlike, depth_of, fewest_beside
from pyshardy.partitioning.short_copy import ShortCopy, short_copy
from pyshardy.partitioning.verified_once import verified_once
from pyshardy.partitioning.written_layers import Watched
from pyshardy.propagation.alike_layers import layers_beside
from pyshardy.propagation.repetition import Repetition

_FEWEST_OPERATIONS = 500
"""In smaller programs there is nothing to gain."""
_FEWEST_LEFT_OUT = 4


def few_layers(source: Module, propagation: Pipeline) -> FewLayers | None:
    """What becomes of ``source``, which is not propagated, behind ``propagation``, with few of its layers; None if it
    has no more, or if they do not say what would become of all."""
    beside, repetition = 0, None
    while True:
        short = shortened(source.op, beside, repetition)
        if short is None:
            return None
        to_come = LayersToCome(short.fewest, _pairs(short))
        few = propagated(short, source, propagation, to_come)
        if few is not None or to_come.beside <= min(short.below, short.above):
            return few
        beside, repetition = to_come.beside, short.repetition


def shortened(module: Operation, beside: int = 0, repetition: Repetition | None = None) -> ShortCopy | None:
    """A copy of ``module``, which is not propagated, with few of its layers: on each side of the seam as many as are
    enough as a rule, or the number ``beside``. None if it has no more. ``repetition`` is its own, if it is known."""
    if repetition is None:
        repetition = _layers_of(module)
    if repetition is None:
        return None
    beside = max(beside, layers_beside(repetition), fewest_beside(repetition.reach))
    first = repetition.first + max(beside, layers_seen(repetition, -1) + 1)
    end = repetition.end - max(beside, layers_seen(repetition, 1) + 1)
    return short_copy(module, repetition, first, end) if end - first >= _FEWEST_LEFT_OUT else None


def _layers_of(module: Operation) -> Repetition | None:
    """The layers of ``module``; None if there is nothing to gain, or not known what becomes of them."""
    public = [op for op in module.body if op.name == "func.func" and not is_private(op)]
    if not shortcuts.taken() or len(public) != 1 or len(public[0].regions[0].blocks) != 1:
        return None
    if len(public[0].body) < _FEWEST_OPERATIONS:
        return None
    repetition = Repetition(public[0])
    return repetition if repetition.series and is_known_what_becomes_of_layers(repetition) else None


def _pairs(short: ShortCopy) -> list[list[tuple[Operation, Operation]]]:
    """For each series the operations of the layers below and above the seam, each with the one that it is like."""
    repetition, found = short.repetition, []
    for one in repetition.series:
        begins = [one.begin_of(layer) for layer in (short.first - 1, short.end)]
        below, above = [
            [short.copies[op] for op in repetition.operations[begin : begin + one.period]] for begin in begins
        ]
        found.append(list(zip(below, above, strict=True)))
    return found


def propagated(short: ShortCopy, source: Module, propagation: Pipeline, to_come: LayersToCome) -> FewLayers | None:
    """What has become of ``short``, a copy of ``source``, behind ``propagation``; None if that does not say what would
    become of all layers."""
    work = Module(short.module, source.context.like(), source.resources)
    names = {op.symbol_name for op in work.op.body}
    has_shardings = has_shardings_of_operations(work.op)
    work.context.chlo_rules = source.context.chlo_rules
    work.context.layers_to_come = to_come
    if not verified_once(work, propagation) or work.context.diagnostics:
        return None
    work.context.layers_to_come = None
    names.update(one.given for one in to_come.exported)
    if any(op.symbol_name not in names for op in work.op.body):
        return None
    try:
        rename_functions(work.op, full_names(short, to_come))
        return FewLayers(short, work, has_shardings=has_shardings)
    except Unlike:
        return None


class FewLayers:
    """The program ``work``, which the copy ``short`` of a program has become: with few of its layers, ``layers`` of
    which were left out; ``has_shardings`` says whether its author has said where results of operations are to be.

    Raises:
        Unlike: the layers that were left out cannot be put in.
    """

    def __init__(self, short: ShortCopy, work: Module, *, has_shardings: bool) -> None:
        self.short = short
        self.has_shardings = has_shardings
        self.module = work
        self.layers = short.end - short.first
        self.function = short.function
        self._locations: dict[int, dict[Where, Where]] = {}
        self._parts, self.watched = _layers_near(short, short.function)
        self.seam = Seam(short, short.function, self._parts)
        self._complete_arguments()
        self._located = self._all_located()
        self.results_attributes = self._all_results_attributes()
        """Those of all results of the function."""
        self._whole: LayersPutIn | None = None

    def has_the_layers_of(self, inner: InnerLayers) -> bool:
        """Whether the layers of ``inner``, those of what the copy has become, are those of which some were left out: as
        many series, and the seam of each is in one of them."""
        if not len(inner):
            return False
        found = []
        for number in range(len(self.short.repetition.series)):
            places = [self.watched.stretches[number, layer] for layer in (self.short.first - 1, self.short.end)]
            begin, end = min(one[0] for one in places), max(one[1] for one in places)
            middle = (begin + end) // 2
            found += [which for which, one in enumerate(inner.repetition.series) if one.begin <= middle < one.end]
        return sorted(found) == list(range(len(inner.repetition.series)))

    def whole(self) -> LayersPutIn:
        """The layers that were left out, put in: the module is whole from now on."""
        if self._whole is None:
            self._whole = LayersPutIn(self.seam, self.locations)
            properties = with_entry_attributes(self.function.properties, "res_attrs", self.results_attributes)
            rewriting.set_properties(self.function, properties)
        return self._whole

    def locations(self, layer: int) -> Mapping[Where, Where]:
        """Where in ``layer`` stands what stands somewhere in the layer below the seam."""
        found = self._locations.get(layer)
        if found is None:
            operations, series = self.short.repetition.operations, self.short.repetition.series
            found = self._locations[layer] = {}
            for where, (number, distance, place, inner) in self._located.items():
                op = operations[series[number].begin_of(layer + distance) + place]
                found[where] = op.operations()[inner].location if inner else op.location
        return found

    def _all_located(self) -> dict[Where, tuple[int, int, int, int]]:
        """Of which operation each place is in the layer below the seam: of which series, how many layers away (what
        passes have moved may come from the layer beside), its number there, and the number of the one in it."""
        repetition, below = self.short.repetition, self.short.first - 1
        own = [op for (_, layer), part in self._parts.items() if layer == below for op in part]
        needed = {nested.location for op in own for nested in (op.operations() if op.regions else (op,))}
        found: dict[Where, tuple[int, int, int, int]] = {}
        for distance, layer in ((0, below), (-1, below - 1), (1, self.short.end)):
            for number, one in enumerate(repetition.series):
                begin = one.begin_of(layer)
                for place, op in enumerate(repetition.operations[begin : begin + one.period]):
                    for inner, nested in enumerate(op.operations() if op.regions else (op,)):
                        if nested.location in needed:
                            found.setdefault(nested.location, (number, distance, place, inner))
        return found

    def _complete_arguments(self) -> None:
        """Gives the arguments of the layers that were left out the shardings of those like them."""
        found: dict[int, Attribute | None] = {}
        for alike, index, _ in self.seam.arguments_put_in():
            found[index] = function_argument_sharding(self.function, alike)
        if found:
            set_argument_attributes(self.function, SHARDING, found)

    def _all_results_attributes(self) -> list[DictionaryAttr]:
        """Those of all results of the function."""
        original = self.short.repetition.function
        places = {index: place for place, index in enumerate(self.short.returned)}
        found = []
        for index, family in enumerate(self.seam.boundary.results):
            place = places.get(index)
            if place is not None:
                found.append(result_attributes(self.function, place))
                continue
            assert family is not None
            got = function_result_sharding(self.function, places[family[0]])
            own = result_attributes(original, index)
            found.append(own.without(SHARDING) if got is None else own.with_(SHARDING, got))
        return found


def _layers_near(short: ShortCopy, function: Operation) -> tuple[Parts, Watched]:
    """The layers near the seam, in what the copy has become, and where they stand. What passes have made belongs to
    what stands behind it."""
    repetition = short.repetition
    depth = depth_of(short)
    layers = (*range(short.first - depth, short.first), *range(short.end, short.end + depth))
    parts: dict[tuple[int, int], list[Operation]] = {
        (series, layer): [] for series in range(len(repetition.series)) for layer in layers
    }
    stretches: dict[tuple[int, int], tuple[int, int]] = dict.fromkeys(parts, (0, 0))
    numbers = {copy: repetition.numbers[op] for op, copy in short.copies.items()}
    begin = 0
    operations = list(function.body)
    for end, op in enumerate(operations, 1):
        number = numbers.get(op)
        if number is None:
            continue
        series = repetition.series_of(number)
        key = series, repetition.layer(number)
        if key in parts:
            if not parts[key]:
                stretches[key] = begin, end
            parts[key] += operations[begin:end]
            stretches[key] = stretches[key][0], end
        begin = end
    return parts, Watched(function.body, stretches)
