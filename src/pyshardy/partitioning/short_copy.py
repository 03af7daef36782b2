"""A copy of a program without most of its layers.

Layers are left out of the midst of those that are alike (``repetition``), and those on either side are joined: they
read what is to each other what they read of those between them. ``fewer_layers``, right of this file, partitions such
copies; ``few_layers`` has them propagated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pyshardy.dialects.func import function_type, result_attributes, with_entry_attributes
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Block, Operation, Region, Use, Value
from pyshardy.ir.types import FunctionType
from pyshardy.propagation.repeats import FEWEST_REPEATS
from pyshardy.propagation.repetition import Repetition


class ShortCopy(NamedTuple):
    """A copy ``module`` of a program without layers ``first`` up to (excluding) ``end`` of ``repetition``, that of its
    function, of which ``function`` is the copy. All arguments stay; of the results those that the program gives by the
    numbers in ``returned``. ``copies`` says what became of the operations of the function."""

    module: Operation
    function: Operation
    repetition: Repetition
    first: int
    end: int
    copies: Mapping[Operation, Operation]
    returned: list[int]

    @property
    def below(self) -> int:
        """How many layers below the seam are alike."""
        return self.first - self.repetition.first

    @property
    def above(self) -> int:
        """How many layers above the seam are alike."""
        return self.repetition.end - self.end

    @property
    def fewest(self) -> int:
        """How often what repeats in the copy must repeat to be looked at (``Repetition``): the last layer may have come
        to be unlike the others."""
        return min(FEWEST_REPEATS, self.below + self.above - 1)


def short_copy(module: Operation, repetition: Repetition, first: int, end: int) -> ShortCopy | None:
    """A copy of ``module`` without those layers; None if what is kept needs one that is left out."""
    copying = _Copying(repetition, first, end)
    copy = rewriting.create(
        module.name, (), (), module.properties, module.attributes, (Region([Block()]),), (), module.location
    )
    function = copying.function()
    if function is None:
        return None
    for op in module.body:
        rewriting.append(copy.body, function if op is repetition.function else rewriting.clone(op))
    return ShortCopy(copy, function, repetition, first, end, copying.copies, copying.returned)


class _Copying:
    """The copying of the function of ``repetition`` without layers ``first`` up to (excluding) ``end``."""

    def __init__(self, repetition: Repetition, first: int, end: int) -> None:
        self._repetition = repetition
        self._first, self._end = first, end
        self.copies: dict[Operation, Operation] = {}
        self.returned: list[int] = []
        self._mapping: dict[Value, Value] = {}
        self._left_out = bytearray(len(repetition.operations))
        for one in repetition.series:
            begin, other = sorted((one.begin_of(first), one.begin_of(end - 1)))
            self._left_out[begin : other + one.period] = b"\1" * (other + one.period - begin)

    def function(self) -> Operation | None:
        """The copy; None if what is kept needs what is left out."""
        repetition, mapping, left_out = self._repetition, self._mapping, self._left_out
        original = repetition.function
        block = Block()
        for argument in original.body.arguments:
            new, home = block.add_argument(argument.type, argument.location), repetition.home(argument)
            if home is None or not left_out[repetition.numbers[home[0]]]:
                mapping[argument] = new
        *operations, terminator = repetition.operations
        copies = self.copies
        for number, op in enumerate(operations):
            if left_out[number]:
                continue
            try:
                operands = [mapping[value] for value in op.operands]
            except KeyError:
                operands = None
            if operands is not None and not op.regions and not op.successors:
                made = rewriting.made_alike(op, operands, op.location)
                for result, new_result in zip(op.results, made.results, strict=True):
                    mapping[result] = new_result
            else:
                substitutes = self._substitutes(op, number)
                if substitutes is None:
                    return None
                mapping.update(substitutes)
                made = rewriting.clone(op, mapping)
                for value in substitutes:
                    del mapping[value]
            copies[op] = made
            rewriting.append(block, made)
        self.returned = [index for index, value in enumerate(terminator.operands) if value in mapping]
        end = rewriting.create(
            terminator.name,
            [mapping[terminator.operands[index]] for index in self.returned],
            (),
            terminator.properties,
            terminator.attributes,
            location=terminator.location,
        )
        rewriting.append(block, end)
        self.copies[terminator] = end
        places = {index: place for place, index in enumerate(self.returned)}
        for value, other in mapping.items():
            if len(other._uses) > 1 and not self._order_uses(value, other, places):
                return None
        type = function_type(original)
        results = [type.results[index] for index in self.returned]
        attributes = [result_attributes(original, index) for index in self.returned]
        properties = original.properties.with_("function_type", FunctionType(type.inputs, results))
        properties = with_entry_attributes(properties, "res_attrs", attributes)
        return rewriting.create(
            original.name, (), (), properties, original.attributes, (Region([block]),), (), original.location
        )

    def _substitutes(self, op: Operation, number: int) -> dict[Value, Value] | None:
        """What takes the place of the operands of ``op``, which has that number, that are left out: what is to the
        layer beyond the gap what they are to theirs. None if there is no such thing."""
        mapping, repetition = self._mapping, self._repetition
        found: dict[Value, Value] = {}
        for value in op.operands:
            if value not in mapping:
                # What is left out is moved to the layers at hand.
                layer = repetition.layer(number)
                beyond = (
                    self._first - self._end if layer is not None and layer >= self._end else self._end - self._first
                )
                substitute = None if layer is None else repetition.moved_value(value, beyond)
                if substitute is None or substitute not in mapping:
                    return None
                found[value] = mapping[substitute]
        if op.regions:
            own = repetition.function.body
            read = (value for one in op.walk() if one is not op for value in one.operands)
            if any(value.parent_block is own and value not in mapping for value in read):
                return None
        return found

    def _order_uses(self, value: Value, copy: Value, places: dict[int, int]) -> bool:
        """Brings the uses of ``copy`` into the order of those of ``value``: whether that is possible."""
        repetition, copies = self._repetition, self.copies
        if value.parent_block is not repetition.function.body:
            return True
        numbers = [repetition.numbers.get(user, -1) for user, _ in value._uses]
        if numbers[0] >= 0 and numbers == sorted(numbers):
            # Both are read in the order of the text.
            return True
        uses: list[Use] = []
        for user, index in value._uses:
            number = repetition.numbers.get(user)
            if number is None:
                return False
            if user is repetition.operations[-1]:
                uses.append((copies[user], places[index]))
                continue
            if not self._left_out[number]:
                uses.append((copies[user], index))
                continue
            layer = repetition.layer(number)
            if layer is None or self._first + repetition.reach <= layer < self._end - repetition.reach:
                continue
            # What is left out is read by the layer beyond the gap instead.
            for distance in (self._first - self._end, self._end - self._first):
                other = repetition.moved(number, distance)
                made = None if other is None else copies.get(other)
                if other is None or made is None or other.operands[index] is value:
                    continue
                if made.operands[index] is copy:
                    uses.append((made, index))
        if len(uses) != len(copy._uses) or any(use not in copy._uses for use in uses):
            return False
        rewriting.order_uses(copy, uses)
        return True
