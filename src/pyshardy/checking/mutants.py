"""Mutants: the program of one device broken in one place, to see whether a check objects.

Each mutation is a mistake that a partitioner could make: a collective that does nothing or talks to others, a permute
whose targets are rotated, a device that takes itself for the first, an offset, a mask or a halo that is off by one, a
neutral element that is none. ``tests/checking/mutate`` counts how many are caught.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pyshardy.dialects.stablehlo.attributes import COMPARISON_DIRECTION
from pyshardy.emitting.builder import i64_array
from pyshardy.interpreter.element_types import constant_array, wide
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DenseArrayAttr, DictionaryAttr, EnumAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.program_text import operation_text
from pyshardy.ir.types import FloatType, IntegerType, TensorType
from pyshardy.module import Module

Change = Callable[[Operation], None]


class _Mutation(NamedTuple):
    kind: str
    change: Change


@dataclass(frozen=True)
class Mutant:
    """A local program with one mistake: what kind of mistake, and the operation that it is in."""

    kind: str
    operation: str
    module: Module


def mutants(local: Module, chosen: Collection[int] | None = None) -> Iterator[Mutant]:
    """The mutants of ``local`` with the numbers ``chosen`` (None: every one), one after the other; ``local`` stays as
    it is."""
    count = -1
    for number, op in enumerate(local.op.walk()):
        for mutation in _mutations(op):
            count += 1
            if chosen is not None and count not in chosen:
                continue
            copy = Module(rewriting.clone(local.op), local.context, local.resources)
            changed = next(one for place, one in enumerate(copy.op.walk()) if place == number)
            mutation.change(changed)
            yield Mutant(mutation.kind, operation_text(op).partition("\n")[0].strip(), copy)


def count_mutants(local: Module) -> int:
    """How many there are."""
    return sum(len(list(_mutations(op))) for op in local.op.walk())


def _mutations(op: Operation) -> Iterator[_Mutation]:
    for name, function in _FAMILIES.items():
        if op.name == f"stablehlo.{name}":
            yield from function(op)


# --- collectives ------------------------------------------------------------------------------------------------------


def _groups(op: Operation) -> list[list[int]]:
    value = op.properties.get("replica_groups")
    if not isinstance(value, DenseElementsAttr) or not isinstance(value.type, TensorType):
        return []
    numbers, (count, size) = list(value.integers()), value.type.shape
    return [numbers[group * size : (group + 1) * size] for group in range(count)]


def _with_groups(groups: list[list[int]]) -> Change:
    def change(op: Operation) -> None:
        old = op.properties.get("replica_groups")
        assert isinstance(old, DenseElementsAttr)
        type = TensorType((len(groups), len(groups[0])), old.type.element)
        _set(op, replica_groups=DenseElementsAttr.of(type, [device for group in groups for device in group]))

    return change


def _of_groups(op: Operation) -> Iterator[_Mutation]:
    """Members in another order, and groups that exchange members."""
    groups = _groups(op)
    if not groups or len(groups[0]) < 2:
        return
    if op.name != "stablehlo.all_reduce":
        yield _Mutation("members in reverse order", _with_groups([group[::-1] for group in groups]))
    if len(groups) > 1:
        exchanged = [[*group[:-1], groups[(place + 1) % len(groups)][-1]] for place, group in enumerate(groups)]
        yield _Mutation("groups of other members", _with_groups(exchanged))


def _all_reduce(op: Operation) -> Iterator[_Mutation]:
    groups = _groups(op)
    if groups and len(groups[0]) > 1:
        yield _Mutation("reduces nothing", _with_groups([[device] for group in groups for device in group]))
    yield from _of_groups(op)


def _all_gather(op: Operation) -> Iterator[_Mutation]:
    groups = _groups(op)
    if groups and len(groups[0]) > 1:

        def own_shard(op: Operation) -> None:
            for operand, result in zip(op.operands, op.results, strict=True):
                dimension = op.properties.get("all_gather_dim")
                assert dimension is not None
                made = _before(op, "concatenate", [operand] * len(groups[0]), result, dimension=dimension)
                rewriting.replace_all_uses(result, made)

        yield _Mutation("gathers its own shard", own_shard)
    yield from _of_groups(op)


def _reduce_scatter(op: Operation) -> Iterator[_Mutation]:
    def first_part(op: Operation) -> None:
        (operand,), (result,) = op.operands, op.results
        assert isinstance(result.type, TensorType)
        rank = result.type.rank
        made = _before(op, "slice", [operand], result, **_bounds([0] * rank, result.type.shape, [1] * rank))
        rewriting.replace_all_uses(result, made)

    if len(op.operands) == 1:
        yield _Mutation("takes the first part, unreduced", first_part)
    yield from _of_groups(op)


def _all_to_all(op: Operation) -> Iterator[_Mutation]:
    if len(op.operands) == 1 and op.operands[0].type == op.results[0].type:
        yield _Mutation("exchanges nothing", _forwarded)
    yield from _of_groups(op)


def _permute(op: Operation) -> Iterator[_Mutation]:
    value = op.properties.get("source_target_pairs")
    if not isinstance(value, DenseElementsAttr):
        return
    numbers = list(value.integers())
    sources, targets = numbers[::2], numbers[1::2]
    yield _Mutation("sends nothing", _forwarded)
    if len(targets) > 1:
        rotated = [number for pair in zip(sources, targets[1:] + targets[:1], strict=True) for number in pair]

        def rotate(op: Operation) -> None:
            _set(op, source_target_pairs=DenseElementsAttr.of(value.type, rotated))

        yield _Mutation("rotated targets", rotate)


def _forwarded(op: Operation) -> None:
    for operand, result in zip(op.operands, op.results, strict=True):
        rewriting.replace_all_uses(result, operand)


# --- places -----------------------------------------------------------------------------------------------------------


def _partition_id(op: Operation) -> Iterator[_Mutation]:
    def zero(op: Operation) -> None:
        (result,) = op.results
        assert isinstance(result.type, TensorType)
        made = _before(op, "constant", [], result, value=DenseElementsAttr.of(result.type, [0]))
        rewriting.replace_all_uses(result, made)

    yield _Mutation("partition id 0", zero)


def _offset(op: Operation) -> Iterator[_Mutation]:
    """Starts of slices that are computed, one more."""
    first = 1 if op.name.endswith("dynamic_slice") else 2
    for index in range(first, len(op.operands)):
        definition = op.operands[index].defining_op
        if definition is not None and definition.name != "stablehlo.constant":

            def further(op: Operation, index: int = index) -> None:
                start = op.operands[index]
                assert isinstance(start.type, TensorType)
                one = _before(op, "constant", [], start, value=DenseElementsAttr.of(start.type, [1]))
                rewriting.set_operand(op, index, _before(op, "add", [start, one], start))

            yield _Mutation("an offset one further", further)


_NEIGHBOURS = {"LT": "LE", "LE": "LT", "GT": "GE", "GE": "GT", "EQ": "NE", "NE": "EQ"}


def _compare(op: Operation) -> Iterator[_Mutation]:
    """A mask of integers, one wider or narrower."""
    direction = op.properties.get("comparison_direction")
    type = op.operands[0].type
    is_mask = isinstance(type, TensorType) and isinstance(type.element, IntegerType) and type.rank > 0
    if is_mask and isinstance(direction, EnumAttr):
        other = COMPARISON_DIRECTION.of(_NEIGHBOURS[direction.case])
        yield _Mutation("a mask off by one", lambda op: _set(op, comparison_direction=other))


def _slice(op: Operation) -> Iterator[_Mutation]:
    starts, limits, strides = (_numbers(op, name) for name in ("start_indices", "limit_indices", "strides"))
    type = op.operands[0].type
    assert isinstance(type, TensorType)
    for dim, (start, limit) in enumerate(zip(starts, limits, strict=True)):
        for step in (1, -1):
            if start + step >= 0 and limit + step <= type.shape[dim]:
                moved = _bounds(_moved(starts, dim, step), _moved(limits, dim, step), strides)

                def move(op: Operation, moved: dict[str, Attribute] = moved) -> None:
                    _set(op, **moved)

                yield _Mutation("a slice off by one", move)
                break


def _pad(op: Operation) -> Iterator[_Mutation]:
    low, high = (_numbers(op, name) for name in ("edge_padding_low", "edge_padding_high"))
    for dim, (before, after) in enumerate(zip(low, high, strict=True)):
        if before or after:
            step = 1 if after else -1
            moved = {
                "edge_padding_low": i64_array(_moved(low, dim, step)),
                "edge_padding_high": i64_array(_moved(high, dim, -step)),
            }

            def move(op: Operation, moved: dict[str, DenseArrayAttr] = moved) -> None:
                _set(op, **moved)

            yield _Mutation("padding off by one", move)


# --- numbers ----------------------------------------------------------------------------------------------------------


def _constant(op: Operation) -> Iterator[_Mutation]:
    """A float that reductions, masks or padding use, changed: 0 to 1, an infinity to 0."""
    value, type = op.properties.get("value"), op.results[0].type
    if not isinstance(value, DenseElementsAttr) or not isinstance(type, TensorType):
        return
    if not isinstance(type.element, FloatType) or not _is_neutral(op.results[0]):
        return
    numbers = wide(constant_array(value, {})).astype(np.float64).reshape(-1)
    if not numbers.size or (numbers != numbers[0]).any():
        return
    other = 0.0 if not np.isfinite(numbers[0]) else 1.0 if numbers[0] == 0 else 0.0

    def change(op: Operation) -> None:
        _set(op, value=DenseElementsAttr.splat_of(type, other))

    yield _Mutation("a neutral element changed", change)


def _is_neutral(value: Value) -> bool:
    for user, index in value.uses:
        if user.name in ("stablehlo.reduce", "stablehlo.pad", "stablehlo.reduce_window", "stablehlo.select"):
            return True
        if user.name == "stablehlo.broadcast_in_dim" and index == 0 and _is_neutral(user.results[0]):
            return True
    return False


_FAMILIES: dict[str, Callable[[Operation], Iterator[_Mutation]]] = {
    "all_gather": _all_gather,
    "all_reduce": _all_reduce,
    "all_to_all": _all_to_all,
    "collective_permute": _permute,
    "compare": _compare,
    "constant": _constant,
    "dynamic_slice": _offset,
    "dynamic_update_slice": _offset,
    "pad": _pad,
    "partition_id": _partition_id,
    "reduce_scatter": _reduce_scatter,
    "slice": _slice,
}


# --- changing operations ----------------------------------------------------------------------------------------------


def _set(op: Operation, **properties: Attribute) -> None:
    for name, value in properties.items():
        rewriting.set_properties(op, op.properties.with_(name, value))


def _before(op: Operation, name: str, operands: list[Value], like: Value, **properties: Attribute) -> Value:
    made = rewriting.create(
        f"stablehlo.{name}", operands, [like.type], DictionaryAttr(properties), location=op.location
    )
    rewriting.insert_before(op, made)
    return made.results[0]


def _numbers(op: Operation, name: str) -> tuple[int, ...]:
    value = op.properties.get(name)
    assert isinstance(value, DenseArrayAttr)
    return value.values


def _moved(numbers: tuple[int, ...], dim: int, step: int) -> tuple[int, ...]:
    return tuple(number + step * (place == dim) for place, number in enumerate(numbers))


def _bounds(starts: Sequence[int], limits: Sequence[int], strides: Sequence[int]) -> dict[str, Attribute]:
    return {
        "start_indices": i64_array(starts),
        "limit_indices": i64_array(limits),
        "strides": i64_array(strides),
    }
