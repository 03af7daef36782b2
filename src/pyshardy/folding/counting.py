"""Count: how many operations of the whole program each operation of a folded one stands for.

An operation of the template stands for its counterparts in all layers that are left out, too. So do the operations in
its regions, and those of functions that belong to the template. Costs of these are multiplied; other operations count
once. The result is a ``CountedProgram``, which ``analysis`` adds up without knowing of folding.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from pyshardy.dialects.func import is_declaration
from pyshardy.folding.all_layers import runs_of_all_layers
from pyshardy.folding.folded import Folded, fold
from pyshardy.folding.parts import Parts, operations_by_layer, own_functions_by_layer
from pyshardy.folding.splice import Splice
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.account.counted import CountedProgram, CountsDiffer

_FEWEST_BESIDE = 1
"""Of the program before propagation this many layers more than its reach are kept on each side of the splice point."""


def counted_program(
    folded: Folded,
    module: Operation,
    entry: Operation,
    parts: Parts,
    series: Iterable[int],
    splice: Splice | None = None,
) -> CountedProgram:
    """The counted program of ``module``, which a stage has made of ``folded``; ``entry`` is its function. ``parts`` are
    the operations of layers near the splice point, and ``series`` those of their series that are in ``entry``, not in
    functions that it calls. With ``splice`` the program can say in which order all layers run."""
    times = folded.multiplicity
    copies: dict[Operation, int] = {}
    alike: list[tuple[Operation, Operation]] = []
    for one in series:
        template = parts.get((one, folded.below), ())
        alike += zip(template, parts.get((one, folded.end), ()), strict=True)
        for op in template:
            copies.update(dict.fromkeys(op.operations() if op.regions else (op,), times))
    for (_, layer), functions in own_functions_by_layer(folded, module).items():
        if layer == folded.below:
            for function in functions:
                if not is_declaration(function):
                    copies.update(dict.fromkeys(function.operations(), times))
    all_runs = None if splice is None else partial(runs_of_all_layers, splice)
    return CountedProgram(module, entry, copies, folded.locations, alike, all_runs)


def counted_source(folded: Folded) -> CountedProgram:
    """The counted program of the one that ``folded`` is a copy of, from a folding of its own, with fewer layers if that
    is possible.

    Raises:
        CountsDiffer: the program has been changed since it was folded, or cannot be folded again.
    """
    layers = folded.layers
    module = layers.function.parent_op
    if module is None or layers.function.body.operations() != layers.operations:
        raise CountsDiffer
    # Of this program only work is counted. That of an operation depends on nothing around it, and whether it counts as
    # recomputed on little. So fewer layers are enough than passes and the partitioner need.
    beside = layers.reach + _FEWEST_BESIDE
    first, end = layers.first + beside, layers.end - beside
    few = fold(module, layers, first, end) if folded.first >= first and end >= folded.end else None
    if few is None:
        few = fold(module, layers, folded.first, folded.end, like=folded)
    if few is None:
        raise CountsDiffer
    parts = operations_by_layer(few, few.function.body.operations())
    return counted_program(few, few.module, few.function, parts, range(len(layers.series)))
