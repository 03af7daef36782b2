"""The pass ``sdy-convert-global-to-local``: a program of global tensors becomes the one that each device runs.

``global_to_local`` has the rules. It expects that reshards are collectives, that sharded dimensions divide, and that no
operation needs data of another device; ``sdy-partitioner`` is the whole chain. Behind it stands
``sdy-drop-sharding-and-mesh``.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_diagnostics import emit_at
from pyshardy.ir.passes import Pass, PassFailure, option, register_pass
from pyshardy.passes.partitioning.global_to_local import (  # noqa: F401  (each registers its rules)
    contractions,
    elementwise,
    functions,
    gather,
    reductions,
    scatter,
    slices,
    stablehlo_collectives,
    values,
    windows,
)
from pyshardy.passes.partitioning.global_to_local.conversion import Choices, Conversion

COMPAT = ("r1", "r2")
"""The releases of the reference whose text a pass can print where both are right: the one in jaxlib 0.10.2, and the
newer one."""


def compat_option() -> str:
    """The option that chooses between them."""
    chosen: str = option(
        "r1", "whose text to print where releases of Shardy differ: r1 or r2", choices=COMPAT, quiet=True
    )
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


@register_pass(
    "sdy-convert-global-to-local",
    on="builtin.module",
    class_name="ConvertGlobalToLocalPass",
    summary="Turns a program with global shapes into the one that each device runs.",
)
@dataclass(frozen=True)
class ConvertGlobalToLocal(Pass):
    """Turns a program with global shapes into the one that each device runs."""

    per_dim_all_gather: bool = option(False, "gather dimension by dimension instead of all at once")
    combine_multi_dimension_reduce_scatter: bool = option(
        False, "scatter several dimensions at once instead of reducing and slicing"
    )
    enable_rgv3: bool = option(False, "write replica groups as axes of the mesh")
    replica_count: int = option(1, "number of replicas; if above 1, devices are replicas", quiet=True)
    partition_count: int = option(1, "number of partitions", quiet=True)
    compat: str = compat_option()

    def apply(self, op: Operation, context: Context) -> None:
        choices = Choices(
            self.per_dim_all_gather,
            self.combine_multi_dimension_reduce_scatter,
            self.enable_rgv3,
            self.compat == "r2",
            devices_are_replicas(op, context, "convert_global_to_local", self.replica_count, self.partition_count),
        )
        Conversion(op, choices, context).run()
