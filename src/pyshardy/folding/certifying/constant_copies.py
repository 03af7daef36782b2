"""Folding: series of the copies that layers have of constant computations.

A causal mask, or a table of rotary embeddings, is computed from constants in front of all layers, and all read it.
Before propagation ``sdy-constant-or-scalar-splitter`` gives each use of such a value a copy of the whole computation:
each step of it becomes a row of copies, one for each use, in the order of the uses. So the copies for layer 7 belong to
layer 7, though they stand elsewhere, and a row is a series like those of the layers themselves.

Copies have the location of the original, which says nothing of layers. ``find_copies`` finds out which operation of
which layer reads each of them, directly or through later steps, and gives them locations that say so.

Copies of single constants are not among these: they are merged again after propagation (``layer_places``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from pyshardy.dialects.sdy.shared_constants import is_shared_constant
from pyshardy.folding.certifying.parts import operations_by_layer
from pyshardy.folding.detecting.series import Home
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir.operation import Operation


def find_copies(folded: Folded, operations: Sequence[Operation]) -> dict[tuple[int, int], list[Operation]]:
    """``operations_by_layer`` of ``operations``, those of the function that passes have made of that of ``folded``.
    First, copies of constant computations that layers read are added to ``folded`` as series."""
    parts = operations_by_layer(folded, operations)
    homes = {op: Home(*home) for home, own in parts.items() for op in own}
    copied = copied_locations(op for op in operations if op not in homes)
    if not copied:
        return parts
    rows: dict[tuple[int, int], list[tuple[int, Operation]]] = {}
    for op in reversed(operations):
        if op.location in copied and op not in homes and not is_shared_constant(op):
            home = home_of_readers(op, homes)
            if home is not None and isinstance(op.location, int):
                homes[op] = home
                rows.setdefault((op.location, home.series), []).append((home.layer, op))
    found = False
    for (_, series), row in reversed(rows.items()):
        for run in _runs(folded, row[::-1]) if not folded.series[series].order else ():
            folded.add_copies(run.copies, run.direction)
            found = True
    return operations_by_layer(folded, operations) if found else parts


def add_free_constants(folded: Folded, operations: Iterable[Operation]) -> None:
    """Enters the free constants of layers among ``operations``, those of the function that the partitioner has made of
    that of ``folded``, in ``folded`` as series of their own: it has put them at the start of the function."""
    rows: dict[int, list[tuple[int, Operation]]] = {}
    for op in operations:
        home = folded.home(op.location)
        if home is not None and not op.operands and folded.free_source(op) is not None:
            rows.setdefault(home.series, []).append((home.layer, op))
    for row in rows.values():
        for run in _runs(folded, row):
            folded.add_copies(run.copies, run.direction, is_fixed=False)


def mark_copies_of_other_layers(
    folded: Folded, copies: Iterable[Operation], fixed: Collection[Operation | None]
) -> None:
    """Gives those of ``copies`` that are read by another layer than they come from locations that say so. The
    copies are constants of a propagated program: passes have given each reader a copy of its own, which stands with
    the reader, but has the location of the one constant that all readers shared.

    Copies of operations in ``fixed`` come from one operation in all layers: a constant that the first layer has
    made for all. Other copies come from a constant at a fixed distance, say in the layer below that of the reader.

    Raises:
        NoCertificate: with all layers such a constant would be in a layer that does not exist.
    """
    for one in copies:
        origin, ((user, _),) = folded.source(one.location), one.result._uses
        mine, its = folded.number_of_origin(one.location), folded.number_of_origin(user.location)
        if origin is None or mine is None:
            continue
        if its is not None and folded.layers.home(mine) == folded.layers.home(its):
            continue
        is_fixed = origin in fixed
        # Ends of the model that are kept may read each other; only others read across the splice point.
        is_same = is_fixed or its is None or _reads(folded, user, origin)
        beyond = 0 if is_same or its is None else _left_out_between(folded, mine, its)
        if beyond:
            moved = folded.layers.counterpart(mine, beyond)
            if moved is None:
                raise NoCertificate("a copied constant would come from a layer that does not exist")
            origin = moved
        one.location = folded.location_apart(origin, is_fixed=is_fixed)


def _reads(folded: Folded, user: Operation, origin: Operation) -> bool:
    """Whether the origin of ``user`` reads a result of ``origin`` in the program."""
    source = folded.source(user.location)
    return source is not None and not {*source.operands}.isdisjoint(origin.results)


def _left_out_between(folded: Folded, number: int, user: int) -> int:
    """How many layers are left out between operation ``number`` and operation ``user``, which reads its result in
    the folded program; negative if ``user`` is the lower one. With all layers ``user`` would read the counterpart
    that is so many layers above."""
    layer, its = folded.layers.layer(number), folded.layers.layer(user)
    if layer is None or its is None:
        return 0
    return folded.folded_number(layer) - folded.folded_number(its) - (layer - its)


def copied_locations(operations: Iterable[Operation]) -> set[object]:
    """The locations of operations of which there are several copies among ``operations``, constants aside."""
    counts = Counter([op.location for op in operations if not is_shared_constant(op)])
    return {location for location, count in counts.items() if count > 1 and isinstance(location, int) and location < 0}


def home_of_readers(op: Operation, homes: Mapping[Operation, Home]) -> Home | None:
    """The home of all readers of ``op``; None if they are not of one layer of one series."""
    found, block = None, op.parent
    assert block is not None
    for result in op.results:
        for user, _ in result._uses:
            home = homes.get(user.ancestor_in(block))
            if home is None or found not in (None, home):
                return None
            found = home
    return found


class _CopyRun(NamedTuple):
    """Copies that follow each other in a row and go through layers in one ``direction``, each with its layer."""

    direction: int
    copies: list[tuple[int, Operation]]


def _runs(folded: Folded, row: Sequence[tuple[int, Operation]]) -> Iterator[_CopyRun]:
    """The runs of ``row``, copies in the order of the text with their layers, in which the two layers at the splice
    point have copies."""
    runs: list[_CopyRun] = []
    for layer, same in groupby(row, key=itemgetter(0)):
        step = folded.folded_number(layer) - folded.folded_number(runs[-1].copies[-1][0]) if runs else 0
        if abs(step) == 1 and runs[-1].direction in (0, step):
            runs[-1] = _CopyRun(step, [*runs[-1].copies, *same])
        else:
            runs.append(_CopyRun(0, list(same)))
    for run in runs:
        if {folded.below, folded.end} <= {layer for layer, _ in run.copies}:
            yield run
