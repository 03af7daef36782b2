"""Runs ``interpreter.run_parallel`` and the communication of its programs: infeeds, outfeeds, sends and receives.

If all processes run one function they run in step. If they run different ones, may diverge before a collective, or wait
for each other by other means, each gets a thread and meets the others at the ``rendezvous``.
"""

from __future__ import annotations

import threading

import numpy as np

from pyshardy.dialects.control_flow import CONTROL_FLOW
from pyshardy.dialects.interpreter import infeed_names, program_names
from pyshardy.dialects.stablehlo.replica_groups import Groups
from pyshardy.interpreter import grid
from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.interpreter.frame import Frame, Machine
from pyshardy.interpreter.operations.sources import TOKEN
from pyshardy.interpreter.registry import evaluates
from pyshardy.interpreter.rendezvous import Rendezvous, Stopped
from pyshardy.ir.attributes import SymbolRefAttr
from pyshardy.ir.operation import Operation

_ALONE = frozenset(f"stablehlo.{name}" for name in ("infeed", "outfeed", "recv", "send"))


@evaluates("interpreter.run_parallel")
def run_parallel(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The functions of the grid on their own operands each, replica by replica; the results in the same order."""
    rows = program_names(op)
    names = [name for row in rows for name in row]
    machine = frame.machine.beside(grid.Grid(len(rows), len(rows[0])))
    machine.infeed = infeed_names(op)
    functions = [machine.function(name, op) for name in names]
    inputs: list[list[Array]] = []
    taken = 0
    for function in functions:
        count = len(function.body.arguments)
        inputs.append([value[:1] for value in operands[taken : taken + count]])
        taken += count
    if len(set(names)) == 1 and not _waits_otherwise(machine, functions[0]):
        return _in_step(machine, functions[0], inputs)
    return _in_threads(machine, functions, inputs)


def _waits_otherwise(machine: Machine, function: Operation, seen: frozenset[str] = frozenset()) -> bool:
    for op in function.walk():
        if op.name in _ALONE:
            return True
        if op.name in CONTROL_FLOW and any(machine.regions.needs(region).collective for region in op.regions):
            return True
        callee = op.get("callee")
        name = callee.root if isinstance(callee, SymbolRefAttr) else ""
        known = name in machine.symbols and name not in seen
        if known and _waits_otherwise(machine, machine.symbols[name], seen | {name}):
            return True
    return False


def _in_step(machine: Machine, function: Operation, inputs: list[list[Array]]) -> list[Array]:
    count = machine.grid.size
    stacked = [np.concatenate(values) for values in zip(*inputs, strict=True)]
    results = Frame(machine, count, np.arange(count), whole=True).run(function.body, stacked)
    return [value[min(process, len(value) - 1)][None] for process in range(count) for value in results]


def _in_threads(machine: Machine, functions: list[Operation], inputs: list[list[Array]]) -> list[Array]:
    count = machine.grid.size
    machine.rendezvous = Rendezvous(count)
    results: list[list[Array]] = [[] for _ in range(count)]
    failures: list[BaseException] = []

    def run(process: int) -> None:
        assert machine.rendezvous is not None
        failed = True
        try:
            with np.errstate(all="ignore"):
                results[process] = Frame(machine, 1, np.array([process])).run(functions[process].body, inputs[process])
            failed = False
        except Stopped:
            pass
        except BaseException as error:
            failures.append(error)
        finally:
            machine.rendezvous.finished(failed=failed)

    threads = [threading.Thread(target=run, args=(process,), daemon=True) for process in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return [value for process in results for value in process]


@evaluates("stablehlo.infeed")
def infeed(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """What the next function of the infeed returns, and a token."""
    machine = frame.machine
    if not machine.infeed:
        frame.fail(op, "cannot be interpreted: nothing is left in the infeed, which interpreter.run_parallel fills")
    function = machine.function(machine.infeed.pop(0), op)
    values = frame.nested().run(function.body, [])
    return values if len(values) == len(op.results) else [*values, TOKEN]


@evaluates("stablehlo.outfeed")
def outfeed(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    frame.machine.outfeed.append(operands[:-1])
    return [TOKEN]


@evaluates("stablehlo.send")
def send(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    process, rendezvous = _meeting(frame, op)
    for source, target in _pairs(frame, op) or [[-1, -1]]:
        if source in (process, -1):
            rendezvous.send(source, target, grid.channel(op), operands[:-1])
    return [TOKEN]


@evaluates("stablehlo.recv")
def recv(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    process, rendezvous = _meeting(frame, op)
    for source, target in _pairs(frame, op) or [[-1, -1]]:
        if target in (process, -1):
            return [*rendezvous.receive(op, source, target, grid.channel(op), frame.fail), TOKEN]
    shapes = [getattr(result.type, "shape", ()) for result in op.results[:-1]]
    zeros = [np.zeros((1, *shape), numpy_type(r.type)) for shape, r in zip(shapes, op.results, strict=False)]
    return [*zeros, TOKEN]


def _meeting(frame: Frame, op: Operation) -> tuple[int, Rendezvous]:
    rendezvous = frame.machine.rendezvous
    if rendezvous is None:
        frame.fail(op, "cannot be interpreted: there is no other process, which interpreter.run_parallel would start")
    return int(frame.devices[0]), rendezvous


def _pairs(frame: Frame, op: Operation) -> Groups:
    if op.get("source_target_pairs") is None:
        return []
    return grid.permutation_pairs(op, frame.machine.grid)
