"""Run: a folded program goes through passes, propagation among them.

``folded_program`` folds a program, runs a pipeline on the copy, and asks for the certificates: that of propagation
(``histories``) and that of the result (``splice``). With both it returns a ``FoldedProgram``, which can be partitioned
as it is (``candidates``) or unfolded. If too few layers were kept, or layers near an end of the model were among those
compared, it tries again with more layers. Without certificates it returns None, and the caller runs the pipeline on the
whole program.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from pyshardy.dialects.func import (
    all_result_attributes,
    callee,
    is_private,
    set_argument_attributes,
)
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import function_arguments_as_stored, function_results_as_stored
from pyshardy.dialects.sdy.shared_constants import is_shared_constant
from pyshardy.folding.certifying.constant_copies import mark_copies_of_other_layers
from pyshardy.folding.certifying.diagnostics import FoldedDiagnostics, OtherDiagnostics
from pyshardy.folding.certifying.histories import USUAL_DISTANCE, LayerHistories
from pyshardy.folding.certifying.likeness import NeedsMoreLayers
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.certifying.splice_series import fewest_beside
from pyshardy.folding.detecting.detection import detected_layers
from pyshardy.folding.detecting.layers import Layers
from pyshardy.folding.fold import fold, folding_of
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.folding.function_names import ExportedFunctions, names_with_all_layers, rename_functions
from pyshardy.folding.switch import DECLINED, FOLDED, folds
from pyshardy.folding.unfolding import Unfolding
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation, OpResult
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.verifying.verifier import is_legal
from pyshardy.module import Module, run_passes
from pyshardy.passes.importing.import_func_calls import leaves_names_behind

_FEWEST_OPERATIONS = 500
"""Smaller programs are not folded: passes are as quick as folding."""
_LESS_THAN_AN_ATTEMPT = 500
"""Two layers more are kept at once where these have fewer operations: they cost less than another attempt."""
_FEWEST_LEFT_OUT = 4
"""A program is not folded if fewer layers can be left out."""
_LEAST_LEFT_OUT, _LEAST_LEFT_OUT_AGAIN = 0.3, 0.5
"""This share of the operations is left out at least, in a first attempt and in later ones: a folded program that is as
large as the whole one gains nothing, and an attempt that fails is lost."""
_MOST_MISSING = 16
"""If more layers than that are missing on a side, folding is given up."""
_MOST_ATTEMPTS = 3
"""So many attempts may end with histories that differ, as when the first and last layers of a model were among those
compared; each time more layers are kept. Attempts in which too few layers were kept do not count."""
_A_FEW_MORE = 2
"""This many more layers are kept on each side if histories differ and it is not known how many layers are missing."""


class Ends(NamedTuple):
    """How many layers at the low end, and at the high end, of those that are alike."""

    lowest: int
    highest: int


_NO_ENDS = Ends(0, 0)


class Margin(NamedTuple):
    """How many layers that are alike have to be kept ``below`` the splice point, the template among them, and ``above``
    it, besides those that the certificate of propagation needs."""

    below: int = 0
    above: int = 0


_NO_MARGIN = Margin()


def layers_of(module: Operation, kinds: OperationKinds | None = None) -> Layers | None:
    """The layers of the only public function of ``module``; None if there are none, if there are several public
    functions, if the program is small, or if folding is switched off. ``kinds`` are those of all operations of
    ``module``, nested ones included, if they are known already."""
    if not folds():
        return None
    public = [op for op in module.body if op.name == "func.func" and not is_private(op)]
    if len(public) != 1 or len(public[0].regions[0].blocks) != 1:
        DECLINED["the program has not one public function with one block"] += 1
        return None
    if _is_small(module, public[0]):
        DECLINED["the program has few operations"] += 1
        return None
    found = detected_layers(public[0], kinds)
    if not found.series:
        DECLINED["nothing repeats often enough"] += 1
        return None
    return found


def _is_small(module: Operation, function: Operation) -> bool:
    """Whether functions of ``module`` have few operations, those in regions not counted. A function that ``function``
    calls counts with each call."""
    functions = {op.symbol_name: op for op in module.body}
    left = _FEWEST_OPERATIONS
    for op in module.body:
        left -= len(_first_operations(op, left))
        if left <= 0:
            return False
    for op in function.body if len(functions) > 1 else ():
        called = functions.get(callee(op)) if op.name == "func.call" else None
        left -= 0 if called is None else len(_first_operations(called, left))
        if left <= 0:
            return False
    return True


def _first_operations(function: Operation, count: int) -> list[Operation]:
    """The first ``count`` operations of ``function``, or all if there are fewer."""
    return list(islice((op for region in function.regions for block in region.blocks for op in block), count))


def folded_program(
    source: Module,
    passes: Pipeline,
    layers: Layers,
    margin: Margin = _NO_MARGIN,
    beside: int = 0,
) -> FoldedProgram | None:
    """The folded program that ``passes`` make of ``source``, which is not propagated and has these ``layers``; None if
    too few layers can be left out, or if there is no certificate. At least as many layers are kept as ``margin`` says,
    and at least ``beside`` above the splice point, and one more below it."""

    def folded(beside: int) -> Folded | None:
        left_out = _left_out(layers, beside, margin)
        least = _LEAST_LEFT_OUT_AGAIN if beside else _LEAST_LEFT_OUT
        if left_out is None or _share(layers, left_out) < least:
            DECLINED[_too_few(layers)] += 1
            return None
        found = fold(source.op, layers, left_out.start, left_out.stop)
        if found is None:
            DECLINED["operations that are kept read a value that has no counterpart"] += 1
        return found

    return _propagated(source, passes, folded, beside)


def folded_again(
    program: FoldedProgram,
    seeded: Callable[[], Module],
    passes: Pipeline,
    margin: Margin,
    unlike: Ends,
    beside: int = 0,
) -> FoldedProgram | None:
    """Like ``folded_program`` for a copy of ``program`` that ``seeded`` makes, with other shardings for propagation to
    begin with. Layers at the ends that have other shardings than those near the splice point, ``unlike`` of them, are
    not among those that are left out: the copy is first unfolded as far as that takes.

    Raises:
        NoCertificate: there is no certificate.
    """
    layers, read = program.folded.layers, program.splice.outside
    fixed = {program.folded.source(one.owner.location) for one in read if isinstance(one, OpResult)}

    def folded(beside: int) -> Folded | None:
        left_out = _left_out(layers, beside, margin, unlike, program.folded)
        if left_out is None or layers.function.parent_op is None:
            DECLINED[_too_few(layers)] += 1
            return None
        module = seeded()
        again = program.folded.of(module.op)
        constants = (op for op in again.function.body if is_shared_constant(op) and len(op.result._uses) == 1)
        mark_copies_of_other_layers(again, constants, fixed)
        if (left_out.start, left_out.stop) == (again.first, again.end):
            return again
        return FoldedProgram(again, module, program.diagnostics).unfold_partially(left_out.start, left_out.stop)

    return _propagated(program.module, passes, folded, beside, unlike)


def partially_unfolded(program: FoldedProgram, margin: Margin, beside: int) -> FoldedProgram | None:
    """``program`` with at least ``beside`` layers on each side of the splice point: some of those that were left out
    are written into its module. Propagation does not run again. None if too few are left out then.

    Raises:
        NoCertificate: there is no certificate.
    """
    left_out = _left_out(program.folded.layers, beside, margin, most=program.folded)
    if left_out is None or _share(program.folded.layers, left_out) < _LEAST_LEFT_OUT_AGAIN:
        DECLINED[_too_few(program.folded.layers)] += 1
        return None
    target = program.unfold_partially(left_out.start, left_out.stop)
    return FoldedProgram(target, program.module, program.diagnostics)


def _propagated(
    source: Module,
    passes: Pipeline,
    make: Callable[[int], Folded | None],
    beside: int,
    unlike: Ends = _NO_ENDS,
) -> FoldedProgram | None:
    """The folded program that ``passes`` make of ``make(beside)``, a folding of ``source`` with at least ``beside``
    layers on each side of the splice point, those at the ends that are ``unlike`` not counted. Attempts go on while
    more layers may help."""
    attempts = _MOST_ATTEMPTS
    while True:
        folded = make(beside)
        if folded is None:
            break
        histories = LayerHistories(folded)
        found = None
        try:
            found = _after(folded, source, passes, histories)
            differ = not (any(histories.missing) or histories.is_certain)
            may_more_help = differ or any(histories.missing)
        except NeedsMoreLayers:
            differ = may_more_help = True
        except OtherDiagnostics:
            DECLINED[OtherDiagnostics.WHY] += 1
            break
        attempts -= differ
        if found is not None:
            FOLDED["folded"] += 1
            return found
        more = histories.unlike if differ else histories.missing
        if not attempts or not may_more_help or max(more) > _MOST_MISSING:
            break
        beside = _more_beside(folded, unlike, *more)
    FOLDED["whole"] += 1
    return None


def _too_few(layers: Layers) -> str:
    """That too few layers are alike, or too few operations are in those that are."""
    alike, count = layers.end - layers.first, max(len(one.layers()) for one in layers.series)
    share = alike * sum(one.period for one in layers.series) / len(layers.operations)
    return f"too few can be left out: {alike} of {count} layers are alike, {share:.0%} of the operations"


def _more_beside(folded: Folded, unlike: Ends, below: int, above: int) -> int:
    """How many layers to keep on each side if so many are missing in ``folded``, ``below`` the splice point and
    ``above`` it, a few more if that is not known; layers ``unlike`` and the template do not count."""
    if not (below or above):
        return folded.beside + _A_FEW_MORE
    kept_below = folded.first - folded.layers.first - unlike.lowest
    kept_above = folded.layers.end - folded.end - unlike.highest
    return max(kept_below - 1 + below if below else 0, kept_above + above if above else 0)


def _left_out(
    layers: Layers,
    beside: int,
    margin: Margin,
    unlike: Ends = _NO_ENDS,
    most: Folded | None = None,
) -> range | None:
    """Which layers to leave out so that at least ``beside`` that are alike are kept above the splice point, and one
    more below it, the template; the ``unlike`` ones at the ends do not count. As many as are usually enough are kept in
    any case, and all that are kept in ``most``. None if too few layers could be left out then."""
    usual = max(layers.reach, USUAL_DISTANCE)
    least = max(beside, usual, fewest_beside(layers.reach))
    is_small = 2 * sum(one.period for one in layers.series) < _LESS_THAN_AN_ATTEMPT
    for kept in (max(least, usual + 2), least) if is_small else (least,):
        found = _left_out_beside(layers, kept, margin, unlike, most)
        if len(found) >= _FEWEST_LEFT_OUT:
            return found
    return None


def _share(layers: Layers, left_out: range) -> float:
    """Which share of the operations of the function are those of layers ``left_out``."""
    return len(left_out) * sum(one.period for one in layers.series) / len(layers.operations)


def _left_out_beside(layers: Layers, beside: int, margin: Margin, unlike: Ends, most: Folded | None) -> range:
    """``_left_out`` if exactly ``beside`` layers are to be kept, or what ``margin`` and ``most`` ask for if that is
    more; it may be empty."""
    first = layers.first + unlike.lowest + max(beside + 1, margin.below)
    end = layers.end - unlike.highest - max(beside, margin.above)
    if most is not None:
        first, end = max(first, most.first), min(end, most.end)
    return range(first, end)


def _after(folded: Folded, source: Module, passes: Pipeline, histories: LayerHistories) -> FoldedProgram | None:
    """The folded program that ``passes`` make of ``folded``, a folding of ``source``; None if there is no certificate.
    ``histories`` observes propagation.

    Raises:
        NeedsMoreLayers: there is none, but there might be one if more layers were kept.
        OtherDiagnostics: there is none, with more layers neither.
    """
    work = source.with_op(folded.module, source.context.fork(continues=True))
    diagnostics = FoldedDiagnostics(folded, work.context)
    names = {op.symbol_name for op in work.op.body}
    work.context.chlo_rules = source.context.chlo_rules
    work.context.propagation_observers = (histories,)
    exported = ExportedFunctions()
    diagnostics.is_strict = True
    try:
        if leaves_names_behind(work.op, work.context):
            raise NoCertificate("a pass leaves an illegal program behind, and later ones make it legal")
        run_passes(work, passes, verify_each=False, observers=[exported])
        work.context.propagation_observers = ()
        diagnostics.is_strict = False
        if not histories.is_certain:
            raise NoCertificate("no pass has propagated the program")
        if not is_legal(work.op, work.context):
            raise NoCertificate("passes have left an illegal program behind")
        names.update(given for _, _, given in exported.made)
        if any(op.symbol_name not in names for op in work.op.body):
            raise NoCertificate("a pass has added a function")
        full_names = names_with_all_layers(folded, exported)
        rename_functions(work.op, full_names.kept)
        folded.names_left_out = folded.names_left_out | full_names.left_out
        return FoldedProgram(folded, work, diagnostics)
    except NeedsMoreLayers:
        raise
    except (PyshardyError, NoCertificate) as error:
        if diagnostics.ended_run:
            raise OtherDiagnostics from error
        DECLINED[histories.refusal or str(error)] += 1
        return None


class FoldedProgram:
    """The program ``module``, which passes have made of a folded program; ``folded`` is the folding of it, and
    ``diagnostics`` are those that the passes gave.

    Raises:
        NoCertificate: there is no certificate.
    """

    def __init__(self, folded: Folded, module: Module, diagnostics: FoldedDiagnostics) -> None:
        self.folded = folded
        self.module = module
        self.diagnostics = diagnostics
        self.function = folded.function
        self.splice = Splice(folded)
        self._complete_arguments()
        self.results_attributes = self._all_results_attributes()
        """The attributes of each result that the function has with all layers."""
        self._unfolding: Unfolding | None = None

    def unfold(self) -> Unfolding:
        """Writes the layers that were left out into the module, if that is not done; it is whole from then on."""
        if self._unfolding is None:
            self._unfolding = Unfolding(self.splice, self.module.op, None, self.results_attributes)
        return self._unfolding

    def unfold_partially(self, first: int, end: int) -> Folded:
        """Writes some of the layers that were left out into the module: those but layers ``first`` up to (excluding)
        ``end``. Returns the folding of the module then.

        Raises:
            NoCertificate: one of these layers is there.
        """
        if not (first >= self.folded.first and end <= self.folded.end):
            raise NoCertificate("a layer that is to be left out was written already")
        target = folding_of(self.module.op, self.function, self.folded.layers, first, end)
        target.series = list(self.folded.series)
        target.names_left_out = self.folded.names_left_out
        Unfolding(self.splice, self.module.op, target, self.results_attributes)
        return target

    def _complete_arguments(self) -> None:
        """Gives arguments of layers that were left out the shardings of their counterparts in the template."""
        shardings = function_arguments_as_stored(self.function)
        found: dict[int, Attribute | None] = {
            index: shardings[alike] for alike, index, _ in self.splice.arguments_left_out()
        }
        if found:
            set_argument_attributes(self.function, SHARDING, found)

    def _all_results_attributes(self) -> list[DictionaryAttr]:
        """The attributes of all results: those of results that are kept from the folded program, others from the
        original, with the sharding of their counterpart in the template."""
        before, kept = all_result_attributes(self.folded.layers.function), all_result_attributes(self.function)
        shardings = function_results_as_stored(self.function)
        found = []
        for index, original in enumerate(before):
            place = self.folded.place_of_result(index)
            if index in self.folded.places_of_results:
                found.append(kept[place])
            else:
                sharding = shardings[place]
                found.append(original.without(SHARDING) if sharding is None else original.with_(SHARDING, sharding))
        return found
