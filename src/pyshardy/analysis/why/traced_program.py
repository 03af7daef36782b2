"""A program that was partitioned with a journal of its propagation, and the mappings between its values and those of
the source program.

There are three programs: the source program, the one that propagation worked on (whose slots are in the journal's
table), and the one that the plan was made from. ``numbering`` maps the last two to the first; ``chains``, ``blockers``
and ``collective_reasons`` use these mappings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from pyshardy.analysis.cost.candidate_price import price_for
from pyshardy.analysis.why.history import History
from pyshardy.analysis.why.numbering import Numbering
from pyshardy.dialects.func import callee, function_type
from pyshardy.dialects.main_function import find_main_function, functions_by_name
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import operation_of
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import TensorType, Type, tensor_shape
from pyshardy.module import Module
from pyshardy.partitioning.account.counted import CountedPlan, CountedProgram
from pyshardy.partitioning.plan import Plan
from pyshardy.passes.exporting.update_non_divisible_input_output_shardings import evenly_sharded
from pyshardy.planning import keep_journal, partition
from pyshardy.propagation.actions import Action
from pyshardy.propagation.journal import Journal
from pyshardy.propagation.observers import ObservedPropagation
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.propagation.transfer_function import Shardings
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

PROPAGATION = "sdy-user-priority-propagate"
"""The pass that the steps of a chain belong to."""
_STAYS_DIVISIBLE = ("sdy.named_computation", "func.func", "sdy.manual_computation")
"""Operations for whose arguments and results the export keeps only axes that divide; it turns named computations into
functions."""


class TracedProgram:
    """``source`` is the source program, ``plan`` is the partition of a copy of it, ``run`` its propagation, ``history``
    the history of each slot. ``numbering`` is that of ``source``, if it is known; ``edit`` changes the copy before it
    is propagated, and gets the mapping of values of ``source`` to those of the copy. If the plan was made from a folded
    program, all layers are propagated at the first use of the journal.

    Raises:
        PyshardyError: the program cannot be propagated or partitioned.
        ValueError: it has no function that can be called from outside.
    """

    @paused_collector()
    def __init__(
        self,
        module: Module,
        *,
        chlo_rules: bool = True,
        progress: Callable[[int, int], None] | None = None,
        numbering: Numbering | None = None,
        edit: Callable[[Module, dict[Value, Value]], None] | None = None,
    ) -> None:
        self.source = module
        self.numbering = numbering if numbering is not None else Numbering(module)
        self._journal = Journal()
        self._chlo_rules = chlo_rules
        mapping: dict[Value, Value] = {}
        self.program = self.numbering.copy(mapping)
        if edit is not None:
            edit(self.program, mapping)
        self.plan: Plan = partition(
            self.program,
            in_place=True,
            chlo_rules=chlo_rules,
            progress=progress,
            journal=self._journal,
            price=price_for(self.program),
        )
        self._closed: dict[TensorSharding, TensorSharding] = {}

    @property
    def counted(self) -> CountedPlan:
        """The plan in the form from which costs are computed; floating point operations are those of the program as it
        is given, without the copies of constants that propagation makes."""
        entry = functions_by_name(self.source.op)[self.plan.entry]
        return replace(self.plan.counted, make_source=lambda: CountedProgram(self.source.op, entry))

    @cached_property
    def journal(self) -> Journal:
        """The changes of propagation."""
        if self._journal.run is None:
            keep_journal(self.program, self._journal, chlo_rules=self._chlo_rules)
        return self._journal

    @cached_property
    def run(self) -> ObservedPropagation:
        """The propagation of the journal."""
        assert self.journal.run is not None
        return self.journal.run

    @cached_property
    def _edges(self) -> dict[Value, Value]:
        return {owner: edge for edge, owner in self.journal.owners.items()}

    @cached_property
    def history(self) -> History:
        """The history of each slot."""
        return History(self.journal)

    @property
    def meshes(self) -> dict[str, Mesh]:
        """The meshes of the propagated program."""
        return dict(self.run.transfer.meshes)

    # --- from the source program --------------------------------------------------------------------------------------

    @cached_property
    def main(self) -> Operation:
        """The main function of the source program."""
        main = find_main_function(self.source.op)
        assert main is not None
        return main

    def slots(self, given: Value | FunctionResult) -> list[ShardingSlot]:
        """The slots of ``given`` during propagation, in the order of the program: several if passes copied it (a
        constant for each use, a function for each call), none if it was dead or cannot be sharded."""
        if isinstance(given, FunctionResult):
            return [self.run.table.function_result(self.run.main, given.number)] if given.func is self.main else []
        return list(dict.fromkeys(self._of_source.get(given, ())))

    @cached_property
    def _of_source(self) -> dict[Value, list[ShardingSlot]]:
        found: dict[Value, list[ShardingSlot]] = {}
        for value in self._values():
            given = self.numbering.value(value)
            slot = self.slot(value)
            if given is not None and slot is not None:
                found.setdefault(given, []).append(slot)
        return found

    def _values(self) -> Iterator[Value]:
        yield from self.run.main.body.arguments
        for op in self.run.pre_scan.operations:
            if self.run.is_erased(op):
                continue
            if op.name == "sdy.data_flow_edge" and op.results[0] in self.journal.owners:
                # Also values of computations that the export has turned into functions and removed.
                yield self.journal.owners[op.results[0]]
            for region in op.regions:
                for block in region.blocks:
                    yield from block.arguments
            yield from op.results

    def slot(self, value: Value) -> ShardingSlot | None:
        """The slot of ``value`` during propagation."""
        edge = self._edges.get(value)
        if edge is not None:
            return edge
        if isinstance(value, BlockArgument):
            op = value.owner.parent_op
            if op is not None and op.name == "stablehlo.while":
                return self._edges.get(op.results[value.index])
        return value if self.run.table.knows(value) else None

    def given_values(self) -> Iterator[Value]:
        """The values of the source program that are tensors, in its order."""
        for op in self.source.op.walk():
            for region in op.regions:
                for block in region.blocks:
                    yield from (one for one in block.arguments if isinstance(one.type, TensorType))
            yield from (one for one in op.results if isinstance(one.type, TensorType))

    # --- to the source program ----------------------------------------------------------------------------------------

    def value(self, slot: ShardingSlot) -> Value | FunctionResult | None:
        """The value of ``slot`` in the source program; None if a pass made it."""
        if isinstance(slot, FunctionResult):
            return FunctionResult(self.main, slot.number)
        return self.numbering.value(self.journal.owners.get(slot, slot))

    def operation(self, op: Operation) -> Operation | None:
        """The operation of the source program that ``op`` is, or was made from."""
        if op.name == "sdy.data_flow_edge":
            owner = self.journal.owners.get(op.results[0])
            if owner is not None:
                op = operation_of(owner)
        return self.numbering.operation(op)

    def needing(self, collective: Collective) -> Operation | None:
        """The operation of the source program that needs ``collective`` of the plan, if that is known."""
        return self.numbering.operation(collective.cause) if collective.cause is not None else None

    def given_sharding(self, given: Value | FunctionResult) -> TensorSharding | None:
        """The sharding that the source program has for one of its values; for operands and results of a manual
        computation, the one outside of it."""
        if isinstance(given, FunctionResult):
            return placement.function_result_sharding(given.func, given.number)
        op = operation_of(given)
        if op.name == "sdy.manual_computation" and isinstance(given, BlockArgument):
            listed = op.properties.get("in_shardings")
            return listed[given.index] if isinstance(listed, TensorShardingPerValue) and listed.shardings else None
        place = placement.shardable_value(given)
        return placement.stored_sharding(place) if place is not None else None

    def called_result(self, given: Value | FunctionResult) -> FunctionResult | None:
        """The result of the called function that ``given`` is; None if it is no result of a call."""
        if not isinstance(given, OpResult) or given.owner.name != "func.call":
            return None
        function = functions_by_name(self.source.op).get(callee(given.owner))
        return FunctionResult(function, given.index) if function is not None else None

    # --- shardings ----------------------------------------------------------------------------------------------------

    def sharding(self, slot: ShardingSlot) -> TensorSharding | None:
        """The sharding of ``slot`` at the end of propagation."""
        return self.run.table.get(slot)

    def final_sharding(self, slot: ShardingSlot) -> TensorSharding | None:
        """The sharding of the slot in the exported program: closed, and for arguments and results of functions and
        manual computations reduced to axes that divide."""
        if isinstance(slot, FunctionResult):
            return placement.function_result_sharding(slot.func, slot.number)
        if isinstance(slot, BlockArgument) and _is_entry(slot):
            return placement.sharding_of(slot)
        found = self.sharding(slot)
        if found is None:
            return None
        mesh = self.mesh(found)
        owner = self.journal.owners.get(slot)
        if mesh is not None and owner is not None and operation_of(owner).name in _STAYS_DIVISIBLE:
            found = evenly_sharded(found, slot.type, mesh)
        closed = self._closed.get(found)
        if closed is None:
            closed = self._closed[found] = found.closed()
        return closed

    def layout(self, slot: ShardingSlot) -> tuple[tuple[AxisRef, ...], ...]:
        """The final axes of each dimension; all empty for a slot without a sharding."""
        found = self.final_sharding(slot)
        dims = tuple(dim.axes for dim in found.dims) if found is not None else ()
        return dims if any(dims) else ()

    @cached_property
    def bytes_in_a_run(self) -> float:
        """The bytes that each device receives, with all iterations of loops whose trip count is known."""
        return self.plan.bytes_in_a_run

    @property
    def result_count(self) -> int:
        """How many results the main function has."""
        return len(function_type(self.main).results)

    def type(self, slot: ShardingSlot) -> Type:
        """The type of the tensor of ``slot``."""
        return function_type(slot.func).results[slot.number] if isinstance(slot, FunctionResult) else slot.type

    def shape(self, slot: ShardingSlot) -> tuple[int, ...]:
        """The global shape."""
        return tensor_shape(self.type(slot))

    def mesh(self, sharding: TensorSharding) -> Mesh | None:
        """The mesh of a sharding."""
        return self.run.transfer.mesh_of(sharding)

    def final_view(self, action: Action) -> Shardings:
        """The final shardings of the tensors of ``action``, as its rule sees them."""
        found = [self.run.table.get(slot) for slot in action.slots]
        if action.views is not None:
            found[-1] = self.journal.seen_from_outside.get(action.slots[-1], found[-1])
        return tuple(found)

    # --- relations between tensors ------------------------------------------------------------------------------------

    @cached_property
    def _actions(self) -> dict[ShardingSlot, list[tuple[Operation, Action, int]]]:
        found: dict[ShardingSlot, list[tuple[Operation, Action, int]]] = {}
        for op, action in self.run.actions():
            for index, slot in enumerate(action.slots):
                if slot is not None:
                    found.setdefault(slot, []).append((op, action, index))
        return found

    def relations(self, slot: ShardingSlot) -> list[tuple[Operation, Action, int]]:
        """The actions in which ``slot`` took part, each with its operation and the number of the tensor there."""
        return self._actions.get(slot, [])

    @cached_property
    def _by_operation(self) -> dict[Operation, list[tuple[Operation, Action]]]:
        found: dict[Operation, list[tuple[Operation, Action]]] = {}
        for op, action in self.run.actions():
            given = self.operation(op)
            if given is not None:
                found.setdefault(given, []).append((op, action))
        return found

    def actions_of(self, given: Operation) -> list[tuple[Operation, Action]]:
        """The actions of propagation at an operation of the source program, one for each copy that passes made of it;
        at a return, those for the results of the function."""
        if given.name == "func.return" and given.parent_op is not None:
            given = given.parent_op
        return self._by_operation.get(given, [])

    @cached_property
    def _without_rule(self) -> dict[ShardingSlot, list[tuple[Operation, tuple[ShardingSlot | None, ...]]]]:
        found: dict[ShardingSlot, list[tuple[Operation, tuple[ShardingSlot | None, ...]]]] = {}
        for op, slots in self.journal.without_rule:
            for slot in dict.fromkeys(slots):
                if slot is not None:
                    found.setdefault(slot, []).append((op, slots))
        return found

    def without_rule(self, slot: ShardingSlot) -> list[tuple[Operation, tuple[ShardingSlot | None, ...]]]:
        """The operations without a sharding rule that take or make ``slot``, each with the slots of its tensors."""
        return self._without_rule.get(slot, [])


def _is_entry(value: BlockArgument) -> bool:
    op = value.owner.parent_op
    return op is not None and op.name == "func.func"
