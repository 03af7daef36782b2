"""Certificate of diagnostics: what is said about a folded program is what would be said about all layers.

Most warnings are given once, at the first operation that gives rise to them: an operation without a sharding rule, or
a custom call that every device runs whole. ``FoldedDiagnostics`` gives them the positions that operations have in the
source, and tests of each that

- it is not about the template or its counterpart above the splice point: then the layers that were left out, which are
  like these, give rise to nothing new;
- it is about an operation in front of all layers that were left out; or it quotes none (quotations number values from
  the beginning), and no series is sorted: then nothing that was left out comes first.
"""

from __future__ import annotations

from pyshardy.folding.folded import Folded
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.locations import Location
from pyshardy.ir.operation_diagnostics import quotes_operation


class FoldedDiagnostics:
    """What is said in ``context`` about what becomes of ``folded``."""

    def __init__(self, folded: Folded, context: Context) -> None:
        self._folded = folded
        self._context = context
        self._locations: dict[int, int | Location | None] = {}
        """The location that the position of each diagnostic was asked for last, by the number of the diagnostic."""
        context.origin = self._origin

    def _origin(self, location: int | Location | None) -> int | Location | None:
        self._locations[len(self._context.diagnostics)] = location
        return self._folded.location(location)

    def are_those_of_all_layers(self) -> bool:
        """Whether all that has been said would be said about the program with all layers, and nothing else."""
        said = enumerate(self._context.diagnostics)
        return all(self._is_known(one, self._locations.get(number)) for number, one in said)

    def _is_known(self, diagnostic: Diagnostic, location: int | Location | None) -> bool:
        folded, layers = self._folded, self._folded.layers
        number = folded.number_of_origin(location)
        if number is None or diagnostic.severity == "error":
            return False
        if self._context.position(location) != diagnostic.position:
            return False
        left_out = range(folded.first, folded.end)
        if number > min(one.begin_of(layer) for one in layers.series for layer in left_out) and (
            any(one.order for one in layers.series) or any(map(quotes_operation, diagnostic.notes))
        ):
            return False
        return layers.layer(number) not in (folded.below, folded.end)
