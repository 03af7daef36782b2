"""Where operations, values and sharding slots stand while a folded program is propagated, relative to their layers.

``history_comparison`` expresses changes of shardings by these places, so that those in different layers can be
compared. What it relies on is tested here: how far layers are alike around the splice point, and that propagation
reaches operations of a layer by no other way than slots that have a place.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from pyshardy.dialects.sdy.placement import (
    FunctionResult,
    function_arguments_as_stored,
    function_results_as_stored,
)
from pyshardy.dialects.sdy.shared_constants import is_shared_constant
from pyshardy.folding.certifying.constant_copies import find_copies
from pyshardy.folding.certifying.likeness import Likeness
from pyshardy.folding.certifying.parts import RelativeEncoder
from pyshardy.folding.detecting.carried import CarriedValues
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir.opdef import DATA_FLOW
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.propagation.observers import ObservedPropagation
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.rules.registry import has_rule_from_outside, looks_around


class RelativePlace(NamedTuple):
    """The place of an operation, value or sharding slot: the folded number of its layer, and a key that counterparts in
    other layers have, too."""

    layer: int
    key: Hashable


class LayerPlaces:
    """The places of operations, values and sharding slots in the program that ``run`` is about to propagate, which
    ``folded`` has become. Layers have folded numbers: ``above`` is the layer above the splice point, and those from
    ``lowest`` up to (excluding) ``highest`` are alike. Visits to operations of layers look ``reads`` layers away at
    most. Copies of constant computations that layers read are entered in ``folded`` as series (``find_copies``).

    Raises:
        NoCertificate: the two layers at the splice point are not alike, or have operations whose effects histories do
            not show (``_check_a_layer``).
    """

    def __init__(self, folded: Folded, run: ObservedPropagation) -> None:
        self._folded = folded
        self._main = folded.function
        if run.main is not folded.function:
            raise NoCertificate("the function with the layers is not the one that is propagated")
        self.has_sorted_series = bool(folded.sorted_series)
        block = self._main.body
        operations = block.operations()
        parts = find_copies(folded, operations)
        self._count = len(folded.series)
        """The number of series: that of the constants of layers, which are like one more, comes next."""
        for (which, layer), own in self._constants_of_layers(parts, operations).items():
            parts[which, layer] = own
        self._carried = CarriedValues(folded.layers.series, parts)
        encoder = self._encoder = RelativeEncoder(folded, parts, frozenset(), self._carried)
        count = self._count
        below, above = ([parts.get((one, layer), ()) for one in range(count)] for layer in (folded.below, folded.end))
        encoder.shared = encoder.read_by_both(below, above, folded.below)
        self._argument_shardings = function_arguments_as_stored(self._main)
        self._result_shardings = function_results_as_stored(self._main)
        self._terminator = block.terminator
        self._operands_returned = list(self._terminator.operands)
        self.above = folded.folded_number(folded.end)
        self._found = {
            op: RelativePlace(position.layer, (position.series, position.operation, position.nested))
            for op, position in encoder.positions.items()
        }
        self._of_slots: dict[ShardingSlot, RelativePlace | None] = {}
        self._of_arguments = self._places_of_arguments()
        self.lowest, self.highest = self._alike()
        self._check_a_layer()
        self._check_constants()
        self.reads = self._distance_read()

    def _constants_of_layers(
        self, parts: Mapping[tuple[int, int], list[Operation]], operations: list[Operation]
    ) -> dict[tuple[int, int], list[Operation]]:
        """Constants that stand outside of layers but are read by one layer only, by the layer and in the order of their
        readers. They belong to the layer: a pass before propagation gives each use of a constant a copy. They are one
        more series, with the number behind all others."""
        homes = {op: (key, number) for key, own in parts.items() for number, op in enumerate(own)}
        found: dict[tuple[int, int], list[tuple[tuple[int, int, int], Operation]]] = {}
        self.constants: list[Operation] = []
        for op in operations:
            if op in homes or not is_shared_constant(op):
                continue
            uses = [(homes.get(user), index) for user, index in op.results[0]._uses]
            places = [(reader[0][0], reader[1], index) for reader, index in uses if reader is not None]
            layers = {reader[0][1] for reader, _ in uses if reader is not None}
            if len(layers) == 1 and len(places) == len(uses):
                found.setdefault((self._count, layers.pop()), []).append((min(places), op))
                self.constants.append(op)
        return {key: [op for _, op in sorted(own, key=lambda one: one[0])] for key, own in found.items()}

    def _places_of_arguments(self) -> list[RelativePlace | None]:
        """The place of each argument of the function; None for those of no layer, or of layers that were left out."""
        folded = self._folded
        found: list[RelativePlace | None] = []
        for index, layer in enumerate(folded.layers_of_arguments):
            family = folded.arguments[index]
            if layer is None or folded.first <= layer < folded.end:
                found.append(None)
            elif family is None:
                found.append(RelativePlace(folded.folded_number(layer), ("argument itself", index)))
            else:
                found.append(RelativePlace(folded.folded_number(layer), ("argument", family[0])))
        return found

    def _alike(self) -> tuple[int, int]:
        """The layers around the splice point that are alike, from the lowest up to (excluding) the end.

        Raises:
            NoCertificate: the two at the splice point are not.
        """
        layers, below = self._folded.layers, self.above - 1
        template = [self._encoder.parts.get((number, self._folded.below), ()) for number in range(self._count + 1)]
        if not all(template[: self._count]):
            raise NoCertificate("a series has no operations in the template")
        first, last = self._folded.folded_number(layers.first), self._folded.folded_number(layers.end)
        likeness, expected = Likeness(self._encoder, below, range(first, last), template), self._boundary(below)

        def is_alike(layer: int) -> bool:
            return likeness.is_alike(layer) and self._boundary(layer) == expected

        if not is_alike(self.above):
            raise NoCertificate("the layers at the splice point differ before propagation")
        begin, end = below, self.above + 1
        while begin > first and is_alike(begin - 1):
            begin -= 1
        while end < last and is_alike(end):
            end += 1
        return begin, end

    def _boundary(self, layer: int) -> Hashable:
        """The arguments of ``layer`` and the values that the function returns for it, with their shardings."""
        full, arguments = self._folded.full_number(layer), self._main.body.arguments
        # Where repeats begin in the midst of a layer of the model, one has arguments of two of these layers, and if
        # arguments are sorted by name, those of the upper layer may come first. So they are ordered by family.
        of_layer = [
            (index if (family := self._folded.arguments[index]) is None else family[0], index, place.key)
            for index, place in enumerate(self._of_arguments)
            if place is not None and place.layer == layer
        ]
        found: list[Hashable] = [
            (key, arguments[index].type, self._argument_shardings[index])
            for _, index, key in sorted(of_layer, key=itemgetter(0, 1))
        ]
        for number in range(self._count + 1):
            for place, op in enumerate(self._encoder.parts.get((number, full), ())):
                for result in op.results:
                    for user, index in result._uses:
                        if user is self._terminator:
                            found.append((number, place, result.index, self._result_shardings[index]))
        return tuple(found)

    def a_layer(self) -> Iterator[Operation]:
        """The operations of the layer above the splice point, with its constants and with those in regions."""
        full = self._folded.full_number(self.above)
        for number in range(self._count + 1):
            for op in self._encoder.parts.get((number, full), ()):
                yield from op.operations() if op.regions else (op,)

    def _check_a_layer(self) -> None:
        """Tests that operations of a layer take part in propagation only by slots that have a place.

        Raises:
            NoCertificate: there are calls, operations of plugins that may look anywhere, or values that are returned
                twice.
        """
        for op in self.a_layer():
            if op.name == "func.call" or (looks_around(op) and has_rule_from_outside(op)):
                raise NoCertificate(
                    "a call, or an operation of a plugin, in a layer may look anywhere during propagation"
                )
        values: list[Value] = [result for op in self.a_layer() for result in op.results]
        block = self._main.body
        own = [index for index, place in enumerate(self._of_arguments) if place and place.layer == self.above]
        values += [block.arguments[index] for index in own]
        for value in values:
            # Such a value has to agree with two results, in an order that may differ between layers.
            if sum(1 for user, _ in value._uses if user is self._terminator) > 1:
                raise NoCertificate("a value of a layer is returned twice")

    def _check_constants(self) -> None:
        """Tests that the constants of layers stand layer by layer in the text, upward or downward: they are visited in
        this order. Those that sorted series read may stand in the order of these.

        Raises:
            NoCertificate: they do not.
        """
        blocks: list[tuple[int, list[Hashable]]] = []
        for op in self.constants:
            place = self._found[op]
            if self.is_sorted(self._found[next(iter(op.result._uses))[0]]):
                continue
            if not blocks or blocks[-1][0] != place.layer:
                blocks.append((place.layer, []))
            blocks[-1][1].append(place.key)
        rows: dict[tuple[Hashable, ...], list[tuple[int, int]]] = {}
        for number, (layer, keys) in enumerate(blocks):
            if self.lowest <= layer < self.highest:
                rows.setdefault(tuple(keys), []).append((number, layer))
        layers = list(range(self.lowest, self.highest))
        for row in rows.values():
            begin, found = row[0][0], [layer for _, layer in row]
            if found not in (layers, layers[::-1]) or [at for at, _ in row] != list(range(begin, begin + len(row))):
                raise NoCertificate("constants of layers do not stand in the order of the layers")

    def _distance_read(self) -> int:
        """How many layers away a visit to an operation looks at most: at its operands, and, if it is data flow, as a
        loop is, at the operands of operations that are data flow and flow into it."""
        full, encoder, above = self._folded.full_number(self.above), self._encoder, self.above
        own = [op for number in range(self._count + 1) for op in encoder.parts.get((number, full), ())]
        reach = max(self._folded.layers.reach, encoder.farthest_read(own, above))
        flowing = [op for op in own if any(map(_is_data_flow, op.operations() if op.regions else (op,)))]
        return reach + encoder.farthest_read(flowing, above)

    def sorted_operations(self) -> Iterator[Operation]:
        """The operations of the layer above the splice point that are in sorted series."""
        return (op for op in self.a_layer() if self.is_sorted(self.of(op)))

    def is_sorted(self, place: RelativePlace | None) -> bool:
        """Whether ``place`` is that of an operation in a sorted series."""
        return place is not None and isinstance(place.key, tuple) and place.key[0] in self._folded.sorted_series

    # --- places -------------------------------------------------------------------------------------------------------

    def of(self, op: Operation) -> RelativePlace | None:
        """The place of ``op``; None if it is in no layer."""
        return self._found.get(op)

    def of_slot(self, slot: ShardingSlot | None) -> RelativePlace | None:
        """The place of ``slot``; None if it is in no layer."""
        if slot is None:
            return None
        if slot not in self._of_slots:
            self._of_slots[slot] = self._found_of_slot(slot)
        return self._of_slots[slot]

    def _found_of_slot(self, slot: ShardingSlot) -> RelativePlace | None:
        if isinstance(slot, FunctionResult):
            if slot.func is not self._main:
                return None
            inner = self.of_slot(self._operands_returned[slot.number])
            return RelativePlace(inner.layer, ("returned", inner.key)) if inner is not None else None
        if isinstance(slot, OpResult):
            if slot in self._encoder.shared or slot in self._carried.refs:
                return None
            made = self.of(slot.owner)
            return RelativePlace(made.layer, (made.key, slot.index)) if made is not None else None
        assert isinstance(slot, BlockArgument)
        if slot.owner is self._main.body:
            return self._of_arguments[slot.index]
        owner = slot.owner.parent_op
        around = self.of(owner) if owner is not None else None
        if around is None or owner is None:
            return None
        blocks = [block for region in owner.regions for block in region.blocks]
        return RelativePlace(around.layer, (around.key, "argument", blocks.index(slot.owner), slot.index))


def _is_data_flow(op: Operation) -> bool:
    # Calls become data flow before propagation.
    return bool(op.traits & DATA_FLOW) or op.name in ("sdy.data_flow_edge", "func.call")
