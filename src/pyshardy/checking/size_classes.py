"""Finds the dimensions of a program that must have equal sizes, and those that are products of others, so that it can
be made smaller.

Dimensions that the rules of operations, calls, loops and branches relate are one *size class*. If a rule maps a
dimension to several factors (reshapes), its class is the product of theirs; if an operation takes parts of a dimension
(halves that are concatenated again), the classes of the whole and of the parts are divided together. Classes whose size
an attribute fixes, or that belong to an operation without enough information, are pinned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

from pyshardy.dialects.control_flow import CONTROL_FLOW
from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.main_function import find_main_function, functions_by_name
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.region_flow import flow_problem
from pyshardy.dialects.sdy.shared_constants import is_foreign_constant
from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers, ScatterDimensionNumbers
from pyshardy.ir.disjoint_sets import DisjointSets
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import COLLECTIVE, ELEMENTWISE, TERMINATOR, OpDef
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.registry import foreign_row
from pyshardy.ir.types import TensorType, tensor_shape
from pyshardy.rules.properties import integer, integers
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule

_WITHOUT_SIZES = frozenset(
    {
        "approximation",
        "broadcast_dimensions",
        "compare_type",
        "comparison_direction",
        "dimensions",
        "dot_dimension_numbers",
        "exponent_bits",
        "indices_are_sorted",
        "iota_dimension",
        "is_stable",
        "lhs_dilation",
        "mantissa_bits",
        "permutation",
        "precision_config",
        "result_accuracy",
        "rng_algorithm",
        "scatter_dimension_numbers",
        "sharding",
        "unique_indices",
    }
)
"""Properties that do not depend on sizes."""
_WITHOUT_SIZES_OF: dict[str, frozenset[str]] = {
    "stablehlo.convolution": frozenset(
        {
            "batch_group_count",
            "dimension_numbers",
            "feature_group_count",
            "padding",
            "rhs_dilation",
            "window_reversal",
            "window_strides",
        }
    ),
    "stablehlo.dot_general": frozenset({"algorithm"}),
    "stablehlo.gather": frozenset({"dimension_numbers", "slice_sizes"}),
    "stablehlo.sort": frozenset({"dimension"}),
}
"""Such properties of single operations; dimensions that they describe are pinned (``_pin_described``)."""
_ANY_SIZE = frozenset({"func.func", "sdy.mesh", "stablehlo.iota"})
"""Operations that constrain no size."""
_FLOWS = CONTROL_FLOW | {"sdy.named_computation", "stablehlo.optimization_barrier"}
_PASSES_OPERANDS = frozenset({"sdy.named_computation", "stablehlo.while"})
"""Operations whose operands are the arguments of their regions."""

Classes = list[int]
"""The size class of each dimension of a tensor."""


class SizeClasses:
    """The size classes of a static program, ``module``; ``values`` has those of each tensor."""

    def __init__(self, module: Operation) -> None:
        self._functions = functions_by_name(module)
        self._rules = RuleTable(chlo_rules=True)
        self._sets = DisjointSets()
        self._sizes: list[int] = []
        self._pinned: set[int] = set()
        self._ratios: list[list[int]] = []
        self._products: dict[tuple[int, tuple[int, ...]], None] = {}
        self._meshes = placement.meshes(module)
        self._shards: list[tuple[int, int]] = []
        self.values: dict[Value, Classes] = {}
        called = {callee(op) for op in module.walk() if op.name == "func.call"}
        entry = find_main_function(module)
        for name, function in self._functions.items():
            is_known = function is entry or name in called
            for op in function.walk():
                inside = op.block_arguments()
                for value in (*inside, *op.results):
                    self._of(value)
                if is_known:
                    self._visit(op)
                else:
                    self._pin((*inside, *op.results))
        self._read_shardings()

    # --- results ------------------------------------------------------------------------------------------------------

    def find(self, one: int) -> int:
        """The representative of a class."""
        return self._sets.find(one)

    @property
    def sizes(self) -> dict[int, int]:
        """The size of each class, by its representative."""
        return {one: self._sizes[one] for one in self._sets.roots}

    @property
    def pinned(self) -> set[int]:
        """The representatives of classes that stay as large as they are."""
        return set(map(self.find, self._pinned))

    @property
    def products(self) -> list[tuple[int, tuple[int, ...]]]:
        """Classes that are products of others."""
        found = [(self.find(one), tuple(map(self.find, parts))) for one, parts in self._products]
        return list(dict.fromkeys(found))

    @property
    def ratios(self) -> list[frozenset[int]]:
        """Classes of different sizes that are divided together, or not at all."""
        return list(dict.fromkeys(frozenset(map(self.find, one)) for one in self._ratios))

    @property
    def shards(self) -> dict[int, int]:
        """The number of shards that dimensions of a class are split into, by the shardings of the program."""
        found: dict[int, int] = {}
        for one, count in self._shards:
            root = self.find(one)
            found[root] = max(found.get(root, 1), count)
        return found

    # --- building -----------------------------------------------------------------------------------------------------

    def _new(self, size: int) -> int:
        self._sizes.append(size)
        return self._sets.new()

    def _of(self, value: Value) -> Classes:
        found = self.values.get(value)
        if found is None:
            found = self.values[value] = [self._new(size) for size in tensor_shape(value.type)]
        return found

    def _join(self, one: int, other: int) -> None:
        if self._sizes[self.find(one)] != self._sizes[self.find(other)]:
            self._pinned |= {one, other}
        else:
            self._sets.join(one, other)

    def _join_values(self, some: Iterable[Value], others: Iterable[Value]) -> None:
        for one, other in zip(some, others, strict=False):
            for left, right in zip(self._of(one), self._of(other), strict=False):
                self._join(left, right)

    def _pin(self, values: Iterable[Value]) -> None:
        for value in values:
            self._pinned.update(self._of(value))

    # --- operations ---------------------------------------------------------------------------------------------------

    def _visit(self, op: Operation) -> None:
        values = [*op.operands, *op.results]
        if op.name == "func.call":
            self._call(op)
        elif op.name in _FLOWS:
            self._flow(op)
        elif op.name == "stablehlo.constant":
            value = op.properties.get("value")
            if not (isinstance(value, DenseElementsAttr) and value.is_splat):
                self._pin(values)
        elif op.name in _ANY_SIZE or op.traits & TERMINATOR:
            return
        elif (row := foreign_row(op.name)) is not None:
            self._foreign(op, row)
        elif op.name in _PARTS:
            self._parts(op, _PARTS[op.name](op))
        elif (rule := self._rule(op)) is not None:
            self._pin_described(op)
            self._apply(rule, op)
        else:
            self._pin(values)

    def _foreign(self, op: Operation, row: OpDef) -> None:
        """Visits an operation of a registered dialect: its row has the rule, and ``adapts`` its properties."""
        inside = op.block_arguments()
        values = [*op.operands, *inside, *op.results]
        if row.data_flow is not None and flow_problem(op) is None:
            found: set[Value] = set()
            for owner in (*row.data_flow.result_owners(op), *row.data_flow.block_argument_owners(op)):
                others = [*row.data_flow.sources(owner), *row.data_flow.non_owner_targets(owner)]
                for other in others:
                    self._join_values([owner], [other])
                if others:
                    found.update((owner, *others))
            ends = [one for region in op.regions for block in region.blocks for one in block.terminator.operands]
            self._pin(one for one in (*values, *ends) if one not in found)
        elif is_foreign_constant(op):
            if not (op.traits & ELEMENTWISE or _is_splat(op)):
                self._pin(values)
        elif SHARDING_RULE in op.attributes.entries or op.traits & COLLECTIVE:
            self._pin(values)
        elif (rule := self._rules.rule(op)) is not None:
            self._apply(rule, op)
            self._pin_parts(rule, op)
        else:
            self._pin(values)

    def _pin_parts(self, rule: OpShardingRule, op: Operation) -> None:
        """Pins dimensions whose factor has another size in another tensor, or is in no other tensor, since it is not
        known how the operation chooses the part. Reduced dimensions are not pinned."""
        dims = [
            (factors, one)
            for mapping, value in zip(rule.tensor_mappings, (*op.operands, *op.results), strict=False)
            for factors, one in zip(mapping, self._of(value), strict=False)
        ]
        count = Counter(factor for factors, _ in dims for factor in factors)
        held = {one for one in count if count[one] == 1 and one not in rule.reduction_factors}
        for factors, one in dims:
            if prod(rule.factor_sizes[each] for each in factors) != self._sizes[self.find(one)]:
                held.update(factors)
        self._pinned.update(one for factors, one in dims if held.intersection(factors))

    def _rule(self, op: Operation) -> OpShardingRule | None:
        """The sharding rule of an operation, if its properties do not depend on sizes."""
        if SHARDING_RULE in op.attributes.entries:
            return None
        known = set(op.properties.entries) - _WITHOUT_SIZES_OF.get(op.name, frozenset())
        return self._rules.rule(op) if known <= _WITHOUT_SIZES else None

    def _call(self, op: Operation) -> None:
        function = self._functions.get(callee(op))
        if function is None or is_declaration(function):
            self._pin([*op.operands, *op.results])
            return
        self._join_values(op.operands, function.body.arguments)
        self._join_values(op.results, function.body.terminator.operands)

    def _flow(self, op: Operation) -> None:
        if op.name in ("stablehlo.while", "stablehlo.optimization_barrier"):
            self._join_values(op.operands, op.results)
        for region in op.regions:
            block = region.blocks[0]
            if op.name in _PASSES_OPERANDS:
                self._join_values(op.operands, block.arguments)
            if len(block.terminator.operands) == len(op.results):
                self._join_values(block.terminator.operands, op.results)

    def _parts(self, op: Operation, parts: _Parts) -> None:
        """An operation that takes or makes parts of tensors."""
        shapes = [one.type.shape for one in parts.tensors if isinstance(one.type, TensorType)]
        for place, sizes in enumerate(zip(*shapes, strict=True)):
            classes = [self._of(one)[place] for one in parts.tensors]
            bounds = [integers(op, name)[place] for name in parts.bounds or ()]
            if op.name == "stablehlo.dynamic_update_slice" and sizes[1] == 1:
                # A single element can be taken from a dimension of any size.
                self._join(classes[0], classes[2])
            elif place in parts.pinned or min(bounds, default=0) < 0:
                self._pinned.update(classes)
            elif len(set(sizes)) == 1 and set(bounds) <= {0, sizes[0]}:
                for other in classes[1:]:
                    self._join(classes[0], other)
            elif parts.bounds is None:
                self._pinned.update(classes)
            else:
                # Either all of these are divided or none is.
                self._ratios.append([*classes, *(self._new(bound) for bound in bounds if bound)])
        self._pin(value for value in (*op.operands, *op.results) if value not in parts.tensors)

    def _pin_described(self, op: Operation) -> None:
        """Pins the dimensions that the properties of an operation describe by their sizes."""
        if op.name == "stablehlo.convolution":
            dims = op.properties.get("dimension_numbers")
            assert isinstance(dims, ConvDimensionNumbers)
            spatial = (dims.input_spatial, dims.kernel_spatial, dims.output_spatial)
            for value, places in zip((*op.operands, *op.results), spatial, strict=True):
                self._pinned.update(self._of(value)[place] for place in places)
            if any(integer(op, name, 0) != 1 for name in ("feature_group_count", "batch_group_count")):
                self._pin((*op.operands, *op.results))
        elif op.name == "stablehlo.gather":
            assert isinstance(op.operands[0].type, TensorType)
            sizes = zip(integers(op, "slice_sizes"), op.operands[0].type.shape, self._of(op.operands[0]), strict=True)
            self._pinned.update(one for part, whole, one in sizes if part not in (1, whole))
        elif op.name == "stablehlo.scatter":
            half = (len(op.operands) - 1) // 2
            self._join_values(op.operands[:half], op.results)

    def _indexed(self, op: Operation) -> set[int]:
        """The classes of dimensions from which indices pick single elements: they may have any size, although the rule
        has no factor of that size."""
        if op.name == "stablehlo.gather":
            sizes = integers(op, "slice_sizes")
            return {one for part, one in zip(sizes, self._of(op.operands[0]), strict=True) if part == 1}
        if op.name == "stablehlo.scatter":
            dims = op.properties.get("scatter_dimension_numbers")
            assert isinstance(dims, ScatterDimensionNumbers)
            half = (len(op.operands) - 1) // 2
            listed = (*op.operands[:half], *op.results)
            return {self._of(value)[place] for value in listed for place in dims.inserted_window_dims}
        return set()

    def _apply(self, rule: OpShardingRule, op: Operation) -> None:
        values = [*op.operands, *op.results]
        by_factor: dict[int, int] = {}
        several: list[tuple[int, list[int]]] = []
        indexed = self._indexed(op)
        for mapping, value in zip(rule.tensor_mappings, values, strict=False):
            classes = self._of(value)
            if len(mapping) != len(classes):
                self._pinned.update(classes)
                continue
            for factors, one in zip(mapping, classes, strict=True):
                real = [each for each in factors if rule.factor_sizes[each] > 1]
                if prod(rule.factor_sizes[each] for each in real) != self._sizes[self.find(one)]:
                    if one not in indexed:
                        self._pinned.add(one)
                elif len(real) == 1:
                    by_factor.setdefault(real[0], one)
                    self._join(by_factor[real[0]], one)
                elif real:
                    several.append((one, real))
        for one, real in several:
            for factor in real:
                if factor not in by_factor:
                    by_factor[factor] = self._new(rule.factor_sizes[factor])
            self._products[one, tuple(by_factor[factor] for factor in real)] = None

    # --- shardings ----------------------------------------------------------------------------------------------------

    def _read_shardings(self) -> None:
        for value, classes in self.values.items():
            sharding = placement.sharding_of(value)
            if sharding is None or len(sharding.dims) != len(classes):
                continue
            named = sharding.mesh_or_ref
            mesh = named if isinstance(named, Mesh) else self._meshes.get(named)
            if mesh is not None:
                for dim, one in zip(sharding.dims, classes, strict=True):
                    self._shards.append((one, prod(axis.size(mesh) for axis in dim.axes)))


def _is_splat(op: Operation) -> bool:
    """Whether a property holds the elements of the only result, and these are all equal."""
    type = op.results[0].type
    return any(
        isinstance(value, DenseElementsAttr) and value.type == type and value.is_splat
        for value in op.properties.entries.values()
    )


def _dims_without(default: int, op: Operation, *names: str) -> set[int]:
    """The dimensions for which one of the properties ``names`` is not ``default``."""
    return {dim for name in names for dim, one in enumerate(integers(op, name)) if one != default}


class _Parts(NamedTuple):
    """The description of an operation that takes or makes parts of tensors: the ``tensors``, the ``pinned`` dimensions,
    and the properties that are the ``bounds`` of parts; None if parts have bounds that cannot be made smaller."""

    tensors: Sequence[Value]
    pinned: set[int]
    bounds: Sequence[str] | None = None


def _of_concatenate(op: Operation) -> _Parts:
    return _Parts((*op.operands, op.results[0]), set(), ())


def _of_dynamic_slice(op: Operation) -> _Parts:
    return _Parts((op.operands[0], op.results[0]), set())


def _of_pad(op: Operation) -> _Parts:
    return _Parts((op.operands[0], op.results[0]), _dims_without(0, op, "interior_padding"), BOUNDS["stablehlo.pad"])


def _of_slice(op: Operation) -> _Parts:
    return _Parts((op.operands[0], op.results[0]), _dims_without(1, op, "strides"), BOUNDS["stablehlo.slice"])


def _of_update(op: Operation) -> _Parts:
    return _Parts((op.operands[0], op.operands[1], op.results[0]), set())


def _of_windows(op: Operation) -> _Parts:
    windows = _dims_without(1, op, "window_dimensions", "window_strides", "base_dilations")
    return _Parts((*op.operands[: len(op.results)], *op.results), windows)


BOUNDS = {
    "stablehlo.pad": ("edge_padding_low", "edge_padding_high"),
    "stablehlo.slice": ("start_indices", "limit_indices"),
}
"""The properties that are bounds of parts; they are made smaller with the dimension."""
_PARTS = {
    "stablehlo.concatenate": _of_concatenate,
    "stablehlo.dynamic_slice": _of_dynamic_slice,
    "stablehlo.dynamic_update_slice": _of_update,
    "stablehlo.pad": _of_pad,
    "stablehlo.reduce_window": _of_windows,
    "stablehlo.slice": _of_slice,
}
