"""The pass ``sdy-resolve-permutation-factors``: makes operations local that move data along sharded dimensions.

A reversal changes the mesh, pads and slices may exchange data with neighbours, and all other operations get these
dimensions replicated. The pass runs after explicit reshards, and before ``sdy-reshard-to-collectives``, which turns the
reshards that it inserts into collectives.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.placement import meshes
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.call_graph import SymbolTable
from pyshardy.passes.partitioning.emitter import Emitter, next_channel
from pyshardy.passes.partitioning.options import CompatOptions, HaloOptions, QuietDeviceOptions
from pyshardy.passes.partitioning.permutation.broadcast import replicate_broadcast_dims
from pyshardy.passes.partitioning.permutation.convolution import replicate_spatial_dims
from pyshardy.passes.partitioning.permutation.exchange import exchange
from pyshardy.passes.partitioning.permutation.replication import permutation_factors, replicate
from pyshardy.passes.partitioning.permutation.reshape import replicate_moving_groups
from pyshardy.passes.partitioning.permutation.reversal import reverse_by_mesh
from pyshardy.resharding.partitioning_rules import partitioning_rule
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule


@register_pass("sdy-resolve-permutation-factors", on="builtin.module")
class ResolvePermutationFactors(CompatOptions, HaloOptions, QuietDeviceOptions, Pass):
    """Makes operations that move data along sharded dimensions local, by reshards or exchanges around them."""

    def apply(self, op: Operation, context: Context) -> None:
        by_replica = self.devices_are_replicas(op, context, "resolve_permutation_factors")
        operations = list(op.walk_postorder())
        emit = Emitter(next_channel(operations), by_replica=by_replica)
        symbols = SymbolTable(op)
        table = RuleTable()
        operations = [one for one in operations if one.name.startswith("stablehlo.") and not one.traits & TERMINATOR]
        # All rules first: some look at neighbouring operations, which are about to change.
        for one, rule in [(one, partitioning_rule(one, table)) for one in operations]:
            self._resolve(one, rule, emit, symbols)

    def _resolve(self, op: Operation, rule: OpShardingRule | None, emit: Emitter, symbols: SymbolTable) -> None:
        known = meshes(symbols.module)
        if op.name == "stablehlo.reshape":
            replicate_moving_groups(op, known)
            return
        if op.name == "stablehlo.broadcast_in_dim":
            replicate_broadcast_dims(op)
        if rule is None or rule.is_custom:
            return
        if permutation_factors(op, rule):
            self._resolve_permutation(op, rule, emit, symbols, known)
        if op.name == "stablehlo.convolution":
            replicate_spatial_dims(op, known)

    def _resolve_permutation(
        self, op: Operation, rule: OpShardingRule, emit: Emitter, symbols: SymbolTable, known: dict[str, Mesh]
    ) -> None:
        newer = self.compat == "r2"
        if self.enable_halo_exchange:
            if op.name == "stablehlo.reverse" and reverse_by_mesh(op, emit, symbols, move_result=newer):
                return
            if newer and op.name in ("stablehlo.pad", "stablehlo.slice") and exchange(op, emit, known):
                return
        replicate(op, rule, known, free_pads=newer)
