"""Certificate: in which order all layers read a value that belongs to none of them.

Propagation and the partitioner go through the uses of a value in their order, so unfolding has to give the uses by
layers that were left out their places among those of the layers that were kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from pyshardy.folding.certifying.likeness import NeedsMoreLayers
from pyshardy.folding.certifying.parts import LayerPosition
from pyshardy.folding.certifying.splice_series import SpliceSeries
from pyshardy.folding.folded import NoCertificate
from pyshardy.ir.operation import Operation, Use, Value


class UsesLeftOut(NamedTuple):
    """A place in a list of uses where uses by ``layers``, which are left out, belong: for each layer the counterparts
    of ``uses``, the template's uses."""

    uses: list[Use]
    layers: Sequence[int]


class UseOrder:
    """Puts uses in the order that they have with all layers. ``positions`` are those of operations of layers, and
    ``near`` the folded numbers of the layers that are compared. Operations that are ``passed_over`` need no
    counterparts."""

    def __init__(
        self,
        series: SpliceSeries,
        positions: dict[Operation, LayerPosition],
        near: range,
        passed_over: Callable[[Operation], bool],
    ) -> None:
        self._series = series
        self._folded = series.folded
        self._positions = positions
        self._near = near
        self._passed_over = passed_over

    def of(self, value: Value) -> list[Use | UsesLeftOut]:
        """The uses of ``value``, which is in no layer or shared, in the order that they have with all layers.

        Raises:
            NeedsMoreLayers: the order is not known, but might be if more layers were kept.
            NoCertificate: the order is not known.
        """
        found: list[Use | UsesLeftOut] = []
        near = [self._folded.full_number(layer) for layer in self._near]
        for series, each in itertools.groupby(value._uses, lambda use: self._series.sorted_series_of(use[0])):
            if series is None:
                found += self._of_plain_series(each)
                continue
            for uses, layers in series.readers(list(each), near, self._folded.below):
                found += [UsesLeftOut(list(uses), layers)] if layers else uses
        return found

    def _of_plain_series(self, uses: Iterable[Use]) -> list[Use | UsesLeftOut]:
        """``uses``, none of them of sorted series, in the order that they have with all layers. Where the template has
        uses, those of the layers below, at and above the splice point have to follow each other upward or downward and
        to be alike; then those of the layers that are left out belong between. Uses that are passed over, if not at the
        splice point, count as part of those before them."""
        below = self._folded.below
        runs: list[tuple[int | None, list[Use], list[Hashable]]] = []
        at_splice = None, below, below + 1
        key: Hashable
        for use in uses:
            position = self._positions.get(use[0])
            key, layer = self._folded.family_returned(use) or (None, None)
            if position is not None:
                layer, key = position.layer, (position.series, position.operation, position.nested, use[1])
            if layer is None and runs and runs[-1][0] not in at_splice and self._passed_over(use[0]):
                runs[-1][1].append(use)
                continue
            if not runs or layer is None or runs[-1][0] != layer:
                runs.append((layer, [], []))
            runs[-1][1].append(use)
            runs[-1][2].append(key)
        layers, contents = [run[0] for run in runs], [run[2] for run in runs]
        found: list[Use | UsesLeftOut] = []
        for number, (layer, uses, _) in enumerate(runs):
            if layer != below:
                found += uses
                continue
            ascending = layers[number - 1 : number + 2] == [below - 1, below, below + 1]
            if not ascending and layers[number - 1 : number + 2] != [below + 1, below, below - 1]:
                raise NoCertificate("uses of a value do not go through layers one after the other")
            # The lowest and the highest layer may go on with uses of another series, in the other direction.
            own = contents[number]
            is_alike = contents[number - 1][-len(own) :] == own, contents[number + 1][: len(own)] == own
            if not all(is_alike):
                is_above_alike = is_alike[ascending]
                if is_above_alike:
                    raise NeedsMoreLayers(self._folded)
                raise NoCertificate("layers at the splice point use a value differently")
            between = range(self._folded.first, self._folded.end)
            left_out = UsesLeftOut(uses, between if ascending else between[::-1])
            found += (*uses, left_out) if ascending else (left_out, *uses)
        return found
