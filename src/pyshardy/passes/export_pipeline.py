"""``sdy-export-pipeline``: from propagated shardings to a program that a partitioner can take.

Shardings on edges move to their operations, boundaries become even, dimensions close; then reshards, and if asked for
collectives, become explicit. The pipeline runs after propagation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from pyshardy.ir.passes import NamedPipeline, Pass, option, option_text, register_pipeline
from pyshardy.passes.options import AxisOptions, CollectiveOptions, ExportOptions
from pyshardy.passes.save_module import SaveModule


def _canonicalize(label: str) -> str:
    return f"canonicalize{{enable-patterns={label} region-simplify=aggressive top-down=false}}"


@register_pipeline("sdy-export-pipeline")
class ExportPipeline(ExportOptions, NamedPipeline):
    """Makes a propagated program ready for partitioning."""

    avoid_reshards_on_named_computations: bool = option(
        False, "adapt what named computations return but not what they are given"
    )
    avoid_reshards_on_calls: bool = option(False, "accepted without effect: calls are resharded in any case")
    dump_propagation_edges: bool = option(False, "keep along which edges axes were propagated until the dumps are made")
    dump_sharding_origins: bool = option(False, "keep where the axes of shardings came from until the dumps are made")
    enable_per_instruction_partitioning: bool = option(
        False, "partition operations one by one, each in a manual computation", quiet=True
    )
    per_instruction_partitioning_filter: str = option("", "which operations; all if empty", quiet=True)
    replica_count: int = option(1, "number of replicas, for partitioning one by one", quiet=True)
    partition_count: int = option(1, "number of partitions, for partitioning one by one", quiet=True)

    def parts(self, numbers: Iterator[int] | None = None) -> Iterator[str | Pass]:
        """The passes; ``numbers`` are those of the dumps, from 0 on if not given."""
        numbers = numbers if numbers is not None else count()

        def dump(name: str) -> Pass:
            return SaveModule(self.dump_directory, name, next(numbers))

        edges, origins = self.dump_propagation_edges, self.dump_sharding_origins
        yield "func.func(sdy-constant-or-scalar-merger)"
        yield (
            f"func.func(sdy-sink-data-flow-edges{{sink-debug-propagation-edge-sharding={option_text(edges)} "
            f"sink-debug-sharding-origins={option_text(origins)}}})"
        )
        if not self.avoid_export_for_partitioning:
            yield "sdy-remove-sharding-groups,func.func(sdy-sharding-constraint-to-reshard)"
        if self.update_non_divisible_input_output_shardings:
            yield "sdy-update-non-divisible-input-output-shardings"
            yield "sdy-remove-sub-axes-in-input-output-shardings"
        yield "sdy-close-shardings"
        yield dump("after_propagation")
        if not self.avoid_export_for_partitioning:
            full = self.enable_insert_explicit_collectives or self.insert_all_reshards
            if self.inserts_reshards:
                yield self._explicit_reshards(full)
            if full:
                yield dump("after_explicit_reshards")
                yield _canonicalize("sdy-reshard")
            if self.enable_insert_explicit_collectives:
                yield f"func.func(sdy-reshard-to-collectives{{{' '.join(self.options_text(CollectiveOptions))}}})"
            yield _canonicalize("sdy-collective")
            if full and self.remove_all_gather_reduce_scatter_for_cmv1:
                yield "func.func(sdy-remove-all-gather-reduce-scatter-for-cmv1)"
            yield dump(f"after_{'' if full else 'minimal_'}partitioner_with_global_shapes")
            if self.enable_per_instruction_partitioning:
                yield self._one_by_one()
        if edges or origins:
            yield "sdy-remove-propagation-debug-info"
        if not self.keep_sharding_rules:
            yield "func.func(sdy-drop-sharding-rules)"

    def _one_by_one(self) -> str:
        return (
            f"sdy-per-instruction-partitioning{{filter={{{self.per_instruction_partitioning_filter}}} "
            f"replica-count={self.replica_count} partition-count={self.partition_count}}}"
        )

    def _explicit_reshards(self, full: bool) -> str:
        options = [f"enable-full-version={option_text(full)}"]
        options += ["avoid-reshards-on-named-computations"] * self.avoid_reshards_on_named_computations
        options += self.options_text(AxisOptions)
        return f"func.func(sdy-insert-explicit-reshards{{{' '.join(options)}}})"
