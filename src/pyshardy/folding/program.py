"""What becomes of a program by passes, found with few of its layers: the folded program goes through them.

That is exact where propagation knows that the layers that were left out would become what those beside them have become
(``histories``), and where these are alike afterwards (``splice``): the other passes look at an operation, at what it
reads and who reads it, and at what is near it. Where that does not hold there is no answer, and the whole program goes
through the passes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from pyshardy.dialects.func import callee, is_private, result_attributes, set_argument_attributes, with_entry_attributes
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding
from pyshardy.dialects.sdy.shared_constants import is_shared_constant
from pyshardy.folding.folded import Folded, NotAlike, fold
from pyshardy.folding.function_names import ExportedFunctions, full_names, rename_functions
from pyshardy.folding.histories import LayerHistories
from pyshardy.folding.layers import Layers
from pyshardy.folding.splice import Splice, fewest_beside
from pyshardy.folding.unfolding import Unfolding
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation, OpResult
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.verifier import is_legal
from pyshardy.module import Module, run_passes

_FEWEST_OPERATIONS = 500
"""In smaller programs there is nothing to gain."""
_FEWEST_LEFT_OUT = 4
_MOST_MISSING = 16
_A_FEW_MORE = 2
"""So many layers more are tried if histories are not the same, as at the ends they need not be."""
_USUAL_CHANGE = 1
"""It is tried as if visits looked no farther than operations read, and changed nothing but in their own layer and those
beside it, as is usual."""


class Ends(NamedTuple):
    """How many of the ``lowest`` of the layers that are alike in the program as it is given, and of the ``highest``."""

    lowest: int
    highest: int


def layers_of(module: Operation) -> Layers | None:
    """The layers of the only public function of ``module``; None if there are none, or programs are not folded."""
    public = [op for op in module.body if op.name == "func.func" and not is_private(op)]
    if not shortcuts.folds() or len(public) != 1 or len(public[0].regions[0].blocks) != 1:
        return None
    if _is_small(module, public[0]):
        return None
    found = Layers(public[0])
    return found if found.series else None


def _is_small(module: Operation, function: Operation) -> bool:
    """Whether ``module`` has few operations at its top, those of functions counted as often as ``function`` calls
    them."""
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
    """So many operations of ``function``, or all if there are fewer."""
    return list(islice((op for region in function.regions for block in region.blocks for op in block), count))


def folded_program(
    source: Module,
    passes: Pipeline,
    layers: Layers,
    margin: Callable[[int], int] = lambda _: 0,
) -> FoldedProgram | None:
    """What becomes of ``source``, which is not propagated, by ``passes``, with few of its ``layers``; None if it has no
    more, or if they do not say what would become of all. At least ``margin`` layers stand below (-1) and above (1)
    those beside the splice point."""
    return _propagated(source, passes, layers, lambda beside: _folded(source.op, layers, beside, margin))


def folded_again(
    program: FoldedProgram,
    seeded: Callable[[], Module],
    passes: Pipeline,
    margin: Callable[[int], int],
    unlike: Ends,
) -> FoldedProgram | None:
    """What becomes by ``passes`` of what ``seeded`` makes of ``program``: copies of its module with other shardings,
    alike beside the splice point, and all the way to those layers at the ends that are ``unlike``. The rest is that of
    ``folded_program``.

    Raises:
        NotAlike: layers are not alike, or it cannot be said.
    """
    layers, read = program.folded.layers, program.splice.outside
    fixed = {program.folded.source(one.owner.location) for one in read if isinstance(one, OpResult)}

    def folded(beside: int) -> Folded | None:
        module = seeded()
        again = program.folded.of(module.op)
        constants = (op for op in again.function.body if is_shared_constant(op) and len(op.result._uses) == 1)
        again.hand_out(constants, fixed)
        few = FoldedProgram(again, module)
        source = layers.function.parent_op
        less = None if source is None else _folded(source, layers, beside, margin, unlike, program.folded)
        return None if less is None else few.with_layers_of(less)

    return _propagated(program.module, passes, layers, folded)


def _propagated(
    source: Module, passes: Pipeline, layers: Layers, make: Callable[[int], Folded | None]
) -> FoldedProgram | None:
    """What becomes by ``passes`` of what ``make`` makes: the program folded, with that many layers beside the splice
    point, or as many as are enough as a rule."""
    beside = 0
    while True:
        folded = make(beside)
        if folded is None:
            shortcuts.FOLDED["whole"] += 1
            return None
        histories = LayerHistories(folded)
        found = _after(folded, source, passes, histories)
        missing = histories.missing or (_A_FEW_MORE if not beside and not histories.is_certain else 0)
        if found is not None or not missing or missing > _MOST_MISSING:
            shortcuts.FOLDED["whole" if found is None else "folded"] += 1
            return found
        beside = folded.beside + missing


def _folded(
    module: Operation,
    layers: Layers,
    beside: int,
    margin: Callable[[int], int],
    unlike: Ends | None = None,
    most: Folded | None = None,
) -> Folded | None:
    """``module`` with as many layers above the splice point as are enough as a rule, or ``beside``, and one more below
    it, which those that are left out are like; besides those at the ends that are ``unlike``. It is folded as in
    ``most`` at most."""
    beside, (lowest, highest) = max(beside, _usual(layers)), unlike or (0, 0)
    first = layers.first + lowest + max(beside + 1, margin(-1))
    end = layers.end - highest - max(beside, margin(1))
    if most is not None:
        first, end = max(first, most.first), min(end, most.end)
    return fold(module, layers, first, end) if end - first >= _FEWEST_LEFT_OUT else None


def _usual(layers: Layers) -> int:
    """How many layers beside the splice point are enough as a rule."""
    return max(layers.reach + _USUAL_CHANGE, fewest_beside(layers.reach))


def _after(folded: Folded, source: Module, passes: Pipeline, histories: LayerHistories) -> FoldedProgram | None:
    """What has become of ``folded``, a copy of ``source``, behind ``passes``; None if that does not say what would
    become of all layers."""
    work = source.with_op(folded.module, source.context.like())
    names = {op.symbol_name for op in work.op.body}
    work.context.chlo_rules = source.context.chlo_rules
    work.context.propagation_observers = (histories,)
    exported = ExportedFunctions()
    try:
        run_passes(work, passes, verify_each=False, observers=[exported])
        work.context.propagation_observers = ()
        if work.context.diagnostics or not histories.is_certain or not is_legal(work.op, work.context):
            return None
        names.update(given for _, _, given in exported.made)
        if any(op.symbol_name not in names for op in work.op.body):
            return None
        rename_functions(work.op, full_names(folded, exported))
        return FoldedProgram(folded, work)
    except (PyshardyError, NotAlike):
        return None


class FoldedProgram:
    """The program ``module``, which ``folded`` has become by passes: with few of its layers.

    Raises:
        NotAlike: it is not known what would have become of those that were left out.
    """

    def __init__(self, folded: Folded, module: Module) -> None:
        self.folded = folded
        self.module = module
        self.function = folded.function
        self.splice = Splice(folded, folded.function)
        self._complete_arguments()
        self.results_attributes = self._all_results_attributes()
        """Those of all results of the function."""
        self._unfolding: Unfolding | None = None

    def unfolded(self) -> Unfolding:
        """The layers that were left out, written into the module, which is whole from now on."""
        if self._unfolding is None:
            self._unfolding = Unfolding(self.splice, self.module.op)
            properties = with_entry_attributes(self.function.properties, "res_attrs", self.results_attributes)
            rewriting.set_properties(self.function, properties)
        return self._unfolding

    def with_layers_of(self, less: Folded) -> Folded:
        """The program with those layers that are there in ``less``, which is folded less: they are written into the
        module.

        Raises:
            NotAlike: that cannot be done.
        """
        if not (less.first >= self.folded.first and less.end <= self.folded.end):
            raise NotAlike
        Unfolding(self.splice, self.module.op, less)
        attributes = [self.results_attributes[index] for index in less.returned]
        rewriting.set_properties(
            self.function, with_entry_attributes(self.function.properties, "res_attrs", attributes)
        )
        return less.of(self.module.op)

    def _complete_arguments(self) -> None:
        """Gives the arguments of the layers that were left out the shardings of those like them."""
        found: dict[int, Attribute | None] = {}
        for alike, index, _ in self.splice.arguments_left_out():
            found[index] = function_argument_sharding(self.function, alike)
        if found:
            set_argument_attributes(self.function, SHARDING, found)

    def _all_results_attributes(self) -> list[DictionaryAttr]:
        """Those of all results of the function."""
        original = self.folded.layers.function
        places = {index: place for place, index in enumerate(self.folded.returned)}
        found = []
        for index, family in enumerate(self.folded.results):
            place = places.get(index)
            if place is not None:
                found.append(result_attributes(self.function, place))
                continue
            assert family is not None
            got = function_result_sharding(self.function, places[family[0]])
            own = result_attributes(original, index)
            found.append(own.without(SHARDING) if got is None else own.with_(SHARDING, got))
        return found
