"""Keeps sums over devices unreduced through operations that are linear, where the program wants it so.

Where operands are terms of a sum and the result should be, too, an operation that distributes over the sum works on the
terms as they are; operands that are whole become terms of which all but one are zero. All other operations get their
operands reduced.
"""

from __future__ import annotations

from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.emitting.reducers import is_neutral, reduction_kind
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import LINEAR
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I1, FloatType, IntegerType, TensorType, Type
from pyshardy.partitioning.localizing.site import Site
from pyshardy.sharding.axes import overlaps

_TOGETHER: dict[str, tuple[int, ...]] = {
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
"""Operations that are linear in these operands taken together, of those that ``LINEAR`` does not say it of."""

_ONE_OF = frozenset(
    ("stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general", "stablehlo.einsum", "stablehlo.multiply")
)
"""Operations that are linear in each operand while the others stay."""


def kept_partial_sums(site: Site) -> list[Sharded] | None:
    """The result of a linear operation as terms of a sum, if its operands are and it should be; None otherwise."""
    wanted = site.wanted[0] if len(site.wanted) == 1 else None
    if wanted is None or not wanted.unreduced or wanted.reduction != "sum":
        return None
    linear = _linear_operands(site)
    if not linear or not _is_exact(site.op):
        return None
    axes = wanted.unreduced
    operands = []
    for index, operand in enumerate(site.operands):
        dims = [
            [axis for axis in listed if not any(overlaps(axis, term) for term in axes)]
            for listed in operand.layout.dims
        ]
        if index not in linear:
            operands.append(site.reshard(operand, Layout(operand.layout.mesh, dims)))
            continue
        terms = site.reshard(operand, Layout(wanted.mesh, dims, axes))
        operands.append(Sharded(terms.value, terms.type, terms.layout.reduced()))
    (result,) = site.run.localized(site.op, operands, [wanted.reduced()])
    layout = Layout(wanted.mesh, result.layout.dims, [*result.layout.unreduced, *axes])
    return [site.result(0, result.value, layout)]


def _linear_operands(site: Site) -> tuple[int, ...]:
    """The operands that become terms; none if no operand is."""
    op = site.op
    with_terms = [
        index
        for index, operand in enumerate(site.operands)
        if operand.layout.unreduced and operand.layout.reduction == "sum"
    ]
    if op.name in _ONE_OF:
        return tuple(with_terms[:1])
    in_all = op.traits & LINEAR or op.name == "stablehlo.concatenate"
    together = tuple(range(len(op.operands))) if in_all else _TOGETHER.get(op.name, ())
    return together if any(index in together for index in with_terms) else ()


def _is_exact(op: Operation) -> bool:
    """Whether the operation distributes over sums: a division of integers does not, nor does a conversion that rounds,
    nor a reduction of any other kind."""
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
