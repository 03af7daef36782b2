"""How often a run executes each operation, and how long a chip takes for it, in all iterations of loops and all calls.

``kernels`` times one operation. Of the branches of a conditional the most expensive one counts, and a loop whose trip
count is not known counts once; both are recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from pyshardy.analysis.cost.attention import AttentionFinder
from pyshardy.analysis.cost.fused_across_calls import FusedAcrossCalls
from pyshardy.analysis.cost.hardware import FUSED, Chip
from pyshardy.analysis.cost.kernels import kernel_time
from pyshardy.analysis.cost.operations import Work, kind, repeated, work_of_operation
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.region_flow import runs_tensors
from pyshardy.dialects.stablehlo.trip_count import is_loop, trip_count
from pyshardy.ir.attributes import SymbolRefAttr
from pyshardy.ir.operation import Block, Operation, OpResult, Signature, Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.account.buffer_aliases import unmaterialized_values
from pyshardy.partitioning.account.counted import CountedProgram, CountsDiffer
from pyshardy.partitioning.account.fusible import fused_operations
from pyshardy.rules.properties import integer, string
from pyshardy.sharding.mesh import Mesh


class OperationTime(NamedTuple):
    """What an operation does in one run; how long its floating point operations and its bytes take, what it takes
    besides, and its floating point operations at the peak of the chip."""

    work: Work
    compute_seconds: float
    memory_seconds: float
    overhead: float
    ideal_seconds: float

    @property
    def seconds(self) -> float:
        """What takes longer, and what comes on top."""
        return max(self.compute_seconds, self.memory_seconds) + self.overhead

    @property
    def is_compute(self) -> bool:
        """Whether it waits for its floating point operations rather than for its bytes."""
        return self.compute_seconds > self.memory_seconds


class NestedBlocks(NamedTuple):
    """What an operation runs: the blocks ``blocks`` one after the other, ``iterations`` times."""

    blocks: tuple[Block, ...]
    iterations: int


@dataclass
class Step:
    """A run of a program on one chip: how often it meets each operation, what these do, and what is not known."""

    runs: dict[Operation, int] = field(default_factory=dict)
    timed: dict[Operation, OperationTime] = field(default_factory=dict)
    inner: dict[Operation, NestedBlocks] = field(default_factory=dict)
    """What loops, calls and the like run besides themselves."""
    unknown_trip_counts: dict[Operation, None] = field(default_factory=dict)
    """Loops whose iterations are not known."""
    conditionals: dict[Operation, None] = field(default_factory=dict)
    """Conditionals."""
    attentions: bool = False
    """Whether there is attention that counts as one kernel."""
    fused_across_calls: FusedAcrossCalls | None = None
    """What is fused in each block, where that was looked at."""

    @property
    def unknown(self) -> dict[str, int]:
        """Operations whose work is unknown, by name, and how often a run meets them."""
        found: dict[str, int] = {}
        for op, count in self.runs.items():
            if not self.timed[op].work.known:
                name = _subject(op)
                found[name] = found.get(name, 0) + count
        return found

    @property
    def seconds_at_peak(self) -> float:
        """How long the floating point operations alone take, of each type at the peak of the chip."""
        return sum(self.timed[op].ideal_seconds * runs for op, runs in self.runs.items())

    @property
    def seconds(self) -> float:
        """The time of all operations, one after the other."""
        return sum(self.timed[op].seconds * runs for op, runs in self.runs.items())

    @property
    def flops(self) -> float:
        """All floating point operations."""
        return sum(self.timed[op].work.flops * runs for op, runs in self.runs.items())


CollectiveSeconds = Callable[[Operation], float]
"""The seconds of a collective."""


class KernelTimes:
    """What kernels take on one chip, by what decides it: the number of their kind, and more."""

    def __init__(self) -> None:
        self.kinds: dict[tuple[object, ...], int] = {}
        self.known: dict[tuple[object, ...], OperationTime] = {}


Iterations = Callable[[Operation], int | None]
"""How often a loop goes round; None if that is not known."""


def _no_seconds(_: Operation) -> float:
    return 0.0


def time_step(
    program: CountedProgram,
    chip: Chip,
    collective_seconds: CollectiveSeconds = _no_seconds,
    iterations: Iterations = trip_count,
    times: KernelTimes | None = None,
) -> Step:
    """A run of ``program``. ``collective_seconds`` says how long collectives take, which is only used to choose the
    most expensive branch: the times of operations do not contain it. ``iterations`` gives the trip count of a loop,
    ``times`` are those of kernels on this chip that are known, and are added to.

    Raises:
        CountsDiffer: operations that are counted as alike do not take the same time.
    """
    return _Walk(program, chip, collective_seconds, iterations, KernelTimes() if times is None else times).found()


def walk_work(program: CountedProgram, chip: Chip) -> Step:
    """Like ``time_step``, but only for FLOPs, and therefore faster: fusion is ignored. Of the times only
    ``ideal_seconds`` is valid, and of the work everything but the bytes.

    Raises:
        CountsDiffer: operations that are counted as alike do not compute the same.
    """
    return _WorkWalk(program, chip).found()


class _Walk:
    def __init__(
        self,
        program: CountedProgram,
        chip: Chip,
        collective_seconds: CollectiveSeconds,
        iterations: Iterations,
        times: KernelTimes,
    ) -> None:
        self._program = program
        self._functions = functions_by_name(program.module)
        self._fused_across_calls: FusedAcrossCalls | None = None
        self._meshes = placement.meshes(program.module)
        self._chip = chip
        self._collective_seconds = collective_seconds
        self._iterations = iterations
        self._attention = AttentionFinder(self._functions) if chip.attention == FUSED else None
        self._kinds, self._known = times.kinds, times.known
        self._kinds_alike: dict[Signature, int] = {}
        """The numbers of kinds by the signature that operations which were made alike share."""
        self._inside: dict[Block, tuple[Sequence[Operation], list[tuple[Operation, NestedBlocks]]]] = {}
        self._seconds: dict[Block, float] = {}
        self._step = Step()

    def found(self) -> Step:
        step, program = self._step, self._program
        operations, inner = self._look(program.entry.body, program.operations)
        if any(step.timed[op] != step.timed[other] for op, other in program.alike):
            raise CountsDiffer
        runs = step.runs = dict.fromkeys(operations, 1)
        if program.multiplicities:
            runs.update([(op, program.times(op)) for op in operations])
        waiting = [(inside, program.times(op) * one.iterations) for op, one in inner for inside in one.blocks]
        while waiting:
            block, iterations = waiting.pop()
            operations, inner = self._look(block)
            for op in operations:
                runs[op] = runs.get(op, 0) + iterations
            waiting += [(inside, iterations * one.iterations) for _, one in inner for inside in one.blocks]
        return step

    def _look(
        self, block: Block, counted: Sequence[Operation] | None = None
    ) -> tuple[Sequence[Operation], list[tuple[Operation, NestedBlocks]]]:
        """The operations of a block, or those that are ``counted``, all of them timed, and what they run besides
        themselves."""
        found = self._inside.get(block)
        if found is not None:
            return found
        # What calls itself has no end: its second time counts nothing.
        self._inside[block] = [], []
        operations = block.operations() if counted is None else counted
        self._time_all(block, operations)
        inner: list[tuple[Operation, NestedBlocks]] = []
        for op in operations:
            if op.regions or op.name in _CALLS:
                inside = self._inner(op)
                if inside is not None:
                    inner.append((op, inside))
                    self._step.inner[op] = inside
        self._inside[block] = operations, inner
        return operations, inner

    def _time_all(self, block: Block, operations: Sequence[Operation]) -> None:
        """Times ``operations``, those of ``block``."""
        if self._fused_across_calls is None:
            self._fused_across_calls = self._step.fused_across_calls = FusedAcrossCalls(self._functions)
        fused, at_every_call = self._fused_across_calls.of(block), self._fused_across_calls.at_every_call.get(block)
        if at_every_call:
            fused = fused | at_every_call
        attention = self._attention.find(operations) if self._attention is not None else None
        if attention is not None:
            self._step.attentions |= attention.count > 0
            fused = fused | attention.scores
        joined = fused_operations(operations) if self._chip.launch else set()
        if at_every_call:
            joined |= {one.owner for one in at_every_call if isinstance(one, OpResult)}
        timed = self._step.timed
        self._time(operations, fused, joined)
        if attention is None:
            return
        for op in attention.again:
            timed[op] = timed[op]._replace(compute_seconds=2 * timed[op].compute_seconds)
        for op, part in attention.causal.items():
            timed[op] = timed[op]._replace(compute_seconds=part * timed[op].compute_seconds)

    def _time(self, operations: Sequence[Operation], fused: Set[Value], joined: Set[Operation]) -> None:
        """Times ``operations``, those of a block, of which those ``joined`` need no launch of their own."""
        known, timed, kinds = self._known, self._step.timed, self._kinds_alike
        is_fused = unmaterialized_values(operations, fused).__contains__
        for op in operations:
            operands, launched, alike = op.operands, op not in joined, op.signature
            kind = None
            if alike is not None and alike.properties is op.properties and not op.regions:
                kind = kinds.get(alike)
            if kind is None:
                kind = self._kind(op)
            results = op.results
            # All of a kind have as many operands and results.
            if len(results) == 1 and len(operands) == 2:
                one, other = operands
                key: tuple[object, ...] = (
                    kind,
                    is_fused(one),
                    is_fused(other),
                    is_fused(results[0]),
                    one is other,
                    launched,
                )
            elif len(results) == 1 and len(operands) == 1:
                key = kind, is_fused(operands[0]), is_fused(results[0]), launched
            else:
                hidden = tuple(map(is_fused, operands)), tuple(map(is_fused, results))
                key = kind, hidden, repeated(op), launched
            found = known.get(key)
            if found is None:
                work = work_of_operation(op, fused)
                found = known[key] = OperationTime(work, *kernel_time(work, self._chip, launched=launched))
            timed[op] = found

    def _kind(self, op: Operation) -> int:
        """A number for the kind of ``op``."""
        alike = op.signature
        if alike is None or alike.properties is not op.properties or op.regions:
            return self._kinds.setdefault(kind(op), len(self._kinds))
        found = self._kinds_alike.get(alike)
        if found is None:
            found = self._kinds_alike[alike] = self._kinds.setdefault(kind(op), len(self._kinds))
        return found

    def _inner(self, op: Operation) -> NestedBlocks | None:
        if op.name in _CALLS:
            name = callee(op) if op.name == "func.call" else _decomposition(op)
            function = self._functions.get(name)
            blocks = function.regions[0].blocks if function is not None else ()
            return NestedBlocks(tuple(blocks[:1]), 1)
        structure = _STRUCTURES.get(op.name)
        if structure is None and runs_tensors(op):
            structure = _Walk._loop if is_loop(op) else _Walk._fork if len(op.regions) > 1 else _Walk._plain
        return structure(self, op) if structure is not None else None

    def _loop(self, op: Operation) -> NestedBlocks:
        iterations = self._iterations(op)
        if iterations is None:
            self._step.unknown_trip_counts[op] = None
        return NestedBlocks(
            tuple(region.blocks[0] for region in op.regions if region.blocks), 1 if iterations is None else iterations
        )

    def _fork(self, op: Operation) -> NestedBlocks:
        self._step.conditionals[op] = None
        branches = [block for region in op.regions for block in region.blocks]
        return NestedBlocks((max(branches, key=self._seconds_of),) if branches else (), 1)

    def _manual(self, op: Operation) -> NestedBlocks:
        """The body of a manual computation runs on each shard."""
        mesh = self._mesh_of(op)
        devices = 1
        for name in manual_axes(op):
            devices *= mesh.sizes.get(name, 1) if mesh is not None else 1
        return NestedBlocks((op.regions[0].blocks[0],), devices)

    def _mesh_of(self, op: Operation) -> Mesh | None:
        wanted = set(manual_axes(op))
        return next((mesh for mesh in self._meshes.values() if wanted <= set(mesh.sizes)), None)

    def _plain(self, op: Operation) -> NestedBlocks:
        return NestedBlocks((op.regions[0].blocks[0],), 1)

    def _scan(self, op: Operation) -> NestedBlocks:
        """The body of a scan runs for each element along its dimension."""
        type = op.operands[0].type
        iterations = type.shape[integer(op, "dimension", 0)] if isinstance(type, TensorType) else 1
        return NestedBlocks((op.regions[0].blocks[0],), iterations)

    def _seconds_of(self, block: Block) -> float:
        """How long a run of ``block`` takes, with its collectives and all that it runs."""
        if block not in self._seconds:
            self._seconds[block] = 0.0
            operations, inner = self._look(block)
            own = sum([self._step.timed[op].seconds + self._collective_seconds(op) for op in operations])
            below = sum(one.iterations * self._seconds_of(inside) for _, one in inner for inside in one.blocks)
            self._seconds[block] = own + below
        return self._seconds[block]


class _WorkWalk(_Walk):
    """A walk that looks at operations by themselves."""

    def __init__(self, program: CountedProgram, chip: Chip) -> None:
        super().__init__(program, chip, _no_seconds, trip_count, KernelTimes())
        self._by_kind: dict[int, OperationTime] = {}
        self._whole: _Walk | None = None
        """The walk that says how long branches take."""

    def _time_all(self, block: Block, operations: Sequence[Operation]) -> None:
        known, timed = self._by_kind, self._step.timed
        for op in operations:
            kind = self._kind(op)
            found = known.get(kind)
            if found is None:
                work = work_of_operation(op, frozenset())
                found = known[kind] = OperationTime(work, *kernel_time(work, self._chip))
            timed[op] = found

    def _seconds_of(self, block: Block) -> float:
        if self._whole is None:
            self._whole = _Walk(self._program, self._chip, self._collective_seconds, self._iterations, KernelTimes())
            self._whole.found()
        return self._whole._seconds_of(block)


_CALLS = frozenset({"func.call", "stablehlo.composite"})
"""Operations that run functions."""

_STRUCTURES: dict[str, Callable[[_Walk, Operation], NestedBlocks]] = {
    "chlo.scan": _Walk._scan,
    "sdy.manual_computation": _Walk._manual,
    "sdy.named_computation": _Walk._plain,
    "stablehlo.async_start": _Walk._plain,
    "stablehlo.case": _Walk._fork,
    "stablehlo.if": _Walk._fork,
    "stablehlo.while": _Walk._loop,
}
"""Operations that run their regions on tensors."""


def _decomposition(op: Operation) -> str:
    symbol = op.properties.get("decomposition")
    return symbol.root if isinstance(symbol, SymbolRefAttr) else ""


def _subject(op: Operation) -> str:
    target = string(op, "call_target_name")
    return f"custom_call @{target}" if target is not None else op.name.removeprefix("stablehlo.")
