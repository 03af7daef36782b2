"""``pyshardy.partition``: a program in, the program of one device out, with what it will cost.

Propagation stands left of this file, the partitioner does the work, and ``check`` (which runs both programs) and the
command line stand right of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.choices import FORMS, REPLICA_GROUPS
from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.every_sharding import has_shardings_of_operations, visit_shardings
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Sharded
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.call_depth import look_at_calls
from pyshardy.ir.change_log import kept_changes
from pyshardy.ir.collector import collect_ended_programs, paused_collector
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.pipeline_text import expanded
from pyshardy.ir.types import TensorType, Type, size_in_bytes
from pyshardy.ir.verifier import verify
from pyshardy.module import Module, run_passes
from pyshardy.partitioning.account.executed_collectives import executed_collectives
from pyshardy.partitioning.account.memory import Memory, memory_of
from pyshardy.partitioning.boundary import Boundary, boundaries
from pyshardy.partitioning.few_layers import few_layers
from pyshardy.partitioning.manual_form import make_manual
from pyshardy.partitioning.seam import Unlike
from pyshardy.partitioning.verified_once import verified_once
from pyshardy.partitioning.way import Way, entry_of
from pyshardy.partitioning.ways import WayOptions, best_way
from pyshardy.passes.propagation_pipeline import chlo_rules_of
from pyshardy.propagation.journal import Journal
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from pyshardy.analysis.cost.hardware import Hardware
    from pyshardy.analysis.cost.hardware_files import Source
    from pyshardy.analysis.cost.step_cost import Cost
    from pyshardy.analysis.why.conflicts import Conflicts
    from pyshardy.analysis.why.explainer import Explainer
    from pyshardy.analysis.why.explanation import Explanation
    from pyshardy.checking.verdicts import CheckReport
    from pyshardy.reading.tensor_names import TensorNames


@dataclass(frozen=True)
class Correspondence:
    """What became of each value: of ``module``, the program with all its shardings, in the local program. ``origins``
    says of values on one side of a call what they are on the other, ``inside`` what values have become in each function
    that is called from several places."""

    module: Module
    values: Mapping[Value, Sharded]
    origins: Mapping[Value, Value]
    inside: Sequence[Mapping[Value, Sharded]] = ()


class Account(NamedTuple):
    """What a plan tells of its program: the collectives that a run meets, and what became of each value."""

    collectives: tuple[Collective, ...]
    correspondence: Correspondence


@dataclass(repr=False)
class Plan:
    """A partitioned program.

    ``module`` is the program in the form asked for, ``source`` the program as it was given, ``local`` that of one
    device; ``arguments`` and ``results`` say how those of the function ``entry`` are cut up. ``seconds`` is how long it
    took. What ``account`` tells, ``collectives`` and ``correspondence``, is worked out when it is first asked for, as
    is ``memory``: ask before you change ``local``. ``source`` is not asked again.
    """

    module: Module
    source: Module
    local: Module
    form: str
    entry: str
    mesh: Mesh | None
    mesh_name: str | None
    arguments: tuple[Boundary, ...]
    results: tuple[Boundary, ...]
    account: Callable[[], Account]
    seconds: float

    @property
    def collectives(self) -> tuple[Collective, ...]:
        """The collectives of the local program, each as often as it is called (loops count once)."""
        return self.account().collectives

    @property
    def correspondence(self) -> Correspondence:
        """What became of each value."""
        return self.account().correspondence

    @cached_property
    def memory(self) -> Memory:
        """What a device needs for the function ``entry``; worked out when it is first asked for."""
        return memory_of(self.local.op, functions_by_name(self.local.op)[self.entry])

    @cached_property
    def names(self) -> TensorNames:
        """What the values of the global program are called: of the one with all its shardings, to which the causes of
        collectives belong."""
        from pyshardy.reading.tensor_names import TensorNames

        module = self.correspondence.module.op
        return TensorNames(module, functions_by_name(module)[self.entry], self.correspondence.origins)

    @property
    def devices(self) -> int:
        """On how many devices the program runs."""
        return self.mesh.total_size if self.mesh is not None else 1

    @property
    def bytes_moved(self) -> float:
        """The bytes that each device receives in all collectives."""
        return sum(one.bytes for one in self.collectives)

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        everything: bool = False,
        hardware: Source | Hardware | None = None,
    ) -> str:
        """What ``pyshardy partition`` says of it: memory and what fills it, collectives and what needs them. Rows that
        differ in an index alone are one, unless you want ``everything``. With a ``path`` the page of ``pyshardy
        report`` is written there, for a browser, and returned; ``hardware`` is what it gives times and capacity of.

        Raises:
            ImportError: the page needs packages that are not installed (``pyshardy[report]``).
            ValueError: there is no such hardware.
            OSError: the page cannot be written.
        """
        if path is not None:
            from pyshardy.report.page.page import write_page

            return write_page(self._explainer, path, hardware)
        from pyshardy.report.console import printed
        from pyshardy.report.plan_summary import summarize_plan
        from pyshardy.report.plan_tables import print_plan

        return printed(lambda out: print_plan(summarize_plan(self), out, everything=everything))

    def explain(self, *what: str, edits: bool | None = None) -> list[Explanation]:
        """Why the tensors or collectives that ``what`` names are as they are, as ``pyshardy explain`` says it
        (docs/explain.md). The program is propagated and partitioned once more, with a journal.

        Raises:
            ValueError: a name means nothing in the program, or without a star several tensors.
        """
        return [answer for one in what for answer in self._explainer.explain(one, edits=edits)]

    def conflicts(self, *, edits: bool | None = None) -> Conflicts:
        """Where axes meet and one loses, by the annotations behind it, as ``pyshardy conflicts`` says it."""
        from pyshardy.analysis.why.conflicts import find_conflicts

        return find_conflicts(self._explainer, edits=edits)

    @cached_property
    def _explainer(self) -> Explainer:
        from pyshardy.analysis.why.explainer import Explainer

        return Explainer(self.source)

    def __repr__(self) -> str:
        from pyshardy.report.plan_page import plan_words

        return f"<Plan {plan_words(self)}>"

    def _repr_html_(self) -> str:
        """What the plan costs, for a notebook."""
        from pyshardy.report.plan_page import plan_page

        return plan_page(self)

    def cost(self, hardware: Source | Hardware) -> Cost:
        """What a step costs on ``hardware``: a preset (``"h100"``), a TOML file, a dict, or what ``pyshardy.hardware``
        gives.

        Raises:
            HardwareProblem: there is no such hardware, its description is wrong, or the mesh does not fit it.
            OSError: the file cannot be read.
        """
        from pyshardy.analysis.cost.estimate import cost_of

        return cost_of(self, hardware)

    def check(self, seed: int = 0) -> CheckReport:
        """Runs the given program and the local one on random inputs in the interpreter, and compares the results.

        Raises:
            PyshardyError: the interpreter cannot run one of them.
        """
        from pyshardy.checking.check import check_plan

        return check_plan(self, seed)


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
) -> Plan:
    """Makes the program of one device of ``module``, which stays as it is; ``in_place`` says that it need not, since
    nobody asks for it any more.

    Shardings are propagated first, unless ``propagated`` says that every value has the sharding that it should have;
    through operations of CHLO as well, unless ``chlo_rules`` is False (see ``pyshardy.propagate``).
    ``emit`` is one of ``FORMS``, ``replica_groups`` one of ``REPLICA_GROUPS``; ``progress`` is called with the number
    of operations that are done, and of all; there are more of them for each other way that is tried (``ways``). In
    ``journal`` propagation enters what it does.

    Raises:
        PyshardyError: propagation refuses the program, or its meshes have different numbers of devices.
        ValueError: an option has no such value, or the program has no function with a body.

    >>> from pyshardy import parse
    >>> plan = partition(parse('''
    ... sdy.mesh @mesh = <["x"=2]>
    ... func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
    ...   %0 = stablehlo.tanh %a : tensor<8x4xf32>
    ...   return %0 : tensor<8x4xf32>
    ... }'''))
    >>> print("\\n".join(line for line in str(plan.module).splitlines() if "tanh" in line))
        %0 = stablehlo.tanh %arg0 : tensor<4x4xf32>
    >>> plan.memory.arguments
    64
    """
    if emit not in FORMS:
        raise ValueError(f"unknown form {emit!r}, one of {', '.join(FORMS)} is expected")
    if replica_groups not in REPLICA_GROUPS:
        raise ValueError(f"unknown replica groups {replica_groups!r}, one of {', '.join(REPLICA_GROUPS)} is expected")
    collect_ended_programs()
    begun = time.perf_counter()
    look_at_calls(module.op)
    _look_at_sizes(module)
    with paused_collector(), kept_changes():
        work = module if in_place else Module(module.op, module.context.like(), module.resources)
        wanted = WayOptions(
            propagation=_propagation(collectives=False),
            compact_groups=replica_groups == "mesh-axes",
            is_manual=emit == "manual",
            keep_shardings=propagated,
            progress=progress,
        )
        found = None
        if not (propagated or journal is not None or emit == "collectives"):
            with chlo_rules_of(work.context, chlo_rules):
                found = _way_by_few_layers(work, wanted, is_verified_here=emit == "local")
        if found is None:
            if not propagated:
                wanted = wanted._replace(keep_shardings=has_shardings_of_operations(work.op))
                _propagate(work, module, in_place, journal, chlo_rules, _propagation(collectives=emit == "collectives"))
            mesh_name, mesh = _main_mesh(work)
            way, is_verified = _best_way(work, mesh_name, wanted, is_verified_here=emit == "local")
        else:
            work, mesh_name, mesh, way, is_verified = found
        partitioner = way.partitioner
        entry = entry_of(partitioner)
        special, type = partitioner.entries[entry], way.type_of(entry)
        local = Module(partitioner.local, work.context, module.resources)
        plan = Plan(
            local,
            module,
            local,
            emit,
            entry,
            mesh,
            mesh_name,
            boundaries(type.inputs, special.arguments),
            boundaries(type.results, special.results),
            cache(partial(_account, way, local, entry)),
            0.0,
        )
        if emit == "manual" and mesh is not None and mesh_name is not None:
            plan.module = _manual(local, way, mesh_name, mesh)
        elif emit == "collectives":
            plan.module = work
        if not is_verified:
            _verify(plan.module.op, work.context)
    plan.seconds = time.perf_counter() - begun
    return plan


class _ByFewLayers(NamedTuple):
    """A program propagated, its main mesh, and the best way to partition it, gone to its end; ``is_verified``: whether
    the program of one device is known to be legal."""

    module: Module
    mesh_name: str | None
    mesh: Mesh | None
    way: Way
    is_verified: bool


def _way_by_few_layers(source: Module, wanted: WayOptions, *, is_verified_here: bool) -> _ByFewLayers | None:
    """What becomes of ``source``, found with few of its layers; None if they do not say what all of them would become.
    ``is_verified_here``: the program of one device is to be verified."""
    try:
        few = few_layers(source, wanted.propagation)
        if few is None:
            return None
        mesh_name, mesh = _main_mesh(few.module)
        way = best_way(few.module, mesh_name, wanted._replace(keep_shardings=few.has_shardings), few)
        if few.module.context.diagnostics:
            return None
        is_verified = _completed(way, few.module.context, is_verified_here=is_verified_here)
    except (PyshardyError, Unlike):
        # What is wrong is said of the whole program.
        return None
    except Exception as error:
        shortcuts.declines_after(error)
        return None
    return _ByFewLayers(few.module, mesh_name, mesh, way, is_verified)


def _best_way(work: Module, mesh_name: str | None, wanted: WayOptions, *, is_verified_here: bool) -> tuple[Way, bool]:
    """The best way to partition ``work``, gone to its end, and whether the program of one device is known to be legal;
    without shortcuts, if one of them fails."""
    said = len(work.context.diagnostics)
    try:
        way = best_way(work, mesh_name, wanted)
        return way, _completed(way, work.context, is_verified_here=is_verified_here)
    except PyshardyError:
        raise
    except Exception as error:
        shortcuts.declines_after(error)
        del work.context.diagnostics[said:]
        with shortcuts.without_shortcuts():
            return best_way(work, mesh_name, wanted), False


def _completed(way: Way, context: Context, *, is_verified_here: bool) -> bool:
    """Puts in the layers that were left out of ``way``: whether the program of one device was verified before, as
    those are like the ones that were there."""
    is_verified = is_verified_here and not way.is_complete
    if is_verified:
        _verify(way.partitioner.local, context)
    way.completed()
    return is_verified


def _propagate(
    work: Module, source: Module, in_place: bool, journal: Journal | None, chlo_rules: bool, pipeline: Pipeline
) -> None:
    """Propagates ``work``: ``source`` itself if that is to be done ``in_place``, else a copy of it."""
    if not in_place:
        work.op = rewriting.clone(source.op)
    work.context.journal = journal
    with chlo_rules_of(work.context, chlo_rules):
        if in_place or journal is not None:
            run_passes(work, pipeline)
        elif not verified_once(work, pipeline):
            work.op, work.context = rewriting.clone(source.op), source.context.like()
            work.context.chlo_rules = chlo_rules
            run_passes(work, pipeline)
    work.context.journal = None


def _propagation(*, collectives: bool) -> Pipeline:
    from pyshardy.passes.propagation_pipeline import PropagationPipeline

    # Where there are collectives, they are those that move the fewest bytes.
    pipeline = PropagationPipeline(
        axis_choice="fewest-bytes",
        enable_insert_explicit_collectives=collectives,
        reduction_kinds=collectives,
        reshard_strategy="optimal",
        inserts_reshards=collectives,
    )
    return expanded(pipeline)


_MOST_DEVICES = (1 << 31) - 1
_MOST_BYTES = (1 << 63) - 1


def _look_at_sizes(module: Module) -> None:
    """Raises PyshardyError if a tensor of ``module`` has more bytes than 64 bits can count."""
    seen: set[Type] = set()
    for op in module.op.operations():
        for value in op.results:
            if value.type not in seen:
                seen.add(value.type)
                _look_at_size(module, op, value.type)
    for function in module.op.body:
        if function.name == "func.func":
            for one in function_type(function).inputs:
                if one not in seen:
                    seen.add(one)
                    _look_at_size(module, function, one)


def _look_at_size(module: Module, op: Operation, type: Type) -> None:
    if isinstance(type, TensorType) and size_in_bytes(type) > _MOST_BYTES:
        module.context.emit("error", op.location, f"{type} has more bytes than 64 bits can count")
        raise module.context.failure()


def _main_mesh(module: Module) -> tuple[str | None, Mesh | None]:
    """The first mesh that a sharding uses, if it has a name; else the first that there is.

    Raises:
        PyshardyError: shardings use meshes with different numbers of devices.
    """
    meshes = placement.meshes(module.op)
    used: dict[str, Mesh] = {}
    if len(meshes) == 1:
        # Inlined meshes have been given names by propagation.
        used = {name: mesh for name, mesh in meshes.items() if mesh.axes}

    def look(sharding: TensorSharding, holder: placement.Holder) -> None:
        name = sharding.mesh_or_ref
        mesh = placement.resolve_mesh(sharding, meshes)
        if mesh is not None and mesh.axes and any(True for _ in sharding.axes()):
            used.setdefault(name if isinstance(name, str) else "", mesh)

    if len(meshes) > 1:
        visit_shardings(module.op, look)
    if not used:
        used = {name: mesh for name, mesh in meshes.items() if mesh.axes}
    if not used:
        return None, None
    name, mesh = next(iter(used.items()))
    if mesh.total_size > _MOST_DEVICES:
        count = f"{mesh.total_size:,} devices, more than the {_MOST_DEVICES:,} that a program can number"
        text = f"mesh @{name} has {count}"
        module.context.emit("error", module.op.location, text)
        raise module.context.failure()
    for other_name, other in used.items():
        if other.total_size != mesh.total_size:
            module.context.emit(
                "error",
                module.op.location,
                f"shardings use mesh @{name} with {mesh.total_size} devices and mesh @{other_name} with "
                f"{other.total_size}: a program is partitioned for one number of devices",
            )
            raise module.context.failure()
    return name or None, mesh


def _manual(local: Module, way: Way, mesh_name: str, mesh: Mesh) -> Module:
    """The local program with its entries in manual form; ``local`` stays as it is."""
    copy = Module(rewriting.clone(local.op), local.context, local.resources)
    for name, function in functions_by_name(copy.op).items():
        special = way.partitioner.entries.get(name)
        if special is not None:
            type = way.type_of(special.name)
            make_manual(function, type.inputs, type.results, special.arguments, special.results, mesh_name, mesh)
    return copy


def _account(way: Way, local: Module, entry: str) -> Account:
    partitioner = way.partitioner
    collectives = executed_collectives(local.op, way.collectives(), entry)
    module = Module(partitioner.module, local.context)
    return Account(collectives, Correspondence(module, way.values(), partitioner.origins, partitioner.inside))


def _verify(module: Operation, context: Context) -> None:
    """Raises PyshardyError if ``module`` is not legal."""
    if not verify(module, context):
        raise context.failure()
