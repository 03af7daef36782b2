"""Searches strategies for random programs: `python -m tests.searching.fuzz 100`.

The programs are those of `tests.generator`, with shardings, constraints, reshards, private functions and manual
computations. Each search is short. It holds that a search never fails where the program can be partitioned; that its
file, read again and applied, costs to the last digit what was shown; that strategies are scored as by an evaluator that
shares nothing and takes no shortcut; that the file has few lines; and that the program
partitioned so computes what it did, as it is and made small, where `tests.partitioning.fuzz` calls that defined. Prints
what is wrong, and the counts; exits with status 1 if anything is. `make fuzz-search N=200` runs it.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
import traceback
from collections import Counter
from contextlib import suppress

from pyshardy import PyshardyError, parse, partition, search
from pyshardy.api.search import SearchResult
from pyshardy.checking.check import TooLarge
from pyshardy.checking.small_program import NotSmaller
from pyshardy.interpreter.element_types import UnsupportedType
from pyshardy.ir import shortcuts
from pyshardy.searching import search as room
from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.sharding_lines import MOST_LINES
from pyshardy.searching.workers import score_of
from tests.generator import random_program
from tests.partitioning.fuzz import FEATURES, is_defined

_HARDWARE, _MESH, _EVALUATIONS = "h100", {"a": 2, "b": 2}, 14
_OF_THE_PROGRAM = re.compile(r'"(\w+)"=(\d+)')


def mesh_for(text: str) -> dict[str, int]:
    """The mesh to search on: that of the program where a manual computation needs it."""
    first = re.search(r"sdy\.mesh @\S+ = <\[(.*?)\]", text)
    if "sdy.manual_computation" not in text or first is None:
        return _MESH
    return {name: int(size) for name, size in _OF_THE_PROGRAM.findall(first[1])}


def try_search(seed: int) -> tuple[str, str]:
    """What came of the random program ``seed``: a word, and what is wrong if something is."""
    text = random_program(seed, FEATURES)
    room._FEWEST_EVALUATIONS = _EVALUATIONS
    try:
        found = search(parse(text), _HARDWARE, mesh=mesh_for(text), seconds=1)
    except (PyshardyError, ValueError) as error:
        return _refused(text, str(error))
    except Exception:
        return "crash", traceback.format_exc(limit=-4)
    try:
        return _held(text, found)
    except Exception:
        return "crash", traceback.format_exc(limit=-4)


def _refused(text: str, reason: str) -> tuple[str, str]:
    """A program that cannot be partitioned as it stands, or that is on several meshes, may be refused."""
    if "several meshes" in reason:
        return "on several meshes", ""
    try:
        partition(parse(text))
    except PyshardyError:
        return "cannot be partitioned", ""
    return "refused", reason


def _held(text: str, found: SearchResult) -> tuple[str, str]:
    tables = tomllib.loads(found.text)
    if tables != found.tables:
        return "another file", f"{tables} is written for {found.tables}"
    if len(tables["shardings"]) > MOST_LINES:
        return "too long", found.text
    module = parse(text)
    module.apply_shardings(tables)
    plan = partition(module)
    again = plan.cost(_HARDWARE).step_seconds.expected
    if again != found.cost.step_seconds.expected:
        return "another cost", f"{again} is not {found.cost.step_seconds.expected}:\n{found.text}"
    found.as_json(with_gains=True)
    wrong = _scored_otherwise(found)
    if wrong:
        return "another score", wrong
    plans = [plan]
    with suppress(NotSmaller):
        plans.append(partition(module.made_small()))
    for one in plans:
        try:
            report = one.check()
        except (PyshardyError, TooLarge, UnsupportedType):
            return "found, not run", ""
        if report.differs and is_defined(parse(text)):
            return "differs", f"{report!r}\n{found.text}\n{one.source}"
    return "found", ""


def _scored_otherwise(found: SearchResult) -> str:
    """What an evaluator that shares nothing with others, and takes no shortcut, says otherwise of the first strategies
    and of the last; nothing if nothing."""
    result = found._result
    for one in (*result.tried[:3], *result.tried[-2:]):
        layouts = one.layouts
        with shortcuts.without_shortcuts():
            evaluator = Evaluator(result.space.short, result.hardware)
            choice = result.choice if one.is_chosen else None
            score = score_of(result.space, evaluator, layouts, choice=choice)
        if score != one.score:
            return f"{score} is not {one.score}: {layouts}"
    return ""


_FINE = frozenset({"found", "found, not run", "cannot be partitioned", "on several meshes"})


def main(count: int, start: int) -> int:
    """Tries so many seeds; the exit code."""
    counts: Counter[str] = Counter()
    for seed in range(start, start + count):
        word, wrong = try_search(seed)
        counts[word] += 1
        if word not in _FINE:
            print(f"seed {seed}: {word}: {wrong}", flush=True)
    print(", ".join(f"{number} {word}" for word, number in counts.most_common()))
    return 0 if set(counts) <= _FINE else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--start", type=int, default=0)
    given = parser.parse_args()
    sys.exit(main(given.count, given.start))
