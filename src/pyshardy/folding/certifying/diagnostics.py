"""Certificate of diagnostics: what is said about a folded program is what would be said about all layers.

Most warnings are given once, at the first operation that gives rise to them: an operation without a sharding rule, or
a custom call that every device runs whole. ``FoldedDiagnostics`` gives them the positions that operations have in the
source, and tests of each that

- it is not about the template or its counterpart above the splice point: then the layers that were left out, which are
  like these, give rise to nothing new;
- it is about an operation in front of all layers that were left out; or it quotes none, and no series is sorted: then
  nothing that was left out comes first.

Quotations number values from the beginning, and copies of constant computations stand in front of the layers
(``constant_copies``), those for layers that were left out, too. So numbers are raised by as many as these have.
"""

from __future__ import annotations

import re

from pyshardy.dialects.sdy.shared_constants import is_shared_constant
from pyshardy.folding.certifying.constant_copies import copied_locations, home_of_readers
from pyshardy.folding.folded import Folded
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.locations import Location
from pyshardy.ir.printing.naming import Names
from pyshardy.ir.verifying.operation_diagnostics import quotes_operation

_NAME = re.compile(r"%[\w$.-]+")


class FoldedDiagnostics:
    """What is said in ``context`` about what becomes of ``folded``."""

    def __init__(self, folded: Folded, context: Context) -> None:
        self._folded = folded
        self._context = context
        self._locations: dict[int, int | Location | None] = {}
        """The location that the position of each diagnostic was asked for last, by the number of the diagnostic."""
        self._unknown: list[Diagnostic] = []
        """Those that quote values whose numbers with all layers are not known."""
        context.origin = self._origin
        context.handler = self._renumber

    def _origin(self, location: int | Location | None) -> int | Location | None:
        self._locations[len(self._context.diagnostics)] = location
        return self._folded.location(location)

    def match_whole_program(self) -> bool:
        """Whether all that has been said would be said about the program with all layers, and nothing else."""
        said = enumerate(self._context.diagnostics)
        return all(self._is_known(one, self._locations.get(number)) for number, one in said)

    def _is_known(self, diagnostic: Diagnostic, location: int | Location | None) -> bool:
        folded, layers = self._folded, self._folded.layers
        number = folded.number_of_origin(location)
        if number is None or diagnostic.severity == "error" or diagnostic in self._unknown:
            return False
        if self._context.position(location) != diagnostic.position:
            return False
        left_out = range(folded.first, folded.end)
        if number > min(one.begin_of(layer) for one in layers.series for layer in left_out) and (
            any(one.order for one in layers.series) or any(map(quotes_operation, diagnostic.notes))
        ):
            return False
        return layers.layer(number) not in (folded.below, folded.end)

    def _renumber(self, diagnostic: Diagnostic) -> None:
        """Gives values that ``diagnostic`` quotes the numbers that they have now with all layers."""
        quotations = [note for note in diagnostic.notes if quotes_operation(note)]
        numbers = self._names_with_all_layers() if quotations else {}
        for note in quotations:
            if not numbers.keys() >= {*_NAME.findall(note.message)}:
                self._unknown.append(diagnostic)
            note.message = _NAME.sub(lambda name: numbers.get(name[0], name[0]), note.message)

    def _names_with_all_layers(self) -> dict[str, str]:
        """For each name of a value of the function, as far as it is known, the one that it has with all layers."""
        folded = self._folded
        block = folded.function.body
        operations = block.operations()
        values = Names(folded.function).values
        found = {values[argument]: values[argument] for argument in block.arguments}
        homes = {op: home for op in operations if (home := folded.home(op.location)) is not None}
        # As long as it is not known which layer reads which copy, neither are numbers behind the first of them.
        unknown = copied_locations(op for op in operations if op not in homes)
        for op in reversed(operations):
            home = home_of_readers(op, homes) if op not in homes and is_shared_constant(op) else None
            if home is not None:
                homes[op] = home
        next_number = 0
        for op in operations:
            if op not in homes and op.location in unknown:
                break
            layer = homes[op][1] if op in homes else None
            for name in dict.fromkeys(values[result].partition("#")[0] for result in op.results):
                # What is copied has numbers, so other names are those of all layers.
                found[name] = f"%{next_number}" if name[1:].isdecimal() else name
                next_number += folded.times(layer) if name[1:].isdecimal() else 0
        return found
