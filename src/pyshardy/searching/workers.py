"""Evaluations in other processes, or on other machines: through an executor of ``concurrent.futures``, whoever's it is.

What is sent is plain: the text of the program and the hardware once a task, layouts, and figures back. A process that
has read the program keeps it, so that each reads it once.
"""

from __future__ import annotations

import hashlib
import pickle
import zlib
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import NamedTuple

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.ir.context import Context
from pyshardy.ir.source_text import SourceText
from pyshardy.module import Module, parse_in
from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.scoring import Score
from pyshardy.searching.short_program import short_program
from pyshardy.searching.space import Layouts, Space
from pyshardy.sharding.mesh import Mesh

_CHUNK = 4
_MOST_KEPT = 4

_kept: dict[str, tuple[Space, Evaluator]] = {}


class Job(NamedTuple):
    """What a worker has to know: the program and the hardware, packed, and a digest by which it finds them again."""

    digest: str
    packed: bytes


def job_of(text: str, hardware: Hardware, kept: Sequence[tuple[str, int]]) -> Job:
    """The job for the program ``text``, of which the arguments and results ``kept`` are not up for discussion."""
    packed = zlib.compress(pickle.dumps((text, hardware, tuple(kept))), 1)
    return Job(hashlib.sha256(packed).hexdigest(), packed)


def scores_in_worker(job: Job, listed: Sequence[Layouts]) -> list[Score | None]:
    """What a worker answers: the scores of ``listed``."""
    if job.digest not in _kept:
        while len(_kept) >= _MOST_KEPT:
            del _kept[next(iter(_kept))]
        text, hardware, kept = pickle.loads(zlib.decompress(job.packed))
        context = Context(SourceText(text, "-"), allow_unregistered=True)
        short = short_program(parse_in(context, Module))
        space = Space(short, frozenset(kept))
        _kept[job.digest] = space, Evaluator(short, hardware)
    return scores(*_kept[job.digest], listed)


def scores(space: Space, evaluator: Evaluator, listed: Sequence[Layouts]) -> list[Score | None]:
    """The scores of ``listed``, one after the other."""
    return [evaluator.score(Mesh(dict(one.mesh)), space.boundary(one), one.inner) for one in listed]


def scores_by(executor: Executor, job: Job, listed: Sequence[Layouts]) -> list[Score | None]:
    """The scores of ``listed`` by workers, in their order."""
    chunks = [listed[begin : begin + _CHUNK] for begin in range(0, len(listed), _CHUNK)]
    waiting = [executor.submit(scores_in_worker, job, tuple(chunk)) for chunk in chunks]
    return [one for future in waiting for one in future.result()]
