"""Certificate: whether layers near the splice point are like the template.

A stage looks at an operation, its operands, the readers of its results, and operations nearby, and at nothing else. So
what it makes of a layer depends on the program in the layer and the layers beside it, and on what it has made of these
layers before. Say the template is layer T, layer T - 1 is below it, and A is the layer above it, on the other side of
the splice point. All three are alike in the program, and the stage has made the same of them. Then a layer C that is
inserted above T becomes the same, too:

- T stands between T - 1 and A, and C stands between T and another layer that is like A.
- If the stage goes upward, it has made the same of T as of T - 1, so it finds for C what it found for T.
- If it goes downward, it finds for C what it found for T if the layer above C is A, and A is like T; the next layers
  down find the same.

If layers are related to layers farther away, as many more on each side have to be alike: with a reach of 2 layers T - 2
to T + 2, by their folded numbers. Layers beyond are not compared. They may be unlike the others, have more or fewer
operations, and what is compared may read them: then only the type of what is read counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping, Sequence

from pyshardy.folding.certifying.parts import BOUNDARY, Ref, RelativeEncoder, UseRef, ValueRef
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir.operation import Operation, Value


class NeedsMoreLayers(NoCertificate):
    """The two layers at the splice point of ``folded`` are alike, but one beside them differs: perhaps because it is
    near an end of the model. Or they read a layer that is one farther away than layers were kept. With at least
    ``beside`` layers kept on each side others would be compared."""

    def __init__(self, folded: Folded) -> None:
        super().__init__("layers farther from the splice point than those that were kept matter")
        self.beside = folded.beside + 1


class Likeness:
    """Compares the layers ``near`` the splice point, by their folded numbers, with layer ``below``, the template, which
    has these operations by series. ``encoder`` encodes their operations relative to their layers."""

    def __init__(
        self, encoder: RelativeEncoder, below: int, near: range, template: Sequence[Sequence[Operation]]
    ) -> None:
        self._encoder = encoder
        self._below = below
        self._near = near
        self._template = template
        self.reads: dict[Operation, list[tuple[int, Ref]]] = {}
        """The operands of each operation of the template, and of those in its regions unless they are defined there,
        with the numbers of the operands."""
        self._keys: dict[Operation, Hashable] = {}
        """The ``RelativeEncoder.key`` of operations of the template, where it was needed."""
        for op in itertools.chain.from_iterable(template):
            if op.regions:
                self._keys[op] = encoder.key(op, below, self.reads)
            else:
                self.reads[op] = [(index, encoder.ref(value, below)) for index, value in enumerate(op.operands)]
        refs = (ref for each in self.reads.values() for _, ref in each)
        read = {ref.operation for ref in refs if isinstance(ref, ValueRef) and ref.series == BOUNDARY}
        self._families = sorted(read)
        self._values = self._values_of(below)
        self._uses = [[encoder.use_ref(use, below) for use in value._uses] for value in self._values]

    def uses(self) -> list[tuple[ValueRef, list[UseRef]]]:
        """The results and arguments of the template that have several readers, each with these in order. For others
        there is no order that unfolding has to keep."""
        results = [
            ValueRef(series, 0, number, index)
            for series, operations in enumerate(self._template)
            for number, op in enumerate(operations)
            for index in range(len(op.results))
        ]
        refs = [*(ValueRef(BOUNDARY, 0, family, 0) for family in self._families), *results]
        return [(ref, uses) for ref, uses in zip(refs, self._uses, strict=True) if len(uses) > 1]

    def check(self) -> None:
        """Tests that the layers are alike: their operations with operands, and the readers, in their order, of results
        and arguments.

        Raises:
            NeedsMoreLayers: only the two layers at the splice point are.
            NoCertificate: they are not.
        """
        above = self._below + 1
        if not all(map(self.is_alike, (above, *self._farther()))):
            if self.is_alike(above, range(above, above + 1)):
                raise NeedsMoreLayers(self._encoder.folded)
            raise NoCertificate("the layers at the splice point differ in the result")

    def _farther(self) -> list[int]:
        return [layer for layer in self._near if not self._below <= layer <= self._below + 1]

    def is_alike(self, layer: int, near: range | None = None) -> bool:
        """Whether ``layer`` is like the template: its operations with operands, and the readers of its results and
        arguments, in their order. Of layers that are not ``near`` only types and names count."""
        near = self._near if near is None else near
        full = self._encoder.folded.full_number(layer)
        try:
            return all(
                self._are_operations_alike(layer, self._encoder.parts.get((series, full), ()), series, near)
                for series in range(len(self._template))
            ) and self._are_values_used_alike(layer, near)
        except NoCertificate:
            # Something of the layer cannot be encoded.
            return False

    def _are_operations_alike(self, layer: int, operations: Sequence[Operation], series: int, near: range) -> bool:
        template = self._template[series]
        return len(operations) == len(template) and all(
            self._is_operation_alike(op, layer, alike) or self._is_alike_within(op, layer, alike, near)
            for op, alike in zip(operations, template, strict=True)
        )

    def _is_operation_alike(self, op: Operation, layer: int, alike: Operation) -> bool:
        encoder = self._encoder
        if (
            op.signature is not None
            and op.signature is alike.signature
            and op.properties is alike.properties
            and op.attributes is alike.attributes
            and not op.regions
        ):
            # They have one name and the same types.
            ref = encoder.ref
            return [(index, ref(value, layer)) for index, value in enumerate(op.operands)] == self.reads[alike]
        if alike not in self._keys:
            self._keys[alike] = encoder.key(alike, self._below)
        return encoder.key(op, layer) == self._keys[alike]

    def _is_alike_within(self, op: Operation, layer: int, alike: Operation, near: range) -> bool:
        """Whether ``op`` of ``layer`` is like its counterpart in the template if of layers that are not ``near`` only
        the types count of what they make."""
        expected = self._encoder.key(alike, self._below, near=self._seen_from(layer, near))
        return self._encoder.key(op, layer, near=near) == expected

    def _are_values_used_alike(self, layer: int, near: range) -> bool:
        use_ref = self._encoder.use_ref
        values = zip(self._values_of(layer), self._values, self._uses, strict=True)
        return all(
            [use_ref(use, layer) for use in value._uses] == expected
            or self._is_used_alike_within(value, layer, alike, near)
            for value, alike, expected in values
        )

    def _is_used_alike_within(self, value: Value, layer: int, alike: Value, near: range) -> bool:
        """Whether ``value`` of ``layer`` is read like its counterpart in the template if of readers in layers that are
        not ``near`` only the names count."""
        seen, use_ref = self._seen_from(layer, near), self._encoder.use_ref_within
        expected = [use_ref(use, self._below, seen) for use in alike._uses]
        return [use_ref(use, layer, near) for use in value._uses] == expected

    def _values_of(self, layer: int) -> list[Value]:
        """The arguments of ``layer`` that are read as those of the template are, and its results."""
        full = self._encoder.folded.full_number(layer)
        found: list[Value] = [self._encoder.folded.argument(family, full) for family in self._families]
        for series in range(len(self._template)):
            found += [result for op in self._encoder.parts.get((series, full), ()) for result in op.results]
        return found

    def _seen_from(self, layer: int, near: range) -> range:
        """The layers that are to the template what those that are ``near`` are to ``layer``."""
        distance = self._below - layer
        return range(near.start + distance, near.stop + distance)

    # --- links --------------------------------------------------------------------------------------------------------

    def check_links(self, links: Mapping[Operation, Operation], series: Iterable[int]) -> None:
        """Tests that operations of ``series`` which are linked, each to an earlier one, are counterparts in all layers.

        Raises:
            NeedsMoreLayers: they are only in the two layers at the splice point.
            NoCertificate: they are not, or an operation is linked to one of no layer.
        """
        for layer in (self._below + 1, *self._farther()):
            seen, full = self._seen_from(layer, self._near), self._encoder.folded.full_number(layer)
            for number in series:
                for op, alike in zip(self._encoder.parts.get((number, full), ()), self._template[number], strict=True):
                    link, expected = links.get(op), links.get(alike)
                    if self._link(link, layer, self._near) != self._link(expected, self._below, seen):
                        if layer == self._below + 1:
                            raise NoCertificate("clusters of the layers at the splice point differ")
                        raise NeedsMoreLayers(self._encoder.folded)

    def _link(self, other: Operation | None, layer: int, near: range) -> tuple[int, int, int | None] | None:
        """``other``, to which an operation of ``layer`` is linked, relative to this: its series, how many layers above
        it is, and its number, which is left out if its layer is not in ``near``. None for None.

        Raises:
            NoCertificate: it is in no layer.
        """
        if other is None:
            return None
        position = self._encoder.positions.get(other)
        if position is None:
            raise NoCertificate("an operation is linked to one of no layer")
        return position.series, position.layer - layer, position.operation if position.layer in near else None
