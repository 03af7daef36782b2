"""Localizes operations that can be computed in any layout without communication: constants, iotas, and broadcast
scalars.

Each result gets a recipe, so that it is computed in another layout instead of resharded.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.emitting.builder import Builder, tensor_type
from pyshardy.emitting.coordinates import index_type, offset, own_shard
from pyshardy.emitting.layout import Layout, local_shape, local_type, replicated
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import ComplexType, FloatType, TensorType
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.rule_based import localize_by_rule
from pyshardy.partitioning.localizing.site import Site
from pyshardy.rules.properties import integer, integers

_Make = Callable[[Layout], Value]


class _ConstantRecipe:
    """Computes the only result of the operation at ``site`` in any layout; ``maker`` says how for operations of its
    kind."""

    __slots__ = ("_make", "_maker", "_site")

    def __init__(self, site: Site, maker: Callable[[Site], _Make]) -> None:
        self._site = site
        self._maker = maker
        self._make = maker(site)

    def __call__(self, layout: Layout) -> Sharded:
        type = self._site.op.results[0].type
        if layout.unreduced:
            reduced = layout.reduced()
            return self._site.resharder.reshard(Sharded(self._make(reduced), type, reduced), layout)
        return Sharded(self._make(layout), type, layout, self)

    def for_site(self, site: Site) -> _ConstantRecipe:
        """A copy of the recipe for an equal operation."""
        return _ConstantRecipe(site, self._maker)


def result_with_recipe(site: Site, maker: Callable[[Site], _Make]) -> list[Sharded]:
    """The only result of the operation, with the recipe that ``maker`` makes: a function that computes it in any layout
    without unreduced axes."""
    shape = getattr(site.op.results[0].type, "shape", ())
    return [_ConstantRecipe(site, maker)(site.requested_or(0, replicated(len(shape))))]


@localizes("stablehlo.constant", "sdy.constant", "chlo.constant")
def _constant(site: Site) -> list[Sharded]:
    if not isinstance(site.op.results[0].type, TensorType) or site.op.properties.get("value") is None:
        return site.fall_back()
    return result_with_recipe(site, _constant_maker)


def _constant_maker(site: Site) -> _Make:
    builder, value, type = site.builder, site.op.properties.get("value"), site.op.results[0].type
    assert isinstance(type, TensorType) and value is not None

    def make(layout: Layout) -> Value:
        if isinstance(value, DenseElementsAttr) and value.is_splat:
            local = local_type(type, layout)
            assert isinstance(local, TensorType)
            return builder.splat_of(DenseElementsAttr(local, value.data))
        whole = builder.cached(value, lambda: builder.emit("constant", (), type, {"value": value}))
        return local_part(builder, whole, layout)

    return make


def local_part(builder: Builder, whole: Value, layout: Layout) -> Value:
    """The running device's shard of a tensor that it holds whole."""
    mesh = layout.mesh
    if mesh is None:
        return whole
    shape = tensor_type(whole).shape
    local = local_shape(shape, layout)
    grown = builder.resize(whole, [size * count for size, count in zip(local, layout.counts, strict=True)])
    return own_shard(builder, grown, mesh, layout.dims, local)


@localizes("chlo.constant_like")
def _constant_like(site: Site) -> list[Sharded]:
    type = site.op.results[0].type
    if not isinstance(type, TensorType) or any(size < 0 for size in type.shape):
        return localize_by_rule(site)
    return result_with_recipe(site, _constant_like_maker)


def _constant_like_maker(site: Site) -> _Make:
    builder, type, value = site.builder, site.op.results[0].type, site.op.properties.get("value")
    assert isinstance(type, TensorType) and value is not None
    scalar = TensorType((), type.element)

    def make(layout: Layout) -> Value:
        with builder.at_function_start():
            like = builder.scalar(0, type.element)
            one = builder.cached(
                (value, scalar), lambda: builder.create(site.op.name, [like], [scalar], site.op.properties).results[0]
            )
        return builder.broadcast(one, local_shape(type.shape, layout))

    return make


@localizes("stablehlo.iota")
def _iota(site: Site) -> list[Sharded]:
    return result_with_recipe(site, _iota_maker)


def _iota_maker(site: Site) -> _Make:
    builder, dim = site.builder, integer(site.op, "iota_dimension", 0)
    type = site.op.results[0].type
    assert isinstance(type, TensorType)

    def make(layout: Layout) -> Value:
        local = local_type(type, layout)
        assert isinstance(local, TensorType)
        if layout.counts[dim] == 1:
            return builder.iota(local, dim)
        mesh = layout.mesh
        assert mesh is not None
        # Floats may not hold every offset exactly, so indices are added as integers and converted afterwards.
        is_float = isinstance(type.element, ComplexType | FloatType)
        element = index_type(type.shape[dim]) if is_float else type.element
        size = local.shape[dim]
        begin = builder.convert(offset(builder, mesh, layout.dims[dim], size), element)
        numbers = builder.iota(TensorType((size,), element), 0)
        numbers = builder.binary("add", numbers, builder.broadcast(begin, (size,)))
        return builder.broadcast(builder.convert(numbers, type.element), local.shape, (dim,))

    return make


@localizes("stablehlo.broadcast_in_dim")
def _broadcast_in_dim(site: Site) -> list[Sharded]:
    operand = site.operands[0]
    if operand.recipe is None and operand.shape:
        return localize_by_rule(site)
    return result_with_recipe(site, _broadcast_maker)


def _broadcast_maker(site: Site) -> _Make:
    operand, builder, type = site.operands[0], site.builder, site.op.results[0].type
    assert isinstance(type, TensorType)
    targets = integers(site.op, "broadcast_dimensions")

    def make(layout: Layout) -> Value:
        if not targets:
            return builder.broadcast(site.replicate(operand).value, local_shape(type.shape, layout))
        spread = [
            () if size == 1 and type.shape[target] != 1 else layout.dims[target]
            for size, target in zip(operand.shape, targets, strict=True)
        ]
        source = site.reshard(operand, Layout(layout.mesh, spread))
        return builder.broadcast(source.value, local_shape(type.shape, layout), targets)

    return make
