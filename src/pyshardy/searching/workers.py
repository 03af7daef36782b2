"""Evaluations in other processes, or on other machines, through any executor of the ``concurrent.futures`` interface.

Only plain values are sent: the text of the program and the hardware with each task, layouts, and scores back. A process
keeps the program that it has parsed, so that each process parses it once.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import pickle
import signal
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.ir.collector import collected_seldom
from pyshardy.ir.context import Context
from pyshardy.ir.parsing.parser import parse_module
from pyshardy.ir.progress import Check
from pyshardy.ir.source_text import SourceText
from pyshardy.module import Module
from pyshardy.plugins import load_missing, loaded_files
from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.plan_choice import PlanChoice
from pyshardy.searching.scoring import Score
from pyshardy.searching.short_program import short_program
from pyshardy.searching.space import Layouts, Space
from pyshardy.sharding.mesh import Mesh

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

_CHUNK = 4
_MOST_KEPT = 4

_kept: dict[str, tuple[Space, Evaluator]] = {}
_one_at_a_time = Lock()
"""Protects the programs that a worker keeps: they are not thread-safe, and Python runs one thread at a time anyway."""
_stop: Event | None = None


class WorkerProblem(ValueError):
    """A worker has failed; the message says why."""


class Job(NamedTuple):
    """The input of a worker: the program and the hardware, packed, and their digest, the key under which a worker keeps
    them."""

    digest: str
    packed: bytes


def job_of(text: str, hardware: Hardware, kept: Sequence[tuple[str, int]]) -> Job:
    """The job for the program ``text``, of which the arguments and results ``kept`` keep their shardings."""
    packed = zlib.compress(pickle.dumps((text, hardware, tuple(kept), loaded_files())), 1)
    return Job(hashlib.sha256(packed).hexdigest(), packed)


def forget(job: Job) -> None:
    """Drops the parsed program of ``job`` that threads of this process have kept."""
    _kept.pop(job.digest, None)


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """A pool of ``count`` worker processes. When the context ends, even by an exception, each ends after its current
    evaluation."""
    stop = multiprocessing.Event()
    pool = ProcessPoolExecutor(count, initializer=_begin, initargs=(stop,))
    try:
        yield pool
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _begin(stop: Event) -> None:
    """The initializer of a worker process: it ignores Ctrl-C, which the parent process handles."""
    global _stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stop = stop


def scores_in_worker(job: Job, listed: Sequence[Layouts], choice: PlanChoice | None = None) -> list[Score | None]:
    """The task of a worker: the scores of ``listed``, by the first candidate plan or by that of ``choice``.

    Raises:
        WorkerProblem: something went wrong; other errors do not all find their way from process to process.
    """
    try:
        with _one_at_a_time:
            if job.digest not in _kept:
                while len(_kept) >= _MOST_KEPT:
                    del _kept[next(iter(_kept))]
                _kept[job.digest] = _read(job)
            return scores(*_kept[job.digest], listed, choice)
    except Exception as error:
        words = " ".join(str(error).split())
        raise WorkerProblem(f"{type(error).__name__}{words and ': '}{words}") from error


def _read(job: Job) -> tuple[Space, Evaluator]:
    text, hardware, kept, plugins = pickle.loads(zlib.decompress(job.packed))
    load_missing(plugins)
    context = Context(SourceText(text, "-"), allow_unregistered=True)
    # It has been verified; verifying again would fail, since open constraints may be on a mesh that only strategies
    # add.
    parsed = parse_module(context)
    short = short_program(Module(parsed.op, context, parsed.resources))
    return Space(short, frozenset(kept)), Evaluator(short, hardware)


def scores(
    space: Space, evaluator: Evaluator, listed: Sequence[Layouts], choice: PlanChoice | None = None
) -> list[Score | None]:
    """The scores of ``listed``, one after the other; none any more once the caller has stopped waiting."""
    return [
        None if _stop is not None and _stop.is_set() else score_of(space, evaluator, one, choice=choice)
        for one in listed
    ]


def score_of(
    space: Space, evaluator: Evaluator, one: Layouts, check: Check | None = None, choice: PlanChoice | None = None
) -> Score | None:
    """The score of ``one``, by the first candidate plan or by that of ``choice``; what ``check`` raises ends the
    evaluation."""
    with collected_seldom():
        return evaluator.score(Mesh(dict(one.mesh)), space.boundary(one), one.inner, check, choice)


def scores_by(
    executor: Executor, job: Job, listed: Sequence[Layouts], choice: PlanChoice | None = None
) -> list[Score | None]:
    """The scores of ``listed`` by workers, in their order.

    Raises:
        WorkerProblem: a worker has failed, or is gone.
    """
    size = _CHUNK if choice is None else 1
    chunks = [listed[begin : begin + size] for begin in range(0, len(listed), size)]
    waiting = []
    try:
        for chunk in chunks:
            waiting.append(executor.submit(scores_in_worker, job, tuple(chunk), choice))
        return [one for future in waiting for one in future.result()]
    except BrokenExecutor as error:
        raise WorkerProblem(
            "a worker process has ended while it was searching, killed or out of memory: try fewer workers"
        ) from error
    except WorkerProblem as error:
        raise WorkerProblem(f"a worker has failed: {error}") from error
    except Exception as error:
        words = " ".join(str(error).split())
        raise WorkerProblem(f"no worker answers: {type(error).__name__}{words and ': '}{words}") from error
    finally:
        for future in waiting:
            future.cancel()
