"""One run over one module: what localizers may know of it, and what they ask it to do.

The state that operations share stands here, below all who use it; ``partitioner`` has the run that walks the program.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pyshardy.emitting.builder import Builder
from pyshardy.emitting.collectives import Collectives
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.layouts.reshard import Resharder
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.requested_layouts import RequestedLayouts
from pyshardy.partitioning.strategies.strategy import Strategies


class Specialization(NamedTuple):
    """A function for one signature of layouts: its name in the local program, the layouts of arguments and results."""

    name: str
    arguments: tuple[Layout, ...]
    results: tuple[Layout, ...]


class RunOptions(NamedTuple):
    """How a run goes. ``compact_groups`` writes replica groups as axes; with ``only_mesh`` functions that are called
    from outside take and return what is sharded on another mesh whole; ``strategies`` choose how operations are shared;
    with ``free_results`` results stay where an operation leaves them, whatever propagation has chosen for them;
    ``progress`` is told how many operations are done; ``reshards`` says which ways tensors go, if not those of fewest
    bytes."""

    compact_groups: bool = False
    only_mesh: str | None = None
    strategies: Strategies | None = None
    free_results: bool = False
    progress: Callable[[int], None] | None = None
    reshards: ReshardChoice | None = None


class Run(ABC):
    """``env`` holds what each global value has become in the function at work. ``origins`` says, where functions stand
    in the place of their call, what a value is on the other side of the call. ``builder`` and ``collectives`` emit,
    ``resharder`` takes tensors elsewhere, ``strategies`` choose how operations are shared, ``requested`` says where
    values are wanted."""

    def __init__(self, program: Program, context: Context, options: RunOptions) -> None:
        self.program = program
        self.module = program.module
        self.context = context
        self.meshes = program.meshes
        self.functions = program.functions
        self.builder = Builder(program.largest_channel + 1)
        names = {mesh: name for name, mesh in reversed(self.meshes.items())}
        self.collectives = Collectives(self.builder, names, options.compact_groups)
        self.resharder = Resharder(self.builder, self.collectives, options.reshards)
        self.requested = RequestedLayouts(self.meshes, only_mesh=options.only_mesh, free_results=options.free_results)
        self.rules = program.rules
        self.strategies = Strategies() if options.strategies is None else options.strategies
        self.env: dict[Value, Sharded] = {}
        self.origins: dict[Value, Value] = {}
        self.taken_channels: set[int] = set()
        """The channels of the program's own collectives that have been emitted."""
        self.manual_depth = 0
        """How many manual computations stand around the operation at work."""

    @abstractmethod
    def emit(self, op: Operation) -> None:
        """Emits what becomes of one operation, whose operands are in ``env``; so are its results afterwards."""

    @abstractmethod
    def emit_operations(self, block: Block) -> Operation:
        """Emits every operation of ``block`` but the terminator, which is returned."""

    @abstractmethod
    def localized(self, op: Operation, operands: list[Sharded], wanted: Sequence[Layout | None]) -> Sequence[Sharded]:
        """The results of ``op`` on ``operands``, which are ``wanted`` somewhere, in whatever layout they come out."""

    @abstractmethod
    def is_called_once(self, function: Operation) -> bool:
        """Whether ``function`` has a body that a single operation calls, and nobody from outside."""

    @abstractmethod
    def specialized(self, function: Operation, layouts: tuple[Layout, ...]) -> Specialization:
        """``function`` for arguments in ``layouts``."""
