"""Pads sharded dimensions that do not divide: the walk over the program, and what a rule uses to rewrite an operation.

The types of values are padded in place. The part of a value that has its old type is the *visible* part, whose elements
count; the walk notes which values have zeros in the rest. An operation without a rule is padded with its operands and
by its own shardings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy.names import COLLECTIVES
from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding
from pyshardy.emitting.builder import tensor_type
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import ELEMENTWISE, NO_SHARDING_RULE
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType, Type
from pyshardy.passes.partitioning.legalization import NotConvertible, refuse
from pyshardy.passes.partitioning.retyping import Retyping, RetypingSite, registering
from pyshardy.passes.partitioning.shard_sizes import padded_type
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding

Rule = Callable[["PaddingSite"], None]
_RULES: dict[str, Rule] = {}
padding_rule = registering(_RULES)
"""Registers a rule for the operations of the given names."""

_NOT_SEEING = ("stablehlo.composite", "stablehlo.dynamic_iota")
"""Operations without sharding rule whose results do not depend on elements outside of the visible part."""

_ON_TENSORS = COLLECTIVES | {"sdy.constant", "sdy.reshard"}
"""Operations of the ``sdy`` dialect that have a rule."""


class NeedsWholeOperands(NotConvertible):
    """An operation cannot run on padded operands, only on whole ones without padding."""


class FunctionPadding(Retyping):
    """The rewriting of one function; ``whole`` rewrites operations that need whole operands. ``types_before`` are the
    types of the visible parts."""

    def __init__(self, func: Operation, context: Context, whole: Rule) -> None:
        super().__init__(func, context, padded_type)
        self.func = func
        self._whole = whole
        self.zeros: set[Value] = set()
        """The values whose elements outside of the visible part are zeros."""
        self.rules: dict[Operation, OpShardingRule | None] = {}

    def run(self) -> None:
        """Pads dimensions that do not divide.

        Raises:
            PassFailure: that is impossible; errors have been emitted.
        """
        self.attempt(lambda site: self._check_boundary(), PaddingSite(self, self.func))
        if not any(self.target(value) is not value.type for value in self.types_before) and not any(
            self._slices_unevenly(op) for op in self.operations if op.name in _ON_TENSORS
        ):
            return
        table = RuleTable()
        self.rules = {op: table.registered_rule(op) for op in self.operations if op.name.startswith("stablehlo.")}
        for op in self.operations:
            if op is not self.func and op.parent is not None and self._needs_rewriting(op):
                self.attempt(self._pad, PaddingSite(self, op))

    def _pad(self, site: PaddingSite) -> None:
        try:
            _RULES.get(site.op.name, default_rule)(site)
        except NeedsWholeOperands:
            self._whole(PaddingSite(self, site.op))

    def _check_boundary(self) -> None:
        """Refuses arguments and results of the function that do not divide."""
        signature = function_type(self.func)
        for word, types, read in (
            ("argument", signature.inputs, function_argument_sharding),
            ("result", signature.results, function_result_sharding),
        ):
            for index, type in enumerate(types):
                sharding = read(self.func, index)
                if self.retyped(type, sharding) is not type:
                    refuse(
                        f"'func.func' op {word} #{index} has a non-divisible sharding. Shardy expects function IO to "
                        "be divisible."
                    )

    def _needs_rewriting(self, op: Operation) -> bool:
        if op.name in _ON_TENSORS:
            if op.name in ("sdy.all_slice", "sdy.reduce_scatter", "sdy.all_to_all") and self._slices_unevenly(op):
                return True
        elif not op.name.startswith(("stablehlo.", "chlo.")) and op.name != "sdy.manual_computation":
            return False
        inside = op.block_arguments()
        return any(
            self.target(value) is not value.type or value.type is not self.types_before[value]
            for value in (*op.operands, *op.results, *inside)
        )

    def _slices_unevenly(self, op: Operation) -> bool:
        """Whether a collective may make shards of a dimension that does not divide."""
        sharding = op.properties.get("out_sharding")
        type = op.operands[0].type if op.operands else None
        return (
            isinstance(sharding, TensorSharding)
            and isinstance(type, TensorType)
            and self.retyped(type, sharding) is not type
        )

    def introduce(self, value: Value, visible: Type, sharding: TensorSharding | None, *, zeros: bool = False) -> Value:
        """Notes the visible type and the sharding of the new ``value``; returns it."""
        self.types_before[value] = visible
        if sharding is not None:
            self.shardings[value] = sharding
        if zeros:
            self.zeros.add(value)
        return value


class PaddingSite(RetypingSite[FunctionPadding]):
    """One operation whose results are padded."""

    __slots__ = ()

    def padded_dims(self, value: Value) -> list[int]:
        """The dimensions in which ``value`` is larger than its visible part."""
        visible = self.walk.types_before[value]
        if not isinstance(visible, TensorType) or not isinstance(value.type, TensorType):
            return []
        return [dim for dim, (now, then) in enumerate(zip(value.type.shape, visible.shape, strict=True)) if now != then]

    def padded(self, value: Value, shape: Sequence[int]) -> Value:
        """``value`` padded with zeros to ``shape``; the sharding stays."""
        type = tensor_type(value)
        if type.shape == tuple(shape):
            return value
        known = not self.padded_dims(value) or value in self.walk.zeros
        zero = self.builder.scalar(0, type.element)
        new = self.builder.with_sharding(self.sharding(value)).padded_behind(value, zero, shape)
        return self.walk.introduce(new, self.type_before(value), self.sharding(value), zeros=known)

    def cut(self, value: Value, shape: Sequence[int], sharding: TensorSharding | None) -> Value:
        """The first ``shape`` elements of ``value``."""
        new = self.builder.with_sharding(sharding).cut(value, shape)
        zeros = value in self.walk.zeros
        return self.walk.introduce(new, self.type_before(value), sharding, zeros=zeros)

    def padded_result(self, index: int = 0) -> Type:
        """The new type of result ``index``: at least the type that its sharding needs, and as large as operands are in
        the dimensions that the sharding rule relates."""
        result = self.op.results[index]
        type = self.walk.target(result)
        rule = self.walk.rules.get(self.op)
        if not isinstance(type, TensorType) or rule is None:
            return type
        shape, visible = list(type.shape), self.type_before(result).shape
        for dim, factors in enumerate(rule.result_mappings[index]):
            for operand, mapping in zip(self.op.operands, rule.operand_mappings, strict=True):
                for place in self.padded_dims(operand):
                    if mapping[place] == factors and self.type_before(operand).shape[place] == visible[dim]:
                        shape[dim] = max(shape[dim], tensor_type(operand).shape[place])
        return type.with_shape(shape)


def default_rule(site: PaddingSite) -> None:
    """The rule of operations without one: results are padded, everything else stays. An operation that works along a
    whole dimension, or moves elements along it, would see elements outside of the visible part."""
    op = site.op
    rule = site.walk.rules.get(op)
    if rule is not None:
        inner = {*rule.need_replication_factors, *rule.permutation_factors}
        for operand, mapping in zip(op.operands, rule.operand_mappings, strict=True):
            for dim in site.padded_dims(operand):
                if inner.intersection(mapping[dim]):
                    raise unsupported(op, dim)
    elif _sees_everything(op):
        for operand in op.operands:
            for dim in site.padded_dims(operand):
                raise unsupported(op, dim)
        if any(site.walk.target(result) is not result.type for result in op.results):
            raise unsupported(op, 0)
    pad_results(site)


def _sees_everything(op: Operation) -> bool:
    if op.name.startswith("chlo."):
        return True
    return op.traits & (NO_SHARDING_RULE | ELEMENTWISE) == NO_SHARDING_RULE and op.name not in _NOT_SEEING


def pad_results(site: PaddingSite) -> None:
    """Gives the results their new types."""
    types = [site.padded_result(index) for index in range(len(site.op.results))]
    for result, type in zip(site.op.results, types, strict=True):
        rewriting.set_type(result, type)
    rewriting.make_anew(site.op)


def unsupported(op: Operation, dim: int) -> NeedsWholeOperands:
    """The exception for a dimension that may not be padded."""
    return NeedsWholeOperands(
        f"'{op.name}' op dimension {dim} is sharded and does not divide; padding it would change the result, so it "
        "must be replicated or made divisible by previous passes"
    )
