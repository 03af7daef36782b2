"""Propagation through few of many layers that are alike; the others get what these got.

Layers are left out of the midst of those that are alike (``repetition``), those on either side are joined, and the
program that is left is propagated as any other, with an eye on who changes what. That this is what the whole program
would come to is known before anything is written:

- A fixed point goes through the operations in program order, and does all that a visit sets off before it goes on. So
  its history is a list of visits, each with the changes it set off; visits that change nothing leave no trace.
- If the visits to the operations of one layer set off the same changes as those to the layers beside it, up to some
  distance, nobody else changes them, and they change nothing but layers so near, then how these layers look at each
  moment follows from what they were made of and from visits to layers near them, in an order that is the same for each.
- A visit far away may set off changes that run through the layers like a wave. If they visit and change the same in
  each before they come to the next, and nothing when they come back, the stack looks the same at each layer, too.
- Hence a layer that is put in between finds at each of its visits what its neighbours found, sets off the same changes
  as they did, and they, in turn, find what they found without it. So do all that are left out.

The distance is that at which visits look at anything, those that change nothing included, and that at which they change
anything: what is looked at is what it was at first and what visits so near have made of it. Few layers are left at
first, as many as that usually takes; if it takes more, more. Where the histories do not agree, or anything happens that
they do not tell of (a diagnostic, say), nothing was written, and all layers are gone through. Left of this file are
``gap`` and ``watched_propagation``; the propagate passes stand right of it.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.dialects.main_function import find_main_function
from pyshardy.ir import shortcuts
from pyshardy.ir.census import census
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.layers_to_come import LayersToCome
from pyshardy.ir.opdef import DATA_FLOW
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.rewiring import Removals
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.gap import Gap
from pyshardy.propagation.journal import journal_of
from pyshardy.propagation.repeats import FEWEST_REPEATS
from pyshardy.propagation.repetition import Repetition
from pyshardy.propagation.watched_propagation import NotKnown, WatchedPropagation

_FEWEST_OPERATIONS = 500
"""In smaller programs there is nothing to gain."""
_USUAL_CHANGE = 1
"""It is tried as if visits looked no farther than operations read, and changed nothing but in their own layer and those
beside it, as is usual."""


def propagated_by_few_layers(
    module: Operation,
    context: Context,
    propagate: Callable[[Propagation], None],
    *,
    conservative: bool,
    keep_sharding_rules: bool,
) -> bool:
    """Whether ``module`` could be propagated by few of its layers, which is done then: as if ``propagate`` had been
    given a run over the whole of it, and the run been finished. Otherwise nothing has changed. Where layers are to
    come, few of them are there already: whether what was done holds for those, too."""
    to_come = context.layers_to_come
    try:
        repetition = _layers_of(module, context)
        if repetition is None:
            return False
        reads = distance_read(repetition)
    except Exception as error:
        shortcuts.declines_after(error)
        return False
    distance = reads + _USUAL_CHANGE
    while True:
        gap = Gap(repetition, reads, None if to_come is not None else distance)
        run = _propagated_around(gap, module, context, propagate, conservative, keep_sharding_rules)
        if run is None or run.is_known:
            return run is not None
        if to_come is not None:
            to_come.beside = run.distance + 1
        if to_come is not None or run.distance <= distance:
            return False
        distance = run.distance


def _layers_of(module: Operation, context: Context) -> Repetition | None:
    """What repeats in the main function of ``module``; None if few of its layers cannot be propagated alone."""
    main, to_come = find_main_function(module), context.layers_to_come
    if not shortcuts.taken() or main is None or len(main.regions[0].blocks) != 1 or journal_of(context) is not None:
        return None
    found = census(module, context)
    if found.has("sdy.sharding_group") or (len(found.operations) < _FEWEST_OPERATIONS and to_come is None):
        return None
    fewest = FEWEST_REPEATS if to_come is None else to_come.fewest
    repetition = Repetition(main, fewest, constants=to_come is not None)
    return repetition if to_come is None or _are_joined(repetition, to_come) else None


def _propagated_around(
    gap: Gap,
    module: Operation,
    context: Context,
    propagate: Callable[[Propagation], None],
    conservative: bool,
    keep_sharding_rules: bool,
) -> WatchedPropagation | None:
    """A run over ``module`` without the layers of ``gap``, which are given what it says if that is known; None if there
    can be none. Where they are not given anything, nothing has changed."""
    try:
        rewiring = gap.rewiring()
        if rewiring is None or not gap.is_known_what_layers_do() or not gap.are_constants_in_order():
            return None
    except Exception as error:
        shortcuts.declines_after(error)
        return None
    # Whatever is said is said again when all layers are gone through.
    quiet = context.like()
    quiet.censuses, quiet.chlo_rules = context.censuses, context.chlo_rules
    removals = Removals()
    rewiring.exchange()
    run = None
    try:
        run = _watched(WatchedPropagation(module, quiet, gap, removals, conservative=conservative), quiet, propagate)
        if run is not None and run.is_known:
            run.finish(keep_sharding_rules=keep_sharding_rules)
    except (PassFailure, PyshardyError, NotKnown):
        return None
    finally:
        removals.undo()
        rewiring.exchange()
    if run is not None and run.is_known:
        gap.fill()
        gap.erase(removals.operations)
    return run


def _watched(
    run: WatchedPropagation, quiet: Context, propagate: Callable[[Propagation], None]
) -> WatchedPropagation | None:
    """``run``, when all is propagated and before anything is written; None if that failed."""
    try:
        propagate(run)
        run.is_known = not quiet.diagnostics and run.are_layers_alike()
    except (PassFailure, PyshardyError, NotKnown):
        return None
    except Exception as error:
        shortcuts.declines_after(error)
        return None
    return run


def _are_joined(repetition: Repetition, to_come: LayersToCome) -> bool:
    """Whether the layers where others are to come are among those of ``repetition`` that are alike: in each series what
    stands below is to its layer what stands above is to the next one."""
    numbers = repetition.numbers
    for pairs in to_come.pairs:
        left = next(((numbers[one], other) for one, other in pairs if one in numbers and other in numbers), None)
        layer = None if left is None else repetition.layer(left[0])
        if left is None or layer is None or repetition.moved(left[0], 1) is not left[1]:
            return False
        if not repetition.first <= layer < repetition.end - 1:
            return False
    return True


def distance_read(repetition: Repetition) -> int:
    """How many layers away what a visit reads is at most: what an operation reads, or, where that is data flow, what
    flows in there."""
    layer, through = (repetition.first + repetition.end) // 2, 0
    for op in repetition.operations_of(layer):
        nested = op.operations() if op.regions else [op]
        if any(map(_is_data_flow, nested)):
            read = [repetition.layer_of(value) for one in nested for value in one.operands]
            through = max([through, *(abs(other - layer) for other in read if other is not None)])
    return repetition.reach + through


def layers_beside(repetition: Repetition) -> int:
    """How many layers must stand on either side of those that are put in later, as a rule."""
    return distance_read(repetition) + _USUAL_CHANGE + 1


def _is_data_flow(op: Operation) -> bool:
    # Calls become data flow before propagation.
    return bool(op.traits & DATA_FLOW) or op.name in ("sdy.data_flow_edge", "func.call")
