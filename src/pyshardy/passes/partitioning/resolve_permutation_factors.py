"""The pass ``sdy-resolve-permutation-factors``: operations that move data along sharded dimensions no longer do.

Reversals change the mesh, pads and slices may exchange with neighbours, all else is replicated along those dimensions.
Stands behind explicit reshards and before ``sdy-reshard-to-collectives``, which makes collectives of the reshards that
this pass inserts.
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
from pyshardy.passes.partitioning.permutation.convolving import replicate_spatial_dims
from pyshardy.passes.partitioning.permutation.exchange import exchange
from pyshardy.passes.partitioning.permutation.replication import permutation_factors, replicate
from pyshardy.passes.partitioning.permutation.reshaping import replicate_moving_groups
from pyshardy.passes.partitioning.permutation.reversal import reverse_by_mesh
from pyshardy.passes.partitioning.permutation.spreading import replicate_spread_dims
from pyshardy.resharding.own_rules import own_rule
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
        concerned = [one for one in operations if one.name.startswith("stablehlo.") and not one.traits & TERMINATOR]
        # Some rules look at what is around, which is about to change.
        for one, rule in [(one, own_rule(one, table)) for one in concerned]:
            self._resolve(one, rule, emit, symbols)

    def _resolve(self, op: Operation, rule: OpShardingRule | None, emit: Emitter, symbols: SymbolTable) -> None:
        known = meshes(symbols.module)
        if op.name == "stablehlo.reshape":
            replicate_moving_groups(op, known)
            return
        if op.name == "stablehlo.broadcast_in_dim":
            replicate_spread_dims(op)
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
