"""The scheduler: one piece of work at a time, quick work first, and garbage collected when no work waits."""

from __future__ import annotations

import subprocess
import sys
import time
from threading import Event, Thread

import pytest

from pyshardy.workbench import scheduling
from pyshardy.workbench.scheduling import Cancelled, Scheduler


def started(function: object) -> Thread:
    thread = Thread(target=function, daemon=True)  # type: ignore[arg-type]
    thread.start()
    return thread


def test_what_is_quick_goes_before_what_is_long() -> None:
    own, order, begun = Scheduler(), list[str](), Event()

    def hold() -> None:
        with own.quick():
            begun.set()
            time.sleep(0.2)
            order.append("first")

    def take(name: str) -> None:
        with own.after_quick() if name == "long" else own.quick():
            order.append(name)

    threads = [started(hold)]
    assert begun.wait(10)
    threads.append(started(lambda: take("long")))
    time.sleep(0.05)
    threads.append(started(lambda: take("quick")))
    for one in threads:
        one.join(10)
    assert order == ["first", "quick", "long"]


def test_nothing_long_begins_while_something_quick_is_coming() -> None:
    own, order = Scheduler(), list[str]()

    def long() -> None:
        with own.after_quick():
            order.append("long")

    with own.announcing_quick():
        thread = started(long)
        time.sleep(0.1)
        with own.quick():
            order.append("quick")
    thread.join(10)
    assert order == ["quick", "long"]


def test_long_work_makes_way_and_is_begun_anew_or_given_up() -> None:
    own, runs, wanted = Scheduler(), list[int](), [True]

    def work(check: object) -> str:
        runs.append(len(runs))
        end = time.monotonic() + (10 if len(runs) == 1 else 0)
        while time.monotonic() < end:
            check()  # type: ignore[operator]
            time.sleep(0.001)
        return "made"

    def check() -> None:
        if not wanted[0]:
            raise Cancelled

    found: list[str] = []
    thread = started(lambda: found.append(own.long(work, check)))
    while not runs:
        time.sleep(0.001)
    with own.quick():
        assert runs == [0]
    thread.join(10)
    assert found == ["made"] and runs == [0, 1]
    wanted[0] = False
    with pytest.raises(Cancelled):
        own.long(work, check)
    assert runs == [0, 1]


def test_others_come_first_in_the_middle_of_a_long_turn() -> None:
    own, order, inside = Scheduler(), list[str](), Event()

    def long() -> None:
        with own.after_quick():
            inside.set()
            end = time.monotonic() + 10
            while "quick" not in order and time.monotonic() < end:
                own.yield_to_quick()
            order.append("long")

    thread = started(long)
    assert inside.wait(10)
    with own.quick():
        order.append("quick")
    thread.join(10)
    assert order == ["quick", "long"]


def test_quick_work_does_not_wait_for_the_collection_of_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    own, tidied = Scheduler(), list[bool]()
    monkeypatch.setattr(scheduling, "tidy", lambda *, everything: tidied.append(everything))
    thread = started(lambda: own.collect_garbage(everything=True))
    time.sleep(0.1)
    with own.quick():
        pass
    thread.join(10)
    assert tidied == []
    own.collect_garbage(everything=True)
    assert tidied == [True]


def test_where_garbage_is_collected_by_hand_only_a_tidy_up_frees_it() -> None:
    """In a process of its own: it is a matter of the whole process."""
    program = """
import gc, weakref
from pyshardy.ir import collector

class Ring: pass

def ring(count):
    found = [Ring() for _ in range(count)]
    for one, other in zip(found, found[1:] + found[:1]):
        one.next = other
    return weakref.ref(found[0])

collector.tidy(everything=True)
assert gc.isenabled()
collector.collect_by_hand()
assert not gc.isenabled() and gc.get_freeze_count() > 1000
few = ring(10)
with collector.paused_collector():
    many = ring(100_000)
collector.collect_ended_programs()
assert few() is not None and many() is not None
collector.tidy()
assert few() is None and many() is None
few = ring(10)
collector.tidy()
assert few() is not None
collector.tidy(everything=True)
assert few() is None
print("freed")
"""
    found = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert (found.stdout, found.stderr) == ("freed\n", "")
