"""The pass ``sdy-convert-global-to-local``: turns a program of global tensors into the one that each device runs.

``global_to_local`` has the rules. The pass expects that reshards are collectives, that sharded dimensions divide, and
that no operation needs data of other devices; ``sdy-partitioner`` is the whole pipeline. ``sdy-drop-sharding-and-mesh``
runs after it.
"""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
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
from pyshardy.passes.partitioning.options import CompatOptions, ConversionOptions, QuietDeviceOptions


@register_pass("sdy-convert-global-to-local", on="builtin.module")
class ConvertGlobalToLocal(CompatOptions, ConversionOptions, QuietDeviceOptions, Pass):
    """Turns a program with global shapes into the one that each device runs."""

    def apply(self, op: Operation, context: Context) -> None:
        choices = Choices(
            self.per_dim_all_gather,
            self.combine_multi_dimension_reduce_scatter,
            self.enable_rgv3,
            self.compat == "r2",
            self.devices_are_replicas(op, context, "convert_global_to_local"),
        )
        Conversion(op, choices, context).run()
