"""From sharded dimensions that do not divide to larger ones that do: the walk, and what a rule sees.

The types of values grow in place. What they were is the *visible* part, which counts; which values have nothing but
zeros behind it is noted. Without a rule an operation grows with its operands and by its own shardings.
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

Rule = Callable[["GrowthSite"], None]
_RULES: dict[str, Rule] = {}
grows = registering(_RULES)
"""Registers a rule for the operations of the names given."""

_NOT_SEEING = ("stablehlo.composite", "stablehlo.dynamic_iota")
"""Operations that have no sharding rule, and see nothing of what is behind the visible part themselves."""

_ON_TENSORS = COLLECTIVES | {"sdy.constant", "sdy.reshard"}
"""Operations of the dialect that have a rule."""


class NeedsWhole(NotConvertible):
    """An operation cannot be done on padded values; it can on whole ones."""


class Growth(Retyping):
    """The rewriting of one function; ``whole`` is what is done to operations that need whole values. The types that
    values had are their visible part."""

    def __init__(self, func: Operation, context: Context, whole: Rule) -> None:
        super().__init__(func, context, padded_type)
        self.func = func
        self._whole = whole
        self.zeros: set[Value] = set()
        """The values whose invisible part is zero."""
        self.rules: dict[Operation, OpShardingRule | None] = {}

    def run(self) -> None:
        """Pads what does not divide.

        Raises:
            PassFailure: it cannot be done; errors have been emitted.
        """
        self.attempt(lambda site: self._check_boundary(), GrowthSite(self, self.func))
        if not any(self.target(value) is not value.type for value in self.types_before) and not any(
            self._slices_unevenly(op) for op in self.operations if op.name in _ON_TENSORS
        ):
            return
        table = RuleTable()
        self.rules = {op: table.registered_rule(op) for op in self.operations if op.name.startswith("stablehlo.")}
        for op in self.operations:
            if op is not self.func and op.parent is not None and self._is_concerned(op):
                self.attempt(self._grow, GrowthSite(self, op))

    def _grow(self, site: GrowthSite) -> None:
        try:
            _RULES.get(site.op.name, grow)(site)
        except NeedsWhole:
            self._whole(GrowthSite(self, site.op))

    def _check_boundary(self) -> None:
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

    def _is_concerned(self, op: Operation) -> bool:
        if op.name in _ON_TENSORS:
            if op.name in ("sdy.all_slice", "sdy.reduce_scatter", "sdy.all_to_all") and self._slices_unevenly(op):
                return True
        elif not op.name.startswith(("stablehlo.", "chlo.")) and op.name != "sdy.manual_computation":
            return False
        inside = [one for region in op.regions for block in region.blocks for one in block.arguments]
        return any(
            self.target(value) is not value.type or value.type is not self.types_before[value]
            for value in (*op.operands, *op.results, *inside)
        )

    def _slices_unevenly(self, op: Operation) -> bool:
        """Whether a collective makes shards of a dimension that does not divide, or may."""
        sharding = op.properties.get("out_sharding")
        type = op.operands[0].type if op.operands else None
        return (
            isinstance(sharding, TensorSharding)
            and isinstance(type, TensorType)
            and self.retyped(type, sharding) is not type
        )

    def introduce(self, value: Value, visible: Type, sharding: TensorSharding | None, *, zeros: bool = False) -> Value:
        """Notes what the new ``value`` is; returns it."""
        self.types_before[value] = visible
        if sharding is not None:
            self.shardings[value] = sharding
        if zeros:
            self.zeros.add(value)
        return value


class GrowthSite(RetypingSite[Growth]):
    """One operation whose results are to grow."""

    __slots__ = ()

    def grown_dims(self, value: Value) -> list[int]:
        """The dimensions in which ``value`` is larger than its visible part."""
        visible = self.walk.types_before[value]
        if not isinstance(visible, TensorType) or not isinstance(value.type, TensorType):
            return []
        return [dim for dim, (now, then) in enumerate(zip(value.type.shape, visible.shape, strict=True)) if now != then]

    def padded(self, value: Value, shape: Sequence[int]) -> Value:
        """``value`` with zeros behind it, up to ``shape``; the sharding stays."""
        type = tensor_type(value)
        if type.shape == tuple(shape):
            return value
        known = not self.grown_dims(value) or value in self.walk.zeros
        zero = self.emit.scalar(0, type.element)
        new = self.emit.laid_out(self.sharding(value)).padded_behind(value, zero, shape)
        return self.walk.introduce(new, self.type_before(value), self.sharding(value), zeros=known)

    def cut(self, value: Value, shape: Sequence[int], sharding: TensorSharding | None) -> Value:
        """The first ``shape`` elements of ``value``."""
        new = self.emit.laid_out(sharding).cut(value, shape)
        zeros = value in self.walk.zeros
        return self.walk.introduce(new, self.type_before(value), sharding, zeros=zeros)

    def grown_result(self, index: int = 0) -> Type:
        """The type of result ``index``: at least what its sharding asks for, and what its dimensions have in the
        operands, as the sharding rule relates them."""
        result = self.op.results[index]
        type = self.walk.target(result)
        rule = self.walk.rules.get(self.op)
        if not isinstance(type, TensorType) or rule is None:
            return type
        shape, visible = list(type.shape), self.type_before(result).shape
        for dim, factors in enumerate(rule.result_mappings[index]):
            for operand, mapping in zip(self.op.operands, rule.operand_mappings, strict=True):
                for place in self.grown_dims(operand):
                    if mapping[place] == factors and self.type_before(operand).shape[place] == visible[dim]:
                        shape[dim] = max(shape[dim], tensor_type(operand).shape[place])
        return type.with_shape(shape)


def grow(site: GrowthSite) -> None:
    """The rule of everything else: results grow, the rest stays. What works along a whole dimension, or moves elements
    along it, would see what is behind the visible part."""
    op = site.op
    rule = site.walk.rules.get(op)
    if rule is not None:
        inner = {*rule.need_replication_factors, *rule.permutation_factors}
        for operand, mapping in zip(op.operands, rule.operand_mappings, strict=True):
            for dim in site.grown_dims(operand):
                if inner.intersection(mapping[dim]):
                    raise unsupported(op, dim)
    elif _sees_everything(op):
        for operand in op.operands:
            for dim in site.grown_dims(operand):
                raise unsupported(op, dim)
        if any(site.walk.target(result) is not result.type for result in op.results):
            raise unsupported(op, 0)
    grow_results(site)


def _sees_everything(op: Operation) -> bool:
    if op.name.startswith("chlo."):
        return True
    return op.traits & (NO_SHARDING_RULE | ELEMENTWISE) == NO_SHARDING_RULE and op.name not in _NOT_SEEING


def grow_results(site: GrowthSite) -> None:
    """Results get the types that they need."""
    types = [site.grown_result(index) for index in range(len(site.op.results))]
    for result, type in zip(site.op.results, types, strict=True):
        rewriting.set_type(result, type)
    rewriting.make_anew(site.op)


def unsupported(op: Operation, dim: int) -> NeedsWhole:
    """What to raise about a dimension that may not be padded."""
    return NeedsWhole(
        f"'{op.name}' op dimension {dim} is sharded and does not divide; padding it would change the result, so it "
        "must be replicated or made divisible by previous passes"
    )
