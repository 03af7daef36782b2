"""Runs blocks: the machine of one run, and frames with the values of the lanes that run a region together.

A value is an array with one leading axis for the lanes, of size 1 where all lanes agree: elementwise operations can
ignore devices, and a replicated value costs no more than on one device. The lanes of the outermost frame are the
devices; the body of a reduction runs with one lane for each element, a branch that only some devices take with theirs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, NoReturn, Protocol

import numpy as np

from pyshardy.interpreter.element_types import Array, DType, UnsupportedType, constant_array
from pyshardy.interpreter.exact.decisions import deciding_values
from pyshardy.interpreter.grid import Grid
from pyshardy.interpreter.number_systems import AS_WRITTEN, NumberSystem
from pyshardy.interpreter.regions import Regions
from pyshardy.interpreter.rendezvous import Rendezvous, Stopped
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.call_depth import room_for_calls
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.limits import limit
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Block, Operation, OpResult, Region, Value
from pyshardy.ir.printing.naming import Names
from pyshardy.ir.registry import is_ours
from pyshardy.ir.types import Type
from pyshardy.plugins import failure_text, place_of_failure

_ROOM_FOR = 100
"""For so many frames at once there is made room on Python's stack: functions may call themselves."""

Evaluator = Callable[["Frame", Operation, list[Array]], Sequence[Array]]
"""Computes the results of an operation, for the frame that runs it, from the values of its operands. Every value is an
array with one leading axis for the lanes (devices), of size 1 if it is the same on all. It never writes into an
operand."""


class Evaluators(Protocol):
    """Where a run finds them: see ``evaluation.Evaluation``."""

    def by_name(self, name: str, numbers: NumberSystem) -> Evaluator | None: ...

    def of(self, op: Operation, numbers: NumberSystem) -> Evaluator | None: ...


class OutOfTime(Exception):
    """The run was to be given up by now."""


class _BlockStep(NamedTuple):
    """One operation of a block, and the values that nobody needs after it."""

    op: Operation
    evaluate: Evaluator
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    dead: tuple[Value, ...]


class _BlockPlan(NamedTuple):
    steps: list[_BlockStep]
    unused_arguments: tuple[Value, ...]
    returned: tuple[Value, ...]


