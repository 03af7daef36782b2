"""Mutants: the program of one device broken in one place, to see whether a check objects.

Each mutation is a mistake that a partitioner could make: a collective that does nothing or talks to others, a permute
whose targets are rotated, a device that takes itself for the first, an offset, a mask or a halo that is off by one, a
neutral element that is none (``number_mutations``). ``tests/checking/mutate`` counts how many are caught.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from pyshardy.emitting.builder import i64_array
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DenseArrayAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.printing.program_text import operation_text
from pyshardy.ir.types import TensorType
from pyshardy.module import Module
from tests.checking.mutation import Change, Mutation, bounds, changed, made_before, moved, numbers_of
from tests.checking.number_mutations import NUMBERS


@dataclass(frozen=True)
class Mutant:
    """A local program with one mistake: what kind of mistake, and the operation that it is in; its values by those of
    the right program, ``copies``."""

    kind: str
    operation: str
    module: Module
    copies: Mapping[Value, Value]


def mutants(local: Module, chosen: Collection[int] | None = None) -> Iterator[Mutant]:
    """The mutants of ``local`` with the numbers ``chosen`` (None: every one), one after the other; ``local`` stays as
    it is."""
    count = -1
    for number, op in enumerate(local.op.walk()):
        for mutation in _mutations(op):
            count += 1
            if chosen is not None and count not in chosen:
                continue
            copies: dict[Value, Value] = {}
            copy = Module(rewriting.clone(local.op, copies), local.context, local.resources)
            changed = next(one for place, one in enumerate(copy.op.walk()) if place == number)
            mutation.change(changed)
            yield Mutant(mutation.kind, operation_text(op).partition("\n")[0].strip(), copy, copies)


def count_mutants(local: Module) -> int:
    """How many there are."""
    return sum(len(list(_mutations(op))) for op in local.op.walk())


def _mutations(op: Operation) -> Iterator[Mutation]:
    for family in (_FAMILIES, NUMBERS):
        function = family.get(op.name.removeprefix("stablehlo."))
        if function is not None:
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
        changed(op, replica_groups=DenseElementsAttr.of(type, [device for group in groups for device in group]))

    return change


def _of_groups(op: Operation) -> Iterator[Mutation]:
    """Members in another order, and groups that exchange members."""
    groups = _groups(op)
    if not groups or len(groups[0]) < 2:
        return
    if op.name != "stablehlo.all_reduce":
        yield Mutation("members in reverse order", _with_groups([group[::-1] for group in groups]))
    if len(groups) > 1:
        exchanged = [[*group[:-1], groups[(place + 1) % len(groups)][-1]] for place, group in enumerate(groups)]
        yield Mutation("groups of other members", _with_groups(exchanged))
        if _across(groups) not in (groups, exchanged):
            yield Mutation("groups along another axis", _with_groups(_across(groups)))


def _across(groups: list[list[int]]) -> list[list[int]]:
    """The same devices, dealt out the other way."""
    flat = [device for group in groups for device in group]
    size = len(groups[0])
    return [flat[start :: len(flat) // size][:size] for start in range(len(flat) // size)]


def _all_reduce(op: Operation) -> Iterator[Mutation]:
    groups = _groups(op)
    if groups and len(groups[0]) > 1:
        yield Mutation("reduces nothing", _with_groups([[device] for group in groups for device in group]))
    yield from _of_groups(op)


def _all_gather(op: Operation) -> Iterator[Mutation]:
    groups = _groups(op)
    if groups and len(groups[0]) > 1:

        def own_shard(op: Operation) -> None:
            for operand, result in zip(op.operands, op.results, strict=True):
                dimension = op.properties.get("all_gather_dim")
                assert dimension is not None
                made = made_before(op, "concatenate", [operand] * len(groups[0]), result, dimension=dimension)
                rewriting.replace_all_uses(result, made)

        yield Mutation("gathers its own shard", own_shard)
    yield from _of_groups(op)


def _reduce_scatter(op: Operation) -> Iterator[Mutation]:
    def first_part(op: Operation) -> None:
        (operand,), (result,) = op.operands, op.results
        assert isinstance(result.type, TensorType)
        rank = result.type.rank
        made = made_before(op, "slice", [operand], result, **bounds([0] * rank, result.type.shape, [1] * rank))
        rewriting.replace_all_uses(result, made)

    if len(op.operands) == 1:
        yield Mutation("takes the first part, unreduced", first_part)
    yield from _of_groups(op)


def _all_to_all(op: Operation) -> Iterator[Mutation]:
    if len(op.operands) == 1 and op.operands[0].type == op.results[0].type:
        yield Mutation("exchanges nothing", _forwarded)
    yield from _of_groups(op)


def _permute(op: Operation) -> Iterator[Mutation]:
    value = op.properties.get("source_target_pairs")
    if not isinstance(value, DenseElementsAttr):
        return
    numbers = list(value.integers())
    sources, targets = numbers[::2], numbers[1::2]
    yield Mutation("sends nothing", _forwarded)
    if len(targets) > 1:
        rotated = [number for pair in zip(sources, targets[1:] + targets[:1], strict=True) for number in pair]

        def rotate(op: Operation) -> None:
            changed(op, source_target_pairs=DenseElementsAttr.of(value.type, rotated))

        yield Mutation("rotated targets", rotate)
        pairs = [[source, target] for source, target in zip(sources, targets, strict=True)]
        exchanged = [[pairs[0][0], pairs[1][1]], [pairs[1][0], pairs[0][1]], *pairs[2:]]
        yield Mutation("two targets exchanged", _with_pairs(exchanged))
        yield Mutation("a pair left out", _with_pairs(pairs[1:]))


def _with_pairs(pairs: list[list[int]]) -> Change:
    def change(op: Operation) -> None:
        old = op.properties.get("source_target_pairs")
        assert isinstance(old, DenseElementsAttr)
        type = TensorType((len(pairs), 2), old.type.element)
        changed(op, source_target_pairs=DenseElementsAttr.of(type, [device for pair in pairs for device in pair]))

    return change


def _forwarded(op: Operation) -> None:
    for operand, result in zip(op.operands, op.results, strict=True):
        rewriting.replace_all_uses(result, operand)


# --- places -----------------------------------------------------------------------------------------------------------


def _partition_id(op: Operation) -> Iterator[Mutation]:
    def zero(op: Operation) -> None:
        (result,) = op.results
        assert isinstance(result.type, TensorType)
        made = made_before(op, "constant", [], result, value=DenseElementsAttr.of(result.type, [0]))
        rewriting.replace_all_uses(result, made)

    yield Mutation("partition id 0", zero)


def _offset(op: Operation) -> Iterator[Mutation]:
    """Starts of slices that are computed, one more."""
    first = 1 if op.name.endswith("dynamic_slice") else 2
    for index in range(first, len(op.operands)):
        definition = op.operands[index].defining_op
        if definition is not None and definition.name != "stablehlo.constant":

            def further(op: Operation, index: int = index) -> None:
                start = op.operands[index]
                assert isinstance(start.type, TensorType)
                one = made_before(op, "constant", [], start, value=DenseElementsAttr.of(start.type, [1]))
                rewriting.set_operand(op, index, made_before(op, "add", [start, one], start))

            yield Mutation("an offset one further", further)

            def nowhere(op: Operation, index: int = index) -> None:
                start = op.operands[index]
                assert isinstance(start.type, TensorType)
                zero = made_before(op, "constant", [], start, value=DenseElementsAttr.of(start.type, [0]))
                rewriting.set_operand(op, index, zero)

            yield Mutation("an offset of 0", nowhere)


def _slice(op: Operation) -> Iterator[Mutation]:
    starts, limits, strides = (numbers_of(op, name) for name in ("start_indices", "limit_indices", "strides"))
    type = op.operands[0].type
    assert isinstance(type, TensorType)
    for dim, (start, limit) in enumerate(zip(starts, limits, strict=True)):
        for step in (1, -1):
            if start + step >= 0 and limit + step <= type.shape[dim]:
                shifted = bounds(moved(starts, dim, step), moved(limits, dim, step), strides)

                def move(op: Operation, shifted: dict[str, Attribute] = shifted) -> None:
                    changed(op, **shifted)

                yield Mutation("a slice off by one", move)
                break


def _pad(op: Operation) -> Iterator[Mutation]:
    low, high = (numbers_of(op, name) for name in ("edge_padding_low", "edge_padding_high"))
    for dim, (before, after) in enumerate(zip(low, high, strict=True)):
        if before or after:
            step = 1 if after else -1
            shifted = {
                "edge_padding_low": i64_array(moved(low, dim, step)),
                "edge_padding_high": i64_array(moved(high, dim, -step)),
            }

            def move(op: Operation, shifted: dict[str, DenseArrayAttr] = shifted) -> None:
                changed(op, **shifted)

            yield Mutation("padding off by one", move)


_FAMILIES: dict[str, Callable[[Operation], Iterator[Mutation]]] = {
    "all_gather": _all_gather,
    "all_reduce": _all_reduce,
    "all_to_all": _all_to_all,
    "collective_permute": _permute,
    "dynamic_slice": _offset,
    "dynamic_update_slice": _offset,
    "pad": _pad,
    "partition_id": _partition_id,
    "reduce_scatter": _reduce_scatter,
    "slice": _slice,
}
