"""The pipeline ``sdy-partitioner``: the passes of the partitioner in order, from a propagated program to that of one
device.

The reference has no name for it. It runs after ``sdy-propagation-pipeline``.
"""

from __future__ import annotations

from pyshardy.ir.passes import NamedPipeline, option, option_text, register_pipeline
from pyshardy.passes.partitioning.options import CompatOptions, ConversionOptions, DeviceOptions, HaloOptions

EXPLICIT_RESHARDS = "sdy-insert-explicit-reshards{enable-full-version=true every-operation=true reduction-kinds=true}"
"""The pass that reshards all operands to the shardings that their operations need."""


@register_pipeline("sdy-partitioner")
class PartitionerPipeline(CompatOptions, ConversionOptions, DeviceOptions, HaloOptions, NamedPipeline):
    """Makes of a propagated program the one that each device runs."""

    keep_shardings: bool = option(False, "leave shardings and meshes on the program")

    def parts(self) -> list[str]:
        single = f"sdy-resolve-single-device-sharding{{{self.devices_text}}}"
        convert = (
            f"sdy-convert-global-to-local{{per-dim-all-gather={option_text(self.per_dim_all_gather)} "
            "combine-multi-dimension-reduce-scatter="
            f"{option_text(self.combine_multi_dimension_reduce_scatter)} "
            f"enable-rgv3={option_text(self.enable_rgv3)} compat={self.compat} {self.devices_text}}}"
        )
        permute = (
            f"sdy-resolve-permutation-factors{{enable-halo-exchange={option_text(self.enable_halo_exchange)} "
            f"compat={self.compat} {self.devices_text}}}"
        )
        passes = [
            f"func.func({EXPLICIT_RESHARDS})",
            permute,
            # Reshards to and from a single device become no collectives. The second run converts the reshards of values
            # that the reshards of the first run read.
            f"func.func({single},sdy-reshard-to-collectives,sdy-reshard-to-collectives)",
            "canonicalize{enable-patterns=sdy-collective region-simplify=aggressive top-down=false}",
            "func.func(sdy-pad-for-divisibility)",
            convert,
        ]
        return [*passes, *([] if self.keep_shardings else ["sdy-drop-sharding-and-mesh"])]
