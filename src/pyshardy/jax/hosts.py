"""Compares the partitioned programs of all processes before the first step.

Collectives of programs that differ would wait for each other for ever, without a message. Each process writes a
description of its program to the key-value store of ``jax.distributed``, the first one compares them, and all read the
result.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import jax
import jaxlib

from pyshardy.jax.partitioned import Partitioned
from pyshardy.jax.problems import JaxProblem

_CALLS = itertools.count()

_AFTER_THE_FIRST = 10.0
"""How many seconds the others wait longer than the first process, which says who is missing."""

_BEFORE_THE_FIRST_ENDS = 3.0
"""How many seconds the first process leaves the others to report a problem. If it ends as soon as it raises, JAX aborts
the processes that have lost its store, perhaps before they have printed anything."""


def check_processes(program: Partitioned, timeout: float = 60.0) -> None:
    """Compares ``program``, what ``compile`` gives, between all processes; every process calls this, in the same order
    if there are several programs. A single process is done at once.

    Raises:
        JaxProblem: in every process, if they hold different programs, meshes or versions of JAX, or if one of them has
            not come here within ``timeout`` seconds.
    """
    if jax.process_count() == 1:
        return
    client = _client()
    place = f"pyshardy/check_processes/{next(_CALLS)}"
    client.key_value_set(f"{place}/{jax.process_index()}", json.dumps(held(program)))
    if jax.process_index() == 0:
        verdict = _verdict(program.__name__, lambda key, seconds: _get(client, f"{place}/{key}", seconds), timeout)
        client.key_value_set(f"{place}/verdict", json.dumps(verdict))
    else:
        found = _get(client, f"{place}/verdict", timeout + _AFTER_THE_FIRST)
        verdict = (
            json.loads(found)
            if found is not None
            else f"process 0 has not said within {timeout + _AFTER_THE_FIRST:g} s whether all processes hold the same "
            f"plan of {program.__name__}: it has ended, or is busy with something else"
        )
    if verdict is not None:
        _wait_for_readers(client, place)
        raise JaxProblem(verdict)


def held(program: Partitioned) -> dict[str, str]:
    """What processes must have in common to run ``program`` together, by what it is called. Where lines of the program
    come from is no part of it."""
    exported, runnable = program.runnable.exported, program.runnable
    arguments = zip(runnable.names, exported.in_avals, program.in_shardings, runnable.donated, strict=True)
    results = zip(exported.out_avals, program.out_shardings, strict=True)
    return {
        "jax": f"{jax.__version__} with jaxlib {jaxlib.__version__}",
        "mesh": "" if program.mesh is None else f"{dict(program.mesh.shape)} of devices {_device_ids(program.mesh)}",
        "arguments": _digest([(name, str(aval), _spec(one), donated) for name, aval, one, donated in arguments]),
        "results": _digest([(str(aval), _spec(one)) for aval, one in results]),
        "program": _digest(exported.mlir_module()),
    }


def difference(name: str, processes: Sequence[Mapping[str, str]]) -> str | None:
    """What to say of processes that hold these, by number; None if that is the same."""
    apart = [number for number, one in enumerate(processes) if one != processes[0]]
    if not apart:
        return None
    first, other = processes[0], processes[apart[0]]
    words = ", ".join(
        f"{what} {other.get(what)} and not {first[what]}" for what in first if other.get(what) != first[what]
    )
    more = f"; {len(apart)} of {len(processes)} processes differ from process 0" if len(apart) > 1 else ""
    return (
        f"process {apart[0]} holds another plan of {name} than process 0, and their collectives would never meet: it "
        f"has {words}{more}. Start all processes with the same code, arguments and versions, or let them load one file "
        "(plan.save, pyshardy.jax.load)"
    )


def _verdict(name: str, get: Callable[[Any, float], str | None], timeout: float) -> str | None:
    end, found = time.monotonic() + timeout, []
    for number in range(jax.process_count()):
        text = get(number, max(end - time.monotonic(), 0.1))
        if text is None:
            return (
                f"process {number} of {jax.process_count()} has not said within {timeout:g} s which plan of {name} it "
                "holds: it has ended, or is busy with something else; its own output says which"
            )
        found.append(json.loads(text))
    return difference(name, found)


def _client() -> Any:
    # JAX has no public name for its key-value store.
    from jax._src.distributed import global_state

    return global_state.client


def _get(client: Any, key: str, seconds: float) -> str | None:
    try:
        found: str = client.blocking_key_value_get(key, int(seconds * 1000))
        return found
    except jax.errors.JaxRuntimeError as error:
        if "DEADLINE_EXCEEDED" not in str(error):
            raise
        return None


def _wait_for_readers(client: Any, place: str) -> None:
    """The store ends with process 0, which lets the others read, and report, first; if one never comes, the message
    says so."""
    with suppress(jax.errors.JaxRuntimeError):
        client.wait_at_barrier(f"{place}/read", int(_AFTER_THE_FIRST * 1000))
        if jax.process_index() == 0:
            time.sleep(_BEFORE_THE_FIRST_ENDS)


def _device_ids(mesh: Any) -> str:
    ids = [device.id for device in mesh.devices.flat]
    return str(ids) if len(ids) <= 16 else f"{ids[0]} to {ids[-1]}, {_digest(ids)}"


def _spec(sharding: Any) -> str:
    return str(getattr(sharding, "spec", None))


def _digest(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]
