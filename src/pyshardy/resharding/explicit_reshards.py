"""Inserts explicit reshards, after which every operation can run on the shards of its operands.

Reshards before and after each operation bring its operands and results to common axes; reductions over sharded
contracting dimensions become all-reduces. The minimal version does so only where the partitioner would do much worse
(concatenations, some dots), for calls, and for unreduced axes.

A shortcut (``_visit_distinct``): models repeat layers, and most operations need no reshard. A visit depends on nothing
but the signature of the operation (name, properties and types, and so its rule), its attributes (and so the shardings
of its results), and the shardings of its operands. So if a visit changed nothing, operations that are equal in all of
these need no visit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.sdy.dataflow import SHARDING, have_data_flow, is_data_flow
from pyshardy.dialects.sdy.names import COLLECTIVES
from pyshardy.dialects.sdy.placement import (
    is_plain,
    meshes,
    rank_of,
    resolve_mesh,
    set_sharding,
    sharding_of,
    value_before_barriers,
)
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.change_log import structure_version
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Operation, OpResult, Signature, Value
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.symbol_tables import symbols_in
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.resharding.boundaries import Boundaries
from pyshardy.resharding.common_axes import common_axes
from pyshardy.resharding.factor_axes import AxesPerFactor, TensorFactors, mesh_among, mesh_for, on_mesh
from pyshardy.resharding.insertion import InsertionPoint, all_reduce, reshard
from pyshardy.resharding.minimal_version import better_result_sharding, operand_reduction_axes
from pyshardy.resharding.partial_sum_axes import combined_axes, is_linear, partial_sum_axes
from pyshardy.resharding.partitioning_rules import partitioning_rule
from pyshardy.resharding.reduction_kinds import reduction_kind_of, without_reduction
from pyshardy.resharding.reshape_axes import overflows, reshape_axes
from pyshardy.resharding.unreduced import UnreducedAxes
from pyshardy.rules.registry import RuleTable, looks_around
from pyshardy.sharding.axes import AxisRef, difference, sort_and_merge
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, equivalent, fully_closed

if TYPE_CHECKING:
    from pyshardy.resharding.axis_choice import AxisChooser


def insert_explicit_reshards(
    func: Operation,
    context: Context,
    *,
    full: bool,
    keep_named_computation_operands: bool = False,
    custom_rules: bool = False,
    axis_choice: str = "reference",
    reduction_kinds: bool = False,
    every_operation: bool = False,
) -> None:
    """Inserts reshards and all-reduces into ``func``, so that its operations become compatible with their shardings.

    ``full`` does so for all operations; ``keep_named_computation_operands`` does not reshard operands of named
    computations; with ``custom_rules`` operations take part whose rule is marked custom. ``axis_choice`` is one of
    ``AXIS_CHOICES``. With ``reduction_kinds`` all-reduces name their reduction, and operations whose reduction is none
    of sum, max and min have their operands gathered instead. With ``every_operation`` operations without rule take part
    that could not run otherwise, and operations of known dialects go by the rules of ``partitioning_rules`` whatever
    rule they carry.

    Raises:
        PassFailure: an operation has unreduced operands or results that cannot be reduced.
    """
    if is_declaration(func):
        return
    module = func.parent_op
    assert module is not None
    kept = ("sdy.named_computation",) if keep_named_computation_operands else ()
    chooser: AxisChooser | None = None
    if axis_choice != "reference":
        from pyshardy.resharding.axis_choice import AxisChooser

        chooser = AxisChooser(axis_choice, meshes(module))
    insertion = _Insertion(
        module,
        context,
        full=full,
        operands_kept_of=kept,
        custom_rules=custom_rules,
        chooser=chooser,
        reduction_kinds=reduction_kinds,
        every_operation=every_operation,
    )
    insertion.run(func)


class _Insertion:
    """One run on one function."""

    def __init__(
        self,
        module: Operation,
        context: Context,
        *,
        full: bool,
        operands_kept_of: Sequence[str],
        custom_rules: bool,
        chooser: AxisChooser | None,
        reduction_kinds: bool,
        every_operation: bool,
    ) -> None:
        self._full = full
        self._every_operation = every_operation
        self._custom_rules = custom_rules
        self._chooser = chooser
        self._reduction_kinds = reduction_kinds
        self._context = context
        self._meshes = meshes(module)
        self._rules = RuleTable(context)
        self._shardings: dict[Value, TensorSharding | None] = {}
        self._compatible: set[tuple[object, ...]] = set()
        self._shortcut = False
        self._choices: dict[tuple[object, ...], _Choice] = {}
        self._unreduced = UnreducedAxes(self._meshes, of_unsharded=every_operation)
        self._functions = symbols_in(module).of_kind("func.func")
        self._boundaries = Boundaries(
            self._functions, self._meshes, self._unreduced, reshards=full, operands_kept_of=operands_kept_of
        )

    def run(self, func: Operation) -> None:
        self._shortcut = self._full and self._is_plain_full(func)
        if self._shortcut:
            self._visit_distinct(func)
        else:
            for op in (
                operation_index(func, self._context).operations_postorder
                if self._full
                else self._operations_to_visit(func)
            ):
                if op is not func and not op.traits & TERMINATOR:
                    self._visit(op)
        self._boundaries.function_return(func)
        if self._every_operation:
            for op in list(func.walk()):
                if op.name == "sdy.replicated_to_unreduced":
                    self._unreduced.keep_introduced(op)

    def _is_plain_full(self, func: Operation) -> bool:
        """Whether a visit depends on nothing but how an operation was made, its attributes, and the shardings of its
        operands and results."""
        if self._every_operation or self._reduction_kinds or self._chooser is not None or not shortcuts.enabled():
            return False
        return not operation_index(func, self._context).has("sdy.propagation_barrier")

    def _visit_distinct(self, func: Operation) -> None:
        """Visits the operations of ``func``, but skips those that are equal to an operation whose visit changed
        nothing."""
        kinds: dict[tuple[Signature, DictionaryAttr], _EqualOperations] = {}
        known, read = self._shardings, self._sharding
        sharding_of_known = known.__getitem__
        for op in operation_index(func, self._context).operations_postorder:
            signature = op.signature
            if signature is None or op.properties is not signature.properties:
                if op is not func and not op.traits & TERMINATOR:
                    self._visit(op)
                continue
            pair = (signature, op.attributes)
            alike = kinds.get(pair)
            if alike is None:
                alike = kinds[pair] = _EqualOperations(op)
            if alike.is_plain:
                known[op.results[0]] = alike.sharding
            try:
                shardings = tuple(map(sharding_of_known, op.operands))
            except KeyError:
                shardings = tuple(map(read, op.operands))
            if shardings in alike.unchanged:
                continue
            before = structure_version()
            if not op.traits & TERMINATOR:
                self._visit(op)
            if structure_version() == before and _is_context_free(op):
                alike.unchanged.add(shardings)

    def _operations_to_visit(self, func: Operation) -> list[Operation]:
        """The operations that the minimal version may change, nested ones first, and those that carry no rule, which
        may be unknown."""
        in_func = operation_index(func, self._context)
        operations = in_func.operations
        if self._may_be_unreduced(operations):
            return operation_index(func, self._context).operations_postorder
        names = {name for name in in_func.counts if name in _CHANGED_BY_MINIMAL or have_data_flow([name])}
        ruled = {one: SHARDING_RULE in one.entries for one in {op.attributes for op in operations}}
        found = [op for op in operations if op.name in names or not ruled[op.attributes]]
        if any(op.regions for op in found if op is not func):
            wanted = set(found)
            found = [op for op in operation_index(func, self._context).operations_postorder if op in wanted]
        return found

    def _may_be_unreduced(self, operations: Sequence[Operation]) -> bool:
        """Whether a sharding on ``operations``, or on a function that they call, has unreduced axes."""
        pending: set[Attribute] = {op.properties for op in operations}
        pending.update([op.attributes for op in operations])
        called = {callee(op) for op in operation_index(operations[0], self._context).named("func.call")}
        pending.update([self._functions[name].properties for name in called if name in self._functions])
        seen = set(pending)
        while pending:
            attribute = pending.pop()
            if isinstance(attribute, TensorSharding):
                if attribute.unreduced:
                    return True
                continue
            for one in attribute.children():
                if one not in seen:
                    seen.add(one)
                    pending.add(one)
        return False

    def _visit(self, op: Operation) -> None:
        """Makes the operands and results of ``op`` compatible with each other."""
        if self._every_operation and op.name in ("stablehlo.case", "stablehlo.if"):
            # Every device has to take the same branch.
            self._unreduced.reduce_all(op, 0)
        if is_data_flow(op):
            self._boundaries.data_flow(op)
        elif op.name == "func.call":
            self._boundaries.call(op)
        elif self._every_operation and op.name == "stablehlo.if":
            self._boundaries.branches(op)
        elif not (op.name == "sdy.reshard" and self._reshard_to_unreduced(op)):
            if self._every_operation:
                if op.name in COLLECTIVES:
                    return
                self._restrict_unreduced_results(op)
            full = self._full or _ALWAYS_FULL.get(op.name, _never)(op)
            self._reduce_operands(op)
            self._make_compatible(op, full=full)

    # --- unreduced axes ---

    def _reshard_to_unreduced(self, op: Operation) -> bool:
        """Replaces a reshard that introduces unreduced axes by the operation that introduces them."""
        if self._unreduced.introduce(op, 0, sharding_of(op.result), InsertionPoint.before(op)) is None:
            return False
        rewriting.replace_op(op, op.operands)
        return True

    def _restrict_unreduced_results(self, op: Operation) -> None:
        """Lets only those operations have unreduced results that compute partial sums. The results of others are whole,
        and become unreduced after the operation."""
        made: list[AxisRef] | None = None
        for result in op.results:
            sharding = self._sharding(result)
            if sharding is None or not sharding.unreduced:
                continue
            mesh = resolve_mesh(sharding, self._meshes)
            assert mesh is not None
            if made is None:
                made = partial_sum_axes(op, mesh, sharding.reduction_op, self._meshes, self._rules)
            if not difference(sharding.unreduced, made, mesh):
                continue
            self._set_sharding(op, result, sharding.replace(unreduced=()))
            new = reshard(result, sharding, op)
            InsertionPoint.after(op).insert(new)
            rewriting.replace_all_uses_except(result, new.result, new)
            self._reshard_to_unreduced(new)

    def _reduce_operands(self, op: Operation) -> None:
        """Reduces operands over the unreduced axes that the results do not have."""
        for index, operand in enumerate(op.operands):
            source = self._sharding(operand)
            if source is not None and source.unreduced:
                target = self._unreduced_target(op)
                self._unreduced.reduce(op, index, source, target, InsertionPoint.before(op))

    def _unreduced_target(self, op: Operation) -> TensorSharding | None:
        if self._every_operation and not is_linear(op):
            return None
        targets = [self._sharding(result) for result in op.results]
        axes = {target.unreduced if target is not None else () for target in targets}
        if len(axes) > 1:
            self._fail(op, "has results that are unreduced over different axes")
        return targets[0] if targets else None

    def _fail(self, op: Operation, message: str) -> NoReturn:
        emit_at(self._context, "error", op, f"'{op.name}' op {message}")
        raise PassFailure

    # --- operations with a rule ---

    def _make_compatible(self, op: Operation, *, full: bool) -> None:
        """Reshards operands and results of ``op`` to common axes of the factors of its rule, and reduces partial
        results."""
        rule = partitioning_rule(op, self._rules) if self._every_operation else self._rules.rule(op)
        if rule is None or (rule.is_custom and not (self._custom_rules or self._every_operation)):
            return
        kind = "sum"
        if self._reduction_kinds and rule.reduction_factors:
            known = reduction_kind_of(op)
            if known is None and not combined_axes(op.results[0]):
                rule = without_reduction(rule)
            kind = known or kind
        is_unreduced = bool(self._unreduced_axes(op))
        if not (full or is_unreduced or op.name in _DOTS):
            return
        shardings = [self._sharding(value_before_barriers(operand)) for operand in op.operands]
        shardings += [self._sharding(result) for result in op.results]
        key = (rule, full, op.name == _RESHAPE, *shardings)
        if key in self._compatible:
            return
        chosen = mesh_for(shardings, self._meshes)
        if chosen is None and self._every_operation and not self._is_on_one_device(op):
            chosen = mesh_among(shardings, self._meshes)
        if chosen is None:
            return
        if self._shortcut:
            choice: _Choice | None = self._choice(op, rule, key, shardings, chosen)
            assert choice is not None
            factors = choice.factors
        else:
            choice = None
            factors = TensorFactors(op, rule, [on_mesh(chosen[1], one, self._meshes) for one in shardings], *chosen)
        improved = not full and op.name in _DOTS and self._improve_dot(op, factors)
        if not full and not is_unreduced:
            if not improved:
                self._compatible.add(key)
            return
        axes = None if full else operand_reduction_axes(factors)
        if axes is None:
            # Operands with different axes on a reduction factor must be resharded even in the minimal version.
            axes, changes = self._adapt_tensors(op, choice or _Choice(factors, *self._choose_axes(op, factors)))
            if full and not changes and self._chooser is None:
                self._compatible.add(key)
        if self._reduce_results(op, factors, axes, kind):
            self._compatible.discard(key)

    def _choice(
        self,
        op: Operation,
        rule: OpShardingRule,
        key: tuple[object, ...],
        shardings: Sequence[TensorSharding | None],
        chosen: tuple[str | Mesh, Mesh],
    ) -> _Choice:
        """The axes of the tensors of ``op``, computed once for all operations with this ``key`` and these types."""
        key = (*key, *[value.type for value in op.operands], *[value.type for value in op.results])
        known = self._choices.get(key)
        if known is None:
            factors = TensorFactors(op, rule, [on_mesh(chosen[1], one, self._meshes) for one in shardings], *chosen)
            known = self._choices[key] = _Choice(factors, *self._choose_axes(op, factors))
        return known

    def _adapt_tensors(self, op: Operation, choice: _Choice) -> tuple[list[AxisRef], bool]:
        """Reshards operands and results to common axes. Returns the axes over which each device's result is partial,
        and whether any tensor had other axes."""
        changes = False
        factors, axes, changed = choice.factors, choice.axes, choice.changed
        count = factors.operand_count
        before, behind = InsertionPoint.before(op), InsertionPoint.after(op)
        for number in range(len(factors.tensors)):
            value = op.operands[number] if number < count else op.results[number - count]
            if not changed[number] and not self._is_on_other_devices(self._sharding(value), factors.mesh):
                continue
            changes = True
            if number < count:
                new = reshard(op.operands[number], choice.sharding(number), op)
                rewriting.set_operand(op, number, before.insert(new))
            else:
                self._reshard_result(op, op.results[number - count], choice.sharding(number), factors, behind)
        return [axis for factor in factors.rule.reduction_factors for axis in axes[factor]], changes

    def _choose_axes(self, op: Operation, factors: TensorFactors) -> tuple[AxesPerFactor, list[bool]]:
        """The common axes, which ``factors`` have from now on, and for each tensor whether it must be resharded."""
        if op.name == _RESHAPE and overflows(factors):
            axes = reshape_axes(factors)
            factors.assign(axes)
            values = enumerate((op.operands[0], op.result))
            return axes, [not equivalent(factors.sharding(number), sharding_of(value)) for number, value in values]
        if self._chooser is not None:
            axes = self._chooser.choose(op, factors, self._unreduced_axes(op))
        else:
            axes = common_axes(factors)
        return axes, factors.assign(axes)

    def _is_on_other_devices(self, sharding: TensorSharding | None, mesh: Mesh) -> bool:
        if sharding is None or sharding.is_fully_replicated:
            return False
        return resolve_mesh(sharding, self._meshes) is not mesh

    def _is_on_one_device(self, op: Operation) -> bool:
        shardings = [self._sharding(result) for result in op.results]
        found = [resolve_mesh(one, self._meshes) for one in shardings if one is not None]
        return any(mesh is not None and mesh.is_maximal for mesh in found)

    def _is_replicated_on_other_mesh(self, sharding: TensorSharding, mesh: Mesh) -> bool:
        if not self._every_operation or sharding.unreduced or not sharding.is_fully_replicated:
            return False
        return resolve_mesh(sharding, self._meshes) is not mesh

    def _is_on_empty_mesh(self, sharding: TensorSharding) -> bool:
        mesh = resolve_mesh(sharding, self._meshes)
        return mesh is None or mesh.is_empty

    def _reduce_results(self, op: Operation, factors: TensorFactors, axes: Sequence[AxisRef], kind: str) -> bool:
        """All-reduces the results over ``axes``, without axes over which they stay unreduced, or are reduced by their
        user already. Returns whether there were axes other than the former."""
        if not axes or not op.results:
            return False
        axes = sort_and_merge(difference(axes, self._unreduced_axes(op), factors.mesh), factors.mesh)
        if not axes:
            return False
        if self._every_operation:
            axes = difference(axes, combined_axes(op.results[0]), factors.mesh)
            if not axes:
                return True
        place = InsertionPoint.after(op)
        for result in op.results:
            sharding = self._sharding(result)
            if sharding is None:
                sharding = fully_closed(rank_of(result.type), factors.reference)
            elif self._is_on_empty_mesh(sharding) or self._is_replicated_on_other_mesh(sharding, factors.mesh):
                # Reduce on the mesh of the operation: an empty mesh has no axes, another mesh has other devices.
                sharding = fully_closed(rank_of(result.type), factors.reference)
                self._set_sharding(op, result, sharding)
            new = all_reduce(result, axes, sharding, op, sharding.reduction_op if sharding.unreduced else kind)
            place.insert(new)
            rewriting.replace_all_uses_except(result, new.result, new)
        return True

    def _improve_dot(self, op: Operation, factors: TensorFactors) -> bool:
        sharding = better_result_sharding(factors) if self._sharding(op.result) is not None else None
        if sharding is None:
            return False
        self._reshard_result(op, op.result, sharding, factors, InsertionPoint.after(op))
        return True

    def _reshard_result(
        self, op: Operation, result: OpResult, sharding: TensorSharding, factors: TensorFactors, place: InsertionPoint
    ) -> None:
        """Lets ``op`` make ``result`` with ``sharding``, and reshards it for its users to the sharding that it had."""
        before = self._sharding(result) or fully_closed(rank_of(result.type), factors.reference)
        self._set_sharding(op, result, sharding)
        new = reshard(result, before, op)
        place.insert(new)
        rewriting.replace_all_uses_except(result, new.result, new)

    # --- shardings, read once ---

    def _sharding(self, value: Value) -> TensorSharding | None:
        try:
            return self._shardings[value]
        except KeyError:
            found = self._shardings[value] = sharding_of(value)
            return found

    def _set_sharding(self, op: Operation, result: OpResult, sharding: TensorSharding) -> None:
        set_sharding(result, sharding)
        # This may give the other results of ``op`` a sharding, too.
        for one in op.results:
            self._shardings.pop(one, None)

    def _unreduced_axes(self, op: Operation) -> tuple[AxisRef, ...]:
        """The axes over which the first result is unreduced."""
        sharding = self._sharding(op.results[0]) if op.results else None
        return sharding.unreduced if sharding is not None else ()


class _EqualOperations:
    """Operations with one signature and the same attributes: the sharding of their only result, if it is stored with
    them (``is_plain``), and the shardings of operands with which a visit changed nothing (``unchanged``)."""

    __slots__ = ("is_plain", "sharding", "unchanged")

    def __init__(self, op: Operation) -> None:
        self.is_plain = len(op.results) == 1 and is_plain(op)
        stored = op.attributes.entries.get(SHARDING) if self.is_plain else None
        found = stored.shardings if isinstance(stored, TensorShardingPerValue) else ()
        self.sharding = found[0] if found else None
        self.unchanged: set[tuple[TensorSharding | None, ...]] = set()


class _Choice:
    """The common ``axes`` of the tensors of an operation, which its ``factors`` have now, and for each tensor whether
    it ``changed``."""

    __slots__ = ("_shardings", "axes", "changed", "factors")

    def __init__(self, factors: TensorFactors, axes: AxesPerFactor, changed: list[bool]) -> None:
        self.factors = factors
        self.axes = axes
        self.changed = changed
        self._shardings: dict[int, TensorSharding] = {}

    def sharding(self, number: int) -> TensorSharding:
        """The new sharding of tensor ``number``."""
        known = self._shardings.get(number)
        if known is None:
            known = self._shardings[number] = self.factors.sharding(number)
        return known


# --- which operations get which version -------------------------------------------------------------------------------

_DOTS = ("stablehlo.dot", "stablehlo.dot_general")
_RESHAPE = "stablehlo.reshape"


def _never(op: Operation) -> bool:
    return False


def _always(op: Operation) -> bool:
    return True


def _is_context_free(op: Operation) -> bool:
    """Whether a visit of ``op`` looks at nothing but ``op``."""
    return not (op.name in ("func.call", "sdy.reshard") or is_data_flow(op) or looks_around(op))


def _is_sharded_unlike_operands(op: Operation) -> bool:
    sharding = sharding_of(op.result)
    return any(sharding_of(operand) is not sharding for operand in op.operands)


_ALWAYS_FULL = {"mhlo.ragged_dot": _always, "stablehlo.concatenate": _is_sharded_unlike_operands}
"""Operations that get the full version even if the minimal one is asked for, and when."""

_CHANGED_BY_MINIMAL = {*_DOTS, *_ALWAYS_FULL, "func.call"}
"""Operations, besides data-flow operations, that the minimal version changes if no axes are unreduced."""
