"""Rules of the products of two tensors other than convolutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.dialects.stablehlo.attributes import PRECISION, DotDimensionNumbers
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import bounds_of, dims_agree, meet, shapes_agree, sizes_text
from pyshardy.dialects.stablehlo.verification.rules import Rule, Rules, infers, tensor, typed
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.attributes import ArrayAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType


def check_precisions(op: Operation) -> None:
    """There are at most two precisions, one an operand."""
    precisions = op.properties.entries.get("precision_config")
    if isinstance(precisions, ArrayAttr) and len(precisions) > 2:
        raise Wrong(f"expects precision config to be empty or have <= 2 elements, got {len(precisions)}")


def inferred_shape(infer: Callable[[Operation], Sequence[int]]) -> Rule:
    """The result has the shape that ``infer`` finds."""

    @infers(lambda op: [TensorType(tuple(infer(op)), tensor(op.results[0]).element)])
    def check(op: Operation) -> None:
        expected, found = infer(op), tensor(op.results[0])
        if not shapes_agree(expected, found.shape):
            raise Wrong(
                f"inferred shape '[{sizes_text(expected)}]' is incompatible with return type of operation '{found}'"
            )

    return check


def _dot(op: Operation) -> Sequence[int]:
    lhs, rhs = (tensor(value).shape for value in op.operands)
    if len(lhs) not in (1, 2) or len(rhs) not in (1, 2) or not dims_agree(lhs[-1], rhs[0]):
        raise Wrong("expected both lhs/rhs ranks to be either 1 or 2")
    return (*lhs[:-1], *rhs[1:])


def _dot_general(op: Operation) -> Sequence[int]:
    check_precisions(op)
    numbers = op.properties.entries["dot_dimension_numbers"]
    assert isinstance(numbers, DotDimensionNumbers)
    lhs, rhs = (tensor(value).shape for value in op.operands)
    if len(numbers.lhs_batching) != len(numbers.rhs_batching):
        raise Wrong("lhs and rhs should have the same number of batching dimensions")
    if len(numbers.lhs_contracting) != len(numbers.rhs_contracting):
        raise Wrong("lhs and rhs should have the same number of contracting dimensions")
    _check_distinct("lhs", numbers.lhs_batching, numbers.lhs_contracting)
    _check_distinct("rhs", numbers.rhs_batching, numbers.rhs_contracting)
    _check_range("lhs_batching", numbers.lhs_batching, len(lhs))
    _check_range("lhs_contracting", numbers.lhs_contracting, len(lhs))
    _check_range("rhs_batching", numbers.rhs_batching, len(rhs))
    _check_range("rhs_contracting", numbers.rhs_contracting, len(rhs))
    for what, pairs in (
        ("batching", zip(numbers.lhs_batching, numbers.rhs_batching, strict=True)),
        ("contracting", zip(numbers.lhs_contracting, numbers.rhs_contracting, strict=True)),
    ):
        if not all(dims_agree(lhs[left], rhs[right]) for left, right in pairs):
            raise Wrong(f"{what} dimension sizes must match for lhs/rhs")
    batch = [
        meet(index, lhs[left], _bound(op.operands[0], left), rhs[right], _bound(op.operands[1], right))[0]
        for index, (left, right) in enumerate(zip(numbers.lhs_batching, numbers.rhs_batching, strict=True))
    ]
    left_out = {*numbers.lhs_batching, *numbers.lhs_contracting}
    right_out = {*numbers.rhs_batching, *numbers.rhs_contracting}
    return (
        *batch,
        *(size for dim, size in enumerate(lhs) if dim not in left_out),
        *(size for dim, size in enumerate(rhs) if dim not in right_out),
    )


def _bound(value: Value, dim: int) -> int | None:
    bounds = bounds_of(value.type)
    return bounds[dim] if bounds else None


def _check_distinct(side: str, batching: Sequence[int], contracting: Sequence[int]) -> None:
    seen: set[int] = set()
    for dim in (*batching, *contracting):
        if dim in seen:
            raise Wrong(
                f"has duplicated dimension from {side}_batching_dimensions and {side}_contracting_dimensions: {dim}"
            )
        seen.add(dim)


def _check_range(name: str, dims: Sequence[int], rank: int) -> None:
    for dim in dims:
        if not 0 <= dim < rank:
            raise Wrong(f"{name}_dimensions value: {dim} is out of range: [0, {rank})")


def _check_algorithm(op: Operation) -> None:
    precisions = op.properties.entries.get("precision_config")
    if op.properties.entries.get("algorithm") is None or not isinstance(precisions, ArrayAttr):
        return
    if any(precision is not PRECISION.of("DEFAULT") for precision in precisions):
        raise Wrong("must specify DEFAULT precision config when algorithm is set.")


_FREE = (typed([kinds.TENSOR, kinds.TENSOR], [kinds.TENSOR]),)
_PRODUCT = typed([kinds.TENSOR, kinds.TENSOR_OR_BY_AXIS], [kinds.TENSOR_OR_BY_AXIS])

RULES: Rules = {
    "dot": (_PRODUCT, check_precisions, inferred_shape(_dot)),
    "dot_general": (_PRODUCT, inferred_shape(_dot_general), _check_algorithm),
    "einsum": _FREE,
    "unary_einsum": (typed([kinds.TENSOR], [kinds.TENSOR]),),
}
