"""Walks a sharded program and emits the program of one device.

Every value of the global program becomes a ``Sharded``; each operation is handed to its localizer (``registry``),
whose results are brought into the layouts that the shardings of the program ask for. Functions that are called are
partitioned once a signature of layouts.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from pyshardy.dialects.func import function_type, is_declaration, is_private
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.emitting.attribution import Attribution
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.dead_operations import remove_dead_operations
from pyshardy.emitting.layout import Layout, Sharded, layout_of, local_type, rank_of, replicated
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.change_log import edition
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import Block, Operation, Region, Value
from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.ir.symbol_references import named_symbols, symbol_references
from pyshardy.ir.types import FunctionType
from pyshardy.partitioning.clusters import Clusters
from pyshardy.partitioning.families.other_dialects import guarded, row_localizer
from pyshardy.partitioning.layouts.reshard import CannotReshard, reshard_bytes
from pyshardy.partitioning.localizing.free_results import free_from_whole
from pyshardy.partitioning.localizing.lowering_cache import LoweringCache
from pyshardy.partitioning.localizing.partial_sums import kept_partial_sums
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.registry import localizer
from pyshardy.partitioning.localizing.remaking import remade
from pyshardy.partitioning.localizing.rule_based import elementwise_in_place, localize_by_rule
from pyshardy.partitioning.localizing.run import Run, RunOptions, Specialization
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.localizing.updates import places_beside
from pyshardy.partitioning.strategies.companions import companion_layout


class Partitioner(Run):
    """The run that walks the program."""

    def __init__(self, program: Program, context: Context, options: RunOptions) -> None:
        super().__init__(program, context, options)
        self._open: list[Operation] = []
        self.left: dict[Value, Layout] = {}
        """With free results: where each value came to be."""
        self.local = _copy_without_functions(self.module)
        self.specializations: dict[tuple[Operation, tuple[Layout, ...], bool], Specialization] = {}
        self.entries: dict[str, Specialization] = {}
        self.inside: list[dict[Value, Sharded]] = []
        """What values have become in functions that are called from several places."""
        self._emitted: dict[Hashable, Sharded] = {}
        self._names = {op.symbol_name for op in self.module.body}
        self._clusters = Clusters(self)
        self._lowering_cache = LoweringCache(self)
        self._progress = options.progress
        self._done = 0

    def run(self) -> None:
        """Partitions every function that can be called from outside, and what it calls."""
        for name, function in self.functions.items():
            if is_private(function):
                continue
            if is_declaration(function):
                rewriting.append(self.local.body, rewriting.clone(function))
                continue
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
        """Whether ``function`` has a body that a single operation calls, and nobody from outside."""
        called_once = self.program.calls[function.symbol_name or ""] == 1
        return is_private(function) and called_once and not is_declaration(function)

    def specialized(self, function: Operation, layouts: tuple[Layout, ...]) -> Specialization:
        """``function`` for arguments in ``layouts``."""
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
        type = function_type(function)
        if is_declaration(function):
            rewriting.append(self.local.body, rewriting.clone(function))
            return Specialization(name, layouts, tuple(replicated(rank_of(one)) for one in type.results))
        if function in self._open:
            text = f"function @{function.symbol_name} calls itself: such a program cannot be partitioned"
            self.context.emit("error", self.builder.location, text)
            raise self.context.failure()
        self._open.append(function)
        source = function.body
        if is_entry:
            self.requested.entry = function
        inputs = [local_type(one, layout) for one, layout in zip(type.inputs, layouts, strict=True)]
        block = Block()
        for old, one in zip(source.arguments, inputs, strict=True):
            block.add_argument(one, old.location)
        # Callers come before the functions that they call.
        local = rewriting.create(
            function.name, (), (), function.properties, function.attributes, (Region([block]),), (), function.location
        )
        rewriting.append(self.local.body, local)
        with self.builder.in_function(block):
            for old, new, layout in zip(source.arguments, block.arguments, layouts, strict=True):
                self._leave(old, Sharded(new, old.type, layout), layout)
            terminator = self.emit_operations(source)
            self.builder.location = terminator.location
            results = []
            for index, value in enumerate(terminator.operands):
                sharding = placement.function_result_sharding(function, index)
                natural = self.env[value].layout
                layout = replicated(natural.rank) if is_entry else natural.reduced()
                if sharding is not None:
                    declared = layout_of(sharding, value.type, self.meshes)
                    # Only callers from outside must get what is declared; others see what they need.
                    if is_entry or natural.unreduced or not reshard_bytes(self.env[value], declared):
                        layout = declared
                layout = self.requested.at_entry(layout) if is_entry else layout
                results.append(self._returned(value, layout))
            self.builder.create("func.return", [result.value for result in results], ())
        outputs = [result.value.type for result in results]
        typed = local.properties.with_("function_type", FunctionType(inputs, outputs))
        rewriting.set_properties(local, typed.with_("sym_name", StringAttr(name)))
        if not is_entry:
            rewriting.set_properties(local, local.properties.without("arg_attrs", "res_attrs"))
        self._open.pop()
        return Specialization(name, layouts, tuple(result.layout for result in results))

    def _returned(self, value: Value, layout: Layout) -> Sharded:
        """What is returned of ``value``, in that layout."""
        return self.resharder.reshard(self.env[value], layout)

    def _copy_referenced_functions(self) -> None:
        """Functions that something other than a call refers to, a custom call for example, stay as they are."""
        present = {op.symbol_name for op in self.local.body}
        if present.issuperset(self.program.referenced):
            return
        missing = {name for name in self.functions if name not in present}
        waiting = [self.local]
        while waiting:
            operations = waiting.pop().operations()
            # Few dictionaries serve many operations, and few of them name a function.
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
        """Emits every operation of ``block`` but the terminator, which is returned."""
        for op in block:
            if op.traits & TERMINATOR:
                self._begin(op)
                return op
            self._emit(op)
        raise ValueError("the block has no terminator")

    def _emit(self, op: Operation) -> None:
        self._count()
        operands = self._begin(op)
        if self._clusters.before(op) is None:
            self._emit_alone(op, operands)
        else:
            self.emit(op)

    def _count(self) -> None:
        if self.context.check is not None:
            self.context.check()
        if self._progress is not None:
            self._done += 1
            self._progress(self._done)

    def _begin(self, op: Operation) -> list[Sharded]:
        """Collectives are made on behalf of ``op`` from now on, and of what it is expanded to; returns its operands."""
        env = self.env
        operands = [env[value] for value in op.operands]
        self.collectives.attribution = Attribution(op, operands)
        self.builder.location = op.location
        return operands

    def emit(self, op: Operation) -> None:
        """Emits what becomes of one operation, whose operands are in ``env``; so are its results afterwards."""
        env = self.env
        brought = self._clusters.before(op)
        if brought is not None:
            value, form = brought
            given, env[value] = env[value], form
            self._emit_alone(op, [env[one] for one in op.operands])
            env[value] = given
        else:
            self._emit_alone(op, [env[one] for one in op.operands])

    def _emit_alone(self, op: Operation, operands: list[Sharded]) -> None:
        env = self.env
        self.builder.location = op.location
        wanted = self.requested.for_results(op)
        identity = identity_of(op, operands, wanted) if op.name in SHARED else None
        if identity is not None:
            known = self._shared(identity)
            if known is not None:
                env[op.results[0]] = known
                return
        key, made = self._lowering_cache.made(op, operands, wanted)
        if made is not None:
            made.remake = remade(self, op, operands, made)
            place = wanted[0]
            if place is None and not made.layout.unreduced:
                place = made.layout
            self._leave(op.results[0], made, place)
        else:
            attribution, before = self.collectives.attribution, edition()
            site = Site(self, op, operands, wanted)
            results = kept_partial_sums(site) or self._localized(site)
            self.collectives.attribution = attribution
            if key is not None:
                self._lowering_cache.learn(key, op, operands, results, edition() - before)
            if len(results) == 1 and results[0].remake is None:
                results[0].remake = remade(self, op, operands, results[0])
            for result, found, place in zip(op.results, results, wanted, strict=True):
                self._leave(result, found, place)
        if identity is not None:
            self._emitted[identity] = env[op.results[0]]

    def _shared(self, identity: Hashable | None) -> Sharded | None:
        """What an operation with that identity became, if that can be seen here."""
        known = self._emitted.get(identity) if identity is not None else None
        return known if known is not None and self.builder.sees(known.value) else None

    def _leave(self, result: Value, found: Sharded, wanted: Layout | None) -> None:
        """Leaves ``result`` where it came out, or brings it to where it should be."""
        self.env[result] = found if found.layout is wanted else self._placed(result, found, wanted)
        if self.requested.free_results:
            self._note(result)

    def _note(self, value: Value) -> None:
        """Remembers where ``value`` came to be, if that is up to the operations."""
        if self._clusters.is_trial:
            return
        layout = self.env[value].layout.reduced()
        if self.left.setdefault(value, layout) is not layout:
            # Functions may be called with several layouts: none is the one.
            self.left[value] = replicated(layout.rank)

    def localized(self, op: Operation, operands: list[Sharded], wanted: Sequence[Layout | None]) -> Sequence[Sharded]:
        return self._localized(Site(self, op, operands, wanted))

    def _localized(self, site: Site) -> Sequence[Sharded]:
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
            return _made_of_nothing(site)
        results = elementwise_in_place(site)
        return localize_by_rule(site) if results is None else results

    def _placed(self, result: Value, found: Sharded, wanted: Layout | None) -> Sharded:
        """A result where it should be, if that moves nothing or a user works there: otherwise users see what they need.
        Terms of a sum are combined here, so that they meet in one place."""
        if found.layout.unreduced:
            if wanted is None:
                wanted = companion_layout(result, found, self.env, self.rules) or found.layout.reduced()
            return self.resharder.reshard(found, wanted)
        if wanted is None:
            return found
        if reshard_bytes(found, wanted) > 0 and (
            not self.requested.has_user_in(result, wanted)
            or found.layout in places_beside(result, self.env, self.requested)
        ):
            return found
        return self.resharder.reshard(found, wanted)

    @property
    def beginnings(self) -> Mapping[Operation, Operation]:
        """With which operation the cluster began that an operation belongs to."""
        return self._clusters.beginnings

    @property
    def emitted_collectives(self) -> list[Collective]:
        return self.collectives.emitted


_made_of_nothing = free_from_whole(localize_by_rule)
"""For what works on elements of constants and the like: that is free, too."""

SHARED = frozenset(f"stablehlo.{name}" for name in ("convert", "reshape", "slice", "transpose"))
"""Operations that programs write again for each user of a tensor."""


def identity_of(op: Operation, operands: Sequence[Sharded], wanted: Sequence[Layout | None]) -> Hashable | None:
    """What two operations have in common that do the same with the same values and are wanted in the same place: one is
    enough, so that what one of its users has gathered serves all. None for those that say more than that."""
    if op.attributes.entries.keys() - {SHARDING}:
        return None
    return op.name, op.properties, op.results[0].type, operands[0], wanted[0]


def _copy_without_functions(module: Operation) -> Operation:
    """A module with the attributes and meshes of ``module``."""
    copy = rewriting.create(
        module.name, (), (), module.properties, module.attributes, (Region([Block()]),), (), module.location
    )
    for op in module.body:
        if op.name != "func.func":
            rewriting.append(copy.body, rewriting.clone(op))
    return copy
