"""Detection: the layers of a function, of that stack of which most operations can be left out.

``repeats`` finds operations that repeat, ``linked_series`` puts them into stacks and says which repeat is which layer,
and ``comparison`` says which layers of a stack are alike. This file goes through the stacks, and through other ways to
cut the function into repeats (``splitting``, ``joining``) as long as little can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress

from pyshardy.folding.detecting.comparison import LayerComparison
from pyshardy.folding.detecting.def_use import DefUse
from pyshardy.folding.detecting.free_operations import FreeOperations
from pyshardy.folding.detecting.joining import joined_repeats
from pyshardy.folding.detecting.layer_functions import Functions
from pyshardy.folding.detecting.layers import FunctionBody, Layers
from pyshardy.folding.detecting.linked_series import LinkedSeries
from pyshardy.folding.detecting.repeats import RepeatedRange, repeats_of
from pyshardy.folding.detecting.series import Series
from pyshardy.folding.detecting.splitting import split_repeats
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_kinds import OperationKinds


def detected_layers(function: Operation, kinds: OperationKinds | None = None) -> Layers:
    """The layers of ``function``; without series if nothing repeats. ``kinds`` are those of all operations of its
    module, if they are known already."""
    if kinds is None:
        kinds = OperationKinds(function.parent_op or function)
    functions = Functions(function, kinds)
    operations, numbers = kinds.within(function.body)
    free = FreeOperations(kinds, function.body, functions.all)
    found = repeats_of(operations, numbers, kinds.examples, functions.called_once, free)
    if not found:
        return Layers(FunctionBody(function, operations, {}, functions, free), ())
    operands = [len(one.operands) for one in kinds.examples]
    def_use = DefUse(operations, map(operands.__getitem__, numbers))
    has_regions = [bool(one.regions) for one in kinds.examples]
    with_regions = list(compress(range(len(numbers)), map(has_regions.__getitem__, numbers)))
    body = FunctionBody(function, operations, def_use.numbers, functions, free)
    return _Search(body, def_use, with_regions).best(found)


class _Search:
    """Goes through the stacks of the function with this ``body``. ``def_use`` are the def-use chains of its operations,
    ``with_regions`` the numbers of those that have regions."""

    def __init__(self, body: FunctionBody, def_use: DefUse, with_regions: Sequence[int]) -> None:
        self._body = body
        self._def_use = def_use
        self._comparison = LayerComparison(body, def_use, with_regions)

    def best(self, found: Sequence[RepeatedRange]) -> Layers:
        """The layers of the repeats ``found``, or of others if more operations can be left out of these."""
        linked = self._linked(found)
        best = self._first_alike(linked.stacks())
        # With sorted series only grouped ranges are split: trying the ungrouped ones, too, takes long.
        ungrouped = [] if any(one.order for one in linked.series) else found
        others = (split_repeats, linked.repeats), (split_repeats, ungrouped), (joined_repeats, linked.repeats)
        for other, repeats in others:
            if 2 * _left_out(best) < len(self._body.operations):
                cut = other(self._def_use, repeats)
                layers = best if cut is None else self._first_alike(self._linked(cut).stacks())
                best = layers if _left_out(layers) > _left_out(best) else best
        return best

    def _linked(self, repeats: Sequence[RepeatedRange]) -> LinkedSeries:
        """The series of ``repeats``, with free operations that are equal in one layer if that is possible."""
        linked = LinkedSeries(self._def_use, repeats)
        linked.align([list(map(self._body.numbers.__getitem__, group)) for group in self._body.free.groups()])
        return linked

    def _first_alike(self, stacks: Iterable[Sequence[Series]]) -> Layers:
        """The layers of the first of ``stacks`` in which layers are alike; of the last if there is none."""
        layers = Layers(self._body, ())
        for stack in stacks:
            layers = Layers(self._body, stack)
            layers.alike = self._comparison.alike_layers(layers)
            if layers.first < layers.end:
                break
        return layers


def _left_out(layers: Layers) -> int:
    """About how many operations are left out if ``layers`` are folded."""
    count = layers.end - layers.first - 2 * layers.reach - 1
    return max(0, count) * sum(one.period for one in layers.series)
