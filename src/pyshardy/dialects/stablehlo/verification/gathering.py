"""Rules of the operations that collect slices from computed places."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import bounded, bounds_of, dims_agree, raw_text
from pyshardy.dialects.stablehlo.verification.constant_operands import constant_integers
from pyshardy.dialects.stablehlo.verification.rules import (
    Rules,
    inferred,
    integers,
    same_element_type,
    tensor,
    typed,
)
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, Type


def check_sorted(name: str, dims: Sequence[int], *, start: str = "expects", colon: str = ",", end: str = "") -> None:
    """``dims`` are in order and do not repeat; the last arguments are the punctuation of the message."""
    listed = f"got: [{raw_text(dims)}]{end}"
    if list(dims) != sorted(dims):
        raise Wrong(f"{start} {name} to be sorted{colon} {listed}")
    if len(set(dims)) != len(dims):
        raise Wrong(f"{start} {name} to not repeat{colon} {listed}")


def check_distinct(one: str, other: str, dims: Sequence[int]) -> None:
    """``dims``, those called ``one`` and then those called ``other``, do not repeat."""
    seen: set[int] = set()
    for dim in dims:
        if dim in seen:
            raise Wrong(f"has duplicated dimension from {one} and {other}: {dim}")
        seen.add(dim)


def check_range(name: str, dims: Sequence[int], limit: int, words: str) -> None:
    """Each of ``dims`` is at least 0 and below ``limit``, which messages call ``words``."""
    for dim in dims:
        if not 0 <= dim < limit:
            raise Wrong(f"Expects each element of {name} to be in range [0, {words}) i.e. [0, {limit}). got: {dim}.")


def _check_gather(op: Operation) -> None:
    numbers = _numbers(op)
    operand, indices = tensor(op.operands[0]).shape, tensor(op.operands[1]).shape
    offset, collapsed, batching = numbers.offset_dims, numbers.collapsed_slice_dims, numbers.operand_batching_dims
    if len(offset) + len(collapsed) + len(batching) != len(operand):
        raise Wrong(
            f"offset_dims size ({len(offset)}) plus collapse_slice_dims size ({len(collapsed)}) plus "
            f"operand_batching_dims size ({len(batching)}) is not equal to operand rank ({len(operand)})"
        )
    vector, rank = numbers.index_vector_dim, len(indices)
    if not 0 <= vector <= rank:
        raise Wrong(
            f"Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, {rank}]. got: {vector}."
        )
    size, mapped = 1 if vector == rank else indices[vector], numbers.start_index_map
    if not dims_agree(size, len(mapped)):
        raise Wrong(
            f"start_index_map size ({len(mapped)}) is not equal to size of index dimension ({vector}) of "
            f"start_indices ({size})"
        )
    check_sorted("offset_dims", offset)
    check_distinct("collapsed_slice_dims", "operand_batching_dims", (*collapsed, *batching))
    check_sorted("collapsed_slice_dims", collapsed)
    check_range("collapsed_slice_dims", collapsed, len(operand), "rank-of('operand')")
    check_sorted("operand_batching_dims", batching)
    check_range("operand_batching_dims", batching, len(operand), "rank-of('operand')")
    places = numbers.start_indices_batching_dims
    if len(set(places)) != len(places):
        raise Wrong(f"expects start_indices_batching_dims to not repeat, got: [{raw_text(places)}]")
    check_range("start_indices_batching_dims", places, rank, "rank-of('start_indices')")
    if vector in places:
        raise Wrong(f"expects start_indices_batching_dims not to include index_vector_dim {vector}")
    check_distinct("start_index_map", "operand_batching_dims", (*mapped, *batching))
    check_range("start_index_map", mapped, len(operand), "rank-of('operand')")
    if len(batching) != len(places):
        raise Wrong("operand_batching_dims and start_indices_batching_dims should have the same size")
    for index, (left, right) in enumerate(zip(batching, places, strict=True)):
        if not dims_agree(operand[left], indices[right]):
            raise Wrong(
                f"operand_batching_dims[{index}] and start_indices_batching_dims[{index}] must have compatible "
                f"sizes, but got {operand[left]} and {indices[right]}"
            )


def _numbers(op: Operation) -> GatherDimensionNumbers:
    numbers = op.properties.entries["dimension_numbers"]
    assert isinstance(numbers, GatherDimensionNumbers)
    return numbers


def _gathered(op: Operation, sizes: Sequence[int]) -> list[Type]:
    """The result for slices of these ``sizes`` (dynamic where they are not known)."""
    numbers, operand, indices = _numbers(op), tensor(op.operands[0]), tensor(op.operands[1])
    batch = [dim for dim in range(indices.rank) if dim != numbers.index_vector_dim]
    rank = len(numbers.offset_dims) + len(batch)
    check_range("offset_dims", numbers.offset_dims, rank, "implied-result-rank")
    inner = iter([sizes[dim] for dim in numbers.window_dims(len(sizes))])
    outer, bounds = iter(batch), bounds_of(indices)
    shape: list[int] = []
    limits: list[int | None] = []
    for dim in range(rank):
        if dim in numbers.offset_dims:
            shape.append(next(inner, DYNAMIC))
            limits.append(None)
        else:
            source = next(outer)
            shape.append(indices.shape[source])
            limits.append(bounds[source] if bounds else None)
    return [bounded(shape, operand.element, limits)]


def _gather(op: Operation) -> list[Type]:
    _check_gather(op)
    numbers, operand, sizes = _numbers(op), tensor(op.operands[0]), integers(op, "slice_sizes")
    if len(sizes) != operand.rank:
        raise Wrong(f"slice_sizes size ({len(sizes)}) not equal to operand rank ({operand.rank})")
    _check_single("collapsed_slice_dims", numbers.collapsed_slice_dims, sizes)
    _check_single("operand_batching_dims", numbers.operand_batching_dims, sizes)
    for index, (size, most) in enumerate(zip(sizes, operand.shape, strict=True)):
        if most != DYNAMIC and not 0 <= size <= most:
            raise Wrong(f"slice size ({size}) is out of bounds for operand dimension ({most}) at index {index}")
    return _gathered(op, sizes)


def _check_single(name: str, dims: Sequence[int], sizes: Sequence[int]) -> None:
    for dim in dims:
        if sizes[dim] > 1:
            raise Wrong(f"Expects that for each dim in {name}, slice_sizes[dim] should be <= 1, but got {sizes[dim]}")


def _dynamic_gather(op: Operation) -> list[Type]:
    _check_gather(op)
    rank, count = tensor(op.operands[0]).rank, tensor(op.operands[2]).shape[0]
    if count != rank:
        raise Wrong(f"slice_sizes size ({count}) not equal to operand rank ({rank})")
    sizes = constant_integers(op.operands[2])
    if sizes is not None:
        _check_single("collapsed_slice_dims", _numbers(op).collapsed_slice_dims, sizes)
    return _gathered(op, [DYNAMIC] * rank if sizes is None else sizes)


_SIZES = kinds.static_of_rank(1, "integer ", kinds.INTEGER)

RULES: Rules = {
    "dynamic_gather": (
        typed([kinds.TENSOR, kinds.INTEGERS, _SIZES], [kinds.TENSOR]),
        inferred(_dynamic_gather),
    ),
    "gather": (
        typed([kinds.TENSOR, kinds.INTEGERS], [kinds.TENSOR]),
        same_element_type("operand, result", lambda op: (op.operands[0], op.results[0])),
        inferred(_gather),
    ),
    "torch_index_select": (typed([kinds.TENSOR, kinds.TENSOR], [kinds.TENSOR]),),
}
