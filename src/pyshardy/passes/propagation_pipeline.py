"""``sdy-propagation-pipeline``: import, propagation through the full hierarchy, and export."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from pyshardy.ir.context import Context
from pyshardy.ir.passes import NamedPipeline, Pass, Pipeline, option, option_text, register_pipeline
from pyshardy.passes.export_pipeline import ExportPipeline
from pyshardy.passes.import_pipeline import CLEAN_UP, EDGES, ONE_BODY_A_FUNCTION
from pyshardy.passes.options import ExportOptions
from pyshardy.passes.propagating.user_priority_propagate import UserPriorityPropagate
from pyshardy.passes.save_module import SaveModule
from pyshardy.propagation.priority_levels import STRATEGY_LISTS


@register_pipeline("sdy-propagation-pipeline")
class PropagationPipeline(ExportOptions, NamedPipeline):
    """Shards every tensor: import, propagation, export. Propagation goes through the full hierarchy."""

    dedup_functions_fully: bool = option(False, "keep one body a function instead of one a call")
    conservative_propagation: bool = option(
        False, "never split an axis, and do not propagate along changing dimensions"
    )
    debug_propagation_edge_sharding: bool = option(False, "dump along which edges axes were propagated")
    debug_sharding_origins: bool = option(False, "dump where the axes of shardings came from")
    enable_auto_partitioning: bool = option(
        False, "search for what propagation leaves open, or call the registered partitioner"
    )
    enable_explicit_gather_scatter_batching: bool = option(False, "turn iota indices into batching dimensions first")
    propagation_strategy: str = option(
        "aggressive", "basic, aggressive, or one after the other", choices=tuple(STRATEGY_LISTS)
    )
    run_op_priority_propagation: bool = option(True, "go by the kind of operation; without it all go at once")
    user_priorities: bool = True
    """Go by the priorities that the user gave; without it they are dropped and all go at once."""
    stop_after: int | None = None
    """The last user priority to propagate; what comes later stays unsharded."""

    def parts(self) -> Iterator[str | Pass | Pipeline]:
        yield from self.before_export()
        # The dumps after each user priority share their number with the one that comes next.
        numbers = count(2)
        if self.enable_auto_partitioning:
            yield from self._auto_partitioner(numbers)
        if self.inserts_reshards:
            yield "sdy-insert-func-call-reshards"
        yield from self._export().parts(numbers)

    def before_export(self) -> Iterator[str | Pass]:
        """Import and propagation."""
        *before, last_clean_up, axes = CLEAN_UP
        yield from before
        if self.enable_explicit_gather_scatter_batching:
            yield "func.func(sdy-explicit-gather-scatter-batching)"
        yield from (last_clean_up, axes)
        yield SaveModule(self.dump_directory, "before_propagation", 1)
        yield EDGES
        yield from self._calls()
        yield self._propagate(dump_index=2)
        yield from self._after_propagation()

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

    def _auto_partitioner(self, numbers: Iterator[int]) -> list[Pass | Pipeline]:
        from pyshardy.propagation.auto_partitioner import add_auto_partitioner

        items: list[Pass | Pipeline] = [
            SaveModule(self.dump_directory, "propagation_before_auto_partitioning", next(numbers))
        ]
        add_auto_partitioner(items)
        return items

    def _export(self) -> ExportPipeline:
        shared = {name: getattr(self, name) for name in ExportOptions.fields()}
        return ExportPipeline(
            dump_propagation_edges=self.debug_propagation_edge_sharding,
            dump_sharding_origins=self.debug_sharding_origins,
            **shared,
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
