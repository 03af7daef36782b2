"""Walks a sharded program and emits the program of one device.

Every value of the global program becomes a ``Sharded``. Each operation is given to its localizer (``registry``), and
its results are resharded to the layouts that the shardings of the program request. A function that is called from
several places is partitioned once for each tuple of argument layouts.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from pyshardy.dialects.func import function_type, is_declaration, is_private
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.emitting.attribution import Attribution
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.dead_operations import remove_dead_operations
from pyshardy.emitting.layout import Layout, layout_of, local_type, rank_of, replicated
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.change_log import structure_version
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import Block, Operation, Region, Value
from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.ir.symbol_references import named_symbols, symbol_references
from pyshardy.ir.types import FunctionType
from pyshardy.partitioning.clusters import Clusters
from pyshardy.partitioning.families.other_dialects import guarded, row_localizer
from pyshardy.partitioning.layouts.reshard import CannotReshard, CannotShardScales, check_scales, reshard_bytes
from pyshardy.partitioning.localizing.lowering_cache import LoweringCache
from pyshardy.partitioning.localizing.partial_sums import kept_unreduced
from pyshardy.partitioning.localizing.program import SourceProgram
from pyshardy.partitioning.localizing.recipes import with_recipe_if_replicated
from pyshardy.partitioning.localizing.registry import localizer
from pyshardy.partitioning.localizing.rematerialization import rematerialization_of
from pyshardy.partitioning.localizing.rule_based import elementwise_without_reshard, localize_by_rule
from pyshardy.partitioning.localizing.run import PartitionRun, RunOptions, Specialization
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.localizing.tensor_updates import other_layouts_needed
from pyshardy.partitioning.strategies.addend_layouts import companion_layout


class Partitioner(PartitionRun):
    """The run that walks the program and emits that of one device."""

    def __init__(self, program: SourceProgram, context: Context, options: RunOptions) -> None:
        super().__init__(program, context, options)
        self._active_functions: list[Operation] = []
        self.chosen_layouts: dict[Value, Layout] = {}
        """With free results: the layout in which each value came out."""
        self.local = _copy_without_functions(self.module)
        self.specializations: dict[tuple[Operation, tuple[Layout, ...], bool], Specialization] = {}
        self.entries: dict[str, Specialization] = {}
        self.inside: list[dict[Value, Sharded]] = []
        """For each partitioned function that is called from several places: what its values have become."""
        self._emitted: dict[Hashable, Sharded] = {}
        self._names = {op.symbol_name for op in self.module.body}
        self._clusters = Clusters(self)
        self._lowering_cache = LoweringCache(self)
        self._progress = options.progress
        self._done = 0

    def run(self) -> None:
        """Partitions every function that can be called from outside, and the functions that these call.

        Raises:
            PyshardyError: a tensor of a dynamic size would have to be resharded, a function calls itself, or an
                operation cannot be partitioned.
        """
        for name, function in self.functions.items():
            if is_private(function):
                continue
            if is_declaration(function):
                rewriting.append(self.local.body, rewriting.clone(function))
                continue
            problem = self.requested.problem_at_boundary(function)
            if problem is not None:
                self.context.emit("error", function.location, problem)
                raise self.context.failure()
            arguments = self.requested.for_arguments(function)
            types = function_type(function).inputs
            layouts = tuple(
                (replicated(rank_of(type)) if layout is None else self.requested.at_entry(layout))
                for layout, type in zip(arguments, types, strict=True)
            )
            try:
                self.entries[name] = self._specialize(function, name, layouts, is_entry=True)
            except CannotReshard as error:
                self.context.emit("error", error.location, str(error))
                raise self.context.failure() from error
        self._copy_referenced_functions()
        remove_dead_operations(self.local, {one.op for one in self.collectives.emitted})

    # --- functions ----------------------------------------------------------------------------------------------------

    def is_called_once(self, function: Operation) -> bool:
        """Whether ``function`` is private, has a body, and is called by a single operation: then its body is
        inlined."""
        called_once = self.program.calls[function.symbol_name or ""] == 1
        return is_private(function) and called_once and not is_declaration(function)

    def specialized(self, function: Operation, layouts: tuple[Layout, ...]) -> Specialization:
        """``function`` partitioned for arguments in ``layouts``, once for all calls with these."""
        key = (function, layouts, self.manual_depth > 0)
        found = self.specializations.get(key)
        if found is None:
            base = name = function.symbol_name or "function"
            number = 0
            while name in self._names and (number or any(one[0] is function for one in self.specializations)):
                number += 1
                name = f"{base}_{number}"
            self._names.add(name)
            env = self.env
            self.env = {}
            found = self.specializations[key] = self._specialize(function, name, layouts, is_entry=False)
            self.inside.append(self.env)
            self.env = env
        return found

    def _specialize(
        self, function: Operation, name: str, layouts: tuple[Layout, ...], *, is_entry: bool
    ) -> Specialization:
        """Partitions ``function`` for arguments in ``layouts``, as function ``name`` of the local program. An entry
        function returns results in the layouts that it declares."""
        type = function_type(function)
        if is_declaration(function):
            rewriting.append(self.local.body, rewriting.clone(function))
            return Specialization(name, layouts, tuple(replicated(rank_of(one)) for one in type.results))
        if function in self._active_functions:
            raise self.recursion_error(str(function.symbol_name))
        self._active_functions.append(function)
        source = function.body
        if is_entry:
            self.requested.entry = function
        inputs = [local_type(one, layout) for one, layout in zip(type.inputs, layouts, strict=True)]
        block = Block()
        for old, one in zip(source.arguments, inputs, strict=True):
            block.add_argument(one, old.location)
        # Appended before the body is emitted, so that a function comes before the functions that it calls.
        local = rewriting.create(
            function.name, (), (), function.properties, function.attributes, (Region([block]),), (), function.location
        )
        rewriting.append(self.local.body, local)
        with self.builder.in_function(block):
            for old, new, layout in zip(source.arguments, block.arguments, layouts, strict=True):
                self._set_result(old, Sharded(new, old.type, layout), layout)
            terminator = self.emit_operations(source)
            self.builder.location = terminator.location
            results = []
            for index, value in enumerate(terminator.operands):
                sharding = placement.function_result_sharding(function, index)
                emitted = self.env[value].layout
                layout = replicated(emitted.rank) if is_entry else emitted.reduced()
                if sharding is not None:
                    declared = layout_of(sharding, value.type, self.meshes)
                    # Callers from outside must get the declared layout; others reshard the result as they need.
                    if is_entry or emitted.unreduced or not reshard_bytes(self.env[value], declared):
                        layout = declared
                layout = self.requested.at_entry(layout) if is_entry else layout
                results.append(self._returned(value, layout))
            self.builder.create("func.return", [result.value for result in results], ())
        outputs = [result.value.type for result in results]
        typed = local.properties.with_("function_type", FunctionType(inputs, outputs))
        rewriting.set_properties(local, typed.with_("sym_name", StringAttr(name)))
        if not is_entry:
            rewriting.set_properties(local, local.properties.without("arg_attrs", "res_attrs"))
        self._active_functions.pop()
        return Specialization(name, layouts, tuple(result.layout for result in results))

    def _returned(self, value: Value, layout: Layout) -> Sharded:
        """The returned ``value`` in ``layout``."""
        return self.resharder.reshard(self.env[value], layout)

    def _copy_referenced_functions(self) -> None:
        """Copies functions that operations other than calls refer to, such as custom calls. They stay global."""
        present = {op.symbol_name for op in self.local.body}
        if present.issuperset(self.program.referenced):
            return
        missing = {name for name in self.functions if name not in present}
        waiting = [self.local]
        while waiting:
            operations = waiting.pop().operations()
            # Operations share few dictionaries, and few of these name a function: look at the dictionaries first.
            dictionaries = {op.properties for op in operations} | {op.attributes for op in operations}
            if missing.isdisjoint(reference.root for reference in symbol_references(dictionaries)):
                continue
            for op in operations:
                for name in named_symbols(op):
                    if name in missing:
                        missing.remove(name)
                        copy = rewriting.clone(self.functions[name])
                        rewriting.append(self.local.body, copy)
                        waiting.append(copy)

    # --- operations ---------------------------------------------------------------------------------------------------

    def emit_operations(self, block: Block) -> Operation:
        """Emits every operation of ``block`` but the terminator, which is returned.

        Raises:
            ValueError: the block has no terminator.
        """
        for op in block:
            if op.traits & TERMINATOR:
                self._start(op)
                return op
            self._emit(op)
        raise ValueError("the block has no terminator")

    def _emit(self, op: Operation) -> None:
        if self._progress is not None or self.context.check is not None:
            self._report_progress()
        self._start(op)
        self.emit(op)

    def _report_progress(self) -> None:
        if self.context.check is not None:
            self.context.check()
        if self._progress is not None:
            self._done += 1
            self._progress(self._done)

    def _start(self, op: Operation) -> None:
        """Attributes the collectives emitted from now on to ``op``, also those of operations that it is expanded to."""
        env = self.env
        self.collectives.attribution = Attribution(op, [env[value] for value in op.operands])
        self.builder.location = op.location

    def emit(self, op: Operation) -> None:
        """Emits one operation. Its operands are in ``env``, and its results are there afterwards."""
        env = self.env
        resharded = self._clusters.before(op)
        if resharded is not None:
            value, in_cluster = resharded
            outside, env[value] = env[value], in_cluster
            self._emit_alone(op, [env[one] for one in op.operands])
            env[value] = outside
        else:
            self._emit_alone(op, [env[one] for one in op.operands])

    def _emit_alone(self, op: Operation, operands: list[Sharded]) -> None:
        """Emits ``op``, which is in no cluster that is still to be decided on: takes the result of an equal operation
        (CSE), or a copy from the lowering cache, or calls its localizer."""
        env = self.env
        self.builder.location = op.location
        requested = self.requested.for_results(op)
        cse_key = _cse_key(op, operands, requested) if op.name in _CSE_OPERATIONS else None
        if cse_key is not None:
            known = self._emitted_before(cse_key)
            if known is not None:
                env[op.results[0]] = known
                return
        key, made = self._lowering_cache.find(op, operands, requested)
        if made is not None:
            made.rematerialize = rematerialization_of(self, op, operands, made)
            layout = requested[0]
            if layout is None and not made.layout.unreduced:
                layout = made.layout
            self._set_result(op.results[0], made, layout)
        else:
            attribution, before = self.collectives.attribution, structure_version()
            site = Site(self, op, operands, requested)
            try:
                results = kept_unreduced(site) or self._localized(site)
                for one in results:
                    check_scales(one.type, one.layout, op.location)
            except CannotShardScales:
                results = site.fall_back()
            self.collectives.attribution = attribution
            if key is not None:
                self._lowering_cache.remember(key, op, operands, results, structure_version() - before)
            if len(results) == 1 and results[0].rematerialize is None:
                results[0].rematerialize = rematerialization_of(self, op, operands, results[0])
            for result, found, layout in zip(op.results, results, requested, strict=True):
                self._set_result(result, found, layout)
        if cse_key is not None:
            self._emitted[cse_key] = env[op.results[0]]

    def _emitted_before(self, key: Hashable) -> Sharded | None:
        """The result of an operation with the same ``key``, if it is visible in the current block."""
        known = self._emitted.get(key)
        return known if known is not None and self.builder.sees(known.value) else None

    def _set_result(self, result: Value, found: Sharded, requested: Layout | None) -> None:
        """Notes what ``result`` has become, resharded to the ``requested`` layout if that is useful."""
        self.env[result] = found if found.layout is requested else self._resharded_if_useful(result, found, requested)
        if self.requested.ignore_requested:
            self._note_layout(result)

    def _note_layout(self, value: Value) -> None:
        """Notes the layout of ``value`` for ``chosen_layouts``."""
        if self._clusters.is_trial:
            return
        layout = self.env[value].layout.reduced()
        if self.chosen_layouts.setdefault(value, layout) is not layout:
            # A function that is called with several layouts has no single layout for this value.
            self.chosen_layouts[value] = replicated(layout.rank)

    def localized(
        self, op: Operation, operands: list[Sharded], requested: Sequence[Layout | None]
    ) -> Sequence[Sharded]:
        return self._localized(Site(self, op, operands, requested))

    def _localized(self, site: Site) -> Sequence[Sharded]:
        """The results of the localizer of ``site.op``: its own, that of its row in a foreign dialect, or the rule-based
        one."""
        special = localizer(site.op.name)
        row = foreign_row(site.op.name) if foreign_rows() else None
        if row is not None:
            special = special or row_localizer(row, site.op)
            if special is None and (row.adapts is not None or not row.traits & ELEMENTWISE):
                special = localize_by_rule
            if special is not None:
                return guarded(special, site)
        if special is not None:
            return special(site)
        if not site.op.traits & ELEMENTWISE:
            return localize_by_rule(site)
        if all(one.recipe is not None for one in site.operands) and rank_of(site.op.results[0].type):
            return _localize_free(site)
        results = elementwise_without_reshard(site)
        return localize_by_rule(site) if results is None else results

    def _resharded_if_useful(self, result: Value, found: Sharded, requested: Layout | None) -> Sharded:
        """``found``, which ``result`` has become, in the layout that is ``requested`` for it; ``found`` itself, if that
        reshard moves data and no user works in the requested layout, since users reshard their operands as they need.
        Partial sums are always reduced here, so that this is done once for all users."""
        if found.layout.unreduced:
            if requested is None:
                requested = companion_layout(result, found, self.env, self.rules) or found.layout.reduced()
            return self.resharder.reshard(found, requested)
        if requested is None:
            return found
        if reshard_bytes(found, requested) > 0 and (
            not self.requested.has_user_in(result, requested)
            or found.layout in other_layouts_needed(result, self.env, self.requested)
        ):
            return found
        return self.resharder.reshard(found, requested)

    @property
    def cluster_starts(self) -> Mapping[Operation, Operation]:
        """For each operation in a cluster the first operation of that cluster."""
        return self._clusters.cluster_starts

    @property
    def emitted_collectives(self) -> list[Collective]:
        return self.collectives.emitted


_localize_free = with_recipe_if_replicated(localize_by_rule)
"""The localizer of elementwise operations whose operands all have recipes: their results have recipes, too."""

_CSE_OPERATIONS = frozenset(f"stablehlo.{name}" for name in ("convert", "reshape", "slice", "transpose"))
"""Operations that undergo common subexpression elimination (CSE): programs repeat them for each user of a tensor."""


def _cse_key(op: Operation, operands: Sequence[Sharded], requested: Sequence[Layout | None]) -> Hashable | None:
    """The key of common subexpression elimination: operations with the same key compute the same, and
    the same layout is requested for their results. One of them is enough, and a gather of its result serves the users
    of all. None if ``op`` has attributes besides its sharding."""
    if op.attributes.entries.keys() - {SHARDING}:
        return None
    return op.name, op.properties, op.results[0].type, operands[0], requested[0]


def _copy_without_functions(module: Operation) -> Operation:
    """A module with the attributes and meshes of ``module``, but without its functions."""
    copy = rewriting.create(
        module.name, (), (), module.properties, module.attributes, (Region([Block()]),), (), module.location
    )
    for op in module.body:
        if op.name != "func.func":
            rewriting.append(copy.body, rewriting.clone(op))
    return copy
