"""Breaks partitions one place at a time and counts what the check catches: `python -m tests.checking.mutate 500`.

The programs are the examples, the JAX programs of the tests, and random ones until there are as many mutants as asked
for. A mutant counts if it changes any bit of any result, run as it is written on some random inputs; it is caught if
the check calls a result different, or the program cannot run. Prints the counts by kind of mistake and every
survivor; exits with status 1 if more than one in a hundred survives that changes more than the last digits. `make
mutate N=2000` runs it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pyshardy import PyshardyError, parse, partition
from pyshardy.checking.check import check_programs, programs_of
from pyshardy.checking.comparison import errors
from pyshardy.checking.inputs import UnknownInput, in_their_types
from pyshardy.checking.programs import Programs
from pyshardy.checking.shards import pieces
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.number_systems import AS_WRITTEN
from tests.checking.mutants import Mutant, count_mutants, mutants
from tests.partitioning.fuzz import is_defined, propagated_program

_EXAMPLES = Path(__file__).parents[2] / "examples"
_INPUTS_TRIED = 3
_MOST_SURVIVORS = 0.01
_LAST_DIGITS = 3e-6
_TINY = 1e-30


@dataclass(frozen=True)
class Survivor:
    """A mutant that changes a result and passes the check."""

    program: str
    mutant: Mutant
    change: float

    @property
    def is_equal(self) -> bool:
        """Whether it changes the last digits alone: over the reals it computes the same."""
        return self.change < _LAST_DIGITS

    def __str__(self) -> str:
        what = "the last digits only" if self.is_equal else f"{self.change:.1e} of the largest element"
        return f"{self.program}: {self.mutant.kind}, which changes {what}: {self.mutant.operation[:160]}"


@dataclass
class Tally:
    """What became of the mutants: by kind those that change a result, and of them the caught ones."""

    changing: Counter[str]
    caught: Counter[str]
    same: int
    survivors: list[Survivor]
    refused: list[str]

    @classmethod
    def empty(cls) -> Tally:
        return cls(Counter(), Counter(), 0, [], [])

    @property
    def total(self) -> int:
        return self.changing.total() + self.same


class Subject:
    """One program, its partition, and what that computes on a few random inputs."""

    def __init__(self, name: str, programs: Programs) -> None:
        self.name = name
        self.programs = programs
        self._inputs = [in_their_types(programs.function, programs.inputs(seed)) for seed in range(_INPUTS_TRIED)]
        self._right = [self._results(programs, seed) for seed in range(_INPUTS_TRIED)]

    def _results(self, programs: Programs, seed: int) -> list[Array]:
        return programs.run_local(self._inputs[seed], AS_WRITTEN, seed)

    def changes(self, mutant: Mutant) -> float | None:
        """By how much results differ at most on some inputs, relative to their largest element: 0 if no bit does; None
        if the mutant cannot run."""
        programs = replace(self.programs, local=mutant.module)
        largest = 0.0
        for seed in range(_INPUTS_TRIED):
            try:
                found = self._results(programs, seed)
            except PyshardyError:
                return None
            largest = max(largest, *map(self._change, range(len(found)), self._right[seed], found))
        return largest

    def _change(self, index: int, right: Array, found: Array) -> float:
        boundary = self.programs.results[index]
        shape = getattr(boundary.type, "shape", ())
        largest = 0.0
        for device, piece in enumerate(pieces(boundary.layout, shape, boundary.local_shape, len(found))):
            part = tuple(slice(0, one.stop - one.start) for one in piece)
            one, other = (np.ascontiguousarray(values[device][part]) for values in (right, found))
            if one.tobytes() != other.tobytes():
                # Bits of a zero or of a NaN may differ without any number that does.
                error = float(errors(one, other).max(initial=0.0))
                largest = max(largest, error, _TINY)
        return largest


def try_mutants(subject: Subject, chosen: Iterable[Mutant], tally: Tally) -> None:
    """Checks each of the ``chosen`` mutants, and the right program first."""
    try:
        refused = check_programs(subject.programs).differs
    except PyshardyError:
        # The interpreter does not know what something in it computes.
        return
    if refused:
        tally.refused.append(subject.name)
        return
    for mutant in chosen:
        changes = subject.changes(mutant)
        if changes is None:
            tally.changing[mutant.kind] += 1
            tally.caught[mutant.kind] += 1
        elif not changes:
            tally.same += 1
        else:
            tally.changing[mutant.kind] += 1
            try:
                caught = check_programs(replace(subject.programs, local=mutant.module, copies=mutant.copies)).differs
            except PyshardyError:
                caught = True
            if caught:
                tally.caught[mutant.kind] += 1
            else:
                tally.survivors.append(Survivor(subject.name, mutant, changes))


def sample(subject: Subject, count: int, seed: int) -> Iterator[Mutant]:
    """At most ``count`` mutants of the local program, spread over all."""
    total = count_mutants(subject.programs.local)
    wanted = set(np.random.default_rng(seed).permutation(total)[:count].tolist())
    return mutants(subject.programs.local, wanted)


def subjects(include_jax: bool = True) -> Iterator[Subject]:
    """The examples, the JAX programs of the tests, random programs without end."""
    for path in sorted(_EXAMPLES.glob("*.mlir")):
        yield Subject(path.stem, programs_of(partition(parse(path.read_text(), path.name))))
    if include_jax:
        from tests.differential.jax_programs import PROGRAMS

        for name, make in PROGRAMS.items():
            found = _subject(name, make())
            if found is not None:
                yield found
    seed = 0
    while True:
        found = _random_subject(seed)
        seed += 1
        if found is not None:
            yield found


def _subject(name: str, text: str) -> Subject | None:
    try:
        return Subject(name, programs_of(partition(parse(text, name))))
    except (PyshardyError, UnknownInput):
        return None


def _random_subject(seed: int) -> Subject | None:
    try:
        module = propagated_program(seed)
        plan = partition(module, propagated=True)
        if not is_defined(module):
            return None
        return Subject(f"random program {seed}", programs_of(plan))
    except (PyshardyError, UnknownInput):
        return None


def main() -> int:
    """Runs as told on the command line and returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.checking.mutate", description=__doc__)
    parser.add_argument("count", type=int, help="number of mutants")
    parser.add_argument("--each", type=int, default=12, metavar="N", help="at most N of one program (default: 12)")
    parser.add_argument("--seed", type=int, default=0, help="which of them")
    parser.add_argument("--only", metavar="NAME", help="only of this program")
    options = parser.parse_args()
    tally = Tally.empty()
    begun = time.perf_counter()
    programs = 0
    for subject in subjects():
        if tally.total >= options.count:
            break
        if options.only not in (None, subject.name):
            continue
        programs += 1
        before = len(tally.survivors)
        try_mutants(subject, sample(subject, options.each, options.seed + programs), tally)
        for survivor in tally.survivors[before:]:
            print(f"survives: {survivor}", flush=True)
        if options.only is not None:
            break
    for name in tally.refused:
        print(f"refused although right: {name}")
    for kind, count in sorted(tally.changing.items()):
        print(f"{kind}: {tally.caught[kind]} of {count} caught")
    changing, caught = tally.changing.total(), tally.caught.total()
    equal = sum(one.is_equal for one in tally.survivors)
    print(
        f"{tally.total} mutants of {programs} programs in {time.perf_counter() - begun:.0f} s: {tally.same} change "
        f"nothing, {caught} of {changing} others caught ({caught / max(1, changing):.2%}; of the survivors {equal} "
        f"change the last digits only, without them {caught / max(1, changing - equal):.2%}), "
        f"{len(tally.refused)} right programs refused"
    )
    return int(bool(tally.refused) or changing - equal - caught > _MOST_SURVIVORS * changing)


if __name__ == "__main__":
    sys.exit(main())