class Machine:
    """One run over ``module``: symbols, caches, the grid of processes, and what the run has recorded.

    ``rendezvous`` is where processes meet that run on their own instead of in step (``interpreter.run_parallel`` with
    different programs). ``probes`` holds the values that ``interpreter.probe`` saw, by id.
    """

    def __init__(
        self,
        module: Operation,
        context: Context,
        grid: Grid,
        resources: dict[str, str],
        evaluators: Evaluators,
        numbers: NumberSystem = AS_WRITTEN,
    ) -> None:
        self.module = module
        self.context = context
        self.grid = grid
        self.resources = resources
        self.symbols = {op.symbol_name: op for op in module.body if op.symbol_name is not None}
        self.numbers = numbers
        """What the run computes with."""
        self.must_end = False
        """Whether a loop that goes on and on ends the run with an error."""
        self.end: float | None = None
        """When the run is given up, by ``time.monotonic()``."""
        self._evaluators = evaluators
        self.rendezvous: Rendezvous | None = None
        self.infeed: list[str] = []
        self.outfeed: list[list[Array]] = []
        self.probes: dict[str, list[Array]] = {}
        self.probe_directory: str | None = None
        self.generator = np.random.default_rng(0)
        self._deciding: set[Value] | None = None
        self._plans: dict[Block, _BlockPlan] = {}
        self.regions = Regions(self.symbols)
        self._constants: dict[Operation, Array] = {}
        self._names: Names | None = None

    def beside(self, grid: Grid) -> Machine:
        """A machine for another grid of processes that shares everything else."""
        other = object.__new__(Machine)
        other.__dict__.update(self.__dict__)
        other.grid = grid
        other.infeed, other.outfeed, other.rendezvous = [], [], None
        return other

    def counting_in(self, numbers: NumberSystem) -> Machine:
        """A machine that computes with other numbers and shares everything else."""
        other = object.__new__(Machine)
        other.__dict__.update(self.__dict__)
        other.numbers, other._plans, other._constants = numbers, {}, {}
        return other

    def deciding(self, values: set[Value]) -> Machine:
        """The machine itself, which from now on takes it that nothing depends on the doubles of other ``values``."""
        self._deciding = values
        return self

    def fail(self, op: Operation, message: str) -> NoReturn:
        """Ends the run with an error at ``op``.

        Raises:
            PyshardyError: always.
        """
        since = len(self.context.diagnostics)
        self.context.emit("error", op.location, f"'{op.name}' op {message}")
        raise self.context.failure(since)

    def evaluator(self, name: str) -> Evaluator:
        """What evaluates operations called ``name``, which is known to be registered."""
        found = self._evaluators.by_name(name, self.numbers)
        assert found is not None
        return found

    def decides(self, value: Value) -> bool:
        """Whether anything in this run may depend on the doubles of ``value``."""
        if not self.numbers.only_decided:
            return True
        if self._deciding is None:
            self._deciding = deciding_values(self.module)
        return value in self._deciding

    def name(self, value: Value) -> str:
        """What the printed program calls ``value``; the whole group for one of several results."""
        if self._names is None:
            self._names = Names(self.module)
        return self._names.of_results(value.owner) if isinstance(value, OpResult) else self._names.values[value]

    def function(self, name: str, op: Operation) -> Operation:
        """The function ``@name`` with a body, for the operation that names it."""
        found = self.symbols.get(name)
        if found is None or found.name != "func.func" or not found.regions or found.regions[0].empty:
            self.fail(op, f"names the function @{name}, which has no body here")
        return found

    def constant(self, op: Operation, value: Attribute) -> Array:
        """The elements of a constant operation, with the axis of lanes."""
        found = self._constants.get(op)
        if found is None:
            found = self._constants[op] = self.numbers.constant(constant_array(value, self.resources))[None]
        return found

    def plan(self, block: Block) -> _BlockPlan:
        """The steps of a block: looked up once, whatever the number of times it runs."""
        found = self._plans.get(block)
        if found is None:
            found = self._plans[block] = self._make_plan(block)
        return found

    def _make_plan(self, block: Block) -> _BlockPlan:
        ops = list(block)
        if not ops or not ops[-1].traits & TERMINATOR:
            returned: tuple[Value, ...] = ()
        else:
            returned = tuple(ops.pop().operands)
        needed: set[Value] = set(returned)
        steps: list[_BlockStep] = []
        for op in reversed(ops):
            try:
                function = self._evaluators.of(op, self.numbers)
            except UnsupportedType as error:
                self.fail(op, f"cannot be interpreted: {error}")
            if function is None:
                self.fail(op, "cannot be interpreted: no evaluator is registered for it")
            used = [*op.operands]
            for region in op.regions:
                used += self.regions.needs(region).captures
            dead = tuple(dict.fromkeys(value for value in (*used, *op.results) if value not in needed))
            needed.update(used)
            steps.append(_BlockStep(op, function, tuple(op.operands), tuple(op.results), dead))
        steps.reverse()
        return _BlockPlan(steps, tuple(value for value in block.arguments if value not in needed), returned)


