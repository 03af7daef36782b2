"""From sharded dimensions that do not divide to larger ones that do: the walk, and what a rule sees.

The types of values grow in place; what they were (``Growth.visible``: the part that counts), how values are sharded,
and which values have nothing but zeros behind the visible part, is noted. A rule is a function registered for the name
of an operation. Without a rule an operation grows with its operands and by its own shardings. The pass stands right of
this file, ``masks`` and the families of rules beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.names import COLLECTIVES
from pyshardy.dialects.sdy.placement import (
    function_argument_sharding,
    function_result_sharding,
    meshes,
    resolve_mesh,
    sharding_of,
)
from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import EMPTY_DICTIONARY, DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import ELEMENTWISE, NO_SHARDING_RULE
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.types import TensorType, Type
from pyshardy.passes.partitioning.global_to_local.emitter import Emitter
from pyshardy.passes.partitioning.legalization import NotConvertible, refuse, report
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

Rule = Callable[["Site"], None]
_RULES: dict[str, Rule] = {}

_NOT_SEEING = ("stablehlo.composite", "stablehlo.dynamic_iota")
"""Operations that have no sharding rule, and see nothing of what is behind the visible part themselves."""

_ON_TENSORS = COLLECTIVES | {"sdy.constant", "sdy.reshard"}
"""Operations of the dialect that have a rule."""


def grows(*names: str) -> Callable[[Rule], Rule]:
    """Registers a rule for the operations called ``names``."""

    def register(rule: Rule) -> Rule:
        for name in names:
            _RULES[name] = rule
        return rule

    return register


class NeedsWhole(NotConvertible):
    """An operation cannot be done on padded values; it can on whole ones."""


def rounded_up(size: int, count: int) -> int:
    """The least multiple of ``count`` that is not below ``size``; a dynamic size stays."""
    return size if size < 0 else -(-size // count) * count


def padded_type(type: Type, sharding: TensorSharding | None, mesh: Mesh | None) -> Type:
    """``type`` with its sharded dimensions rounded up to what divides."""
    if not isinstance(type, TensorType) or sharding is None or mesh is None:
        return type
    shape = list(type.shape)
    for dim, one in enumerate(sharding.dims[: type.rank]):
        if one.axes:
            shape[dim] = rounded_up(shape[dim], one.sharded_size(mesh))
    return type.with_shape(shape)


class Growth:
    """The rewriting of one function."""

    def __init__(self, func: Operation, context: Context, whole: Rule | None = None) -> None:
        self.func = func
        self.whole = whole
        """What is done to operations that need whole values."""
        self.context = context
        *_, module = func.ancestors()
        self.meshes = meshes(module)
        self.visible: dict[Value, Type] = {}
        self.shardings: dict[Value, TensorSharding] = {}
        self.zeros: set[Value] = set()
        """The values whose invisible part is zero."""
        self.rules: dict[Operation, OpShardingRule | None] = {}
        self.emit = Emitter(1)
        self._operations = func.operations()

    def run(self) -> None:
        """Pads what does not divide.

        Raises:
            PassFailure: it cannot be done; errors have been emitted.
        """
        self._call(self.func, lambda site: self._check_boundary())
        for op in self._operations:
            self._note(op)
        if not any(self.target(value) is not value.type for value in self.visible) and not any(
            _slices_unevenly(op) for op in self._operations if op.name in _ON_TENSORS
        ):
            return
        table = RuleTable()
        self.rules = {op: table.registered_rule(op) for op in self._operations if op.name.startswith("stablehlo.")}
        for op in self._operations:
            if op is not self.func and op.parent is not None and self._is_concerned(op):
                self._call(op, _RULES.get(op.name, grow))

    def _check_boundary(self) -> None:
        signature = function_type(self.func)
        for word, types, read in (
            ("argument", signature.inputs, function_argument_sharding),
            ("result", signature.results, function_result_sharding),
        ):
            for index, type in enumerate(types):
                sharding = read(self.func, index)
                if padded_type(type, sharding, self.mesh_of(sharding)) is not type:
                    refuse(
                        f"'func.func' op {word} #{index} has a non-divisible sharding. Shardy expects function IO to "
                        "be divisible."
                    )

    def _note(self, op: Operation) -> None:
        values = [*op.results, *(one for region in op.regions for block in region.blocks for one in block.arguments)]
        for value in values:
            self.visible[value] = value.type
            sharding = sharding_of(value)
            if sharding is not None:
                self.shardings[value] = sharding

    def _is_concerned(self, op: Operation) -> bool:
        if op.name in _ON_TENSORS:
            if op.name in ("sdy.all_slice", "sdy.reduce_scatter", "sdy.all_to_all") and _slices_unevenly(op):
                return True
        elif not op.name.startswith(("stablehlo.", "chlo.")) and op.name != "sdy.manual_computation":
            return False
        inside = [one for region in op.regions for block in region.blocks for one in block.arguments]
        return any(
            self.target(value) is not value.type or value.type is not self.visible[value]
            for value in (*op.operands, *op.results, *inside)
        )

    def _call(self, op: Operation, rule: Rule) -> None:
        try:
            try:
                rule(Site(self, op))
            except NeedsWhole:
                if self.whole is None:
                    raise
                self.whole(Site(self, op))
        except NotConvertible as failure:
            for value in (*op.operands, *op.results):
                value.type = self.visible.get(value, value.type)
            report(self.context, op, failure)
            raise PassFailure from None

    # --- what is known of values ------------------------------------------------------------------------------------

    def mesh_of(self, sharding: TensorSharding | None) -> Mesh | None:
        """The mesh of ``sharding``, None if there is none."""
        return resolve_mesh(sharding, self.meshes) if sharding is not None else None

    def target(self, value: Value) -> Type:
        """The type that ``value`` must have by its own sharding."""
        sharding = self.shardings.get(value)
        return padded_type(self.visible[value], sharding, self.mesh_of(sharding))

    def introduce(self, value: Value, visible: Type, sharding: TensorSharding | None, *, zeros: bool = False) -> Value:
        """Notes what a new value is; returns it."""
        self.visible[value] = visible
        if sharding is not None:
            self.shardings[value] = sharding
        if zeros:
            self.zeros.add(value)
        return value


def _slices_unevenly(op: Operation) -> bool:
    """Whether a collective makes shards of a dimension that does not divide, or may."""
    sharding = op.properties.get("out_sharding")
    type = op.operands[0].type if op.operands else None
    if not isinstance(sharding, TensorSharding) or not isinstance(type, TensorType):
        return False
    *_, module = op.ancestors()
    return padded_type(type, sharding, resolve_mesh(sharding, meshes(module))) is not type


class Site:
    """One operation that is being rewritten. ``emit`` inserts before it."""

    __slots__ = ("emit", "growth", "op")

    def __init__(self, growth: Growth, op: Operation) -> None:
        self.growth = growth
        self.op = op
        self.emit = growth.emit
        self.emit.at(op)

    def visible(self, value: Value) -> TensorType:
        """The type that ``value`` had."""
        found = self.growth.visible[value]
        assert isinstance(found, TensorType)
        return found

    def sharding(self, value: Value) -> TensorSharding | None:
        """The sharding of ``value``."""
        return self.growth.shardings.get(value)

    def count(self, value: Value, dim: int) -> int:
        """The number of shards of dimension ``dim`` of ``value``."""
        sharding = self.sharding(value)
        mesh = self.growth.mesh_of(sharding)
        if sharding is None or mesh is None or mesh.is_maximal:
            return 1
        return sharding.dims[dim].sharded_size(mesh)

    def grown_dims(self, value: Value) -> list[int]:
        """The dimensions in which ``value`` is larger than its visible part."""
        visible = self.growth.visible[value]
        if not isinstance(visible, TensorType) or not isinstance(value.type, TensorType):
            return []
        return [dim for dim, (now, then) in enumerate(zip(value.type.shape, visible.shape, strict=True)) if now != then]

    def tagged(self, sharding: TensorSharding | None) -> DictionaryAttr:
        """The attributes of an operation whose result has ``sharding``."""
        if sharding is None:
            return EMPTY_DICTIONARY
        return DictionaryAttr({SHARDING: TensorShardingPerValue([sharding])})

    def make(
        self,
        name: str,
        operands: Sequence[Value],
        type: TensorType,
        properties: Mapping[str, Attribute],
        sharding: TensorSharding | None,
    ) -> Value:
        """The result of a new StableHLO operation whose result has ``sharding``."""
        return self.emit.create(
            f"stablehlo.{name}", operands, (type,), dict(properties), self.tagged(sharding)
        ).results[0]

    def padded(self, value: Value, shape: Sequence[int]) -> Value:
        """``value`` with zeros behind it, up to ``shape``; the sharding stays."""
        type = tensor_type(value)
        if type.shape == tuple(shape):
            return value
        none = i64_array([0] * type.rank)
        properties = {
            "edge_padding_low": none,
            "edge_padding_high": i64_array([new - old for new, old in zip(shape, type.shape, strict=True)]),
            "interior_padding": none,
        }
        known = not self.grown_dims(value) or value in self.growth.zeros
        zero = self.emit.scalar(0, type.element)
        new = self.make("pad", (value, zero), type.with_shape(shape), properties, self.sharding(value))
        return self.growth.introduce(new, self.visible(value), self.sharding(value), zeros=known)

    def cut(self, value: Value, shape: Sequence[int], sharding: TensorSharding | None) -> Value:
        """The first ``shape`` elements of ``value``."""
        type = tensor_type(value)
        properties = {
            "start_indices": i64_array([0] * type.rank),
            "limit_indices": i64_array(shape),
            "strides": i64_array([1] * type.rank),
        }
        new = self.make("slice", (value,), type.with_shape(shape), properties, sharding)
        zeros = value in self.growth.zeros
        return self.growth.introduce(new, self.visible(value), sharding, zeros=zeros)

    def grown_result(self, index: int = 0) -> Type:
        """The type of result ``index``: at least what its sharding asks for, and what its dimensions have in the
        operands, as the sharding rule relates them."""
        result = self.op.results[index]
        type = self.growth.target(result)
        rule = self.growth.rules.get(self.op)
        if not isinstance(type, TensorType) or rule is None:
            return type
        shape, visible = list(type.shape), self.visible(result).shape
        for dim, factors in enumerate(rule.result_mappings[index]):
            for operand, mapping in zip(self.op.operands, rule.operand_mappings, strict=True):
                for place in self.grown_dims(operand):
                    if mapping[place] == factors and self.visible(operand).shape[place] == visible[dim]:
                        shape[dim] = max(shape[dim], tensor_type(operand).shape[place])
        return type.with_shape(shape)


def grow(site: Site) -> None:
    """The rule of everything else: results grow, the rest stays. What works along a whole dimension, or moves elements
    along it, would see what is behind the visible part."""
    op = site.op
    rule = site.growth.rules.get(op)
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
        if any(site.growth.target(result) is not result.type for result in op.results):
            raise unsupported(op, 0)
    grow_results(site)


def _sees_everything(op: Operation) -> bool:
    if op.name.startswith("chlo."):
        return True
    return op.traits & (NO_SHARDING_RULE | ELEMENTWISE) == NO_SHARDING_RULE and op.name not in _NOT_SEEING


def grow_results(site: Site) -> None:
    """Results get the types that they need."""
    types = [site.grown_result(index) for index in range(len(site.op.results))]
    for result, type in zip(site.op.results, types, strict=True):
        rewriting.set_type(result, type)
    site.op.checked = site.op.signature = None


def unsupported(op: Operation, dim: int) -> NeedsWhole:
    """What to raise about a dimension that may not be padded."""
    return NeedsWhole(
        f"'{op.name}' op dimension {dim} is sharded and does not divide; padding it would change the result, so it "
        "must be replicated or made divisible by previous passes"
    )
