"""How many operations each one of a folded program stands for: what its costs are multiplied by.

An operation of the layer below the splice point stands for its like in all layers that are left out, too; so does what
is in it, and in the functions that this layer alone calls.
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
"""Of the program as it is given so many layers more than layers read away stand on each side of the splice point."""


def counted_program(
    folded: Folded,
    module: Operation,
    entry: Operation,
    parts: Parts,
    series: Iterable[int],
    splice: Splice | None = None,
) -> CountedProgram:
    """What ``folded`` has become, ``module`` with the function ``entry``, as its costs are added up; ``parts`` are
    those of the layers near the splice point, ``series`` those of them that stand in the function. ``splice`` is asked
    for the order of what runs."""
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
    """The program that ``folded`` is a copy of, as its costs are added up.

    Raises:
        CountsDiffer: that has been changed since.
    """
    layers = folded.layers
    module = layers.function.parent_op
    if module is None or layers.function.body.operations() != layers.operations:
        raise CountsDiffer
    # What operations compute depends on nothing around them, and what is computed again on little.
    beside = layers.reach + _FEWEST_BESIDE
    first, end = layers.first + beside, layers.end - beside
    few = fold(module, layers, first, end) if folded.first >= first and end >= folded.end else None
    if few is None:
        few = fold(module, layers, folded.first, folded.end)
    if few is None:
        raise CountsDiffer
    parts = operations_by_layer(few, few.function.body.operations())
    return counted_program(few, few.module, few.function, parts, range(len(layers.series)))
