"""Values that are carried through a sorted series: each layer gets one from the layer before it in the text.

The norm of all gradients is a sum in the order of their names: ``Block_10`` adds its own part to what ``Block_1`` hands
on, and hands the sum on to ``Block_11``, or to ``Block_2`` if there are ten layers. So which layer hands on to which is
no matter of layers above and below. With fewer layers a layer gets the value from the nearest one before it that was
kept, and so does the operation that reads the sum behind the last one.

Only scalars may be carried, by element-wise operations, with one reader each: then propagation has nothing to do.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pyshardy.folding.detecting.series import OperationsByLayer, Series
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, OpResult, Use, Value
from pyshardy.ir.types import TensorType


class Carried(NamedTuple):
    """The value that the layer before in the text of ``series`` makes: result ``result`` of its operation number
    ``operation``."""

    series: int
    operation: int
    result: int


class CarriedUse(NamedTuple):
    """Operation number ``operation`` of ``layer`` (its full number) reads ``value`` as its operand ``operand``. Without
    layer an operation behind the last layer reads it instead."""

    layer: int | None
    operation: int
    operand: int
    value: Carried


class CarriedEdge(NamedTuple):
    """Operation number ``reader`` of a repeat reads with operand ``operand`` the value that number ``maker`` of the
    repeat before makes."""

    reader: int
    operand: int
    maker: int


def handed_on(before: Sequence[Operation], operations: Iterable[Operation]) -> Iterator[CarriedEdge]:
    """What the repeat with the operations ``before`` hands on to the one with these ``operations``."""
    numbers: dict[Operation, int] = {}
    for reader, op in enumerate(operations):
        if len(op.operands) < 2 or op.regions or not op.traits & ELEMENTWISE:
            continue
        for index, value in enumerate(op.operands):
            if not isinstance(value, OpResult) or len(value._uses) != 1 or not _is_scalar(value):
                continue
            if not numbers:
                numbers = {one: number for number, one in enumerate(before)}
            maker = numbers.get(value.owner)
            if maker is not None:
                yield CarriedEdge(reader, index, maker)


def user_of_last(value: OpResult) -> Operation | None:
    """The operation that alone reads ``value``, which the last repeat makes; None if several do, or none."""
    users = [user for user, _ in value._uses]
    return users[0] if len(users) == 1 else None


def _is_scalar(value: Value) -> bool:
    return isinstance(value.type, TensorType) and not value.type.shape


class CarriedValues:
    """The values that are carried through the sorted ones of these ``series``, where ``parts`` are the operations of
    all layers that were kept."""

    def __init__(self, series: Sequence[Series], parts: OperationsByLayer) -> None:
        self._series = series
        self._parts = parts
        self.refs: dict[Value, Carried] = {}
        self.uses: dict[Use, CarriedUse] = {}
        for which, one in enumerate(series):
            kept = [layer for layer in one.order if parts.get((which, layer))]
            chains: dict[CarriedEdge, int] = {}
            for before, layer in itertools.pairwise(kept):
                row = parts[which, layer]
                for handed in handed_on(parts[which, before], row):
                    value = row[handed.reader].operands[handed.operand]
                    assert isinstance(value, OpResult)
                    chains[handed] = value.index
                    self._enter(value, which, layer, handed)
            for handed, index in chains.items():
                for op in parts[which, kept[-1]][handed.maker : handed.maker + 1]:
                    user = user_of_last(op.results[index])
                    if user is not None and not any(user in row for row in parts.values()):
                        self._enter(op.results[index], which, None, handed)
        self.series = {one.series for one in self.refs.values()}
        """The series through which values are carried."""

    def _enter(self, value: OpResult, series: int, layer: int | None, handed: CarriedEdge) -> None:
        (use,) = value._uses
        ref = self.refs[value] = Carried(series, handed.maker, value.index)
        self.uses[use] = CarriedUse(layer, handed.reader, handed.operand, ref)

    def made(self, value: Carried, layer: int) -> Value:
        """The value that ``layer``, one that was kept, hands on for ``value``."""
        return self._parts[value.series, layer][value.operation].results[value.result]

    def before(self, series: int, layer: int | None, is_there: Callable[[int], bool]) -> int:
        """The layer before ``layer`` in the text of ``series``, of those that are there; the last one if no layer is
        given. There is one, if ``layer`` gets values from it."""
        order = self._series[series].order
        end = len(order) if layer is None else order.index(layer)
        return next(one for one in reversed(order[:end]) if is_there(one))
