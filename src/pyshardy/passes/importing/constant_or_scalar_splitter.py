"""The pass ``sdy-constant-or-scalar-splitter``: gives every use of a constant a copy of its own.

Values that are computed from constants alone, and broadcasts of a scalar, count as constants. One shared constant would
carry shardings from one use to another that has nothing to do with it. ``exporting.constant_or_scalar_merger`` merges
copies with equal shardings.

A shortcut: the last use of an original is not given a copy, but the original. A copy would be put directly before it,
be like it in everything, and read its operands last; the original, which nobody reads then, would be erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyshardy.dialects.sdy.placement import rank_of
from pyshardy.dialects.sdy.shared_constants import is_foreign_constant
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.context import Context
from pyshardy.ir.effects import is_effect_free
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Block, Operation, Region, Signature, Value
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.call_graph import CallGraph, SymbolTable, clone_with_callees, original_name, set_callee
from pyshardy.rules.elementwise import is_elementwise

_CALL = "func.call"
_GROUP = "sdy.sharding_group"
_COMPUTATION = "sdy.named_computation"
_BROADCAST = "stablehlo.broadcast_in_dim"
_NAMED = frozenset({_CALL, _COMPUTATION})
_SOURCES = frozenset({"sdy.constant", "stablehlo.iota"})
_REARRANGING = frozenset({_BROADCAST, "stablehlo.reshape", "stablehlo.slice"})

# What an operation is here, as bits: a constant, one that is constant if its operands are, one that makes a function
# more than constants, a broadcast of a scalar, a group.
_SOURCE, _KEEPS_CONSTANT, _WORKS, _SCALAR_BROADCAST, _GROUPS = (1 << bit for bit in range(5))


def protect_constants(module: Operation, context: Context) -> None:
    """Makes every ``stablehlo.constant`` an ``sdy.constant``, which no folding merges or moves."""
    # Shardy's conversion makes all uses anew, which shows where regions capture values.
    rewriting.renew_uses(operation_index(module, context).operations)
    signatures: dict[Signature, Signature] = {}
    for op in operation_index(module, context).named("stablehlo.constant"):
        rewriting.rename(op, "sdy.constant", signatures)


class ConstantSplitting:
    """The splitting of the constants and scalar broadcasts of one module.

    A call of a function, or a named computation, is a constant too if its operands are, unless it does more than what
    keeps constants constant. That is remembered by name, so that all that share a name are treated alike.
    """

    __slots__ = (
        "_blocks_at_work",
        "_computations",
        "_computations_at_work",
        "_context",
        "_functions_at_work",
        "_grouped",
        "_kinds",
        "_symbols",
    )

    def __init__(self, module: Operation, context: Context) -> None:
        self._symbols = SymbolTable(module)
        self._context = context
        self._computations = operation_index(module, context).named_postorder(_COMPUTATION)
        self._grouped = operation_index(module, context).has(_GROUP)
        # What operations are that were made alike, and the blocks that were noted to be at work.
        self._kinds: dict[Signature | None, int] = {}
        self._blocks_at_work: set[Block | None] = set()
        self._functions_at_work: set[str] = set()
        self._computations_at_work: set[str] = set()

    def split(self) -> None:
        """Splits in all functions, callees before callers.

        Raises:
            PassFailure: a call to copy is of a function that calls itself.
        """
        for func in CallGraph(self._symbols, self._context).order:
            for op in self._computations:
                if func.is_proper_ancestor_of(op):
                    self._split_region(op.regions[0], func)
            self._split_region(func.regions[0], func)

    def _split_region(self, region: Region, func: Operation) -> None:
        constants: list[Operation] = []
        broadcasts: list[Operation] = []
        constant_values: set[Value] = set()
        split_values: set[Value] = set()
        kinds = self._kinds
        for op in self._operations_outside_computations(region):
            signature = op.signature
            kind = kinds.get(signature)
            if kind is None or signature is None or op.properties is not signature.properties:
                kind = self._kind(op)
            if kind & _SOURCE or (kind & _KEEPS_CONSTANT and constant_values.issuperset(op.operands)):
                constants.append(op)
                constant_values.update(op.results)
                split_values.update(op.results)
                continue
            if kind & _WORKS and op.parent not in self._blocks_at_work:
                self._note_at_work(op, func)
            if kind & _SCALAR_BROADCAST:
                broadcasts.append(op)
                split_values.update(op.results)
            elif not (kind & _GROUPS or split_values.isdisjoint(op.operands)):
                for index, value in enumerate(op.operands):
                    if value in split_values:
                        rewriting.set_operand(op, index, self._copy_of(value))
        for op in (*broadcasts, *reversed(constants)):
            if self._grouped:
                _erase_unless_read(op)
            elif not any(result._uses for result in op.results):
                rewriting.erase(op)

    def _operations_outside_computations(self, region: Region) -> Iterable[Operation]:
        """The operations of ``region`` in pre-order; of a named computation only itself, not what is in it."""
        owner = region.parent
        assert owner is not None
        # Copies of computations are computations, too, but there are none without an original.
        return _walk_outside_computations(region) if self._computations else owner.operations()[1:]

    def _kind(self, op: Operation) -> int:
        name = op.name
        if name == _GROUP:
            return _GROUPS
        kind = 0
        if name in _SOURCES or is_foreign_constant(op):
            kind |= _SOURCE
        if self._looks_constant(op):
            kind |= _KEEPS_CONSTANT
        elif not op.traits & TERMINATOR:
            kind |= _WORKS
        if name == _BROADCAST and rank_of(op.operands[0].type) == 0:
            kind |= _SCALAR_BROADCAST
        # Of calls and computations the name decides; what is in regions is not the same for all that were made alike.
        if name not in _NAMED and not op.regions and op.signature is not None:
            self._kinds[op.signature] = kind
        return kind

    def _looks_constant(self, op: Operation) -> bool:
        if op.name == _CALL:
            func = self._symbols.called_function(op)
            return func is None or original_name(func) not in self._functions_at_work
        if op.name == _COMPUTATION:
            return _name(op) not in self._computations_at_work
        return (op.name in _REARRANGING or is_elementwise(op)) and is_effect_free(op)

    def _note_at_work(self, op: Operation, func: Operation) -> None:
        around = next((one for one in op.ancestors() if one.name == _COMPUTATION), None)
        if around is not None:
            self._computations_at_work.add(_name(around))
        self._functions_at_work.add(original_name(func))
        self._blocks_at_work.add(op.parent)

    def _copy_of(self, value: Value) -> Value:
        """A copy of the constant that is ``value``, each step of its computation in front of the original step."""
        if self._needs_no_copy(value):
            return value
        copies: dict[Value, Value] = {}
        pending = [(value, iter(_operands_to_copy(value)))]
        while pending:
            current, operands = pending[-1]
            operand = next((one for one in operands if one not in copies), None)
            if operand is not None:
                pending.append((operand, iter(_operands_to_copy(operand))))
                continue
            pending.pop()
            if current not in copies and rank_of(current.type) > 0:
                self._copy_step(current, copies)
        return copies.get(value, value)

    def _needs_no_copy(self, value: Value) -> bool:
        """Whether the original may stand for the copy that the last use of ``value`` would get; if so, its operands are
        read by a new operation, as it were."""
        original = value.defining_op
        if original is None or len(value._uses) > 1 or self._grouped or not shortcuts.enabled():
            return False
        if original.regions or original.name in _NAMED or len(original.results) > 1 or rank_of(value.type) == 0:
            return False
        if _operands_to_copy(value):
            return False
        rewriting.renew_operands(original)
        return True

    def _copy_step(self, value: Value, copies: dict[Value, Value]) -> None:
        original = value.defining_op
        assert original is not None
        copy = rewriting.clone(original, copies)
        rewriting.insert_before(original, copy)
        func = self._symbols.called_function(copy) if copy.name == _CALL else None
        if func is not None:
            set_callee(copy, self._symbols.insert(clone_with_callees(func, self._symbols, self._context)))
        for user in list(value.users) if self._grouped else ():
            if user.name == _GROUP:
                rewriting.insert_before(original, rewriting.clone(user, copies))


def _name(computation: Operation) -> str:
    found = computation.properties.get("name")
    assert isinstance(found, StringAttr)
    return found.value


def _operands_to_copy(value: Value) -> list[Value]:
    """The operands of the operation behind ``value`` that a copy of it needs copies of; scalars are shared."""
    op = value.defining_op
    if op is None or rank_of(value.type) == 0:
        return []
    return [operand for operand in op.operands if operand.defining_op is not None and rank_of(operand.type) > 0]


def _walk_outside_computations(region: Region) -> Iterator[Operation]:
    """The operations of ``region`` in pre-order; of a named computation only itself, not what is in it."""
    pending = [_operations(region)]
    while pending:
        op = next(pending[-1], None)
        if op is None:
            pending.pop()
            continue
        yield op
        if op.regions and op.name != _COMPUTATION:
            pending.extend(_operations(nested) for nested in reversed(op.regions))


def _operations(region: Region) -> Iterator[Operation]:
    return (op for block in region.blocks for op in block)


def _erase_unless_read(op: Operation) -> None:
    """Erases ``op`` and the sharding groups of its results, if nothing else uses them."""
    users = {user: None for result in op.results for user in result.users}
    if all(user.name == _GROUP for user in users):
        for user in users:
            rewriting.erase(user)
        rewriting.erase(op)


@register_pass(
    "sdy-constant-or-scalar-splitter",
    on="builtin.module",
    # Said again, since a compiled class has no docstring.
    summary="Gives every use of a constant or of a scalar's broadcast a copy of its own.",
)
class ConstantOrScalarSplitter(Pass):
    """Gives every use of a constant or of a scalar's broadcast a copy of its own."""

    def apply(self, op: Operation, context: Context) -> None:
        protect_constants(op, context)
        ConstantSplitting(op, context).split()
