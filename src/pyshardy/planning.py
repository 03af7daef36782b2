"""``pyshardy.partition``: makes a plan for a program.

Shardings are propagated, candidate plans are made, and the best is taken (``partitioning.best_plan``): on the
folded program if it is certain that all layers are treated alike (``folding``), else on the whole program.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache, partial

from pyshardy.choices import FORMS, REPLICA_GROUPS
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy.every_sharding import has_shardings_of_operations
from pyshardy.folding.choosing import chosen_on_folded_program
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.call_depth import check_call_depth
from pyshardy.ir.change_log import kept_changes
from pyshardy.ir.collector import collect_ended_programs, paused_collector
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.pipeline_text import expanded
from pyshardy.ir.symbol_references import symbol_references
from pyshardy.ir.verifying.verifier import verify
from pyshardy.module import Module, run_passes
from pyshardy.partitioning.account.counted import CountedProgram, counted_collectives
from pyshardy.partitioning.best_plan import best_plan
from pyshardy.partitioning.boundary import boundaries
from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.candidate_plans import Candidates, PlanOptions
from pyshardy.partitioning.chosen_plan import ChosenPlan, chosen_plan
from pyshardy.partitioning.manual_form import make_manual
from pyshardy.partitioning.plan import Correspondence, Plan, PlanDetails, no_counts
from pyshardy.partitioning.plan_price import Pricing
from pyshardy.partitioning.size_limits import check_sizes
from pyshardy.partitioning.verified_once import verified_once
from pyshardy.passes.propagation_pipeline import chlo_rules_of
from pyshardy.propagation.journal import Journal
from pyshardy.sharding.mesh import Mesh

_FEWEST_FOLDED_WITH_JOURNAL = 16_000
"""With a journal all layers are propagated anyway, so programs with fewer operations than this are not folded: to
partition them whole is as fast."""


def partition(
    module: Module,
    *,
    emit: str = "local",
    replica_groups: str = "list",
    propagated: bool = False,
    in_place: bool = False,
    chlo_rules: bool = True,
    progress: Callable[[int, int], None] | None = None,
    journal: Journal | None = None,
    price: Pricing | None = None,
) -> Plan:
    """Makes the program of one device of ``module``, which stays as it is unless ``in_place`` allows
    changing it.

    Shardings are propagated first, unless ``propagated`` says that every value has the sharding that it should have;
    through operations of CHLO as well, unless ``chlo_rules`` is False (see ``pyshardy.propagate``). ``emit`` is one of
    ``FORMS``, ``replica_groups`` one of ``REPLICA_GROUPS``; ``progress`` is called with the number of operations that
    are done, and of all; there are more of them for each candidate plan. Propagation records its changes in
    ``journal``. For a large program whose plan comes from the folded one the journal stays empty; ``keep_journal``
    fills it later. Of candidate plans that one is taken which moves the fewest bytes, or has the least ``price``.

    Raises:
        PyshardyError: propagation refuses the program, or its meshes have different numbers of devices.
        ValueError: an option has no such value, or the program has no function with a body; the mesh does not fit the
            hardware that the price is for.
    """
    if emit not in FORMS:
        raise ValueError(f"unknown form {emit!r}, one of {', '.join(FORMS)} is expected")
    if replica_groups not in REPLICA_GROUPS:
        raise ValueError(f"unknown replica groups {replica_groups!r}, one of {', '.join(REPLICA_GROUPS)} is expected")
    collect_ended_programs()
    begun = time.perf_counter()
    kinds = OperationKinds(module.op)
    check_call_depth(module.op, kinds)
    check_sizes(module, kinds)
    with paused_collector(), kept_changes():
        work = module if in_place else module.with_op(module.op, module.context.fork())
        options = PlanOptions(
            propagation=_propagation(collectives=False),
            compact_groups=replica_groups == "mesh-axes",
            boundary_mesh=None,
            keep_shardings=propagated or has_shardings_of_operations(kinds.examples),
            progress=progress,
        )
        found = None
        is_folded = journal is None or len(kinds.operations) >= _FEWEST_FOLDED_WITH_JOURNAL
        if is_folded and not (propagated or emit == "collectives"):
            with chlo_rules_of(work.context, chlo_rules):
                found = chosen_on_folded_program(work, kinds, options, emit, price)
        if found is None:
            if not propagated:
                _propagate(work, module, in_place, journal, chlo_rules, _propagation(collectives=emit == "collectives"))
            # Re-seeded layouts are propagated with the same CHLO rules.
            with chlo_rules_of(work.context, chlo_rules):
                found = chosen_plan(work, partial(_best_plan, work), options, emit, price)
        plan = _plan(found, module, emit)
        if not found.is_verified:
            _verify(plan.module.op, found.module.context)
    plan.chosen_by = price.description if price is not None else plan.chosen_by
    plan.seconds = time.perf_counter() - begun
    return plan


def keep_journal(module: Module, journal: Journal, *, chlo_rules: bool = True) -> None:
    """Propagates a copy of the whole ``module`` as ``partition`` does, and records the changes in ``journal``.

    Raises:
        PyshardyError: propagation refuses the program.
    """
    with paused_collector(), kept_changes():
        work = module.with_op(module.op, module.context.fork())
        _propagate(work, module, False, journal, chlo_rules, _propagation(collectives=False))


def _plan(found: ChosenPlan, source: Module, emit: str) -> Plan:
    """The plan for ``source`` in the form asked for."""
    best, work, mesh, mesh_name = found.best, found.module, found.mesh, found.mesh_name
    entry = best.entry
    type, special = best.entries()[entry]
    context = work.context
    if found.counted_form is not None:
        # The context of the folded program keeps that program alive, so the plan gets a fork of the source's.
        context = source.context.fork(continues=True)
        context.merge_diagnostics(work.context)
    local = source.with_op(best.local, context)
    plan = Plan(
        local,
        source,
        local,
        emit,
        entry,
        mesh,
        mesh_name,
        boundaries(type.inputs, special.arguments),
        boundaries(type.results, special.results),
        cache(partial(_details, best, local, entry)),
        0.0,
        found.counted_form or no_counts,
    )
    if emit == "manual" and mesh is not None and mesh_name is not None:
        plan.module = _manual(local, best, mesh_name, mesh)
    elif emit == "collectives":
        plan.module = work
    return plan


def _best_plan(work: Module, options: PlanOptions) -> CandidatePlan:
    """The best plan for ``work``; without shortcuts, if one of them fails."""
    said = len(work.context.diagnostics)
    try:
        return best_plan(Candidates(work, options))
    except PyshardyError:
        raise
    except Exception as error:
        shortcuts.raise_if_strict(error)
        del work.context.diagnostics[said:]
        with shortcuts.without_shortcuts():
            return best_plan(Candidates(work, options))


def _propagate(
    work: Module, source: Module, in_place: bool, journal: Journal | None, chlo_rules: bool, pipeline: Pipeline
) -> None:
    """Propagates ``work``: ``source`` itself if that is to be done ``in_place``, else a copy."""
    if not in_place:
        work.op = rewriting.clone(source.op)
    work.context.propagation_observers = () if journal is None else (journal,)
    with chlo_rules_of(work.context, chlo_rules):
        if in_place or journal is not None:
            run_passes(work, pipeline)
        elif not verified_once(work, pipeline):
            work.op, work.context = rewriting.clone(source.op), source.context.fork()
            with chlo_rules_of(work.context, chlo_rules):
                run_passes(work, pipeline)
    work.context.propagation_observers = ()


def _propagation(*, collectives: bool) -> Pipeline:
    from pyshardy.passes.propagation_pipeline import PropagationPipeline

    # With ``emit=collectives`` those that move the fewest bytes are made.
    pipeline = PropagationPipeline(
        axis_choice="fewest-bytes",
        enable_insert_explicit_collectives=collectives,
        reduction_kinds=collectives,
        reshard_strategy="optimal",
        inserts_reshards=collectives,
    )
    return expanded(pipeline)


def propagation_for_plans() -> Pipeline:
    """The passes that a program goes through before it is partitioned."""
    return _propagation(collectives=False)


def _manual(local: Module, best: CandidatePlan, mesh_name: str, mesh: Mesh) -> Module:
    """The local program with its entries in manual form; ``local`` stays as it is. What operations of the program name
    (the comparator of a custom call) runs inside, on each device, and stays local whoever may call it besides."""
    copy = local.with_op(rewriting.clone(local.op))
    entries = best.entries()
    # Few dictionaries serve many operations, and few of them name a function.
    dictionaries = {one for op in copy.op.operations() for one in (op.properties, op.attributes)}
    named_inside = {reference.root for reference in symbol_references(dictionaries)}
    for name, function in functions_by_name(copy.op).items():
        if name in entries and name not in named_inside:
            type, special = entries[name]
            make_manual(function, type.inputs, type.results, special.arguments, special.results, mesh_name, mesh)
    return copy


@paused_collector()
def _details(best: CandidatePlan, local: Module, entry: str) -> PlanDetails:
    partitioner = best.partitioner
    program = CountedProgram(local.op, functions_by_name(local.op)[entry])
    collectives = tuple([one for one, _ in counted_collectives(program, best.collectives())])
    module = local.with_op(best.program())
    return PlanDetails(collectives, Correspondence(module, best.values(), best.origins(), partitioner.inside))


def _verify(module: Operation, context: Context) -> None:
    """Raises PyshardyError if ``module`` is not legal."""
    if not verify(module, context):
        raise context.failure()
