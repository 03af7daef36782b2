"""Applies linear operations to partial sums, where the program requests an unreduced result.

If an operand is unreduced, and the result is requested unreduced over the same axes, an operation that is linear in the
operand works on the partial sums, and no collective is needed. Replicated operands become unreduced: all devices but
the first hold zeros. For all other operations the operands are reduced first.
"""

from __future__ import annotations

from pyshardy.emitting.layout import Layout
from pyshardy.emitting.reducers import is_neutral, reduction_kind
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import LINEAR
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I1, FloatType, IntegerType, TensorType, Type
from pyshardy.partitioning.localizing.site import Site
from pyshardy.sharding.axes import excludes

_JOINTLY_LINEAR: dict[str, tuple[int, ...]] = {
    "stablehlo.broadcast": (0,),
    "stablehlo.broadcast_in_dim": (0,),
    "stablehlo.complex": (0, 1),
    "stablehlo.convert": (0,),
    "stablehlo.divide": (0,),
    "stablehlo.dynamic_slice": (0,),
    "stablehlo.dynamic_update_slice": (0, 1),
    "stablehlo.gather": (0,),
    "stablehlo.imag": (0,),
    "stablehlo.pad": (0, 1),
    "stablehlo.real": (0,),
    "stablehlo.reduce": (0,),
    "stablehlo.select": (1, 2),
}
"""Operations that are linear in these operands taken together, besides those with the trait ``LINEAR``."""

_LINEAR_IN_EACH = frozenset(
    ("stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general", "stablehlo.einsum", "stablehlo.multiply")
)
"""Operations that are linear in each operand if the others are fixed."""


def kept_unreduced(site: Site) -> list[Sharded] | None:
    """The unreduced result of a linear operation on partial sums; None if the operation is not linear, no operand is
    unreduced, or the result is not requested so."""
    requested = site.requested[0] if len(site.requested) == 1 else None
    if requested is None or not requested.unreduced or requested.reduction != "sum":
        return None
    linear = _linear_operands(site)
    if not linear or not _is_exact(site.op):
        return None
    axes = requested.unreduced
    operands = []
    for index, operand in enumerate(site.operands):
        dims = [
            [axis for axis in listed if not any(excludes(axis, term) for term in axes)]
            for listed in operand.layout.dims
        ]
        if index not in linear:
            operands.append(site.reshard(operand, Layout(operand.layout.mesh, dims)))
            continue
        partial_sums = site.reshard(operand, Layout(requested.mesh, dims, axes))
        operands.append(Sharded(partial_sums.value, partial_sums.type, partial_sums.layout.reduced()))
    (result,) = site.run.localized(site.op, operands, [requested.reduced()])
    layout = Layout(requested.mesh, result.layout.dims, [*result.layout.unreduced, *axes])
    return [site.result(0, result.value, layout)]


def _linear_operands(site: Site) -> tuple[int, ...]:
    """The operands that have to be unreduced; none if no operand is."""
    op = site.op
    unreduced = [
        index
        for index, operand in enumerate(site.operands)
        if operand.layout.unreduced and operand.layout.reduction == "sum"
    ]
    if op.name in _LINEAR_IN_EACH:
        return tuple(unreduced[:1])
    in_all = op.traits & LINEAR or op.name == "stablehlo.concatenate"
    jointly = tuple(range(len(op.operands))) if in_all else _JOINTLY_LINEAR.get(op.name, ())
    return jointly if any(index in jointly for index in unreduced) else ()


def _is_exact(op: Operation) -> bool:
    """Whether the operation distributes over sums: a division of integers does not, nor does a conversion that rounds,
    nor a reduction other than a sum."""
    target = _element(op.results[0])
    if target is I1:
        return False
    if op.name == "stablehlo.convert":
        source = _element(op.operands[0])
        return isinstance(source, FloatType) and isinstance(target, FloatType) and source.width <= target.width
    if op.name == "stablehlo.divide":
        return not isinstance(target, IntegerType)
    if op.name == "stablehlo.reduce":
        assert target is not None
        zero = DenseElementsAttr.splat_of(TensorType((), target), 0)
        return reduction_kind(op.regions[0]) == "sum" and is_neutral(op.operands[1], zero)
    return True


def _element(value: Value) -> Type | None:
    return value.type.element if isinstance(value.type, TensorType) else None
