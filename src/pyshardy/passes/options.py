"""Base classes with the options that several passes and pipelines have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Configurable, option
from pyshardy.resharding.options import AXIS_CHOICES, RESHARD_STRATEGIES

if TYPE_CHECKING:
    from pyshardy.propagation.trace import Trace


class DebugOptions(Configurable):
    """What is written on the program about where shardings come from."""

    debug_sharding_origins: bool = option(
        False, "write on each value from which sharding of the program each of its axes came"
    )
    debug_propagation_edge_sharding: bool = option(
        False, "write on each operation from where to where it moved axes, and in which step"
    )

    @property
    def is_traced(self) -> bool:
        """Whether anything is."""
        return self.debug_sharding_origins or self.debug_propagation_edge_sharding

    def trace(self, module: Operation, context: Context) -> Trace | None:
        """The trace to keep; None if nothing is written.

        Raises:
            PassFailure: origins are asked for and a manual computation has no data-flow edges.
        """
        if not self.is_traced:
            return None
        from pyshardy.propagation.trace import Trace

        origins, edges = self.debug_sharding_origins, self.debug_propagation_edge_sharding
        return Trace(module, context, origins=origins, edges=edges)


class AxisOptions(Configurable):
    """How the common axes of an operation are chosen, of which operations, and what its all-reduces say."""

    axis_choice: str = option(
        "reference",
        "common axes of an operation: as Shardy chooses them, by the fewest reshards, or by the fewest bytes",
        choices=AXIS_CHOICES,
        quiet=True,
    )
    reduction_kinds: bool = option(False, "all-reduces say by what they reduce", quiet=True)
    reshard_custom_rules: bool = option(False, "also reshard for operations with a custom rule", quiet=True)


class CollectiveOptions(Configurable):
    """How a reshard becomes collectives."""

    reshard_strategy: str = option(
        "reference",
        "by the collectives that Shardy takes and what they leave undone, by the fewest bytes, or verbatim as Shardy "
        "even where axes of size 1 are left undone",
        choices=RESHARD_STRATEGIES,
        quiet=True,
    )


class ExportOptions(AxisOptions, CollectiveOptions):
    """What a pipeline that ends in an export can be told about it."""

    avoid_export_for_partitioning: bool = option(
        False, "keep constraints and groups and insert no reshards, so that the program can be propagated again"
    )
    dump_directory: str = option("", "where to write the program at several stages; nowhere if empty")
    enable_insert_explicit_collectives: bool = option(False, "insert all reshards, and make them collectives")
    keep_sharding_rules: bool = option(False, "keep the sharding rules on the operations")
    remove_all_gather_reduce_scatter_for_cmv1: bool = option(
        False, "with explicit collectives: leave those around a dot to XLA's collective matmul"
    )
    update_non_divisible_input_output_shardings: bool = option(
        True, "cut shardings of inputs and outputs to axes that divide them, without sub-axes"
    )
    insert_all_reshards: bool = False
    """Insert all reshards, as for collectives, and leave it at that."""
    inserts_reshards: bool = True
    """Insert reshards at all; without it where data moves is up to whoever partitions the program."""
