"""Rules of ``scatter``."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.attributes import ScatterDimensionNumbers
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import all_shapes_agree, dims_agree, raw_text
from pyshardy.dialects.stablehlo.verification.gathering import check_distinct, check_range, check_sorted
from pyshardy.dialects.stablehlo.verification.reducers import check_reducer
from pyshardy.dialects.stablehlo.verification.rules import Many, Rules, inferred, one_block, tensor, typed
from pyshardy.dialects.stablehlo.verification.type_constraints import TypeConstraint
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import DYNAMIC, TensorType, Type

_INDICES = kinds.ranked(kinds.ANY_INTEGER, kinds.INDEX)


def _groups(op: Operation) -> tuple[list[Value], Value, list[Value]]:
    """Inputs, indices, updates: both lists have half of the operands beside the indices."""
    count = (len(op.operands) - 1) // 2
    return op.operands[:count], op.operands[count], op.operands[count + 1 : 2 * count + 1]


def _check_types(op: Operation) -> None:
    count = (len(op.operands) - 1) // 2
    slots: list[TypeConstraint | Many] = [*[Many(kinds.TENSOR)] * count, _INDICES, *[Many(kinds.TENSOR)] * count]
    for index, slot in enumerate(slots):
        words, constraint = ("variadic of ", slot.constraint) if isinstance(slot, Many) else ("", slot)
        type = op.operands[index].type
        if not constraint.accepts(type):
            raise Wrong(f"operand #{index} must be {words}{constraint.summary}, but got '{type}'", named=True)


def _check_body(op: Operation) -> list[TensorType]:
    values, _, changes = _groups(op)
    inputs, updates = list(map(tensor, values)), list(map(tensor, changes))
    initial = [TensorType((), one.element) for one in updates]
    return check_reducer(op.regions[0].blocks[0], inputs, initial)


def _scattered(op: Operation) -> list[Type]:
    inputs, accumulators = map(tensor, _groups(op)[0]), _check_body(op)
    return [
        TensorType(one.shape, accumulator.element, one.encoding)
        for one, accumulator in zip(inputs, accumulators, strict=True)
    ]


def _check_scatter(op: Operation) -> None:
    values, places, changes = _groups(op)
    inputs, updates = list(map(tensor, values)), list(map(tensor, changes))
    if not all_shapes_agree(inputs):
        raise Wrong("Not all inputs have compatible shapes.")
    if not all_shapes_agree(updates):
        raise Wrong("Not all updates have compatible shapes.")
    _check_body(op)
    if not inputs:
        return
    numbers = op.properties.entries["scatter_dimension_numbers"]
    assert isinstance(numbers, ScatterDimensionNumbers)
    indices = list(tensor(places).shape)
    vector = numbers.index_vector_dim
    _check_ranks(numbers, len(inputs[0].shape), len(indices), len(updates[0].shape))
    if vector == len(indices):
        indices.append(1)
    _check_dimensions(numbers, inputs[0].shape, indices, len(updates[0].shape))
    for update in updates:
        _check_update(numbers, inputs[0].shape, indices, update.shape)


def _check_ranks(numbers: ScatterDimensionNumbers, rank: int, indices: int, updates: int) -> None:
    vector = numbers.index_vector_dim
    if not 0 <= vector <= indices:
        raise Wrong(
            f"Expects index_vector_dim to be in range [0, rank-of('scatter_indices')] i.e. [0, {indices}]. got: "
            f"{vector}."
        )
    expected = indices - (vector < indices) + len(numbers.update_window_dims)
    if expected != updates:
        raise Wrong(
            f"expects updates tensor must be of rank {expected} ( == rank-of('scatter_indices') - 1 + "
            "size-of('update_window_dims'), where 'scatter_indices' is expanded by a trailing 1 dimension if "
            f"'index_vector_dim' == rank-of('scatter_indices')), but got {updates}."
        )
    expected = len(numbers.update_window_dims) + len(numbers.inserted_window_dims) + len(numbers.input_batching_dims)
    if expected != rank:
        raise Wrong(
            "Expects rank-of operand to match size-of('update_window_dims') + size-of('inserted_window_dims') + "
            f"size-of('input_batching_dims') i.e. {expected} but got {rank}."
        )


def _check_list(name: str, dims: Sequence[int]) -> None:
    check_sorted(name, dims, start="Expects", colon=";", end=".")


def _check_dimensions(
    numbers: ScatterDimensionNumbers, operand: Sequence[int], indices: Sequence[int], updates: int
) -> None:
    inserted, batching = numbers.inserted_window_dims, numbers.input_batching_dims
    mapped, places = numbers.scatter_dims_to_operand_dims, numbers.scatter_indices_batching_dims
    vector = numbers.index_vector_dim
    _check_list("update_window_dims", numbers.update_window_dims)
    check_range("update_window_dims", numbers.update_window_dims, updates, "rank-of('updates')")
    check_distinct("inserted_window_dims", "input_batching_dims", (*inserted, *batching))
    _check_list("inserted_window_dims", inserted)
    check_range("inserted_window_dims", inserted, len(operand), "rank-of('operand')")
    _check_list("input_batching_dims", batching)
    check_range("input_batching_dims", batching, len(operand), "rank-of('operand')")
    if len(set(places)) != len(places):
        raise Wrong(f"Expects scatter_indices_batching_dims to not repeat; got: [{raw_text(places)}].")
    rank = len(indices)
    check_range("scatter_indices_batching_dims", places, rank, "rank-of('scatter_indices')")
    if vector in places:
        raise Wrong(f"expects scatter_indices_batching_dims not to include index_vector_dim {vector}.")
    if len(batching) != len(places):
        raise Wrong("input_batching_dims and scatter_indices_batching_dims should have the same size.")
    for index, (left, right) in enumerate(zip(batching, places, strict=True)):
        if not dims_agree(operand[left], indices[right]):
            raise Wrong(
                f"input_batching_dims[{index}] and scatter_indices_batching_dims[{index}] must have compatible "
                f"sizes, but got {operand[left]} and {indices[right]}."
            )
    if not dims_agree(indices[vector], len(mapped)):
        raise Wrong(
            f"Scatter op has {len(mapped)} elements in scatter_dims_to_operand_dims and the bound of dimension "
            f"index_vector_dim={vector} of scatter_indices is {indices[vector]}. These two numbers must be equal."
        )
    check_distinct("scatter_dims_to_operand_dims", "input_batching_dims", (*mapped, *batching))
    check_range("scatter_dims_to_operand_dims", mapped, len(operand), "rank-of('operand')")


def _check_update(
    numbers: ScatterDimensionNumbers, operand: Sequence[int], indices: Sequence[int], update: Sequence[int]
) -> None:
    bounds = [operand[dim] for dim in numbers.window_dims(len(operand))]
    for dim, bound in zip(numbers.update_window_dims, bounds, strict=False):
        if DYNAMIC not in (bound, update[dim]) and update[dim] > bound:
            raise Wrong(
                "expects bounds of the window dimensions of updates to not exceed the bounds of the corresponding "
                f"dimensions of operand. For dimension {dim}, updates bound is {update[dim]}, operand bound is {bound}."
            )
    sizes = [size for dim, size in enumerate(indices) if dim != numbers.index_vector_dim]
    places = [dim for dim in range(len(update)) if dim not in numbers.update_window_dims]
    for dim, size in zip(places, sizes, strict=True):
        if not dims_agree(update[dim], size):
            raise Wrong(
                "expects bounds of the scatter dimensions of updates to be same as the bounds of the corresponding "
                f"dimensions of scatter indices. For scatter dimension {dim}, updates bound is {update[dim]} , "
                f"scatter_indices bound is {size}."
            )


RULES: Rules = {
    "scatter": (
        _check_types,
        typed([], [Many(kinds.TENSOR)]),
        one_block("update_computation"),
        _check_scatter,
        inferred(_scattered),
    ),
}
