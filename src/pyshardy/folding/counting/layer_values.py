"""Count: what the values of all layers have become in the program of one device, from the plan of a folded program.

A value of a layer that was left out has become the counterpart of what its counterpart in the template has become. A
value of a kept layer near the splice point may have been brought into another layout for a reader on the other side;
with all layers that reader is in a layer that was left out, and so is what was made for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from itertools import repeat

from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.program import FoldedProgram
from pyshardy.folding.unfolding import Unfolding, values_inside
from pyshardy.ir.operation import Value
from pyshardy.partitioning.partitioner import Partitioner


class LayerValues:
    """The values of all layers of ``source``, the propagated program, of which ``partitioner`` has made a program of
    one device with this ``splice`` point; ``unfolded`` unfolds that, if it is not, and returns how."""

    def __init__(
        self, source: FoldedProgram, splice: Splice, partitioner: Partitioner, unfolded: Callable[[], Unfolding]
    ) -> None:
        self._source = source
        self._splice = splice
        self._partitioner = partitioner
        self._unfolded = unfolded
        self._arguments = source.function.body.arguments

    def origins(self) -> dict[Value, Value]:
        """``Partitioner.origins`` with all layers."""
        given, whole = self._partitioner.origins, self._source.unfold()
        found = dict(given)
        for value, its, layer in self._pairs():
            origin = given.get(value)
            if origin is not None:
                found[its] = whole.counterpart(origin, layer)
        # Layers near the splice point have origins in layers on the other side, and now in layers that were left out.
        for value, origin in given.items():
            reference = self._source.splice.reference_layer_of_value(value)
            if reference is not None:
                found[value] = whole.counterpart(origin, reference)
        return found

    def chosen_layouts(self) -> dict[Value, Layout]:
        """``Partitioner.chosen_layouts`` with all layers."""
        left = dict(self._partitioner.chosen_layouts)
        for value, its, _ in self._pairs():
            layout = left.get(value)
            if layout is not None:
                left[its] = layout
        return left

    def tensors(self) -> dict[Value, Sharded]:
        """``Partitioner.env`` with all layers: what each value has become, in all its versions."""
        found = dict(self._partitioner.env)
        known: dict[tuple[Sharded, int], Sharded] = {}
        # A tensor that the template and its counterpart above share is one for all layers. A value that is in versions
        # of both is one for all, too.
        folded = self._source.folded
        made = zip(self._made_by(folded.below), self._made_by(folded.end), strict=True)
        pairs = [(found[value], found[its]) for value, its in made if value in found and its in found]
        of_all = {tensor for tensor, other in pairs if tensor is other}
        shared = {
            one.value
            for tensor, other in pairs
            for one, its in zip(tensor.versions, other.versions, strict=False)
            if one.value is its.value
        }
        for value, its, layer in self._pairs():
            tensor = found.get(value)
            if tensor is not None:
                found[its] = tensor if tensor in of_all else self._counterpart(tensor, layer, known, shared)
        near = [(value, layer) for value, layer in self._near() if value in found]
        found.update(
            [
                (value, self._counterpart(found[value], layer, known, shared))
                for value, layer in near
                if found[value] not in of_all
            ]
        )
        return found

    def _counterpart(
        self, tensor: Sharded, layer: int, known: dict[tuple[Sharded, int], Sharded], shared: Set[Value]
    ) -> Sharded:
        """The counterpart of ``tensor`` if ``layer`` were in the place of the template; ``shared`` values are those of
        all layers, and ``known`` the tensors that have been made."""
        made = known.get((tensor, layer))
        if made is None:
            versions: list[Sharded] = []
            for one in tensor.versions:
                value = one.value if one.value in shared else self._unfolded().counterpart(one.value, layer)
                known[one, layer] = Sharded(value, one.type, one.layout, one.recipe, versions)
            made = known[tensor, layer]
        return made

    def _pairs(self) -> Iterator[tuple[Value, Value, int]]:
        """For each layer that was left out, and each value of it: (counterpart in the template, value, layer)."""
        folded = self._source.folded
        for layer in range(folded.first, folded.end):
            yield from zip(self._made_by(folded.below), self._made_by(layer), repeat(layer))
        for family, index, layer in self._source.splice.arguments_left_out():
            yield self._arguments[family], self._arguments[index], layer

    def _made_by(self, layer: int) -> Iterator[Value]:
        """The values of ``layer`` in the propagated program, which is unfolded: results, arguments of regions, and
        results in regions."""
        for series in range(len(self._source.splice.template)):
            for op in self._source.unfold().rows[series, layer]:
                if not op.regions:
                    yield from op.results
                    continue
                for inner in op.operations():
                    yield from values_inside(inner)

    def _near(self) -> Iterator[tuple[Value, int]]:
        """The values of layers near the splice point, with their reference layers. Their readers may have brought them
        into other layouts; where a reader was on the other side of the splice point, the version belongs now to a layer
        that was left out. Versions made of versions may be farther away than readers are."""
        folded, arguments = self._source.folded, self._source.splice.arguments_kept()
        reach = max(self._splice.reach, self._source.splice.reach)
        near = sorted({layer for _, layer in self._source.splice.parts})
        for layers in (
            [layer for layer in reversed(near) if layer < folded.first],
            [layer for layer in near if layer >= folded.end],
        ):
            reference = self._source.splice.reference_layer_at(layers[0])
            for distance, layer in enumerate(layers):
                values = [*self._made_by(layer), *(self._arguments[index] for index in arguments.get(layer, ()))]
                if distance >= reach and not any(map(self._has_version_across, values)):
                    break
                yield from zip(values, repeat(reference))

    def _has_version_across(self, value: Value) -> bool:
        """Whether versions of ``value`` are on both sides of the splice point."""
        tensor, below = self._partitioner.env.get(value), self._splice.below
        if tensor is None or len(tensor.versions) < 2:
            return False
        made = [one.value.defining_op for one in tensor.versions]
        found = [self._splice.position_if_alike(op) for op in made if op is not None]
        layers = [position.layer for position in found if position is not None]
        return bool(layers) and min(layers) <= below < max(layers)
