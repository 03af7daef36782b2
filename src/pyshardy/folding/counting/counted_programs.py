"""Count: how many operations of the whole program each operation of a folded one stands for.

An operation of the template stands for its counterparts in all layers that are left out, too. So do the operations in
its regions, and those of functions that belong to the template. Costs of these are multiplied; other operations count
once. The result is a ``CountedProgram``, which ``analysis`` adds up without knowing of folding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from pyshardy.dialects.func import is_declaration
from pyshardy.folding.certifying.parts import layer_functions_by_layer
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.counting.all_layers import segments_of_all_layers
from pyshardy.folding.detecting.layers import Layers
from pyshardy.folding.detecting.series import OperationsByLayer
from pyshardy.folding.folded import Folded
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.account.counted import CountedProgram, CountsDiffer

_FEWEST_BESIDE = 1
"""Of the program before propagation this many layers more than its reach are kept on each side of the splice point."""


def counted_program(
    folded: Folded,
    module: Operation,
    entry: Operation,
    parts: OperationsByLayer,
    series: Iterable[int],
    splice: Splice | None = None,
) -> CountedProgram:
    """The counted program of ``module``, which a stage has made of ``folded``; ``entry`` is its function. ``parts`` are
    the operations of layers near the splice point, and ``series`` those of their series that are in ``entry``, not in
    functions that it calls. With ``splice`` the program can say in which order all layers run."""
    times = folded.multiplicity
    multiplicities: dict[Operation, int] = {}
    alike: list[tuple[Operation, Operation]] = []
    for one in series:
        template = parts.get((one, folded.below), ())
        alike += zip(template, parts.get((one, folded.end), ()), strict=True)
        for op in template:
            multiplicities.update(dict.fromkeys(op.operations() if op.regions else (op,), times))
    for (_, layer), functions in layer_functions_by_layer(folded, module).items():
        if layer == folded.below:
            for function in functions:
                if not is_declaration(function):
                    multiplicities.update(dict.fromkeys(function.operations(), times))
    all_segments = None if splice is None else partial(segments_of_all_layers, splice)
    return CountedProgram(module, entry, multiplicities, folded.locations, alike, all_segments)


def counted_source(folded: Folded) -> CountedProgram:
    """The counted program of the one that ``folded`` is a copy of. It is not copied again: its operations count but for
    those of most layers.

    Raises:
        CountsDiffer: the program has been changed since it was folded.
    """
    layers, function = folded.layers, folded.layers.function
    module = function.parent_op
    if module is None or function.body.operations() != layers.operations:
        raise CountsDiffer
    # Of this program only work is counted. That of an operation depends on nothing around it, and whether it counts as
    # recomputed on little. So fewer layers are enough than passes and the partitioner need.
    beside = layers.reach + _FEWEST_BESIDE
    first, end = min(folded.first, layers.first + beside), max(folded.end, layers.end - beside)
    template = _Template(layers, first - 1, end)
    return CountedProgram(
        module, function, template.multiplicities, template.locations, template.alike, None, layers.outside(first, end)
    )


class _Template:
    """Layer ``number`` of ``layers``, which stands for those above it up to (excluding) ``end``, too: the
    ``multiplicities`` of its operations, with those in their regions and in its own functions."""

    def __init__(self, layers: Layers, number: int, end: int) -> None:
        self._layers = layers
        self.alike: list[tuple[Operation, Operation]] = []
        """The operations of the layer, each with its counterpart in layer ``end``."""
        self._inside: dict[Operation, tuple[str | int, int]] = {}
        """Where operations that stand for several are: the function or the number of the operation that they are in,
        and their place there."""
        self._opened: dict[str | int, list[list[Operation]]] = {}
        """The operations in some of these, and in their counterparts in the layers above."""
        for one in layers.series:
            begin, other = one.begin_of(number), one.begin_of(end)
            operations = layers.operations[begin : begin + one.period]
            self.alike += zip(operations, layers.operations[other : other + one.period], strict=True)
            for place, op in enumerate(operations, begin):
                self._enter(place, op)
        for name, function in layers.layer_functions.all.items():
            site = layers.layer_functions.call_site(name)
            if site is not None and site.layer == number and not is_declaration(function):
                self._enter(name, function)
        self.multiplicities = dict.fromkeys(self._inside, end - number)

    def _enter(self, where: str | int, op: Operation) -> None:
        for place, nested in enumerate(op.operations() if op.regions else (op,)):
            self._inside[nested] = where, place

    def locations(self, op: Operation, times: int) -> Sequence[int | Location | None]:
        """Where ``op``, and those that it stands for, stand: ``times`` in all.

        Raises:
            CountsDiffer: there are not as many any more.
        """
        if times == 1:
            return (op.location,)
        where, place = self._inside[op]
        if isinstance(where, int) and not place:
            return [one.location for one in self._layers.counterparts(where, times)]
        found = self._opened.get(where)
        if found is None:
            found = self._opened[where] = [one.operations() for one in self._counterparts(where, times)]
        if any(place >= len(operations) for operations in found):
            # The program has been changed since it was folded.
            raise CountsDiffer
        return [operations[place].location for operations in found]

    def _counterparts(self, where: str | int, times: int) -> list[Operation]:
        """The function, or the operation of the layer, and its counterparts in the layers above."""
        if isinstance(where, int):
            return self._layers.counterparts(where, times)
        own = self._layers.layer_functions
        names = [own.counterpart(where, above) for above in range(times)]
        return [own.all[name] for name in names if name is not None]
