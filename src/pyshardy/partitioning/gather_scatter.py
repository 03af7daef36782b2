"""Localizes ``gather`` and ``scatter``: tables stay where they are, and each device serves the indices that it owns.

Where an indexed dimension is sharded, a device makes the indices relative to its shard. Gather: what it does not own is
zero, and the devices sum up. Scatter: what it does not own is out of bounds, so it is dropped; updates that are spread
over devices (for a reducer that is a known operation) leave terms to combine, and the input counts once. Registers with
``registry``; the rules in ``rules.gather_scatter`` name the factors.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I1, I32, I64, IntegerType, TensorType, Type, element_width
from pyshardy.partitioning.builder import Builder, i64_array, tensor_type
from pyshardy.partitioning.coordinates import is_first, offset
from pyshardy.partitioning.layout import Axes, Layout, Sharded
from pyshardy.partitioning.reducers import neutral_elements, reduction_kind, reduction_region
from pyshardy.partitioning.reductions import is_neutral
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.site import Site
from pyshardy.rules.properties import integers
from pyshardy.sharding.mesh import Mesh

BYTES_PER_ELEMENT = 1e-3
"""What reading or writing one element is worth in bytes moved, when strategies are compared."""


# --- gather -----------------------------------------------------------------------------------------------------------


@localizes("stablehlo.gather")
def _gather(site: Site) -> list[Sharded]:
    numbers = site.op.properties.get("dimension_numbers")
    rule = site.rule()
    if rule is None or not isinstance(numbers, GatherDimensionNumbers):
        return site.fall_back()
    strategy = site.strategy(rule, reduction="sum", work=BYTES_PER_ELEMENT)
    if strategy is None:
        return site.fall_back()
    operand, indices = map(site.reshard, site.operands, strategy.operands)
    sizes = list(integers(site.op, "slice_sizes"))
    owned: list[int] = []
    for dim, size in enumerate(sizes):
        if operand.layout.dims[dim] and dim not in numbers.operand_batching_dims:
            if size == operand.shape[dim] and size > 1:
                sizes[dim] = operand.local_shape[dim]
            else:
                owned.append(dim)
    properties = site.op.properties.with_("slice_sizes", i64_array(sizes))
    if not owned:
        return site.emit([operand, indices], strategy.results, properties)
    builder, mesh = site.builder, strategy.mesh
    assert mesh is not None
    limits = [operand.shape[dim] - sizes[dim] for dim in numbers.start_index_map]
    places = _Places(builder, indices.value, numbers.start_index_map, numbers.index_vector_dim)
    places.clamp(limits)
    inside = places.move(mesh, operand, owned)
    for dim in owned:
        if dim not in numbers.start_index_map:
            first = is_first(builder, mesh, operand.layout.dims[dim])
            inside = first if inside is None else _and(builder, inside, first)
    moved = Sharded(places.value, indices.type, indices.layout)
    (found,) = site.emit([operand, moved], strategy.results, properties)
    assert inside is not None
    shape = tensor_type(found.value).shape
    batch = [dim for dim in range(len(shape)) if dim not in numbers.offset_dims]
    chosen = builder.broadcast(inside, shape, batch if tensor_type(inside).rank else ())
    zero = builder.splat(0, tensor_type(found.value))
    return [site.result(0, builder.select(chosen, found.value, zero), found.layout)]


def _and(builder: Builder, inside: Value, first: Value) -> Value:
    return builder.binary("and", inside, builder.broadcast(first, tensor_type(inside).shape))


class _Places:
    """Start indices on their way: clamped to the whole tensor, then relative to the device's shard.

    ``dims`` are the dimensions of the tensor that the components of an index vector stand for, ``vector`` the dimension
    of the indices that holds the components (the rank of the indices if there is but one).
    """

    def __init__(self, builder: Builder, value: Value, dims: Sequence[int], vector: int) -> None:
        self._builder = builder
        self._dims = dims
        self._vector = vector
        self.value = builder.convert(value, _wide(tensor_type(value).element))

    def clamp(self, limits: Sequence[int]) -> None:
        """Between 0 and ``limits``, one for each component."""
        builder, type = self._builder, tensor_type(self.value)
        low = builder.splat(0, type)
        high = self._spread_numbers(limits)
        self.value = builder.emit("clamp", (low, self.value, high), type)

    def move(self, mesh: Mesh, operand: Sharded, owned: Sequence[int]) -> Value | None:
        """Makes the components of the dimensions ``owned`` relative to the device's shard of ``operand``; returns for
        each index vector whether the shard owns it, None if no component stands for an owned dimension."""
        if not any(dim in owned for dim in self._dims):
            return None
        builder = self._builder
        element = tensor_type(self.value).element
        starts: list[Axes] = [operand.layout.dims[dim] if dim in owned else () for dim in self._dims]
        sizes = [operand.local_shape[dim] if dim in owned else operand.shape[dim] for dim in self._dims]
        scalars = [offset(builder, mesh, axes, size, element) for axes, size in zip(starts, sizes, strict=True)]
        self.value = builder.binary("subtract", self.value, self._spread(scalars))
        low = builder.splat(0, tensor_type(self.value))
        after = builder.compare(self.value, "GE", low)
        before = builder.compare(self.value, "LT", self._spread_numbers(sizes))
        return self._all_components(builder.binary("and", after, before))

    def _all_components(self, inside: Value) -> Value:
        """For each index vector whether all of its components are ``inside``."""
        builder, type = self._builder, tensor_type(inside)
        if self._vector >= type.rank:
            return inside
        shape = [size for dim, size in enumerate(type.shape) if dim != self._vector]
        if type.shape[self._vector] == 1:
            return builder.reshape(inside, shape)
        init = builder.splat(1, TensorType((), I1))
        region = reduction_region("and", I1)
        made = builder.create(
            "stablehlo.reduce",
            (inside, init),
            (type.with_shape(shape),),
            {"dimensions": i64_array([self._vector])},
            regions=(region,),
        )
        return made.results[0]

    def _spread_numbers(self, numbers: Sequence[int]) -> Value:
        """A constant with one number for each component, for all index vectors."""
        builder, type = self._builder, tensor_type(self.value)
        if len(set(numbers)) == 1:
            return builder.splat(numbers[0], type)
        vector = builder.constant(DenseElementsAttr.of(TensorType((len(numbers),), type.element), numbers))
        return builder.broadcast(vector, type.shape, (self._vector,))

    def _spread(self, scalars: Sequence[Value]) -> Value:
        """One scalar for each component, for all index vectors."""
        builder, type = self._builder, tensor_type(self.value)
        if len(scalars) == 1:
            return builder.broadcast(scalars[0], type.shape)
        vector = builder.concatenate([builder.reshape(one, (1,)) for one in scalars], 0)
        return builder.broadcast(vector, type.shape, (self._vector,))


def _wide(element: Type) -> Type:
    """A signed type that holds every index of type ``element``."""
    assert isinstance(element, IntegerType)
    width = element_width(element)
    return I32 if width < 32 or (width == 32 and element.signedness != "u") else I64


# --- scatter ----------------------------------------------------------------------------------------------------------


@localizes("stablehlo.scatter")
def _scatter(site: Site) -> list[Sharded]:
    op = site.op
    numbers = op.properties.get("scatter_dimension_numbers")
    rule = site.rule()
    if rule is None or not isinstance(numbers, ScatterDimensionNumbers):
        return site.fall_back()
    count = len(op.results)
    kind = _kind_of(site)
    unindexed = [dim for dim in numbers.inserted_window_dims if dim not in numbers.scatter_dims_to_operand_dims]
    whole = [factor for dim in unindexed for factor in rule.operand_mappings[0][dim]]
    strategy = site.strategy(rule, replicated=whole, reduction=kind, work=BYTES_PER_ELEMENT)
    if strategy is None:
        return site.fall_back()
    operands = list(map(site.reshard, site.operands, strategy.operands))
    inputs, indices, updates = operands[:count], operands[count], operands[count + 1 :]
    terms = strategy.results[0].unreduced
    properties = op.properties
    builder, mesh = site.builder, strategy.mesh
    if terms:
        assert kind is not None and mesh is not None
        inputs = [
            _counted_once(site, value, index, kind, Layout(mesh, layout.dims, terms, kind))
            for index, (value, layout) in enumerate(zip(inputs, strategy.results, strict=True))
        ]
        updates = [site.mask(value, _neutral(kind, value)) for value in updates]
        properties = properties.with_("unique_indices", IntegerAttr(0, I1))
        properties = properties.with_("indices_are_sorted", IntegerAttr(0, I1))
    owned = [
        dim
        for dim in numbers.inserted_window_dims
        if inputs[0].layout.dims[dim] and dim in numbers.scatter_dims_to_operand_dims
    ]
    if owned:
        assert mesh is not None
        places = _Places(builder, indices.value, numbers.scatter_dims_to_operand_dims, numbers.index_vector_dim)
        places.move(mesh, inputs[0], owned)
        indices = Sharded(places.value, indices.type, indices.layout)
    return site.emit([*inputs, indices, *updates], strategy.results, properties)


def _kind_of(site: Site) -> str | None:
    """The reduction by which updates combine, if its terms may be spread over devices."""
    kind = reduction_kind(site.op.regions[0], len(site.op.results))
    if kind is None:
        return None
    known = all(
        neutral_elements(kind, TensorType((), operand.element)) is not None
        for operand in site.operands[: len(site.op.results)]
    )
    return kind if known else None


def _neutral(kind: str, sharded: Sharded) -> DenseElementsAttr:
    neutral = neutral_elements(kind, TensorType((), sharded.element))
    assert neutral is not None
    return neutral


def _counted_once(site: Site, value: Sharded, index: int, kind: str, layout: Layout) -> Sharded:
    """The input of one device along the axes of the terms; the others begin with nothing."""
    neutral = _neutral(kind, value)
    if is_neutral(site.op.operands[index], neutral) or _is_spread_neutral(site.op.operands[index], neutral):
        return value
    builder, mesh = site.builder, layout.mesh
    assert mesh is not None
    first = is_first(builder, mesh, layout.unreduced)
    nothing = builder.splat_of(DenseElementsAttr(tensor_type(value.value), neutral.data))
    return Sharded(builder.select(first, value.value, nothing), value.type, value.layout)


def _is_spread_neutral(value: Value, neutral: DenseElementsAttr) -> bool:
    producer = value.defining_op
    if producer is None or producer.name != "stablehlo.broadcast_in_dim":
        return False
    return is_neutral(producer.operands[0], neutral)
