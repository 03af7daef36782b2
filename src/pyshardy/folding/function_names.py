"""Run: the names that functions get from passes are corrected to those they would have with all layers.

A pass outlines named computations: it makes a function of each, in the order of the text. The names of functions are
unique, so the second computation ``block`` becomes ``block_0``, the third ``block_1``. In a folded program a layer
above the splice point gets a number that is too small, by the functions of the layers that are left out. This file
records which functions a pass has made, works out which ones it would have made with all layers, and from these the
names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.folding.detecting.series import Home
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass
from pyshardy.ir.pipeline_run import PassObserver
from pyshardy.passes.call_graph import free_name, original_name, set_callee
from pyshardy.passes.exporting.export_named_computations import ExportNamedComputations


class Exported(NamedTuple):
    """A function that a pass made of a computation: whether the computation was ``inside`` of another one, the series
    and layer it was in (``home``; None if it was in none), the name it ``wanted``, and the name it was ``given``."""

    inside: bool
    home: Home | None
    wanted: str
    given: str


class ExportedFunctions(PassObserver):
    """Records the functions that passes make of computations: ``made``, in order, and the names ``taken`` before."""

    def __init__(self) -> None:
        self.made: list[tuple[int | Location | None, str, str]] = []
        """For each function its location, the name it wanted, and the name it was given."""
        self.taken: frozenset[str] = frozenset()
        self._before: set[Operation] = set()

    def before_pass(self, one: Pass, op: Operation) -> None:
        if isinstance(one, ExportNamedComputations):
            self._before = set(op.body)
            self.taken = frozenset([name for found in op.body if (name := found.symbol_name) is not None])

    def after_pass(self, one: Pass, op: Operation) -> None:
        if isinstance(one, ExportNamedComputations):
            new = [found for found in op.body if found not in self._before]
            self.made += [(found.location, original_name(found), found.symbol_name or "") for found in new]


class FullNames(NamedTuple):
    """The names of functions with all layers: of those that were ``kept``, by the names that they have, and of those
    that would have been made of layers which are ``left_out``."""

    kept: dict[str, str]
    left_out: set[str]


def names_with_all_layers(folded: Folded, exported: ExportedFunctions) -> FullNames:
    """The names that ``exported`` functions of a result of ``folded`` would have with all layers.

    Raises:
        NoCertificate: it is not known which functions would have been made of the layers that are left out, or which
            names these would have.
    """
    functions = [Exported(*_where(folded, where), wanted, given) for where, wanted, given in exported.made]
    if _names(functions, exported.taken) != [one.given for one in functions]:
        # The pass has given other names than this file would, so those with all layers cannot be predicted either.
        raise NoCertificate("a pass has given other names to functions than were predicted")
    everything: list[Exported] = []
    kept: list[int] = []
    for series, runs in groupby(_by_layer(folded, functions), lambda run: run.series):
        if series is None:
            _add(folded, list(runs), everything, kept)
        else:
            _add_sorted(folded, list(runs), folded.series[series].order, everything, kept)
    full = _names(everything, exported.taken)
    left_out = dict(enumerate(full))
    found = {one.given: left_out.pop(place) for one, place in zip(functions, kept, strict=True)}
    numbered = {full[place] for place in left_out if full[place] != everything[place].wanted}
    # Functions that passes made before of layers that were left out are no matter: they are made anew, like those kept.
    own = folded.layer_functions.of_layers(folded.first, folded.end)
    if not own.isdisjoint({*found.values(), *numbered}):
        raise NoCertificate("a function is given the name of one of a layer that was left out")
    return FullNames(found, set(left_out.values()))


def _add(folded: Folded, runs: Sequence[_LayerFunctions], everything: list[Exported], kept: list[int]) -> None:
    """Adds the functions that would be made with all layers to ``everything``, and the places there of those in
    ``runs``, which were made, to ``kept``."""
    below, above = folded.below, folded.end
    layers = [one.layer for one in runs]
    for number, (layer, run, _) in enumerate(runs):
        ascending = layers[number : number + 2] == [below, above]
        descending = layers[number : number + 2] == [above, below]
        if layer == below and not ascending and layers[max(number - 1, 0) : number + 1] != [above, below]:
            # The template has made functions, and the layer above the splice point none directly before or after it.
            raise NoCertificate("functions were outlined from the template, but not from the layer above")
        kept += range(len(everything), len(everything) + len(run))
        everything += run
        if ascending or descending:
            up = 1 if ascending else -1
            _check_names(folded, run, runs[number + 1].functions, up * (folded.count + 1))
            for distance in range(1, folded.count + 1):
                everything += [_counterpart(folded, one, up * distance) for one in run]


def _add_sorted(
    folded: Folded, runs: Sequence[_LayerFunctions], order: Sequence[int], everything: list[Exported], kept: list[int]
) -> None:
    """Adds the functions that would be made with all layers of a sorted series, which stand in this ``order``, to
    ``everything``, and the places there of those in ``runs``, which were made, to ``kept``."""
    found = {one.layer: one.functions for one in runs}
    if [one.layer for one in runs] != [layer for layer in order if layer in found]:
        raise NoCertificate("functions of a sorted series are not in the order of its layers")
    below, above = found.get(folded.below, []), found.get(folded.end, [])
    _check_names(folded, below, above, folded.count + 1)
    for layer in order:
        if layer in found:
            kept += range(len(everything), len(everything) + len(found[layer]))
            everything += found[layer]
        elif folded.first <= layer < folded.end:
            everything += [_counterpart(folded, one, layer - folded.below) for one in below]


def _check_names(folded: Folded, functions: Sequence[Exported], others: Sequence[Exported], layers: int) -> None:
    """Raises NoCertificate if ``others``, those of the layer that is ``layers`` above, want other names than the
    counterparts of ``functions`` there."""
    if [_counterpart(folded, one, layers).wanted for one in functions] != [one.wanted for one in others]:
        raise NoCertificate("the layers at the splice point have functions of other names")


def _counterpart(folded: Folded, one: Exported, layers: int) -> Exported:
    """The counterpart of ``one`` in the layer that is ``layers`` above: it wants the name that the function of that
    layer has. A name that belongs to no layer is wanted by all."""
    name = folded.layer_functions.counterpart(one.wanted, layers)
    return one if name is None else one._replace(wanted=name)


def _where(folded: Folded, location: int | Location | None) -> tuple[bool, Home | None]:
    """Whether a computation with this ``location`` is inside of another, and its home."""
    home = folded.home(location)
    return home is None and folded.number_of_origin(location) is None, home


class _LayerFunctions(NamedTuple):
    """Functions that were made one after the other of computations of one layer (None: of no layer). ``series`` is the
    sorted series in which they are, None if they are in no such series."""

    layer: int | None
    functions: list[Exported]
    series: int | None


def _by_layer(folded: Folded, functions: Iterable[Exported]) -> Iterator[_LayerFunctions]:
    """``functions`` as runs. The functions of computations inside of another come directly before that of the other,
    and belong to its layer."""
    runs: list[_LayerFunctions] = []
    inner: list[Exported] = []
    for one in functions:
        inner.append(one)
        if not one.inside:
            which, layer = (None, None) if one.home is None else one.home
            series = which if which is not None and folded.series[which].order else None
            if runs and runs[-1].layer == layer and runs[-1].series == series:
                runs[-1].functions.extend(inner)
            else:
                runs.append(_LayerFunctions(layer, inner, series))
            inner = []
    if inner:
        raise NoCertificate("a function has the name of a computation inside of another that was not exported")
    return iter(runs)


def _names(exported: Iterable[Exported], taken: Iterable[str]) -> list[str]:
    """The names that ``exported`` functions get if they are made in this order, and these names are ``taken``."""
    symbols, number = set(taken), 0
    found = []
    for one in exported:
        name = one.wanted
        if name in symbols:
            name, number = free_name(name, number, symbols)
        symbols.add(name)
        found.append(name)
    return found


def rename_functions(module: Operation, names: dict[str, str]) -> None:
    """Renames functions of ``module``, and their calls, by ``names``: from the old to the new ones."""
    changed = {name: other for name, other in names.items() if name != other}
    if not changed:
        return
    for op in module.operations():
        if op.name == "func.call" and callee(op) in changed:
            set_callee(op, changed[callee(op)])
        elif op.name == "func.func" and op.symbol_name in changed:
            rewriting.set_properties(op, op.properties.with_("sym_name", StringAttr(changed[op.symbol_name])))
