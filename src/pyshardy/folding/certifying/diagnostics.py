"""Certificate of diagnostics: what is said about a folded program is what would be said about all layers.

Most warnings are given once, at the first operation that gives rise to them: an operation without a sharding rule, or
a custom call that every device runs whole. ``FoldedDiagnostics`` gives them the positions that operations have in the
source, and tests of each that

- it is not about the template or its counterpart above the splice point: then the layers that were left out, which are
  like these, give rise to nothing new;
- no layer that was left out of a sorted series stands before it in the text: it might give rise to the diagnostic
  first. In a plain series the template, or its counterpart, comes before these;
- what it quotes has numbers that are known. Quotations number values from the beginning, and copies of constant
  computations stand in front of the layers (``constant_copies``), those for layers that were left out, too. So numbers
  are raised by as many as these have, and behind layers that were left out by theirs. In an isolated computation, which
  passes have put in the place of a call, they begin anew.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import ClassVar

from pyshardy.dialects.sdy.shared_constants import is_shared_constant
from pyshardy.folding.certifying.constant_copies import copied_locations, home_of_readers
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.locations import Location
from pyshardy.ir.opdef import ISOLATED
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.printing.naming import Names
from pyshardy.ir.verifying.operation_diagnostics import quotes_operation


class OtherDiagnostics(NoCertificate):
    """It is not certain that the whole program would give the same diagnostics."""

    WHY: ClassVar[str] = "with all layers other diagnostics might be given"

    def __init__(self) -> None:
        super().__init__(self.WHY)


_NAME = re.compile(r"%[\w$.-]+")


class FoldedDiagnostics:
    """The diagnostics in ``context`` about the program that passes make of ``folded``."""

    def __init__(self, folded: Folded, context: Context) -> None:
        self._folded = folded
        self._context = context
        self._locations: dict[int, int | Location | None] = {}
        """The location that the position of each diagnostic was asked for last, by the number of the diagnostic."""
        self._unknown: list[Diagnostic] = []
        """Those that quote values whose numbers with all layers are not known."""
        self._numbers: dict[int, int | None] = {}
        """The number of the operation of the function that each diagnostic is about, or about what is in it."""
        self.is_strict = False
        """Whether a diagnostic that the whole program might not give ends the run of passes: the rest of it would be
        work for nothing."""
        self.ended_run = False
        context.origin = self._origin
        context.handler = self._note

    def _origin(self, location: int | Location | None) -> int | Location | None:
        self._locations[len(self._context.diagnostics)] = location
        return self._folded.location(location)

    def match_whole_program(self) -> bool:
        """Whether all that has been said would be said about the program with all layers, and nothing else."""
        return all(itertools.starmap(self._is_known, enumerate(self._context.diagnostics)))

    def _is_known(self, which: int, diagnostic: Diagnostic) -> bool:
        folded, layers = self._folded, self._folded.layers
        location, number = self._locations.get(which), self._numbers.get(which)
        if number is None or diagnostic.severity == "error" or diagnostic in self._unknown:
            return False
        if self._context.position(location) != diagnostic.position:
            return False
        left_out = range(folded.first, folded.end)
        if any(one.order and number > min(map(one.begin_of, left_out)) for one in layers.series):
            return False
        return layers.layer(number) not in (folded.below, folded.end)

    def _note(self, diagnostic: Diagnostic) -> None:
        """Notes what ``diagnostic``, the last one, is about.

        Raises:
            PassFailure: it ends the run.
        """
        which = len(self._context.diagnostics) - 1
        self._renumber(which, diagnostic)
        if self.is_strict and not self._is_known(which, diagnostic):
            self.ended_run = True
            raise PassFailure

    def _renumber(self, which: int, diagnostic: Diagnostic) -> None:
        """Gives values that ``diagnostic`` quotes the numbers that they have now with all layers."""
        location = self._locations.get(which)
        number = self._numbers[which] = self._folded.number_of_origin(location)
        quotations = [note for note in diagnostic.notes if quotes_operation(note)]
        around = self._around_isolated(location) if quotations else None
        if around is not None:
            if number is None:
                self._numbers[which] = self._folded.number_of_origin(around.location)
            return
        numbers = self._names_with_all_layers() if quotations else {}
        for note in quotations:
            if not numbers.keys() >= {*_NAME.findall(note.message)}:
                self._unknown.append(diagnostic)
            note.message = _NAME.sub(lambda name: numbers.get(name[0], name[0]), note.message)

    def _around_isolated(self, location: int | Location | None) -> Operation | None:
        """The operation of the function around the first one with this ``location``, if that stands in an isolated
        computation: its values are numbered apart from those of the function. None if it does not.

        The computation may come from a function that all layers call. Diagnostics that are given once are about the
        first operation, and the copies of it in later calls look the same."""
        function = self._folded.function
        for op in function.body:
            for inner in op.operations() if op.regions else (op,):
                if inner.location == location:
                    within = itertools.takewhile(lambda one: one is not function, inner.ancestors())
                    return op if any(one.traits & ISOLATED for one in within) else None
        return None

    def _names_with_all_layers(self) -> dict[str, str]:
        """For each name of a value of the function, as far as it is known, the one that it has with all layers. Behind
        layers that were left out only numbers are known, and none if these are of a sorted series."""
        folded = self._folded
        block = folded.function.body
        operations = block.operations()
        values = Names(folded.function).values
        found = {values[argument]: values[argument] for argument in block.arguments}
        homes = {op: home for op in operations if (home := folded.home(op.location)) is not None}
        computed = _computed_from_constants(operations)
        copied = copied_locations(op for op in computed if op not in homes)
        for op in reversed(operations):
            is_copy = op in computed and (op.location in copied or is_shared_constant(op))
            home = home_of_readers(op, homes) if op not in homes and is_copy else None
            if home is not None:
                homes[op] = home
        next_number, is_behind = 0, False
        for op in operations:
            home = homes.get(op)
            times = folded.times(None if home is None else home.layer)
            # Where it is not known which layer reads which copy, neither are numbers behind the first of them.
            if (home is None and op in computed and op.location in copied) or (
                home is not None and times > 1 and folded.series[home.series].order
            ):
                break
            for name in dict.fromkeys(values[result].partition("#")[0] for result in op.results):
                is_number = name[1:].isdecimal()
                if is_number or not is_behind:
                    found[name] = f"%{next_number}" if is_number else name
                next_number += times if is_number else 0
            # Copies of constants have numbers, which do not count for other names.
            own = folded.home(op.location)
            is_behind |= times > 1 and own is not None and own[0] < len(folded.layers.series)
        return found


def _computed_from_constants(operations: Iterable[Operation]) -> dict[Operation, None]:
    """Those of ``operations``, all of a block in order, that depend on no argument: only of these do passes make
    copies."""
    found: dict[Operation, None] = {}
    for op in operations:
        if all(value.defining_op in found for value in op.operands):
            found[op] = None
    return found
