"""Evaluates a candidate strategy: propagated, partitioned and costed on a short program, with all layers counted.

The passes before propagation do not depend on shardings, so they run once. For each strategy the shardings are written
into a copy of the imported program, propagation and the partitioner run as for any program, and the first candidate
plan is costed, or for few strategies the one that ``partition`` chooses. The best strategies of a search are evaluated
again on the whole program.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.every_sharding import has_shardings_of_operations
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.collector import collect_ended_programs, paused_collector
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.progress import Check
from pyshardy.module import Module, run_passes
from pyshardy.partitioning.candidate_plans import run_partitioner
from pyshardy.partitioning.localizing.program import SourceProgram
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.passes.propagating.user_priority_propagate import UserPriorityPropagate
from pyshardy.passes.propagation_pipeline import chlo_rules_of
from pyshardy.planning import propagation_for_plans
from pyshardy.propagation.caches import PropagationCaches
from pyshardy.reading.tensors import add_mesh, main_of
from pyshardy.rules.registry import RuleTable
from pyshardy.searching.layouts import BoundarySpecs, InnerSharding, is_consistent, sharding_of_spec
from pyshardy.searching.plan_choice import EvaluationCaches, PlanChoice, score_of_chosen
from pyshardy.searching.preparation import MESH
from pyshardy.searching.scoring import Score, ScoredProgram, Scoring
from pyshardy.searching.short_program import ShortProgram
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


class Evaluator:
    """Evaluates strategies for ``short`` on ``hardware``. Caches are shared between strategies; scores do not depend on
    them."""

    def __init__(self, short: ShortProgram, hardware: Hardware) -> None:
        self._short = short
        self._scoring = Scoring(short, hardware)
        self._known = EvaluationCaches(RuleTable(), Strategies())
        self._caches = PropagationCaches()
        self._scores: dict[Hashable, Score] = {}
        self._passes = propagation_for_plans()
        self._before, self._propagation = _split(self._passes)

    def score(
        self,
        mesh: Mesh,
        boundary: BoundarySpecs,
        inner: Sequence[InnerSharding] = (),
        check: Check | None = None,
        choice: PlanChoice | None = None,
    ) -> Score | None:
        """The cost of a step if arguments and results have the specs of ``boundary``, and results of operations those
        of ``inner``: that of the first candidate plan, or of the one that ``choice`` takes; None if the program cannot
        be partitioned like that. ``check`` is called now and then; an exception that it raises ends the evaluation, and
        leaves the evaluator usable."""
        specs = (*boundary.arguments.values(), *boundary.results.values(), *(one.spec for one in inner))
        if not all(map(is_consistent, dict.fromkeys(specs))):
            return None
        collect_ended_programs()
        with paused_collector():
            try:
                return self._score(mesh, boundary, inner, check, choice)
            except (PyshardyError, ValueError):
                return None

    @cached_property
    def _imported(self) -> Module:
        """The short program as propagation finds it, without the shardings of a strategy."""
        found = self._copy(self._short.module)
        with chlo_rules_of(found.context, True):
            run_passes(found, self._before, verify_each=False)
        return found

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        """For each operation of the short program, the positions in a walk over the imported program of those that come
        from it."""
        found: dict[int, list[int]] = {}
        for place, op in enumerate(self._imported.op.operations()):
            number = self._short.number(op.location)
            if number is not None and op.name == self._short.names[number]:
                found.setdefault(number, []).append(place)
        return found

    def _copy(self, module: Module) -> Module:
        return module.with_op(rewriting.clone(module.op), self._short.source.context.fork())

    def _score(
        self,
        mesh: Mesh,
        boundary: BoundarySpecs,
        inner: Sequence[InnerSharding],
        check: Check | None,
        choice: PlanChoice | None,
    ) -> Score:
        work = self._copy(self._imported)
        work.context.check = check
        self._write(work, mesh, boundary, inner)
        work.context.propagation_caches = self._caches
        keep = choice is not None and has_shardings_of_operations(work.op.operations())
        with chlo_rules_of(work.context, True):
            run_passes(work, self._propagation, verify_each=False)

            key = mesh, choice, keep, self._left_out(boundary), _fingerprint(work.op)
            found = self._scores.get(key) if shortcuts.enabled() else None
            if found is None:
                found = self._scores[key] = self._score_of_propagated(work, mesh, boundary, keep, check, choice)
            return found

    def _score_of_propagated(
        self,
        work: Module,
        mesh: Mesh,
        boundary: BoundarySpecs,
        keep: bool,
        check: Check | None,
        choice: PlanChoice | None,
    ) -> Score:
        def scored(partitioner: Partitioner) -> ScoredProgram:
            if check is not None:
                check()
            return self._scoring.scored(partitioner, main_of(work), mesh, boundary)

        if choice is not None:
            return score_of_chosen(work, mesh, self._passes, keep, self._scoring.times, choice, self._known, scored)
        run = RunOptions(strategies=Strategies(known=self._known.strategies))
        return scored(run_partitioner(SourceProgram(work.op, self._known.rules), work, run)).score

    def _left_out(self, boundary: BoundarySpecs) -> Hashable:
        """The specs of the arguments and results that the short program lacks."""
        short = self._short
        return tuple(boundary.arguments.get(number) for number in short.left_out_arguments), tuple(
            boundary.results.get(number) for number in short.left_out_results
        )

    def _write(self, work: Module, mesh: Mesh, boundary: BoundarySpecs, inner: Sequence[InnerSharding]) -> None:
        """Gives ``work``, a copy of the imported program, the mesh and the shardings."""
        short, main = self._short, main_of(work)
        own = next((name for name, one in placement.meshes(work.op).items() if one.axes), None)
        name = MESH if own is None else own
        slots: list[tuple[Value | FunctionResult, TensorSharding]] = []
        for place, index in enumerate(short.arguments):
            spec = boundary.arguments.get(index)
            if spec is not None:
                slots.append((main.body.arguments[place], sharding_of_spec(spec, name)))
        for place, index in enumerate(short.results):
            spec = boundary.results.get(index)
            if spec is not None:
                slots.append((FunctionResult(main, place), sharding_of_spec(spec, name)))
        operations: list[Operation] | None = None
        for one in inner:
            operations = work.op.operations() if operations is None else operations
            for number in short.members[one.group]:
                for place in self._places.get(number, ()):
                    slots.append((operations[place].results[one.result], sharding_of_spec(one.spec, name)))
        if own is None:
            add_mesh(work, mesh, MESH)
        placement.set_held_shardings(slots)


def _split(pipeline: Pipeline) -> tuple[Pipeline, Pipeline]:
    """The passes of ``pipeline`` before propagation, and those from propagation on."""
    items: tuple[Pass | Pipeline, ...] = pipeline.items
    place = next(number for number, one in enumerate(items) if isinstance(one, UserPriorityPropagate))
    return Pipeline(pipeline.anchor, items[:place]), Pipeline(pipeline.anchor, items[place:])


def _fingerprint(module: Operation) -> Hashable:
    """A key that two copies of one program share if their operations, attributes, order and uses are equal."""
    numbers: dict[Value, int] = {}
    said: list[object] = []
    read: list[int] = []
    for op in module.operations():
        said += (op.name, op.properties, op.attributes, op.location)
        for operand in op.operands:
            read.append(numbers.get(operand, -1))
        for result in op.results:
            numbers[result] = len(numbers)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    numbers[argument] = len(numbers)
    return hash(tuple(said)), hash(tuple(read))
