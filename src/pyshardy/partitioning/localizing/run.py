"""One run over one module: the state that localizers share, and what they may ask the run to do.

``partitioner`` has the run that walks the program; localizers, which it calls, see only this base class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pyshardy.emitting.builder import Builder
from pyshardy.emitting.collectives import Collectives
from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.layouts.reshard import Resharder
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.partitioning.localizing.program import SourceProgram
from pyshardy.partitioning.localizing.requested_layouts import RequestedLayouts
from pyshardy.partitioning.strategies.strategy import Strategies


class Specialization(NamedTuple):
    """A function partitioned for given argument layouts: its name in the local program, and the layouts of arguments
    and results."""

    name: str
    arguments: tuple[Layout, ...]
    results: tuple[Layout, ...]


class RunOptions(NamedTuple):
    """Options of a run. ``compact_groups`` writes replica groups as mesh axes. With ``boundary_mesh``, functions that
    are called from outside have arguments and results replicated that are sharded on another mesh. ``strategies``
    chooses how operations are sharded. With ``ignore_requested``, results stay in the layouts in which operations make
    them, whatever propagation has chosen. ``progress`` is told how many operations are done. ``reshards`` chooses
    reshard routes; without it those of fewest bytes are taken."""

    compact_groups: bool = False
    boundary_mesh: str | None = None
    strategies: Strategies | None = None
    ignore_requested: bool = False
    progress: Callable[[int], None] | None = None
    reshards: ReshardChoice | None = None


class PartitionRun(ABC):
    """``env`` holds what each global value of the current function has become. ``origins`` maps the arguments of
    inlined functions to the operands of the call, and its results to what the function returns. ``builder`` and
    ``collectives`` emit operations, ``resharder`` reshards tensors, ``strategies`` chooses how operations are sharded,
    ``requested`` has the requested layouts."""

    def __init__(self, program: SourceProgram, context: Context, options: RunOptions) -> None:
        self.program = program
        self.module = program.module
        self.context = context
        self.meshes = program.meshes
        self.functions = program.functions
        self.builder = Builder(program.largest_channel + 1)
        names = {mesh: name for name, mesh in reversed(self.meshes.items())}
        self.collectives = Collectives(self.builder, names, options.compact_groups)
        self.resharder = Resharder(self.builder, self.collectives, options.reshards)
        self.requested = RequestedLayouts(
            self.meshes, boundary_mesh=options.boundary_mesh, ignore_requested=options.ignore_requested
        )
        self.rules = program.rules
        self.strategies = Strategies() if options.strategies is None else options.strategies
        self.env: dict[Value, Sharded] = {}
        self.origins: dict[Value, Value] = {}
        self.taken_channels: set[int] = set()
        """The channels of the program's own collectives that have been emitted."""
        self.manual_depth = 0
        """How many manual computations enclose the current operation."""

    def recursion_error(self, name: str) -> PyshardyError:
        """The error that function ``name`` calls itself, to be raised."""
        text = f"function @{name} calls itself: such a program cannot be partitioned"
        self.context.emit("error", self.builder.location, text)
        return self.context.failure()

    @abstractmethod
    def emit(self, op: Operation) -> None:
        """Emits one operation. Its operands are in ``env``, and its results are there afterwards."""

    @abstractmethod
    def emit_operations(self, block: Block) -> Operation:
        """Emits every operation of ``block`` but the terminator, which is returned.

        Raises:
            ValueError: the block has no terminator.
        """

    @abstractmethod
    def localized(
        self, op: Operation, operands: list[Sharded], requested: Sequence[Layout | None]
    ) -> Sequence[Sharded]:
        """The results of ``op`` on ``operands``, in whatever layouts they come out; ``requested`` are the
        layouts requested for them."""

    @abstractmethod
    def is_called_once(self, function: Operation) -> bool:
        """Whether ``function`` is private, has a body, and is called by a single operation: then its body is
        inlined."""

    @abstractmethod
    def specialized(self, function: Operation, layouts: tuple[Layout, ...]) -> Specialization:
        """``function`` partitioned for arguments in ``layouts``."""