class Frame:
    """The lanes that run a region together, and the values they hold.

    ``devices`` gives the process of each lane; ``whole`` says that the lanes are all processes of the grid, in order,
    which collectives need. ``index`` maps lanes to those of ``parent`` (None: they are the same, or nothing differs).
    """

    __slots__ = ("depth", "devices", "index", "lanes", "machine", "parent", "values", "whole")

    def __init__(
        self,
        machine: Machine,
        lanes: int,
        devices: Array,
        *,
        whole: bool = False,
        parent: Frame | None = None,
        index: Array | None = None,
    ) -> None:
        self.machine = machine
        self.lanes = lanes
        self.devices = devices
        self.whole = whole
        self.parent = parent
        self.index = index
        self.values: dict[Value, Array] = {}
        self.depth: int = 0 if parent is None else parent.depth + 1

    def fail(self, op: Operation, message: str) -> NoReturn:
        """Ends the run with an error at ``op``.

        Raises:
            PyshardyError: always.
        """
        self.machine.fail(op, message)

    def array_type(self, type: Type) -> DType:
        """The array type of an element type, or of the elements of a tensor type, in this run.

        Raises:
            UnsupportedType: there is none.
        """
        return self.machine.numbers.array_type(type)

    # --- frames inside this one ---------------------------------------------------------------------------------------

    def nested(self) -> Frame:
        """A frame for a region that the same lanes run."""
        return Frame(self.machine, self.lanes, self.devices, whole=self.whole, parent=self)

    def subset(self, lanes: Array) -> Frame:
        """A frame for a region that only ``lanes`` run."""
        return Frame(self.machine, len(lanes), self.devices[lanes], parent=self, index=lanes)

    def counting_in(self, numbers: NumberSystem) -> Frame:
        """A frame for one operation of the same lanes that computes with other numbers."""
        return Frame(self.machine.counting_in(numbers), self.lanes, self.devices, whole=self.whole, parent=self)

    # --- running ------------------------------------------------------------------------------------------------------

    def run(self, block: Block, arguments: Sequence[Array]) -> list[Array]:
        """Runs ``block`` and gives the operands of its terminator.

        Raises:
            PyshardyError: an operation cannot be evaluated.
        """
        plan = self.machine.plan(block)
        if self.depth % _ROOM_FOR == 0:
            room_for_calls(self.depth + _ROOM_FOR)
        if self.depth > limit("call-depth"):
            op = block.parent_op
            assert op is not None
            self.fail(op, f"is nested more than {limit('call-depth')} calls and regions deep (--limit call-depth=N)")
        values = self.values
        for argument, value in zip(block.arguments, arguments, strict=True):
            values[argument] = value
        for unused in plan.unused_arguments:
            values.pop(unused, None)
        del arguments
        op, end = None, self.machine.end
        try:
            for op, evaluate, operands, results, dead in plan.steps:
                if end is not None and time.monotonic() > end:
                    raise OutOfTime
                found = [values[value] if value in values else self.capture(value) for value in operands]
                computed = evaluate(self, op, found)
                if len(computed) != len(results):
                    self.fail(op, f"has {len(results)} results, but {len(computed)} values are computed for it")
                values.update(zip(results, computed, strict=True))
                for gone in dead:
                    values.pop(gone, None)
        except (PyshardyError, Stopped, OutOfTime):
            raise
        except UnsupportedType as error:
            assert op is not None
            self.fail(op, f"cannot be interpreted: {error}")
        except MemoryError as error:
            assert op is not None
            self.fail(op, f"needs more memory than there is: {error}")
        except Exception as error:
            # Whatever numpy makes of an illegal program: the place in it says more than the place in numpy.
            assert op is not None
            since, why = len(self.machine.context.diagnostics), str(error)
            if not is_ours(op.name):
                place = place_of_failure(error, op.definition.evaluator if op.definition is not None else None)
                why = f"its evaluator{place} {failure_text(error)}"
            self.machine.context.emit("error", op.location, f"'{op.name}' op cannot be interpreted: {why}")
            raise self.machine.context.failure(since) from error
        return [values[value] if value in values else self.capture(value) for value in plan.returned]

    def capture(self, value: Value) -> Array:
        """A value of a frame around this one, for the lanes of this one."""
        assert self.parent is not None
        outer = self.parent
        found = outer.values[value] if value in outer.values else outer.capture(value)
        if self.index is not None and not isinstance(found, tuple) and len(found) > 1:
            found = found[self.index]
        return found

    def width(self, operands: Iterable[Array], regions: Iterable[Region] = ()) -> int:
        """1 if what ``regions`` compute from ``operands`` is the same in every lane, else the number of lanes."""
        if self.lanes == 1 or any(_differs(value) for value in operands):
            return self.lanes
        for region in regions:
            needs = self.machine.regions.needs(region)
            if needs.device or needs.collective:
                return self.lanes
            for value in needs.captures:
                if _differs(self.values[value] if value in self.values else self.capture(value)):
                    return self.lanes
        return 1

    def apply(self, region: Region, operands: Sequence[Array]) -> list[Array]:
        """Applies a region of scalars to every element of arrays (with the axis of lanes) that broadcast together."""
        (block,) = region.blocks
        width = self.width(operands, (region,))
        shape = (width, *np.broadcast_shapes(*(value.shape for value in operands))[1:])
        count = int(np.prod(shape, dtype=np.int64)) // width if width else 0
        flat = []
        for value, argument in zip(operands, block.arguments, strict=True):
            dtype = self.array_type(argument.type)
            flat.append(np.broadcast_to(value, shape).reshape(-1).astype(dtype, copy=False))
        index = np.repeat(np.arange(width), count) if width > 1 else None
        devices = self.devices[index] if index is not None else np.repeat(self.devices[:1], count)
        if count * width == 0:
            return [self.machine.numbers.zeros(value.type, shape) for value in block.terminator.operands]
        inner = Frame(self.machine, width * count, devices, parent=self, index=index)
        return [np.broadcast_to(value, (width * count,)).reshape(shape) for value in inner.run(block, flat)]


def _differs(value: Array) -> bool:
    """Whether a value may differ between lanes; a tuple's elements may each."""
    return any(map(_differs, value)) if isinstance(value, tuple) else len(value) > 1


def aligned(values: Sequence[Array]) -> list[Array]:
    """The values with an axis of lanes of one size."""
    width = max((len(value) for value in values), default=1)
    return [value if len(value) == width else np.broadcast_to(value, (width, *value.shape[1:])) for value in values]
