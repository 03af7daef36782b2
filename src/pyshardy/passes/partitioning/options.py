"""Options that several passes of the chain have: whose text to print, how many replicas and partitions there are."""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_diagnostics import emit_at
from pyshardy.ir.passes import PassFailure, option

COMPAT = ("r1", "r2")
"""The releases of the reference whose text a pass can print where both are right: the one in jaxlib 0.10.2, and the
newer one."""


def compat_option() -> str:
    """The option that chooses between those releases."""
    chosen: str = option(
        "r1", "whose text to print where releases of Shardy differ: r1 or r2", choices=COMPAT, quiet=True
    )
    return chosen


def replica_count_option(*, quiet: bool = False) -> int:
    """The option that says how many replicas of the program run."""
    count: int = option(1, "number of replicas; if above 1, devices are replicas", quiet=quiet)
    return count


def partition_count_option(*, quiet: bool = False) -> int:
    """The option that says over how many devices each replica runs."""
    count: int = option(1, "number of partitions", quiet=quiet)
    return count


def halo_exchange_option() -> bool:
    """The option that lets neighbours exchange."""
    chosen: bool = option(True, "exchange with neighbours where that moves less than replication")
    return chosen


def devices_are_replicas(op: Operation, context: Context, name: str, replicas: int, partitions: int) -> bool:
    """Whether devices are told apart by ``replica_id``.

    Raises:
        PassFailure: the program has several replicas and several partitions; an error has been emitted.
    """
    if replicas > 1 and partitions > 1:
        both = "does not support both replica_count > 1 and partition_count > 1 yet."
        emit_at(context, "error", op, f"Shardy partitioner {name} {both}")
        raise PassFailure
    return replicas > 1
