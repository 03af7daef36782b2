"""Rules of the operations that exchange values between devices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pyshardy.dialects.stablehlo.attributes import ChannelHandle
from pyshardy.dialects.stablehlo.collective_root import data_operands, has_dynamic_root
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import (
    bounded,
    bounds_of,
    dims_agree,
    element_of,
    shapes_agree,
)
from pyshardy.dialects.stablehlo.verification.reducers import check_reducer
from pyshardy.dialects.stablehlo.verification.rules import (
    Many,
    Rules,
    compatible_types,
    elements,
    inferred,
    integer,
    one_block,
    operand_types,
    same_count,
    same_elements,
    tensor,
    typed,
)
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, IntegerType, TensorType, Type

# --- replica groups and channels --------------------------------------------------------------------------------------


def _check_groups(op: Operation, *, ragged: bool = False, group_size: int | None = None) -> None:
    """The groups name each replica once; ``ragged`` ones may be filled up with -1."""
    groups = elements(op, "replica_groups")
    wrong = _wrong_groups(groups, ragged, group_size, _is_global(op)) if groups is not None else None
    if wrong is not None:
        raise Wrong(wrong)


@lru_cache(maxsize=1 << 8)
def _wrong_groups(groups: DenseElementsAttr, ragged: bool, group_size: int | None, is_global: bool) -> str | None:
    """What is wrong with replica groups; None if nothing is."""
    if len(groups.type.shape) != 2:
        return "replica groups should be a rank 2 tensor"
    if is_global and not groups.num_elements:
        return "if `use_global_device_ids` is set, the replica groups cannot be empty"
    seen: set[int] = set()
    for replica in groups.integers():
        if replica == -1:
            if not ragged:
                return f"Invalid replica id {replica}"
            continue
        if replica in seen:
            return f"replica id #{replica} seen more than once"
        seen.add(replica)
    for replica in range(len(seen)):
        if replica not in seen:
            return f"replica id #{replica} not seen in replica groups"
    if group_size is not None and groups.type.shape[1] != group_size:
        return f"group size of replica_groups must be {group_size}"
    return None


def _is_global(op: Operation) -> bool:
    return "use_global_device_ids" in op.properties.entries


def _channel(op: Operation) -> int:
    channel = op.properties.entries.get("channel_handle")
    return channel.handle if isinstance(channel, ChannelHandle) else 0


def _check_channel(op: Operation) -> None:
    if _is_global(op) and _channel(op) <= 0:
        raise Wrong(f"channel_id must be positive when useGlobalDeviceIds is set but got: {_channel(op)}")


# --- pairs of operands and results ------------------------------------------------------------------------------------


def _same_element_pairs(op: Operation) -> None:
    for index, (operand, result) in enumerate(zip(op.operands, op.results, strict=True)):
        if element_of(operand.type) is not element_of(result.type):
            raise Wrong(f"requires the same element type for operand and result at index {index}", named=True)


# --- all_gather, all_to_all -------------------------------------------------------------------------------------------


def _check_all_gather(op: Operation) -> None:
    _check_groups(op)
    if _is_global(op) and _channel(op) < 0:
        raise Wrong("channel_id cannot be negative when useGlobalDeviceIds is set")
    dim = integer(op, "all_gather_dim")
    for operand, result in zip(map(tensor, op.operands), map(tensor, op.results), strict=True):
        if dim >= operand.rank:
            raise Wrong("all_gather_dim must be a valid index of operand")
        if operand.rank != result.rank:
            raise Wrong("operand and result must have the same rank")
        pairs = enumerate(zip(operand.shape, result.shape, strict=True))
        if not all(index == dim or dims_agree(*sizes) for index, sizes in pairs):
            raise Wrong(
                "operand and result should have the same shape except for the dimension size at 'all_gather_dim'"
            )
        size, gathered = operand.shape[dim], result.shape[dim]
        if not size:
            raise Wrong("dimension size of operand at 'all_gather_dim' cannot be zero")
        if DYNAMIC not in (size, gathered) and gathered % size:
            raise Wrong(
                f"result gather dimension has size {gathered}, expected to be a multiple of operand gather dimension "
                f"size {size}"
            )


def _exchanged(op: Operation) -> list[Type]:
    split, joined = integer(op, "split_dimension"), integer(op, "concat_dimension")
    count = integer(op, "split_count")
    _check_groups(op, group_size=count)
    return [_exchanged_type(tensor(value), split, joined, count) for value in op.operands]


def _exchanged_type(operand: TensorType, split: int, joined: int, count: int) -> Type:
    if split >= operand.rank:
        raise Wrong(f"AllToAll split_dimension {split} is out-of-bounds for input rank {operand.rank}")
    if joined >= operand.rank:
        raise Wrong(f"AllToAll concat_dimension {joined} is out-of-bounds for input rank {operand.rank}")
    size = operand.shape[split]
    if size != DYNAMIC and size % count:
        raise Wrong(f"split dimension has size {size}, expected to be a multiple of split_count {count}")
    shape, bounds = list(operand.shape), list(bounds_of(operand)) or [None] * operand.rank
    if size != DYNAMIC:
        shape[split] //= count
    if shape[joined] != DYNAMIC:
        shape[joined] *= count
    bounds[split] = _scaled(bounds[split], 1, count)
    bounds[joined] = _scaled(bounds[joined], count, 1)
    return bounded(shape, operand.element, bounds)


def _scaled(bound: int | None, factor: int, divisor: int) -> int | None:
    return None if bound is None else bound * factor // divisor


# --- reductions -------------------------------------------------------------------------------------------------------


def _scalars(types: Sequence[TensorType]) -> list[TensorType]:
    return [TensorType((), type.element) for type in types]


def _accumulator(op: Operation) -> TensorType:
    scalars = _scalars([tensor(value) for value in op.operands[:1]])
    (accumulator,) = check_reducer(op.regions[0].blocks[0], scalars, scalars)
    return accumulator


def _check_all_reduce(op: Operation) -> None:
    _check_groups(op, ragged=True)
    _check_channel(op)
    for value in op.operands:
        scalars = _scalars([tensor(value)])
        check_reducer(op.regions[0].blocks[0], scalars, scalars)


def _all_reduced(op: Operation) -> list[Type]:
    if not op.operands:
        return []
    element = _accumulator(op).element
    return [TensorType(type.shape, element) for type in map(tensor, op.operands)]


def _check_reduce_scatter(op: Operation) -> None:
    _check_groups(op)
    _check_channel(op)
    accumulator = _accumulator(op)
    operand, result, dim = tensor(op.operands[0]), tensor(op.results[0]), integer(op, "scatter_dimension")
    if operand.rank != result.rank:
        raise Wrong("operand and result should have same rank")
    if dim >= operand.rank:
        raise Wrong("scatter dim should be less than operand/result rank")
    size, part = operand.shape[dim], result.shape[dim]
    if not size:
        raise Wrong("operand dimension size at scatter_dimension cannot be zero")
    if not part:
        raise Wrong("result dimension size at scatter_dimension cannot be zero")
    if DYNAMIC not in (size, part) and size % part:
        raise Wrong(
            f"operand scatter dimension has size {size}, expected to be a multiple of result scatter dimension size "
            f"{part}"
        )
    for index, sizes in enumerate(zip(operand.shape, result.shape, strict=True)):
        if index != dim and not dims_agree(*sizes):
            raise Wrong(f"non scatter dimensions should be same for operand ({sizes[0]}) and result ({sizes[1]})")
    if accumulator.element is not result.element:
        raise Wrong(f"result element-type is expected to be '{accumulator.element}', but got '{result.element}'")


# --- broadcasts and permutations --------------------------------------------------------------------------------------


def _check_counts(op: Operation) -> None:
    """A result for each operand but the roots, and at least one."""
    if not op.results:
        raise Wrong("requires one result", named=True)
    if not op.operands:
        raise Wrong("requires a single operand", named=True)
    data = data_operands(op)
    if len(data) != len(op.results):
        besides = " besides the roots" if has_dynamic_root(op) else ""
        raise Wrong(f"has {len(op.results)} results for {len(data)} operands{besides}", named=True)


def _check_values(op: Operation) -> None:
    data = data_operands(op)
    if len(op.operands) == 1:
        _ONE_TO_ONE(op)
        same_elements(op)
    else:
        _MANY(op)
    for index, (operand, result) in enumerate(zip(data, op.results, strict=True)):
        if element_of(operand.type) is not element_of(result.type):
            raise Wrong(f"requires the same element type for operand and result at index {index}", named=True)
    if has_dynamic_root(op):
        root = tensor(op.operands[-1])
        if not isinstance(root.element, IntegerType) or not shapes_agree(root.shape, (len(data),)):
            what = f"the roots must be a tensor of {len(data)} integers, one for each operand"
            raise Wrong(f"{what}, but got '{root}'", named=True)


def _data_types(op: Operation) -> list[Type]:
    return [value.type for value in data_operands(op)]


def _check_reduced_values(op: Operation) -> None:
    for value in data_operands(op):
        scalars = _scalars([tensor(value)])
        check_reducer(op.regions[0].blocks[0], scalars, scalars)


def _check_rooted_groups(op: Operation) -> None:
    groups = elements(op, "replica_groups")
    if groups is None:
        return
    rank = len(groups.type.shape)
    if rank != 2:
        raise Wrong(f"replica groups should be a rank 2 tensor,but instead it is of rank {rank}")
    seen: set[int] = set()
    for replica in groups.integers():
        if replica < 0:
            raise Wrong(f"replica_groups values must be positive, but was given {replica}")
        if replica in seen:
            raise Wrong(f"replica id #{replica} seen more than once")
        seen.add(replica)


def _check_collective_permute(op: Operation) -> None:
    pairs = elements(op, "source_target_pairs")
    if pairs is None:
        return
    shape = pairs.type.shape
    if len(shape) != 2:
        raise Wrong(f"expect source_target_pairs attribute to be of rank 2, but got rank {len(shape)}")
    if shape[1] != 2:
        raise Wrong(f"expect source_target_pairs attribute of shape (N, 2), but got ({shape[0]}, {shape[1]})")
    numbers = pairs.integers()
    seen: tuple[set[int], set[int]] = (set(), set())
    for index, replica in enumerate(numbers):
        if replica < 0:
            raise Wrong("replica ids in source_target_pairs must be >= 0.")
        if replica in seen[index % 2]:
            raise Wrong(f"duplicate {'targets' if index % 2 else 'sources'} not allowed.")
        seen[index % 2].add(replica)


_TENSORS = Many(kinds.TENSOR)
_ONE_TO_ONE = typed([kinds.TENSOR], [kinds.TENSOR])
_MANY = typed([_TENSORS], [_TENSORS])

RULES: Rules = {
    "all_gather": (_MANY, same_count, _same_element_pairs, _check_all_gather),
    "all_reduce": (
        _MANY,
        one_block("computation"),
        _check_all_reduce,
        inferred(_all_reduced),
    ),
    "all_to_all": (
        _MANY,
        same_count,
        _same_element_pairs,
        inferred(_exchanged),
    ),
    "collective_broadcast": (_check_counts, _check_values, _check_rooted_groups, inferred(_data_types)),
    "collective_reduce": (
        _check_counts,
        _check_values,
        one_block("computation"),
        _check_rooted_groups,
        _check_channel,
        _check_reduced_values,
        inferred(_data_types),
    ),
    "collective_permute": (
        _ONE_TO_ONE,
        same_elements,
        _check_collective_permute,
        inferred(operand_types),
    ),
    "cross-replica-sum": (_ONE_TO_ONE, compatible_types),
    "reduce_scatter": (_ONE_TO_ONE, one_block("computation"), _check_reduce_scatter),
}
