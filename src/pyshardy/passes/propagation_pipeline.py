"""``sdy-propagation-pipeline``: the whole way, import, propagation through the full hierarchy, export.

Left of this file are ``import_pipeline`` and ``export_pipeline``; ``pyshardy.propagate`` runs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

from pyshardy.ir.context import Context
from pyshardy.ir.passes import NamedPipeline, Pass, Pipeline, option, option_text, register_pipeline
from pyshardy.passes.export_pipeline import ExportPipeline, items_of
from pyshardy.passes.import_pipeline import CLEAN_UP, EDGES, ONE_BODY_A_FUNCTION
from pyshardy.passes.propagating.user_priority_propagate import UserPriorityPropagate
from pyshardy.passes.save_module import SaveModule
from pyshardy.propagation.layers import STRATEGY_LISTS
from pyshardy.resharding.options import AXIS_CHOICES, RESHARD_STRATEGIES


@register_pipeline("sdy-propagation-pipeline", summary="Shards every tensor: import, propagation, export.")
@dataclass(frozen=True)
class PropagationPipeline(NamedPipeline):
    """Shards every tensor: import, propagation through the full hierarchy, export."""

    dedup_functions_fully: bool = option(False, "keep one body a function instead of one a call")
    avoid_export_for_partitioning: bool = option(
        False, "keep constraints and groups and insert no reshards, so that the program can be propagated again"
    )
    conservative_propagation: bool = option(
        False, "never split an axis, and do not propagate along changing dimensions"
    )
    debug_propagation_edge_sharding: bool = option(False, "dump along which edges axes were propagated")
    debug_sharding_origins: bool = option(False, "dump where the axes of shardings came from")
    dump_directory: str = option("", "where to write the program at several stages; nowhere if empty")
    enable_auto_partitioning: bool = option(False, "call the registered automatic partitioner after propagation")
    enable_explicit_gather_scatter_batching: bool = option(False, "turn iota indices into batching dimensions first")
    axis_choice: str = option(
        "reference",
        "common axes of an operation: as Shardy chooses them, by the fewest reshards, or by the fewest bytes",
        choices=AXIS_CHOICES,
        quiet=True,
    )
    enable_insert_explicit_collectives: bool = option(False, "insert all reshards, and make them collectives")
    keep_sharding_rules: bool = option(False, "keep the sharding rules on the operations")
    propagation_strategy: str = option(
        "aggressive", "basic, aggressive, or one after the other", choices=tuple(STRATEGY_LISTS)
    )
    reduction_kinds: bool = option(False, "all-reduces say by what they reduce", quiet=True)
    remove_all_gather_reduce_scatter_for_cmv1: bool = option(
        False, "with explicit collectives: leave those around a dot to XLA's collective matmul"
    )
    run_op_priority_propagation: bool = option(True, "go by the kind of operation; without it all go at once")
    reshard_strategy: str = option(
        "reference",
        "by the collectives that Shardy takes, or by the fewest bytes",
        choices=RESHARD_STRATEGIES,
        quiet=True,
    )
    reshard_custom_rules: bool = option(False, "also reshard for operations with a custom rule", quiet=True)
    update_non_divisible_input_output_shardings: bool = option(
        True, "cut shardings of inputs and outputs to axes that divide them, without sub-axes"
    )
    user_priorities: bool = True
    """Go by the priorities that the user gave; without it they are dropped and all go at once."""
    insert_all_reshards: bool = False
    """Insert all reshards, as for collectives, and leave it at that."""
    stop_after: int | None = None
    """The last user priority to propagate; what comes later stays unsharded."""

    def items(self, anchor: str) -> tuple[Pass | Pipeline, ...]:
        return tuple(item for part in self._parts(anchor) for item in part)

    def _parts(self, anchor: str) -> Iterator[tuple[Pass | Pipeline, ...]]:
        *before, last_clean_up, axes = CLEAN_UP
        yield items_of(",".join(before), anchor)
        if self.enable_explicit_gather_scatter_batching:
            yield items_of("func.func(sdy-explicit-gather-scatter-batching)", anchor)
        yield items_of(f"{last_clean_up},{axes}", anchor)
        yield (SaveModule(self.dump_directory, "before_propagation", 1),)
        yield items_of(EDGES, anchor)
        yield items_of(",".join(self._calls()), anchor)
        # The dumps after each user priority share their number with the one that comes next.
        numbers = count(2)
        yield (self._propagate(dump_index=2),)
        yield items_of(",".join(self._after_propagation()), anchor)
        if self.enable_auto_partitioning:
            yield self._auto_partitioner(numbers)
        yield items_of("sdy-insert-func-call-reshards", anchor)
        yield self._export().items(anchor, numbers)

    def _calls(self) -> Iterator[str]:
        """What makes of each call a body of its own, or of all calls of a function edges to the one body."""
        debug = (
            f"{{debug-propagation-edge-sharding={option_text(self.debug_propagation_edge_sharding)} "
            f"debug-sharding-origins={option_text(self.debug_sharding_origins)}}}"
        )
        apply, groups = ONE_BODY_A_FUNCTION
        if self.dedup_functions_fully:
            yield from (apply + debug, groups, "sdy-add-func-data-flow-edges")
        else:
            yield from ("sdy-flatten-call-graph", "symbol-dce", "sdy-import-func-calls", "symbol-dce")
            yield from (apply + debug, groups)
        yield "sdy-pre-order-funcs"

    def _propagate(self, dump_index: int) -> Pass:
        return UserPriorityPropagate(
            keep_sharding_rules=True,
            conservative_propagation=self.conservative_propagation,
            module_dump_directory=self.dump_directory,
            debug_sharding_origins=self.debug_sharding_origins,
            debug_propagation_edge_sharding=self.debug_propagation_edge_sharding,
            propagation_strategy=self.propagation_strategy,
            run_op_priority_propagation=self.run_op_priority_propagation,
            dump_index=dump_index,
            user_priorities=self.user_priorities,
            stop_after=self.stop_after,
        )

    def _after_propagation(self) -> Iterator[str]:
        if self.dedup_functions_fully:
            yield from ("sdy-propagate-to-func-results", "func.func(sdy-sink-func-data-flow-edges)")
        else:
            yield from ("sdy-export-named-computations", "sdy-propagate-to-func-results")
        yield from ("sdy-unflatten-call-graph", "symbol-dce")

    def _auto_partitioner(self, numbers: Iterator[int]) -> tuple[Pass | Pipeline, ...]:
        from pyshardy.propagation.auto_partitioner import add_auto_partitioner

        items: list[Pass | Pipeline] = [
            SaveModule(self.dump_directory, "propagation_before_auto_partitioning", next(numbers))
        ]
        add_auto_partitioner(items)
        return tuple(items)

    def _export(self) -> ExportPipeline:
        return ExportPipeline(
            avoid_export_for_partitioning=self.avoid_export_for_partitioning,
            axis_choice=self.axis_choice,
            dump_directory=self.dump_directory,
            dump_propagation_edges=self.debug_propagation_edge_sharding,
            dump_sharding_origins=self.debug_sharding_origins,
            enable_insert_explicit_collectives=self.enable_insert_explicit_collectives,
            insert_all_reshards=self.insert_all_reshards,
            keep_sharding_rules=self.keep_sharding_rules,
            reduction_kinds=self.reduction_kinds,
            remove_all_gather_reduce_scatter_for_cmv1=self.remove_all_gather_reduce_scatter_for_cmv1,
            reshard_custom_rules=self.reshard_custom_rules,
            reshard_strategy=self.reshard_strategy,
            update_non_divisible_input_output_shardings=self.update_non_divisible_input_output_shardings,
        )


@contextmanager
def chlo_rules_of(context: Context, wanted: bool) -> Iterator[None]:
    """While this lasts, whether operations of CHLO have sharding rules."""
    before = context.chlo_rules
    context.chlo_rules = wanted
    try:
        yield
    finally:
        context.chlo_rules = before
