"""Options that several passes of the partitioner share: which release's text to print, the numbers of replicas and
partitions, and how collectives are made."""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Configurable, PassFailure, option
from pyshardy.ir.verifying.operation_diagnostics import emit_at

COMPAT = ("r1", "r2")
"""The releases of the reference whose text a pass can print where they differ and both are right: that in jaxlib
0.10.2, and the newer one."""


class CompatOptions(Configurable):
    """Which release's text is printed."""

    compat: str = option(
        "r1", "whose text to print where releases of Shardy differ: r1 or r2", choices=COMPAT, quiet=True
    )


class DeviceOptions(Configurable):
    """The numbers of replicas and partitions."""

    replica_count: int = option(1, "number of replicas; if above 1, devices are replicas")
    partition_count: int = option(1, "number of partitions")

    @property
    def devices_text(self) -> str:
        """These options in the text form for another pass."""
        return f"replica-count={self.replica_count} partition-count={self.partition_count}"

    def devices_are_replicas(self, op: Operation, context: Context, name: str) -> bool:
        """Whether devices are told apart by ``replica_id``; ``name`` is the name of the pass in messages.

        Raises:
            PassFailure: the program has several replicas and several partitions; an error has been emitted.
        """
        if self.replica_count > 1 and self.partition_count > 1:
            both = "does not support both replica_count > 1 and partition_count > 1 yet."
            emit_at(context, "error", op, f"Shardy partitioner {name} {both}")
            raise PassFailure
        return self.replica_count > 1


class QuietDeviceOptions(DeviceOptions):
    """``DeviceOptions`` for passes that have these options in newer releases of Shardy only."""

    replica_count: int = option(1, "number of replicas; if above 1, devices are replicas", quiet=True)
    partition_count: int = option(1, "number of partitions", quiet=True)


class HaloOptions(Configurable):
    """Whether devices exchange data with neighbours."""

    enable_halo_exchange: bool = option(True, "exchange with neighbours where that moves less than replication")


class ConversionOptions(Configurable):
    """How Shardy's collectives become StableHLO's."""

    per_dim_all_gather: bool = option(False, "gather dimension by dimension instead of all at once")
    combine_multi_dimension_reduce_scatter: bool = option(
        False, "scatter several dimensions at once instead of reducing and slicing"
    )
    enable_rgv3: bool = option(False, "write replica groups as axes of the mesh")
